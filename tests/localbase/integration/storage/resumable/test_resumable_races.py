"""/upload/resumable: requests that meet at an upload's end. In no order is an object left without its bytes."""

from __future__ import annotations

import socket
import time
import uuid
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import urlsplit

import psycopg
import pytest
from localbase.storage.backend.disk import DiskFiles
from localbase.storage.tus.uploads import remove_expired

from tests.localbase.integration.storage.conftest import Api, stored_files
from tests.localbase.integration.storage.resumable.resumable import TUS, Resumable
from tests.localbase.integration.storage.test_sweep import with_database
from tests.support.stacks import Stack
from tests.support.users import Person

_ROWS = "_localbase.storage_resumable_uploads"


@pytest.fixture
def name(owner: Person) -> str:
    return f"{owner.id}/{uuid.uuid4()}.txt"


class Locks:
    """A lock that a test holds in the database, and its waiters."""

    def __init__(self, connection: psycopg.Connection) -> None:
        self._connection = connection

    @contextmanager
    def transaction(self) -> Iterator[psycopg.Connection]:
        """One that the test commits or rolls back; else it is rolled back at the end."""
        with psycopg.connect(self._connection.info.dsn, password="postgres") as opened:
            try:
                yield opened
            finally:
                opened.rollback()

    @contextmanager
    def of_object(self, name: str) -> Iterator[psycopg.Connection]:
        """No request writes the object's row within the block."""
        with self.transaction() as opened:
            opened.execute("select pg_advisory_xact_lock(hashtextextended(%s, 0))", [f"folders/{name}"])
            yield opened

    def wait_for_writers(self, count: int) -> None:
        """So many wait for an object's lock."""
        self._wait("select count(*) >= %s from pg_locks where locktype = 'advisory' and not granted", count)

    def wait_for_statement(self) -> None:
        """A statement on the uploads' rows waits for a lock."""
        self._wait(
            "select count(*) >= %s from pg_stat_activity where wait_event_type = 'Lock'"
            " and query like '%%storage_resumable_uploads%%'",
            1,
        )

    def _wait(self, question: str, count: int) -> None:
        deadline = time.monotonic() + 4
        while self._connection.execute(question.encode(), [count]).fetchone() != (True,):
            assert time.monotonic() < deadline
            time.sleep(0.02)  # Postgres has no event for a lock that is waited for


@pytest.fixture
def locks(connection: psycopg.Connection) -> Locks:
    return Locks(connection)


def final_path(upload: Resumable) -> Path:
    return upload.api.stack.state / "storage" / upload.version[:2] / upload.version


def bring_all_but_the_object(upload: Resumable, connection: psycopg.Connection, content: bytes) -> None:
    """As a kill between the last bytes and the object leaves an upload."""
    path = final_path(upload)
    path.parent.mkdir(exist_ok=True)
    path.with_name(f"{path.name}.part").write_bytes(content)
    connection.execute(
        f"update {_ROWS} set received = %s where version = %s".encode(), [len(content), upload.version]
    )


def test_object_and_the_end_of_its_upload_are_one_transaction(
    api: Api, name: str, connection: psycopg.Connection, locks: Locks
) -> None:
    upload = Resumable(api, name)
    upload.begin(5)
    objects = "select count(*) from storage.objects where name = %s"
    with ThreadPoolExecutor() as threads:
        with locks.transaction() as held:
            with locks.of_object(name):
                last = threads.submit(upload.send, 0, b"01234")
                locks.wait_for_writers(1)
                held.execute(f"select from {_ROWS} where version = %s for update".encode(), [upload.version])
            locks.wait_for_statement()
            # Killed now it would leave both or neither.
            assert connection.execute(objects, [name]).fetchone() == (0,)
        assert last.result().status_code == 204
    assert api.send("GET", f"/object/folders/{name}").content == b"01234"
    rows = f"select count(*) from {_ROWS} where version = %s"
    assert connection.execute(rows.encode(), [upload.version]).fetchone() == (0,)


def test_sweep_of_expired_uploads_leaves_what_an_object_names(
    api: Api, name: str, storage: Stack, connection: psycopg.Connection
) -> None:
    upload = Resumable(api, name)
    upload.begin(5, b"01234")
    # As releases of before left it when they were killed after the object.
    connection.execute(
        f"insert into {_ROWS} (version, bucket_id, name, upsert, length, received, metadata, expires_at)"
        " values (%s, 'folders', %s, false, 5, 5, '{}', now() - interval '1 s')".encode(),
        [upload.version, name],
    )
    files = DiskFiles(storage.state / "storage")
    assert with_database(storage, lambda pool: remove_expired(pool, files)) == 1
    assert api.send("GET", f"/object/folders/{name}").content == b"01234"


def test_end_of_an_upload_leaves_what_an_object_names(
    api: Api, owner: Person, name: str, connection: psycopg.Connection
) -> None:
    upload = Resumable(api, name)
    upload.begin(5, b"01234")
    # As releases of before left it when they were killed after the object.
    metadata = '{"mimetype": "text/plain", "cacheControl": "no-cache", "header": ""}'
    connection.execute(
        f"insert into {_ROWS} (version, bucket_id, name, owner_id, upsert, length, received, metadata, expires_at)"
        " values (%s, 'folders', %s, %s, true, 5, 5, %s, now() + interval '1 hour')".encode(),
        [upload.version, name, owner.id, metadata],
    )
    assert api.send("DELETE", upload.path, headers=TUS).status_code == 204
    assert api.send("GET", f"/object/folders/{name}").content == b"01234"


def test_upload_ended_during_its_last_part_makes_no_object(
    api: Api, name: str, storage: Stack, locks: Locks
) -> None:
    before = stored_files(storage)
    upload = Resumable(api, name)
    upload.begin(5)
    with ThreadPoolExecutor() as threads:
        with locks.of_object(name):
            last = threads.submit(upload.send, 0, b"01234")
            locks.wait_for_writers(1)
            assert api.send("DELETE", upload.path, headers=TUS).status_code == 204
        response = last.result()
    assert (response.status_code, response.text) == (404, "The file for this url was not found")
    assert api.send("GET", f"/object/folders/{name}").json()["code"] == "NoSuchKey"
    assert stored_files(storage) == before


def test_end_that_comes_too_late_leaves_the_bytes(
    api: Api, name: str, connection: psycopg.Connection, locks: Locks
) -> None:
    upload = Resumable(api, name)
    upload.begin(5)
    bring_all_but_the_object(upload, connection, b"01234")
    with ThreadPoolExecutor() as threads, locks.transaction() as held:
        # As the transaction of the last part, which is about to commit.
        held.execute(f"delete from {_ROWS} where version = %s".encode(), [upload.version])
        late = threads.submit(api.send, "DELETE", upload.path, headers=TUS)
        locks.wait_for_statement()
        held.commit()
        assert late.result().status_code == 404
    part = final_path(upload).with_name(f"{upload.version}.part")
    assert part.read_bytes() == b"01234"
    part.unlink()


def test_part_that_an_overtaken_writer_left_does_not_replace_the_bytes(
    api: Api, name: str, connection: psycopg.Connection
) -> None:
    upload = Resumable(api, name)
    upload.begin(5)
    bring_all_but_the_object(upload, connection, b"")
    final_path(upload).write_bytes(b"01234")
    connection.execute(f"update {_ROWS} set received = 5 where version = %s".encode(), [upload.version])
    assert upload.send(5, b"").status_code == 204
    assert api.send("GET", f"/object/folders/{name}").content == b"01234"
    final_path(upload).with_name(f"{upload.version}.part").unlink(missing_ok=True)


def test_part_that_is_not_whole_does_not_become_the_object(
    api: Api, name: str, connection: psycopg.Connection
) -> None:
    upload = Resumable(api, name)
    upload.begin(5)
    bring_all_but_the_object(upload, connection, b"012")
    connection.execute(f"update {_ROWS} set received = 5 where version = %s".encode(), [upload.version])
    assert upload.send(5, b"").status_code == 404
    assert api.send("GET", f"/object/folders/{name}").json()["code"] == "NoSuchKey"
    assert api.send("DELETE", upload.path, headers=TUS).status_code == 204


@pytest.fixture
def slow_permission(connection: psycopg.Connection) -> Iterator[None]:
    """Lets the question whether an object may be written, not the writing, wait for an advisory lock."""
    connection.execute(
        """
        create function public.wait_for_the_race() returns trigger language plpgsql as $$ begin
          if new.version = '1' then perform pg_advisory_xact_lock(4712); end if;
          return new;
        end $$;
        create trigger wait_for_the_race before insert on storage.objects
          for each row execute function public.wait_for_the_race();
        """
    )
    yield
    connection.execute("drop function public.wait_for_the_race cascade")


@pytest.mark.usefixtures("slow_permission")
@pytest.mark.parametrize("offset", [0, 3])
def test_writer_that_was_overtaken_by_the_last_part_leaves_the_upload(
    api: Api, name: str, connection: psycopg.Connection, locks: Locks, offset: int
) -> None:
    upload = Resumable(api, name)
    upload.begin(5, b"012"[:offset])
    with ThreadPoolExecutor() as threads, locks.transaction() as held:
        held.execute("select pg_advisory_xact_lock(4712)")
        late = threads.submit(upload.send, offset, b"x")
        locks.wait_for_writers(1)
        # As another request that has all the bytes, and is about to make the object.
        bring_all_but_the_object(upload, connection, b"01234")
        part = final_path(upload).with_name(f"{upload.version}.part")
        part.rename(final_path(upload))
        held.rollback()
        response = late.result()
    assert (response.status_code, response.headers.get("upload-offset")) == (409, "5")
    assert not part.exists()
    assert upload.send(5, b"").status_code == 204
    assert api.send("GET", f"/object/folders/{name}").content == b"01234"


def test_late_second_end_of_an_upload_does_not_replace_a_newer_object(
    api: Api, name: str, connection: psycopg.Connection, locks: Locks
) -> None:
    upload = Resumable(api, name)
    upload.begin(5, headers={"x-upsert": "true"})
    bring_all_but_the_object(upload, connection, b"01234")
    writers: list[Callable[[], int]] = [
        lambda: upload.send(5, b"").status_code,
        lambda: api.send("PUT", f"/object/folders/{name}", content=b"newer").status_code,
        lambda: upload.send(5, b"").status_code,
    ]
    with ThreadPoolExecutor() as threads:
        with locks.of_object(name):
            running = []
            for count, writer in enumerate(writers, 1):
                running.append(threads.submit(writer))
                locks.wait_for_writers(count)
        assert [each.result() for each in running] == [204, 200, 404]
    assert api.send("GET", f"/object/folders/{name}").content == b"newer"


def test_body_that_does_not_end_holds_up_no_other_request(api: Api, name: str) -> None:
    size, requests = 4 << 20, 12
    upload = Resumable(api, name)
    upload.begin(size)
    address = urlsplit(api.stack.api_url)
    head = (
        f"PATCH /storage/v1{upload.path} HTTP/1.1\r\nhost: {address.netloc}\r\n"
        f"authorization: Bearer {api.token}\r\napikey: {api.stack.anon_key}\r\ntus-resumable: 1.0.0\r\n"
        "upload-offset: 0\r\ncontent-type: application/offset+octet-stream\r\ntransfer-encoding: chunked\r\n\r\n"
    )
    part = final_path(upload).with_name(f"{upload.version}.part")
    with socket.create_connection((address.hostname, address.port), timeout=20) as wire:
        wire.sendall(head.encode() + b"%x\r\n" % size + bytes(size) + b"\r\n")
        deadline = time.monotonic() + 20
        while not part.exists() or part.stat().st_size < size:
            assert time.monotonic() < deadline
            time.sleep(0.02)  # a file has no event that every system knows
        with ThreadPoolExecutor(requests) as threads:
            looks = list(threads.map(lambda _: api.send("HEAD", upload.path, headers=TUS), range(requests)))
        assert [look.status_code for look in looks] == [200] * requests
        assert {look.headers["upload-offset"] for look in looks} == {"0"}
        assert upload.send(0, b"x").status_code == 423
        stored = api.send("POST", f"/object/folders/{name}.txt", content=b"hi")
        assert stored.status_code == 200, stored.text
        wire.sendall(b"0\r\n\r\n")
        assert wire.recv(100).startswith(b"HTTP/1.1 204")
    assert api.send("GET", f"/object/folders/{name}").content == bytes(size)
