"""Requests that differ from an earlier one in plain operands, or in their body's values, skip parsing and planning.

A cheap scan cuts the operands out of the query. What is left, with the headers that decide, is the key of a template:
everything that parsing and planning made of it, and the places of the operands among the values. Whether the scan was
right is found out when the template is made, by parsing the request again with marks in the operands' place: where a
mark does not come back as exactly one value, and all else unchanged, there is no template, and each such request is
parsed. What a filled template gives is equal to what parsing would give: a property test holds it to that.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from urllib.parse import quote, unquote_plus, unquote_to_bytes

from localbase.core.http import Request
from localbase.rest.errors import RestError
from localbase.rest.grammar.query import quoted
from localbase.rest.media import JSON
from localbase.rest.options import Options
from localbase.rest.payload import Payload, parse_payload
from localbase.rest.prepare import Bound, Ready, bind
from localbase.rest.request import BODY, ApiRequest, parse_request

_LONGEST = 4096
_DECIDING_HEADERS = ("prefer", "accept", "accept-profile", "content-profile", "content-type", "range")
# Operators whose operand is whatever follows them, as it is.
_OPERAND = re.compile(
    rb"([^=]+=(?:not\.)?(?:eq|neq|gte?|lte?|match|imatch|cs|cd|ov|sl|sr|nxr|nxl|adj|isdistinct|"
    rb"fts|plfts|phfts|wfts)\.)(.*)",
    re.DOTALL,
)
_NOT_CUT = re.compile(rb"(?:[^=]*\.)?(?:order|limit|offset|and|or)=|(?:select|columns|on_conflict|apikey)=")
_MAYBE_OPERATION = re.compile(rb"[^=]+=[a-z_]+(?:\(|\.|%28|%2[eE])")
_WITH_BODY = ("POST", "PATCH", "PUT")
_MARKS = re.compile(r"%EE%80%80(\d+)%EE%80%81")

Key = tuple[object, ...]


@dataclass(frozen=True, slots=True)
class Cut:
    """A request taken apart: the template's key, the operands in their order, and the body as it goes to Postgres."""

    key: Key
    kept: tuple[bytes, ...]
    operands: tuple[bytes, ...]
    payload: Payload | None


@dataclass(frozen=True, slots=True)
class Template:
    """What requests under one key have in common. `places` are those of the operands among `values`.

    `location` are the pieces of the canonical address, with the operands between them in the order of `located`.
    """

    ready: Ready
    values: tuple[bytes | None, ...]
    places: tuple[int, ...]
    location: tuple[str, ...]
    located: tuple[int, ...]

    def fill(self, cut: Cut) -> Bound:
        """The statement of another request under the same key."""
        values = list(self.values)
        texts = [unquote_plus(operand.decode(errors="replace")) for operand in cut.operands]
        for place, text in zip(self.places, texts, strict=True):
            values[place] = text.encode(errors="replace")
        if cut.payload is not None:
            values[BODY] = cut.payload.raw
        location = self.location[0] if self.location else ""
        for number, piece in zip(self.located, self.location[1:], strict=True):
            location += quoted(texts[number]) + piece
        return bind(self.ready, values, location)


def cut(request: Request) -> Cut | None:
    """Takes a request apart; None where it must be parsed."""
    query = request.query
    if not can_be_cut(query):
        return None
    payload: Payload | None = None
    calls = request.path.startswith("/rpc/")
    if request.method in _WITH_BODY:
        payload = json_payload(request.headers, query, request.body, for_function=calls)
        if payload is None:
            return None
    kept, operands = without_operands(query, arguments=calls and payload is None) if query else ((), ())
    get = request.headers.get
    form = (payload.columns, payload.is_object) if payload else None
    key = (request.method, request.path, kept, form, *map(get, _DECIDING_HEADERS))
    return Cut(key, kept, operands, payload)


def can_be_cut(query: bytes) -> bool:
    """Whether a query may be taken apart at all."""
    return not (len(query) > _LONGEST or b"\0" in query or b"%00" in query or b";" in query)


def json_payload(
    headers: Mapping[str, str], query: bytes, body: bytes, *, for_function: bool
) -> Payload | None:
    """A JSON body; None for any other, and for one that does not parse."""
    if headers.get("content-type", "application/json") != "application/json":
        return None
    if b"columns" in (unquote_to_bytes(query) if b"%" in query else query):
        # With them the body is taken as it is, whatever it holds.
        return None
    try:
        return parse_payload(body, JSON, None, for_function=for_function)
    except RestError:
        # What is wrong with the body is not always what is told first.
        return None


def without_operands(query: bytes, *, arguments: bool) -> tuple[tuple[bytes, ...], tuple[bytes, ...]]:
    """The query's parts without operands, each of which left a NUL, and the operands."""
    kept, operands = [], []
    for part in query.split(b"&"):
        end = part.find(b".") + 1
        if end and _begins_operand(part[:end]):
            kept.append(part[:end] + b"\0")
            operands.append(part[end:])
            continue
        if not _NOT_CUT.match(part):
            found = _OPERAND.fullmatch(part)
            if found:
                kept.append(found[1] + b"\0")
                operands.append(found[2])
                continue
            name, sign, value = part.partition(b"=")
            if arguments and sign and not _MAYBE_OPERATION.match(part):
                kept.append(name + b"=\0")
                operands.append(value)
                continue
        kept.append(part)
    return tuple(kept), tuple(operands)


@lru_cache(maxsize=1024)
def _begins_operand(prefix: bytes) -> bool:
    """Whether what follows is an operand: of a part up to its first dot, by which most are told."""
    return bool(_OPERAND.fullmatch(prefix)) and not _NOT_CUT.match(prefix)


def make_template(
    request: Request, found: Cut, api_request: ApiRequest, ready: Ready, options: Options
) -> Template | None:
    """The template of a request that has been parsed and planned; None where its operands do not stay apart."""
    marks = [f"\ue000{number}\ue001" for number in range(len(found.operands))]
    rest = iter(marks)
    marked = [part[:-1] + quote(next(rest)).encode() if part.endswith(b"\0") else part for part in found.kept]
    try:
        other = parse_request(replace(request, query=b"&".join(marked)), options)
    except RestError:
        return None
    if other.shape != api_request.shape or len(other.values) != len(api_request.values):
        return None
    by_mark = {mark.encode(): number for number, mark in enumerate(marks)}
    places = [-1] * len(marks)
    for place, value in enumerate(other.values):
        number = by_mark.get(value) if value is not None else None
        if number is not None and places[number] < 0:
            places[number] = place
        elif value != api_request.values[place]:
            return None
    pieces: list[str] = []
    located: tuple[int, ...] = ()
    if ready.location is not None:
        parts = _MARKS.split(f"{ready.location}{other.canonical}")
        pieces, located = parts[::2], tuple(map(int, parts[1::2]))
    if -1 in places or (pieces and sorted(located) != list(range(len(marks)))):
        return None
    return Template(ready, api_request.values, tuple(places), tuple(pieces), located)
