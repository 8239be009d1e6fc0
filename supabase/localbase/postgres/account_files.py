"""Files that root writes into folders of the account that Postgres runs as.

The database's superuser runs programs as that account, and its password is public on this machine: a link in such a
folder must not lead root elsewhere. So each step works in an open folder, follows no link, and puts a new file in the
place of a name instead of writing through it.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path


@contextmanager
def open_folder(path: Path | str, parent: int | None = None) -> Iterator[int]:
    """A descriptor of the folder `path`, in the open folder `parent` if there is one. Raises OSError for a link."""
    descriptor = os.open(path, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW, dir_fd=parent)
    try:
        yield descriptor
    finally:
        os.close(descriptor)


@contextmanager
def made_folder(parent: int, name: str, owner: tuple[int, int] | None) -> Iterator[int]:
    """The same for a folder in `parent` that is made if need be, and belongs to `owner`, a user and a group."""
    with suppress(FileExistsError):
        os.mkdir(name, 0o755, dir_fd=parent)
    with open_folder(name, parent) as folder:
        if owner is not None:
            os.fchown(folder, *owner)
        yield folder


def write_file(
    folder: int, name: str, content: bytes, owner: tuple[int, int] | None = None, mode: int = 0o644
) -> None:
    """Writes a file of the open folder whole, or leaves the one of before. Raises OSError."""
    partial = f"{name}.partial"
    with suppress(FileNotFoundError):
        os.unlink(partial, dir_fd=folder)
    descriptor = os.open(partial, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW, 0o600, dir_fd=folder)
    with os.fdopen(descriptor, "wb") as file:
        file.write(content)
        os.fchmod(descriptor, mode)
        if owner is not None:
            os.fchown(descriptor, *owner)
    os.replace(partial, name, src_dir_fd=folder, dst_dir_fd=folder)


def has_name(folder: int, name: str) -> bool:
    """Tell whether anything in the open folder has that name, a link that leads nowhere too."""
    try:
        os.stat(name, dir_fd=folder, follow_symlinks=False)
    except FileNotFoundError:
        return False
    return True
