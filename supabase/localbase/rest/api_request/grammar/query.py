"""The whole query string: which parameter is what, and the shape that equal plans share."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple, TypeVar
from urllib.parse import quote, unquote_plus

from localbase.core.cache import cached_for_short_texts
from localbase.rest import errors
from localbase.rest.api_request.grammar.filter import (
    Values,
    parse_logic,
    parse_logic_path,
    parse_operation,
    parse_tree_path,
)
from localbase.rest.api_request.grammar.order import parse_order
from localbase.rest.api_request.grammar.parse_error import parse_error
from localbase.rest.api_request.grammar.scan import GrammarError, Scanner
from localbase.rest.api_request.grammar.select import parse_select
from localbase.rest.api_request.grammar.terms import Condition, Field, Filter, OrderTerm, Path, SelectItem
from localbase.rest.errors import RestError

_RESERVED = ("select", "columns", "on_conflict")
_SAFE = "!'()*-._~"
_QUOTED = {code: quote(chr(code), safe=_SAFE) for code in range(128)}


class Query(NamedTuple):
    """A parsed query string. Places of operands count in the request's values."""

    select: tuple[SelectItem, ...]
    conditions: tuple[tuple[Path, Condition], ...]
    orders: tuple[tuple[Path, tuple[OrderTerm, ...]], ...]
    limits: tuple[tuple[Path, int], ...]
    offsets: tuple[tuple[Path, int], ...]
    columns: tuple[str, ...] | None
    on_conflict: tuple[str, ...] | None
    arguments: tuple[tuple[str, int], ...]


class ParsedQuery(NamedTuple):
    """A query with what varies between requests of one shape: the top level's limit and offset, and the values."""

    query: Query
    shape: tuple[str, ...]
    limit: int | None
    offset: int | None


def split_query(raw: bytes) -> list[tuple[str, str]]:
    """Decoded pairs. A parameter without `=` says nothing; `;` parts parameters as `&` does."""
    pairs = []
    text = raw.decode(errors="replace").replace(";", "&")
    read = unquote_plus if "%" in text or "+" in text else str
    for part in text.split("&"):
        name, separator, value = part.partition("=")
        if separator:
            pairs.append((read(name), read(value)))
    return pairs


def canonical_query(pairs: list[tuple[str, str]]) -> str:
    """The query as `Content-Location` shows it: sorted by name, encoded in one way."""
    ordered = sorted(pairs, key=lambda pair: pair[0])
    return "&".join([f"{quoted(name)}={quoted(value)}" for name, value in ordered])


def quoted(text: str) -> str:
    """A text as the canonical query shows it. What two texts give together is what they give apart."""
    return text.translate(_QUOTED) if text.isascii() else quote(text, safe=_SAFE)


def parse_query(pairs: list[tuple[str, str]], values: Values, *, arguments_allowed: bool) -> ParsedQuery:
    """Reads every parameter. With `arguments_allowed` a value without operator is a function's argument.

    Of several errors the first is reported, in upstream's order of reading: orders, trees, columns, select, filters.
    """
    texts: dict[str, str] = {}
    order_pairs, logic_pairs, filter_pairs = [], [], []
    limits: dict[str, int | None] = {}
    offsets: dict[str, int | None] = {}
    for pair in pairs:
        name, value = pair
        last = name.rpartition(".")[2]
        if last == "order":
            order_pairs.append(pair)
        elif last == "limit":
            limits[name[:-6]] = _number(value)
        elif last == "offset":
            offsets[name[:-7]] = _number(value)
        elif last in ("and", "or"):
            logic_pairs.append(pair)
        elif name in _RESERVED:
            texts.setdefault(name, value)
        else:
            filter_pairs.append(pair)
    shape = [f"{name}={value}" for name, value in (*order_pairs, *texts.items())]
    orders = tuple([_order(*pair) for pair in order_pairs])
    trees = [_logic(*pair, values, shape) for pair in logic_pairs]
    columns = _names("columns", texts.get("columns"))
    select = _parse("select parameter", "select", parse_select, texts.get("select", "*"))
    filters, arguments = _filters(filter_pairs, values, shape, arguments_allowed=arguments_allowed)
    top_limit, top_offset = limits.pop("", None), offsets.pop("", None)
    query = Query(
        select=select,
        conditions=(*filters, *trees),
        orders=orders,
        on_conflict=_names("on_conflict", texts.get("on_conflict")),
        limits=_embedded(limits, "limit", values, shape),
        offsets=_embedded(offsets, "offset", values, shape),
        columns=columns,
        arguments=arguments,
    )
    return ParsedQuery(query, tuple(shape), top_limit, top_offset)


_T = TypeVar("_T")


def _parse(what: str, rule: str, parser: Callable[[str], _T], text: str) -> _T:
    try:
        return parser(text)
    except GrammarError as error:
        raise _parse_error(what, text, rule, text, error) from error


def _parse_error(what: str, shown: str, rule: str, text: str, error: GrammarError) -> RestError:
    """The client's mistake in upstream's words. `shown` is the parameter, `text` what the rule reads."""
    if error.reason:
        return errors.query_parameter(what, shown, 1, 1, error.reason)
    return errors.query_parameter(what, shown, *parse_error(rule, text))


def _order(name: str, value: str) -> tuple[Path, tuple[OrderTerm, ...]]:
    path, _ = _tree_path(name)
    return path, _parse("order", "order", parse_order, value)


@cached_for_short_texts
def _tree_path(name: str) -> tuple[Path, Field]:
    return _parse("tree path", "tree path", parse_tree_path, name)


def _logic(name: str, value: str, values: Values, shape: list[str]) -> tuple[Path, Condition]:
    path, head = _parse("logic path", "logic path", parse_logic_path, name)
    text = head + value
    try:
        tree, outline = parse_logic(text, values)
    except GrammarError as error:
        raise _parse_error("logic tree", value, "logic", text, error) from error
    shape.append(f"{name}={outline}")
    return path, tree


def _filters(
    pairs: list[tuple[str, str]], values: Values, shape: list[str], *, arguments_allowed: bool
) -> tuple[list[tuple[Path, Condition]], tuple[tuple[str, int], ...]]:
    """Filters, and what has no operator and may be an argument instead."""
    filters: list[tuple[Path, Condition]] = []
    arguments: list[tuple[str, int]] = []
    for name, value in pairs:
        path, field = _tree_path(name)
        item_count = len(values.items)
        try:
            operation, outline = parse_operation(value, values)
        except GrammarError as error:
            del values.items[item_count:]
            # What begins as an operator is meant as one: it is no argument either.
            if error.reason or not arguments_allowed or value.startswith(("not.", "in.", "is.")):
                raise _parse_error("filter", value, "filter", value, error) from error
            shape.append(f"{field.name}\0")
            arguments.append((field.name, values.add(value)))
        else:
            shape.append(f"{name}={outline}")
            filters.append((path, Filter(field, operation)))
    return filters, tuple(arguments)


def _number(text: str) -> int | None:
    """A limit or offset. What is no number counts as absent, as upstream has it."""
    digits = text.strip()
    unsigned = digits[1:] if digits.startswith("-") else digits
    return int(digits) if unsigned.isascii() and unsigned.isdigit() and len(unsigned) <= 18 else None


def _embedded(
    numbers: dict[str, int | None], word: str, values: Values, shape: list[str]
) -> tuple[tuple[Path, int], ...]:
    places = []
    for name, number in numbers.items():
        if number is not None:
            path, field = _tree_path(name)
            places.append(((*path, field.name), values.add(str(number))))
            shape.append(f"{name}.{word}")
    return tuple(places)


def _names(what: str, text: str | None) -> tuple[str, ...] | None:
    """A list of columns without repetitions."""
    return None if text is None else _parse(f"{what} parameter", "columns", parse_columns, text)


def parse_columns(text: str) -> tuple[str, ...]:
    """Names with commas between. What follows the last is not looked at, as upstream has it."""
    scan = Scanner(text)
    names = [scan.expect_name()]
    while scan.take_comma():
        scan.begin_item()
        names.append(scan.expect_name())
    return tuple(dict.fromkeys(names))
