"""The gateway below ASGI: for requests that it has met before, what `app` does, in a fraction of the time.

What a block of header bytes reads as is cached under these bytes, and with it the caller until the token expires:
both are functions of the block, and of the keys that tokens are judged by. What the service does not take at once
falls back to the ASGI path, through `App`, and so does whatever is unusual about a request.
"""

from __future__ import annotations

import logging
import re
from collections.abc import Callable
from typing import Protocol

from localbase.core.cache import BoundedCache
from localbase.core.errors import ApiError
from localbase.core.http import HeaderBlock, QuickAnswer, QuickAsk
from localbase.core.http_block import LONGEST_BLOCK, parse_header_block
from localbase.core.http_quick import Exchange, QuickProtocol, Work
from localbase.core.identity import Identities
from localbase.core.jwt import TokenError

# A longer request is not cached: it would take its place in memory and hardly come again.
_LONGEST_LINE = 4096
_log = logging.getLogger("localbase.gateway")
_VERSION = b" HTTP/1.1"
_FAILED = b'{"message":"An unexpected error occurred"}'
_FAILED_LINES = b"content-type: application/json; charset=utf-8\r\ncontent-length: %d\r\n" % len(_FAILED)

Tally = Callable[[str, str, int, float, str], None]


class QuickService(Protocol):
    """A service that may answer requests which it has met before without a task."""

    def judge(self) -> Identities:
        """Who judges tokens."""

    def repeat(self, line: bytes, head: HeaderBlock, body: bytes, answer: QuickAnswer) -> Work | None:
        """Takes a request that has come before, byte for byte, or leaves it, perhaps to `begin`."""

    def begin(self, ask: QuickAsk, head: HeaderBlock, answer: QuickAnswer) -> Work | None:
        """Takes a request, or leaves it. `answer` is called later, from the loop."""


class QuickGate:
    """The gate of the service under `prefix`."""

    def __init__(
        self,
        prefix: str,
        service: QuickService,
        identities: Identities,
        common: bytes,
        names: Callable[[], str],
        tally: Tally,
    ) -> None:
        """`common` are the header lines of every answer; `names` gives request ids; `tally` counts and logs a request.

        It is told the service, "METHOD /path", status, seconds and id.
        """
        self._service_name = prefix.split("/", 2)[1]
        self._line = re.compile(
            rb"(GET|POST|PATCH|DELETE) "
            + re.escape(prefix.encode())
            + rb"(/[A-Za-z0-9_/-]*)(?:\?([!\"$-~]*))? HTTP/1\.1"
        )
        self._service = service
        self._identities = identities
        self._common = common + b"x-request-id: "
        self._names = names
        self._tally = tally
        self._blocks: BoundedCache[bytes, HeaderBlock] = BoundedCache(2048)
        # Blocks whose requests are left to the ASGI path; kept apart, so that they cannot push out the others.
        self._others: BoundedCache[bytes, bool] = BoundedCache(256)

    def header_block(self, block: bytes) -> HeaderBlock | None:
        """What a block of headers reads as; None for one whose requests go to the ASGI path."""
        known = self._blocks.get(block)
        if known is not None or len(block) > LONGEST_BLOCK or self._others.get(block):
            return known
        head = parse_header_block(block)
        if head is None or not head.headers.get("apikey"):
            self._others.put(block, True, len(block))
            return None
        # Bytes, texts and their objects take about four times as much.
        self._blocks.put(block, head, 4 * len(block))
        return head

    def begin(self, line: bytes, head: HeaderBlock, body: bytes, protocol: QuickProtocol) -> Exchange | None:
        """Takes a request, or leaves it."""
        if len(line) > _LONGEST_LINE or not self._knows_caller(head):
            return None
        answer = _Answer(self, protocol, line)
        try:
            work = self._service.repeat(line, head, body, answer)
            if work is None:
                found = self._line.fullmatch(line)
                if found is None:
                    return None
                method, path, query = found.groups(b"")
                work = self._service.begin(QuickAsk(line, method, path, query, body), head, answer)
        except Exception:  # noqa: BLE001 - the ordinary way meets it again, and reports it
            _log.exception("a request could not be answered quickly")
            return None
        answer.work = work
        return answer if work is not None else None

    def _knows_caller(self, head: HeaderBlock) -> bool:
        """Finds out who asks, unless that is known. Whoever is to be refused is refused the ordinary way."""
        judge = self._service.judge()
        if head.judge is judge and self._identities.now() < head.until:
            return True
        try:
            key = self._identities.require_key(head.headers)
            head.caller = judge.resolve(head.headers, key)
        except (ApiError, TokenError):
            return False
        head.until = judge.resolved_until(head.headers, key)
        head.judge = judge
        return True

    def finish(self, answer: _Answer, status: int, lines: bytes, body: bytes) -> None:
        """Sends an answer with the gateway's own headers, and accounts for it."""
        name = self._names()
        answer.send(status, (lines, self._common, name.encode(), b"\r\n"), body)
        self.account(answer, status, name)

    def account(self, answer: _Answer, status: int, name: str = "") -> None:
        """Counts and logs a request that has come to its end."""
        self._tally(self._service_name, answer.title, status, answer.seconds, name or self._names())

    def crash(self, answer: _Answer) -> None:
        """The last resort: logged with its traceback, answered as a 500."""
        _log.exception("%s failed", answer.title)
        self.finish(answer, 500, _FAILED_LINES, _FAILED)


class _Answer(Exchange):
    """What a service answers one request with."""

    __slots__ = ("_gate", "_line")

    def __init__(self, gate: QuickGate, protocol: QuickProtocol, line: bytes) -> None:
        super().__init__(protocol)
        self._gate = gate
        self._line = line

    @property
    def title(self) -> str:
        """The method and the path, for the log."""
        line = self._line
        end = line.find(b"?")
        return (line[:end] if end >= 0 else line[: -len(_VERSION)]).decode()

    def __call__(self, status: int, lines: bytes, body: bytes) -> None:
        self.work = None
        self._gate.finish(self, status, lines, body)

    def crash(self) -> None:
        """Called while an exception is handled that nobody expected."""
        self.work = None
        self._gate.crash(self)

    def unsendable(self, status: int) -> None:
        """The answer is unfit for HTTP: the client hears that something failed, as from uvicorn."""
        self.work = None
        self.fail()
        self._gate.account(self, status)

    def hang_up(self) -> None:
        """The client has gone."""
        if self.work is not None:
            super().hang_up()
            self.work = None
            self._gate.account(self, 499)
