"""SUBSCRIBED is a promise: what is committed after it arrives, with the feed running or not."""

from __future__ import annotations

import json
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from typing import Any

import psycopg
import pytest

from tests.localbase.integration.realtime.phoenix import phoenix
from tests.support.random_cases import cases
from tests.support.stacks import ROOT, Stack

ENTRY = {"event": "INSERT", "schema": "public", "table": "races"}
_SECONDS = 20.0
Race = Callable[[int], dict[str, Any]]


@pytest.fixture(scope="module")
def database(realtime: Stack) -> Iterator[psycopg.Connection]:
    with psycopg.connect(realtime.db_url, autocommit=True) as connection:
        connection.execute(
            "create table races (id int primary key); grant select, insert on races to anon;"
            "alter publication supabase_realtime add table races; notify pgrst, 'reload schema'"
        )
        yield connection
        connection.execute("drop table races")


@pytest.fixture
def race(realtime: Stack, database: psycopg.Connection) -> Iterator[Race]:
    database.execute("truncate races")
    command = ["node", "--experimental-websocket", "tests/compat/subscribed.mjs"]
    child = subprocess.Popen(
        [*command, realtime.api_url, realtime.publishable_key],
        cwd=ROOT,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )

    def run(number: int) -> dict[str, Any]:
        assert child.stdin is not None
        assert child.stdout is not None
        child.stdin.write(f"{number}\n")
        child.stdin.flush()
        seen: dict[str, Any] = json.loads(child.stdout.readline())
        return seen

    yield run
    child.communicate()


def until_no_slot(database: psycopg.Connection) -> None:
    """Waits until changes are not replicated."""
    deadline = time.monotonic() + _SECONDS
    query = "select from pg_replication_slots where slot_name like 'supabase_realtime_replication_slot%'"
    while database.execute(query.encode()).rowcount:
        assert time.monotonic() < deadline
        time.sleep(0.01)  # Postgres does not announce the end of a slot


def test_row_inserted_when_subscribed_arrives_from_a_feed_that_did_not_run(
    database: psycopg.Connection, race: Race
) -> None:
    lost = []
    for number in range(cases(10)):
        until_no_slot(database)
        seen = race(number)
        if not seen["arrived"]:
            lost.append(seen)
    assert lost == []


def test_row_inserted_when_subscribed_arrives_from_a_running_feed(realtime: Stack, race: Race) -> None:
    with phoenix(realtime) as client:
        assert client.join("warm", postgres_changes=[ENTRY])[0] == "ok"
        seen = [race(number) for number in range(cases(100))]
    assert [one for one in seen if not one["arrived"]] == []


def test_join_that_changes_hold_up_ends_in_an_error_and_delays_no_other(
    realtime: Stack, database: psycopg.Connection
) -> None:
    with ExitStack() as stack:
        client = stack.enter_context(phoenix(realtime))
        assert client.join("before")[0] == "ok"
        until_no_slot(database)
        # A slot is made only when the transactions before it have ended.
        writer = stack.enter_context(psycopg.connect(realtime.db_url))
        writer.execute("select pg_current_xact_id()")
        waiting = client.send("realtime:held", "phx_join", {"config": {"postgres_changes": [ENTRY]}})
        began = time.monotonic()
        assert client.join("other")[0] == "ok"
        assert time.monotonic() - began < 4
        _, ref, _, event, payload = client.receive()
        assert (ref, event, payload["status"]) == (waiting, "phx_reply", "error")
        reason = "UnableToSubscribeToPostgres: Changes of the database do not arrive yet, please try again"
        assert payload["response"] == {"reason": reason}
        writer.rollback()
        assert client.join("held", postgres_changes=[ENTRY])[0] == "ok"
        assert client.receive()[4]["message"] == "Subscribed to PostgreSQL"
        database.execute("insert into races values (-1)")
        assert client.receive()[4]["data"]["record"] == {"id": -1}


def test_channel_left_before_its_join_was_answered_hears_nothing(
    realtime: Stack, database: psycopg.Connection
) -> None:
    until_no_slot(database)
    with phoenix(realtime) as client, psycopg.connect(realtime.db_url) as writer:
        writer.execute("select pg_current_xact_id()")
        client.send("realtime:left", "phx_join", {"config": {"postgres_changes": [ENTRY]}})
        assert client.call("realtime:left", "phx_leave", {})[0] == "ok"
        assert client.receive()[3] == "phx_close"
        writer.rollback()
        until_no_slot(database)
        client.nothing_before_heartbeat()


def test_channel_that_gets_too_much_before_its_join_is_answered_is_closed(
    realtime: Stack, database: psycopg.Connection
) -> None:
    until_no_slot(database)
    message = {"type": "broadcast", "event": "e", "payload": {"text": "x" * 500_000}}
    with (
        phoenix(realtime) as sender,
        phoenix(realtime) as client,
        psycopg.connect(realtime.db_url) as writer,
    ):
        sender.join("crowded", broadcast={"ack": True})
        writer.execute("select pg_current_xact_id()")
        client.send("realtime:crowded", "phx_join", {"config": {"postgres_changes": [ENTRY]}})
        # Its answer comes after the channel has become a member.
        client.join("after")
        for _ in range(9):
            assert sender.call("realtime:crowded", "broadcast", message)[0] == "ok"
        assert client.receive()[4]["message"] == "Too many messages before the channel was joined"
        assert client.receive()[3] == "phx_close"
        client.nothing_before_heartbeat()
