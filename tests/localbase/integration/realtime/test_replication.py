"""Replication: broken and made again, only while it is needed, bounded in memory, without WAL that stays."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys

import psycopg
import pytest
import uvloop
from localbase.core.project import open_project
from localbase.postgres.cluster import cluster_of
from localbase.postgres.pipeline import ConnectionLost
from localbase.realtime.log.pgoutput import Insert
from localbase.realtime.log.replication import CommittedChange, ReplicationStream, StreamLimits

from tests.localbase.integration.realtime.change_feed import (
    FeedClient,
    as_role,
    make_table,
    open_feed,
    request_for,
    with_feed,
)
from tests.localbase.integration.small_project import PORT, SmallProject, until
from tests.support.stacks import Stack

# Those of changes: Realtime has another for the messages of its channels.
SLOTS = (
    "(select * from pg_replication_slots"
    " where starts_with(slot_name, 'supabase_realtime_replication_slot')) as slots"
)
SMALL_URL = f"postgresql://postgres:postgres@127.0.0.1:{PORT + 1}/postgres"


def slot_names(url: str) -> list[str]:
    with psycopg.connect(url) as connection:
        return [row[0] for row in connection.execute(f"select slot_name from {SLOTS}".encode())]


def until_no_slot(url: str) -> None:
    """Waits: the server ends a connection, and its slot, some time after the client."""
    assert until(lambda: slot_names(url) == [])


def test_replication_runs_only_while_there_is_a_subscription(services: Stack) -> None:
    async def steps(client: FeedClient) -> None:
        await make_table(client, "needed", "id int primary key")
        assert await client.slots() == []
        for _ in range(2):
            _, first = await client.subscribe(request_for("needed"))
            recorder, second = await client.subscribe(request_for("needed"))
            cursor = await client.project.execute(f"select plugin, temporary, active from {SLOTS}")
            assert await cursor.fetchall() == [("pgoutput", True, True)]
            first.close()
            await client.run("delete from needed", "insert into needed values (1)")
            await recorder.until(lambda received: bool(received.records))
            second.close()
            await asyncio.to_thread(until_no_slot, services.db_url)

    with_feed(services, steps)


def test_lost_replication_is_announced_and_made_again(services: Stack) -> None:
    async def steps(client: FeedClient) -> None:
        await make_table(client, "cut_off", "id int primary key")
        recorder, _ = await client.subscribe(request_for("cut_off"))
        with psycopg.connect(services.admin_db_url, autocommit=True) as admin:
            admin.execute(f"select pg_terminate_backend(active_pid) from {SLOTS}".encode())
        await recorder.until(lambda received: received.notices == ["interrupted", "resumed"])
        assert len(await client.slots()) == 1
        await client.run("insert into cut_off values (1)")
        await recorder.first(1)
        assert recorder.notices == ["interrupted", "resumed"]

    with_feed(services, steps)


def test_killed_postgres_interrupts_subscriptions_until_it_is_back(project: SmallProject) -> None:
    async def steps() -> None:
        async with open_feed(SMALL_URL) as client:
            await make_table(client, "survivors", "id int primary key")
            recorder, _ = await client.subscribe(request_for("survivors"))
            os.kill(project.processes()["postgres"], signal.SIGKILL)
            await recorder.until(lambda received: received.notices == ["interrupted", "resumed"])
            with psycopg.connect(SMALL_URL, autocommit=True) as connection:
                connection.execute("insert into survivors values (1)")
            await recorder.first(1)
        assert slot_names(SMALL_URL) == []

    uvloop.run(steps())


def test_commit_that_others_do_not_see_yet_is_waited_for(project: SmallProject) -> None:
    async def steps() -> None:
        async with open_feed(SMALL_URL) as client:
            await make_table(
                client,
                "pending",
                "id int primary key",
                "alter table pending enable row level security",
                "create policy everything on pending for select using (true)",
            )
            recorder, _ = await client.subscribe(request_for("pending"))
            with project.database(role="supabase_admin") as admin:
                # A commit waits for a standby that never comes: it is in the log, and visible to no one.
                admin.execute("alter system set synchronous_standby_names = 'absent'")
                admin.execute("select pg_reload_conf()")
                await asyncio.to_thread(until, lambda: setting("synchronous_standby_names") == "absent")
                inserting = asyncio.create_task(client.run("insert into pending values (1)"))
                waiting = "select 1 from pg_stat_activity where wait_event = 'SyncRep'"
                await asyncio.to_thread(until, lambda: admin.execute(waiting).fetchone() == (1,))
                admin.execute("set synchronous_commit = local")
                admin.execute("alter system reset synchronous_standby_names")
                assert recorder.changes == []
                admin.execute("select pg_reload_conf()")
            await inserting
            await recorder.first(1)

    uvloop.run(steps())


def test_killed_subscriber_leaves_no_slot_and_its_records_go_with_the_next_start(
    project: SmallProject,
) -> None:
    program = """
import asyncio, sys
from tests.localbase.integration.realtime.change_feed import make_table, open_feed, request_for
async def run():
    async with open_feed(sys.argv[1]) as client:
        await make_table(client, "orphans", "id int primary key")
        await client.subscribe(request_for("orphans"))
        print("subscribed", flush=True)
        await asyncio.Event().wait()
asyncio.run(run())
"""
    child = subprocess.Popen([sys.executable, "-c", program, SMALL_URL], stdout=subprocess.PIPE, text=True)
    assert child.stdout is not None
    assert child.stdout.readline() == "subscribed\n"
    assert len(slot_names(SMALL_URL)) == 1
    child.kill()
    child.wait()
    until_no_slot(SMALL_URL)

    async def steps() -> None:
        async with open_feed(SMALL_URL) as client:
            recorder, _ = await client.subscribe(request_for("orphans"))
            cursor = await client.project.execute("select count(*) from realtime.subscription")
            assert await cursor.fetchall() == [(1,)]
            await client.run("insert into orphans values (1)")
            await recorder.first(1)

    uvloop.run(steps())


def test_idle_subscription_lets_postgres_drop_its_log(services: Stack) -> None:
    async def steps() -> None:
        async with open_feed(services.db_url, StreamLimits(status_seconds=0.05)) as client:
            await make_table(client, "idle", "id int primary key")
            await client.run("drop table if exists busy", "create table busy (body text)")
            await client.subscribe(request_for("idle"))
            with psycopg.connect(services.admin_db_url, autocommit=True) as admin:
                for _ in range(2):
                    admin.execute("insert into busy select repeat('x', 1000) from generate_series(1, 2000)")
                    (position,) = admin.execute("select pg_current_wal_insert_lsn()").fetchone() or ("",)
                    async with asyncio.timeout(20):
                        while True:
                            # It writes the point from which a slot can be read again.
                            admin.execute("checkpoint")
                            row = admin.execute(
                                "select confirmed_flush_lsn >= %s::pg_lsn and restart_lsn >= %s::pg_lsn"
                                f" from {SLOTS}",
                                [position, position],
                            ).fetchone()
                            if row == (True,):
                                break
                            await asyncio.sleep(0.05)  # the next status update is on its way

    uvloop.run(steps())


def test_open_transaction_delays_a_subscription_and_leaves_no_slot(services: Stack) -> None:
    async def steps() -> None:
        async with open_feed(services.db_url, wait_seconds=0.5) as client:
            await make_table(client, "delayed", "id int primary key")
            with psycopg.connect(services.db_url) as earlier:
                earlier.execute("insert into delayed values (1)")
                with pytest.raises(ConnectionLost, match="replication has not begun yet"):
                    await client.subscribe(request_for("delayed"))
                # The server would go on waiting for a client that has gone.
                await asyncio.to_thread(until_no_slot, services.db_url)
            recorder, _ = await client.subscribe(request_for("delayed"))
            await client.run("insert into delayed values (2)")
            await recorder.first(1)
            assert recorder.records == [{"id": 2}]

    uvloop.run(steps())


def test_slow_handler_holds_the_log_back_in_postgres(services: Stack) -> None:
    rows = 30_000

    async def steps() -> None:
        free, complete = asyncio.Event(), asyncio.Event()
        sizes: list[int] = []
        numbers: list[int] = []

        async def on_changes(batch: list[CommittedChange]) -> None:
            await free.wait()
            sizes.append(len(batch))
            for item in batch:
                assert isinstance(item.change, Insert)
                assert isinstance(item.change.new[0], bytes)
                numbers.append(int(item.change.new[0]))
            if len(numbers) == rows:
                complete.set()

        async with open_feed(services.db_url) as client:
            await make_table(client, "floods", "id int primary key, body text")
            # The server gives a silent client up after a second.
            url = (
                as_role(services.db_url, "supabase_replication_admin") + "?options=-cwal_sender_timeout%3D1s"
            )
            limits = StreamLimits(batch_rows=500, status_seconds=0.1)
            stream = ReplicationStream(
                url, ["supabase_realtime"], on_changes, slot_prefix="held_back", limits=limits
            )
            stream.start()
            await stream.running()
            slot = "select active_pid from pg_replication_slots where slot_name like 'held_back%'"
            (pid,) = await (await client.project.execute(slot)).fetchone() or (0,)
            await client.run(
                f"insert into floods select n, repeat('x', 500) from generate_series(1, {rows}) n"
            )
            (moment,) = await (await client.project.execute("select now()")).fetchone() or ("",)
            async with asyncio.timeout(20):
                while True:
                    cursor = await client.project.execute(
                        "select reply_time > %s + interval '2 seconds' from pg_stat_replication where pid = %s",
                        [moment, pid],
                    )
                    if await cursor.fetchall() == [(True,)]:
                        break
                    await asyncio.sleep(
                        0.1
                    )  # for longer than the server waits for a client that says nothing
            free.set()
            async with asyncio.timeout(30):
                await complete.wait()
            await stream.close()
        assert numbers == list(range(1, rows + 1))
        assert max(sizes) == 500

    uvloop.run(steps())


def setting(name: str) -> str:
    with psycopg.connect(SMALL_URL) as connection:
        row = connection.execute(f"show {name}".encode()).fetchone()
    assert row is not None
    return str(row[0])


def test_database_of_an_earlier_version_gets_the_settings_of_replication(project: SmallProject) -> None:
    project.run("stop")
    cluster = cluster_of(open_project(project.root, {}))
    old = [
        *cluster.command(),
        "-c",
        "wal_level=minimal",
        "-c",
        "max_wal_senders=0",
        "-c",
        "max_replication_slots=0",
    ]
    account = cluster.account
    server = subprocess.Popen(
        old,
        cwd="/",
        user=account.uid if account else None,
        group=account.gid if account else None,
        extra_groups=[] if account else None,
    )
    assert until(lambda: setting("wal_level") == "minimal")
    server.send_signal(signal.SIGINT)
    server.wait()
    project.start()
    names = ("wal_level", "max_wal_senders", "max_replication_slots", "max_slot_wal_keep_size")
    assert [setting(name) for name in names] == ["logical", "10", "10", "1GB"]
