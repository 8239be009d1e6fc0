"""Query strings of the Data API in hostile shapes: each list, tree, name and operator, whole and broken off."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from tests.localbase.integration.growth.shapes import QUERIES, Shape, numbered, times
from tests.support.random_cases import one_of_each

_ITEMS = (
    *(
        "a,",
        "_,",
        "a:b,",
        "a->b",
        "a->b,",
        "a::b,",
        "a(",
        "a(b),",
        "...a(b),",
        '"',
        '"a",',
        "a-",
        "a!b!c(d),",
    ),
    *("count(),", " ", "\\", "a.sum(),", "*,"),
)
_CONDITIONS = (
    *("a.eq.1,", "or(", "and(a.eq.1),", "a.in.(1,2),", 'a.in.("1"),', "email.eq.1,", "not.", "a.cs.{1},"),
    *('"', "a->b.eq.1,", "a.is.null,"),
)
_OPERATORS = (
    *("in.(", "eq.", "like.", "match.", "cs.{", "fts.", "fts(", "is.", "not.", "not.in.(", "ov.["),
    *("eq(any).{", "isdistinct."),
)
_OPERANDS = ("1,", "a", '"', '"a",', "*", "%25", "\\", "(", "not.")


def _queries() -> Iterator[tuple[str, Shape]]:
    yield from QUERIES.items()
    for name in ("select", "order", "on_conflict"):
        for turn, unit in enumerate(_ITEMS):
            ends = (("", ""), (" and a name", "email"))
            for words, end in one_of_each([ends], turn + len(name)):
                yield f"{name} of {unit}{words}", times(unit, f"{name}=", end)
    for name in ("or", "a.not.and"):
        for turn, unit in enumerate(_CONDITIONS):
            ends = (("", ""), (" and a condition", "email.eq.1)"))
            for words, end in one_of_each([ends], turn + len(name)):
                yield f"{name} of {unit}{words}", times(unit, f"{name}=(", end)
    for turn, operator in enumerate(_OPERATORS):
        # A list is taken apart item by item; of what has one operand, each takes some of those.
        is_list = operator.endswith("in.(")
        operands = (_OPERANDS[at::3] for at in range(3))
        for unit in _OPERANDS if is_list else one_of_each(list(operands), turn):
            yield f"{operator} of {unit}", times(unit, f"email={operator}")
            if is_list:
                yield f"{operator} of {unit} to its end", times(unit, f"email={operator}", ")")
    for name in ("limit", "offset", "a.limit"):
        yield f"{name} of digits", times("9", f"{name}=")
    yield "a long name of a filter", times("a.", end="b=eq.1")
    yield "a long path into JSON", times("->a", "a", "=eq.1")
    yield "many filters", times("email=eq.1&")
    yield "many different filters", numbered("email=eq.#", "&")
    yield "many orders", times("order=email&")
    yield "many trees", times("or=(email.eq.1)&")
    yield "many limits", numbered("a#.limit=1", "&")
    yield "many embedded orders", numbered("a#.order=id", "&")


REST_QUERIES: Mapping[str, Shape] = dict(_queries())
