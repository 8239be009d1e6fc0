"""The tests' own rules: code gets its clock, its streams and its limits as arguments; no test replaces parts of it."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tests.support.stacks import ROOT

_PATCHING_NAMES = {"monkeypatch", "MonkeyPatch", "mocker", "setattr", "delattr"}
_PATCHING_MODULES = {"mock", "unittest.mock", "pytest_mock"}


def trees(folder: str = "tests") -> Iterator[tuple[str, ast.Module]]:
    for path in sorted((ROOT / folder).rglob("*.py")):
        yield str(path.relative_to(ROOT)), ast.parse(path.read_text(encoding="utf-8"))


def imported_names(tree: ast.Module) -> set[str]:
    return {
        (alias.asname or alias.name).partition(".")[0]
        for node in ast.walk(tree)
        if isinstance(node, ast.Import | ast.ImportFrom)
        for alias in node.names
    }


def patches(tree: ast.Module) -> Iterator[int]:
    """Lines that replace an attribute of imported code, or use a tool for that."""
    imported = imported_names(tree)
    for node in ast.walk(tree):
        match node:
            case ast.Name(id=name) | ast.Attribute(attr=name) | ast.arg(arg=name):
                replaces = name in _PATCHING_NAMES or (
                    isinstance(node, ast.Attribute)
                    and isinstance(node.ctx, ast.Store | ast.Del)
                    and isinstance(node.value, ast.Name)
                    and node.value.id in imported
                )
            case ast.Subscript(value=ast.Attribute(attr="environ"), ctx=ast.Store() | ast.Del()):
                replaces = True
            case ast.Import(names=names):
                replaces = any(alias.name in _PATCHING_MODULES for alias in names)
            case ast.ImportFrom(module=module, names=names):
                replaces = module in _PATCHING_MODULES or (
                    module == "unittest" and any(alias.name == "mock" for alias in names)
                )
            case _:
                replaces = False
        if replaces and isinstance(node, ast.stmt | ast.expr | ast.arg):
            yield node.lineno


def test_tests_inject_instead_of_patching() -> None:
    assert [f"{name}:{line}" for name, tree in trees() for line in patches(tree)] == []


def test_patching_is_recognised_in_all_its_forms() -> None:
    source = """
from unittest import mock
from unittest.mock import patch
import os, module
def test_one(monkeypatch): pass
module.LIMIT = 2
os.environ["NAME"] = "value"
setattr(module, "LIMIT", 2)
own = object()
own.field = module.LIMIT
"""
    assert sorted(set(patches(ast.parse(source)))) == [2, 3, 5, 6, 7, 8]
