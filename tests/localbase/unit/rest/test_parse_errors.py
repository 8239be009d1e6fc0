"""Parse errors: the parsers reject what upstream's grammar rejects, with its messages."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from localbase.rest.api_request.grammar.filter import (
    Values,
    parse_logic,
    parse_logic_path,
    parse_operation,
    parse_tree_path,
)
from localbase.rest.api_request.grammar.order import parse_order
from localbase.rest.api_request.grammar.parse_error import fits, parse_error
from localbase.rest.api_request.grammar.query import parse_columns, parse_query
from localbase.rest.api_request.grammar.scan import GrammarError
from localbase.rest.api_request.grammar.select import parse_select
from localbase.rest.errors import RestError

from tests.support.random_cases import cases

PARSERS: dict[str, Callable[[str], object]] = {
    "select": parse_select,
    "order": parse_order,
    "tree path": parse_tree_path,
    "logic path": parse_logic_path,
    "columns": parse_columns,
    "filter": lambda text: parse_operation(text, Values([])),
    "logic": lambda text: parse_logic(text, Values([])),
}
# Valid pieces and truncated ones, so that texts get far into a rule before they fail.
_PIECES = {
    "select": ["id", "*", "count()", "a:b", "...x(y)", "c!d!inner(e,f)", "j->k->>0", "n::int", "p.sum()::text",
               "(", ")", ",", " ", "\t", '"', '"q,r"', "\\", "!", "left", ":", "-", "->", ".", "é", "1", "$", "..."],
    "order": ["id", "j->k", "r(c)", ".asc", ".desc", ".nullsfirst", ".nullslast", ",", " ", ".", "(", ")", '"', "-"],
    "tree path": ["id", "a.b", "->k", "->>0", "-1", '"q"', ".", "->", "-", " ", '"', "\\", "(", ","],
    "logic path": ["and", "or", "not", ".", "a", " ", '"', "-", '"q"'],
    "columns": ["a", "b c", ",", " ", '"', '"q"', "-", "!", "\t"],
    "filter": ["eq", "not.", "in.", "is.", "null", "not_null", "TRUE", "fts(english)", "like(any)", "(all)", "(1,2)",
               '("a",b)', "(", ")", ".", "1", ",", '"', "\\", "isdistinct.", "gte", "adj.", " "],
    "logic": ["and(", "or(", "not.", "id.eq.1", "a->>b.in.(x,y)", 'c.like."d,e"', "f.cs.{1,2}", "g.is.null", "(", ")",
              ",", " ", ".", "{", "}", '"', "-", "x", "and", "or"],
}  # fmt: skip


@st.composite
def _texts(draw: st.DrawFn) -> tuple[str, str]:
    rule = draw(st.sampled_from(sorted(PARSERS)))
    return rule, "".join(draw(st.lists(st.sampled_from(_PIECES[rule]), max_size=12)))


@settings(max_examples=cases(250))
@example(("logic", "and(f.cs.{1,2} )"))
@example(("logic", "or(g.is.null\t)"))
@example(("logic", "and(f.cs.{1,2} ,and(g.is.null) )"))
@given(_texts())
def test_text_is_parsed_exactly_when_upstream_parses_it(rule_and_text: tuple[str, str]) -> None:
    rule, text = rule_and_text
    try:
        PARSERS[rule](text)
    except GrammarError:
        assert not fits(rule, text)
        line, column, sentence = parse_error(rule, text)
        assert (line, column >= 1) == (1, True)
        assert sentence.startswith("unexpected ")
    else:
        assert fits(rule, text)


@pytest.mark.parametrize(
    ("rule", "text", "column", "sentence"),
    [
        ("filter", "soso.1", 1, 'unexpected "s" expecting "not" or operator (eq, gt, ...)'),
        ("filter", "", 1, 'unexpected end of input expecting "not" or operator (eq, gt, ...)'),
        ("filter", "not.soso.1", 5, 'unexpected "s" expecting operator (eq, gt, ...)'),
        ("filter", "in.5", 4, 'unexpected "5" expecting "("'),
        ("filter", "is.perhaps", 4,
         'unexpected "p" expecting isVal: (null, not_null, true, false, unknown)'),
        ("order", "id.up", 4, 'unexpected "u" expecting "asc", "desc", "nullsfirst" or "nullslast"'),
        ("order", "id.asc.first", 8, 'unexpected "f" expecting "nullsfirst" or "nullslast"'),
        ("order", "id.asc.nullsfirsts", 18, "unexpected 's' expecting \",\" or end of input"),
        ("order", "id,", 4,
         'unexpected end of input expecting field name (* or [a..z0..9_$])'),
        ("select", "id,", 4,
         'unexpected end of input expecting "...", field name (* or [a..z0..9_$]), "*" or "count()"'),
        ("select", "a]", 2, "unexpected ']' expecting letter, digit, \"-\", \"->>\", \"->\", \"::\", \".\", \")\", "
         '"," or end of input'),
        ("select", "a->", 4, 'unexpected end of input expecting "-", digit or any non reserved character '
         "different from: .,>()"),
        ("tree path", "a.", 3, "unexpected end of input expecting field name (* or [a..z0..9_$])"),
        ("logic", "or()", 4, 'unexpected ")" expecting field name (* or [a..z0..9_$]), negation operator (not) or '
         "logic operator (and, or)"),
        ("logic", "or(id.eq.1", 11, 'unexpected end of input expecting "," or ")"'),
        ("logic", "and", 4, "unexpected end of input expecting \"(\""),
    ],
)  # fmt: skip
def test_parse_error_equals_upstreams(rule: str, text: str, column: int, sentence: str) -> None:
    with pytest.raises(GrammarError):
        PARSERS[rule](text)
    assert parse_error(rule, text) == (1, column, sentence)


def test_mistake_at_the_beginning_of_a_long_text_is_explained() -> None:
    assert parse_error("select", "a]" + ",a" * 30_000) == parse_error("select", "a],a")


@pytest.mark.parametrize(
    ("rule", "text"),
    [
        ("select", "a," * 30_000),
        ("select", '"' + "a" * 60_000),
        ("order", "id.nullsfirst," * 71 + "a.nulls" + "first," * 9_000),
        ("filter", "in.(" + "1," * 30_000),
        ("columns", "a," * 30_000),
    ],
)
def test_mistake_far_behind_is_not_explained(rule: str, text: str) -> None:
    with pytest.raises(GrammarError):
        PARSERS[rule](text)
    sentence = "unexpected input after the first 1000 characters, the only ones that are explained"
    assert parse_error(rule, text) == (1, 1001, sentence)


def test_lines_and_tabs_are_counted_like_upstream() -> None:
    assert parse_error("logic", 'or(a.eq."b\nc",d')[:2] == (2, 5)
    assert parse_error("order", "a,\tb.x")[:2] == (1, 11)


@pytest.mark.parametrize(
    ("pairs", "message"),
    [
        ([("id", "no"), ("select", "a("), ("order", "x.y")], "failed to parse order (x.y)"),
        ([("id", "no"), ("select", "a("), ("and", "(x)")], "failed to parse logic tree ((x))"),
        ([("id", "no"), ("select", "a(")], "failed to parse select parameter (a()"),
        ([("on_conflict", "!"), ("id", "no")], "failed to parse filter (no)"),
        ([("a.", "eq.1")], "failed to parse tree path (a.)"),
        ([("a.", "no")], "failed to parse tree path (a.)"),
        ([("columns", "!")], "failed to parse columns parameter (!)"),
    ],
)
def test_first_of_several_errors_is_upstreams(pairs: list[tuple[str, str]], message: str) -> None:
    with pytest.raises(RestError) as caught:
        parse_query(pairs, Values([]), arguments_allowed=False)
    assert caught.value.code == "PGRST100"
    assert caught.value.message.startswith(f'"{message}" (line 1, column ')


@pytest.mark.parametrize("value", ["not.today", "in.private", "is.it"])
def test_argument_that_begins_like_an_operator_is_rejected(value: str) -> None:
    with pytest.raises(RestError, match="failed to parse filter"):
        parse_query([("words", value)], Values([]), arguments_allowed=True)
    assert parse_query([("words", "isolated")], Values([]), arguments_allowed=True).query.arguments
