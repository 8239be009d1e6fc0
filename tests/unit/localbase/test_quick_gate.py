"""The gateway below ASGI: whom it knows, for how long, and what it leaves to the ordinary way."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest
from localbase.app_quick import QuickGate
from localbase.core import jwt
from localbase.core.http import HeaderBlock, QuickAnswer, QuickAsk
from localbase.core.identity import Identities
from localbase.core.settings import Settings

NOW = 1_800_000_000.0
KEYS = Settings().keys


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

    def repeat(self, line: bytes, head: HeaderBlock, body: bytes, answer: QuickAnswer) -> Any:
        if line not in self.known or head.caller is None:
            return None
        self.repeated.append((line, body))
        self.answers.append(answer)
        return self

    def begin(self, ask: QuickAsk, head: HeaderBlock, answer: QuickAnswer) -> Any:
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

    def head(self, **more: str) -> HeaderBlock | None:
        pairs = {"host": "x", "apikey": KEYS.anon} | {
            name.replace("_", "-"): text for name, text in more.items()
        }
        lines = [f"\r\n{name}: {text}" for name, text in pairs.items() if text]
        return self.gate.header_block("".join(lines).encode())

    def asks(
        self,
        line: bytes = b"GET /rest/v1/t?id=eq.1 HTTP/1.1",
        body: bytes = b"",
        headers: dict[str, str] | None = None,
    ) -> bool:
        head = self.head(**(headers or {}))
        assert head is not None
        self.connection.exchange = self.gate.begin(line, head, body, self.connection)
        return self.connection.exchange is not None


def test_an_answer_carries_the_gateways_headers_and_is_accounted_for() -> None:
    bench = _Bench()
    assert bench.asks()
    bench.service.answers[0](200, b"a: b\r\n", b"[]")
    assert bench.service.asked == [(b"GET", b"/t", b"id=eq.1", b"", "anon")]
    assert bench.connection.sent == [(200, b"a: b\r\nvary: x\r\nx-request-id: id7\r\n", b"[]")]
    [(service, title, status, seconds, name)] = bench.tallied
    assert (service, title, status, name) == ("rest", "GET /rest/v1/t", 200, "id7")
    assert 0 < seconds < 60


def test_a_request_that_came_before_is_shown_as_a_whole() -> None:
    bench = _Bench()
    line = b"POST /rest/v1/rpc/f HTTP/1.1"
    bench.service.known.add(line)
    assert bench.asks(line, b"{}")
    bench.service.answers[0](200, b"", b"1")
    assert (bench.service.repeated, bench.service.asked) == ([(line, b"{}")], [])
    assert bench.tallied[0][1] == "POST /rest/v1/rpc/f"


def test_a_token_counts_until_it_expires() -> None:
    bench = _Bench()
    token = jwt.sign({"role": "authenticated", "exp": NOW + 60}, KEYS.jwt_secret)
    assert bench.asks(headers={"authorization": f"Bearer {token}"})
    assert bench.service.asked[-1][4] == "authenticated"
    bench.clock.now = NOW + 60 + jwt.LEEWAY_SECONDS - 1
    assert bench.asks(headers={"authorization": f"Bearer {token}"})
    bench.clock.now += 2
    assert not bench.asks(headers={"authorization": f"Bearer {token}"})


def test_another_judge_looks_at_the_token_anew() -> None:
    bench = _Bench()
    token = jwt.sign({"role": "authenticated"}, KEYS.jwt_secret)
    assert bench.asks(headers={"authorization": f"Bearer {token}"})
    bench.service.identities = bench.identities.signed_with(
        "another secret of some length, yes", bench.identities._jwks
    )
    assert not bench.asks(headers={"authorization": f"Bearer {token}"})


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


def test_a_block_that_comes_again_is_the_same_one() -> None:
    bench = _Bench()
    assert bench.head() is bench.head()
    assert bench.head(accept="text/csv") is not bench.head()


def test_blocks_without_use_do_not_push_out_the_others() -> None:
    bench = _Bench()
    known = bench.head()
    for number in range(5000):
        assert bench.head(x_request_id=str(number)) is None
    assert bench.head() is known


@pytest.mark.parametrize("more", [{"apikey": "wrong"}, {"authorization": "Bearer a.b.c"}])
def test_who_is_to_be_refused_is_left_to_the_ordinary_way(more: dict[str, str]) -> None:
    bench = _Bench()
    assert not bench.asks(headers=more)


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
    assert not bench.asks(line)


def test_a_request_whose_client_has_gone_counts_as_499() -> None:
    bench = _Bench()
    assert bench.asks()
    bench.connection.exchange.hang_up()
    bench.connection.exchange.hang_up()
    assert bench.service.asked == []
    assert [given[2] for given in bench.tallied] == [499]


def test_a_crash_is_a_500_and_an_unfit_header_a_failure() -> None:
    bench = _Bench()
    assert bench.asks()
    bench.service.answers[0].crash()
    bench.service.answers[0].unsendable(200)
    assert [sent[0] for sent in bench.connection.sent] == [500, 500]
    assert bench.connection.last
    assert [given[2] for given in bench.tallied] == [500, 200]
