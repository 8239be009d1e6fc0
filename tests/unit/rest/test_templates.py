"""A filled template is what parsing and planning would have given, whatever the operands are."""

from __future__ import annotations

import json
from collections.abc import Callable
from urllib.parse import quote, quote_plus

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from localbase.core.http import Request
from localbase.core.settings import ApiSettings
from localbase.postgres.catalog import Catalog, Column, Function, Parameter, Relation
from localbase.rest.errors import RestError
from localbase.rest.options import options_of
from localbase.rest.plan.make import World
from localbase.rest.prepare import Bound, Kept, Ready, bind, prepare
from localbase.rest.request import parse_request
from localbase.rest.templates import Template, cut, make_template


def _column(name: str, type_: str) -> Column:
    return Column(name, 1, type_, type_, True, None, False, "", None, (), None)


_TABLE = Relation(
    *("public", "t", "r", None, True, True, True, ("id",)),
    {name: _column(name, type_) for name, type_ in (("id", "integer"), ("a b", "text"), ("doc", "jsonb"))},
)
_FUNCTION = Function(
    *("public", "f", None, "s", False, False, False, "pg_catalog", "text", None, False, ()),
    (Parameter("x", "text", "text", False, False), Parameter("y", "integer", "integer", False, False)),
)
_WORLD = World(
    Catalog({("public", "t"): _TABLE}, (), (), {("public", "f"): (_FUNCTION,)}, (), {}, {}, {}),
    {},
    options_of(ApiSettings(schemas=("public",))),
)
_NAMES = ["id", "a b", "doc->>k", '"a b"', "t.id", "id.or", "limit", "x", "y", "select"]
_OPERATORS = [
    "eq",
    "neq",
    "gte",
    "not.lt",
    "cs",
    "fts",
    "isdistinct",
    "not.adj",
    "like",
    "in",
    "is",
    "eq(any)",
    "soso",
]
_TEXTS = st.text(alphabet="ab1 .,;()&=%+*\"'\\{}é€\ue000\ue001\n", max_size=8)
_PLAIN_PARTS = [
    "select=id,doc->k",
    "order=id.desc",
    "limit=5",
    "offset=3",
    "or=(id.eq.1,id.gt.5)",
    "id=is.null",
    "select",
]


@st.composite
def _requests(draw: st.DrawFn) -> tuple[Request, Request]:
    """Two requests that differ in operands and values at most."""
    path = draw(st.sampled_from(["/t", "/t", "/rpc/f", "/nope"]))
    method = draw(st.sampled_from(["GET", "GET", "HEAD", "POST", "PATCH", "PUT", "DELETE"]))
    encoders: list[Callable[[str], str]] = [quote, quote_plus, lambda text: quote(text, safe="(),.:*'")]
    encode = draw(st.sampled_from(encoders))
    queries: list[list[str]] = [[], []]
    for _ in range(draw(st.integers(0, 3))):
        name = quote(draw(st.sampled_from(_NAMES)))
        operator = draw(st.sampled_from(["", *(f"{word}." for word in _OPERATORS)]))
        for query in queries:
            query.append(f"{name}={operator}{encode(draw(_TEXTS))}")
    for part in draw(st.lists(st.sampled_from(_PLAIN_PARTS), max_size=2)):
        for query in queries:
            query.append(part)
    keys = draw(st.lists(st.sampled_from(["id", "a b", "doc", "x", "y"]), unique=True, max_size=3))
    headers = {
        "prefer": draw(st.sampled_from(["", "count=exact", "return=representation", "missing=default"]))
    }
    made = []
    for query in queries:
        body = json.dumps({key: draw(_TEXTS) for key in keys}).encode() if method[0] == "P" else b""
        made.append(Request(method, path, "&".join(query).encode(), headers, body))
    return made[0], made[1]


def _parsed(request: Request) -> tuple[Ready, Bound] | str:
    """What parsing and planning give, or the code of their refusal."""
    try:
        ask = parse_request(request, _WORLD.options)
        ready = prepare(ask, _WORLD, Kept())
    except RestError as error:
        return error.code
    return ready, bind(ready, ask.values, f"{ready.location}{ask.canonical}")


def _template(request: Request) -> Template | None:
    taken = cut(request)
    if taken is None:
        return None
    try:
        ask = parse_request(request, _WORLD.options)
        ready = prepare(ask, _WORLD, Kept())
    except RestError:
        return None
    return make_template(request, taken, ask, ready, _WORLD.options)


@settings(max_examples=3000)
@given(_requests())
def test_a_filled_template_equals_a_parsed_request(requests: tuple[Request, Request]) -> None:
    first, second = requests
    template = _template(first)
    taken, other = cut(first), cut(second)
    if template is None or taken is None or other is None:
        return
    assert (template.ready, template.fill(taken)) == _parsed(first)
    if taken.key == other.key:
        assert (template.ready, template.fill(other)) == _parsed(second)


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
    assert _template(request) is not None or query == "x=eq.1"


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
