"""Pairs of requests that differ in operands and values at most, over a small world; and what they are read as."""

from __future__ import annotations

import json
from collections.abc import Callable
from urllib.parse import quote, quote_plus

from hypothesis import strategies as st
from localbase.core.cache import BoundedCache
from localbase.core.http import Request
from localbase.core.settings import ApiSettings
from localbase.postgres.catalog import Catalog, Column, Function, Parameter, Relation
from localbase.rest.errors import RestError
from localbase.rest.options import options_of
from localbase.rest.plan.make import SchemaCache
from localbase.rest.prepare import Bound, Ready, bind, prepare
from localbase.rest.request import parse_request
from localbase.rest.templates import Template, cut, make_template


def _column(name: str, type_: str) -> Column:
    return Column(name, 1, type_, type_, True, None, False, "", None, (), None)


_TABLE = Relation(
    *("public", "t", "r", None, True, True, True, ("id",)),
    {name: _column(name, type_) for name, type_ in (("id", "integer"), ("a b", "text"), ("doc", "jsonb"))},
)
_FUNCTION = Function(
    *("public", "f", None, "s", False, False, False, "pg_catalog", "text", None, None, False, ()),
    (Parameter("x", "text", "text", False, False), Parameter("y", "integer", "integer", False, False)),
)
SCHEMA_CACHE = SchemaCache(
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
_TEXTS = st.one_of(
    st.text(alphabet="ab1 .,;()&=%+*\"'\\{}é€\ue000\ue001\n", max_size=8),
    st.text(alphabet="ab1-_.", min_size=1, max_size=4),
)
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
def request_pairs(draw: st.DrawFn) -> tuple[Request, Request]:
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


def parsed(request: Request) -> tuple[Ready, Bound] | str:
    """What parsing and planning give, or the code of their refusal."""
    try:
        ask = parse_request(request, SCHEMA_CACHE.options)
        ready = prepare(ask, SCHEMA_CACHE, BoundedCache())
    except RestError as error:
        return error.code
    return ready, bind(ready, ask.values, f"{ready.location}{ask.canonical}")


def template_of(request: Request) -> Template | None:
    """The template that a request makes; None where it makes none."""
    taken = cut(request)
    if taken is None:
        return None
    try:
        ask = parse_request(request, SCHEMA_CACHE.options)
        ready = prepare(ask, SCHEMA_CACHE, BoundedCache())
    except RestError:
        return None
    return make_template(request, taken, ask, ready, SCHEMA_CACHE.options)
