"""Horizontal filters: `column=operator.operand` and the trees of `and=(…)`, `or=(…)`.

Operands go to a list of values as they will reach Postgres: text in UTF-8, `*` as `%` for like, lists as an array.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from localbase.core.cache import cached_for_short_texts
from localbase.postgres.schema_cache.cache import array_literal
from localbase.rest.api_request.grammar.scan import GrammarError, Scanner
from localbase.rest.api_request.grammar.terms import Condition, Field, Filter, Logic, Operation, Path

MAX_DEPTH = 64
"""Deeper nesting than this is refused."""
MOST_OPERANDS = 3000
"""More operands than this are refused, the items of short lists among them: each takes some 0.03 ms of the event loop
before Postgres sees it. A list of ten or more is one operand."""
MOST_ITEMS = 9
"""Lists up to this length have an operand for each item: Postgres takes arrays of unknown length for ten items long,
and plans a shorter one anew each time, because it looks cheaper."""

_OPERATOR = re.compile(
    r"(not\.)?(?:"
    r"(in|isdistinct|is|neq|cs|cd|ov|sl|sr|nxr|nxl|adj)"
    r"|(fts|plfts|phfts|wfts)(?:\(([\w $]+)\))?"
    r"|(eq|gte|gt|lte|lt|like|ilike|match|imatch)(?:\((any|all)\))?"
    r")\."
)
_IS = re.compile(r"(?:not_null|null|true|false|unknown)", re.IGNORECASE)
_IS_SQL = {"null": "NULL", "not_null": "NOT NULL", "true": "TRUE", "false": "FALSE", "unknown": "UNKNOWN"}
_LIST_ITEM = re.compile(r"[^,)]*")
_BRACES = re.compile(r"\{[^{}]*\}")
_NOT = re.compile(r"not\.")
# Begins a tree and nothing else: the name of a field has no bracket, and no operator is called so.
_TREE = re.compile(r"(?:not\.)?(?:and|or)\(")


class Values:
    """The operands of one request in their order."""

    __slots__ = ("_read", "items")

    def __init__(self, items: list[bytes | None]) -> None:
        self.items = items
        self._read = 0

    def count(self, operands: int = 1) -> None:
        """Counts what the conditions of the query have; raises `GrammarError` for too many."""
        self._read += operands
        if self._read > MOST_OPERANDS:
            raise GrammarError(f"at most {MOST_OPERANDS} operands are read")

    def add(self, text: str) -> int:
        """Appends an operand, and answers its place."""
        self.items.append(text.encode())
        return len(self.items) - 1


def parse_tree_path(text: str) -> tuple[Path, Field]:
    """A filter's key: `resource.resource.column->json`."""
    scan = Scanner(text)
    names = [scan.expect_name()]
    while scan.take("."):
        names.append(scan.expect_name())
    return tuple(names[:-1]), Field(names[-1], scan.json_path())


@cached_for_short_texts
def parse_logic_path(text: str) -> tuple[Path, str]:
    """The key of a tree, `resource.not.or`: the resource's path and the tree's head, `not.or`."""
    scan = Scanner(text)
    names = [scan.expect_name()]
    while scan.take("."):
        names.append(scan.expect_name())
    head = "not." + names[-1] if "not" in names else names[-1]
    return tuple(name for name in names[:-1] if name != "not"), head


def parse_operation(text: str, values: Values) -> tuple[Operation, str]:
    """A whole filter value. Answers also its shape: the text without the operand.

    What follows a list or one of the words of `is` is not looked at, as upstream has it.
    """
    scan = Scanner(text)
    start = _operator(scan)
    operation = _operation(scan, start, values, _rest)
    return operation, start[0] + _shape_of(operation)


def parse_logic(text: str, values: Values) -> tuple[Condition, str]:
    """A whole tree, its head included. Answers also its shape: the text with its operands cut out.

    What follows the tree is not looked at, as upstream has it.
    """
    scan = Scanner(text)
    spans: list[_OperandSpan] = []
    tree = _tree(scan, values, spans, 0)
    shape, end = "", 0
    for start, stop, shown in spans:
        shape += f"{text[end:start]}\0{shown}\0"
        end = stop
    return tree, shape + text[end : scan.place]


_OperandSpan = tuple[int, int, str]
"""Where an operand begins and ends in a text, and what the shape has in its place."""


def _shape_of(operation: Operation) -> str:
    """Return what an operand adds to the shape: a word of `is`, or the number of items of a short list."""
    return operation.keyword or str(operation.items or "")


def _tree(scan: Scanner, values: Values, spans: list[_OperandSpan], depth: int) -> Condition:
    if depth > MAX_DEPTH:
        raise GrammarError(f"at most {MAX_DEPTH} nested conditions are read")
    start, item_count, span_count = scan.place, len(values.items), len(spans)
    if not _TREE.match(scan.text, start):
        try:
            return _leaf(scan, values, spans)
        except GrammarError:
            scan.place = start
            del values.items[item_count:]
            del spans[span_count:]
    negated = bool(scan.match(_NOT))
    operator = "and" if scan.take("and") else "or" if scan.take("or") else ""
    if not operator:
        raise GrammarError
    scan.skip_blank()
    scan.expect("(")
    scan.skip_blank()
    terms = [_tree(scan, values, spans, depth + 1)]
    while _at_next_term(scan):
        terms.append(_tree(scan, values, spans, depth + 1))
    scan.expect(")")
    scan.skip_blank()
    return Logic(operator, tuple(terms), negated)


def _at_next_term(scan: Scanner) -> bool:
    """Reads the comma before another term. Upstream's separator keeps blanks it has read: none before a bracket."""
    end = scan.place
    scan.skip_blank()
    if scan.take(","):
        scan.skip_blank()
        return True
    if scan.place != end:
        raise GrammarError
    return False


def _leaf(scan: Scanner, values: Values, spans: list[_OperandSpan]) -> Filter:
    field = scan.expect_field()
    scan.expect(".")
    start = _operator(scan)
    place = scan.place
    operation = _operation(scan, start, values, _nested_operand)
    if not operation.keyword:
        spans.append((place, scan.place, _shape_of(operation)))
    return Filter(field, operation)


def _operator(scan: Scanner) -> re.Match[str]:
    match = scan.match(_OPERATOR)
    if not match:
        raise GrammarError
    return match


def _operation(
    scan: Scanner, start: re.Match[str], values: Values, read: Callable[[Scanner], str]
) -> Operation:
    negation, plain, search, language, quantified, quantifier = start.groups()
    negated, operator = bool(negation), plain or search or quantified
    values.count()
    if operator == "is":
        match = scan.match(_IS)
        if not match:
            raise GrammarError
        return Operation("is", -1, negated, keyword=_IS_SQL[match[0].lower()])
    if operator == "in":
        items = _list(scan)
        if not _is_short(items):
            return Operation("in", values.add(array_literal(items).decode()), negated)
        values.count(len(items) - 1)
        first, *_ = [values.add(item) for item in items]
        return Operation("in", first, negated, items=len(items))
    text = read(scan)
    if operator in ("like", "ilike"):
        text = read_pattern(text)
    return Operation(operator, values.add(text), negated, quantifier, language and language.strip())


def read_pattern(text: str) -> str:
    """The operand of `like` and `ilike`."""
    return text.replace("*", "%")


def read_long_list(text: str) -> str:
    """The operand of `in` as an array. Raises `GrammarError`, for a short list too: that is no array."""
    items = _list(Scanner(text))
    if _is_short(items):
        raise GrammarError
    return array_literal(items).decode()


def _is_short(items: list[str]) -> bool:
    return 0 < len(items) <= MOST_ITEMS


def begins_as_operation(text: str) -> bool:
    """Tell whether a value is an operation, or meant as one: it is no argument of a call then."""
    return text.startswith(("not.", "in.", "is.")) or _OPERATOR.match(text) is not None


def _rest(scan: Scanner) -> str:
    text = scan.text[scan.place :]
    scan.place = len(scan.text)
    return text


def _nested_operand(scan: Scanner) -> str:
    """Inside a tree an operand ends at a comma or bracket, unless it is quoted or an array."""
    braces = scan.match(_BRACES) if scan.peek("{") else None
    return braces[0] if braces else _list_item(scan)


def _list(scan: Scanner) -> list[str]:
    """The items of `(a,"b,c",d)`. A list of one empty item is the empty list."""
    scan.skip_blank()
    scan.expect("(")
    scan.skip_blank()
    items = [_list_item(scan)]
    while scan.take(","):
        items.append(_list_item(scan))
    scan.expect(")")
    scan.skip_blank()
    return [] if items == [""] else items


def _list_item(scan: Scanner) -> str:
    place = scan.place
    quoted = scan.take_quoted()
    if quoted is not None and (scan.at_end() or scan.text[scan.place] in ",)"):
        return quoted
    scan.place = place
    match = scan.match(_LIST_ITEM)
    return match[0] if match else ""
