"""The text of a filter, read as upstream reads it, and what the feed passes to Postgres and reads of it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from localbase.realtime.changes.array_text import read_places, text_array
from localbase.realtime.changes.filters import Filter, filters_of, split
from localbase.realtime.changes.model import ChangeRequest, SubscriptionRefused
from localbase.realtime.changes.tables import is_pending


def parsed(text: str | None) -> tuple[Filter, ...]:
    return filters_of(ChangeRequest(1, "*", "public", "messages", text))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (None, ()),
        ("", ()),
        ("   ", ()),
        ("subject=eq.hey", (Filter("subject", "eq", "hey"),)),
        ("subject=eq.", (Filter("subject", "eq", ""),)),
        ("subject=in.(hidee,ho)", (Filter("subject", "in", "{hidee,ho}"),)),
        ("subject=not.like.hey%", (Filter("subject", "like", "hey%", True),)),
        ("id=gt.0,id=lt.100", (Filter("id", "gt", "0"), Filter("id", "lt", "100"))),
        (" id=gt.0 , id=lt.100 ", (Filter("id", "gt", "0"), Filter("id", "lt", "100"))),
        ("amount=eq.1.5", (Filter("amount", "eq", "1.5"),)),
        ("formula=eq.a=b", (Filter("formula", "eq", "a=b"),)),
        ('name=eq."a,b"', (Filter("name", "eq", "a,b"),)),
        (r'name=eq."a\"b\\c"', (Filter("name", "eq", 'a"b\\c'),)),
        ('name=eq."open', (Filter("name", "eq", '"open'),)),
        ('name=eq."a"b', (Filter("name", "eq", '"a"b'),)),
        ('name=eq.a"b,id=eq.1', (Filter("name", "eq", 'a"b'), Filter("id", "eq", "1"))),
        ('name=in.("a,b",c),id=eq.1', (Filter("name", "in", '{"a,b",c}'), Filter("id", "eq", "1"))),
        ("name=match.^(a,b)$,id=eq.1", (Filter("name", "match", "^(a,b)$"), Filter("id", "eq", "1"))),
        ("done=not.is.null", (Filter("done", "is", "null", True),)),
    ],
)
def test_filter_text_is_parsed(text: str | None, expected: tuple[Filter, ...]) -> None:
    assert parsed(text) == expected


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("undefined", '["undefined"]'),
        ("subject=foo.hey", '["foo", "hey"]'),
        ("subject=not.foo.hey", '["foo", "hey"]'),
        ("subject=eq", '["eq"]'),
        ('sub"ject', '["sub\\"ject"]'),
        ("id=in.1", "`in` filter value must be wrapped by parentheses"),
        ("id=in.(", "`in` filter value must be wrapped by parentheses"),
        (",id=eq.1", "filter must not contain empty segments (check for extra commas)"),
        ("id=eq.1,,id=eq.2", "filter must not contain empty segments (check for extra commas)"),
    ],
)
def test_malformed_filter_is_refused_in_upstream_words(text: str, reason: str) -> None:
    with pytest.raises(SubscriptionRefused) as refused:
        parsed(text)
    assert str(refused.value) == f"Error parsing `filter` params: {reason}"


@given(st.text(alphabet='ab,.()"\\=', max_size=30))
def test_split_text_loses_nothing(text: str) -> None:
    assert ",".join(split(text)) == text


def test_text_array_is_a_literal_of_postgres() -> None:
    assert (
        text_array([b"a", None, b'"', b"\\", b"", b"x,y", b"NULL"])
        == rb'{"a",NULL,"\"","\\","","x,y","NULL"}'
    )
    assert text_array([]) == b"{}"


def test_places_are_counted_from_zero() -> None:
    assert read_places(None) == frozenset()
    assert read_places(b"1,3,10") == {0, 2, 9}


@pytest.mark.parametrize(
    ("transaction", "snapshot", "pending"),
    [
        (750, "751:751:", False),
        (750, "750:750:", True),
        (750, "750:752:750,751", True),
        (751, "750:752:750", False),
        (752, "750:752:750", True),
        # The number that follows 2³² - 1 is 3, and a snapshot counts on.
        (2**32 - 1, f"{2**32 + 5}:{2**32 + 5}:", False),
        (7, f"{2**32 + 5}:{2**32 + 5}:", True),
        (3, f"{2**32 + 3}:{2**32 + 5}:{2**32 + 3}", True),
    ],
)
def test_transaction_is_pending_until_a_snapshot_shows_it(
    transaction: int, snapshot: str, pending: bool
) -> None:
    assert is_pending(transaction, snapshot) is pending
