"""A prepared request: what parsing, planning and the caller decide of it, with places for operands and body."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType
from typing import NamedTuple
from urllib.parse import unquote_plus, unquote_to_bytes

from localbase.core.authenticator import Caller
from localbase.core.web.http import ANY_LENGTH, Request, header_of
from localbase.postgres.pipeline import LONGEST_PREPARED, Command
from localbase.postgres.transaction import Batch, Statement, TransactionContext
from localbase.rest.api_request.grammar.filter import (
    MOST_ITEMS,
    begins_as_operation,
    read_long_list,
    read_pattern,
)
from localbase.rest.api_request.grammar.query import quoted
from localbase.rest.api_request.grammar.scan import GrammarError
from localbase.rest.api_request.payload import Payload, columns_of
from localbase.rest.api_request.request import API_KEYS, ApiRequest, parse_request, payload_columns
from localbase.rest.errors import RestError
from localbase.rest.generation import SchemaGeneration
from localbase.rest.prepared.split import MOUNT, RequestParts
from localbase.rest.response.render import response_template
from localbase.rest.sql.statement import CompiledSql

_MARK, _BODY_MARK = "localbase-operand-", b"localbase-body"
_READER = re.compile(rb"=(?:not\.)?(i?like(?:\(\w+\))?|in)\.$")
_SIMPLE_LIST = re.compile(r'\(([^ \t"\\)][^"\\)]*)\)')
# What the objects of an entry take, and those of an operand, apart from the texts that they hold.
_BYTES_OF_OBJECTS, _BYTES_OF_OPERAND = 3000, 300
_NO_NUMBERS: Mapping[int, int] = MappingProxyType({})

Reader = Callable[[str], str]
"""Reads an operand's text as the parser does. Raises `GrammarError` for one that the parser has to look at."""


class BoundRequest(NamedTuple):
    """One request that only has to be run."""

    prepared: PreparedRequest
    batch: Batch
    # The value of `Content-Location`, as it goes over the wire.
    location: bytes | None
    # What asks Postgres's planner for a count.
    explain: Statement | None


class _Operand(NamedTuple):
    """An operand's reader, and the mark in its place."""

    read: Reader
    mark: str


class _LengthPlace(NamedTuple):
    """The place of the body's length in the settings: command, parameter, and the texts around it."""

    command: int
    slot: int
    before: bytes
    after: bytes


class PreparedRequest:
    """The common part of requests that differ in operands only. `is_single`: one batch is all that it runs."""

    __slots__ = (
        *("_answering", "_body_slots", "_constant", "_ending", "_explain", "_first", "_length", "_location"),
        *("_params", "_plain", "is_single"),
        *("_readers", "_rollback", "_shown", "_slots", "_sql", "_variant", "context", "template"),
    )

    def __init__(
        self,
        api_request: ApiRequest,
        request: Request,
        caller: Caller,
        generation: SchemaGeneration,
        operands: Sequence[_Operand] = (),
        numbers: Mapping[int, int] = _NO_NUMBERS,
        *,
        once: bool = False,
    ) -> None:
        """`api_request` has marks in the place of `operands` and of the body. Raises `RestError`.

        `numbers` are the operands' own, by their places among the request's values. Of a request that is served `once`
        a new statement is not prepared.
        """
        plan, compiled, is_new = generation.plan(api_request)
        values = api_request.values
        self.template = response_template(api_request, plan)
        self.context = context = generation.context(api_request, plan, request, caller)
        self._first, self._ending = context.commands, context.ending
        self._answering, self._rollback = len(self._first), context.rollback_command
        self._sql, self._variant = compiled.sql, None if once and is_new else context.variant
        self._params = compiled.bind(values)
        self._slots = _slots(compiled, numbers)
        self._body_slots = tuple(slot for slot, value in enumerate(self._params) if value is _BODY_MARK)
        self._readers = tuple(operand.read for operand in operands)
        # Whether an operand of letters, digits, dots and dashes is always read as it is.
        self._plain = not {_read_argument, _read_list} & set(self._readers)
        explain = compiled.explain
        self._explain = (explain.sql, explain.bind(values), _slots(explain, numbers)) if explain else None
        self.is_single = explain is None
        self._length = _find_length(context, request.headers)
        location = ""
        if api_request.action == "read":
            location = f"/{api_request.target}{'?' if api_request.canonical else ''}{api_request.canonical}"
        # The location's texts, and the numbers of the operands between them.
        marks = [quoted(operand.mark) for operand in operands]
        pieces = re.split(f"({'|'.join(map(re.escape, marks))})", location) if marks else [location]
        self._location = tuple(header_of(piece).encode("latin-1") for piece in pieces[::2])
        self._shown = tuple(map(marks.index, pieces[1::2]))
        # A request without operands and body is always the same.
        self._constant: Batch | None = None
        if not operands and not self._body_slots and self._length is None:
            self._constant = self._batch(self._first, self._params)

    def bind(self, operands: Sequence[bytes], body: bytes | None) -> BoundRequest | None:
        """The request with its operands and its body; None where the parser has to look at an operand."""
        if self._constant is not None:
            return BoundRequest(self, self._constant, self._location[0] or None, self._estimate(operands))
        written = shown = operands
        # Most operands are the same in the request, to Postgres and in the response's `Content-Location`. One that is
        # served once has them in it already, and reads none.
        if self._readers and not (self._plain and b"".join(operands).translate(None, b"-_.").isalnum()):
            try:
                texts = [_text(operand) for operand in operands]
                written = [read(text).encode() for read, text in zip(self._readers, texts, strict=True)]
            except GrammarError:
                return None
            shown = [quoted(text).encode() for text in texts] if self._shown else ()
        params: Sequence[bytes | None] = self._params
        if self._slots or self._body_slots:
            params = list(params)
            for slot, number in self._slots:
                params[slot] = written[number]
            for slot in self._body_slots:
                params[slot] = body
        location: bytes | None = self._location[0]
        if self._shown:
            pieces = [self._location[0]]
            for place, number in enumerate(self._shown, 1):
                pieces += (shown[number], self._location[place])
            location = b"".join(pieces)
        first = self._first if self._length is None else self._with_length(self._length, len(body or b""))
        return BoundRequest(self, self._batch(first, params), location or None, self._estimate(written))

    def _batch(self, first: Sequence[Command], params: Sequence[bytes | None]) -> Batch:
        commands = [*first, Command(self._sql, params, self._variant), *self._ending]
        return Batch(commands, self._answering, self._rollback)

    def _with_length(self, place: _LengthPlace, length: int) -> list[Command]:
        """The commands of the settings, of which `request.headers` names the length of the body."""
        number, slot, before, after = place
        commands = list(self._first)
        sql, constant, variant = commands[number]
        params = list(constant)
        params[slot] = b"%b%d%b" % (before, length, after)
        commands[number] = Command(sql, params, variant)
        return commands

    @property
    def is_long(self) -> bool:
        """Tell whether its statement is too long to be prepared by Postgres."""
        return len(self._sql) > LONGEST_PREPARED

    @property
    def size(self) -> int:
        """About how many bytes it takes."""
        settings = sum(len(value or b"") for command in self._first for value in command.params)
        constants = sum(len(value or b"") for value in self._params)
        texts = (*self._location, self.template.lines or b"")
        objects = _BYTES_OF_OBJECTS + _BYTES_OF_OPERAND * len(self._readers)
        return objects + settings + constants + len(self._sql) + sum(map(len, texts))

    def _estimate(self, written: Sequence[bytes]) -> Statement | None:
        """The statement that asks for the planner's count."""
        if self._explain is None:
            return None
        sql, constant, slots = self._explain
        params = list(constant)
        for slot, number in slots:
            params[slot] = written[number]
        return Statement(sql, params)


def _find_length(context: TransactionContext, headers: Mapping[str, str]) -> _LengthPlace | None:
    """Return where `request.headers` has the length of the body; None if that is part of the header block."""
    if headers.get("content-length") != ANY_LENGTH:
        return None
    text = dict(context.settings)["request.headers"].encode()
    # JSON escapes quotes, so that no other header reads like this one.
    before, name, after = text.partition(f'"content-length":"{ANY_LENGTH}"'.encode())
    for number, command in enumerate(context.commands):
        if text in command.params:
            place = command.params.index(text)
            return _LengthPlace(number, place, before + name[: -len(ANY_LENGTH) - 1], b'"' + after)
    raise AssertionError("the settings of a request have its headers")


def prepare(
    parts: RequestParts, headers: Mapping[str, str], caller: Caller, generation: SchemaGeneration
) -> PreparedRequest | None:
    """Prepares requests with these constant parts; None for those that the parser has to read each time."""
    if _MARK.encode() in unquote_to_bytes(b"".join(parts.constants)):
        return None
    operands = [_operand(number, operator) for number, operator in enumerate(parts.constants[1::2])]
    try:
        request = _request(parts.constants, [operand.mark.encode() for operand in operands], headers)
        api_request = _parse(request, parts, generation)
        numbers = _numbers(api_request, operands) if api_request else None
        if api_request is None or numbers is None:
            return None
        return PreparedRequest(api_request, request, generation.caller(caller), generation, operands, numbers)
    except RestError:
        # The parser reports it, with the client's own operands.
        return None


def prepare_once(
    parts: RequestParts, headers: Mapping[str, str], caller: Caller, generation: SchemaGeneration
) -> PreparedRequest | None:
    """Prepares this request without a body alone, with its operands; None for one that the parser has to look at."""
    request = _request(parts.constants, parts.operands, headers)
    try:
        api_request = parse_request(request, generation.options)
        if _describes(api_request):
            return None
        return PreparedRequest(api_request, request, generation.caller(caller), generation, once=True)
    except RestError:
        return None


def _describes(api_request: ApiRequest) -> bool:
    """Tell whether it asks for a description, not for data."""
    return api_request.action == "root" or api_request.action.endswith("-options")


def _operand(number: int, operator: bytes) -> _Operand:
    match = _READER.search(operator)
    mark = f"{_MARK}{number}-"
    if operator.endswith(b"="):
        return _Operand(_read_argument, mark)
    if match is None:
        return _Operand(str, mark)
    # So many items that the parser takes the mark for a long list.
    long_list = f"({mark}{',' * MOST_ITEMS})"
    return _Operand(_read_list, long_list) if match[1] == b"in" else _Operand(read_pattern, mark)


def _read_argument(text: str) -> str:
    if begins_as_operation(text) or text.startswith(API_KEYS):
        raise GrammarError
    return text


def _read_list(text: str) -> str:
    """Return what `read_long_list` gives, without its scanner where there are no quotes, escapes and blanks."""
    match = _SIMPLE_LIST.fullmatch(text)
    if match is None or match[1].count(",") < MOST_ITEMS:
        return read_long_list(text)
    return '{"' + match[1].replace(",", '","') + '"}'


def _text(operand: bytes) -> str:
    """An operand without its encoding. Raises `GrammarError` for a NUL."""
    if b"%" not in operand and b"+" not in operand:
        return operand.decode()
    if b"%00" in operand:
        raise GrammarError
    return unquote_plus(operand.decode())


def _request(constants: Sequence[bytes], operands: Sequence[bytes], headers: Mapping[str, str]) -> Request:
    """The request with these operands, which may be marks: computed from nothing else."""
    pieces = [constants[0]]
    for number, operand in enumerate(operands):
        pieces += (constants[2 * number + 1], operand, constants[2 * number + 2])
    method, target, _ = b"".join(pieces).split(b" ")
    path, _, query = target.removeprefix(MOUNT).partition(b"?")
    return Request(
        method=method.decode(),
        path=(unquote_to_bytes(path) if b"%" in path else path).decode(errors="replace"),
        raw_path=path.decode("latin-1"),
        query=query,
        headers=dict(headers),
    )


def _parse(request: Request, parts: RequestParts, generation: SchemaGeneration) -> ApiRequest | None:
    """The marked request, parsed; None for what is never prepared. Raises `RestError`."""
    if parts.body_keys is None:
        payload, keys = None, None
    else:
        keys, is_object = parts.body_keys
        payload = Payload(_BODY_MARK, () if keys is None else columns_of(keys), is_object)
    api_request = parse_request(request, generation.options, payload)
    if _describes(api_request):
        return None
    if payload is None:
        return api_request
    columns = payload_columns(api_request.action, api_request.query)
    if api_request.content.form != "json" or (columns is None) != (keys is not None):
        return None
    if columns is None:
        return api_request
    return parse_request(request, generation.options, replace(payload, columns=tuple(sorted(columns))))


def _numbers(api_request: ApiRequest, operands: Sequence[_Operand]) -> dict[int, int] | None:
    """The operands' numbers by their places among the values; None where a mark is not exactly one whole value."""
    expected = {operand.read(operand.mark).encode(): number for number, operand in enumerate(operands)}
    numbers = {
        place: expected.get(value, -1)
        for place, value in enumerate(api_request.values)
        if value is not None and _MARK.encode() in value
    }
    shown = api_request.canonical.count(_MARK) if api_request.action == "read" else len(operands)
    whole = sorted(numbers.values()) == list(range(len(operands))) and shown == len(operands)
    return numbers if whole and _MARK not in repr(api_request.shape) else None


def _slots(compiled: CompiledSql, numbers: Mapping[int, int]) -> tuple[tuple[int, int], ...]:
    """Return which parameter has which operand."""
    return tuple((slot, numbers[place]) for slot, place in enumerate(compiled.places) if place in numbers)
