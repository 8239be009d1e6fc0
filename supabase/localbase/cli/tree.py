"""Copies of a stopped stack's data: its database and all that it has stored beside it.

`copy_file_range` shares the blocks where the file system can (btrfs, XFS); elsewhere the kernel copies. The bytes of
stored objects never change (`storage/files.py`), so a copy of those is a second name.
"""

from __future__ import annotations

import errno
import os
import shutil
import stat
from collections.abc import Iterator
from pathlib import Path

from localbase.cli.swap import DataSwap

DATABASE, STORED = "postgres", "state"
_OBJECTS = "storage"
# Written by one server, for itself.
OF_A_SERVER = {"postmaster.pid", "postmaster.opts"}
_CHUNK = 1 << 24


def copy_data(swap: DataSwap, target: Path) -> None:
    """Copies all data to the folder `target`, which is there and empty. Nothing may run on it."""
    swap.recover()
    copy_tree(swap.data, target / DATABASE, leave=OF_A_SERVER)
    (target / STORED).mkdir(mode=0o700)
    copy_stored(swap.entries(), target / STORED)


def copy_stored(entries: list[Path], target: Path) -> None:
    """Copies what is stored beside a database into the folder `target`."""
    for path in entries:
        copy_tree(path, target / path.name, link=path.name == _OBJECTS)


def copy_tree(source: Path, target: Path, *, link: bool = False, leave: set[str] | None = None) -> None:
    """Copies a file, or a folder with all in it but the entries `leave`, with owners, rights and times.

    With `link` complete files get a second name instead. Symbolic links stay links; what is neither file, folder nor
    link (a socket) is left out.
    """
    found = source.lstat()
    if stat.S_ISLNK(found.st_mode):
        target.symlink_to(source.readlink())
        _own(target, found)
    elif stat.S_ISDIR(found.st_mode):
        target.mkdir(mode=0o700)
        for path in source.iterdir():
            if not leave or path.name not in leave:
                copy_tree(path, target / path.name, link=link)
        _take_over(target, found)
    elif stat.S_ISREG(found.st_mode) and not (link and source.suffix != ".part" and _linked(source, target)):
        _copy_file(source, target)
        _take_over(target, found)


def tree_bytes(folder: Path) -> int:
    """The bytes of all files below."""
    return sum((Path(root) / name).lstat().st_size for root, _, names in os.walk(folder) for name in names)


def dig_holes(folder: Path) -> None:
    """Turns the zeros at the ends of the files there into holes, which cost a copy nothing."""
    for path in folder.iterdir():
        if path.is_file():
            size = path.stat().st_size
            used = len(path.read_bytes().rstrip(b"\0"))
            os.truncate(path, used)
            os.truncate(path, size)


def sync_tree(folder: Path) -> None:
    """Has the disk hold all that lies below, whatever happens then."""
    for root, _, names in os.walk(folder):
        for path in (Path(root), *(Path(root) / name for name in names)):
            descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW)
            try:
                os.fsync(descriptor)
            finally:
                os.close(descriptor)


def remove_tree(path: Path) -> None:
    """Removes a folder with all in it, or whatever else has its name; a symbolic link, not where it leads."""
    if path.is_symlink() or not path.is_dir():
        path.unlink(missing_ok=True)
    else:
        shutil.rmtree(path)


def _linked(source: Path, target: Path) -> bool:
    try:
        target.hardlink_to(source)
    except OSError:
        # Another disk, or one without such names: then it is copied.
        return False
    return True


def _copy_file(source: Path, target: Path) -> None:
    reading = os.open(source, os.O_RDONLY | os.O_NOFOLLOW)
    try:
        writing = os.open(target, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        try:
            _copy_bytes(reading, writing)
        finally:
            os.close(writing)
    finally:
        os.close(reading)


def _copy_bytes(reading: int, writing: int) -> None:
    size = os.fstat(reading).st_size
    os.ftruncate(writing, size)
    try:
        for begin, end in _extents(reading, size):
            while begin < end:
                copied = os.copy_file_range(reading, writing, end - begin, begin, begin)
                if not copied:
                    raise OSError(errno.EIO, "the file became shorter")
                begin += copied
    except (AttributeError, OSError):
        # Not on this system, or not between these disks. A full one fails once more, with its own words.
        os.lseek(reading, 0, os.SEEK_SET)
        os.lseek(writing, 0, os.SEEK_SET)
        os.ftruncate(writing, 0)
        with open(reading, "rb", closefd=False) as source, open(writing, "wb", closefd=False) as target:
            shutil.copyfileobj(source, target, _CHUNK)


def _extents(file: int, size: int) -> Iterator[tuple[int, int]]:
    """Where the file holds data; between them are holes, which read as zeros and take no room."""
    end = 0
    while end < size:
        try:
            begin = os.lseek(file, end, os.SEEK_DATA)
        except OSError as error:
            if error.errno == errno.ENXIO:
                # Nothing but a hole follows.
                return
            raise
        end = os.lseek(file, begin, os.SEEK_HOLE)
        yield begin, end


def _take_over(target: Path, found: os.stat_result) -> None:
    _own(target, found)
    target.chmod(found.st_mode & 0o7777)
    os.utime(target, ns=(found.st_atime_ns, found.st_mtime_ns))


def _own(target: Path, found: os.stat_result) -> None:
    if os.geteuid() == 0:
        os.chown(target, found.st_uid, found.st_gid, follow_symlinks=False)
