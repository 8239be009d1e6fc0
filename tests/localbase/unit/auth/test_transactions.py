"""Work in a transaction of Auth: nothing that waits for the network, for bcrypt, or for another connection.

A transaction holds a connection and locks: a mail server, a provider or a queue that is slow would stop all sign-ins.
The calls are followed through the source of the package.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass, field

from tests.support.stacks import ROOT

_PACKAGE = ROOT / "supabase" / "localbase" / "auth"
# Awaited methods that wait for something else than the transaction's own connection: a thread, an HTTP client, an SMTP
# client, and the pool.
_SLOW_METHODS = {".run_in_executor", ".request", "._send", ".one"}


@dataclass(frozen=True, slots=True)
class Coroutine:
    """A coroutine of the package. `calls` are those it awaits, with their lines; `inner` those within a transaction."""

    calls: list[tuple[str, int]]
    inner: list[tuple[str, int]]
    has_transaction: bool


@dataclass(slots=True)
class Module:
    """Names that a module has from its neighbours: modules by themselves, functions with their module."""

    name: str
    modules: set[str] = field(default_factory=set)
    functions: dict[str, str] = field(default_factory=dict)

    def read_imports(self, tree: ast.Module) -> None:
        for node in ast.walk(tree):
            if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("localbase.auth"):
                package = (node.module or "").rpartition(".")[2]
                for alias in node.names:
                    self.modules.add(alias.name)
                    self.functions[alias.name] = f"{package}.{alias.name}"

    def target(self, call: ast.Call) -> str | None:
        """The coroutine that is called: `module.function`, or `.method` of any class."""
        match call.func:
            case ast.Name(id=name):
                return self.functions.get(name, f"{self.name}.{name}")
            case ast.Attribute(value=ast.Name(id=base), attr=name) if base in self.modules:
                return f"{base}.{name}"
            case ast.Attribute(attr=name):
                return f".{name}"
        return None

    def awaited(self, node: ast.AST) -> Iterator[tuple[str, int]]:
        for each in ast.walk(node):
            if isinstance(each, ast.Await) and isinstance(each.value, ast.Call):
                target = self.target(each.value)
                if target:
                    yield target, each.lineno


def transactions(node: ast.AST) -> Iterator[ast.AsyncWith]:
    """Blocks of the form `async with ….begin() as cursor`."""
    for each in ast.walk(node):
        if isinstance(each, ast.AsyncWith) and any(
            isinstance(item.context_expr, ast.Call)
            and isinstance(item.context_expr.func, ast.Attribute)
            and item.context_expr.func.attr == "begin"
            for item in each.items
        ):
            yield each


def coroutines(name: str, source: str) -> Iterator[tuple[str, Coroutine]]:
    """A module's coroutines: functions as `module.function`, methods as `.method`."""
    tree = ast.parse(source)
    module = Module(name)
    module.read_imports(tree)
    methods = {each for node in ast.walk(tree) if isinstance(node, ast.ClassDef) for each in node.body}
    for node in ast.walk(tree):
        if isinstance(node, ast.AsyncFunctionDef):
            blocks = list(transactions(node))
            inner = [call for block in blocks for line in block.body for call in module.awaited(line)]
            key = f".{node.name}" if node in methods else f"{name}.{node.name}"
            yield key, Coroutine(list(module.awaited(node)), inner, bool(blocks))


def all_coroutines() -> list[tuple[str, Coroutine]]:
    return [
        named_coroutine
        for path in sorted(_PACKAGE.rglob("*.py"))
        for named_coroutine in coroutines(path.stem, path.read_text(encoding="utf-8"))
    ]


def slow_names(named_coroutines: list[tuple[str, Coroutine]]) -> set[str]:
    """Coroutines that wait for something slow, begin a transaction, or call one that does."""
    slow = _SLOW_METHODS | {name for name, each in named_coroutines if each.has_transaction}
    while more := {name for name, each in named_coroutines if slow & {call for call, _ in each.calls}} - slow:
        slow |= more
    return slow


def faults(named_coroutines: list[tuple[str, Coroutine]]) -> list[str]:
    slow = slow_names(named_coroutines)
    return [
        f"{name}, line {line}: {call}"
        for name, each in named_coroutines
        for call, line in each.inner
        if call in slow
    ]


def test_transactions_wait_for_nothing_slow() -> None:
    named_coroutines = all_coroutines()
    assert sum(each.has_transaction for _, each in named_coroutines) > 40
    assert {"passwords.matches", "passwords.hash_password", ".require", ".deliver"} <= slow_names(
        named_coroutines
    )
    assert faults(named_coroutines) == []


def test_slow_call_in_a_transaction_is_recognised() -> None:
    source = """
from localbase.auth import passwords
async def hash_it(text):
    return await loop.run_in_executor(None, work, text)
async def save(context):
    async with context.db.begin() as cursor:
        await cursor.execute("select 1")
        await store(cursor, await hash_it("x"))
async def later(context):
    async with context.db.begin() as cursor:
        await cursor.execute("select 1")
    await hash_it("x")
async def again(context):
    async with context.db.begin() as cursor:
        await later(context)
"""
    assert faults(list(coroutines("users", source))) == [
        "users.save, line 8: users.hash_it",
        "users.again, line 15: users.later",
    ]
