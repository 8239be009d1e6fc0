"""When a function's code has changed: the times and sizes of its files, compared with those of before.

Only the functions that have a process are looked at, a few times a second and apart from any request. A function's
own folder counts, every folder that begins with an underscore (for these are for all functions), and the file of
variables.
"""

from __future__ import annotations

import contextlib
import os
from pathlib import Path

# Neither is a function's own code, and both can be large.
_SKIPPED = {"__pycache__", "node_modules", "site-packages"}

PYTHON_SUFFIXES = (".py",)
DENO_SUFFIXES = (".ts", ".tsx", ".mts", ".cts", ".js", ".jsx", ".mjs", ".cjs", ".json", ".jsonc", ".wasm")

Stamp = tuple[tuple[str, int, int], ...]


def stamp_of(folder: Path, suffixes: tuple[str, ...] = PYTHON_SUFFIXES) -> Stamp:
    """The files below `folder` with one of `suffixes`, with the time of their last change and their size."""
    found: list[tuple[str, int, int]] = []
    _collect(str(folder), suffixes, found)
    return tuple(sorted(found))


def stamp_of_shared(root: Path) -> Stamp:
    """The code of the folders that are for all functions, and the settings of Deno that lie beside them."""
    found: list[tuple[str, int, int]] = []
    suffixes = PYTHON_SUFFIXES + DENO_SUFFIXES
    for entry in _entries(str(root)):
        if entry.is_dir(follow_symlinks=False):
            if entry.name.startswith("_") and entry.name not in _SKIPPED:
                _collect(entry.path, suffixes, found)
        elif entry.name.endswith(DENO_SUFFIXES):
            _add(entry, found)
    return tuple(sorted(found))


def stamp_of_file(path: Path) -> Stamp:
    """A single file; empty where there is none."""
    try:
        status = path.stat()
    except OSError:
        return ()
    return ((str(path), status.st_mtime_ns, status.st_size),)


def _collect(folder: str, suffixes: tuple[str, ...], found: list[tuple[str, int, int]]) -> None:
    for entry in _entries(folder):
        if entry.is_dir(follow_symlinks=False):
            if entry.name not in _SKIPPED and not entry.name.startswith("."):
                _collect(entry.path, suffixes, found)
        elif entry.name.endswith(suffixes):
            _add(entry, found)


def _add(entry: os.DirEntry[str], found: list[tuple[str, int, int]]) -> None:
    # It may go while the folder is read; the next look sees the folder without it.
    with contextlib.suppress(FileNotFoundError):
        status = entry.stat()
        found.append((entry.path, status.st_mtime_ns, status.st_size))


def _entries(folder: str) -> list[os.DirEntry[str]]:
    try:
        with os.scandir(folder) as entries:
            return list(entries)
    except (FileNotFoundError, NotADirectoryError):
        return []
