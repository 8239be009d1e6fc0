"""`order=`: columns, JSON paths and columns of to-one embeddings, each with direction and place of nulls."""

from __future__ import annotations

import re

from localbase.rest.api_request.grammar.scan import GrammarError, Scanner
from localbase.rest.api_request.grammar.terms import Field, OrderTerm

_DIRECTIONS = ("asc", "desc")
_NULLS = ("nullsfirst", "nullslast")
# An everyday term, which needs no look at each sign: a column with its direction.
_EVERYDAY_TERM = re.compile(
    r"([A-Za-z_]\w*)(?:\.(asc|desc))?(?:\.(nullsfirst|nullslast))?(?=,|\Z)", re.ASCII
)  # fmt: skip


def parse_order(text: str) -> tuple[OrderTerm, ...]:
    """The whole parameter, at least one term."""
    scan = Scanner(text)
    terms = [_term(scan)]
    while scan.take(","):
        terms.append(_term(scan))
    if not scan.at_end():
        raise GrammarError
    return tuple(terms)


def _term(scan: Scanner) -> OrderTerm:
    scan.begin_item()
    everyday = scan.match(_EVERYDAY_TERM)
    if everyday:
        name, direction, nulls = everyday.groups("")
        return OrderTerm(Field(name), None, direction, nulls)
    scan.skip_blank()
    relation = _relation(scan)
    field = scan.expect_field()
    if relation is not None:
        scan.expect(")")
    term = OrderTerm(field, relation, _word(scan, _DIRECTIONS), _word(scan, _NULLS))
    if not (scan.at_end() or scan.peek(",")):
        raise GrammarError
    return term


def _relation(scan: Scanner) -> str | None:
    """`relation(`, if that comes next."""
    place = scan.place
    name = scan.expect_name()
    if scan.take("("):
        return name
    scan.place = place
    return None


def _word(scan: Scanner, words: tuple[str, ...]) -> str:
    """One of the words after a dot, if one comes next."""
    return next((word for word in words if scan.take("." + word)), "")
