"""Private channels: the policies of `realtime.messages` say who reads and who writes."""

from __future__ import annotations

import psycopg
import pytest
from localbase.core.tokens import jwt

from tests.localbase.integration.realtime.phoenix import phoenix
from tests.support.stacks import Stack
from tests.support.users import Person, Users


@pytest.fixture(scope="module")
def personas(realtime: Stack, members: Users) -> dict[str, Person]:
    made = {name: members.new(name) for name in ("owner", "member", "stranger")}
    rows = [
        {"room": "den", "user_id": made[name].id, "is_owner": name == "owner"} for name in ("owner", "member")
    ]
    members.service.table("room_members").insert(rows).execute()
    return made


REFUSED = {
    "reason": "Unauthorized: You do not have permissions to read from this Channel topic: room:den",
}
MESSAGE = {"type": "broadcast", "event": "e", "payload": {"n": 1}}


@pytest.mark.parametrize("name", ["owner", "member"])
def test_member_joins_the_room(realtime: Stack, personas: dict[str, Person], name: str) -> None:
    with phoenix(realtime) as client:
        assert client.join("room:den", token=personas[name].token, private=True)[0] == "ok"


def test_stranger_cannot_join(realtime: Stack, personas: dict[str, Person]) -> None:
    with phoenix(realtime) as client:
        assert client.join("room:den", token=personas["stranger"].token, private=True) == ("error", REFUSED)
        assert client.call("realtime:room:den", "broadcast", MESSAGE)[0] == "error"


def test_anonymous_visitor_cannot_join(realtime: Stack) -> None:
    with phoenix(realtime) as client:
        assert client.join("room:den", private=True) == ("error", REFUSED)


def test_service_joins_any_room(realtime: Stack) -> None:
    with phoenix(realtime, realtime.secret_key) as client:
        assert client.join("room:den", private=True)[0] == "ok"


def test_owner_sends_and_member_only_reads(realtime: Stack, personas: dict[str, Person]) -> None:
    own = {"broadcast": {"self": True, "ack": True}, "private": True}
    with phoenix(realtime) as owner, phoenix(realtime) as member:
        owner.join("room:den", token=personas["owner"].token, **own)
        member.join("room:den", token=personas["member"].token, **own)
        member.send("realtime:room:den", "broadcast", MESSAGE)
        member.nothing_before_heartbeat()
        ref = owner.send("realtime:room:den", "broadcast", MESSAGE)
        assert owner.receive() == (None, None, "realtime:room:den", "broadcast", MESSAGE)
        assert owner.receive()[1] == ref
        assert member.receive()[4] == MESSAGE


def test_public_channel_of_the_same_name_is_another(realtime: Stack, personas: dict[str, Person]) -> None:
    with phoenix(realtime) as owner, phoenix(realtime) as public:
        owner.join("room:den", token=personas["owner"].token, private=True)
        public.join("room:den")
        owner.send("realtime:room:den", "broadcast", MESSAGE)
        public.send("realtime:room:den", "broadcast", MESSAGE)
        owner.nothing_before_heartbeat()
        public.nothing_before_heartbeat()


def test_token_of_a_stranger_closes_the_channel(realtime: Stack, personas: dict[str, Person]) -> None:
    with phoenix(realtime) as client:
        client.join("room:den", token=personas["member"].token, private=True)
        client.send("realtime:room:den", "access_token", {"access_token": personas["stranger"].token})
        payload = client.receive()[4]
        message = "You no longer have permission to read from this Channel topic: room:den"
        assert (payload["status"], payload["message"]) == ("error", message)
        assert client.receive()[3] == "phx_close"


def test_token_of_the_owner_lets_a_member_send(realtime: Stack, personas: dict[str, Person]) -> None:
    with phoenix(realtime) as client:
        own = {"broadcast": {"self": True}, "private": True}
        client.join("room:den", token=personas["member"].token, **own)
        client.send("realtime:room:den", "broadcast", MESSAGE)
        client.nothing_before_heartbeat()
        client.send("realtime:room:den", "access_token", {"access_token": personas["owner"].token})
        client.send("realtime:room:den", "broadcast", MESSAGE)
        assert client.receive()[4] == MESSAGE


def test_policy_that_fails_opens_nothing(realtime: Stack, personas: dict[str, Person]) -> None:
    with phoenix(realtime) as client:
        status, response = client.join("broken", token=personas["member"].token, private=True)
    reason = "Unauthorized: You do not have permissions to read from this Channel topic: broken"
    assert (status, response) == ("error", {"reason": reason})


def test_role_that_does_not_exist_is_refused(realtime: Stack) -> None:
    for role in ("nothing", "supabase_admin", "pg_read_all_data"):
        with phoenix(realtime, jwt.sign({"role": role, "exp": 4_000_000_000}, realtime.jwt_secret)) as client:
            assert client.join("room:den", private=True)[0] == "error"


def test_questions_to_the_policies_leave_no_rows(realtime: Stack, personas: dict[str, Person]) -> None:
    with phoenix(realtime) as client, psycopg.connect(realtime.admin_db_url, autocommit=True) as database:
        slot = "probes"
        # What a reader of the log would see.
        database.execute("select pg_create_logical_replication_slot(%s, 'pgoutput', true)", [slot])
        client.join("room:den", token=personas["owner"].token, private=True)
        client.send("realtime:room:den", "broadcast", MESSAGE)
        client.nothing_before_heartbeat()
        database.execute(
            "insert into realtime.messages (topic, extension, event, payload) values ('x', 'broadcast', 'e', '{}')"
        )
        options = ["proto_version", "1", "publication_names", "supabase_realtime_messages_publication"]
        changes = database.execute(
            "select data from pg_logical_slot_get_binary_changes(%s, null, null, variadic %s)",
            [slot, options],
        ).fetchall()
        assert [bytes(row[0])[:1] for row in changes if bytes(row[0])[:1] == b"I"] == [b"I"]
        rows = database.execute(
            "select count(*) from realtime.messages where topic like 'room:den%'"
        ).fetchone()
        assert rows == (0,)
