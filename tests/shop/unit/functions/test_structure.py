"""Thin mains, documented settings, configured functions. (functions/.importlinter holds the import directions.)"""

import ast
import re
import tomllib
from pathlib import Path

import pytest

from tests.support.stacks import ROOT

SHARED = ROOT / "functions" / "_shared"


def imported(path: Path) -> set[str]:
    """The modules of `_shared` that a file imports."""
    tree = ast.parse(path.read_text())
    names = (node.module for node in ast.walk(tree) if isinstance(node, ast.ImportFrom) and node.module)
    return {name.removeprefix("_shared.") for name in names if name.startswith("_shared.")}


@pytest.mark.parametrize(
    "path", sorted((ROOT / "functions").glob("*/main.py")), ids=lambda path: path.parent.name
)
def test_main_is_thin(path: Path) -> None:
    assert not any(name.startswith("clients") for name in imported(path))
    assert len(path.read_text().splitlines()) <= 60


def test_every_setting_is_documented() -> None:
    read = set(re.findall(r'"([A-Z][A-Z_]{5,})"', (SHARED / "core" / "settings.py").read_text()))
    read |= set(re.findall(r'environ\.get\("([A-Z_]+)"', (SHARED / "endpoint.py").read_text()))
    documented = set(re.findall(r"(?m)^#?([A-Z_]+)=", (ROOT / ".env.example").read_text()))
    assert read - documented == set()


def test_configuration_lists_every_function() -> None:
    listed = tomllib.loads((ROOT / "supabase-config.toml").read_text())["functions"]
    assert set(listed) == {path.parent.name for path in (ROOT / "functions").glob("*/main.py")}
    # callers without a token: robots, visitors, readers of an e-mail, vendors who sign, the scheduler with its key
    assert {slug for slug, settings in listed.items() if not settings["verify_jwt"]} == {
        "design-page",
        "get-order-status",
        "lookup-zip-code",
        "printify-webhook",
        "report-design",
        "stripe-webhook",
        "sweep",
    }
