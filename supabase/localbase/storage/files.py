"""The bytes of objects, on disk. The row of an object names a version; a version's bytes never change.

A version is written to `<id>.part`, synced and renamed: a crash leaves either the whole of it or a part that no row
names, which the sweep removes. `Files` is all that the service knows of where bytes lie.
"""

from __future__ import annotations

import asyncio
import hashlib
import os
import time
import uuid
from collections.abc import AsyncIterator, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO, Protocol

from localbase.storage.errors import too_large

CHUNK = 256 * 1024
_PART = ".part"


@dataclass(frozen=True, slots=True)
class StoredFile:
    """A version that is stored: its id, size in bytes, and entity tag (quoted; the MD5, as S3's)."""

    version: str
    size: int
    etag: str


class Files(Protocol):
    """Where the bytes of one project's objects lie."""

    async def write(self, chunks: AsyncIterator[bytes], limit: int) -> StoredFile:
        """Stores a stream as a new version. Raises 413 when it is longer than `limit` bytes; then nothing stays."""

    async def join(self, versions: Sequence[str]) -> StoredFile:
        """A new version that holds the bytes of these, one behind the other. They stay. The tag is their bytes' MD5."""

    async def copy(self, version: str) -> str:
        """A new version with the same bytes; its id. Raises `FileNotFoundError`."""

    def read(self, version: str, start: int = 0, length: int | None = None) -> AsyncIterator[bytes]:
        """Its bytes from `start` on, `length` of them or all, in chunks. Raises `FileNotFoundError`."""

    async def size(self, version: str) -> int | None:
        """How many bytes it has; None where there is no such version."""

    async def remove(self, version: str | None) -> None:
        """Removes a version; it is no error if there is none."""

    def older_than(self, seconds: float) -> Iterator[str]:
        """Versions, complete or not, that nothing was written to for so long."""


class DiskFiles:
    """`Files` in a folder, which only this project uses."""

    def __init__(self, root: Path) -> None:
        self._root = root

    def path(self, version: str) -> Path:
        """Where a version lies. Raises `ValueError` if the id is not one of ours."""
        name = str(uuid.UUID(version))
        return self._root / name[:2] / name

    async def write(self, chunks: AsyncIterator[bytes], limit: int) -> StoredFile:
        """See `Files`. The disk is asked in a thread, a quarter of a megabyte at a time."""
        writer = await asyncio.to_thread(_Writer.create, self.path(str(uuid.uuid4())))
        try:
            buffer = bytearray()
            async for chunk in chunks:
                if writer.size + len(buffer) + len(chunk) > limit:
                    raise too_large()
                buffer += chunk
                if len(buffer) >= CHUNK:
                    await asyncio.to_thread(writer.put, bytes(buffer))
                    buffer.clear()
            await asyncio.to_thread(writer.put, bytes(buffer))
            return await asyncio.to_thread(writer.finish)
        except BaseException:
            writer.discard()
            raise

    async def join(self, versions: Sequence[str]) -> StoredFile:
        """See `Files`."""

        async def chunks() -> AsyncIterator[bytes]:
            for version in versions:
                async for chunk in self.read(version):
                    yield chunk

        size = sum([await self.size(version) or 0 for version in versions])
        return await self.write(chunks(), size)

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

    async def read(self, version: str, start: int = 0, length: int | None = None) -> AsyncIterator[bytes]:
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

    async def size(self, version: str) -> int | None:
        """See `Files`."""
        try:
            return (await asyncio.to_thread(self.path(version).stat)).st_size
        except (FileNotFoundError, ValueError):
            # Rows of a dump may name versions of another service.
            return None

    async def remove(self, version: str | None) -> None:
        """See `Files`."""
        if not version:
            return
        try:
            path = self.path(version)
        except ValueError:
            return
        for each in (path, path.with_name(path.name + _PART)):
            await asyncio.to_thread(each.unlink, missing_ok=True)

    def older_than(self, seconds: float) -> Iterator[str]:
        """See `Files`."""
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

    def __init__(self, path: Path, file: BinaryIO) -> None:
        self._path = path
        self._file = file
        self._digest = hashlib.md5(usedforsecurity=False)
        self.size = 0

    @classmethod
    def create(cls, path: Path) -> _Writer:
        path.parent.mkdir(parents=True, exist_ok=True)
        return cls(path, path.with_name(path.name + _PART).open("xb"))

    def put(self, data: bytes) -> None:
        self._digest.update(data)
        self._file.write(data)
        self.size += len(data)

    def finish(self) -> StoredFile:
        self._file.flush()
        os.fsync(self._file.fileno())
        self._file.close()
        Path(self._file.name).rename(self._path)
        _sync_folder(self._path.parent)
        return StoredFile(self._path.name, self.size, f'"{self._digest.hexdigest()}"')

    def discard(self) -> None:
        self._file.close()
        Path(self._file.name).unlink(missing_ok=True)
        self._path.unlink(missing_ok=True)


def _sync_folder(folder: Path) -> None:
    """The rename itself is on disk then."""
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
