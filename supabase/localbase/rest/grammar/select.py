"""`select=`: columns, casts, aggregates and embedded resources."""

from __future__ import annotations

import re

from localbase.rest.grammar.scan import GrammarError, Scanner
from localbase.rest.grammar.terms import Field, SelectField, SelectItem, SelectRelation

MAX_DEPTH = 64
"""Deeper nesting than this is refused: each level costs a stack frame here and a join there."""

_AGGREGATE = re.compile(r"\.(sum|avg|count|max|min)\(\)")
_EXPECTED_AFTER_FIELD = 'letter, digit, "-", "->>", "->", "::", ".", ")", "," or end of input'


def parse_select(text: str) -> tuple[SelectItem, ...]:
    """The whole parameter. An empty one selects nothing, which reads as everything."""
    scan = Scanner(text)
    items = _items(scan, 0)
    if not scan.at_end():
        raise scan.error('"," or end of input')
    return items


def _items(scan: Scanner, depth: int) -> tuple[SelectItem, ...]:
    if depth > MAX_DEPTH:
        raise scan.error(f"at most {MAX_DEPTH} nested resources")
    if scan.at_end() or scan.peek(")"):
        return ()
    items = [_item(scan, depth)]
    while True:
        scan.skip_blank()
        if not scan.take(","):
            return tuple(items)
        scan.skip_blank()
        items.append(_item(scan, depth))


def _item(scan: Scanner, depth: int) -> SelectItem:
    scan.skip_blank()
    start = scan.place
    if scan.take("..."):
        return _relation(scan, None, scan.expect_name(), depth, spread=True)
    if scan.take("*"):
        return _finish(scan, SelectField(Field("*")), 'end of input, ")" or ","')
    alias = _alias(scan)
    if scan.take("count()"):
        cast = scan.expect_identifier() if scan.take("::") else None
        count = SelectField(Field("*"), alias, aggregate="count", aggregate_cast=cast)
        return _finish(scan, count, '"::", ")", "," or end of input')
    name_start = scan.place
    name = scan.expect_name()
    if scan.peek("!") or scan.peek("("):
        return _relation(scan, alias, name, depth, spread=False)
    scan.place = name_start
    field = scan.expect_field()
    cast = scan.expect_identifier() if scan.take("::") else None
    found = scan.match(_AGGREGATE)
    aggregate_cast = scan.expect_identifier() if found and scan.take("::") else None
    if start == scan.place:
        raise scan.error("field name")
    selected = SelectField(field, alias, cast, found[1] if found else None, aggregate_cast)
    return _finish(scan, selected, _EXPECTED_AFTER_FIELD)


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


def _finish(scan: Scanner, item: SelectField, expecting: str) -> SelectField:
    scan.skip_blank()
    if scan.at_end() or scan.peek(",") or scan.peek(")"):
        return item
    raise scan.error(expecting)


def _relation(scan: Scanner, alias: str | None, target: str, depth: int, *, spread: bool) -> SelectRelation:
    hint: str | None = None
    join: str | None = None
    for _ in range(2):
        if not scan.take("!"):
            break
        word = scan.expect_name()
        if word in ("inner", "left"):
            join = join or word
        else:
            hint = hint or word
    scan.expect("(", '"!" or "("')
    items = _items(scan, depth + 1)
    scan.expect(")", '"," or ")"')
    return SelectRelation(target, items, alias, hint, join, spread)
