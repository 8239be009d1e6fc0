"""Query strings of the Data API in hostile shapes: each list, tree, name and operator, whole and broken off."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from tests.localbase.integration.growth.shapes import QUERIES, Shape, numbered, times

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
        for unit in _ITEMS:
            yield f"{name} of {unit}", times(unit, f"{name}=")
            yield f"{name} of {unit} and a name", times(unit, f"{name}=", "email")
    for name in ("or", "a.not.and"):
        for unit in _CONDITIONS:
            yield f"{name} of {unit}", times(unit, f"{name}=(")
            yield f"{name} of {unit} and a condition", times(unit, f"{name}=(", "email.eq.1)")
    for operator in _OPERATORS:
        for unit in _OPERANDS:
            yield f"{operator} of {unit}", times(unit, f"email={operator}")
            if operator.endswith("in.("):
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
