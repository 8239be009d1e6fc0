"""Copies of a stopped stack's data: its database and all that it has stored beside it.

`copy_file_range` shares the blocks where the file system can (btrfs, XFS); elsewhere the kernel copies. The bytes of
stored objects never change (`storage/backend/disk.py`), so a copy of those is a second name. Segments of the
write-ahead log that Postgres has made ready for reuse stay out: after much writing they take a gigabyte.
"""

from __future__ import annotations

import errno
import hashlib
import os
import re
import shutil
import stat
import struct
from collections.abc import Callable, Collection, Iterator
from pathlib import Path

from localbase.cli.data.exchange import DataSwap

DATABASE, STORED = "postgres", "state"
_OBJECTS = "storage"
# Written by one server, for itself.
_OF_A_SERVER = {"postmaster.pid", "postmaster.opts"}
_CHUNK = 1 << 24
_SEGMENT = re.compile(r"[0-9A-F]{8}([0-9A-F]{8})([0-9A-F]{8})")
# What a page of the write-ahead log begins with: magic number, flags, timeline, and the page's own place in the log.
_PAGE_HEADER = struct.Struct("=HHIQ")


def copy_data(swap: DataSwap, target: Path) -> None:
    """Copies all data to the folder `target`, which is there and empty. Nothing may run on it."""
    swap.recover()
    copy_database(swap.data, target / DATABASE)
    (target / STORED).mkdir(mode=0o700)
    copy_stored(swap.entries(), target / STORED)


def copy_database(data: Path, target: Path, *, leave: Collection[str] = ()) -> None:
    """Copies the data folder of a server that does not run, without the entries `leave`.

    A segment of the log with another place in its first page than its name says has been renamed for later use. A
    server would read none of it, and makes such segments itself when it needs them.
    """
    own = {data / name for name in (*_OF_A_SERVER, *leave)}
    copy_tree(data, target, leave=own | {path for path in (data / "pg_wal").glob("*") if _is_unused(path)})


def _is_unused(segment: Path) -> bool:
    name = _SEGMENT.fullmatch(segment.name)
    if name is None or not segment.is_file():
        return False
    with segment.open("rb") as file:
        header = file.read(_PAGE_HEADER.size)
    high, number = (int(part, 16) for part in name.groups())
    place = (high << 32) + number * segment.stat().st_size
    return len(header) == _PAGE_HEADER.size and _PAGE_HEADER.unpack(header)[3] != place


def copy_stored(entries: list[Path], target: Path) -> None:
    """Copies what is stored beside a database into the folder `target`."""
    for path in entries:
        copy_tree(path, target / path.name, link=path.name == _OBJECTS)


def copy_tree(source: Path, target: Path, *, link: bool = False, leave: Collection[Path] = ()) -> None:
    """Copies a file, or a folder with all in it but what `leave` holds, with owners, rights and times.

    With `link` complete files get a second name instead. Symbolic links stay links; what is neither file, folder nor
    link (a socket) is left out.
    """
    status = source.lstat()
    if stat.S_ISLNK(status.st_mode):
        target.symlink_to(source.readlink())
        _own(target, status)
    elif stat.S_ISDIR(status.st_mode):
        target.mkdir(mode=0o700)
        for path in source.iterdir():
            if path not in leave:
                copy_tree(path, target / path.name, link=link, leave=leave)
        _take_over(target, status)
    elif stat.S_ISREG(status.st_mode) and not (link and source.suffix != ".part" and _linked(source, target)):
        _copy_file(source, target)
        _take_over(target, status)


def tree_bytes(folder: Path) -> int:
    """The bytes of all files below."""
    return sum((Path(root) / name).lstat().st_size for root, _, names in os.walk(folder) for name in names)


def tree_digest(folder: Path) -> str:
    """A digest of names, types, sizes, rights and owners of all that lies below, and of the folder itself."""
    digest = hashlib.sha256()
    for path in [folder, *sorted(folder.rglob("*"))]:
        status = path.lstat()
        # A folder's size is the file system's affair.
        size = 0 if stat.S_ISDIR(status.st_mode) else status.st_size
        name = os.fsencode(path.relative_to(folder))
        digest.update(b"%s\0%o %d %d %d\n" % (name, status.st_mode, size, status.st_uid, status.st_gid))
    return digest.hexdigest()


def dig_holes(folder: Path) -> None:
    """Turns the zeros at the ends of the files there into holes, which cost a copy nothing."""
    for path in folder.iterdir():
        if path.is_file():
            size = path.stat().st_size
            used = len(path.read_bytes().rstrip(b"\0"))
            os.truncate(path, used)
            os.truncate(path, size)


def sync_tree(folder: Path, fsync: Callable[[int], None] = os.fsync) -> None:
    """Has the disk hold all that lies below, whatever happens then."""
    for root, _, names in os.walk(folder):
        sync(Path(root), fsync)
        for path in (Path(root) / name for name in names):
            # A link lies in its folder.
            if not path.is_symlink():
                sync(path, fsync)


def sync(path: Path, fsync: Callable[[int], None] = os.fsync) -> None:
    """Has the disk hold a file's bytes, or a folder's names."""
    descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW)
    try:
        fsync(descriptor)
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
        for start, end in _extents(reading, size):
            while start < end:
                copied = os.copy_file_range(reading, writing, end - start, start, start)
                if not copied:
                    raise OSError(errno.EIO, "the file became shorter")
                start += copied
    except (AttributeError, OSError):
        # Not on this system, or not between these disks. A full one fails once more, with its own words.
        os.lseek(reading, 0, os.SEEK_SET)
        os.lseek(writing, 0, os.SEEK_SET)
        os.ftruncate(writing, 0)
        with open(reading, "rb", closefd=False) as source, open(writing, "wb", closefd=False) as target:
            shutil.copyfileobj(source, target, _CHUNK)


def _extents(file: int, size: int) -> Iterator[tuple[int, int]]:
    """Yield where the file holds data; between them are holes, which read as zeros and take no room."""
    end = 0
    while end < size:
        try:
            start = os.lseek(file, end, os.SEEK_DATA)
        except OSError as error:
            if error.errno == errno.ENXIO:
                # Nothing but a hole follows.
                return
            raise
        end = os.lseek(file, start, os.SEEK_HOLE)
        yield start, end


def _take_over(target: Path, status: os.stat_result) -> None:
    _own(target, status)
    target.chmod(status.st_mode & 0o7777)
    os.utime(target, ns=(status.st_atime_ns, status.st_mtime_ns))


def _own(target: Path, status: os.stat_result) -> None:
    if os.geteuid() == 0:
        os.chown(target, status.st_uid, status.st_gid, follow_symlinks=False)
