"""The tests' own rules: arguments instead of patches, and names of the form `test_<subject>_<behaviour>`."""

from __future__ import annotations

import ast
import gc
import re
from collections.abc import Iterator
from functools import cache

from tests.support.stacks import ROOT

_PATCHING_NAMES = {"monkeypatch", "MonkeyPatch", "mocker", "setattr", "delattr"}
_PATCHING_MODULES = {"mock", "unittest.mock", "pytest_mock"}
# A name says what it is about: no article, pronoun or question comes first.
_OPENINGS = (
    *("the", "a", "an", "what", "who", "whose", "whom", "which", "it", "its", "they", "them", "their"),
    *("that", "this", "these", "those", "there", "others", "one", "none", "such", "not"),
)
_RANDOM = {
    "uuid4",
    "uuid1",
    "token_urlsafe",
    "token_hex",
    "token_bytes",
    "randrange",
    "randint",
    "choice",
    "random",
}
_RIDDLES = ("whoever", "nobody", "somebody", "anybody", "whatever", "kept", "told", "asked", "stands")
_RIDDLE = re.compile(rf"^test_(?:{'|'.join(_OPENINGS)})_|_(?:{'|'.join(_RIDDLES)})(?:_|$)")


@cache
def trees(folder: str = "tests") -> list[tuple[str, ast.Module]]:
    """Of each file. To look for garbage among all these nodes takes three times as long as to parse them."""
    gc.disable()
    try:
        return [
            (str(path.relative_to(ROOT)), ast.parse(path.read_text(encoding="utf-8")))
            for path in sorted((ROOT / folder).rglob("*.py"))
        ]
    finally:
        gc.freeze()
        gc.enable()


@cache
def nodes_of(tree: ast.Module) -> list[ast.AST]:
    """All nodes, found once for all rules."""
    return list(ast.walk(tree))


def imported_names(tree: ast.Module) -> set[str]:
    return {
        (alias.asname or alias.name).partition(".")[0]
        for node in nodes_of(tree)
        if isinstance(node, ast.Import | ast.ImportFrom)
        for alias in node.names
    }


def patches(tree: ast.Module) -> Iterator[int]:
    """Lines that replace an attribute of imported code, or use a tool for that."""
    imported = imported_names(tree)
    for node in nodes_of(tree):
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


def test_web_tests_replace_no_module() -> None:
    """The files of a Vitest worker share their modules (web/vitest.config.ts, supabase/studio/vite.config.ts)."""
    files = [
        path
        for folder in ("web/src", "supabase/studio/src")
        for path in (ROOT / folder).rglob("*.ts*")
        if "vi.mock(" in path.read_text(encoding="utf-8")
    ]
    assert [str(path.relative_to(ROOT)) for path in files] == []


def riddling_names(tree: ast.Module) -> Iterator[str]:
    """Names of tests that open with a pronoun or an article, have a word of the glossary's left column, or one word."""
    for node in nodes_of(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node.name.startswith("test_"):
            behaviour_is_missing = node.name.count("_") < 3
            if _RIDDLE.search(node.name) or behaviour_is_missing:
                yield node.name


def test_names_of_tests_have_a_subject_and_a_behaviour() -> None:
    assert [f"{name}: {test}" for name, tree in trees() for test in riddling_names(tree)] == []


def test_riddling_names_are_recognised() -> None:
    names = ["test_the_checksum", "test_durations", "test_others_become_the_site", "test_settings_are_told"]
    plain = ["test_card_checksum_follows_luhn", "test_anonymous_user_is_rejected", "test_tokens_are_parsed"]
    source = "".join(f"def {name}(): pass\n" for name in [*names, *plain])
    assert list(riddling_names(ast.parse(source))) == names


def random_parameters(tree: ast.Module) -> Iterator[int]:
    """Lines of parameters, or of lists at the module's level, that are other values in each process."""
    decorators = [
        decorator
        for node in nodes_of(tree)
        if isinstance(node, ast.FunctionDef | ast.ClassDef)
        for decorator in node.decorator_list
    ]
    lists = [
        node.value
        for node in tree.body
        if isinstance(node, ast.Assign | ast.AnnAssign)
        and isinstance(node.value, ast.List | ast.Tuple | ast.Dict)
    ]
    for root in (*decorators, *lists):
        for node in ast.walk(root):
            if (
                isinstance(node, ast.Call)
                and isinstance(node.func, ast.Attribute)
                and node.func.attr in _RANDOM
            ):
                yield node.lineno


def test_parameters_of_tests_are_the_same_in_each_worker() -> None:
    # Workers that collect other names than their neighbours end the run.
    assert [f"{name}:{line}" for name, tree in trees() for line in random_parameters(tree)] == []


def test_random_parameters_are_recognised() -> None:
    source = """
import pytest, secrets, uuid
PATHS = [f"/{uuid.uuid4()}"]
KEY = uuid.uuid4()
@pytest.mark.parametrize("code", [secrets.token_urlsafe(8)])
def test_one_thing_happens(code):
    assert uuid.uuid4()
"""
    assert sorted(random_parameters(ast.parse(source))) == [3, 5]


def expressions_waited_for(tree: ast.Module) -> Iterator[int]:
    """Lines that wait in a browser for an expression instead of a function.

    Playwright evaluates it anew at each look, which the Content-Security-Policy of a page forbids after the first.
    """
    for node in nodes_of(tree):
        match node:
            case ast.Call(
                func=ast.Attribute(attr="wait_for_function"), args=[ast.Constant(value=str(text)), *_]
            ):
                if "=>" not in text:
                    yield node.lineno


def test_browser_waits_for_functions() -> None:
    found = [
        f"{name}:{line}"
        for name, tree in (*trees(), *trees("bench"))
        for line in expressions_waited_for(tree)
    ]
    assert found == []


def test_expressions_waited_for_are_recognised() -> None:
    source = """
page.wait_for_function("window.ready")
page.wait_for_function("() => window.ready")
page.wait_for_function(READY)
"""
    assert list(expressions_waited_for(ast.parse(source))) == [2]
