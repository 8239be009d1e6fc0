"""Every function that takes a text of a client's apart: four times the text costs about four times the time.

The functions are found in the code (`functions.py`). One has a row here, is led to by one that has, or is named in
`elsewhere.toml`: as measured at a door (tests/localbase/integration/growth), or as no client's.
"""

from __future__ import annotations

import time
import tomllib
from collections.abc import Callable, Mapping
from contextlib import suppress
from functools import cache, partial
from pathlib import Path
from typing import Any, cast

import localbase
import pytest
from localbase.auth.channels import parse_email, parse_phone
from localbase.auth.go_values import parse_duration, parse_uint
from localbase.auth.oauth_server.scopes import parse_scope
from localbase.core.json_text import read_json
from localbase.gateway.forwarding import parse_address
from localbase.gateway.http.header_block import parse_header_block, split_content_length
from localbase.realtime import frames
from localbase.rest.api_request.grammar import filter as filters
from localbase.rest.api_request.grammar.filter import Values, parse_logic_path, parse_tree_path
from localbase.rest.api_request.grammar.order import parse_order
from localbase.rest.api_request.grammar.parse_error import parse_error
from localbase.rest.api_request.grammar.query import parse_columns, parse_query, split_query
from localbase.rest.api_request.grammar.select import parse_select
from localbase.rest.api_request.media_type import parse_accept, parse_media
from localbase.rest.api_request.payload import decode_json, parse_payload
from localbase.rest.api_request.preferences import parse_prefer
from localbase.rest.prepared.split import split_request

from tests.localbase.integration.growth import shapes
from tests.localbase.integration.growth.functions import Module, module_of, modules_of, unmeasured
from tests.localbase.integration.growth.measure import growth, most_seconds
from tests.localbase.integration.growth.rest_queries import REST_QUERIES
from tests.localbase.unit.growth.wire_parsers import WIRE_PARSERS

HEAD, JSON = 60_000, 1 << 20
_ELSEWHERE = Path(__file__).with_name("elsewhere.toml")

Work = Callable[[bytes], object]


def _text(work: Callable[[str], object]) -> Work:
    return lambda data: work(data.decode())


def _in_frame(shape: shapes.Shape) -> shapes.Shape:
    return lambda size: b'["1","1","t","e",' + shape(size - 20) + b"]"


def _payload(media: str) -> Work:
    return lambda data: parse_payload(data, parse_media(media), None, for_function=True)


_PARSERS: Mapping[str, tuple[Work, int, Mapping[str, shapes.Shape]]] = {
    "auth.channels:parse_email": (_text(parse_email), JSON, shapes.TEXTS),
    "auth.channels:parse_phone": (_text(parse_phone), JSON, shapes.TEXTS),
    "auth.go_values:parse_duration": (_text(parse_duration), JSON, shapes.TEXTS),
    "auth.go_values:parse_uint": (_text(parse_uint), JSON, shapes.TEXTS),
    "auth.oauth_server.scopes:parse_scope": (_text(parse_scope), HEAD, shapes.TEXTS),
    "core.json_text:read_json": (read_json, JSON, shapes.JSON),
    "gateway.forwarding:parse_address": (_text(parse_address), HEAD, shapes.TEXTS),
    "gateway.http.header_block:parse_header_block": (parse_header_block, 8192, shapes.TEXTS),
    "gateway.http.header_block:split_content_length": (split_content_length, 8192, shapes.TEXTS),
    "realtime.frames:decode": (
        _text(lambda text: frames.decode("2.0.0", text)),
        3 << 20,
        {name: _in_frame(shape) for name, shape in shapes.JSON.items()},
    ),
    "rest.api_request.grammar.filter:parse_logic": (
        _text(lambda text: filters.parse_logic("or(" + text, Values([]))), HEAD, REST_QUERIES,
    ),
    "rest.api_request.grammar.filter:parse_logic_path": (_text(parse_logic_path), HEAD, shapes.TEXTS),
    "rest.api_request.grammar.filter:parse_operation": (
        _text(lambda text: filters.parse_operation(text.partition("=")[2], Values([]))), HEAD, REST_QUERIES,
    ),
    "rest.api_request.grammar.filter:parse_tree_path": (_text(parse_tree_path), HEAD, shapes.TEXTS),
    "rest.api_request.grammar.order:parse_order": (
        _text(lambda text: parse_order(text.partition("=")[2])), HEAD, REST_QUERIES,
    ),
    "rest.api_request.grammar.parse_error:parse_error": (
        _text(lambda text: parse_error("select", text.partition("=")[2])), HEAD, REST_QUERIES,
    ),
    "rest.api_request.grammar.query:parse_columns": (
        _text(lambda text: parse_columns(text.partition("=")[2])), HEAD, REST_QUERIES,
    ),
    "rest.api_request.grammar.query:split_query": (split_query, HEAD, REST_QUERIES),
    "rest.api_request.grammar.select:parse_select": (
        _text(lambda text: parse_select(text.partition("=")[2])), HEAD, REST_QUERIES,
    ),
    "rest.api_request.media_type:parse_accept": (_text(parse_accept), HEAD, shapes.TEXTS),
    "rest.api_request.media_type:parse_media": (_text(parse_media), HEAD, shapes.TEXTS),
    "rest.api_request.payload:decode_json": (decode_json, JSON, shapes.JSON),
    "rest.api_request.payload:parse_payload": (_payload("text/csv"), 64 * 1024, shapes.CSV),
    "rest.api_request.preferences:parse_prefer": (
        _text(lambda text: parse_prefer(text, allow_tx=True)), HEAD, shapes.TEXTS,
    ),
    "rest.api_request.grammar.query:parse_query": (
        lambda data: parse_query(split_query(data), Values([]), arguments_allowed=True), HEAD, REST_QUERIES,
    ),
    "rest.prepared.split:split_request": (
        lambda data: split_request(b"GET /rest/v1/a?" + data + b" HTTP/1.1", b""), HEAD, REST_QUERIES,
    ),
}  # fmt: skip


PARSERS = {**_PARSERS, **WIRE_PARSERS}


def _elsewhere() -> set[str]:
    tables = tomllib.loads(_ELSEWHERE.read_text(encoding="utf-8"))
    return {
        f"{module}:{name}" for table in tables.values() for module, names in table.items() for name in names
    }


@cache
def _modules() -> Mapping[str, Module]:
    return modules_of(Path(cast(Any, localbase.__file__)).parent)


def test_every_parser_is_measured() -> None:
    assert unmeasured(_modules(), PARSERS.keys() | _elsewhere()) == set()


def test_every_name_of_the_tables_is_a_function() -> None:
    names = {f"{module}:{name}" for module, each in _modules().items() for name in each.uses}
    assert (PARSERS.keys() | _elsewhere()) - names == set()


_SAMPLE = """
def parse_plain(text: str): ...
async def read_late(limit: int, body: bytes): ...
class Decoder:
    def feed(self, data: bytes): return self._step(data)
    def _step(self, data: bytes): return data.split(b",")
    async def _of_headers(self, headers: Headers):
        for each in headers: ...
def outer():
    def decode(text: str | bytes): ...
def by_a_pattern(limit: int, *, text: "str"): return PATTERN.fullmatch(text)
def of_an_object(value: Any): return value.split()
def kept(text: str): return store(text)
"""


def test_guard_sees_functions_of_every_kind() -> None:
    module = module_of(_SAMPLE)
    assert module.parsers == {
        *("parse_plain", "read_late", "Decoder.feed", "Decoder._step", "Decoder._of_headers", "outer.decode"),
        "by_a_pattern",
    }
    assert unmeasured({"a": module}, {"a:Decoder.feed"}) == {
        *("a:parse_plain", "a:read_late", "a:Decoder._of_headers", "a:outer.decode", "a:by_a_pattern")
    }


def _spent(work: Work, make: shapes.Shape, size: int) -> tuple[float, int]:
    data = make(size)
    began = time.process_time()
    with suppress(Exception):  # Every parser has its own way to reject.
        work(data)
    return time.process_time() - began, 0


@pytest.mark.parametrize("name", sorted(PARSERS))
def test_parsers_cost_grows_with_its_text(name: str) -> None:
    work, most, of_name = PARSERS[name]
    too_dear = []
    for shape, make in of_name.items():
        measured = growth(partial(_spent, work, make), most)
        if not measured.is_bounded or measured.whole > most_seconds():
            too_dear.append(f"{shape}: {measured}")
    assert not too_dear, "\n".join(too_dear)
