"""The bytes of objects, on disk. The row of an object names a version; a version's bytes never change.

A version is written to `<id>.part`, synced and renamed: a crash leaves either the whole of it or a part that no row
names, which the sweep removes. `Files` is all that the service knows of where bytes lie.
"""

from __future__ import annotations

import asyncio
import contextlib
import fcntl
import hashlib
import os
import time
import uuid
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO, Protocol

from localbase.storage.errors import too_large

CHUNK = 256 * 1024
# Of an upload, so much at once: less would ask the threads more often.
_WRITTEN_AT_ONCE = 512 * 1024
_PART = ".part"
# How many bytes of a resumable upload may have to be sent again after a crash.
_NOTED_BYTES = 4 << 20
# An overtaken writer holds a version's lock for as long as its check takes, one statement.
_BUSY_SECONDS, _PAUSE_SECONDS = 2.0, 0.02


@dataclass(frozen=True, slots=True)
class StoredFile:
    """A version that is stored: its id, size in bytes, and entity tag (quoted; the MD5, as S3's)."""

    version: str
    size: int
    etag: str


class Busy(Exception):
    """Another request, of this process or of another, is writing this version."""


Note = Callable[[int], Awaitable[None]]
Check = Callable[[], Awaitable[None]]


class Files(Protocol):
    """The bytes of one project's objects, in a folder."""

    async def write(self, chunks: AsyncIterator[bytes], limit: int) -> StoredFile:
        """Stores a stream as a new version. Raises 413 when it is longer than `limit` bytes; then nothing stays."""

    async def copy(self, version: str) -> str:
        """A new version with the same bytes; its id. Raises `FileNotFoundError`."""

    def read(self, version: str, start: int = 0, length: int | None = None) -> AsyncGenerator[bytes, None]:
        """Its bytes from `start` on, `length` of them or all, in chunks. Raises `FileNotFoundError`."""

    async def local(self, version: str) -> BinaryIO | None:
        """Its bytes as an open file, where they lie on this machine. Raises `FileNotFoundError`."""

    async def size(self, version: str) -> int | None:
        """Return how many bytes it has; None where there is no such version."""

    async def append(
        self, version: str, offset: int, chunks: AsyncIterator[bytes], limit: int, note: Note, check: Check
    ) -> int:
        """Writes a part of a version that `complete` will complete: from `offset` on, up to `limit` bytes in all.

        What lies behind `offset` goes, once `check` has returned: it is called when no other writer can come between,
        and raises where one was faster. `note` is called with how many bytes there are once they are on disk for
        certain, from time to time and at the end, also where the stream breaks off. Raises `Busy`, and 413.
        """

    async def complete(self, version: str, size: int) -> StoredFile:
        """Completes the `size` bytes that `append` has written; once more does no harm, also at the same time.

        Raises `FileNotFoundError` where there are not exactly so many, `Busy` while another request writes.
        """

    async def remove(self, version: str | None) -> None:
        """Removes a version; it is no error if there is none. What cannot be removed now is left to the sweep."""

    def older_than(self, seconds: float) -> AsyncIterator[str]:
        """Versions, complete or not, that nothing was written to for so long."""

    async def close(self) -> None:
        """Ends what connections there are."""


async def join(files: Files, versions: Sequence[str]) -> StoredFile:
    """A new version that holds the bytes of these, one behind the other. They stay. The tag is their bytes' MD5."""
    size = sum([await files.size(version) or 0 for version in versions])
    return await files.write(_bytes_of(files, versions), size)


async def _bytes_of(files: Files, versions: Sequence[str]) -> AsyncIterator[bytes]:
    for version in versions:
        async for chunk in files.read(version):
            yield chunk


class DiskFiles:
    """`Files` in a folder, which only this project uses."""

    def __init__(self, root: Path, *, busy_seconds: float = _BUSY_SECONDS) -> None:
        """`complete` waits `busy_seconds` for another writer."""
        self._root = root
        self._busy_seconds = busy_seconds

    def path(self, version: str) -> Path:
        """Return where a version lies. Raises `ValueError` if the id is not one of ours."""
        name = str(uuid.UUID(version))
        return self._root / name[:2] / name

    async def write(self, chunks: AsyncIterator[bytes], limit: int) -> StoredFile:
        """See `Files`. The disk is asked in a thread."""
        writer = _Writer(self.path(str(uuid.uuid4())))
        parts: list[bytes] = []
        waiting = 0
        try:
            async for chunk in chunks:
                waiting += len(chunk)
                if writer.size + waiting > limit:
                    raise too_large()
                parts.append(chunk)
                if waiting >= _WRITTEN_AT_ONCE:
                    await asyncio.to_thread(writer.put, parts)
                    parts, waiting = [], 0
            return await asyncio.to_thread(writer.finish, parts)
        except BaseException:
            writer.discard()
            raise

    async def copy(self, version: str) -> str:
        """See `Files`. The same bytes on disk, by a second name."""
        target = str(uuid.uuid4())

        def link() -> None:
            path = self.path(target)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.hardlink_to(self.path(version))
            # The sweep goes by the time of the last write, and the new name shares it with the old one.
            os.utime(path)
            _sync_folder(path.parent)

        await asyncio.to_thread(link)
        return target

    async def read(
        self, version: str, start: int = 0, length: int | None = None
    ) -> AsyncGenerator[bytes, None]:
        """See `Files`."""
        file = await asyncio.to_thread(self.path(version).open, "rb")
        try:
            await asyncio.to_thread(file.seek, start)
            left = length
            while left is None or left > 0:
                chunk = await asyncio.to_thread(file.read, CHUNK if left is None else min(CHUNK, left))
                if not chunk:
                    return
                yield chunk
                left = None if left is None else left - len(chunk)
        finally:
            file.close()

    async def local(self, version: str) -> BinaryIO | None:
        """See `Files`."""
        return self.open_file(version)

    def open_file(self, version: str) -> BinaryIO:
        """As `local`, without a thread: `sendfile` reads from the disk without one too."""
        try:
            return self.path(version).open("rb", buffering=0)
        except ValueError as error:  # rows of a dump may name versions of another service
            raise FileNotFoundError(version) from error

    async def size(self, version: str) -> int | None:
        """See `Files`."""
        try:
            return (await asyncio.to_thread(self.path(version).stat)).st_size
        except (FileNotFoundError, ValueError):
            return None

    async def append(
        self, version: str, offset: int, chunks: AsyncIterator[bytes], limit: int, note: Note, check: Check
    ) -> int:
        """See `Files`. A lock on the file holds off other writers; it ends with the process."""
        path = self.path(version)
        part = await asyncio.to_thread(_Appended.open, path.with_name(path.name + _PART), create=not offset)
        try:
            await check()
            await asyncio.to_thread(part.truncate, offset)
        except BaseException:
            part.leave()
            raise
        noted = offset
        try:
            async for chunk in chunks:
                if part.size + len(chunk) > limit:
                    raise too_large()
                await asyncio.to_thread(part.put, chunk)
                # The last bytes are noted when the stream has ended: who reads that all are there completes them.
                if part.size < limit and part.size - noted >= _NOTED_BYTES:
                    noted = await asyncio.to_thread(part.sync)
                    await note(noted)
        finally:
            # Also where the client has gone: it goes on from here.
            try:
                received = await asyncio.to_thread(part.sync)
                if received != noted:
                    await note(received)
            finally:
                part.close()
        return received

    async def complete(self, version: str, size: int) -> StoredFile:
        """See `Files`. No thread waits for the lock: its holder needs one to end."""
        path = self.path(version)
        deadline = time.monotonic() + self._busy_seconds
        while True:
            try:
                return await asyncio.to_thread(_complete, path, size)
            except Busy:
                if time.monotonic() > deadline:
                    raise
            await asyncio.sleep(_PAUSE_SECONDS)

    async def remove(self, version: str | None) -> None:
        """See `Files`."""
        if not version:
            return
        try:
            path = self.path(version)
        except ValueError:
            return
        await asyncio.to_thread(_remove, path)

    async def older_than(self, seconds: float) -> AsyncIterator[str]:
        """See `Files`."""
        for version in await asyncio.to_thread(list, self._older_than(seconds)):
            yield version

    async def close(self) -> None:
        """See `Files`: there are none."""

    def _older_than(self, seconds: float) -> Iterator[str]:
        last = time.time() - seconds
        for folder in self._root.glob("??"):
            for entry in os.scandir(folder):
                name = entry.name.removesuffix(_PART)
                try:
                    if entry.stat().st_mtime < last:
                        yield str(uuid.UUID(name))
                except (FileNotFoundError, ValueError):
                    # Removed meanwhile, or not ours.
                    continue


class _Writer:
    """One version that is being written."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._part = path.with_name(path.name + _PART)
        self._file: BinaryIO | None = None
        self._digest = hashlib.md5(usedforsecurity=False)
        self.size = 0

    def put(self, parts: Sequence[bytes]) -> None:
        file = self._file = self._file or self._create()
        for part in parts:
            self._digest.update(part)
            file.write(part)
            self.size += len(part)

    def finish(self, parts: Sequence[bytes]) -> StoredFile:
        """Writes the last parts."""
        self.put(parts)
        assert self._file is not None
        with self._file as file:
            file.flush()
            os.fsync(file.fileno())
        self._part.rename(self._path)
        _sync_folder(self._path.parent)
        return StoredFile(self._path.name, self.size, f'"{self._digest.hexdigest()}"')

    def discard(self) -> None:
        if self._file is not None:
            self._file.close()
        _remove(self._path)

    def _create(self) -> BinaryIO:
        try:
            return self._part.open("xb")
        except FileNotFoundError:
            # The first one in its folder.
            self._part.parent.mkdir(parents=True, exist_ok=True)
            return self._part.open("xb")


class _Appended:
    """The part of a version that is being appended to."""

    def __init__(self, path: Path, file: BinaryIO) -> None:
        self._path = path
        self._file = file
        self.size = 0

    @classmethod
    def open(cls, path: Path, *, create: bool) -> _Appended:
        path.parent.mkdir(parents=True, exist_ok=True)
        descriptor = os.open(path, os.O_RDWR | (os.O_CREAT if create else 0), 0o644)
        file = os.fdopen(descriptor, "r+b")
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            if not os.path.samestat(os.fstat(descriptor), path.stat()):
                # Completed or left by another writer since it was opened.
                raise FileNotFoundError(path)
        except BaseException as error:
            file.close()
            if isinstance(error, BlockingIOError | FileNotFoundError):
                raise Busy from error
            raise
        return cls(path, file)

    def truncate(self, offset: int) -> None:
        if os.fstat(self._file.fileno()).st_size < offset:
            # The bytes before are not there: the row speaks of another disk.
            raise FileNotFoundError(self._path)
        self._file.truncate(offset)
        self._file.seek(offset)
        self.size = offset

    def put(self, data: bytes) -> None:
        self._file.write(data)
        self.size += len(data)

    def sync(self) -> int:
        self._file.flush()
        os.fsync(self._file.fileno())
        return self.size

    def leave(self) -> None:
        """Ends before anything was written: what `open` has made goes."""
        try:
            if os.fstat(self._file.fileno()).st_size == 0:
                self._path.unlink(missing_ok=True)
        finally:
            self._file.close()

    def close(self) -> None:
        self._file.close()


def _complete(path: Path, size: int) -> StoredFile:
    # Without a part the version is complete, or not there at all.
    with contextlib.suppress(FileNotFoundError):
        _complete_part(path, size)
    digest = hashlib.md5(usedforsecurity=False)
    with path.open("rb") as file:
        while chunk := file.read(CHUNK):
            digest.update(chunk)
        if file.tell() != size:
            raise FileNotFoundError(path)
    return StoredFile(path.name, size, f'"{digest.hexdigest()}"')


def _complete_part(path: Path, size: int) -> None:
    """Gives the part its final name, unless there is a version of that name or the part is not whole."""
    part = path.with_name(path.name + _PART)
    with part.open("rb") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            raise Busy from error
        status = os.fstat(file.fileno())
        if not os.path.samestat(status, part.stat()) or path.exists() or status.st_size != size:
            return
        os.fsync(file.fileno())
        part.rename(path)
        _sync_folder(path.parent)


def _remove(path: Path) -> None:
    """The part first: a request that completes it meanwhile finds it by neither name then."""
    for each in (path.with_name(path.name + _PART), path):
        each.unlink(missing_ok=True)


def _sync_folder(folder: Path) -> None:
    """The rename itself is on disk then."""
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
