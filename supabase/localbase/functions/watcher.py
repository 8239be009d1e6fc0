"""The watcher of a function's code: it compares the times and sizes of files with those of before.

Only the functions that have a process are looked at. A function's own folder counts, every folder that begins with an
underscore (for these are for all functions), and the file of variables.
"""

from __future__ import annotations

import contextlib
import os
from pathlib import Path

# Neither is a function's own code, and both can be large.
_SKIPPED = {"__pycache__", "node_modules", "site-packages"}

PYTHON_SUFFIXES = (".py",)
DENO_SUFFIXES = (".ts", ".tsx", ".mts", ".cts", ".js", ".jsx", ".mjs", ".cjs", ".json", ".jsonc", ".wasm")

# Between two looks: while requests come, and from the given time without one on.
_USED_SECONDS, _REST_SECONDS, _REST_AFTER_SECONDS = 0.25, 1.0, 2.0

Stamp = tuple[tuple[str, int, int], ...]


class WatchTimes:
    """The times of the looks, in seconds of the host's clock: a few times a second, apart from requests.

    At rest it is once a second, for each look wakes a processor. A request is preceded by a look unless one was less
    than 0.25 s ago: who saves a change and calls it within that time of a look gets the old code.
    """

    def __init__(self) -> None:
        self.next = 0.0
        self._last = self._called = -_REST_AFTER_SECONDS

    def is_due_at_call(self, now: float) -> bool:
        """Tell whether to look before the request that has come is given to its process."""
        self._called = now
        return now - self._last >= _USED_SECONDS

    def watched(self, now: float) -> None:
        """It was looked."""
        self._last = now
        self.next = now + (_REST_SECONDS if now - self._called > _REST_AFTER_SECONDS else _USED_SECONDS)


def stamp_of(folder: Path, suffixes: tuple[str, ...] = PYTHON_SUFFIXES) -> Stamp:
    """The files below `folder` with one of `suffixes`, with the time of their last change and their size."""
    files: list[tuple[str, int, int]] = []
    _collect(str(folder), suffixes, files)
    return tuple(sorted(files))


def stamp_of_shared(root: Path) -> Stamp:
    """The code of the folders that are for all functions, and the settings of Deno that lie beside them."""
    files: list[tuple[str, int, int]] = []
    suffixes = PYTHON_SUFFIXES + DENO_SUFFIXES
    for entry in _entries(str(root)):
        if entry.is_dir(follow_symlinks=False):
            if entry.name.startswith("_") and entry.name not in _SKIPPED:
                _collect(entry.path, suffixes, files)
        elif entry.name.endswith(DENO_SUFFIXES):
            _add(entry, files)
    return tuple(sorted(files))


def stamp_of_file(path: Path) -> Stamp:
    """A single file; empty where there is none."""
    try:
        status = path.stat()
    except OSError:
        return ()
    return ((str(path), status.st_mtime_ns, status.st_size),)


def _collect(folder: str, suffixes: tuple[str, ...], files: list[tuple[str, int, int]]) -> None:
    for entry in _entries(folder):
        if entry.is_dir(follow_symlinks=False):
            if entry.name not in _SKIPPED and not entry.name.startswith("."):
                _collect(entry.path, suffixes, files)
        elif entry.name.endswith(suffixes):
            _add(entry, files)


def _add(entry: os.DirEntry[str], files: list[tuple[str, int, int]]) -> None:
    # It may go while the folder is read, or be a link that leads to itself: what cannot be read counts as absent.
    with contextlib.suppress(OSError):
        status = entry.stat()
        files.append((entry.path, status.st_mtime_ns, status.st_size))


def _entries(folder: str) -> list[os.DirEntry[str]]:
    try:
        with os.scandir(folder) as entries:
            return list(entries)
    except OSError:
        return []
