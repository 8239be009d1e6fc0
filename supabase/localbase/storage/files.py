"""The bytes of objects: one file a version, named by a random id, so that no name given by a user is ever a path."""

from __future__ import annotations

import asyncio
import hashlib
import uuid
from collections.abc import AsyncIterator
from dataclasses import dataclass
from pathlib import Path

from localbase.storage.errors import too_large


@dataclass(frozen=True, slots=True)
class StoredFile:
    """A version that lies on disk: its id, size in bytes, and entity tag (the MD5, as S3's)."""

    version: str
    size: int
    etag: str


class Files:
    """The folder of one project's objects."""

    def __init__(self, root: Path) -> None:
        self._root = root

    def path(self, version: str) -> Path:
        """Where a version lies. Raises `ValueError` if the id is not one of ours."""
        name = str(uuid.UUID(version))
        return self._root / name[:2] / name

    async def write(self, chunks: AsyncIterator[bytes], limit: int) -> StoredFile:
        """Stores a stream as a new version; nothing stays when it is longer than `limit` bytes or breaks off."""
        version = str(uuid.uuid4())
        path = self.path(version)
        path.parent.mkdir(parents=True, exist_ok=True)
        digest = hashlib.md5(usedforsecurity=False)
        size = 0
        try:
            with path.open("wb") as file:
                async for chunk in chunks:
                    size += len(chunk)
                    if size > limit:
                        raise too_large()
                    digest.update(chunk)
                    await asyncio.to_thread(file.write, chunk)
        except BaseException:
            path.unlink(missing_ok=True)
            raise
        return StoredFile(version, size, f'"{digest.hexdigest()}"')

    def remove(self, version: str | None) -> None:
        """Forgets a version; it is no error if it is gone."""
        if version:
            self.path(version).unlink(missing_ok=True)
