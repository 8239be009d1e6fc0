"""`order=`: columns, JSON paths and columns of to-one embeddings, each with direction and place of nulls."""

from __future__ import annotations

from localbase.rest.grammar.scan import Scanner
from localbase.rest.grammar.terms import OrderTerm

_DIRECTIONS = ("asc", "desc")
_NULLS = ("nullsfirst", "nullslast")


def parse_order(text: str) -> tuple[OrderTerm, ...]:
    """The whole parameter, at least one term."""
    scan = Scanner(text)
    terms = [_term(scan)]
    while scan.take(","):
        terms.append(_term(scan))
    if not scan.at_end():
        raise scan.error('delimiter (.), "," or end of input')
    return tuple(terms)


def _term(scan: Scanner) -> OrderTerm:
    field = scan.expect_field()
    relation = None
    if not field.path and scan.take("("):
        relation = field.name
        field = scan.expect_field()
        scan.expect(")")
    direction = _word(scan, _DIRECTIONS, '"asc", "desc", "nullsfirst" or "nullslast"', also=_NULLS)
    nulls = _word(scan, _NULLS, '"nullsfirst" or "nullslast"')
    scan.skip_blank()
    if not (scan.at_end() or scan.peek(",")):
        raise scan.error('"," or end of input' if nulls else 'delimiter (.), "," or end of input')
    return OrderTerm(field, relation, direction, nulls)


def _word(scan: Scanner, words: tuple[str, ...], expecting: str, also: tuple[str, ...] = ()) -> str:
    """A word after a dot. `also` are words that may come instead, and are read later."""
    if not scan.peek("."):
        return ""
    for word in words:
        if scan.take("." + word):
            return word
    if any(scan.peek("." + word) for word in also):
        return ""
    scan.place += 1
    raise scan.error(expecting)
