"""Everyday names are read by one pattern, quoted ones sign by sign: both have to give the same terms."""

from __future__ import annotations

from collections.abc import Callable

from hypothesis import given, settings
from hypothesis import strategies as st
from localbase.rest.api_request.grammar.filter import Values, parse_logic
from localbase.rest.api_request.grammar.order import parse_order
from localbase.rest.api_request.grammar.scan import GrammarError
from localbase.rest.api_request.grammar.select import parse_select

from tests.support.random_cases import cases

# Some of them are words of the grammar.
_NAMES = st.sampled_from(
    ["a", "_b2", "Name", "counts", "sum", "and", "or", "not", "inner", "left", "asc", "desc", "eq", "is"]
)
_LEFT, _RIGHT = "\N{LEFT CORNER BRACKET}", "\N{RIGHT CORNER BRACKET}"
_MARKED = _NAMES.map(lambda name: _LEFT + name + _RIGHT)
# Without quotes these two say how to join.
_HINTS = _MARKED.filter(lambda name: name[1:-1] not in ("inner", "left"))
_BEHIND_NAMES = [
    "",
    "",
    "",
    ".asc",
    ".desc",
    ".nullslast",
    ".desc.nullsfirst",
    ".up",
    "->k",
    "::text",
    ".sum()",
    "-",
    " ",
]


def _joined(parts: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    return st.lists(parts, min_size=1, max_size=3).map(",".join)


_COLUMNS = st.builds(
    "{}{}{}".format,
    st.one_of(st.just(""), _MARKED.map("{}:".format)),
    _MARKED,
    st.sampled_from(_BEHIND_NAMES),
)
_ITEMS = st.recursive(
    _COLUMNS,
    lambda items: st.builds(
        "{}{}{}({})".format,
        st.sampled_from(["", "", "..."]),
        _MARKED,
        st.one_of(
            st.sampled_from(["", "!inner", "!left", "!leftover", "!inner!left"]), _HINTS.map("!{}".format)
        ),
        st.one_of(st.just(""), _joined(items)),
    ),
    max_leaves=6,
)
_ORDERS = st.builds("{}{}".format, _MARKED, st.sampled_from(_BEHIND_NAMES))
_LEAVES = st.builds(
    "{}{}.{}".format, _MARKED, st.sampled_from(["", "", "->k"]), st.sampled_from(["eq.1", "in.(1,2)", "a"])
)
_TREES = st.recursive(
    _LEAVES,
    lambda terms: st.builds("{}({})".format, st.sampled_from(["and", "or", "not.or", "not"]), _joined(terms)),
    max_leaves=5,
)


def _assert_quotes_change_nothing(parse: Callable[[str], object], marked: str) -> None:
    def read(opening: str, closing: str) -> object:
        try:
            return parse(marked.replace(_LEFT, opening).replace(_RIGHT, closing))
        except GrammarError:
            return None

    assert read("", "") == read('"', '"')


@settings(max_examples=cases(250))
@given(_joined(_ITEMS))
def test_selected_names_may_be_quoted(marked: str) -> None:
    _assert_quotes_change_nothing(parse_select, marked)


@settings(max_examples=cases(250))
@given(_joined(_ORDERS))
def test_names_to_order_by_may_be_quoted(marked: str) -> None:
    _assert_quotes_change_nothing(parse_order, marked)


@settings(max_examples=cases(250))
@given(_TREES)
def test_names_within_conditions_may_be_quoted(marked: str) -> None:
    _assert_quotes_change_nothing(lambda text: parse_logic(text, Values([]))[0], marked)
