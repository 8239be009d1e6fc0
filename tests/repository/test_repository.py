"""Files for contributors: forms, checks and settings that editors and GitHub read agree with the project."""

from __future__ import annotations

import re
import subprocess
import tomllib
from pathlib import Path
from typing import Any

import pytest
import yaml  # type: ignore[import-untyped, unused-ignore]

from tests.support.stacks import ROOT

GITHUB = ROOT / ".github"
FORMS = sorted(GITHUB.glob("ISSUE_TEMPLATE/[0-9]*.yml"))
DOCUMENTS = ("README.md", "CONTRIBUTING.md", "SECURITY.md", "CODE_OF_CONDUCT.md", "LICENSE", "CHANGELOG.md")


def read_yaml(path: Path) -> Any:
    return yaml.safe_load(path.read_text(encoding="utf-8"))


@pytest.mark.parametrize("name", DOCUMENTS)
def test_repository_has_document(name: str) -> None:
    assert len((ROOT / name).read_text(encoding="utf-8").split()) > 100


def test_actions_are_pinned() -> None:
    for path in GITHUB.glob("workflows/*.yml"):
        used = re.findall(r"uses: (\S+)", path.read_text())
        assert used
        for action in used:
            # Our own is of the same commit.
            assert action.startswith("./") or re.search(r"@(v\d+|[0-9a-f]{40})$", action), action


def test_python_and_node_versions_agree() -> None:
    python = (ROOT / ".python-version").read_text().strip()
    for folder in (ROOT, ROOT / "supabase"):
        project = tomllib.loads((folder / "pyproject.toml").read_text())["project"]
        assert project["requires-python"] == f">={python}"
    oldest = re.search(r'"node": ">=(\d+)"', (ROOT / "package.json").read_text())
    assert oldest
    assert int((ROOT / ".nvmrc").read_text()) >= int(oldest[1])


@pytest.mark.parametrize("path", FORMS, ids=lambda path: path.stem)
def test_issue_form_is_one_that_github_accepts(path: Path) -> None:
    form = read_yaml(path)
    assert {"name", "description", "body"} <= form.keys()
    inputs = [part for part in form["body"] if part["type"] != "markdown"]
    assert all(part["type"] in {"input", "textarea", "dropdown", "checkboxes"} for part in inputs)
    identifiers = [part["id"] for part in inputs]
    assert len(set(identifiers)) == len(identifiers)
    assert all(part["attributes"]["label"] for part in inputs)
    assert any(part.get("validations", {}).get("required") for part in inputs)


def test_dependabot_watches_every_place_that_names_versions() -> None:
    updates = read_yaml(GITHUB / "dependabot.yml")["updates"]
    assert {(entry["package-ecosystem"], entry["directory"]) for entry in updates} == {
        ("pip", "/"),
        ("pip", "/supabase"),
        ("npm", "/"),
        ("github-actions", "/"),
    }


def test_binary_files_are_marked() -> None:
    attributes = (ROOT / ".gitattributes").read_text()
    marked = set(re.findall(r"(?m)^\*(\.\w+) binary$", attributes))
    listed = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    files = [ROOT / name for name in listed.splitlines() if (ROOT / name).is_file()]
    assert {path.suffix for path in files if b"\0" in path.read_bytes()[:8000]} == marked


def test_table_of_decisions_has_each_with_its_title() -> None:
    folder = ROOT / "docs" / "decisions"
    pages = {path.name: path.read_text(encoding="utf-8") for path in folder.glob("0*.md")}
    table = re.findall(
        r"(?m)^\| (\d+) \| \[(.+)\]\((.+)\) \|", (folder / "README.md").read_text(encoding="utf-8")
    )
    assert {name: f"# {number}. {title}" for number, title, name in table} == {
        name: page.partition("\n")[0] for name, page in pages.items()
    }
    for name, page in pages.items():
        assert re.match(r"# .+\n\nDate: 2\d{3}-\d\d-\d\d(, changed 2\d{3}-\d\d-\d\d)?\. Status: ", page), name


def test_every_page_that_speaks_of_growth_says_what_localbase_is_for() -> None:
    grows = re.compile(r"read replica|load.balance|pooler|LOCALBASE_WORKERS|external_url|several gateways")
    # One has a line a feature, made of `compatibility.toml`.
    pages = [ROOT / "README.md", *(ROOT / "docs").glob("*.md"), *(ROOT / "supabase").glob("*.md")]
    speaking = {page for page in pages if grows.search(page.read_text()) and page.name != "COMPATIBILITY.md"}
    assert {page.name for page in speaking} >= {"scale.md", "operations.md", "deploy.md", "REFERENCE.md"}
    silent = [page.name for page in speaking if "for development and tests" not in page.read_text()]
    assert silent == []
