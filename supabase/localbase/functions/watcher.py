"""When a function's code has changed: the times and sizes of its files, compared with those of before.

Only the functions that have a process are looked at, a few times a second and apart from any request. A function's
own folder counts, every folder that begins with an underscore (for these are for all functions), and the file of
variables.
"""

from __future__ import annotations

import os
from pathlib import Path

# Neither is a function's own code, and both can be large.
_SKIPPED = {"__pycache__", "node_modules", "site-packages"}

Stamp = tuple[tuple[str, int, int], ...]


def stamp_of(folder: Path) -> Stamp:
    """The Python files below `folder`, with the time of their last change and their size."""
    found: list[tuple[str, int, int]] = []
    _collect(str(folder), found)
    return tuple(sorted(found))


def stamp_of_shared(root: Path) -> Stamp:
    """The Python files of the folders that are for all functions."""
    found: list[tuple[str, int, int]] = []
    for entry in _entries(str(root)):
        if entry.name.startswith("_") and entry.name not in _SKIPPED and entry.is_dir(follow_symlinks=False):
            _collect(entry.path, found)
    return tuple(sorted(found))


def stamp_of_file(path: Path) -> Stamp:
    """A single file; empty where there is none."""
    try:
        status = path.stat()
    except OSError:
        return ()
    return ((str(path), status.st_mtime_ns, status.st_size),)


def _collect(folder: str, found: list[tuple[str, int, int]]) -> None:
    for entry in _entries(folder):
        try:
            if entry.is_dir(follow_symlinks=False):
                if entry.name not in _SKIPPED and not entry.name.startswith("."):
                    _collect(entry.path, found)
            elif entry.name.endswith(".py"):
                status = entry.stat()
                found.append((entry.path, status.st_mtime_ns, status.st_size))
        except FileNotFoundError:
            continue  # it went while the folder was read; the next look sees the folder without it


def _entries(folder: str) -> list[os.DirEntry[str]]:
    try:
        with os.scandir(folder) as entries:
            return list(entries)
    except (FileNotFoundError, NotADirectoryError):
        return []
