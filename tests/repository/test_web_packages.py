"""The shop's client and localbase's Studio are packages of their own: neither reads the other's files or packages."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path, PurePosixPath

import pytest

from tests.support.stacks import ROOT
from tests.support.tracked_files import tracked

PACKAGES = ("web", "supabase/studio")
_IMPORT = re.compile(r"""(?<![".])\b(?:from\s*|import\s*\(?\s*|source\()"([^"\n]+)\"""")


def imports(text: str) -> Iterator[str]:
    yield from (name.partition("?")[0] for name in _IMPORT.findall(text))


def declared(package: str) -> set[str]:
    manifest = json.loads((ROOT / package / "package.json").read_text(encoding="utf-8"))
    return {*manifest["dependencies"], *manifest["devDependencies"]}


def belongs(name: str, importer: Path, package: str) -> bool:
    """Tell whether an import is of the package's own files, or of a package that it declares."""
    if name.startswith((".", "/")):
        file = (importer.parent / name).resolve()
        # The shop's client shares tables with the shop's functions and tests.
        return file.is_relative_to(ROOT / package) or (
            package == "web" and not file.is_relative_to(ROOT / "supabase")
        )
    if name.startswith(("node:", "@/")):
        return package == "web"
    return "/".join(PurePosixPath(name).parts[: 2 if name[0] == "@" else 1]) in declared(package)


@pytest.mark.parametrize("package", PACKAGES)
def test_package_imports_itself_and_what_it_declares(package: str) -> None:
    files = tracked(*(f"{package}/*.{ending}" for ending in ("ts", "tsx", "css")))
    assert len(files) > 30
    foreign = [
        f"{file}: {name}"
        for file in files
        for name in imports((ROOT / file).read_text(encoding="utf-8"))
        if not belongs(name, ROOT / file, package)
    ]
    assert foreign == []


@pytest.mark.parametrize(
    "line",
    [
        'import { Button } from "@/components/ui/button";',
        'import { Button } from "../../../web/src/components/ui/button";',
        'const page = lazy(() => import("../../../web/src/main"));',
        '@import "../../../web/src/app/styles/index.css";',
        'import { z } from "zod";',
    ],
)
def test_studios_import_of_the_shop_is_found(line: str) -> None:
    (name,) = imports(line)
    assert not belongs(name, ROOT / "supabase/studio/src/main.tsx", "supabase/studio")


def test_lock_and_folder_of_npm_are_the_roots() -> None:
    manifest = json.loads((ROOT / "package.json").read_text(encoding="utf-8"))
    assert manifest["workspaces"] == list(PACKAGES)
    assert tracked("*package-lock.json") == ["package-lock.json"]
    lock = json.loads((ROOT / "package-lock.json").read_text(encoding="utf-8"))["packages"]
    assert [name for name in lock if name.startswith(tuple(f"{package}/" for package in PACKAGES))] == []
