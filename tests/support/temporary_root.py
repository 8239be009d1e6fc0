"""A temporary folder of this checkout for the tests, in place of the one that all sessions of a user share.

Each session of pytest closes that folder to other users. Postgres is another user where root runs the tests, so any
other session on the machine would take its programs and data away from the tests that run.

It lies in memory where there is much. A database is a thousand files: making them and taking them away costs a disk's
file system more processor time than the start of what uses them.
"""

from __future__ import annotations

import hashlib
import os
import re
import tempfile
from collections.abc import MutableMapping
from pathlib import Path

_NAME, _OF_ALL = "PYTEST_DEBUG_TEMPROOT", "TMPDIR"
_MEMORY, _FIGURES = Path("/dev/shm"), Path("/proc/meminfo")  # noqa: S108 - checked before it is used
# A whole run holds less than two gigabytes at once; the rest is for its processes.
_FREE_BYTES, _AVAILABLE_BYTES = 4 << 30, 8 << 30


def use_own_temporary_root(
    environ: MutableMapping[str, str], checkout: Path, memory: Path = _MEMORY, figures: Path = _FIGURES
) -> None:
    """For this process and those that it starts, unless the environment names a folder.

    Raises PermissionError if another user has made the folder, or a link in its place.
    """
    if _NAME in environ:
        return
    in_memory = _OF_ALL not in environ and _has_room(memory, figures)
    digest = hashlib.sha256(os.fsencode(checkout)).hexdigest()[:8]
    # Short: it is the beginning of sockets' paths, which have at most 107 bytes.
    folder = (memory if in_memory else Path(tempfile.gettempdir())) / f"tees-{os.getuid()}-{digest}"
    folder.mkdir(mode=0o755, exist_ok=True)
    if folder.is_symlink() or folder.stat().st_uid != os.getuid():
        raise PermissionError(f"{folder} is not this user's own folder: remove it, or set {_NAME}.")
    environ[_NAME] = environ[_OF_ALL] = str(folder)


def temporary_root() -> Path:
    """The folder, where there is one: `tempfile` may have chosen another before. Else the one of all."""
    return Path(os.environ.get(_NAME) or tempfile.gettempdir())


def _has_room(memory: Path, figures: Path) -> bool:
    """Tell whether the folder holds programs and much data, and the machine has the memory for it."""
    try:
        place = os.statvfs(memory)
        available = re.search(r"^MemAvailable: +(\d+) kB$", figures.read_text(), re.MULTILINE)
    except OSError:
        return False
    return (
        available is not None
        and int(available[1]) << 10 >= _AVAILABLE_BYTES
        and place.f_bavail * place.f_frsize >= _FREE_BYTES
        and not place.f_flag & os.ST_NOEXEC
    )
