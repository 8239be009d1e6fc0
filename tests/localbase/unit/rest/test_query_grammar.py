"""Order terms and whole query strings: parameters by kind, values separate from the shape."""

from __future__ import annotations

import pytest
from localbase.rest.api_request.grammar.filter import Values
from localbase.rest.api_request.grammar.order import parse_order
from localbase.rest.api_request.grammar.query import ParsedQuery, canonical_query, parse_query, split_query
from localbase.rest.api_request.grammar.scan import GrammarError
from localbase.rest.api_request.grammar.terms import Field, Filter, JsonStep, Operation, OrderTerm
from localbase.rest.errors import RestError


def parse(text: str, *, arguments: bool = False) -> tuple[ParsedQuery, list[bytes | None]]:
    values = Values([])
    return parse_query(split_query(text.encode()), values, arguments_allowed=arguments), values.items


def test_order_terms_take_direction_and_nulls() -> None:
    assert parse_order("a.desc.nullslast,b->c.nullsfirst,r(d).asc") == (
        OrderTerm(Field("a"), None, "desc", "nullslast"),
        OrderTerm(Field("b", (JsonStep("->", "c", False),)), None, "", "nullsfirst"),
        OrderTerm(Field("d"), "r", "asc"),
    )


@pytest.mark.parametrize(
    "text", ["id.ac", "id.descc", "id.asc.x", "id.nullslasttt", "r(a,b)", "", "id.asc ,b"]
)
def test_invalid_orders_are_rejected(text: str) -> None:
    with pytest.raises(GrammarError):
        parse_order(text)


def test_every_parameter_is_parsed() -> None:
    parsed, values = parse(
        "select=id,r(x)&id=eq.5&r.x=lt.7&order=id&r.order=x.desc&limit=3&offset=1&r.limit=2"
        "&columns=a,%22b%20c%22&on_conflict=id"
    )
    query = parsed.query
    assert query.conditions == (
        ((), Filter(Field("id"), Operation("eq", 0))),
        (("r",), Filter(Field("x"), Operation("lt", 1))),
    )
    assert query.orders == (((), (OrderTerm(Field("id")),)), (("r",), (OrderTerm(Field("x"), None, "desc"),)))
    assert (parsed.limit, parsed.offset, query.limits) == (3, 1, ((("r",), 2),))
    assert (query.columns, query.on_conflict) == (("a", "b c"), ("id",))
    assert values == [b"5", b"7", b"2"]


def test_requests_that_differ_in_values_have_one_shape() -> None:
    first, _ = parse("id=eq.1&or=(a.gt.2,b.in.(3,4))&limit=5&r.limit=6&select=*,r(*)")
    second, _ = parse("id=eq.9&or=(a.gt.8,b.in.(7,8))&limit=1&r.limit=2&select=*,r(*)")
    assert first.shape == second.shape
    assert first.query == second.query


@pytest.mark.parametrize(
    "other",
    [
        "id=neq.1",
        "id=not.eq.1",
        "idx=eq.1",
        "id=is.null",
        "id=eq.1&order=id",
        "id=eq.1&select=id",
        "id=in.(1)",
        "id=in.(1,2)",
    ],
)
def test_requests_that_differ_in_more_have_other_shapes(other: str) -> None:
    assert parse("id=eq.1")[0].shape != parse(other)[0].shape


def test_value_without_operator_is_a_function_argument() -> None:
    parsed, values = parse("a=1&b=eq.2", arguments=True)
    assert parsed.query.arguments == (("a", 0),)
    assert values == [b"1", b"2"]
    with pytest.raises(RestError) as caught:
        parse("a=1")
    assert caught.value.code == "PGRST100"
    assert caught.value.message == '"failed to parse filter (1)" (line 1, column 1)'
    assert caught.value.details == 'unexpected "1" expecting "not" or operator (eq, gt, ...)'


def test_plus_signs_and_percents_are_decoded() -> None:
    assert split_query(b"a=eq.x+y%2Bz&%C3%A9=eq.%E2%82%AC&novalue") == [("a", "eq.x y+z"), ("é", "eq.€")]


def test_canonical_query_is_sorted_and_encoded() -> None:
    assert (
        canonical_query(split_query(b"select=*&id=in.(1,2)&a=eq.x%20y"))
        == "a=eq.x%20y&id=in.(1%2C2)&select=*"
    )


def test_invalid_limit_is_ignored() -> None:
    assert parse("limit=ten&offset=")[0].limit is None
