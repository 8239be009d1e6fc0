"""A filled template is what parsing and planning would have given, whatever the operands are."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from localbase.core.http import Request
from localbase.rest.templates import cut

from tests.unit.rest.request_pairs import parsed, request_pairs, template_of


@settings(max_examples=3000)
@given(request_pairs())
def test_a_filled_template_equals_a_parsed_request(requests: tuple[Request, Request]) -> None:
    first, second = requests
    template = template_of(first)
    taken, other = cut(first), cut(second)
    if template is None or taken is None or other is None:
        return
    assert (template.ready, template.fill(taken)) == parsed(first)
    if taken.key == other.key:
        assert (template.ready, template.fill(other)) == parsed(second)


@pytest.mark.parametrize(
    ("method", "path", "query", "operands"),
    [
        ("GET", "/t", "id=eq.5&select=id", 1),
        ("GET", "/t", "id=gte.5&a%20b=not.eq.x%20y&order=id&limit=3", 2),
        ("GET", "/t", "doc->>k=eq.%2B&id=is.null", 1),
        ("GET", "/rpc/f", "x=some+text&y=3", 2),
        ("GET", "/rpc/f", "x=eq.1", 1),
        ("PATCH", "/t", "id=eq.5", 1),
        ("POST", "/rpc/f", "", 0),
    ],
)
def test_everyday_requests_have_templates(method: str, path: str, query: str, operands: int) -> None:
    body = b'{"x": "1"}' if path == "/rpc/f" else b'{"doc": 1}'
    request = Request(method, path, query.encode(), {}, body if method[0] == "P" else b"")
    taken = cut(request)
    assert taken is not None
    assert len(taken.operands) == operands
    assert template_of(request) is not None or query == "x=eq.1"


@pytest.mark.parametrize("query", ["id=eq.%00", "id=eq.1;id=eq.2", "id=eq." + "x" * 5000])
def test_some_requests_are_always_parsed(query: str) -> None:
    assert cut(Request("GET", "/t", query.encode(), {})) is None


def test_what_decides_is_part_of_the_key() -> None:
    def key(method: str = "GET", query: bytes = b"id=eq.1", body: bytes = b"", **headers: str) -> object:
        names = {name.replace("_", "-"): value for name, value in headers.items()}
        found = cut(Request(method, "/t", query, names, body))
        assert found is not None
        return found.key

    assert key() == key(query=b"id=eq.2")
    assert key("POST", body=b'{"id": 1}') == key("POST", body=b'{"id": 2}')
    different = [
        key(),
        key("HEAD"),
        key(query=b"id=neq.1"),
        key(query=b"id=eq.1&limit=1"),
        key(query=b"id=eq.1&limit=2"),
        key(prefer="count=exact"),
        key(accept="text/csv"),
        key(range="0-1"),
        key(accept_profile="x"),
        key("POST", body=b'{"id": 1}'),
        key("POST", body=b'[{"id": 1}]'),
        key("POST", body=b'{"doc": 1}'),
    ]
    assert len(set(different)) == len(different)


@pytest.mark.parametrize("query", ["columns=id", "%63olumns=id", "id=eq.1&col%75mns=id"])
def test_a_body_whose_columns_are_named_is_taken_as_it_is(query: str) -> None:
    assert cut(Request("POST", "/t", query.encode(), {}, b"5")) is None
