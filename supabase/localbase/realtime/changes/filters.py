"""The `filter` of a subscription: `column=[not.]operator.value`, several joined by commas, all of which must hold.

The messages are upstream's (`lib/extensions/postgres_cdc_rls/subscriptions.ex`): an application sees them.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal, cast, get_args

from localbase.realtime.changes.model import ChangeRequest, SubscriptionRefused

Operator = Literal[
    "eq", "neq", "lt", "lte", "gt", "gte", "in", "like", "ilike", "is", "match", "imatch", "isdistinct"
]
_OPERATORS = frozenset(get_args(Operator))
_PATTERNS = frozenset({"like", "ilike", "match", "imatch"})
_NOT = "not."


@dataclass(frozen=True, slots=True)
class Filter:
    """One comparison. The value of `in` is an array in Postgres's text form."""

    column: str
    operator: Operator
    value: str
    negate: bool = False

    @property
    def is_pattern(self) -> bool:
        """Tell whether its value decides what a comparison costs."""
        return self.operator in _PATTERNS


def filters_of(request: ChangeRequest) -> tuple[Filter, ...]:
    """The comparisons of a request. Raises `SubscriptionRefused`."""
    if request.select is not None and "*" in (request.schema, request.table or "*"):
        raise SubscriptionRefused(
            "Column selection is not supported for wildcard subscriptions. "
            "Provide an explicit schema and table name."
        )
    text = (request.filter or "").strip()
    return tuple([_parse(segment.strip()) for segment in split(text)]) if text else ()


def split(text: str) -> Iterator[str]:
    """The parts between the commas that are neither in parentheses nor in a quoted value."""
    start = depth = 0
    quoted = escaped = False
    previous = ""
    for place, letter in enumerate(text):
        if quoted:
            if escaped:
                escaped = False
            elif letter == "\\":
                escaped = True
            elif letter == '"':
                quoted = False
        elif letter == '"' and previous in (".", "(", ","):
            quoted = True
        elif letter == "(":
            depth += 1
        elif letter == ")":
            depth = max(0, depth - 1)
        elif letter == "," and depth == 0:
            yield text[start:place]
            start = place + 1
            previous = ""
            continue
        previous = letter
    yield text[start:]


def _parse(segment: str) -> Filter:
    if not segment:
        raise _refused("filter must not contain empty segments (check for extra commas)")
    column, equals, rest = segment.partition("=")
    if not equals:
        raise _refused(_listed(segment))
    negate = rest.startswith(_NOT)
    operator, dot, value = rest.removeprefix(_NOT).partition(".")
    if not dot:
        raise _refused(_listed(operator))
    if operator not in _OPERATORS:
        raise _refused(_listed(operator, value))
    return Filter(column, cast(Operator, operator), _value(operator, value), negate)


def _value(operator: str, value: str) -> str:
    if operator != "in":
        return _unquoted(value)
    if len(value) < 2 or value[0] != "(" or value[-1] != ")":
        raise _refused("`in` filter value must be wrapped by parentheses")
    return "{" + value[1:-1] + "}"


def _unquoted(value: str) -> str:
    """A value in double quotes without them; any other as it is."""
    if not value.startswith('"'):
        return value
    letters: list[str] = []
    rest = iter(value[1:])
    for letter in rest:
        if letter == '"':
            return "".join(letters) if next(rest, None) is None else value
        letters.append(next(rest, "\\") if letter == "\\" else letter)
    return value


def _refused(reason: str) -> SubscriptionRefused:
    return SubscriptionRefused(f"Error parsing `filter` params: {reason}")


def _listed(*parts: str) -> str:
    """A list as Elixir shows one."""
    return "[" + ", ".join(inspected(part) for part in parts) + "]"


def inspected(text: str) -> str:
    """A text as Elixir shows one."""
    for plain, escaped in (
        ("\\", "\\\\"),
        ('"', '\\"'),
        ("#{", "\\#{"),
        ("\n", "\\n"),
        ("\t", "\\t"),
        ("\r", "\\r"),
    ):
        text = text.replace(plain, escaped)
    return f'"{text}"'
