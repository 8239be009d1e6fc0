"""Presence: who is there, entering, changing and leaving, as Phoenix shows it."""

from __future__ import annotations

from typing import Any

from tests.localbase.integration.realtime.phoenix import Phoenix, phoenix
from tests.support.stacks import Stack
from tests.support.users import Users


def enter(client: Phoenix, topic: str, key: str, **payload: Any) -> None:
    client.join(topic, presence={"enabled": True, "key": key})
    client.until("presence_state")
    assert track(client, topic, **payload) == ("ok", {})


def track(client: Phoenix, topic: str, **payload: Any) -> tuple[str, Any]:
    return client.call(
        f"realtime:{topic}", "presence", {"type": "presence", "event": "track", "payload": payload}
    )


def metas(entry: dict[str, Any]) -> list[dict[str, Any]]:
    shown_metas = []
    for meta in entry["metas"]:
        assert isinstance(meta["phx_ref"], str)
        shown_metas.append({name: value for name, value in meta.items() if name != "phx_ref"})
    return shown_metas


def test_state_shows_who_is_there(realtime: Stack) -> None:
    with phoenix(realtime) as ann, phoenix(realtime) as ben, phoenix(realtime) as late:
        enter(ann, "state", "ann", mood="fine")
        enter(ben, "state", "ann", mood="second device")
        late.join("state", presence={"enabled": True})
        payload = late.receive()
        assert payload[:4] == ("1", None, "realtime:state", "presence_state")
        assert {key: metas(entry) for key, entry in payload[4].items()} == {
            "ann": [{"mood": "fine"}, {"mood": "second device"}]
        }


def test_change_shows_the_old_and_the_new(realtime: Stack) -> None:
    with phoenix(realtime) as ann, phoenix(realtime) as other:
        other.join("change", presence={"enabled": True})
        other.until("presence_state")
        enter(ann, "change", "ann", mood="fine", phx_ref="forged")
        joined = other.receive()
        assert joined[:4] == (None, None, "realtime:change", "presence_diff")
        before = joined[4]["joins"]["ann"]["metas"][0]
        assert (joined[4]["leaves"], before["mood"]) == ({}, "fine")
        assert before["phx_ref"] != "forged"
        track(ann, "change", mood="tired")
        diff = other.receive()[4]
        assert diff["leaves"] == {"ann": {"metas": [before]}}
        assert metas(diff["joins"]["ann"]) == [{"mood": "tired", "phx_ref_prev": before["phx_ref"]}]
        assert track(ann, "change", mood="tired") == ("ok", {})
        other.nothing_before_heartbeat()


def test_presence_ends_with_untrack_leaving_and_the_socket(realtime: Stack) -> None:
    with phoenix(realtime) as other:
        other.join("ends", presence={"enabled": True})
        other.until("presence_state")
        with phoenix(realtime) as ann:
            enter(ann, "ends", "ann")
            assert "ann" in other.receive()[4]["joins"]
            assert ann.call("realtime:ends", "presence", {"event": "UNTRACK"}) == ("ok", {})
            assert "ann" in other.receive()[4]["leaves"]
            track(ann, "ends")
            assert "ann" in other.receive()[4]["joins"]
            ann.call("realtime:ends", "phx_leave", {})
            assert "ann" in other.receive()[4]["leaves"]
            enter(ann, "ends", "ann")
            assert "ann" in other.receive()[4]["joins"]
        assert "ann" in other.receive()[4]["leaves"]
        other.nothing_before_heartbeat()


def test_client_without_a_key_gets_one_of_its_own(realtime: Stack) -> None:
    with phoenix(realtime) as ann, phoenix(realtime) as ben:
        for client in (ann, ben):
            client.join("keys", presence={"enabled": True, "key": ""})
            client.until("presence_state")
            track(client, "keys")
        with phoenix(realtime) as third:
            keys = present(third, "keys")
        assert [len(key) for key in keys] == [36, 36]


def present(client: Phoenix, topic: str) -> list[str]:
    """The keys of all who are present."""
    client.join(topic, presence={"enabled": True})
    return list(client.until("presence_state")[4])


def test_track_of_no_map_is_an_error(realtime: Stack) -> None:
    with phoenix(realtime) as client:
        client.join("maps")
        wrong = {"type": "presence", "event": "track", "payload": [1]}
        reason = {"reason": "Presence track payload must be a map"}
        assert client.call("realtime:maps", "presence", wrong) == ("error", reason)
        assert client.call("realtime:maps", "presence", {"event": "dance"}) == ("error", {})


def test_private_presence_is_for_members_and_written_by_the_owner(realtime: Stack, members: Users) -> None:
    owner, member = members.new("owner"), members.new("member")
    rows = [
        {"room": "present", "user_id": owner.id, "is_owner": True},
        {"room": "present", "user_id": member.id, "is_owner": False},
    ]
    members.service.table("room_members").insert(rows).execute()
    with phoenix(realtime) as first, phoenix(realtime) as second, phoenix(realtime) as public:
        for client, token in ((first, owner.token), (second, member.token)):
            joined = client.join("room:present", token=token, private=True, presence={"enabled": True})
            assert joined[0] == "ok"
            assert client.until("presence_state")[4] == {}
        public.join("room:present", presence={"enabled": True})
        public.until("presence_state")
        assert track(second, "room:present", who="member") == ("error", {})
        assert track(first, "room:present", who="owner") == ("ok", {})
        ((_, entry),) = second.until("presence_diff")[4]["joins"].items()
        assert metas(entry) == [{"who": "owner"}]
        public.nothing_before_heartbeat()


def test_presences_of_a_topic_are_limited_together(realtime: Stack) -> None:
    with phoenix(realtime) as ann, phoenix(realtime) as ben:
        enter(ann, "large", "ann", text="x" * 1_000_000)
        ben.join("large", presence={"enabled": True})
        assert "ann" in ben.until("presence_state")[4]
        assert track(ben, "large", text="x" * 1_000_000) == ("error", {})
        assert track(ben, "large", text="x" * 1000) == ("ok", {})
