"""/render/image: pictures under policies, by address, cached; and files made to break a renderer."""

from __future__ import annotations

import io
import json
import os
import struct
import time
import uuid
import zlib
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from pathlib import Path

import httpx
import pytest
from localbase.core.tokens import jwt
from PIL import Image
from storage3.exceptions import StorageApiError

from tests.localbase.integration.storage.conftest import Api
from tests.support.random_cases import cases
from tests.support.stacks import Stack
from tests.support.users import Person


def picture(size: tuple[int, int] = (400, 200), kind: str = "PNG") -> bytes:
    out = io.BytesIO()
    Image.new("RGB", size, "red").save(out, kind)
    return out.getvalue()


def size_of(response: httpx.Response) -> tuple[int, int]:
    assert response.status_code == 200, response.text
    return Image.open(io.BytesIO(response.content)).size


def put(api: Api, path: str, content: bytes, mime: str = "image/png") -> None:
    response = api.send("PUT", f"/object/{path}", content=content, headers={"content-type": mime})
    assert response.status_code == 200, response.text


@pytest.fixture(scope="module")
def shown(service: Api) -> str:
    """A public picture of 400 × 200."""
    path = f"open/{uuid.uuid4()}.png"
    put(service, path, picture())
    return path


@pytest.fixture(scope="module")
def hidden(api: Api, owner: Person) -> str:
    path = f"folders/{owner.id}/{uuid.uuid4()}.png"
    put(api, path, picture())
    return path


def test_public_picture_is_drawn_for_all(api: Api, shown: str) -> None:
    address = f"{api.stack.api_url}/storage/v1/render/image/public/{shown}"
    response = httpx.get(address, params={"width": "100", "height": "80", "resize": "cover", "quality": "50"})
    assert size_of(response) == (100, 80)
    assert {
        name: response.headers[name] for name in ("content-type", "vary", "x-transformations", "x-robots-tag")
    } == {
        "content-type": "image/png",
        "vary": "Accept",
        "x-transformations": "height:80,width:100,resizing_type:fill,quality:50",
        "x-robots-tag": "none",
    }
    assert response.headers["x-content-type-options"] == "nosniff"
    again = httpx.get(address, params={"width": "100", "height": "80", "quality": "50"})
    assert (again.content, again.headers["etag"]) == (response.content, response.headers["etag"])
    unchanged = httpx.get(
        address,
        params={"width": "100", "height": "80", "quality": "50"},
        headers={"if-none-match": response.headers["etag"]},
    )
    assert (unchanged.status_code, unchanged.content) == (304, b"")
    webp = httpx.get(address, params={"width": "100"}, headers={"accept": "image/avif,image/webp,*/*"})
    assert webp.headers["content-type"] == "image/webp"
    named = httpx.get(address, params={"width": "10", "download": "a.png"})
    assert named.headers["content-disposition"].startswith("attachment; filename=a.png")


def test_hidden_picture_is_drawn_for_whom_policies_show_it(
    api: Api, stranger: Api, anonymous: Api, hidden: str
) -> None:
    path = f"/render/image/authenticated/{hidden}?width=10"
    assert size_of(api.send("GET", path)) == (10, 5)
    for other in (stranger, anonymous):
        assert other.error("GET", path)[1]["code"] == "NoSuchKey"
    assert api.error("GET", f"/render/image/public/{hidden}")[1]["code"] == "NoSuchBucket"


def test_replaced_picture_is_drawn_anew(api: Api, hidden: str) -> None:
    path = f"/render/image/authenticated/{hidden}?width=10&format=origin"
    assert size_of(api.send("GET", path)) == (10, 5)
    put(api, hidden, picture((100, 100)))
    assert size_of(api.send("GET", path)) == (10, 10)
    put(api, hidden, picture())


def test_picture_that_is_being_replaced_is_drawn(service: Api, bucket: str) -> None:
    def put(side: int) -> int:
        return service.send("PUT", f"/object/{bucket}/a", content=picture((side, side))).status_code

    def draw(number: int) -> str:
        # No two ask for the same picture, so none comes from the cache.
        options = {"format": "origin", "quality": str(20 + number % 80), "width": str(1 + number // 80)}
        response = service.send("GET", f"/render/image/authenticated/{bucket}/a", params=options)
        return "drawn" if response.status_code == 200 else response.text

    assert put(20) == 200
    with ThreadPoolExecutor(2) as writer, ThreadPoolExecutor(4) as readers:
        puts = writer.map(put, range(20, 20 + cases(60)))
        responses = set(readers.map(draw, range(cases(130))))
        assert set(puts) == {200}
    assert responses == {"drawn"}


def test_signed_picture_is_shown_as_signed_alone(api: Api, hidden: str) -> None:
    body = {"expiresIn": 60, "transform": {"width": 20, "height": 20}}
    signed = api.send("POST", f"/object/sign/{hidden}", json=body).json()["signedURL"]
    assert signed.startswith(f"/render/image/sign/{hidden}?token=")
    address = f"{api.stack.api_url}/storage/v1{signed}"
    assert size_of(httpx.get(address)) == (20, 20)
    assert httpx.get(address + "&width=400").json()["error"] == "Error"
    original = httpx.get(address.replace("/render/image/", "/object/"))
    assert (original.status_code, original.json()["message"]) == (400, "Token is signed for an image")
    plain = api.send("POST", f"/object/sign/{hidden}", json={"expiresIn": 60}).json()["signedURL"]
    refused = httpx.get(f"{api.stack.api_url}/storage/v1{plain}".replace("/object/", "/render/image/"))
    assert (refused.status_code, refused.json()["message"]) == (400, "Token is not signed for an image")
    claims = {"url": hidden, "scope": "download", "exp": int(time.time()) + 60, "transformations": "width:x"}
    forged = api.stack.api_url + f"/storage/v1/render/image/sign/{hidden}?token="
    assert (
        httpx.get(forged + jwt.sign(claims, api.stack.jwt_secret)).json()["message"]
        == "token/width must be integer"
    )


def test_client_asks_for_pictures(owner: Person, hidden: str, shown: str) -> None:
    folder, name = owner.client.storage.from_("folders"), hidden.removeprefix("folders/")
    drawn = folder.download(name, {"transform": {"width": 30, "resize": "contain"}})
    assert Image.open(io.BytesIO(drawn)).size == (30, 15)
    address = owner.client.storage.from_("open").get_public_url(
        shown.removeprefix("open/"), {"transform": {"width": 30, "height": 30}}
    )
    assert size_of(httpx.get(address)) == (30, 30)
    signed = folder.create_signed_url(name, 60, {"transform": {"width": 25, "height": 10}})
    assert size_of(httpx.get(str(signed["signedURL"]))) == (25, 10)
    with pytest.raises(StorageApiError, match="quality must be"):
        folder.download(name, {"transform": {"width": 30, "quality": 500}})


def test_many_at_once_are_drawn_by_a_few_processes(api: Api, shown: str) -> None:
    address = f"{api.stack.api_url}/storage/v1/render/image/public/{shown}"
    with ThreadPoolExecutor(12) as pool:
        responses = list(
            pool.map(lambda width: httpx.get(address, params={"width": str(1 + width % 20)}), range(40))
        )
    assert [size_of(response)[0] for response in responses] == [1 + number % 20 for number in range(40)]
    assert 1 <= len(list(renderers(api.stack))) <= (os.cpu_count() or 1)


def renderers(stack: Stack) -> Iterator[Path]:
    """The processes that draw for this stack: other stacks of the machine have theirs."""
    gateway = json.loads((stack.state / "supervisor.json").read_text())["processes"]["gateway"]
    for process in Path("/proc").glob("[0-9]*"):
        try:
            parent = (process / "stat").read_text(encoding="utf-8").rpartition(")")[2].split()[1]
            if int(parent) == gateway and b"images.worker" in (process / "cmdline").read_bytes():
                yield process
        except OSError:
            continue


def chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def png(width: int, height: int, *extra: bytes) -> bytes:
    """A PNG whose pixels are all black; `extra` chunks stand before them."""
    rows = zlib.compressobj()
    line = b"\0" * (1 + width // 8)
    pixels = b"".join(rows.compress(line) for _ in range(height)) + rows.flush()
    head = struct.pack(">IIBBBBB", width, height, 1, 0, 0, 0, 0)
    return (
        b"\x89PNG\r\n\x1a\n"
        + chunk(b"IHDR", head)
        + b"".join(extra)
        + chunk(b"IDAT", pixels)
        + chunk(b"IEND", b"")
    )


def gif(frames: int) -> bytes:
    frame = (
        b"\x21\xf9\x04\x00\x0a\x00\x00\x00"
        + b"\x2c"
        + struct.pack("<HHHH", 0, 0, 1, 1)
        + b"\0\x02\x02\x44\x01\0"
    )
    return (
        b"GIF89a" + struct.pack("<HH", 1, 1) + b"\x80\0\0" + b"\0\0\0\xff\xff\xff" + frame * frames + b"\x3b"
    )


@cache
def bomb() -> bytes:
    """Two hundred megabytes as two hundred kilobytes."""
    return zlib.compress(b"\0" * (200 << 20))


# Made when a test needs them: every run of any tests imports this file.
_HOSTILE: Mapping[str, Callable[[], bytes]] = {
    "a hundred megapixels": lambda: png(10_000, 10_000),
    "ten thousand frames": lambda: gif(10_000),
    "a bomb in a text": lambda: png(8, 8, chunk(b"zTXt", b"Comment\0\0" + bomb())),
    "a bomb in an international text": lambda: png(8, 8, chunk(b"iTXt", b"Comment\0\1\0\0\0" + bomb())),
    "a bomb in a profile": lambda: png(8, 8, chunk(b"iCCP", b"icc\0\0" + bomb())),
    "a side of two thousand million": lambda: png(8, 8).replace(
        chunk(b"IHDR", struct.pack(">IIBBBBB", 8, 8, 1, 0, 0, 0, 0)),
        chunk(b"IHDR", struct.pack(">IIBBBBB", 2**31 - 1, 1, 1, 0, 0, 0, 0)),
    ),
    "an entity in an SVG": lambda: b"<!DOCTYPE svg [<!ENTITY a 'b'>]><svg width='9' height='9'>&a;</svg>",
    "a deep SVG": lambda: b"<svg>" + b"<g>" * 100_000 + b"</g>" * 100_000 + b"</svg>",
    "an open SVG": lambda: b"<svg xmlns='http://www.w3.org/2000/svg'><g>",
    "no picture": lambda: b"not a picture",
    "nothing": lambda: b"",
    "half a picture": lambda: picture()[:200],
}


@pytest.mark.parametrize("name", list(_HOSTILE))
def test_hostile_file_is_refused_quickly_and_cheaply(service: Api, name: str) -> None:
    path = f"open/{uuid.uuid4()}"
    put(service, path, _HOSTILE[name]())
    started = time.monotonic()
    response = httpx.get(
        f"{service.stack.api_url}/storage/v1/render/image/public/{path}?width=10&format=webp",
        timeout=30,
    )
    seconds = time.monotonic() - started
    assert response.status_code == 400, response.headers
    assert (response.json()["code"], response.json()["message"].startswith("The source image")) == (
        "InvalidRequest",
        True,
    )
    # A second is the limit; the machine may be busy with other tests.
    assert seconds < 5
    for process in renderers(service.stack):
        status = (process / "status").read_text(encoding="utf-8")
        peak = next(line for line in status.splitlines() if line.startswith("VmHWM"))
        assert int(peak.split()[1]) < 300 * 1024


def test_source_over_the_limit_is_refused_unread(service: Api) -> None:
    path = f"open/{uuid.uuid4()}.png"
    put(service, path, b"x" * ((25 << 20) + 1))
    assert service.error("GET", f"/render/image/public/{path}") == (
        400,
        {
            "statusCode": "400",
            "code": "InvalidRequest",
            "error": "InvalidRequest",
            "message": "The source image file is too large to process",
        },
    )


def test_cache_is_purged_by_the_service_alone(api: Api, service: Api) -> None:
    for path in ("/cdn", "/cdn/open", "/cdn/open/a/b.png"):
        assert service.send("DELETE", path).json() == {"message": "success"}
        assert api.error("DELETE", path)[1]["message"] == "Access denied: Invalid role"


_SVG = b"<svg xmlns='http://www.w3.org/2000/svg' width='10' height='20'><rect width='10' height='20' fill='red'/></svg>"


def test_vector_picture_is_shown_as_it_is_and_drawn_where_a_format_is_named(service: Api) -> None:
    path = f"open/{uuid.uuid4()}"
    put(service, path, _SVG)
    address = f"{service.stack.api_url}/storage/v1/render/image/public/{path}"
    as_it_is = httpx.get(address, params={"width": "5"}, headers={"accept": "image/webp"})
    assert (as_it_is.status_code, as_it_is.content) == (200, _SVG)
    assert as_it_is.headers["content-type"] == "image/svg+xml"
    assert "sandbox" in as_it_is.headers["content-security-policy"]
    drawn = httpx.get(address, params={"width": "5", "format": "webp"})
    assert (drawn.headers["content-type"], size_of(drawn)) == ("image/webp", (5, 10))
    assert Image.open(io.BytesIO(drawn.content)).convert("RGB").getpixel((2, 5)) == pytest.approx(
        (255, 0, 0), abs=3
    )
