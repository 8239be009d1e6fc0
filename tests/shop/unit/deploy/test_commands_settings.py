"""shop.toml: one file for what the owner decides, read by pages, mails, functions and commands."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path
from typing import Any

import pytest

from deploy.errors import CommandError
from deploy.shop_settings import AS_IT_CAME, SHOP_SETTINGS, read_catalog, unchanged_settings
from tests.support.stacks import ROOT

TABLES: dict[str, Any] = tomllib.loads(SHOP_SETTINGS.read_text(encoding="utf-8"))


def test_settings_that_came_are_those_of_the_file() -> None:
    named = {f"{table}.{name}" for table, values in TABLES.items() for name in values if table != "catalog"}
    assert set(AS_IT_CAME) == named


def test_settings_that_the_owner_changed_are_not_named(tmp_path: Path) -> None:
    file = tmp_path / "shop.toml"
    file.write_text(
        '[shop]\ncompany = "Mine"\nsupport_email = "support@teesmith.example"\n', encoding="utf-8"
    )
    assert unchanged_settings(file) == ["shop.support_email"]


def test_file_of_before_the_catalogs_new_name_is_named(tmp_path: Path) -> None:
    file = tmp_path / "shop.toml"
    file.write_text('[catalogue]\nsizes = ["M"]\n', encoding="utf-8")
    with pytest.raises(CommandError, match=r"\[catalog\] is missing"):
        read_catalog(file)


def test_settings_are_one_file_for_functions_too() -> None:
    assert (ROOT / "functions" / "_shared" / "shop.toml").resolve() == SHOP_SETTINGS


def test_settings_that_pages_read_are_declared_with_every_name() -> None:
    declared = (ROOT / "web" / "src" / "types" / "shop-toml.d.ts").read_text(encoding="utf-8")
    for table in ("shop", "policies", "prices", "delivery", "promo", "shirt"):
        body = re.search(rf"export const {table}: \{{(.*?)\}}", declared, re.DOTALL)
        assert body
        assert re.findall(r"(\w+):", body[1]) == list(TABLES[table])


def test_settings_of_the_owner_are_written_nowhere_else() -> None:
    texts = {value for value in AS_IT_CAME.values() if isinstance(value, str) and len(value) > 10}
    sources = [
        path
        for folder, endings in (("web/src", (".ts", ".tsx")), ("functions", (".py", ".txt", ".html")))
        for path in (ROOT / folder).rglob("*")
        if path.suffix in endings and ".test." not in path.name and "node_modules" not in path.parts
    ]
    assert len(sources) > 300
    copies = [
        f"{path.relative_to(ROOT)}: {text}"
        for path in sources
        for text in texts
        if text in path.read_text(encoding="utf-8")
    ]
    assert copies == []
