"""Horizontal filters: `column=operator.operand` and the trees of `and=(…)`, `or=(…)`.

Operands go to a list of values as they will reach Postgres: text in UTF-8, `*` as `%` for like, lists as an array.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import lru_cache

from localbase.postgres.catalog import array_literal
from localbase.rest.grammar.scan import FIELD_NAME, GrammarError, Scanner
from localbase.rest.grammar.terms import Condition, Field, Filter, Logic, Operation, Path

MAX_DEPTH = 64
"""Deeper nesting than this is refused."""

_OPERATOR = re.compile(
    r"(?P<negated>not\.)?(?:"
    r"(?P<plain>in|isdistinct|is|neq|cs|cd|ov|sl|sr|nxr|nxl|adj)"
    r"|(?P<search>fts|plfts|phfts|wfts)(?:\((?P<language>[\w $]+)\))?"
    r"|(?P<quantified>eq|gte|gt|lte|lt|like|ilike|match|imatch)(?:\((?P<quantifier>any|all)\))?"
    r")\."
)
_IS = re.compile(r"(?:not_null|null|true|false|unknown)", re.IGNORECASE)
_IS_SQL = {"null": "NULL", "not_null": "NOT NULL", "true": "TRUE", "false": "FALSE", "unknown": "UNKNOWN"}
_LIST_ITEM = re.compile(r"[^,)]*")
_BRACES = re.compile(r"\{[^{}]*\}")
_NOT = re.compile(r"not\.")

_EXPECTED_OPERATOR = '"not" or operator (eq, gt, ...)'
_EXPECTED_IS = "isVal: (null, not_null, true, false, unknown)"


class Values:
    """The operands of one request in their order."""

    __slots__ = ("items",)

    def __init__(self, items: list[bytes | None]) -> None:
        self.items = items

    def add(self, text: str) -> int:
        """Appends an operand, and answers its place."""
        self.items.append(text.encode())
        return len(self.items) - 1


@lru_cache(maxsize=4096)
def parse_tree_path(text: str) -> tuple[Path, Field]:
    """A filter's key: `resource.resource.column->json`."""
    scan = Scanner(text)
    names = [scan.expect_name()]
    while scan.take("."):
        names.append(scan.expect_name())
    field = Field(names[-1], scan.json_path())
    if not scan.at_end():
        raise scan.error('letter, digit, "-", "->>", "->", delimiter (.) or end of input')
    return tuple(names[:-1]), field


@lru_cache(maxsize=4096)
def parse_logic_path(text: str) -> tuple[Path, str]:
    """The key of a tree, `resource.not.or`: the resource's path and the tree's head, `not.or`."""
    scan = Scanner(text)
    names = [scan.expect_name()]
    while scan.take("."):
        names.append(scan.expect_name())
    head = "not." + names[-1] if "not" in names else names[-1]
    return tuple(name for name in names[:-1] if name != "not"), head


def parse_operation(text: str, values: Values) -> tuple[Operation, str]:
    """A whole filter value. Answers also its shape: the text without the operand."""
    scan = Scanner(text)
    start = _operator(scan)
    operation = _operation(scan, start, values, _rest)
    if not scan.at_end():
        raise scan.error("end of input")
    return operation, text if operation.keyword else start[0]


def parse_logic(text: str, values: Values) -> tuple[Condition, str]:
    """A whole tree, its head included. Answers also its shape: the text with its operands cut out."""
    scan = Scanner(text)
    cuts: list[tuple[int, int]] = []
    tree = _tree(scan, values, cuts, 0)
    if not scan.at_end():
        raise scan.error("end of input")
    pieces, end = [], 0
    for start, stop in cuts:
        pieces.append(text[end:start])
        end = stop
    return tree, "\0".join([*pieces, text[end:]])


def _tree(scan: Scanner, values: Values, cuts: list[tuple[int, int]], depth: int) -> Condition:
    if depth > MAX_DEPTH:
        raise scan.error(f"at most {MAX_DEPTH} nested conditions")
    start, known = scan.place, len(values.items)
    try:
        return _leaf(scan, values, cuts)
    except GrammarError as leaf_error:
        deepest = scan.place
        scan.place = start
        del values.items[known:]
        negated = bool(scan.match(_NOT))
        operator = "and" if scan.take("and") else "or" if scan.take("or") else ""
        blank_after = scan.place
        scan.skip_blank()
        if not operator or not scan.peek("("):
            if operator and deepest <= blank_after:
                raise scan.error('"("') from leaf_error
            raise (
                leaf_error
                if deepest > start
                else scan.error(f"{FIELD_NAME}, negation operator (not) or logic operator (and, or)")
            ) from leaf_error
    scan.expect("(")
    scan.skip_blank()
    terms = [_tree(scan, values, cuts, depth + 1)]
    scan.skip_blank()
    while scan.take(","):
        scan.skip_blank()
        terms.append(_tree(scan, values, cuts, depth + 1))
        scan.skip_blank()
    scan.expect(")", '"," or ")"')
    scan.skip_blank()
    return Logic(operator, tuple(terms), negated)


def _leaf(scan: Scanner, values: Values, cuts: list[tuple[int, int]]) -> Filter:
    field = scan.expect_field()
    scan.expect(".", "delimiter (.)")
    start = _operator(scan)
    place = scan.place
    operation = _operation(scan, start, values, _nested_operand)
    if not operation.keyword:
        cuts.append((place, scan.place))
    return Filter(field, operation)


def _operator(scan: Scanner) -> re.Match[str]:
    found = scan.match(_OPERATOR)
    if not found:
        raise scan.error(_EXPECTED_OPERATOR)
    return found


def _operation(
    scan: Scanner, start: re.Match[str], values: Values, read: Callable[[Scanner], str]
) -> Operation:
    negated = bool(start["negated"])
    operator = start["plain"] or start["search"] or start["quantified"]
    if operator == "is":
        found = scan.match(_IS)
        if not found:
            raise scan.error(_EXPECTED_IS)
        return Operation("is", -1, negated, keyword=_IS_SQL[found[0].lower()])
    if operator == "in":
        return Operation("in", values.add(_list(scan)), negated)
    text = read(scan)
    if operator in ("like", "ilike"):
        text = text.replace("*", "%")
    language = start["language"]
    return Operation(operator, values.add(text), negated, start["quantifier"], language and language.strip())


def _rest(scan: Scanner) -> str:
    text = scan.text[scan.place :]
    scan.place = len(scan.text)
    return text


def _nested_operand(scan: Scanner) -> str:
    """Inside a tree an operand ends at a comma or bracket, unless it is quoted or an array."""
    place = scan.place
    quoted = scan.take_quoted()
    if quoted is not None and (scan.at_end() or scan.text[scan.place] in ",)"):
        return quoted
    scan.place = place
    braces = scan.match(_BRACES)
    if braces:
        return braces[0]
    found = scan.match(_LIST_ITEM)
    return found[0] if found else ""


def _list(scan: Scanner) -> str:
    """`(a,"b,c",d)` as an array. A list of one empty item is the empty list."""
    scan.skip_blank()
    scan.expect("(")
    scan.skip_blank()
    items = [_list_item(scan)]
    while scan.take(","):
        items.append(_list_item(scan))
    scan.expect(")", '"," or ")"')
    scan.skip_blank()
    return "{}" if items == [""] else array_literal(items).decode()


def _list_item(scan: Scanner) -> str:
    place = scan.place
    quoted = scan.take_quoted()
    if quoted is not None and (scan.at_end() or scan.text[scan.place] in ",)"):
        return quoted
    scan.place = place
    found = scan.match(_LIST_ITEM)
    return found[0] if found else ""
