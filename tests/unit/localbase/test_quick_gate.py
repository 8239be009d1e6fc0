"""The gateway below ASGI: whom it knows, for how long, and what it leaves to the ordinary way."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest
from localbase.app_quick import QuickGate
from localbase.core import jwt
from localbase.core.http import Head, QuickAnswer, QuickAsk
from localbase.core.identity import Identities
from localbase.core.settings import Settings

NOW = 1_800_000_000.0
KEYS = Settings().keys
_BLOCK = b"\r\nhost: x"


class _Clock:
    now = NOW

    def __call__(self) -> float:
        return self.now


class _Service:
    """Takes every request that it is shown, and keeps how to answer it."""

    def __init__(self, identities: Identities) -> None:
        self.identities = identities
        self.asked: list[tuple[bytes, bytes, bytes, bytes, str]] = []
        self.answers: list[QuickAnswer] = []
        self.known: set[bytes] = set()
        self.repeated: list[tuple[bytes, bytes]] = []

    def judge(self) -> Identities:
        return self.identities

    def repeat(self, line: bytes, head: Head, body: bytes, answer: QuickAnswer) -> Any:
        if line not in self.known or head.caller is None:
            return None
        self.repeated.append((line, body))
        self.answers.append(answer)
        return self

    def begin(self, ask: QuickAsk, head: Head, answer: QuickAnswer) -> Any:
        assert head.caller is not None
        self.asked.append((ask.method, ask.path, ask.query, ask.body, head.caller.role))
        self.answers.append(answer)
        return self

    def cancel(self) -> None:
        self.asked.clear()


class _Protocol:
    """Keeps what is answered on a connection."""

    def __init__(self) -> None:
        self.exchange: Any = None
        self.last = False
        self.sent: list[tuple[int, bytes, bytes]] = []

    def answer(self, status: int, lines: Sequence[bytes], body: bytes) -> None:
        self.sent.append((status, b"".join(lines), body))


class _Bench:
    """A gate with all that it works with."""

    def __init__(self) -> None:
        self.clock = _Clock()
        self.identities = Identities(KEYS, self.clock)
        self.service = _Service(self.identities)
        self.tallied: list[tuple[Any, ...]] = []
        self.connection: Any = _Protocol()
        self.gate = QuickGate(
            "/rest/v1", self.service, self.identities, b"vary: x\r\n", lambda: "id7", self._tally
        )

    def _tally(self, *given: Any) -> None:
        self.tallied.append(given)

    def learn(self, **more: str) -> None:
        pairs = {"host": "x", "apikey": KEYS.anon} | {
            name.replace("_", "-"): text for name, text in more.items()
        }
        self.gate.learn(_BLOCK, tuple((name.encode(), text.encode()) for name, text in pairs.items() if text))

    def asks(self, line: bytes = b"GET /rest/v1/t?id=eq.1 HTTP/1.1", body: bytes = b"") -> bool:
        head = self.gate.recognise(_BLOCK)
        assert head is not None
        self.connection.exchange = self.gate.begin(line, head, body, self.connection)
        return self.connection.exchange is not None


def test_an_answer_carries_the_gateways_headers_and_is_accounted_for() -> None:
    bench = _Bench()
    bench.learn()
    assert bench.asks()
    bench.service.answers[0](200, b"a: b\r\n", b"[]")
    assert bench.service.asked == [(b"GET", b"/t", b"id=eq.1", b"", "anon")]
    assert bench.connection.sent == [(200, b"a: b\r\nvary: x\r\nx-request-id: id7\r\n", b"[]")]
    [(service, title, status, seconds, name)] = bench.tallied
    assert (service, title, status, name) == ("rest", "GET /rest/v1/t", 200, "id7")
    assert 0 < seconds < 60


def test_a_request_that_came_before_is_shown_as_a_whole() -> None:
    bench = _Bench()
    bench.learn()
    line = b"POST /rest/v1/rpc/f HTTP/1.1"
    bench.service.known.add(line)
    assert bench.asks(line, b"{}")
    bench.service.answers[0](200, b"", b"1")
    assert (bench.service.repeated, bench.service.asked) == ([(line, b"{}")], [])
    assert bench.tallied[0][1] == "POST /rest/v1/rpc/f"


def test_a_token_counts_until_it_expires() -> None:
    bench = _Bench()
    token = jwt.sign({"role": "authenticated", "exp": NOW + 60}, KEYS.jwt_secret)
    bench.learn(authorization=f"Bearer {token}")
    assert bench.asks()
    assert bench.service.asked[-1][4] == "authenticated"
    bench.clock.now = NOW + 60 + jwt.LEEWAY_SECONDS - 1
    assert bench.asks()
    bench.clock.now += 2
    assert not bench.asks()


def test_another_judge_looks_at_the_token_anew() -> None:
    bench = _Bench()
    token = jwt.sign({"role": "authenticated"}, KEYS.jwt_secret)
    bench.learn(authorization=f"Bearer {token}")
    assert bench.asks()
    bench.service.identities = bench.identities.signed_with(
        "another secret of some length, yes", bench.identities._jwks
    )
    assert not bench.asks()


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
def test_unusual_headers_are_not_learned(header: dict[str, str]) -> None:
    bench = _Bench()
    bench.learn(**header)
    assert bench.gate.recognise(_BLOCK) is None


@pytest.mark.parametrize("more", [{"apikey": "wrong"}, {"authorization": "Bearer a.b.c"}])
def test_who_is_to_be_refused_is_left_to_the_ordinary_way(more: dict[str, str]) -> None:
    bench = _Bench()
    bench.learn(**more)
    assert not bench.asks()


@pytest.mark.parametrize(
    "line",
    [
        b"HEAD /rest/v1/t HTTP/1.1",
        b"OPTIONS /rest/v1/t HTTP/1.1",
        b"GET /rest/v1/t HTTP/1.0",
        b"GET /rest/v1/t%20x HTTP/1.1",
        b"GET /rest/v1/t?a=#b HTTP/1.1",
        b"GET /rest/v1/t?a=\xc3\xa9 HTTP/1.1",
        b"GET /rest/v12/t HTTP/1.1",
        b"GET /auth/v1/user HTTP/1.1",
        b"GET http://x/rest/v1/t HTTP/1.1",
        b"GET  /rest/v1/t HTTP/1.1",
    ],
)
def test_other_request_lines_are_left_to_the_ordinary_way(line: bytes) -> None:
    bench = _Bench()
    bench.learn()
    assert not bench.asks(line)


def test_a_request_whose_client_has_gone_counts_as_499() -> None:
    bench = _Bench()
    bench.learn()
    assert bench.asks()
    bench.connection.exchange.hang_up()
    bench.connection.exchange.hang_up()
    assert bench.service.asked == []
    assert [given[2] for given in bench.tallied] == [499]


def test_a_crash_is_a_500_and_an_unfit_header_a_failure() -> None:
    bench = _Bench()
    bench.learn()
    assert bench.asks()
    bench.service.answers[0].crash()
    bench.service.answers[0].unsendable(200)
    assert [sent[0] for sent in bench.connection.sent] == [500, 500]
    assert bench.connection.last
    assert [given[2] for given in bench.tallied] == [500, 200]
