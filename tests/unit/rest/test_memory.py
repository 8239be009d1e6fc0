"""What is remembered of a request gives what reading it anew would give."""

from __future__ import annotations

import re

import pytest
from hypothesis import given, settings
from localbase.core.http import HeaderBlock, QuickAsk, Request, header_of
from localbase.postgres.session import TransactionContext
from localbase.rest.memory import Judgement, Memory
from localbase.rest.quick import Shot, entry_of, location_of
from localbase.rest.templates import cut

from tests.unit.rest.request_pairs import parsed, request_pairs, template_of

_TAKEN_BY_THE_GATE = re.compile(rb'[!"$-~]*')


def _refuse(error: Exception) -> object:
    raise error


class _Asker:
    """One client, and what is remembered of its requests."""

    def __init__(self, headers: dict[str, str]) -> None:
        self.memory = Memory()
        self._head = HeaderBlock(headers, 0)
        self.judged = 0

    def ask(self, request: Request) -> tuple[Shot | None, bool]:
        """What goes to Postgres, and whether it was remembered."""
        line = b"%b /rest/v1%b?%b HTTP/1.1" % (request.method.encode(), request.path.encode(), request.query)
        found = self.memory.repeated(line, self._head, request.body)
        if found is not None:
            return found, True
        ask = QuickAsk(line, request.method.encode(), request.path.encode(), request.query, request.body)
        return self.memory.varied(ask, self._head, lambda: self._judge(request)), False

    def _judge(self, request: Request) -> Judgement:
        self.judged += 1
        template = template_of(request)
        return entry_of(template, TransactionContext("anon"), _refuse) or False if template else False  # type: ignore[arg-type]


def _same(shot: Shot, request: Request) -> None:
    outcome = parsed(request)
    assert not isinstance(outcome, str), outcome
    _, bound = outcome
    assert (shot.batch.commands[-1].sql, shot.batch.commands[-1].params) == bound.statement
    assert location_of(shot) == bound.location
    if shot.entry.lines is not None:
        line = (
            b"" if bound.location is None else f"content-location: {header_of(bound.location)}\r\n".encode()
        )
        assert shot.located == line


@settings(max_examples=3000)
@given(request_pairs())
def test_a_remembered_request_equals_a_parsed_one(requests: tuple[Request, Request]) -> None:
    first, second = requests
    if not all(_TAKEN_BY_THE_GATE.fullmatch(request.query) for request in requests):
        return
    asker = _Asker(first.headers)
    for request in (first, first, first, second, first, second, second, second):
        shot, _ = asker.ask(request)
        if shot is not None:
            _same(shot, request)


def _get(query: str) -> Request:
    return Request("GET", "/t", query.encode(), {})


@pytest.mark.parametrize(
    "query", ["select=id&id=eq.{}", "id=eq.{}&select=id&limit=5", "id=gt.3&doc->>k=eq.{}"]
)
def test_a_request_with_another_operand_is_cast_in_a_mould(query: str) -> None:
    asker = _Asker({})
    assert [asker.ask(_get(query.format(i)))[1] for i in range(5)] == [False, False, True, True, True]
    for operand in ("f3b0-4c2a_8", "1.5", "a"):
        shot, remembered = asker.ask(_get(query.format(operand)))
        assert shot is not None
        assert remembered
        _same(shot, _get(query.format(operand)))
    assert asker.judged == 1


@pytest.mark.parametrize("operand", ["", "a%20b", "a+b", "(1)", "a,b", '"a"', "a%26b"])
def test_other_operands_are_not_cast(operand: str) -> None:
    asker = _Asker({})
    for i in range(3):
        asker.ask(_get(f"id=eq.{i}"))
    shot, remembered = asker.ask(_get(f"id=eq.{operand}"))
    assert not remembered
    assert shot is not None
    _same(shot, _get(f"id=eq.{operand}"))


def test_an_operand_that_looks_like_a_filter_is_none() -> None:
    asker = _Asker({})
    request = _get("doc->>k=match.a=eq.5")
    for _ in range(4):
        shot, _ = asker.ask(request)
        assert shot is not None
        _same(shot, request)
    _, remembered = asker.ask(_get("doc->>k=match.a=eq.6"))
    assert not remembered


def test_a_whole_request_is_remembered_from_its_third_time_on() -> None:
    asker = _Asker({})
    request = _get("select=id&order=id.desc&limit=5")
    assert [asker.ask(request)[1] for _ in range(4)] == [False, False, True, True]


def test_a_body_belongs_to_a_request() -> None:
    asker = _Asker({})
    bodies = [b'{"doc": 1}', b'{"doc": 1}', b'{"doc": 1}', b'{"doc": 2}']
    asked = [asker.ask(Request("POST", "/t", b"", {}, body)) for body in bodies]
    assert [remembered for _, remembered in asked] == [False, False, True, False]
    assert [
        shot and body in shot.batch.commands[-1].params for (shot, _), body in zip(asked, bodies, strict=True)
    ] == [True] * 4


def test_a_long_body_is_not_kept() -> None:
    asker = _Asker({})
    request = Request("POST", "/t", b"", {}, b'{"doc": "%b"}' % (b"x" * 2000))
    assert [asker.ask(request)[1] for _ in range(4)] == [False] * 4
    assert cut(request) is not None
