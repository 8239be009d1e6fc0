"""Versions on disk that are appended to: writers that were overtaken, and parts that are not whole."""

from __future__ import annotations

import asyncio
import uuid
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from localbase.storage.backend.disk import Busy, DiskFiles


class Overtaken(Exception):
    """Another writer was faster."""


async def chunks(content: bytes) -> AsyncIterator[bytes]:
    yield content


async def note(received: int) -> None:
    """Nothing is noted."""


async def agree() -> None:
    """No other writer was faster."""


async def overtaken() -> None:
    raise Overtaken


def part_of(files: DiskFiles, version: str) -> Path:
    path = files.path(version)
    return path.with_name(f"{path.name}.part")


@pytest.fixture
def files(tmp_path: Path) -> DiskFiles:
    return DiskFiles(tmp_path)


@pytest.fixture
def version() -> str:
    return str(uuid.uuid4())


def test_overtaken_writer_leaves_neither_part_nor_lock(files: DiskFiles, version: str) -> None:
    with pytest.raises(Overtaken):
        asyncio.run(files.append(version, 0, chunks(b"x"), 5, note, overtaken))
    assert not part_of(files, version).exists()
    assert asyncio.run(files.append(version, 0, chunks(b"01234"), 5, note, agree)) == 5


def test_overtaken_writer_leaves_the_bytes_of_the_other(files: DiskFiles, version: str) -> None:
    asyncio.run(files.append(version, 0, chunks(b"012"), 5, note, agree))
    with pytest.raises(Overtaken):
        asyncio.run(files.append(version, 0, chunks(b"x"), 5, note, overtaken))
    assert part_of(files, version).read_bytes() == b"012"


def test_missing_bytes_before_the_offset_are_named(files: DiskFiles, version: str) -> None:
    asyncio.run(files.append(version, 0, chunks(b"012"), 5, note, agree))
    with pytest.raises(FileNotFoundError, match=version):
        asyncio.run(files.append(version, 4, chunks(b"4"), 5, note, agree))


def test_version_is_never_replaced_by_a_part(files: DiskFiles, version: str) -> None:
    async def run() -> list[bytes]:
        await files.append(version, 0, chunks(b"01234"), 5, note, agree)
        first = await files.complete(version, 5)
        part_of(files, version).write_bytes(b"other")
        assert await files.complete(version, 5) == first
        return [chunk async for chunk in files.read(version)]

    assert asyncio.run(run()) == [b"01234"]


def test_part_that_is_not_whole_is_not_completed(files: DiskFiles, version: str) -> None:
    asyncio.run(files.append(version, 0, chunks(b"012"), 5, note, agree))
    with pytest.raises(FileNotFoundError):
        asyncio.run(files.complete(version, 5))
    assert (files.path(version).exists(), part_of(files, version).read_bytes()) == (False, b"012")


def test_completing_waits_for_a_writer_that_was_overtaken(files: DiskFiles, version: str) -> None:
    async def run() -> bytes:
        await files.append(version, 0, chunks(b"01234"), 5, note, agree)
        checking, go = asyncio.Event(), asyncio.Event()

        async def check() -> None:
            checking.set()
            await go.wait()
            raise Overtaken

        late = asyncio.create_task(files.append(version, 0, chunks(b"x"), 5, note, check))
        await checking.wait()
        completing = asyncio.create_task(files.complete(version, 5))
        await asyncio.wait([completing], timeout=0.1)
        assert not completing.done()
        go.set()
        with pytest.raises(Overtaken):
            await late
        await completing
        return files.path(version).read_bytes()

    assert asyncio.run(run()) == b"01234"


def test_writer_whose_client_lingers_holds_up_no_other_request(tmp_path: Path, version: str) -> None:
    files = DiskFiles(tmp_path, busy_seconds=0.1)
    size = 8 << 20
    noted: list[int] = []

    async def run() -> None:
        all_sent, end = asyncio.Event(), asyncio.Event()

        async def body() -> AsyncIterator[bytes]:
            for _ in range(2):
                yield bytes(size // 2)
            all_sent.set()
            await end.wait()

        async def note(received: int) -> None:
            noted.append(received)

        writing = asyncio.create_task(files.append(version, 0, body(), size, note, agree))
        await all_sent.wait()
        # More than the process has threads for files.
        completing = [files.complete(version, size) for _ in range(40)]
        errors = await asyncio.gather(*completing, return_exceptions=True)
        assert {type(error) for error in errors} == {Busy}
        assert noted == [size // 2]
        end.set()
        assert await writing == size
        assert (await files.complete(version, size)).size == size

    asyncio.run(run())
    assert noted == [size // 2, size]
