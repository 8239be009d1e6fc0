"""Broadcasts from the database, and the replay of earlier ones."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from typing import Any

import psycopg
import pytest

from tests.localbase.integration.realtime.phoenix import Phoenix, phoenix
from tests.support.stacks import Stack


@pytest.fixture
def database(realtime: Stack) -> Iterator[psycopg.Connection]:
    with psycopg.connect(realtime.db_url, autocommit=True) as connection:
        yield connection


def unpacked(frame: bytes) -> tuple[str, str, dict[str, Any], bool, bytes]:
    """Topic, event, metadata, whether it is JSON, and the payload of a binary frame."""
    assert frame[0] == 4
    parts, at = [], 5
    for size in frame[1:4]:
        parts.append(frame[at : at + size].decode())
        at += size
    return parts[0], parts[1], json.loads(parts[2]), bool(frame[4]), frame[at:]


def join(client: Phoenix, topic: str, **config: Any) -> tuple[str, Any]:
    return client.join(topic, private=True, **config)


def test_message_is_broadcast_when_its_transaction_commits(
    realtime: Stack, database: psycopg.Connection
) -> None:
    with phoenix(realtime, realtime.secret_key) as new, phoenix(realtime, version="1.0.0") as public:
        join(new, "sent")
        public.join("sent")
        with database.transaction():
            database.execute("select realtime.send('{\"n\": 1}', 'e', 'sent')")
            database.execute("select realtime.send('{\"n\": 2}', 'e', 'sent', false)")
            database.execute("select realtime.send('{\"id\": \"own\"}', 'e', 'sent')")
            new.nothing_before_heartbeat()
        topic, event, meta, is_json, data = unpacked(new.receive()[4])
        assert (topic, event, is_json, set(meta)) == ("realtime:sent", "e", True, {"id"})
        assert json.loads(data) == {"n": 1, "id": meta["id"]}
        assert json.loads(unpacked(new.receive()[4])[4]) == {"id": "own"}
        message = public.receive()[4]
        assert message["payload"] == {"n": 2, "id": message["meta"]["id"]}
        assert (message["event"], message["type"]) == ("e", "broadcast")
        new.nothing_before_heartbeat()
        public.nothing_before_heartbeat()


def test_message_of_a_transaction_that_is_rolled_back_is_not_sent(
    realtime: Stack, database: psycopg.Connection
) -> None:
    with phoenix(realtime, realtime.secret_key) as client:
        join(client, "undone")
        with database.transaction():
            database.execute("select realtime.send('{}', 'first', 'undone')")
            raise psycopg.Rollback
        database.execute("select realtime.send('{}', 'second', 'undone')")
        assert unpacked(client.receive()[4])[1] == "second"


def test_bytes_are_broadcast(realtime: Stack, database: psycopg.Connection) -> None:
    with (
        phoenix(realtime, realtime.secret_key) as new,
        phoenix(realtime, realtime.secret_key, "1.0.0") as old,
    ):
        join(new, "raw")
        join(old, "raw")
        database.execute("select realtime.send_binary('\\x00ff7b', 'e', 'raw')")
        assert unpacked(new.receive()[4])[3:] == (False, b"\x00\xff{")
        old.nothing_before_heartbeat()


def test_trigger_broadcasts_a_rows_changes(realtime: Stack, database: psycopg.Connection) -> None:
    database.execute("create table if not exists public.designs (id int primary key, name text)")
    database.execute("""
        create or replace function public.on_design() returns trigger language plpgsql security definer as $$
        begin
          perform realtime.broadcast_changes('designs', tg_op, tg_op, tg_table_name, tg_table_schema, new, old);
          return null;
        end $$""")
    database.execute("""create or replace trigger announce after insert or update or delete on public.designs
        for each row execute function public.on_design()""")
    with phoenix(realtime, realtime.secret_key, "1.0.0") as client:
        join(client, "designs")
        database.execute("insert into public.designs values (1, 'first')")
        database.execute("update public.designs set name = 'second'")
        database.execute("delete from public.designs")
        got = [client.receive()[4]["payload"] for _ in range(3)]
        for payload in got:
            payload.pop("id")
        first, second = {"id": 1, "name": "first"}, {"id": 1, "name": "second"}
        table = {"table": "designs", "schema": "public"}
        assert got == [
            {"operation": "INSERT", "record": first, "old_record": None, **table},
            {"operation": "UPDATE", "record": second, "old_record": first, **table},
            {"operation": "DELETE", "record": None, "old_record": second, **table},
        ]


def test_message_that_cannot_be_sent_is_a_warning(realtime: Stack, database: psycopg.Connection) -> None:
    notices: list[str] = []
    database.add_notice_handler(lambda notice: notices.append(str(notice.message_primary)))
    database.execute("select realtime.send('{}', 'e', null)")
    assert len(notices) == 1
    assert notices[0].startswith("WarnSendingBroadcastMessage: null value")


def test_replication_announces_itself_where_a_client_wants_it(realtime: Stack) -> None:
    with phoenix(realtime) as client:
        client.join("ready", broadcast={"replication_ready": True})
        message = "Replication connection established"
        parts = {"extension": "system", "status": "ok", "message": message, "channel": "ready"}
        assert client.receive()[3:] == ("system", parts)


def test_slot_goes_with_the_last_channel(realtime: Stack, database: psycopg.Connection) -> None:
    slots = "select count(*) from pg_replication_slots where slot_name like 'localbase_messages%'"
    with phoenix(realtime) as client:
        client.join("slots")
        assert database.execute(slots).fetchone() == (1,)
    wait_for_no_slot(database)


def test_open_transaction_delays_no_later_join(realtime: Stack, database: psycopg.Connection) -> None:
    wait_for_no_slot(database)
    with psycopg.connect(realtime.db_url) as writing, phoenix(realtime, realtime.secret_key) as client:
        # A slot waits for this one to end.
        writing.execute("insert into public.news (title) values ('unfinished')")
        assert join(client, "first")[0] == "ok"
        began = time.monotonic()
        assert join(client, "second")[0] == "ok"
        assert time.monotonic() - began < 1
        writing.rollback()
        deadline = time.monotonic() + 10
        while True:
            database.execute("select realtime.send('{}', 'e', 'second')")
            try:
                assert unpacked(client.receive(0.2)[4])[0] == "realtime:second"
                break
            except TimeoutError:
                assert time.monotonic() < deadline


def wait_for_no_slot(database: psycopg.Connection) -> None:
    slots = "select count(*) from pg_replication_slots where slot_name like 'localbase_messages%'"
    deadline = time.monotonic() + 40
    while database.execute(slots).fetchone() != (0,):
        assert time.monotonic() < deadline
        time.sleep(0.2)  # a slot's end is announced nowhere


def test_earlier_messages_come_first_and_once(realtime: Stack, database: psycopg.Connection) -> None:
    for number in range(30):
        database.execute(
            "select realtime.send(jsonb_build_object('id', %s::text), 'e', 'history')", [str(number)]
        )
    since = int((time.time() - 60) * 1000)
    with phoenix(realtime, realtime.secret_key, "1.0.0") as client:
        assert join(client, "history", broadcast={"replay": {"since": since, "limit": 99}})[0] == "ok"
        got = [client.receive()[4] for _ in range(25)]
        assert [message["payload"]["id"] for message in got] == [str(number) for number in range(5, 30)]
        assert all(message["meta"]["replayed"] is True for message in got)
        database.execute("select realtime.send('{\"id\": \"live\"}', 'e', 'history')")
        live = client.receive()[4]
        assert (live["payload"], set(live["meta"])) == ({"id": "live"}, {"id"})


def test_replay_is_limited_by_number_and_time(realtime: Stack, database: psycopg.Connection) -> None:
    database.execute("select realtime.send_binary('\\xff', 'one', 'brief')")
    database.execute("select realtime.send('{}', 'two', 'brief')")
    database.execute("select realtime.send('{}', 'public', 'brief', false)")
    since = int((time.time() - 60) * 1000)
    with phoenix(realtime, realtime.secret_key) as client:
        join(client, "brief", broadcast={"replay": {"since": since}})
        topic, event, meta, is_json, data = unpacked(client.receive()[4])
        assert (topic, event, is_json, data) == ("realtime:brief", "one", False, b"\xff")
        assert meta["replayed"] is True
        assert client.receive()[4]["event"] == "two"
        join(client, "brief", broadcast={"replay": {"since": since, "limit": 1}})
        assert client.receive()[4]["event"] == "two"
        join(client, "brief", broadcast={"replay": {"since": since + 3_600_000}})
        client.nothing_before_heartbeat()


def test_replay_is_limited_by_size(realtime: Stack, database: psycopg.Connection) -> None:
    for number in range(4):
        payload = json.dumps({"id": str(number), "text": "x" * 1_400_000})
        database.execute("select realtime.send(%s::jsonb, 'e', 'heavy')", [payload])
    since = int((time.time() - 60) * 1000)
    with phoenix(realtime, realtime.secret_key) as client:
        join(client, "heavy", broadcast={"replay": {"since": since}})
        assert [client.receive()[4]["payload"]["id"] for _ in range(2)] == ["2", "3"]
        client.nothing_before_heartbeat()


@pytest.mark.parametrize(
    ("private", "replay", "reason"),
    [
        (False, {"since": 0}, "Replay is not allowed for public channels"),
        (True, {"since": "yesterday"}, "Replay params are not valid"),
        (True, {"since": 0, "limit": "many"}, "Replay params are not valid"),
        (True, {}, "Replay params are not valid"),
        (True, {"since": 10**20}, "Replay params are not valid"),
        (True, 7, "Replay params are not valid"),
    ],
)
def test_replay_that_cannot_be_had_refuses_the_join(
    realtime: Stack, private: bool, replay: Any, reason: str
) -> None:
    with phoenix(realtime, realtime.secret_key) as client:
        joined = client.join("history", private=private, broadcast={"replay": replay})
        assert joined == ("error", {"reason": f"UnableToReplayMessages: {reason}"})
        # It is no member of the topic.
        assert client.call("realtime:history", "broadcast", {})[1] == {"reason": "unmatched topic"}


def test_partitions_reach_from_yesterday_to_three_days_ahead(
    realtime: Stack, database: psycopg.Connection
) -> None:
    partitions = """select array_agg(relname::text order by relname) from pg_inherits
        join pg_class on pg_class.oid = inhrelid where inhparent = 'realtime.messages'::regclass"""
    today = """select array_agg('messages_' || to_char((now() at time zone 'utc')::date + days, 'YYYY_MM_DD'))
        from generate_series(-1, 3) as days"""
    # One of the day before may be there still, where the database was made from a copy of that day's.
    (there,), (wanted,) = (database.execute(query).fetchone() or () for query in (partitions, today))
    assert {*wanted} <= {*there}
    try:
        database.execute("set role supabase_realtime_admin")
        database.execute("select realtime.maintain_messages(date '2031-05-06')")
        names = [f"messages_2031_05_{day:02}" for day in range(5, 10)]
        assert database.execute(partitions).fetchone() == (names,)
        assert database.execute("select realtime.maintain_messages(date '2031-05-06')").fetchone() == (0,)
        owners = "select distinct relowner::regrole::text from pg_class where relname like 'messages_2031%'"
        assert database.execute(owners).fetchall() == [("supabase_realtime_admin",)]
    finally:
        database.execute("select realtime.maintain_messages((now() at time zone 'utc')::date)")


def test_other_roles_cannot_touch_partitions_or_subscriptions(realtime: Stack) -> None:
    with psycopg.connect(realtime.admin_db_url, autocommit=True) as database:
        for role in ("anon", "authenticated", "service_role"):
            database.execute(f"set role {role}")
            for statement in (
                "select realtime.maintain_messages(current_date)",
                "insert into realtime.subscription (subscription_id, entity, claims) "
                "values (gen_random_uuid(), 'realtime.messages', '{\"role\": \"anon\"}')",
                "delete from realtime.subscription",
                "delete from realtime.messages",
                "create table realtime.mine ()",
            ):
                with pytest.raises(psycopg.errors.InsufficientPrivilege):
                    database.execute(statement)
