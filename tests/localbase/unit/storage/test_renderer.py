"""The renderer's processes and its cache, when pictures are at fault and when several are drawn at once."""

from __future__ import annotations

import asyncio
import io
from collections.abc import AsyncGenerator, AsyncIterator
from pathlib import Path
from uuid import UUID

import pytest
from localbase.storage.backend.disk import DiskFiles
from localbase.storage.errors import StorageError
from localbase.storage.images import renderer as rendering
from localbase.storage.images.options import Transformation
from localbase.storage.images.renderer import Renderer
from localbase.storage.rows import StoredObject
from PIL import Image


def encoded(image: Image.Image, kind: str) -> bytes:
    out = io.BytesIO()
    image.save(out, kind, quality=60)
    return out.getvalue()


async def stored(files: DiskFiles, content: bytes, *, announced: int | None = None) -> StoredObject:
    async def chunks() -> AsyncIterator[bytes]:
        yield content

    written = await files.write(chunks(), len(content))
    metadata = {"size": len(content) if announced is None else announced}
    return StoredObject(UUID(int=1), "b", "a", None, written.version, metadata, None, None, None, None)


def test_picture_that_becomes_too_large_spoils_no_other(tmp_path: Path) -> None:
    async def run() -> bytes:
        files = DiskFiles(tmp_path / "files")
        renderer = Renderer(files, tmp_path / "renders", processes=1, seconds=60)
        noise = Image.effect_noise((6500, 6500), 60)
        large = await stored(files, encoded(noise, "JPEG"))
        assert large.size < rendering.MOST_SOURCE_BYTES
        small = await stored(files, encoded(Image.new("RGB", (40, 20), "red"), "PNG"))
        try:
            with pytest.raises(StorageError, match="exceeded the maximum allowed size"):
                await renderer.render(large, Transformation(quality=100), takes_webp=False)
            return (await renderer.render(small, Transformation(width=20), takes_webp=False)).data
        finally:
            await renderer.close()

    assert Image.open(io.BytesIO(asyncio.run(run()))).size == (20, 10)


def test_first_pictures_at_once_are_all_cached(tmp_path: Path) -> None:
    async def run() -> None:
        files = DiskFiles(tmp_path / "files")
        (tmp_path / "renders").mkdir()
        (tmp_path / "renders" / "left-over").write_bytes(b"x")
        for turn in range(20):
            renderer = Renderer(files, tmp_path / "renders", processes=1)
            # What the threads of several pictures do when these end at one moment.
            await asyncio.gather(
                *(
                    asyncio.to_thread(renderer._store, f"{turn}-{number}", "image/png", b"x")
                    for number in range(8)
                )
            )
            names = sorted(path.name for path in (tmp_path / "renders").iterdir())
            assert names == [f"{turn}-{number}" for number in range(8)]

    asyncio.run(run())


def test_source_counts_by_its_bytes_and_not_by_its_row(tmp_path: Path) -> None:
    async def run() -> None:
        files = DiskFiles(tmp_path / "files")
        renderer = Renderer(files, tmp_path / "renders", processes=1)
        large = await stored(files, bytes(rendering.MOST_SOURCE_BYTES + 1), announced=1)
        try:
            with pytest.raises(StorageError, match="too large to process"):
                await renderer.render(large, Transformation(width=20), takes_webp=False)
        finally:
            await renderer.close()

    asyncio.run(run())


class WatchedFiles(DiskFiles):
    """Says when a version has been opened."""

    def __init__(self, root: Path) -> None:
        super().__init__(root)
        self.opened = asyncio.Event()

    async def read(
        self, version: str, start: int = 0, length: int | None = None
    ) -> AsyncGenerator[bytes, None]:
        async for chunk in super().read(version, start, length):
            self.opened.set()
            yield chunk


def test_object_that_is_removed_before_its_turn_comes_is_drawn(tmp_path: Path) -> None:
    async def run() -> bytes:
        files = WatchedFiles(tmp_path / "files")
        renderer = Renderer(files, tmp_path / "renders", processes=1)
        stored_object = await stored(files, encoded(Image.new("RGB", (40, 20), "red"), "PNG"))
        try:
            async with renderer._free:
                drawn = asyncio.create_task(
                    renderer.render(stored_object, Transformation(width=20), takes_webp=False)
                )
                await asyncio.wait_for(files.opened.wait(), 30)
                await files.remove(stored_object.version)
            return (await drawn).data
        finally:
            await renderer.close()

    assert Image.open(io.BytesIO(asyncio.run(run()))).size == (20, 10)
