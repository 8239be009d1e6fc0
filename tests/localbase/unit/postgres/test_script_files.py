"""postgres.scripts.files: what is no file of SQL, or too large for one, is told before a byte of it is read."""

from __future__ import annotations

import os
import socket
from pathlib import Path

import pytest
from localbase.core.errors import UserError
from localbase.postgres.scripts.files import LARGEST_FILE, read_sql


@pytest.mark.parametrize("kind", ["FIFO", "socket", "device", "folder"])
def test_special_file_is_refused_by_name(tmp_path: Path, kind: str) -> None:
    path = tmp_path / "a.sql"
    if kind == "FIFO":
        os.mkfifo(path)
    elif kind == "device":
        path.symlink_to("/dev/zero")
    elif kind == "folder":
        path.mkdir()
    else:
        with socket.socket(socket.AF_UNIX) as made:
            made.bind(str(path))
    with pytest.raises(UserError, match="is no regular file"):
        read_sql(path)


def test_too_large_file_is_refused_by_size(tmp_path: Path) -> None:
    path = tmp_path / "a.sql"
    path.touch()
    os.truncate(path, LARGEST_FILE + 1)
    with pytest.raises(UserError, match="has 500 MB; more than 500 MB are not read at once"):
        read_sql(path)
