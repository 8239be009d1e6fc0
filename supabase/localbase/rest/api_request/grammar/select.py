"""`select=`: columns, casts, aggregates and embedded resources."""

from __future__ import annotations

import re

from localbase.rest.api_request.grammar.scan import GrammarError, Scanner
from localbase.rest.api_request.grammar.terms import Field, SelectField, SelectItem, SelectRelation

MAX_DEPTH = 64
"""Deeper nesting than this is refused: each level costs a stack frame here and a join there."""

_FIRST_SIGNS = tuple(' \t"_$0123456789')
_AGGREGATE = re.compile(r"\.(sum|avg|count|max|min)\(\)")
# Everyday items, which need no look at each sign: `alias:column` up to what ends an item, and `alias:relation!inner(`.
_NAME = r"[A-Za-z_]\w*"
_EVERYDAY_ITEM = re.compile(
    rf"(?:({_NAME}):)?(?!count[(!])({_NAME})(?:(?=[,)]|\Z)|(?:!(inner|left))?(\())", re.ASCII
)  # fmt: skip


def parse_select(text: str) -> tuple[SelectItem, ...]:
    """The whole parameter. An empty one selects nothing, which reads as everything.

    What follows the bracket of the last embedding is not looked at, as upstream has it.
    """
    return _items(Scanner(text), 0)


def _items(scan: Scanner, depth: int) -> tuple[SelectItem, ...]:
    if depth > MAX_DEPTH:
        raise GrammarError(f"at most {MAX_DEPTH} nested resources are read")
    if not _begins(scan):
        return ()
    items = [_item(scan, depth)]
    while scan.take_comma():
        items.append(_item(scan, depth))
    return tuple(items)


def _begins(scan: Scanner) -> bool:
    """Tell whether an item begins here. Upstream reads anything else as no items at all."""
    if scan.peek("*"):
        return scan.text[scan.place + 1 : scan.place + 2] in ("", ",", ")")
    place = scan.place
    if not scan.take("..."):
        return scan.text[place : place + 1] in _FIRST_SIGNS or scan.text[place : place + 1].isalpha()
    try:
        _head(scan)
        return scan.peek("(")
    except GrammarError:
        return False
    finally:
        scan.place = place


def _item(scan: Scanner, depth: int) -> SelectItem:
    scan.begin_item()
    everyday = scan.match(_EVERYDAY_ITEM)
    if everyday:
        alias, name, join, bracket = everyday.groups()
        if not bracket:
            return SelectField(Field(name), alias)
        return SelectRelation(name, _bracketed(scan, depth), alias, None, join)
    scan.skip_blank()
    if scan.take("..."):
        return _relation(scan, None, depth, spread=True)
    if scan.take("*"):
        return _finish(scan, SelectField(Field("*")))
    alias = _alias(scan)
    if scan.take("count()"):
        cast = scan.expect_identifier() if scan.take("::") else None
        return _finish(scan, SelectField(Field("*"), alias, aggregate="count", aggregate_cast=cast))
    name_start = scan.place
    scan.skip_blank()
    name = scan.expect_name()
    if (scan.peek("!") or scan.peek("(")) and name != "count":
        scan.place = name_start
        return _relation(scan, alias, depth, spread=False)
    scan.place = name_start
    field = scan.expect_field()
    cast = scan.expect_identifier() if scan.take("::") else None
    aggregate = scan.match(_AGGREGATE)
    aggregate_cast = scan.expect_identifier() if scan.take("::") else None
    return _finish(scan, SelectField(field, alias, cast, aggregate[1] if aggregate else None, aggregate_cast))


def _alias(scan: Scanner) -> str | None:
    """`alias:`, but not the first half of a cast's `::`."""
    start = scan.place
    try:
        alias = scan.expect_name()
    except GrammarError:
        return None
    if scan.peek(":") and not scan.peek("::"):
        scan.place += 1
        return alias
    scan.place = start
    return None


def _finish(scan: Scanner, item: SelectField) -> SelectField:
    if scan.at_end() or scan.peek(",") or scan.peek(")"):
        return item
    raise GrammarError


def _relation(scan: Scanner, alias: str | None, depth: int, *, spread: bool) -> SelectRelation:
    target, hint, join = _head(scan)
    scan.expect("(")
    return SelectRelation(target, _bracketed(scan, depth), alias, hint, join, spread)


def _bracketed(scan: Scanner, depth: int) -> tuple[SelectItem, ...]:
    """The items of an embedding, whose opening bracket has been read."""
    items = _items(scan, depth + 1)
    scan.expect(")")
    return items


def _head(scan: Scanner) -> tuple[str, str | None, str | None]:
    """`target!hint!join`: the relation's name, and what is said of the way to it."""
    target = scan.expect_name()
    hint: str | None = None
    join: str | None = None
    for _ in range(2):
        if not scan.take("!"):
            break
        kind = next((word for word in ("left", "inner") if scan.take(word)), None)
        if kind:
            join = join or kind
        else:
            word = scan.expect_name()
            hint = hint or word
    return target, hint, join
