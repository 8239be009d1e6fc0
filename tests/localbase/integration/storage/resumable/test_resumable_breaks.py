"""/upload/resumable: connections and processes that end at any byte, writers at once, and the protocol's own client."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import time
import uuid
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from random import Random
from typing import Any
from urllib.parse import urlsplit

import httpx
import psycopg
import pytest

from tests.localbase.integration.storage.conftest import Api
from tests.localbase.integration.storage.resumable.resumable import BYTES, TUS, Resumable
from tests.localbase.integration.storage.test_sweep import swept, wait_until_up
from tests.support.stacks import ROOT, Stack
from tests.support.users import Person


@pytest.fixture
def name(owner: Person) -> str:
    return f"{owner.id}/{uuid.uuid4()}.txt"


def test_connection_that_breaks_loses_nothing_that_was_noted(api: Api, name: str) -> None:
    content = bytes(range(256)) * 8192
    upload = Resumable(api, name)
    upload.begin(len(content))
    chance = Random(7)
    noted = [0]
    for _ in range(200):
        # Where the one before is still being written it is 423, where it has gone on meanwhile 409.
        response = cut_off(upload, content, noted[-1], chance.randint(1, 900_000))
        assert response in (b"", b"204", b"409", b"423")
        noted.append(upload.offset())
        if noted[-1] == len(content):
            break
    assert noted == sorted(noted)
    assert len(set(noted)) > 2
    assert api.send("GET", f"/object/folders/{name}").content == content


def cut_off(upload: Resumable, content: bytes, offset: int, length: int) -> bytes:
    """Sends the rest of `content`, and goes after `length` bytes of it. The response's status, if it came first."""
    parts = urlsplit(upload.api.stack.api_url)
    head = {
        **TUS,
        **BYTES,
        "host": parts.netloc,
        "authorization": f"Bearer {upload.api.token}",
        "upload-offset": str(offset),
        "content-length": str(len(content) - offset),
        "expect": "100-continue",
    }
    lines = "".join(f"{key}: {value}\r\n" for key, value in head.items())
    with socket.create_connection((str(parts.hostname), int(parts.port or 80)), timeout=30) as wire:
        wire.sendall(f"PATCH /storage/v1{upload.path} HTTP/1.1\r\n{lines}\r\n".encode())
        responses = wire.makefile("rb")
        status = responses.readline().split(b" ")[1]
        if status != b"100":
            return status
        wire.sendall(content[offset : offset + length])
        if offset + length < len(content):
            return b""
        responses.readline()
        return responses.readline().split(b" ")[1]


def test_second_writer_meets_a_locked_upload(api: Api, name: str) -> None:
    upload = Resumable(api, name)
    upload.begin(1000)
    parts = urlsplit(api.stack.api_url)
    head = {
        **TUS,
        **BYTES,
        "host": parts.netloc,
        "authorization": f"Bearer {api.token}",
        "upload-offset": "0",
        "content-length": "1000000",
    }
    del head["content-length"]
    head["transfer-encoding"] = "chunked"
    lines = "".join(f"{key}: {value}\r\n" for key, value in head.items())
    with socket.create_connection((str(parts.hostname), int(parts.port or 80)), timeout=30) as wire:
        wire.sendall(
            f"PATCH /storage/v1{upload.path} HTTP/1.1\r\n{lines}expect: 100-continue\r\n\r\n".encode()
        )
        # It reads, so it has the lock.
        assert wire.recv(1000).startswith(b"HTTP/1.1 100")
        response = upload.send(0, b"x")
        assert (response.status_code, response.text) == (
            423,
            "The upload is being written by another request",
        )
        wire.sendall(b"3e8\r\n" + b"y" * 1000 + b"\r\n0\r\n\r\n")
        assert wire.recv(1000).startswith(b"HTTP/1.1 204")
    assert api.send("GET", f"/object/folders/{name}").content == b"y" * 1000


@pytest.fixture
def slow_permission(connection: psycopg.Connection, name: str) -> Iterator[Callable[[], bool]]:
    """Lets the question whether `name` may be written wait for an advisory lock. Whether one waits now."""
    connection.execute(
        f"""
        create function public.wait_for_the_test() returns trigger language plpgsql as $$ begin
          if new.name = '{name}' then perform pg_advisory_xact_lock(4711); end if;
          return new;
        end $$;
        create trigger wait_for_the_test before insert on storage.objects
          for each row execute function public.wait_for_the_test();
        """.encode()
    )
    waiting = "select exists (select from pg_locks where locktype = 'advisory' and not granted)"
    yield lambda: connection.execute(waiting).fetchone() == (True,)
    connection.execute("drop function public.wait_for_the_test cascade")


@pytest.mark.parametrize("content", [b"", b"late"])
def test_writer_that_was_overtaken_before_it_began_takes_no_bytes_away(
    api: Api,
    connection: psycopg.Connection,
    slow_permission: Callable[[], bool],
    name: str,
    content: bytes,
) -> None:
    upload = Resumable(api, name)
    upload.begin(1000)
    with ThreadPoolExecutor() as threads, psycopg.connect(connection.info.dsn, password="postgres") as held:
        held.execute("select pg_advisory_xact_lock(4711)")
        late = threads.submit(upload.send, 0, content)
        while not slow_permission():
            time.sleep(0.02)  # Postgres has no event for a lock that is waited for
        # As of a writer that went on meanwhile.
        version = upload.version
        path = api.stack.state / "storage" / version[:2] / f"{version}.part"
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(b"y" * 500)
        connection.execute(
            "update _localbase.storage_resumable_uploads set received = 500 where version = %s", [version]
        )
        held.rollback()
        response = late.result()
    assert (response.status_code, response.headers["upload-offset"]) == (409, "500")
    assert upload.offset() == 500
    assert upload.send(500, b"z" * 500).status_code == 204
    assert api.send("GET", f"/object/folders/{name}").content == b"y" * 500 + b"z" * 500


def test_upload_survives_kills_at_any_byte(api: Api, storage: Stack, name: str) -> None:
    content = b"".join(b"%07d\n" % number for number in range(1_200_000))
    upload = Resumable(api, name)
    upload.begin(len(content))
    chance = Random(3)
    for _ in range(4):
        offset, stop = upload.offset(), chance.randint(1, 20)

        def body(offset: int = offset, stop: int = stop) -> Any:
            for number, at in enumerate(range(offset, len(content), 1 << 19)):
                yield content[at : at + (1 << 19)]
                if number == stop:
                    os.kill(gateway_of(storage), signal.SIGKILL)

        if offset == len(content):
            break
        try:
            upload.send(offset, body())
        except httpx.TransportError:
            wait_until_up(api)
    while (offset := upload.offset()) < len(content):
        upload.send(offset, content[offset:])
    assert api.send("GET", f"/object/folders/{name}").content == content
    assert swept(storage).lost == []


def gateway_of(storage: Stack) -> int:
    return int(json.loads((storage.state / "supervisor.json").read_text())["processes"]["gateway"])


def test_bytes_that_came_last_before_a_kill_become_the_object(
    api: Api, storage: Stack, connection: psycopg.Connection, name: str
) -> None:
    upload = Resumable(api, name)
    upload.begin(5, b"012")
    version = upload.version
    # As a kill between the last bytes and the object leaves it.
    path = storage.state / "storage" / version[:2] / f"{version}.part"
    with Path(path).open("ab") as file:
        file.write(b"34")
    connection.execute(
        "update _localbase.storage_resumable_uploads set received = 5 where version = %s", [version]
    )
    assert upload.send(5, b"").status_code == 204
    assert api.send("GET", f"/object/folders/{name}").content == b"01234"


def test_client_of_the_protocol_resumes_and_ends_uploads(api: Api, name: str) -> None:
    done = subprocess.run(
        ["node", "tests/compat/tus.mjs", api.stack.api_url, api.token, "folders", name],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )
    assert done.returncode == 0, done.stderr
    seen = json.loads(done.stdout)
    assert "The resource already exists" in seen.pop("again")
    assert seen == {
        "resumed": None,
        "gone": 404,
        "same": True,
        "kind": "application/x-test",
        "progress": True,
    }
