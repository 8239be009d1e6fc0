"""A caller's cost before it is known whether the caller may do anything: neither memory nor disk."""

from __future__ import annotations

import asyncio
import json
import uuid
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import httpx
import pytest
from localbase.storage.errors import StorageError
from localbase.storage.upload_slots import UploadSlots

from tests.localbase.integration.storage.conftest import Api, stored_files
from tests.support.stacks import Stack
from tests.support.users import Person

_MEGABYTE = b"x" * (1 << 20)
_TOO_LARGE = {"statusCode": "413", "code": "EntityTooLarge", "error": "Payload too large"}
_DENIED = {
    "statusCode": "403",
    "code": "AccessDenied",
    "error": "Unauthorized",
    "message": "new row violates row-level security policy",
}
_FORM = "multipart/form-data; boundary=edge"
_FORM_HEAD = (
    b'--edge\r\nContent-Disposition: form-data; name="cacheControl"\r\n\r\n3600\r\n--edge\r\n'
    b'Content-Disposition: form-data; name=""; filename="blob"\r\nContent-Type: text/plain\r\n\r\n'
)


def chunks(megabytes: int) -> Iterator[bytes]:
    for _ in range(megabytes):
        yield _MEGABYTE


def gateway_memory(stack: Stack) -> int:
    """The most memory that the gateway's process has had, in bytes."""
    report = json.loads((stack.state / "supervisor.json").read_text())
    status = Path(f"/proc/{report['processes']['gateway']}/status").read_text(encoding="utf-8")
    line = next(line for line in status.splitlines() if line.startswith("VmHWM"))
    return int(line.split()[1]) * 1024


@pytest.mark.parametrize(
    ("method", "path"),
    [
        ("POST", "/object/list/sealed"),
        ("POST", "/object/list-v2/sealed"),
        ("POST", "/object/sign/sealed"),
        ("POST", "/object/sign/sealed/a.txt"),
        ("DELETE", "/object/sealed"),
        ("POST", "/object/copy"),
        ("POST", "/object/move"),
        ("POST", "/bucket"),
        ("PUT", "/bucket/sealed"),
    ],
)
def test_json_body_over_a_megabyte_is_413(anonymous: Api, method: str, path: str) -> None:
    refused = (400, {**_TOO_LARGE, "message": "The body exceeded the maximum allowed size"})
    whole = json.dumps({"prefix": "a" * (1 << 20)})
    assert anonymous.error(method, path, content=whole) == refused
    # Without a length nothing is announced: it is counted.
    assert anonymous.error(method, path, content=iter([whole.encode()])) == refused


@pytest.mark.parametrize(
    ("headers", "begin"),
    [
        ({"content-type": "text/plain", "content-length": str(45 << 20)}, b"x" * 1000),
        ({"content-type": "text/plain", "transfer-encoding": "chunked"}, b"3e8\r\n" + b"x" * 1000 + b"\r\n"),
        ({"content-type": _FORM, "content-length": str(45 << 20)}, _FORM_HEAD + b"x" * 1000),
    ],
    ids=["announced", "chunked", "form"],
)
def test_upload_without_permission_is_answered_before_its_bytes(
    anonymous: Api, storage: Stack, headers: dict[str, str], begin: bytes
) -> None:
    before = stored_files(storage)
    assert anonymous.early_response(f"/object/sealed/{uuid.uuid4()}", headers, begin) == (400, _DENIED)
    assert stored_files(storage) == before


@pytest.mark.parametrize(
    ("path", "headers", "expected"),
    [
        (
            "/object/folders/big.bin",
            {"content-length": str(200 << 20)},
            {**_TOO_LARGE, "message": "The object exceeded the maximum allowed size"},
        ),
        (
            "/object/pictures/a.png",
            {"content-type": "text/html", "content-length": "2000000"},
            {
                "statusCode": "415",
                "code": "InvalidMimeType",
                "error": "invalid_mime_type",
                "message": "mime type text/html is not supported",
            },
        ),
        (
            "/object/nowhere/a.png",
            {"content-length": "2000000"},
            {
                "statusCode": "404",
                "code": "NoSuchBucket",
                "error": "Bucket not found",
                "message": "Bucket not found",
            },
        ),
    ],
)
def test_upload_out_of_bounds_is_answered_before_its_bytes(
    api: Api, path: str, headers: dict[str, str], expected: dict[str, str]
) -> None:
    assert api.early_response(path, headers, b"x" * 1000) == (400, expected)


def test_form_without_a_length_is_cut_off_at_the_limit(api: Api, owner: Person, storage: Stack) -> None:
    before = stored_files(storage)

    def form() -> Iterator[bytes]:
        yield _FORM_HEAD
        yield from chunks(60)
        yield b"\r\n--edge--\r\n"

    response = api.send(
        "POST", f"/object/folders/{owner.id}/big", headers={"content-type": _FORM}, content=form()
    )
    assert (response.status_code, response.json()) == (
        400,
        {**_TOO_LARGE, "message": "The object exceeded the maximum allowed size"},
    )
    assert stored_files(storage) == before


def test_anonymous_key_costs_neither_memory_nor_disk(anonymous: Api, storage: Stack) -> None:
    anonymous.send("GET", "/bucket")
    memory, files = gateway_memory(storage), stored_files(storage)

    def attack(number: int) -> int:
        kind = number % 4
        options: dict[str, Any] = {"content": chunks(150)}
        if kind == 0:
            path = "/object/list/sealed"
        elif kind == 1:
            path = "/object/sign/sealed"
        else:
            path = f"/object/sealed/{number}"
        if kind == 3:
            options["headers"] = {"content-type": _FORM}
            options["content"] = iter([_FORM_HEAD, *chunks(150)])
        try:
            return anonymous.send("POST", path, **options).status_code
        except httpx.TransportError:
            return 0

    with ThreadPoolExecutor(8) as pool:
        statuses = set(pool.map(attack, range(24)))
    # The server responds before it has read all and closes: a client that still writes may find that only.
    assert statuses <= {400, 0}
    assert gateway_memory(storage) - memory < 20 << 20
    assert stored_files(storage) == files


def test_uploads_of_one_caller_wait_for_a_place() -> None:
    slots = UploadSlots(at_once=2, waiting=1, seconds=0.01)

    async def steps() -> list[str]:
        done = []
        async with slots.slot("a"), slots.slot("a"):
            with pytest.raises(StorageError, match="Too many uploads at once"):
                async with slots.slot("a"):
                    done.append("a third of a")
            async with slots.slot("b"):
                done.append("one of b")
        async with slots.slot("a"):
            done.append("one of a again")
        return done

    assert asyncio.run(steps()) == ["one of b", "one of a again"]
