"""rest.response: what the fast path renders is what the ASGI path renders."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st
from localbase.core.web.http import Request, has_no_body, lines_of
from localbase.postgres.pipeline import Result
from localbase.rest.errors import RestError
from localbase.rest.response.render import render, render_fast

from tests.localbase.unit.rest.request_pairs import parsed, request_pairs
from tests.support.random_cases import cases

_NUMBERS = st.one_of(st.none(), st.integers(0, 30).map(lambda number: b"%d" % number))
_ROWS = st.tuples(
    *(_NUMBERS, st.integers(0, 30).map(lambda number: b"%d" % number)),
    st.sampled_from([None, b"", b"[]", b'[{"id":1}]']),
    st.sampled_from([None, None, None, b'[{"x-a":"b"}]']),
    st.sampled_from([None, None, None, b"418"]),
)
_WRITTEN = st.tuples(_NUMBERS, st.sampled_from([None, None, b'{"id":"1"}']))


@settings(max_examples=cases(250))
@given(request_pairs(), _ROWS, _WRITTEN)
def test_fast_response_equals_the_rendered_one(
    requests: tuple[Request, Request], row: tuple[bytes | None, ...], written: tuple[bytes | None, ...]
) -> None:
    bound = parsed(requests[0])
    if isinstance(bound, str):
        return
    template = bound.prepared.template
    result = Result([row if template.changed is None else row + written])
    fast = render_fast(template, result, bound.location)
    try:
        response = render(template, result, bound.location.decode() if bound.location else None)
    except RestError:
        assert fast is None
        return
    if fast is not None:
        empty = has_no_body(response.status)
        lines = lines_of(response.headers, None if empty else len(response.body))
        assert fast == (response.status, lines, b"" if empty else response.body)


def test_common_responses_are_rendered_by_the_fast_path() -> None:
    body = b'{"id":1}'
    for request, row in (
        (Request("GET", "/t", b"id=eq.1", {}), (None, b"1", b"[]", None, None)),
        (Request("GET", "/t", b"limit=5", {"prefer": "count=exact"}), (b"9", b"5", b"[]", None, None)),
        (Request("POST", "/rpc/f", b"", {}, b'{"x":"1","y":2}'), (None, b"1", b'"a"', None, None)),
        (Request("POST", "/t", b"", {}, body), (None, b"1", b"", None, None, None, None)),
        (Request("PATCH", "/t", b"id=eq.1", {}, body), (None, b"1", b"", None, None, None, None)),
        (Request("DELETE", "/t", b"id=eq.1", {}), (None, b"1", b"", None, None, None, None)),
    ):
        bound = parsed(request)
        assert not isinstance(bound, str), bound
        assert render_fast(bound.prepared.template, Result([row]), bound.location) is not None
