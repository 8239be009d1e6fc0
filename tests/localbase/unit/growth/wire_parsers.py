"""Parsers of the wire's formats as functions of bytes: what they need beside a client's text is made here."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping, MutableMapping
from typing import Any, cast

from localbase.core.tokens import jwt
from localbase.core.web.http import headers_of
from localbase.functions.gateway import target_of
from localbase.functions.protocol import HEAD, frame
from localbase.functions.relay import _read_head
from localbase.gateway.http.framing import ChunkedBody
from localbase.gateway.http.head import fault_of, is_below, opens_socket, without_empty_lines, without_upgrade
from localbase.mail.store import parse as parse_mail
from localbase.realtime.changes.filters import filters_of
from localbase.realtime.changes.model import ChangeRequest
from localbase.storage.aws.canonical import ReceivedRequest, canonical_request
from localbase.storage.aws.documents import _parse as parse_document
from localbase.storage.bodies import incoming_file, user_metadata_of
from localbase.storage.names import checked_key
from localbase.storage.public_objects import PublicObjects
from localbase.storage.s3.chunked import UNSIGNED_TRAILER, ChunkedDecoder
from localbase.storage.s3.signature import read_signature
from localbase.storage.tus.protocol import metadata_of
from localbase.studio.app import _body as studio_body
from starlette.requests import Request

from tests.localbase.integration.growth import shapes
from tests.localbase.integration.growth.shapes import Shape, numbered, times

Work = Callable[[bytes], object]
HEAD_BYTES, BODY_BYTES = 60_000, 1 << 20
_SECRET = "a secret of at least thirty-two letters"
_NONE = cast(Any, None)
_AWS_CHUNKS: Mapping[str, Shape] = {
    **shapes.CHUNKS,
    "many trailers": times("x-amz-checksum-crc32:a\r\n", "0\r\n", "\r\n"),
    "one chunk": times("a", "80000\r\n"),
}
_HEADS: Mapping[str, Shape] = {
    **shapes.TEXTS,
    "many headers": numbered("h#: 1\r\n", "", "GET / HTTP/1.1\r\nhost: a\r\n", "\r\n"),
    "repeated header": times("a: b\r\n", "GET / HTTP/1.1\r\nhost: a\r\n", "\r\n"),
    "many hosts": times("host: a\r\n", "GET / HTTP/1.1\r\n", "\r\n"),
    "many upgrades": times("upgrade: websocket\r\n", "GET / HTTP/1.1\r\nhost: a\r\n", "\r\n"),
    "empty lines": times("\r\n"),
}
_MAILS: Mapping[str, Shape] = {
    **shapes.TEXTS,
    "many headers": numbered("h#: 1\r\n", ""),
    "one folded header": times("\r\n a", "subject: a"),
    "encoded words": times("=?utf-8?q?a?= ", "subject: "),
    "addresses": times("a@b.c, ", "to: "),
    "open comments": times("(", "to: "),
}


def _of_s3(work: Callable[[ReceivedRequest], object]) -> Work:
    """The text as the query, and as many headers."""

    def run(data: bytes) -> object:
        text = data.decode("latin-1")
        lines = [("authorization", text), *(("x-amz-meta", part) for part in text.split(",")[:1000])]
        for request in (
            ReceivedRequest("GET", "/a", text, []),
            ReceivedRequest("GET", f"/{text}", "", lines),
            ReceivedRequest("GET", "/", "", [("authorization", f"AWS4-HMAC-SHA256 {text}")]),
        ):
            _tried(work, request)
        return None

    return run


def _tried(work: Callable[[Any], object], value: object) -> None:
    try:
        work(value)
    except Exception:  # noqa: BLE001 - the next form of the text is measured too
        return


def _request_of(work: Callable[[Request], Awaitable[object]], media: str) -> Work:
    """The bytes as a request's body, in parts of 64 kB as the gateway has them."""

    def run(data: bytes) -> object:
        parts = [data[at : at + 65536] for at in range(0, len(data), 65536)]

        async def receive() -> MutableMapping[str, Any]:
            return {"type": "http.request", "body": parts.pop(0) if parts else b"", "more_body": bool(parts)}

        headers = [(b"content-type", media.encode()), (b"content-length", b"%d" % len(data))]
        scope = {"type": "http", "method": "POST", "path": "/", "query_string": b"", "headers": headers}
        return asyncio.run(cast(Any, work)(Request(scope, receive)))

    return run


def _chunked(data: bytes) -> object:
    decoder = ChunkedDecoder(
        UNSIGNED_TRAILER, len(data), cast(Any, None), frozenset(("x-amz-checksum-crc32",))
    )
    return [decoder.feed(data[at : at + 65536]) for at in range(0, len(data), 65536)]


def _head(data: bytes) -> object:
    fields = [(line, b"") for line in data.split(b"\r\n")]
    return (
        fault_of(data, 65536),
        opens_socket(data, (b"/realtime/v1",)),
        is_below(data, (b"/realtime/v1",)),
        without_upgrade(data),
        without_empty_lines(data),
        headers_of(fields),
    )


def _relayed(data: bytes) -> object:
    async def read() -> object:
        reader = asyncio.StreamReader()
        reader.feed_data(frame(HEAD, data))
        return await _read_head(reader)

    return asyncio.run(read())


def _filter(data: bytes) -> object:
    request = ChangeRequest(id=1, event="*", schema="public", table="a", filter=data.decode(), select=None)
    return filters_of(request)


def _token(data: bytes) -> object:
    text = data.decode()
    for token in (text, f"{text}.{text}.{text}", f"eyJhbGciOiJIUzI1NiJ9.{text}.a"):
        _tried(lambda each: jwt.verify(each, _SECRET, 0.0), token)
    return None


def _text(work: Callable[[str], object]) -> Work:
    return lambda data: work(data.decode("latin-1"))


def _framed(data: bytes) -> object:
    body = ChunkedBody()
    while data and not body.is_complete:
        data = data[body.take(data) :]
    return body


WIRE_PARSERS: Mapping[str, tuple[Work, int, Mapping[str, Shape]]] = {
    "core.web.http:headers_of": (_head, HEAD_BYTES, _HEADS),
    "core.tokens.jwt:verify": (_token, HEAD_BYTES, shapes.TEXTS),
    "functions.gateway:target_of": (_text(target_of), 16_000, shapes.PATHS),
    "functions.relay:_read_head": (_relayed, 200_000, shapes.JSON),
    "gateway.http.framing:ChunkedBody.take": (_framed, 256_000, shapes.CHUNKS),
    "gateway.http.head:fault_of": (_head, HEAD_BYTES, _HEADS),
    "gateway.http.head:is_below": (_head, HEAD_BYTES, _HEADS),
    "gateway.http.head:opens_socket": (_head, HEAD_BYTES, _HEADS),
    "gateway.http.head:without_empty_lines": (_head, HEAD_BYTES, _HEADS),
    "gateway.http.head:without_upgrade": (_head, HEAD_BYTES, _HEADS),
    "mail.store:parse": (parse_mail, HEAD_BYTES, _MAILS),
    "realtime.changes.filters:filters_of": (_filter, 128_000, shapes.TEXTS),
    "storage.bodies:incoming_file": (
        _request_of(incoming_file, f"multipart/form-data; boundary={shapes.BOUNDARY}"), BODY_BYTES, shapes.MULTIPART,
    ),
    "storage.bodies:user_metadata_of": (_text(user_metadata_of), HEAD_BYTES, shapes.TEXTS),
    "storage.public_objects:PublicObjects.submit": (
        # what is no path of its own is left to the other way
        lambda text: PublicObjects(_NONE, _NONE).submit(text + b"? HTTP/1.1", _NONE, _NONE),
        16_000,
        shapes.TEXTS,
    ),
    "storage.names:checked_key": (_text(checked_key), 16_000, shapes.TEXTS),
    "storage.aws.canonical:canonical_request": (
        _of_s3(lambda request: canonical_request(request, [name for name, _ in request.headers], "a")),
        HEAD_BYTES, {**shapes.TEXTS, **shapes.QUERIES},
    ),
    "storage.s3.chunked:ChunkedDecoder.feed": (_chunked, 256_000, _AWS_CHUNKS),
    "storage.s3.chunked:ChunkedDecoder._read_trailers": (_chunked, 256_000, _AWS_CHUNKS),
    "storage.s3.chunked:ChunkedDecoder._take_trailers": (_chunked, 256_000, _AWS_CHUNKS),
    # In a thread of its own, where Expat gives the loop its turn.
    "storage.aws.documents:_parse": (
        lambda data: parse_document(data, "Delete", "Object", 1000), BODY_BYTES, shapes.XML,
    ),
    "storage.s3.signature:read_signature": (
        _of_s3(read_signature), HEAD_BYTES, {**shapes.TEXTS, **shapes.QUERIES},
    ),
    "storage.tus.protocol:metadata_of": (_text(metadata_of), HEAD_BYTES, shapes.TEXTS),
    "studio.app:_body": (_request_of(studio_body, "application/json"), BODY_BYTES, shapes.JSON),
}  # fmt: skip
"""By the functions' names in the code: what does the work, its largest text and that text's shapes."""
