"""The functions of the services that take a client's text apart, found in the code.

Such a function is one, at whatever place in a module, that has a parameter of text and either the name of a parser or,
in its body, a loop over that text or a call that splits, searches or decodes it. It is covered where a measured
function of its module leads to it.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping, Set
from dataclasses import dataclass, field
from pathlib import Path

FOLDERS = ("auth", "core", "functions", "gateway", "mail", "realtime", "rest", "storage", "studio")
_TEXTS = re.compile(r"\b(str|bytes|bytearray|Headers|Scope|ReceivedRequest)\b")
_NAMES = re.compile(r"_*(parse|split|decode|read|scan|feed|unquote|verify)(_\w+)?|decoded|data_received")
_WORK = {
    *("split", "rsplit", "splitlines", "partition", "rpartition", "findall", "finditer", "sub", "loads"),
    *("fullmatch", "match", "search", "b64decode", "urlsafe_b64decode", "unquote", "parse_qs", "parse_qsl"),
    *("urlsplit", "urlparse", "fromisoformat", "translate", "read_json"),
}
_Definition = ast.FunctionDef | ast.AsyncFunctionDef


@dataclass(slots=True)
class Module:
    """The functions of one module by their names in it (`Class.method`), and the names that each of them uses."""

    uses: dict[str, Set[str]] = field(default_factory=dict)
    parsers: set[str] = field(default_factory=set)

    def covered_by(self, measured: Set[str]) -> set[str]:
        """Return what of the module the measured functions lead to, they themselves included."""
        by_last: dict[str, list[str]] = {}
        for name in self.uses:
            for part in {name.rpartition(".")[2], name.partition(".")[0]}:
                by_last.setdefault(part, []).append(name)
        found: set[str] = set()
        waiting = [name for name in measured if name in self.uses]
        while waiting:
            name = waiting.pop()
            if name not in found:
                found.add(name)
                waiting += [other for used in self.uses[name] for other in by_last.get(used, [])]
        return found


def modules_of(root: Path) -> Mapping[str, Module]:
    """The services' modules below `root`, by their dotted names."""
    return {
        ".".join(path.relative_to(root).with_suffix("").parts): module_of(path.read_text(encoding="utf-8"))
        for folder in FOLDERS
        for path in sorted((root / folder).rglob("*.py"))
    }


def module_of(source: str) -> Module:
    """The functions of a module."""
    module = Module()
    for name, node in definitions(ast.parse(source), ""):
        module.uses[name] = {
            each.id if isinstance(each, ast.Name) else each.attr
            for each in ast.walk(node)
            if isinstance(each, ast.Name | ast.Attribute)
        }
        texts = _texts_of(node)
        if texts and (_NAMES.fullmatch(node.name) or _takes_apart(node, texts)):
            module.parsers.add(name)
    return module


def unmeasured(modules: Mapping[str, Module], measured: Set[str]) -> set[str]:
    """The parsers, as `module:name`, that no measured function of their module leads to."""
    missing = set()
    for name, module in modules.items():
        own = {each.partition(":")[2] for each in measured if each.partition(":")[0] == name}
        missing |= {f"{name}:{parser}" for parser in module.parsers - module.covered_by(own)}
    return missing


def definitions(node: ast.AST, prefix: str) -> Iterator[tuple[str, _Definition]]:
    for child in ast.iter_child_nodes(node):
        if isinstance(child, _Definition):
            yield prefix + child.name, child
        inner = f"{prefix}{child.name}." if isinstance(child, _Definition | ast.ClassDef) else prefix
        yield from definitions(child, inner)


def _texts_of(function: _Definition) -> set[str]:
    """The parameters that hold text."""
    arguments = function.args
    every = [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs]
    return {each.arg for each in every if each.annotation and _TEXTS.search(ast.unparse(each.annotation))}


def _takes_apart(function: _Definition, texts: Set[str]) -> bool:
    """Tell whether it loops over one of the texts, or gives one to what splits, searches or decodes."""
    for node in ast.walk(function):
        if isinstance(node, ast.For | ast.AsyncFor | ast.comprehension) and _is_text(node.iter, texts):
            return True
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute | ast.Name):
            called = node.func.attr if isinstance(node.func, ast.Attribute) else node.func.id
            of = [node.func.value] if isinstance(node.func, ast.Attribute) else []
            if called in _WORK and any(_is_text(each, texts) for each in (*of, *node.args)):
                return True
    return False


def _is_text(node: ast.expr, texts: Set[str]) -> bool:
    return isinstance(node, ast.Name) and node.id in texts
