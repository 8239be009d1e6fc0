"""The whole query string: which parameter is what, and the shape that equal plans share."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from typing import TypeVar
from urllib.parse import quote, unquote_plus

from localbase.rest import errors
from localbase.rest.grammar.filter import (
    Values,
    parse_logic,
    parse_logic_path,
    parse_operation,
    parse_tree_path,
)
from localbase.rest.grammar.order import parse_order
from localbase.rest.grammar.scan import GrammarError, Scanner
from localbase.rest.grammar.select import parse_select
from localbase.rest.grammar.terms import Condition, Filter, OrderTerm, Path, SelectItem

_RESERVED = ("select", "columns", "on_conflict")
_SAFE = "!'()*-._~"


@dataclass(frozen=True, slots=True)
class Query:
    """A parsed query string. Places of operands count in the request's values."""

    select: tuple[SelectItem, ...]
    conditions: tuple[tuple[Path, Condition], ...]
    orders: tuple[tuple[Path, tuple[OrderTerm, ...]], ...]
    limits: tuple[tuple[Path, int], ...]
    offsets: tuple[tuple[Path, int], ...]
    columns: tuple[str, ...] | None
    on_conflict: tuple[str, ...] | None
    arguments: tuple[tuple[str, int], ...]


@dataclass(frozen=True, slots=True)
class ParsedQuery:
    """A query with what varies between requests of one shape: the top level's limit and offset, and the values."""

    query: Query
    shape: tuple[str, ...]
    limit: int | None
    offset: int | None


def split_query(raw: bytes) -> list[tuple[str, str]]:
    """Decoded pairs. A parameter without `=` says nothing."""
    pairs = []
    for part in raw.decode("latin-1").split("&"):
        name, separator, value = part.partition("=")
        if separator:
            pairs.append((unquote_plus(name), unquote_plus(value)))
    return pairs


def canonical_query(pairs: list[tuple[str, str]]) -> str:
    """The query as `Content-Location` shows it: sorted by name, encoded in one way."""
    ordered = sorted(pairs, key=lambda pair: pair[0])
    return "&".join([f"{_quoted(name)}={_quoted(value)}" for name, value in ordered])


def _quoted(text: str) -> str:
    plain = text.isascii() and text.replace("_", "").replace(".", "").isalnum()
    return text if plain else quote(text, safe=_SAFE)


def parse_query(pairs: list[tuple[str, str]], values: Values, *, arguments_allowed: bool) -> ParsedQuery:
    """Reads every parameter. With `arguments_allowed` a value without operator is a function's argument."""
    texts: dict[str, str] = {}
    conditions: list[tuple[Path, Condition]] = []
    orders: list[tuple[Path, tuple[OrderTerm, ...]]] = []
    limits: dict[str, int | None] = {}
    offsets: dict[str, int | None] = {}
    arguments: list[tuple[str, int]] = []
    shape: list[str] = []
    for name, value in pairs:
        last = name.rpartition(".")[2]
        if last == "order":
            orders.append(_order(name, value))
            shape.append(f"{name}={value}")
        elif last == "limit":
            limits[name[:-6]] = _number(value)
        elif last == "offset":
            offsets[name[:-7]] = _number(value)
        elif last in ("and", "or"):
            conditions.append(_logic(name, value, values, shape))
        elif name in _RESERVED:
            texts.setdefault(name, value)
        else:
            condition = _filter(name, value, values, shape, arguments_allowed)
            if condition:
                conditions.append(condition)
            else:
                arguments.append((name, values.add(value)))
    top_limit, top_offset = limits.pop("", None), offsets.pop("", None)
    shape.extend(f"{name}={value}" for name, value in texts.items())
    query = Query(
        select=_parse("select parameter", _select, texts.get("select", "*")),
        conditions=tuple(conditions),
        orders=tuple(orders),
        limits=_embedded(limits, "limit", values, shape),
        offsets=_embedded(offsets, "offset", values, shape),
        columns=_names("columns", texts.get("columns")),
        on_conflict=_names("on_conflict", texts.get("on_conflict")),
        arguments=tuple(arguments),
    )
    return ParsedQuery(query, tuple(shape), top_limit, top_offset)


_T = TypeVar("_T")


def _parse(what: str, parser: Callable[[str], _T], text: str) -> _T:
    try:
        return parser(text)
    except GrammarError as error:
        raise errors.query_parameter(what, text, error.place, error.details) from error


_select = lru_cache(maxsize=4096)(parse_select)
_order_terms = lru_cache(maxsize=4096)(parse_order)


def _order(name: str, value: str) -> tuple[Path, tuple[OrderTerm, ...]]:
    path, _ = _parse("tree path", parse_tree_path, name)
    return path, _parse("order", _order_terms, value)


def _logic(name: str, value: str, values: Values, shape: list[str]) -> tuple[Path, Condition]:
    path, head = _parse("logic path", parse_logic_path, name)
    try:
        tree, outline = parse_logic(head + value, values)
    except GrammarError as error:
        raise errors.query_parameter("logic tree", value, error.place, error.details) from error
    shape.append(f"{name}={outline}")
    return path, tree


def _filter(
    name: str, value: str, values: Values, shape: list[str], arguments_allowed: bool
) -> tuple[Path, Condition] | None:
    """A filter, or nothing when the value has no operator and may be an argument."""
    known = len(values.items)
    try:
        operation, outline = parse_operation(value, values)
    except GrammarError as error:
        del values.items[known:]
        if arguments_allowed:
            shape.append(f"{name}\0")
            return None
        raise errors.query_parameter("filter", value, error.place, error.details) from error
    path, field = _parse("tree path", parse_tree_path, name)
    shape.append(f"{name}={outline}")
    return path, Filter(field, operation)


def _number(text: str) -> int | None:
    """A limit or offset. What is no number counts as absent, as upstream has it."""
    digits = text.strip()
    unsigned = digits[1:] if digits.startswith("-") else digits
    return int(digits) if unsigned.isascii() and unsigned.isdigit() and len(unsigned) <= 18 else None


def _embedded(
    numbers: dict[str, int | None], word: str, values: Values, shape: list[str]
) -> tuple[tuple[Path, int], ...]:
    found = []
    for name, number in numbers.items():
        if number is not None:
            path, field = _parse("tree path", parse_tree_path, name)
            found.append(((*path, field.name), values.add(str(number))))
            shape.append(f"{name}.{word}")
    return tuple(found)


def _names(what: str, text: str | None) -> tuple[str, ...] | None:
    """A list of columns without repetitions."""
    if text is None:
        return None

    def parser(text: str) -> tuple[str, ...]:
        scan = Scanner(text)
        names = [scan.expect_name()]
        scan.skip_blank()
        while scan.take(","):
            scan.skip_blank()
            names.append(scan.expect_name())
            scan.skip_blank()
        if not scan.at_end():
            raise scan.error('letter, digit, "-", "," or end of input')
        return tuple(dict.fromkeys(names))

    return _parse(f"{what} parameter", parser, text)
