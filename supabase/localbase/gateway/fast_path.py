"""The fast path: everyday requests of one service, answered without ASGI's scope, queues and task.

What a block of header bytes reads as is cached under these bytes, and with it the caller until the token expires:
both are functions of the block, and of the authenticator. Requests that the service does not take fall back to the ASGI
path, through `App`, and rejections are produced there.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import BinaryIO, Protocol

from localbase.core.authenticator import Authenticator
from localbase.core.cache import BoundedCache
from localbase.core.errors import ApiError
from localbase.core.tokens.jwt import TokenError
from localbase.core.web.http import ANY_LENGTH, LONGEST_BLOCK, FastResponse, HeaderBlock
from localbase.gateway.http.fast_protocol import FastPathProtocol, FastRequest, Work
from localbase.gateway.http.header_block import LONGEST_BODY, parse_header_block, split_content_length

_log = logging.getLogger("localbase.gateway")
_VERSION = b" HTTP/1.1"
_ERROR = b'{"message":"An unexpected error occurred"}'
_ERROR_LINES = b"content-type: application/json; charset=utf-8\r\ncontent-length: %d\r\n" % len(_ERROR)

Account = Callable[[str, str, int, float, str, int, int], None]


class FastService(Protocol):
    """A service that takes some requests without a task."""

    def authenticator(self) -> Authenticator | None:
        """The verifier of tokens; None where requests need neither key nor token."""

    def submit(self, line: bytes, block: HeaderBlock, body: bytes, response: FastResponse) -> Work | None:
        """Begins the work on a request; None if it is not eligible. The loop calls `response` later."""


class FastPath:
    """The fast path of the service under `prefix`."""

    def __init__(
        self,
        prefix: str,
        service: FastService,
        authenticator: Authenticator,
        common: bytes,
        new_id: Callable[[], str],
        account: Account,
    ) -> None:
        """`common` are the header lines of every response; `new_id` makes request ids; `account` counts and logs.

        The latter gets the service, "METHOD /path", status, seconds, id, and the sizes of both bodies.
        """
        self._service_name = prefix.split("/", 2)[1]
        self._service = service
        self._authenticator = authenticator
        self._common = common + b"x-request-id: "
        self._new_id = new_id
        self._account = account
        self._blocks: BoundedCache[bytes, HeaderBlock] = BoundedCache(2048)
        # Blocks of requests for the ASGI path; apart, so that they cannot push out the others.
        self._ineligible: BoundedCache[bytes, bool] = BoundedCache(256)

    def header_block(self, block: bytes) -> tuple[HeaderBlock, int] | None:
        """A block of headers, and the length of its body; None for one whose requests go to the ASGI path."""
        block, length = split_content_length(block)
        if length is not None and length > LONGEST_BODY:
            return None
        header_block = self._blocks.get(block)
        if header_block is None:
            header_block = self._parsed(block, any_length=length is not None)
            if header_block is None:
                return None
        return header_block, header_block.length if length is None else length

    def _parsed(self, block: bytes, *, any_length: bool) -> HeaderBlock | None:
        if len(block) > LONGEST_BLOCK or self._ineligible.get(block):
            return None
        parsed = parse_header_block(block)
        needs_key = self._service.authenticator() is not None
        if parsed is None or (needs_key and not parsed.headers.get("apikey")):
            self._ineligible.put(block, True, len(block))
            return None
        if needs_key:
            parsed.headers["authorization"] = self._authenticator.authorization(parsed.headers)
        if any_length:
            parsed.headers["content-length"] = ANY_LENGTH
        # Bytes, texts and their objects take about four times as much.
        self._blocks.put(block, parsed, 4 * len(block))
        return parsed

    def submit(
        self, line: bytes, block: HeaderBlock, body: bytes, protocol: FastPathProtocol
    ) -> FastRequest | None:
        """Begins the work on a request; None if it is not eligible for the fast path."""
        if not self._has_caller(block):
            return None
        request = _Request(self, protocol, line, len(body))
        try:
            request.work = self._service.submit(line, block, body, request)
        except Exception:  # noqa: BLE001 - the ASGI path meets it again, and reports it
            _log.exception("the fast path failed, and left a request to the ASGI path")
            return None
        return request if request.work is not None else None

    def _has_caller(self, block: HeaderBlock) -> bool:
        """Finds the block's caller, unless it has one whose token is still valid."""
        authenticator = self._service.authenticator()
        if authenticator is None:
            return True
        if block.authenticator is authenticator and self._authenticator.now() < block.until:
            return True
        try:
            key = self._authenticator.require_key(block.headers)
            block.caller = authenticator.resolve(block.headers, key)
        except (ApiError, TokenError):
            return False
        block.until = authenticator.resolved_until(block.headers, key)
        block.authenticator = authenticator
        return True

    def respond(self, request: _Request, status: int, lines: bytes, body: bytes) -> None:
        """Sends a response with the gateway's own headers, and accounts for the request."""
        request_id = self._new_id()
        request.send(status, (lines, self._common, request_id.encode(), b"\r\n"), body)
        self.account(request, status, request_id, len(body))

    def respond_with_file(self, request: _Request, lines: bytes, file: BinaryIO, size: int) -> None:
        """Sends a file of `size` bytes, which is closed then, and accounts for the request."""
        request_id = self._new_id()

        def ended(is_whole: bool) -> None:
            self.account(request, 200 if is_whole else 499, request_id, size if is_whole else 0)

        request.send_file((lines, self._common, request_id.encode(), b"\r\n"), file, size, ended)

    def account(self, request: _Request, status: int, request_id: str = "", sent: int = 0) -> None:
        """Counts and logs a request that has come to its end, with `sent` bytes of a body."""
        request_id = request_id or self._new_id()
        self._account(
            self._service_name, request.title, status, request.seconds, request_id, request.received, sent
        )

    def respond_to_internal_error(self, request: _Request) -> None:
        """The last resort: the traceback goes to the log, a 500 to the client."""
        _log.exception("%s failed", request.title)
        self.respond(request, 500, _ERROR_LINES, _ERROR)


class _Request(FastRequest):
    """One request, and how it is responded to."""

    __slots__ = ("_fast_path", "_line", "received")

    def __init__(self, fast_path: FastPath, protocol: FastPathProtocol, line: bytes, received: int) -> None:
        super().__init__(protocol)
        self._fast_path = fast_path
        self._line = line
        self.received = received

    @property
    def title(self) -> str:
        """The method and the path, for the log."""
        line = self._line
        end = line.find(b"?")
        return (line[:end] if end >= 0 else line[: -len(_VERSION)]).decode()

    def __call__(self, status: int, lines: bytes, body: bytes) -> None:
        self.work = None
        self._fast_path.respond(self, status, lines, body)

    def with_file(self, lines: bytes, file: BinaryIO, size: int) -> None:
        """A file of `size` bytes, which is closed when it has been sent."""
        self.work = None
        self._fast_path.respond_with_file(self, lines, file, size)

    def internal_error(self) -> None:
        """Called while an unexpected exception is handled."""
        self.work = None
        self._fast_path.respond_to_internal_error(self)

    def invalid_header(self, status: int) -> None:
        """HTTP cannot carry one of the headers: the client gets the response that uvicorn would send."""
        self.work = None
        self.fail()
        self._fast_path.account(self, status)

    def hang_up(self) -> None:
        """The client has gone."""
        if self.work is not None:
            super().hang_up()
            self.work = None
            self._fast_path.account(self, 499)
