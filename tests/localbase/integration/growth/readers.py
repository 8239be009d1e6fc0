"""What an endpoint's code leads to: its parsers and its literal texts, followed by the names that the code uses."""

from __future__ import annotations

import ast
import inspect
from collections.abc import Callable, Iterator, Set
from dataclasses import dataclass, field
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import NamedTuple

from tests.localbase.integration.growth.functions import definitions, module_of


class Reads(NamedTuple):
    """`parsers` as `module:name`; `texts` are the literals of all functions and tables on the way."""

    parsers: Set[str]
    texts: Set[str]


@dataclass(slots=True)
class _Module:
    """Its functions and assignments, and where what it imports from localbase lies: the module, and the name there."""

    nodes: dict[str, list[ast.AST]] = field(default_factory=dict)
    imports: dict[str, tuple[str, str]] = field(default_factory=dict)
    parsers: Set[str] = frozenset()

    def named(self, names: Set[str]) -> Iterator[str]:
        """What of it these names mean: a function, a table, or methods of a class where both are named."""
        for own in self.nodes:
            parent, _, last = own.rpartition(".")
            if last in names and (not parent or parent.partition(".")[0] in names):
                yield own


@cache
def reads_of(endpoint: Callable[..., object]) -> Reads:
    """What the endpoint leads to; of one that wraps another, what both do."""
    parsers: set[str] = set()
    texts: set[str] = set()
    found: set[tuple[str, str]] = set()
    waiting = list(_begin(endpoint))
    while waiting:
        place = waiting.pop()
        if place in found:
            continue
        found.add(place)
        module, name = _module(place[0]), place[1]
        parsers |= {f"{place[0]}:{name}"} if name in module.parsers else set()
        for node in module.nodes[name]:
            every = list(ast.walk(node))
            texts |= {
                each.value for each in every if isinstance(each, ast.Constant) and isinstance(each.value, str)
            }
            names = {each.id for each in every if isinstance(each, ast.Name)}
            names |= {each.attr for each in every if isinstance(each, ast.Attribute)}
            waiting += _places(place[0], names | {name.partition(".")[0]})
    return Reads(parsers, texts)


def _begin(endpoint: Callable[..., object]) -> Iterator[tuple[str, str]]:
    function = inspect.unwrap(getattr(endpoint, "__func__", endpoint))
    name = function.__qualname__.replace("<locals>.", "")
    if name.endswith("<lambda>"):
        yield from _places(function.__module__, set(function.__code__.co_names))
    else:
        assert name in _module(function.__module__).nodes, (
            f"{function.__module__}:{name} is not in its module"
        )
        yield function.__module__, name
    for value in inspect.getclosurevars(function).nonlocals.values():
        if inspect.isfunction(value):
            yield from _begin(value)


def _places(name: str, names: Set[str]) -> Iterator[tuple[str, str]]:
    """The places that these names mean in a module: of its own, and in those that it imports."""
    module = _module(name)
    yield from ((name, own) for own in module.named(names))
    for local in names & module.imports.keys():
        target, inner = module.imports[local]
        yield from ((target, own) for own in _module(target).named(names | {inner} if inner else names))


@cache
def _module(name: str) -> _Module:
    spec = find_spec(name)
    assert spec and spec.origin, name
    source = Path(spec.origin).read_text(encoding="utf-8")
    tree = ast.parse(source)
    module = _Module(parsers=module_of(source).parsers)
    for own, node in definitions(tree, ""):
        module.nodes.setdefault(own, []).append(node)
    for statement in tree.body:
        if isinstance(statement, ast.Assign | ast.AnnAssign):
            targets = statement.targets if isinstance(statement, ast.Assign) else [statement.target]
            for target in targets:
                if isinstance(target, ast.Name):
                    module.nodes.setdefault(target.id, []).append(statement)
    for each in ast.walk(tree):
        if isinstance(each, ast.ImportFrom) and (each.module or "").startswith("localbase"):
            for alias in each.names:
                whole = f"{each.module}.{alias.name}"
                module.imports[alias.asname or alias.name] = (
                    (whole, "") if _is_module(whole) else (str(each.module), alias.name)
                )
    return module


def _is_module(name: str) -> bool:
    try:
        return find_spec(name) is not None
    except ModuleNotFoundError:
        return False
