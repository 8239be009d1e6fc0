"""Payloads of joins, as clients of several languages write them."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from localbase.realtime.changes.model import ChangeRequest
from localbase.realtime.channel.join import InvalidJoin, JoinRequest, Replay, change_requests, parse_join

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=10,
)


def test_join_without_fields_has_their_defaults() -> None:
    request = parse_join({})
    assert request == JoinRequest(presence_key=request.presence_key)
    assert len(request.presence_key) == 36


def test_every_field_is_read() -> None:
    request = parse_join(
        {
            "access_token": "token",
            "config": {
                "private": True,
                "broadcast": {
                    "self": True,
                    "ack": "true",
                    "replay": {"since": 1, "limit": 2},
                    "replication_ready": True,
                },
                "presence": {"enabled": "TRUE", "key": "me"},
                "postgres_changes": None,
            },
        }
    )
    assert request == JoinRequest("token", True, True, True, Replay(1, 2), True, True, "me", [])


@pytest.mark.parametrize(
    ("value", "flag"),
    [(True, True), ("true", True), ("True", True), (False, False), ("yes", False), (1, False), (None, False)],
)
def test_boolean_may_be_a_text(value: object, flag: bool) -> None:
    assert parse_join({"config": {"private": value}}).private is flag


def test_user_token_comes_before_the_access_token() -> None:
    assert parse_join({"access_token": "a", "user_token": "u"}).access_token == "u"


@given(st.fixed_dictionaries({}, optional={"config": JSON, "access_token": JSON}))
def test_any_object_is_a_join_or_invalid(payload: dict[str, Any]) -> None:
    try:
        assert isinstance(parse_join(payload), JoinRequest)
    except InvalidJoin:
        assert payload["config"]["postgres_changes"]


def test_entries_of_changes_have_one_id_each_and_the_same_for_the_same() -> None:
    entries = [{"schema": "a"}, {"schema": "b"}, {"schema": "a"}]
    ids = [entry["id"] for entry in parse_join({"config": {"postgres_changes": entries}}).changes]
    assert ids[0] == ids[2] != ids[1]


def test_entries_of_changes_are_limited() -> None:
    def join(entries: list[Any]) -> JoinRequest:
        return parse_join({"config": {"postgres_changes": entries}}, most_changes=3)

    assert len(join([{"table": str(number)} for number in range(3)]).changes) == 3
    with pytest.raises(InvalidJoin, match="has 4 entries, and a channel may have 3"):
        join([{"table": str(number)} for number in range(4)])
    with pytest.raises(InvalidJoin, match="exceeds 128 KiB"):
        join([{"filter": "x" * 50_000}] * 3)


@pytest.mark.parametrize(
    ("entry", "request_"),
    [
        ({"schema": "s"}, ChangeRequest(1, "*", "s")),
        ({"table": "t"}, ChangeRequest(1, "*", "public", "t")),
        (
            {"event": "insert", "schema": "s", "table": "t", "filter": "a=eq.1", "select": ["a"]},
            ChangeRequest(1, "INSERT", "s", "t", "a=eq.1", ("a",)),
        ),
        ({"event": "other", "schema": "s", "filter": " ", "select": []}, ChangeRequest(1, "*", "s")),
    ],
)
def test_entry_is_read_as_a_request(entry: dict[str, Any], request_: ChangeRequest) -> None:
    assert change_requests([{**entry, "id": 1}]) == [request_]


@pytest.mark.parametrize(
    "entry",
    [
        {},
        {"schema": 1},
        {"schema": "s", "table": []},
        {"schema": "s", "filter": 1},
        {"schema": "s", "select": "a"},
    ],
)
def test_entry_with_a_fault_is_invalid(entry: dict[str, Any]) -> None:
    with pytest.raises(InvalidJoin):
        change_requests([{**entry, "id": 1}])
