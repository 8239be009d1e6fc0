"""The fast path of the gateway: callers and how long they are valid, and what falls back to the ASGI path."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest
from localbase.core.authenticator import Authenticator
from localbase.core.settings import Settings
from localbase.core.tokens import jwt
from localbase.core.web.http import ANY_LENGTH, FastResponse, HeaderBlock
from localbase.gateway.fast_path import FastPath

NOW = 1_800_000_000.0
KEYS = Settings().keys


class _Clock:
    now = NOW

    def __call__(self) -> float:
        return self.now


class _Service:
    """Takes every request, and remembers how to respond to it."""

    def __init__(self, authenticator: Authenticator) -> None:
        self.verifier = authenticator
        self.requests: list[tuple[bytes, bytes, str]] = []
        self.responses: list[FastResponse] = []
        self.eligible = True

    def authenticator(self) -> Authenticator:
        return self.verifier

    def submit(self, line: bytes, block: HeaderBlock, body: bytes, response: FastResponse) -> Any:
        assert block.caller is not None
        if not self.eligible:
            return None
        self.requests.append((line, body, block.caller.role))
        self.responses.append(response)
        return self

    def cancel(self) -> None:
        self.requests.clear()


class _Protocol:
    """Remembers what is sent on a connection."""

    def __init__(self) -> None:
        self.request: Any = None
        self.last = False
        self.sent: list[tuple[int, bytes, bytes]] = []

    def respond(self, status: int, lines: Sequence[bytes], body: bytes) -> None:
        self.sent.append((status, b"".join(lines), body))


class _Bench:
    """A fast path with all that it works with."""

    def __init__(self) -> None:
        self.clock = _Clock()
        self.authenticator = Authenticator(KEYS, self.clock)
        self.service = _Service(self.authenticator)
        self.accounted: list[tuple[Any, ...]] = []
        self.connection: Any = _Protocol()
        self.fast_path = FastPath(
            "/rest/v1", self.service, self.authenticator, b"vary: x\r\n", lambda: "id7", self._account
        )

    def _account(self, *record: Any) -> None:
        self.accounted.append(record)

    def head(self, **more: str) -> HeaderBlock | None:
        pairs = {"host": "x", "apikey": KEYS.anon} | {
            name.replace("_", "-"): text for name, text in more.items()
        }
        lines = [f"\r\n{name}: {text}" for name, text in pairs.items() if text]
        block_and_length = self.fast_path.header_block("".join(lines).encode())
        return block_and_length and block_and_length[0]

    def is_accepted(
        self,
        line: bytes = b"GET /rest/v1/t?id=eq.1 HTTP/1.1",
        body: bytes = b"",
        headers: dict[str, str] | None = None,
    ) -> bool:
        head = self.head(**(headers or {}))
        assert head is not None
        self.connection.request = self.fast_path.submit(line, head, body, self.connection)
        return self.connection.request is not None


def test_response_has_the_gateways_headers_and_is_accounted_for() -> None:
    bench = _Bench()
    assert bench.is_accepted()
    bench.service.responses[0](200, b"a: b\r\n", b"[]")
    assert bench.service.requests == [(b"GET /rest/v1/t?id=eq.1 HTTP/1.1", b"", "anon")]
    assert bench.connection.sent == [(200, b"a: b\r\nvary: x\r\nx-request-id: id7\r\n", b"[]")]
    [(service, title, status, seconds, name, *sizes)] = bench.accounted
    assert (service, title, status, name) == ("rest", "GET /rest/v1/t", 200, "id7")
    assert sizes == [0, 2]
    assert 0 < seconds < 60


def test_body_is_part_of_the_request() -> None:
    bench = _Bench()
    line = b"POST /rest/v1/rpc/f HTTP/1.1"
    assert bench.is_accepted(line, b"{}")
    bench.service.responses[0](200, b"", b"1")
    assert bench.service.requests == [(line, b"{}", "anon")]
    assert bench.accounted[0][1] == "POST /rest/v1/rpc/f"
    assert bench.accounted[0][5:] == (2, 1)


def test_request_that_the_service_does_not_take_falls_back_to_the_asgi_path() -> None:
    bench = _Bench()
    bench.service.eligible = False
    assert not bench.is_accepted()
    assert bench.accounted == []


def test_token_is_valid_until_it_expires() -> None:
    bench = _Bench()
    token = jwt.sign({"role": "authenticated", "exp": NOW + 60}, KEYS.jwt_secret)
    assert bench.is_accepted(headers={"authorization": f"Bearer {token}"})
    assert bench.service.requests[-1][2] == "authenticated"
    bench.clock.now = NOW + 60 + jwt.LEEWAY_SECONDS - 1
    assert bench.is_accepted(headers={"authorization": f"Bearer {token}"})
    bench.clock.now += 2
    assert not bench.is_accepted(headers={"authorization": f"Bearer {token}"})


def test_other_authenticator_verifies_the_token_anew() -> None:
    bench = _Bench()
    token = jwt.sign({"role": "authenticated"}, KEYS.jwt_secret)
    assert bench.is_accepted(headers={"authorization": f"Bearer {token}"})
    bench.service.verifier = bench.authenticator.signed_with(
        "another secret of some length, yes", bench.authenticator._jwks
    )
    assert not bench.is_accepted(headers={"authorization": f"Bearer {token}"})


@pytest.mark.parametrize(
    "header",
    [
        {"connection": "close"},
        {"connection": "upgrade", "upgrade": "websocket"},
        {"expect": "100-continue"},
        {"transfer_encoding": "chunked"},
        {"x_request_id": "mine"},
        {"content_length": "five"},
        {"apikey": ""},
    ],
)
def test_unusual_headers_fall_back_to_the_asgi_path(header: dict[str, str]) -> None:
    bench = _Bench()
    assert [bench.head(**header), bench.head(**header)] == [None, None]


def test_repeated_block_is_the_same_object() -> None:
    bench = _Bench()
    assert bench.head() is bench.head()
    assert bench.head(accept="text/csv") is not bench.head()


@pytest.mark.parametrize("name", ["Content-Length", "content-length"])
def test_blocks_that_differ_in_the_length_of_the_body_are_the_same(name: str) -> None:
    fast_path = _Bench().fast_path

    def block(value: str) -> tuple[HeaderBlock, int] | None:
        return fast_path.header_block(f"\r\nhost: x\r\napikey: k\r\n{name}: {value}\r\nx-a: b".encode())

    first, second, third = block("17"), block("1234"), block("0")
    assert first is not None
    assert second is not None
    assert third is not None
    assert first[0] is second[0] is third[0]
    assert (first[1], second[1], third[1]) == (17, 1234, 0)
    assert first[0].headers["content-length"] == ANY_LENGTH
    assert block("65537") is None


@pytest.mark.parametrize(
    "line",
    [
        "content-length: 007",
        "CONTENT-LENGTH: 7",
        "content-length:7",
        "x: y\r\nx-content-length: 9\r\ncontent-Length: 7",
    ],
)
def test_length_that_is_written_unusually_is_part_of_the_block(line: str) -> None:
    fast_path = _Bench().fast_path
    block_and_length = fast_path.header_block(f"\r\nhost: x\r\napikey: k\r\n{line}".encode())
    assert block_and_length is not None
    assert (block_and_length[1], block_and_length[0].headers["content-length"]) == (
        7,
        line.rpartition(":")[2].strip(),
    )


def test_two_lengths_are_left_to_the_asgi_path() -> None:
    fast_path = _Bench().fast_path
    lines = "\r\napikey: k\r\ncontent-length: 5\r\nContent-Length: 6"
    assert fast_path.header_block(lines.encode()) is None


def test_ineligible_blocks_do_not_push_out_the_others() -> None:
    bench = _Bench()
    first_block = bench.head()
    for number in range(5000):
        assert bench.head(x_request_id=str(number)) is None
    assert bench.head() is first_block


@pytest.mark.parametrize("more", [{"apikey": "wrong"}, {"authorization": "Bearer a.b.c"}])
def test_rejected_callers_fall_back_to_the_asgi_path(more: dict[str, str]) -> None:
    bench = _Bench()
    assert not bench.is_accepted(headers=more)


def test_request_whose_client_has_gone_counts_as_499() -> None:
    bench = _Bench()
    assert bench.is_accepted()
    bench.connection.request.hang_up()
    bench.connection.request.hang_up()
    assert bench.service.requests == []
    assert [record[2] for record in bench.accounted] == [499]


def test_internal_error_is_a_500_and_an_invalid_header_a_failure() -> None:
    bench = _Bench()
    assert bench.is_accepted()
    bench.service.responses[0].internal_error()
    bench.service.responses[0].invalid_header(200)
    assert [sent[0] for sent in bench.connection.sent] == [500, 500]
    assert bench.connection.last
    assert [record[2] for record in bench.accounted] == [500, 200]
