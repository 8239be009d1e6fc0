"""`.env.example` holds every variable that production code reads, and no other."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

from deploy.environment import read_environ
from tests.support.stacks import ROOT

_NAME = re.compile(r"[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+|PORT|WORKERS|THREADS")
_LINE = re.compile(r"^#?([A-Z][A-Z0-9_]*)=", re.MULTILINE)
# Set by one of our processes for another one that it starts, never by a person.
_INTERNAL = {"EMULATORS_FD", "WEB_FD", "EMULATORS_NODE_MODULES", "LOCALBASE_DATA", "PROMETHEUS_MULTIPROC_DIR"}
# Words of other languages: keys of `supabase status`, gcloud's errors, Printify's countries.
_OTHER_WORDS = {"API_URL", "SERVICE_ROLE_KEY", "NOT_FOUND", "REST_OF_THE_WORLD"}


def sources() -> list[Path]:
    # bake runs in Blender, on a developer's machine
    paths = [
        path for folder in ("functions", "emulators", "deploy") for path in (ROOT / folder).rglob("*.py")
    ]
    return [path for path in paths if "bake" not in path.parts] + [ROOT / "web" / "serve.py"]


def names_in(text: str) -> set[str]:
    """The string literals that are written as variables are."""
    return {
        node.value
        for node in ast.walk(ast.parse(text))
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and _NAME.fullmatch(node.value)
    }


def read_by_code() -> set[str]:
    names = {name for path in sources() for name in names_in(path.read_text(encoding="utf-8"))}
    plugin = (ROOT / "web" / "plugins" / "env-plugin.ts").read_text(encoding="utf-8")
    names |= set(re.findall(r"\benv\.([A-Z][A-Z0-9_]+)", plugin))
    listed = re.search(r"const NAMES = \[(.*?)\]", plugin, re.DOTALL)
    assert listed
    names |= set(re.findall(r'"([A-Z_]+)"', listed[1]))
    config = (ROOT / "supabase-config.toml").read_text(encoding="utf-8")
    return names | set(re.findall(r"env\((\w+)\)", config))


def in_example() -> list[str]:
    return _LINE.findall((ROOT / ".env.example").read_text(encoding="utf-8"))


def test_env_example_has_every_variable_that_code_reads() -> None:
    read = read_by_code() - _INTERNAL - _OTHER_WORDS
    assert len(read) > 60
    # VITE_SUPABASE_READ_URL is the built page's alone, and has no other name
    named = {name.removeprefix("VITE_") for name in in_example()} | set(in_example())
    assert sorted(read - named) == []


def test_env_example_has_no_variable_that_no_code_reads() -> None:
    # a page that is built for a static host reads each name with VITE_ before it too
    read = read_by_code()
    assert [name for name in in_example() if not {name, name.removeprefix("VITE_")} & read] == []


def test_env_example_names_each_variable_once() -> None:
    names = in_example()
    assert [name for name in set(names) if names.count(name) > 1] == []


def test_env_example_sets_nothing_by_itself() -> None:
    assert read_environ({}, ROOT / ".env.example") == {}


@pytest.mark.parametrize(
    ("text", "names"),
    [('environ.get("NEW_KEY")', {"NEW_KEY"}), ('"not A_NAME"', set()), ("NEW_KEY = 1", set())],
)
def test_env_example_scan_finds_names_in_literals(text: str, names: set[str]) -> None:
    assert names_in(text) == names
