"""Pairs of requests that differ in operands and values at most, over a small schema, and how they are parsed."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from urllib.parse import quote, quote_plus

from hypothesis import strategies as st
from localbase.core.authenticator import Authenticator, Caller
from localbase.core.settings import ApiSettings, Settings
from localbase.core.web.http import Request
from localbase.postgres.schema_cache.cache import Catalog, Column, Function, Parameter, Relation
from localbase.rest.api_request.request import parse_request
from localbase.rest.config import config_of
from localbase.rest.errors import RestError
from localbase.rest.generation import SchemaGeneration
from localbase.rest.plan.make import SchemaCache
from localbase.rest.prepared.request import BoundRequest, PreparedRequest


def _column(name: str, type_: str) -> Column:
    return Column(name, 1, type_, type_, True, None, "", None, (), None)


_TABLE = Relation(
    *("public", "t", "r", None, True, True, True, ("id",)),
    {name: _column(name, type_) for name, type_ in (("id", "integer"), ("a b", "text"), ("doc", "jsonb"))},
)
_FUNCTION = Function(
    *("public", "f", None, "s", False, False, "pg_catalog", "text", None, None, ()),
    (Parameter("x", "text", "text", False, False), Parameter("y", "integer", "integer", False, False)),
)
SCHEMA_CACHE = SchemaCache(
    Catalog({("public", "t"): _TABLE}, (), (), {("public", "f"): (_FUNCTION,)}, (), {}, {}, {}),
    {},
    config_of(ApiSettings(schemas=("public",))),
)
CALLER = Caller("anon", {"role": "anon"}, b'{"role":"anon"}')
GENERATION = SchemaGeneration(SCHEMA_CACHE, Authenticator(Settings().keys), cached=True)
_UNCACHED = SchemaGeneration(SCHEMA_CACHE, Authenticator(Settings().keys), cached=False)
_NAMES = ["id", "a b", "doc->>k", '"a b"', "t.id", "id.or", "limit", "x", "y", "select", "apikey", "not.and"]
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
    "ilike",
    "not.like",
    "not.in",
    "match",
    "like(all)",
    "eq(any)",
    "fts(english)",
    "soso",
]
_TEXTS = st.one_of(
    st.text(alphabet="ab1 .,;()&=%+*\"'\\{}é€\ue000\ue001\n", max_size=8),
    st.text(alphabet="ab1-_.", min_size=1, max_size=4),
    st.text(alphabet='ab1 ,()"\\{}', max_size=6).map(lambda text: f"({text})"),
    st.sampled_from(["null", "eq.1", "not.x", "eyJa", "sb_x", "\0", "localbase-operand-0-", "{a,b}", "*a*"]),
)
_PLAIN_PARTS = [
    "select=id,doc->k",
    "order=id.desc",
    "limit=5",
    "offset=3",
    "or=(id.eq.1,id.gt.5)",
    "id=is.null",
    "select",
    "columns=id,doc",
    "%63olumns=id",
    "id=eq.1;id=eq.2",
    "",
]


@st.composite
def request_pairs(draw: st.DrawFn) -> tuple[Request, Request]:
    """Two requests that differ in operands and values at most."""
    path = draw(st.sampled_from(["/t", "/t", "/rpc/f", "/nope"]))
    method = draw(st.sampled_from(["GET", "GET", "HEAD", "POST", "PATCH", "PUT", "DELETE"]))
    encoders: list[Callable[[str], str]] = [
        *(quote, quote_plus, _encode_all, _encode_least),
        lambda text: quote(text, safe="(),.:*'"),
    ]
    encode = draw(st.sampled_from(encoders))
    queries: list[list[str]] = [[], []]
    for _ in range(draw(st.integers(0, 3))):
        encode_name = _encode_all if draw(st.integers(0, 3)) == 0 else quote
        name = encode_name(draw(st.sampled_from(_NAMES)))
        operator = draw(st.sampled_from(["", *(f"{word}." for word in _OPERATORS)]))
        for query in queries:
            query.append(f"{name}={operator}{encode(draw(_TEXTS))}")
    for part in draw(st.lists(st.sampled_from(_PLAIN_PARTS), max_size=2)):
        for query in queries:
            query.append(part)
    keys = draw(st.lists(st.sampled_from(["id", "a b", "doc", "x", "y"]), unique=True, max_size=3))
    headers = {
        "prefer": draw(
            st.sampled_from(
                [
                    "",
                    "count=exact",
                    "count=planned",
                    "return=representation",
                    "missing=default",
                    "tx=rollback",
                ]
            )
        )
    }
    several = draw(st.booleans())
    made = []
    for query in queries:
        rows = [{key: draw(_TEXTS) for key in keys} for _ in range(draw(st.integers(1, 2)) if several else 1)]
        body = json.dumps(rows if several else rows[0]).encode()
        if draw(st.sampled_from(["usual"] * 9 + ["unusual"])) == "unusual":
            body = draw(
                st.sampled_from([b"", b"5", b"[]", b"{", b'[{"id":1},{"doc":1}]', b' {"id":1}\n', b"\0"])
            )
        body = body if method[0] == "P" else b""
        made.append(Request(method, path, "&".join(query).encode(), headers, body, raw_path=path))
    return made[0], made[1]


def _encode_all(text: str) -> str:
    return "".join(f"%{byte:02X}" for byte in text.encode())


def _encode_least(text: str) -> str:
    """Escapes only what would end the value or the request line."""
    return re.sub(r"[\s#&;%+\0]", lambda match: quote(match[0]), text)


def parsed(request: Request) -> BoundRequest | str:
    """The result of parsing and planning, or the code of their error."""
    try:
        api_request = parse_request(request, SCHEMA_CACHE.options)
        bound = PreparedRequest(api_request, request, CALLER, _UNCACHED).bind((), None)
    except RestError as error:
        return error.code
    assert bound is not None
    return bound


def line_of(request: Request) -> bytes:
    """The request's line, as it goes over the wire."""
    path = quote(request.path, safe="/")
    return b"%b /rest/v1%b?%b HTTP/1.1" % (request.method.encode(), path.encode(), request.query)


def is_same(bound: BoundRequest, fresh: BoundRequest, *, but_context: bool = False) -> bool:
    """Tell whether both run the same SQL with the same parameters and settings, and give the same headers.

    With `but_context` the settings are compared as they go to Postgres only.
    """
    return (
        [(sql, tuple(params), variant) for sql, params, variant in bound.batch.commands]
        == [(sql, tuple(params), variant) for sql, params, variant in fresh.batch.commands]
        and bound.batch[1:] == fresh.batch[1:]
        and bound.location == fresh.location
        and bound.prepared.template == fresh.prepared.template
        and (but_context or bound.prepared.context == fresh.prepared.context)
        and (bound.explain and (bound.explain.sql, tuple(bound.explain.params)))
        == (fresh.explain and (fresh.explain.sql, tuple(fresh.explain.params)))
    )
