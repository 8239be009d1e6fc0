"""rest.prepared: a request that is bound equals one that is parsed, and the cache stays within its bounds."""

from __future__ import annotations

import json
import tracemalloc
from collections.abc import Callable
from dataclasses import replace

import pytest
from hypothesis import given, settings
from localbase.core.authenticator import Authenticator, Caller
from localbase.core.settings import Settings
from localbase.core.web.http import ANY_LENGTH, HeaderBlock, Request
from localbase.postgres.schema_cache.cache import Function, Parameter
from localbase.postgres.transaction import TransactionContext
from localbase.rest.api_request.request import parse_request
from localbase.rest.generation import SchemaGeneration
from localbase.rest.plan.make import make_plan
from localbase.rest.prepared.cache import PreparedRequestCache
from localbase.rest.prepared.request import BoundRequest
from localbase.rest.prepared.split import is_for_fast_path, split_request

from tests.localbase.unit.rest.request_pairs import (
    CALLER,
    GENERATION,
    SCHEMA_CACHE,
    is_same,
    line_of,
    parsed,
    request_pairs,
)
from tests.support.random_cases import cases


class _Client:
    """One client, and the cache that serves it."""

    def __init__(
        self,
        headers: dict[str, str] | None = None,
        caller: Caller = CALLER,
        generation: SchemaGeneration = GENERATION,
    ) -> None:
        self.cache = PreparedRequestCache(generation)
        self.headers = headers or {}
        self._block = HeaderBlock(self.headers, 0, caller=caller)

    def bound(self, request: Request) -> BoundRequest | None:
        """As it is bound after it has come once."""
        if not self.is_prepared(request):
            self.bound_at_first(request)
        return self.bound_at_first(request)

    def bound_at_first(self, request: Request) -> BoundRequest | None:
        """As it is bound if it has not come before."""
        parts = split_request(line_of(request), request.body)
        prepared = self.cache.find_or_prepare(parts, self._block) if parts else None
        return prepared.bind(parts.operands, request.body) if prepared and parts else None

    def is_prepared(self, request: Request) -> bool:
        """Tell whether the request was prepared before."""
        parts = split_request(line_of(request), request.body)
        return bool(parts and self.cache.find(parts, self._block))


def _request(query: str, method: str = "GET", path: str = "/t", body: bytes = b"") -> Request:
    return Request(method, path, query.encode(), {}, body, raw_path=path)


def _assert_same(bound: BoundRequest | None, request: Request, *, but_context: bool = False) -> None:
    fresh = parsed(request)
    assert bound is not None
    assert not isinstance(fresh, str), fresh
    assert is_same(bound, fresh, but_context=but_context)


@settings(max_examples=cases(250))
@given(request_pairs())
def test_bound_request_equals_a_parsed_one(requests: tuple[Request, Request]) -> None:
    client = _Client(requests[0].headers)
    for request in (*requests, requests[0]):
        bound = client.bound(request)
        if bound is not None:
            _assert_same(bound, request)


@settings(max_examples=cases(250))
@given(request_pairs())
def test_request_that_comes_first_equals_a_parsed_one(requests: tuple[Request, Request]) -> None:
    generation = SchemaGeneration(SCHEMA_CACHE, Authenticator(Settings().keys), cached=True)
    client = _Client(requests[0].headers, generation=generation)
    for request in requests:
        bound = client.bound_at_first(request)
        if bound is not None:
            commands, place = list(bound.batch.commands), bound.batch.answering
            commands[place] = commands[place]._replace(variant=bound.prepared.context.variant)
            _assert_same(bound._replace(batch=bound.batch._replace(commands=commands)), request)


def test_request_that_comes_once_is_not_prepared_here_or_by_postgres() -> None:
    generation = SchemaGeneration(SCHEMA_CACHE, Authenticator(Settings().keys), cached=True)
    client, other = _Client(generation=generation), _Client({"x-a": "1"}, generation=generation)

    def variant(bound: BoundRequest | None) -> str | None:
        assert bound is not None
        return bound.batch.commands[bound.batch.answering].variant

    assert variant(client.bound_at_first(_request("id=eq.1"))) is None
    assert not client.is_prepared(_request("id=eq.1"))
    # The plan is known: Postgres has reason to expect more of its kind.
    assert variant(other.bound_at_first(_request("id=eq.2"))) == CALLER.role
    assert not other.is_prepared(_request("id=eq.2"))
    assert variant(client.bound_at_first(_request("id=eq.3"))) == CALLER.role
    assert client.is_prepared(_request("id=eq.4"))


@pytest.mark.parametrize(
    ("method", "path", "query", "operands"),
    [
        (
            "GET",
            "/t",
            "select=id&id=eq.{}",
            ["5", "6", "f3b0-4c2a_8", "1.5", "", "a%20b", "a+b", "%C3%A9", "%25"],
        ),
        (
            "GET",
            "/t",
            "id=gte.{}&doc->>k=not.eq.{}&order=id&limit=3",
            ["1", "(1)", "a,b", '"a"', "a%26b", "*"],
        ),
        ("GET", "/t", "a%20b=ilike.*{}*&id=is.null", ["x", "x y".replace(" ", "%20"), "%25", "*"]),
        ("GET", "/t", "a%20b=not.like.{}", ["x*", "%2A"]),
        (
            "GET",
            "/t",
            "id=in.{}",
            ["()", "(1,2,3,4,5,6,7,8,9,10)", "%28" + "1%2C" * 20 + "2%29", '("a,b",c' + ",d" * 8 + ")"],
        ),
        ("GET", "/t", "id=in.({})", ["1", "2023-01-01", "a+b", "%C3%A9", "a:b%20", "-1"]),
        ("GET", "/t", "id=not.in.%28{}%2C{}%29&id=eq.{}", ["1", "a+b", "*"]),
        ("GET", "/t", "id=in.(1,2)&doc->>k=in.({},1,2,3,4,5,6,7,{})", ["1", "a%26b"]),
        ("GET", "/t", "id=not.in.({},{}1,1{})", ["1", "a-b"]),
        ("GET", "/t", "a%20b=eq(any).{}&doc=fts(english).{}", ["{a,b}", "x"]),
        ("GET", "/rpc/f", "x={}&y=3", ["some+text", "a.b", "1"]),
        ("GET", "/rpc/f", "x={}&x=eq.{}&limit=2", ["1", "a%20b"]),
        ("GET", "/t", "doc->>k=match.a=eq.{};id=eq.7", ["1", "2"]),
        ("DELETE", "/t", "id=eq.{}", ["1"]),
    ],
)
def test_requests_that_differ_in_operands_share_what_is_prepared(
    method: str, path: str, query: str, operands: list[str]
) -> None:
    client = _Client()
    for number, operand in enumerate(operands):
        request = _request(query.replace("{}", operand), method, path)
        assert client.is_prepared(request) == (number > 0)
        _assert_same(client.bound(request), request)


@pytest.mark.parametrize(
    ("method", "path", "query", "bodies"),
    [
        ("POST", "/t", "", [b'{"id":1,"doc":{}}', b'{"id": 2, "doc": "x"}', b' {"id":null,"doc":[{}]}']),
        ("POST", "/t", "on_conflict=id", [b'[{"id":1},{"id":2}]', b'[{"id":3}]']),
        ("POST", "/t", "columns=%22id%22", [b'[{"id":1},{"doc":2}]', b"[]", b"[5"]),
        ("PATCH", "/t", "id=eq.5", [b'{"doc":1}', b'{"doc":2}']),
        ("PUT", "/t", "id=eq.5", [b'{"id":5,"doc":2,"a b":""}', b'{"id":6,"doc":2,"a b":""}']),
        ("POST", "/rpc/f", "", [b'{"x":"1","y":2}', b'{"x":"3","y":null}']),
        ("POST", "/rpc/f", "select=id", [b"", b""]),
    ],
)
def test_requests_that_differ_in_their_body_share_what_is_prepared(
    method: str, path: str, query: str, bodies: list[bytes]
) -> None:
    client = _Client()
    for number, body in enumerate(bodies):
        request = _request(query, method, path, body)
        assert client.is_prepared(request) == (number > 0)
        _assert_same(client.bound(request), request)


@pytest.mark.parametrize(
    "request_",
    [
        _request("id=eq.%00"),
        _request("id=in.(1"),
        _request('id=in.("a'),
        _request("x=eyJhbGciOi", path="/rpc/f"),
        _request("x=is.null", path="/rpc/f"),
        _request("x=%65q.5", path="/rpc/f"),
        _request("x=not.a", path="/rpc/f"),
        _request("id=eq.1;id=eq.2&id=eq." + "x" * 5000),
        _request("order=eq.5"),
        _request("id=eq.1&a%20b=eq.localbase-operand-0-&order=localbase-operand-0-"),
        _request("select=nothing(*)"),
        _request("", path="/"),
        _request("", "OPTIONS"),
        _request("", "POST", body=b"5"),
        _request("", "POST", body=b"{"),
        _request("", "POST", body=b'[{"id":1},{"doc":1}]'),
        _request("%63olumns=id", "POST", body=b'{"id":1}'),
        _request("id.columns=eq.5", "PATCH", body=b'{"id":1}'),
    ],
)
def test_other_requests_are_parsed_each_time(request_: Request) -> None:
    client = _Client()
    assert client.bound(request_) is None
    assert client.bound(request_) is None


def test_operand_that_the_parser_rejects_leaves_the_others_prepared() -> None:
    client = _Client()
    assert client.bound(_request("id=in.()")) is not None
    assert client.bound(_request("id=in.(1,2")) is None
    assert client.bound(_request('id=in.("1")')) is None
    assert client.bound(_request("id=in.(1,2,3,4,5,6,7,8,9,10)")) is not None


def test_short_lists_of_other_lengths_are_prepared_apart() -> None:
    client = _Client()
    for query in ("id=in.(1,2)", "id=in.(1,2,3)", "id=in.%281%2C2%29"):
        assert not client.is_prepared(_request(query))
        _assert_same(client.bound(_request(query)), _request(query))
    assert client.is_prepared(_request("id=in.(5,6)"))


def test_body_of_another_type_is_parsed_each_time() -> None:
    assert _Client({"content-type": "text/csv"}).bound(_request("", "POST", body=b'{"id":1}')) is None


def test_length_of_the_body_is_bound_with_it() -> None:
    client = _Client({"content-length": ANY_LENGTH, "x-a": f'"content-length":"{ANY_LENGTH}"', "z": "1"})
    for body in (b'{"id":1,"doc":2}', b'{"id":1,"doc":"longer"}', b'{ "id":1, "doc":{}}'):
        request = _request("", "POST", body=body)
        bound = client.bound(request)
        headers = client.headers | {"content-length": str(len(body))}
        _assert_same(bound, replace(request, headers=headers), but_context=True)
    claims = b'{"role":"anon","user_metadata":{"content-length":"localbase-any-length"}}'
    cheat = _Client({}, Caller("anon", {"role": "anon"}, claims)).bound(_request("id=eq.1"))
    assert cheat is not None
    assert claims in cheat.batch.commands[0].params


@pytest.mark.parametrize("method", ["GET", "DELETE"])
def test_request_that_comes_first_may_name_the_length_of_no_body(method: str) -> None:
    client = _Client({"content-length": ANY_LENGTH})
    for operand in ("..", "a%20b", "5", ".."):
        request = _request(f"a%20b=eq.{operand}", method)
        bound = client.bound_at_first(request)
        assert bound is not None
        assert operand.replace("%20", " ").encode() in bound.batch.commands[bound.batch.answering].params


def test_each_header_is_part_of_the_key() -> None:
    cache = PreparedRequestCache(GENERATION)
    parts = split_request(b"GET /rest/v1/t?id=eq.1 HTTP/1.1", b"")
    assert parts is not None
    first = cache.find_or_prepare(parts, HeaderBlock({"x-a": "1"}, 0, caller=CALLER))
    second = cache.find_or_prepare(parts, HeaderBlock({"x-a": "2"}, 0, caller=CALLER))
    assert first is not None
    assert second is not None
    assert first.context != second.context


@pytest.mark.parametrize(
    ("other", "caller"),
    [
        (replace(_request("id=eq.1"), method="HEAD"), CALLER),
        (_request("id=eq.1", path="/t2"), CALLER),
        (replace(_request("id=eq.1"), headers={"x-a": "1"}), CALLER),
        (_request("id=eq.1"), Caller("postgres", CALLER.claims, CALLER.claims_json)),
        (_request("id=eq.1"), Caller(CALLER.role, CALLER.claims, b'{"sub":"1"}')),
    ],
)
def test_settings_of_a_read_belong_to_its_method_path_headers_and_caller(
    other: Request, caller: Caller
) -> None:
    generation = SchemaGeneration(SCHEMA_CACHE, Authenticator(Settings().keys), cached=True)

    def context(request: Request, caller: Caller) -> TransactionContext:
        api_request = parse_request(request, SCHEMA_CACHE.options)
        plan = make_plan(parse_request(_request("id=eq.1"), SCHEMA_CACHE.options), SCHEMA_CACHE)
        return generation.context(api_request, plan, request, caller)

    first = context(_request("id=eq.1"), CALLER)
    assert context(_request("order=id"), CALLER) is first
    assert context(other, caller) != first


def test_block_of_the_asgi_path_belongs_to_headers_and_caller() -> None:
    cache = PreparedRequestCache(GENERATION)
    request = replace(_request("id=eq.1"), headers={"x-a": "1"})
    block = cache.block_for(request, CALLER)
    assert block is not None
    assert cache.block_for(replace(request, headers={"x-a": "1"}), CALLER) is block
    assert cache.block_for(replace(request, headers={"x-a": "2"}), CALLER) is not block
    assert cache.block_for(request, Caller("postgres", {}, b"{}")) is not block
    assert cache.block_for(replace(request, headers={"x-a": "1" * 9000}), CALLER) is None


@pytest.mark.parametrize(
    "line",
    [
        b"HEAD /rest/v1/t HTTP/1.1",
        b"OPTIONS /rest/v1/t HTTP/1.1",
        b"GET /rest/v1/t HTTP/1.0",
        b"GET /rest/v1/t%20x HTTP/1.1",
        b"GET /rest/v1/t?a=#b HTTP/1.1",
        b"GET /rest/v1/t?a=\xc3\xa9 HTTP/1.1",
        b"GET /rest/v1/t?a=\0 HTTP/1.1",
        b"GET /rest/v12/t HTTP/1.1",
        b"GET /auth/v1/user HTTP/1.1",
        b"GET http://x/rest/v1/t HTTP/1.1",
        b"GET  /rest/v1/t HTTP/1.1",
        b"GET /rest/v1/t?a=b c HTTP/1.1",
    ],
)
def test_unusual_request_lines_are_not_for_the_fast_path(line: bytes) -> None:
    assert not is_for_fast_path(line)


def _assert_counted(
    cache: PreparedRequestCache | SchemaGeneration, add: Callable[[int], None], entries: int
) -> None:
    """The cache's size is at least two thirds of what its entries take."""
    add(0)
    counted = cache.size
    tracemalloc.start()
    try:
        for number in range(1, entries):
            add(number)
        traced_bytes, _ = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert traced_bytes < 1.5 * (cache.size - counted)


@pytest.mark.parametrize("headers", [1, 100])
def test_entries_take_about_the_bytes_that_are_counted(headers: int) -> None:
    cache = PreparedRequestCache(SchemaGeneration(SCHEMA_CACHE, Authenticator(Settings().keys), cached=True))
    padding = "".join(f"&id=neq.{number}&limit={number}" for number in range(40))

    def prepare(number: int) -> None:
        own = {f"x-{name}": f"{number}-" * (500 // headers) for name in range(headers)}
        block = HeaderBlock(own, 0, caller=CALLER)
        parts = split_request(f"GET /rest/v1/t?select=a{number}:id{padding} HTTP/1.1".encode(), b"")
        assert parts is not None
        for _ in range(2):
            assert cache.find_or_prepare(parts, block) is not None

    _assert_counted(cache, prepare, 60)


def test_plans_of_bodies_take_about_the_bytes_that_are_counted() -> None:
    hook = Function(
        *("public", "hook", None, "v", False, False, "pg_catalog", "text", None, None, ()),
        (Parameter("", "json", "json", True, False),),
    )
    catalog = replace(SCHEMA_CACHE.catalog, functions={("public", "hook"): (hook,)})
    generation = SchemaGeneration(
        replace(SCHEMA_CACHE, catalog=catalog), Authenticator(Settings().keys), cached=True
    )

    def plan(number: int) -> None:
        body = json.dumps({f"{number}-{key}": 1 for key in range(1000)}).encode()
        request = Request("POST", "/rpc/hook", b"", {"content-type": "application/json"}, body)
        generation.plan(parse_request(request, SCHEMA_CACHE.options))

    _assert_counted(generation, plan, 20)


def test_contexts_of_many_headers_take_about_the_bytes_that_are_counted() -> None:
    generation = SchemaGeneration(SCHEMA_CACHE, Authenticator(Settings().keys), cached=True)

    def make(number: int) -> None:
        headers = {f"x-{name}-{number}": str(number) for name in range(100)}
        request = Request("GET", "/t", b"", headers, b"", raw_path="/t")
        api_request = parse_request(request, SCHEMA_CACHE.options)
        generation.context(api_request, generation.plan(api_request).plan, request, CALLER)

    _assert_counted(generation, make, 40)


def test_request_with_a_long_statement_is_parsed_each_time() -> None:
    client = _Client({"prefer": "count=exact"})
    request = _request("limit=5" + "&id=wfts.1" * 200)
    assert client.bound(request) is not None
    assert not client.is_prepared(request)
