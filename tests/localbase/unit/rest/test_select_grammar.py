"""The grammar of `select=`, and its errors."""

from __future__ import annotations

import pytest
from localbase.rest.api_request.grammar.scan import GrammarError
from localbase.rest.api_request.grammar.select import parse_select
from localbase.rest.api_request.grammar.terms import Field, JsonStep, SelectField, SelectRelation


def test_columns_are_selected_in_order() -> None:
    assert parse_select("id,name") == (SelectField(Field("id")), SelectField(Field("name")))


def test_star_selects_every_column() -> None:
    assert parse_select("*") == (SelectField(Field("*")),)


def test_empty_select_is_the_default() -> None:
    assert parse_select("") == ()


def test_column_can_have_alias_and_cast() -> None:
    assert parse_select("n:price::double precision") == (
        SelectField(Field("price"), "n", "double precision"),
    )


def test_json_paths_distinguish_keys_and_indexes() -> None:
    path = (JsonStep("->", "a", False), JsonStep("->", "-1", True), JsonStep("->>", "b-c", False))
    assert parse_select("data->a->-1->>b-c") == (SelectField(Field("data", path)),)


def test_quoted_names_can_have_any_character() -> None:
    assert parse_select('"a.dot","a,comma","q\\"uote"') == (
        SelectField(Field("a.dot")),
        SelectField(Field("a,comma")),
        SelectField(Field('q"uote')),
    )


def test_dashes_and_spaces_are_part_of_a_name() -> None:
    assert parse_select("a-b, the id ") == (SelectField(Field("a-b")), SelectField(Field("the id")))


def test_embeddings_can_be_nested() -> None:
    inner = SelectRelation("genres", (SelectField(Field("name")),))
    outer = SelectRelation("books", (SelectField(Field("*")), inner))
    assert parse_select("id,books(*,genres(name))") == (SelectField(Field("id")), outer)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a:t!h(id)", SelectRelation("t", (SelectField(Field("id")),), "a", "h")),
        ("t!inner(id)", SelectRelation("t", (SelectField(Field("id")),), join="inner")),
        ("t!h!left(id)", SelectRelation("t", (SelectField(Field("id")),), hint="h", join="left")),
        ("t!inner!h(id)", SelectRelation("t", (SelectField(Field("id")),), hint="h", join="inner")),
        ("...t(id)", SelectRelation("t", (SelectField(Field("id")),), spread=True)),
        ("t()", SelectRelation("t", ())),
    ],
)
def test_embeddings_take_alias_hint_and_join(text: str, expected: SelectRelation) -> None:
    assert parse_select(text) == (expected,)


def test_aggregates_have_casts_before_and_after() -> None:
    assert parse_select("count(),t:price::int.sum()::text") == (
        SelectField(Field("*"), aggregate="count"),
        SelectField(Field("price"), "t", "int", "sum", "text"),
    )


@pytest.mark.parametrize(
    "text",
    [
        *("id,name[]", "id,", "id(", "name::", "data->>-x", "alias:...rel(*)", "id,*!hint", "rel(a) x"),
        *("count!inner(id)", "x:count!left(id)", "count(id)"),
    ],
)
def test_invalid_selections_are_rejected(text: str) -> None:
    with pytest.raises(GrammarError):
        parse_select(text)


@pytest.mark.parametrize("text", [":", "*!hint", "!a", "...", "->"])
def test_invalid_item_start_selects_nothing(text: str) -> None:
    assert parse_select(text) == ()


def test_text_after_the_last_bracket_is_ignored() -> None:
    assert parse_select("id,rel(a))") == parse_select("id,rel(a)")


def test_too_deep_embeddings_are_rejected() -> None:
    with pytest.raises(GrammarError):
        parse_select("a(" * 500 + ")" * 500)
