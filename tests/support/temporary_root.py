"""A temporary folder of this checkout for pytest, in place of the one that all sessions of a user share.

Each session of pytest closes that folder to other users. Postgres is another user where root runs the tests, so any
other session on the machine would take its programs and data away from the tests that run.
"""

from __future__ import annotations

import hashlib
import os
import tempfile
from collections.abc import MutableMapping
from pathlib import Path

_NAME = "PYTEST_DEBUG_TEMPROOT"


def use_own_temporary_root(environ: MutableMapping[str, str], checkout: Path) -> None:
    """For this process and those that it starts, unless the environment names a folder.

    Raises PermissionError if another user has made the folder, or a link in its place.
    """
    if _NAME in environ:
        return
    digest = hashlib.sha256(os.fsencode(checkout)).hexdigest()[:8]
    # Short: it is the beginning of sockets' paths, which have at most 107 bytes.
    folder = Path(tempfile.gettempdir()) / f"tees-{os.getuid()}-{digest}"
    folder.mkdir(mode=0o755, exist_ok=True)
    if folder.is_symlink() or folder.stat().st_uid != os.getuid():
        raise PermissionError(f"{folder} is not this user's own folder: remove it, or set {_NAME}.")
    environ[_NAME] = str(folder)
