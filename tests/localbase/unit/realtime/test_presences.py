"""The presences of topics."""

from __future__ import annotations

import json
from typing import Any

import pytest
from localbase.realtime.frames import MalformedMessage
from localbase.realtime.hub.presence import PresenceFull, Presences
from localbase.realtime.hub.topics import Topic

ROOM, PRIVATE = Topic("room", False), Topic("room", True)


def keys(state: bytes) -> dict[str, list[Any]]:
    return {key: [meta["n"] for meta in entry["metas"]] for key, entry in json.loads(state).items()}


def test_state_has_the_metas_of_each_key_in_the_order_of_coming() -> None:
    presences = Presences()
    for member, key, number in (("1", "a", 1), ("2", "b", 2), ("3", "a", 3)):
        presences.track(ROOM, member, key, {"n": number})
        assert key in keys(presences.state(ROOM))
    assert keys(presences.state(ROOM)) == {"a": [1, 3], "b": [2]}
    presences.untrack(ROOM, "1", "a")
    assert keys(presences.state(ROOM)) == {"a": [3], "b": [2]}
    assert presences.state(PRIVATE) == b"{}"


def test_untracking_what_is_not_there_changes_nothing() -> None:
    presences = Presences()
    presences.track(ROOM, "1", "a", {"n": 1})
    assert presences.untrack(ROOM, "2", "a") is None
    assert presences.untrack(PRIVATE, "1", "a") is None
    assert presences.untrack(ROOM, "1", "a") is not None
    assert presences.state(ROOM) == b"{}"


def test_payload_that_is_no_json_does_not_come_into_the_state() -> None:
    presences = Presences()
    with pytest.raises(MalformedMessage):
        presences.track(ROOM, "1", "a", {"n": float("nan")})
    assert presences.state(ROOM) == b"{}"


def test_presences_of_a_topic_and_of_all_are_limited_together() -> None:
    presences = Presences(topic_bytes=20, all_bytes=30)
    presences.track(ROOM, "1", "a", {"n": 1})
    presences.track(ROOM, "2", "b", {"n": 2})
    with pytest.raises(PresenceFull):
        presences.track(ROOM, "3", "c", {"n": 3})
    presences.track(ROOM, "2", "b", {"n": 4})
    presences.track(PRIVATE, "4", "d", {"n": 5})
    with pytest.raises(PresenceFull):
        presences.track(PRIVATE, "5", "e", {"n": 6})
    assert keys(presences.state(ROOM)) == {"a": [1], "b": [4]}
    presences.untrack(ROOM, "1", "a")
    presences.track(PRIVATE, "5", "e", {"n": 6})
    presences.track(ROOM, "2", "b", {})
    assert keys(presences.state(PRIVATE)) == {"d": [5], "e": [6]}
