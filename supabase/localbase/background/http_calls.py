"""Answers `http()` of SQL while its caller waits: a server that speaks Postgres's protocol, to which dblink connects.

One connection is one request, whose text is JSON. It ends with its caller's statement, and the request with it. No SQL
is run here. Messages: https://www.postgresql.org/docs/current/protocol-message-formats.html.
"""

from __future__ import annotations

import asyncio
import contextlib
import hmac
import json
import logging
import socket
import ssl
import struct
from typing import TYPE_CHECKING, Any

from localbase.background.http_options import HttpOptions
from localbase.background.requests import AT_ONCE, LONGEST_SECONDS, MOST_BYTES
from localbase.background.sending import charset_of, send, sendable_address
from localbase.core.deferred import deferred_client
from localbase.core.json_text import read_json

if TYPE_CHECKING:
    import httpx

_log = logging.getLogger("localbase.background")
# As long as `http--1.6.sql` lets it be.
_LONGEST_REQUEST = 8 * 1024 * 1024
# More than Postgres has connections.
_MOST_CALLS = 128
_GREETING_SECONDS, _LONGEST_GREETING = 5.0, 1024
_CLEARTEXT, _GREETED = struct.pack("!i", 3), struct.pack("!i", 0)
_COLUMNS = (b"status", b"content_type", b"headers", b"content")
_TEXT = struct.pack("!ihihih", 0, 0, 25, -1, -1, 0)
# Octets of a content that is no text, as `text_to_bytea` and `bytea_to_text` have them.
_OCTETS = {octet: 0x10FF00 + octet for octet in (0, *range(128, 256))}
_FROM_OCTETS = {character: octet for octet, character in _OCTETS.items()}


async def answer_until(ended: socket.socket, listening: socket.socket, key: str, api_port: int) -> None:
    """Serves until the other end of `ended` is closed."""
    ended.setblocking(False)
    async with HttpCalls(listening, key, api_port):
        await asyncio.get_running_loop().sock_recv(ended, 1)


class HttpCalls:
    """Serves calls that bring `key`, in a context."""

    def __init__(self, listening: socket.socket, key: str, api_port: int) -> None:
        self._listening = listening
        self._key = key.encode() + b"\0"
        self._api_port = api_port
        self._client = deferred_client(HttpOptions().client)
        self._room = asyncio.Semaphore(AT_ONCE)
        self._calls: set[asyncio.Task[None]] = set()
        self._has_ended = False

    async def __aenter__(self) -> None:
        self._server = await asyncio.start_server(self._begin, sock=self._listening)

    async def __aexit__(self, *_: object) -> None:
        self._has_ended = True
        self._server.close()
        for call in list(self._calls):
            call.cancel()
        await asyncio.gather(*self._calls, return_exceptions=True)
        await self._client.close()

    def _begin(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        if self._has_ended or len(self._calls) >= _MOST_CALLS:
            writer.close()
            return
        call = asyncio.create_task(self._serve(reader, writer))
        self._calls.add(call)
        call.add_done_callback(self._calls.discard)
        # Also of one that is cancelled before its first step: dblink waits for ever where nothing closes.
        call.add_done_callback(lambda _: writer.close())

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            async with asyncio.timeout(_GREETING_SECONDS):
                known = await self._greet(reader, writer)
            if known and (text := await _read_message(reader, b"Q", _LONGEST_REQUEST)):
                request = asyncio.create_task(self._answer(text))
                gone = asyncio.create_task(reader.read(1))
                await asyncio.wait((request, gone), return_when=asyncio.FIRST_COMPLETED)
                # Where the caller has gone, by a cancel or its end, so does its request.
                if gone.done():
                    request.cancel()
                else:
                    gone.cancel()
                await asyncio.wait((request, gone))
                if not request.cancelled():
                    writer.write(request.result() + _message(b"Z", b"I"))
                    await writer.drain()
        except (OSError, EOFError, TimeoutError, struct.error) as error:
            _log.info("a call of http() was cut off: %s", error)

    async def _greet(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> bool:
        (length,) = struct.unpack("!i", await reader.readexactly(4))
        if not 8 <= length <= _LONGEST_GREETING:
            return False
        await reader.readexactly(length - 4)
        writer.write(_message(b"R", _CLEARTEXT))
        key = await _read_message(reader, b"p", _LONGEST_GREETING)
        if not hmac.compare_digest(key, self._key):
            writer.write(_error("another process answers here now", "28P01"))
            return False
        # With its encoding told, libpq asks for none.
        encoding = _message(b"S", b"client_encoding\0UTF8\0")
        writer.write(_message(b"R", _GREETED) + encoding + _message(b"Z", b"I"))
        return True

    async def _answer(self, text: bytes) -> bytes:
        import httpx

        options = HttpOptions()
        try:
            call = read_json(text.rstrip(b"\0"))
            options = HttpOptions.parse(call["options"] or {}, call["agent"])
            async with asyncio.timeout(options.seconds(LONGEST_SECONDS)), self._room:
                return await self._perform(call, options)
        except httpx.ConnectTimeout:
            return _error(f"Connection timed out after {options.connect_timeout} milliseconds")
        except TimeoutError:
            return _error(f"Operation timed out after {options.timeout} milliseconds with 0 bytes received")
        except httpx.TooManyRedirects:
            return _error("Maximum (5) redirects followed")
        except httpx.ConnectError as error:
            return _error(_unreached(error))
        except (httpx.HTTPError, httpx.InvalidURL, ValueError) as error:
            return _error(str(error) or type(error).__name__)
        except Exception as error:  # noqa: BLE001 - the caller sees it as the request's error
            _log.exception("a call of http() failed")
            return _error(type(error).__name__)

    async def _perform(self, call: dict[str, Any], options: HttpOptions) -> bytes:
        address = sendable_address(call["uri"], self._api_port)
        async with contextlib.AsyncExitStack() as stack:
            if options.is_usual():
                client = await self._client.get()
            else:
                client = await stack.enter_async_context(await asyncio.to_thread(options.client))
            content = None if call["content"] is None else _octets(call["content"])
            request = client.build_request(
                call["method"], address, headers=_headers(call, options), content=content
            )
            if options.login is not None:
                import httpx

                request = next(httpx.BasicAuth(*options.login).sync_auth_flow(request))
            # As there, a HEAD shows where it would be led.
            follow = call["method"] != "HEAD"
            response, body = await send(client, request, MOST_BYTES, follow=follow)
        fields = [pair for hop in (*response.history, response) for pair in hop.headers.raw]
        headers = [[name.decode("latin-1"), value.decode("latin-1")] for name, value in fields]
        values = (
            str(response.status_code).encode(),
            response.headers["content-type"].encode() if "content-type" in response.headers else None,
            json.dumps(headers).encode(),
            _text(body, charset_of(response)).encode(),
        )
        return _row(values)


def _headers(call: dict[str, Any], options: HttpOptions) -> list[tuple[str, str]]:
    """The call's own in the place of the usual ones; an empty one takes that away, as for libcurl."""
    usual = {
        "User-Agent": options.agent,
        "Accept": "*/*",
        "Accept-Encoding": "identity",
        "Connection": "Keep-Alive" if options.keep_alive else "close",
        "Charsets": "utf-8",
    }
    own = [(name, value) for name, value in call["headers"] or ()]
    named = {name.lower() for name, _ in own}
    headers = [(name, value) for name, value in usual.items() if name.lower() not in named]
    if call["content"] is not None:
        headers.append(("Content-Type", call["content_type"]))
    return headers + [(name, value) for name, value in own if value.strip()]


def _text(body: bytes, charset: str | None) -> str:
    """A body as text: by its charset, else as UTF-8, else octet by octet."""
    for encoding in filter(None, (charset, "utf-8")):
        with contextlib.suppress(UnicodeError, LookupError):
            text = body.decode(encoding)
            if "\0" not in text:
                return text
    return body.decode("latin-1").translate(_OCTETS)


def _octets(content: str) -> bytes:
    """Return what a content stands for: `bytea_to_text` may have made it."""
    if not any(chr(character) in content for character in (min(_FROM_OCTETS), *_FROM_OCTETS)):
        return content.encode()
    return content.translate(_FROM_OCTETS).encode("latin-1")


def _unreached(error: httpx.ConnectError) -> str:
    """Libcurl's words for it."""
    url, cause = error.request.url, error.__context__
    while cause is not None:
        if isinstance(cause, socket.gaierror):
            return f"Could not resolve host: {url.host}"
        if isinstance(cause, ssl.SSLError):
            return f"SSL certificate problem: {cause}"
        cause = cause.__context__
    port = url.port or {"http": 80, "https": 443}[url.scheme]
    return f"Failed to connect to {url.host} port {port}: Couldn't connect to server"


async def _read_message(reader: asyncio.StreamReader, kind: bytes, longest: int) -> bytes:
    """The body of the next message; empty for one of another kind or beyond `longest`."""
    head = await reader.readexactly(5)
    length = struct.unpack("!i", head[1:])[0] - 4
    if head[:1] != kind or not 0 <= length <= longest:
        return b""
    return await reader.readexactly(length)


def _message(kind: bytes, body: bytes) -> bytes:
    return kind + struct.pack("!i", len(body) + 4) + body


def _error(text: str, code: str = "XX000") -> bytes:
    fields = {"S": "ERROR", "V": "ERROR", "C": code, "M": text.replace("\0", "\ufffd")}
    return _message(b"E", b"".join(f"{name}{value}\0".encode() for name, value in fields.items()) + b"\0")


def _row(values: tuple[bytes | None, ...]) -> bytes:
    """A result of one row."""
    named = struct.pack("!h", len(_COLUMNS)) + b"".join(name + b"\0" + _TEXT for name in _COLUMNS)
    fields = b"".join(
        struct.pack("!i", -1) if value is None else struct.pack("!i", len(value)) + value for value in values
    )
    row = struct.pack("!h", len(values)) + fields
    return _message(b"T", named) + _message(b"D", row) + _message(b"C", b"SELECT 1\0")
