"""Filters and trees: operators, operands as they reach Postgres, and shapes that leave operands out."""

from __future__ import annotations

import pytest
from localbase.rest.api_request.grammar.filter import Values, parse_logic, parse_operation, parse_tree_path
from localbase.rest.api_request.grammar.scan import GrammarError
from localbase.rest.api_request.grammar.terms import Field, Filter, JsonStep, Logic, Operation


def operation(text: str) -> tuple[Operation, list[bytes | None]]:
    values = Values([])
    return parse_operation(text, values)[0], values.items


@pytest.mark.parametrize(
    "name",
    [
        *("eq", "neq", "gt", "gte", "lt", "lte", "like", "ilike", "match", "imatch", "cs", "cd", "ov"),
        *("sl", "sr", "nxr", "nxl", "adj", "fts", "plfts", "phfts", "wfts", "isdistinct"),
    ],
)
def test_every_operator_takes_one_operand(name: str) -> None:
    assert operation(f"{name}.a.b") == (Operation(name, 0), [b"a.b"])


def test_operator_can_be_negated() -> None:
    assert operation("not.eq.1") == (Operation("eq", 0, negated=True), [b"1"])


def test_comparisons_can_be_quantified() -> None:
    assert operation("like(any).{a*,b}") == (Operation("like", 0, quantifier="any"), [b"{a%,b}"])


def test_full_text_search_can_name_its_language() -> None:
    assert operation("fts(english).cat") == (Operation("fts", 0, language="english"), [b"cat"])


def test_star_is_a_wildcard_for_like_only() -> None:
    assert operation("ilike.*x*")[1] == [b"%x%"]
    assert operation("eq.*x*")[1] == [b"*x*"]


@pytest.mark.parametrize(
    ("text", "items"),
    [
        ("in.(1,2)", [b"1", b"2"]),
        ('in.("a,b","c\\"d",e)', [b"a,b", b'c"d', b"e"]),
        ("in.(a,)", [b"a", b""]),
        ("in.(back\\slash)", [b"back\\slash"]),
        ("in.(1,2,3,4,5,6,7,8,9)", [b"%d" % number for number in range(1, 10)]),
    ],
)
def test_short_list_has_an_operand_for_each_item(text: str, items: list[bytes]) -> None:
    assert operation(text) == (Operation("in", 0, items=len(items)), items)


@pytest.mark.parametrize(
    ("text", "literal"),
    [
        ("in.()", b"{}"),
        ('in.("")', b"{}"),
        ('in.(1,2,3,4,5,6,7,8,"9",\\)', rb'{"1","2","3","4","5","6","7","8","9","\\"}'),
    ],
)
def test_empty_and_long_lists_become_arrays(text: str, literal: bytes) -> None:
    assert operation(text) == (Operation("in", 0), [literal])


@pytest.mark.parametrize(
    ("word", "keyword"),
    [
        ("null", "NULL"),
        ("NOT_NULL", "NOT NULL"),
        ("True", "TRUE"),
        ("false", "FALSE"),
        ("unknown", "UNKNOWN"),
    ],
)
def test_is_operator_takes_only_its_keywords(word: str, keyword: str) -> None:
    assert operation(f"is.{word}") == (Operation("is", -1, keyword=keyword), [])


@pytest.mark.parametrize("text", ["noop.1", "eq", "is.maybe", "eq().1", "in.1,2", "in.(1,2"])
def test_invalid_operations_are_rejected(text: str) -> None:
    with pytest.raises(GrammarError):
        operation(text)


@pytest.mark.parametrize("text", ["is.null", "in.(1,2)"])
def test_text_after_a_closed_operand_is_ignored(text: str) -> None:
    assert operation(text + "ish)") == operation(text)


def test_key_is_a_path_to_a_field() -> None:
    assert parse_tree_path('books.genres."the name"->>k') == (
        ("books", "genres"),
        Field("the name", (JsonStep("->>", "k", False),)),
    )


def test_logic_trees_nest_and_negate() -> None:
    values = Values([])
    tree, shape = parse_logic('or(id.eq.1,not.and(a->>b.in.(x,"y,z"),c.is.null),d.cs.{p,q})', values)
    assert tree == Logic(
        "or",
        (
            Filter(Field("id"), Operation("eq", 0)),
            Logic(
                "and",
                (
                    Filter(Field("a", (JsonStep("->>", "b", False),)), Operation("in", 1, items=2)),
                    Filter(Field("c"), Operation("is", -1, keyword="NULL")),
                ),
                negated=True,
            ),
            Filter(Field("d"), Operation("cs", 3)),
        ),
    )
    assert values.items == [b"1", b"x", b"y,z", b"{p,q}"]
    assert shape == "or(id.eq.\0\0,not.and(a->>b.in.\x002\0,c.is.null),d.cs.\0\0)"


def test_columns_named_like_operators_are_columns() -> None:
    tree, _ = parse_logic("and(or.eq.1,not.is.null)", Values([]))
    assert tree == Logic(
        "and",
        (
            Filter(Field("or"), Operation("eq", 0)),
            Filter(Field("not"), Operation("is", -1, keyword="NULL")),
        ),
    )


@pytest.mark.parametrize("text", ["or()", "or(id.eq.1", "xor(id.eq.1)", "and(id)", "and(id.in.1,2)"])
def test_malformed_logic_trees_are_rejected(text: str) -> None:
    with pytest.raises(GrammarError):
        parse_logic(text, Values([]))


def test_too_deep_logic_trees_are_rejected() -> None:
    with pytest.raises(GrammarError):
        parse_logic("and(" * 300 + "a.eq.1" + ")" * 300, Values([]))
