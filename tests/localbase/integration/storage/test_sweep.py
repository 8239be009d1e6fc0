"""Leavings of a crash: bytes that no row names go, those of rows and of young uploads stay, losses are reported."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import threading
import time
import uuid
from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path
from random import Random
from typing import TypeVar

import httpx
import psycopg
import pytest
from localbase.core.project import open_project
from localbase.postgres.cluster import cluster_of
from localbase.postgres.service_pool import ServicePool
from localbase.storage.backend.disk import DiskFiles
from localbase.storage.sweep import Swept, sweep

from tests.localbase.integration.storage.conftest import Api, stored_files
from tests.support.random_cases import cases
from tests.support.stacks import Stack
from tests.support.users import Person

Result = TypeVar("Result")
_HOUR = 3600
# `STORAGE_KILLS=200 pytest …` does it longer.
_KILLS = int(os.environ.get("STORAGE_KILLS", cases(4)))


def with_database(storage: Stack, work: Callable[[ServicePool], Awaitable[Result]]) -> Result:
    """Runs `work` with the database of the stack, as the storage service's role."""
    project = open_project(storage.root, storage.environ)

    async def run() -> Result:
        pool = ServicePool(cluster_of(project).url("supabase_storage_admin"))
        await pool.open()
        try:
            return await work(pool)
        finally:
            await pool.close()

    return asyncio.run(run())


def swept(storage: Stack) -> Swept:
    files = DiskFiles(storage.state / "storage")
    return with_database(storage, lambda pool: sweep(pool, files))


def put_away(path: Path, seconds: float) -> None:
    """As if nothing had been written to it for so long."""
    moment = time.time() - seconds
    os.utime(path, (moment, moment))


def leave(storage: Stack, name: str, age: float) -> Path:
    path = storage.state / "storage" / name[:2] / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(b"left")
    put_away(path, age)
    return path


def file_of(storage: Stack, api: Api, name: str) -> Path:
    version = str(api.send("GET", f"/object/info/folders/{name}").json()["version"])
    return storage.state / "storage" / version[:2] / version


@pytest.fixture
def name(api: Api, owner: Person) -> str:
    name = f"{owner.id}/{uuid.uuid4()}"
    assert api.send("POST", f"/object/folders/{name}", content=b"mine").status_code == 200
    return name


def test_sweep_removes_what_no_row_names(storage: Stack, api: Api, name: str) -> None:
    written = file_of(storage, api, name)
    put_away(written, 10 * _HOUR)
    old = leave(storage, str(uuid.uuid4()), 2 * _HOUR)
    part = leave(storage, f"{uuid.uuid4()}.part", 2 * _HOUR)
    young = leave(storage, str(uuid.uuid4()), _HOUR / 2)
    other = leave(storage, "notes.txt", 10 * _HOUR)
    report = swept(storage)
    assert report.removed == 2
    assert [path.exists() for path in (old, part, young, other, written)] == [False, False, True, True, True]
    assert api.send("GET", f"/object/folders/{name}").content == b"mine"
    young.unlink()
    other.unlink()


def test_sweep_leaves_the_bytes_of_open_uploads(storage: Stack, connection: psycopg.Connection) -> None:
    version = str(uuid.uuid4())
    path = leave(storage, version, 2 * _HOUR)
    connection.execute(
        "insert into _localbase.storage_resumable_uploads (version, bucket_id, name, upsert, metadata, expires_at)"
        " values (%s, 'folders', 'x', false, '{}', now() + interval '1 hour')",
        [version],
    )
    swept(storage)
    assert path.exists()
    connection.execute("delete from _localbase.storage_resumable_uploads where version = %s", [version])
    assert swept(storage).removed == 1
    assert not path.exists()


def test_sweep_names_objects_whose_bytes_are_gone(storage: Stack, api: Api, name: str) -> None:
    path = file_of(storage, api, name)
    aside = path.with_name("aside")
    path.rename(aside)
    assert swept(storage).lost == [f"folders/{name}"]
    assert api.error("GET", f"/object/folders/{name}")[1]["code"] == "NoSuchKey"
    aside.rename(path)
    assert swept(storage).lost == []


def test_upload_that_ends_early_leaves_nothing(api: Api, owner: Person, storage: Stack) -> None:
    before = stored_files(storage)

    def body() -> object:
        yield b"x" * 100_000
        raise ConnectionError

    with pytest.raises(ConnectionError):
        api.send("POST", f"/object/folders/{owner.id}/{uuid.uuid4()}", content=body())
    deadline = time.monotonic() + 20
    while stored_files(storage) != before:
        assert time.monotonic() < deadline, stored_files(storage) - before
        time.sleep(0.02)


def test_bytes_are_whole_or_not_there(tmp_path: Path) -> None:
    files = DiskFiles(tmp_path)

    midway: list[str] = []

    async def broken() -> AsyncIterator[bytes]:
        yield b"x" * 600_000
        midway.extend(await asyncio.to_thread(suffixes))
        raise ConnectionError

    def suffixes() -> list[str]:
        return [path.suffix for path in tmp_path.rglob("*-*")]

    with pytest.raises(ConnectionError):
        asyncio.run(files.write(broken(), 1_000_000))
    # In mid-upload its name is one that no reader opens.
    assert (midway, suffixes()) == ([".part"], [])


def test_killed_gateway_leaves_neither_orphans_nor_rows_without_bytes(
    storage: Stack, api: Api, owner: Person
) -> None:
    chance = Random(14)
    names = [f"{owner.id}/killed-{number}" for number in range(3)]
    contents: dict[str, bytes] = {}
    for turn in range(_KILLS):
        name, content = chance.choice(names), b"%08d" % turn * 131_072
        killer = threading.Timer(chance.uniform(0, 0.08), kill_gateway, [storage])
        killer.start()
        try:
            response = api.send("PUT", f"/object/folders/{name}", content=content)
        except httpx.TransportError:
            response = None
        killer.join()
        wait_until_up(api)
        if response is not None and response.status_code == 200:
            contents[name] = content
        elif name in contents:
            # The one before, or this one: whole in any case.
            read = api.send("GET", f"/object/folders/{name}").content
            assert read in (contents[name], content)
            contents[name] = read
    assert {name: api.send("GET", f"/object/folders/{name}").content for name in contents} == contents
    for left in stored_files(storage):
        put_away(left, 2 * _HOUR)
    assert swept(storage).lost == []
    assert unnamed_files(storage) == set()


def kill_gateway(storage: Stack) -> None:
    report = json.loads((storage.state / "supervisor.json").read_text())
    os.kill(report["processes"]["gateway"], signal.SIGKILL)


def unnamed_files(storage: Stack) -> set[str]:
    """Files that no row names. Resumable uploads under way are parts of a file; a row's version never is."""
    return {path.name for path in stored_files(storage)} - with_database(storage, _names_of_rows)


async def _names_of_rows(pool: ServicePool) -> set[str]:
    async with pool.begin() as cursor:
        await cursor.execute(
            "select version as name from storage.objects"
            " union select version from storage.s3_multipart_uploads_parts"
            " union select version || '.part' from _localbase.storage_resumable_uploads"
        )
        return {row["name"] for row in await cursor.fetchall()}


def wait_until_up(api: Api) -> None:
    deadline = time.monotonic() + 30
    while True:
        try:
            if api.send("GET", "/status").status_code == 200:
                return
        except httpx.TransportError:
            pass
        assert time.monotonic() < deadline
        time.sleep(0.05)
