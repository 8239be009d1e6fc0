"""Imports the libraries of a project's functions once, in the process that all functions' processes are forked from.

Which libraries, the functions' own import statements say, those inside of functions too. Their code is only read here,
never run: what a function's own modules do at import is its process's affair.
"""

from __future__ import annotations

import ast
import importlib
import logging
import sys
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path

from localbase.functions.watcher import stamp_of

_log = logging.getLogger("functions")


def libraries_of(root: Path) -> list[str]:
    """The modules of installed libraries that Python files below `root` import, in order."""
    files = [Path(path) for path, _, _ in stamp_of(root)]
    own = {path.stem for path in files} | {part for path in files for part in path.relative_to(root).parts}
    names = {name for path in files for name in _imported(path)}
    return sorted(name for name in names if name.split(".")[0] not in own and _is_library(name.split(".")[0]))


def preload(root: Path) -> None:
    """Imports them. One that fails is left to the function that wants it, which then reports it."""
    for name in libraries_of(root):
        try:
            importlib.import_module(name)
        except BaseException as error:  # noqa: BLE001 - a library's import may raise anything, SystemExit too
            _log.info("%s is not loaded beforehand: %s: %s", name, type(error).__name__, error)


def _imported(path: Path) -> Iterator[str]:
    try:
        tree = ast.parse(path.read_bytes())
    except (OSError, SyntaxError, ValueError):
        return  # the function's own process reports it
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            yield node.module


def _is_library(name: str) -> bool:
    if name in sys.stdlib_module_names:
        return False
    try:
        spec = find_spec(name)
    except (ImportError, ValueError):
        return False
    return spec is not None and "site-packages" in (spec.origin or "")
