"""docs/architecture.md follows the folders: a package without a paragraph, or a path that has moved, fails here."""

from __future__ import annotations

import re

import pytest

from tests.support.stacks import ROOT
from tests.support.tracked_files import tracked

PAGE = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
# Their packages have a paragraph each; of other folders at the top the folder itself has one.
DIVIDED = ("supabase/localbase", "web/src", "emulators")
PLACES = ("supabase", "web")


def tracked_folders() -> set[str]:
    return {
        "/".join(name.split("/")[:depth]) for name in tracked() for depth in range(1, name.count("/") + 1)
    }


def packages() -> set[str]:
    folders = tracked_folders()
    top = {folder for folder in folders if "/" not in folder and not folder.startswith(".")}
    inner = {folder for folder in folders for parent in DIVIDED if folder.rpartition("/")[0] == parent}
    shared = {folder for folder in folders if re.fullmatch(r"functions/_shared(/\w+)?", folder)}
    return (top - {*PLACES, *DIVIDED}) | inner | shared


def test_every_package_has_exactly_one_paragraph() -> None:
    described = re.findall(r"(?m)^\*\*`([^`]+)/`\*\*", PAGE)
    assert sorted(described) == sorted(packages())


def test_every_path_on_the_page_exists() -> None:
    roots = {package.split("/")[0] for package in packages()} | set(PLACES)
    named = {path for path in re.findall(r"`([\w./-]+)`", PAGE) if path.split("/")[0] in roots}
    assert len(named) > 30
    assert [path for path in sorted(named) if not (ROOT / path).exists()] == []


def test_picture_shows_folders_that_exist() -> None:
    (picture,) = re.findall(r"(?s)```mermaid\n(.*?)```", PAGE)
    shown = re.findall(r"([\w/]+)/(?=[\s\"])", picture)
    assert {"web/src", "functions", "emulators", "sql", "supabase/localbase"} <= set(shown)
    for folder in shown:
        assert (ROOT / folder).is_dir() or (ROOT / "supabase" / "localbase" / folder).is_dir(), folder
    services = re.search(r'services\["([^"]+)"\]', picture)
    assert services
    inner = {
        package.rpartition("/")[2] for package in packages() if package.startswith("supabase/localbase/")
    }
    not_services = {"cli", "core", "gateway", "postgres", "testing"}
    assert {part.strip("/") for part in services[1].split(" · ")} == inner - not_services


@pytest.mark.parametrize("title", ["The life of a REST request", "The life of an order"])
def test_life_of_a_request_or_order_has_ten_steps(title: str) -> None:
    section = PAGE.partition(f"## {title}\n")[2].partition("\n## ")[0]
    assert re.findall(r"(?m)^(\d+)\. ", section) == [str(number) for number in range(1, 11)]
