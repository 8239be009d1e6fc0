"""Changes through the official JavaScript client: filters, columns, refusals, and what happens when processes die."""

from __future__ import annotations

import json
import os
import queue
import signal
import subprocess
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from itertools import count
from typing import Any

import psycopg
import pytest

from tests.localbase.integration.realtime.phoenix import phoenix
from tests.localbase.integration.small_project import PORT, SmallProject, until
from tests.support.project_files import ProjectFiles
from tests.support.stacks import ROOT, Stack

_SECONDS = 30.0


class JavaScriptClient:
    """A running client: what it hears, line by line."""

    def __init__(self, child: subprocess.Popen[str]) -> None:
        self._lines: queue.Queue[str] = queue.Queue()
        assert child.stdout is not None
        self._output = child.stdout
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self) -> None:
        for line in self._output:
            self._lines.put(line)

    def next(self) -> dict[str, Any]:
        """The next line."""
        line: dict[str, Any] = json.loads(self._lines.get(timeout=_SECONDS))
        return line

    def until(self, holds: Callable[[dict[str, Any]], bool]) -> dict[str, Any]:
        """The first line that `holds`; the others before it are dropped."""
        while not holds(line := self.next()):
            pass
        return line

    def subscribed(self) -> None:
        """Waits until changes arrive."""
        self.until(lambda line: line.get("message") == "Subscribed to PostgreSQL")

    def payload(self) -> dict[str, Any]:
        """The next change."""
        payload: dict[str, Any] = self.until(lambda line: "change" in line)["payload"]
        return payload


@contextmanager
def javascript(url: str, key: str, *requests: dict[str, Any]) -> Iterator[JavaScriptClient]:
    command = ["node", "--experimental-websocket", "tests/compat/changes.mjs", url, key, json.dumps(requests)]
    child = subprocess.Popen(command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    try:
        yield JavaScriptClient(child)
    finally:
        child.communicate()


@pytest.fixture(scope="module")
def tasks(realtime: Stack) -> Iterator[psycopg.Connection]:
    """A connection to a project with a published table."""
    with psycopg.connect(realtime.db_url, autocommit=True) as connection:
        connection.execute(
            """create table tasks (id int primary key, title text, priority int, due timestamptz, labels text[]);
            grant select on tasks to anon; alter publication supabase_realtime add table tasks"""
        )
        yield connection
        connection.execute("drop table tasks")


def test_javascript_client_gets_whole_changes(realtime: Stack, tasks: psycopg.Connection) -> None:
    everything = {"event": "*", "schema": "public", "table": "tasks"}
    with javascript(realtime.api_url, realtime.publishable_key, everything) as client:
        client.subscribed()
        tasks.execute("insert into tasks values (1, 'Grüße', 2, '2026-11-22 14:00+00', '{a,\"b c\"}')")
        inserted = client.payload()
        tasks.execute("update tasks set priority = 3 where id = 1")
        updated = client.payload()
        tasks.execute("delete from tasks where id = 1")
        deleted = client.payload()
    row = {
        "id": 1,
        "title": "Grüße",
        "priority": 2,
        "due": "2026-11-22T14:00:00+00:00",
        "labels": ["a", "b c"],
    }
    common = {"schema": "public", "table": "tasks", "errors": None}
    for payload in (inserted, updated, deleted):
        assert payload.pop("commit_timestamp").endswith("Z")
    assert inserted == {**common, "eventType": "INSERT", "new": row, "old": {}}
    assert updated == {**common, "eventType": "UPDATE", "new": {**row, "priority": 3}, "old": {"id": 1}}
    assert deleted == {**common, "eventType": "DELETE", "new": {}, "old": {"id": 1}}


def test_javascript_client_filters_and_selects(realtime: Stack, tasks: psycopg.Connection) -> None:
    requests: Sequence[dict[str, Any]] = [
        {
            "event": "INSERT",
            "schema": "public",
            "table": "tasks",
            "filter": "priority=gte.3",
            "select": ["title"],
        },
        {
            "event": "*",
            "schema": "public",
            "table": "tasks",
            "filter": "title=not.ilike.%draft%,id=in.(11,12,13)",
        },
        {"event": "DELETE", "schema": "*"},
    ]
    with javascript(realtime.api_url, realtime.publishable_key, *requests) as client:
        client.subscribed()
        tasks.execute("insert into tasks values (11, 'Draft', 5), (12, 'Letter', 1), (13, 'Poster', 4)")
        tasks.execute("delete from tasks where id = 12")
        heard = [client.until(lambda line: "change" in line) for _ in range(5)]
    shown = [
        (line["change"], line["payload"]["eventType"], line["payload"]["new"].get("title")) for line in heard
    ]
    assert sorted(shown[:4]) == [
        (0, "INSERT", "Draft"),
        (0, "INSERT", "Poster"),
        (1, "INSERT", "Letter"),
        (1, "INSERT", "Poster"),
    ]
    assert next(line["payload"]["new"] for line in heard if line["change"] == 0) == {
        "id": 11,
        "title": "Draft",
    }
    # The filter on a column that the deleted row's identity lacks does not fit.
    assert (heard[4]["change"], heard[4]["payload"]["old"]) == (2, {"id": 12})


def test_javascript_client_hears_why_a_subscription_is_refused(
    realtime: Stack, tasks: psycopg.Connection
) -> None:
    refused = {"event": "*", "schema": "public", "table": "tasks", "filter": "nothing=eq.1"}
    with javascript(realtime.api_url, realtime.publishable_key, refused) as client:
        assert client.next() == {"status": "SUBSCRIBED"}
        assert client.next() == {
            "system": "error",
            "message": "Unable to subscribe to changes with given parameters. An exception happened so please check "
            'your connect parameters: [event: *, schema: public, table: tasks, filters: [{"nothing", "eq", "1", '
            "false}], select: nil]. Exception: ERROR P0001 (raise_exception) invalid column for filter nothing",
        }


def test_subscription_that_a_token_ended_comes_back_with_the_next(
    realtime: Stack, tasks: psycopg.Connection
) -> None:
    tasks.execute("revoke select on tasks from anon; grant select (id, title) on tasks to anon")
    entry = {"event": "INSERT", "schema": "public", "table": "tasks", "filter": "priority=gt.1"}
    with phoenix(realtime) as client:
        client.join("moving", token=realtime.service_role_key, postgres_changes=[entry])
        assert client.until("system")[4]["status"] == "ok"
        client.send("realtime:moving", "access_token", {"access_token": realtime.anon_key})
        refused = client.until("system")[4]
        assert refused["status"] == "error"
        assert refused["message"].endswith("invalid column for filter priority")
        tasks.execute("insert into tasks values (21, 'hidden', 5)")
        client.send("realtime:moving", "access_token", {"access_token": realtime.service_role_key})
        assert client.until("system")[4]["message"] == "Subscribed to PostgreSQL"
        tasks.execute("insert into tasks values (22, 'shown', 5)")
        assert client.until("postgres_changes")[4]["data"]["record"]["id"] == 22
    tasks.execute("grant select on tasks to anon")


# Of the project whose processes are killed.
FILES = ProjectFiles(
    migrations={"20260102000000_published.sql": "alter publication supabase_realtime add table shop.things;"}
)
ENVIRON = {"LOCALBASE_WORKERS": "2"}


def test_clients_are_subscribed_again_after_each_process_is_killed(project: SmallProject) -> None:
    url, key = f"http://127.0.0.1:{PORT}", "sb_publishable_ACJWlzQHlZjBrEguHvfOxg_3BJgxAaH"
    request = {"event": "INSERT", "schema": "shop", "table": "things"}
    with javascript(url, key, request) as one, javascript(url, key, request) as other:
        for client in (one, other):
            client.subscribed()
        assert {"gateway", "gateway-2", "postgres"} <= set(project.processes())
        for number, victim in enumerate(["gateway", "postgres", "gateway-2", "gateway", "postgres"], 1):
            pid = project.processes()[victim]
            os.kill(pid, signal.SIGKILL)
            assert until(partial(_is_replaced, project, victim, pid))
            first = number * 10_000
            hearing = [_hears(client, first) for client in (one, other)]
            # Which sockets broke is not known here: rows come until both clients have heard of one.
            rows = count(first)
            assert until(lambda rows=rows, hearing=hearing: _insert(project, next(rows), hearing), _SECONDS)  # type: ignore[misc]
        assert len(slots_of(project)) == 1
    assert until(lambda: slots_of(project) == [])


def _is_replaced(project: SmallProject, name: str, pid: int) -> bool:
    return project.processes().get(name, pid) != pid


def _hears(client: JavaScriptClient, first: int) -> threading.Event:
    """Set as soon as the client gets a row from `first` on."""
    heard = threading.Event()

    def listen() -> None:
        client.until(lambda line: "change" in line and line["payload"]["new"]["id"] >= first)
        heard.set()

    threading.Thread(target=listen, daemon=True).start()
    return heard


def _insert(project: SmallProject, number: int, hearing: Sequence[threading.Event]) -> bool:
    with project.database() as database:
        database.execute("insert into shop.things values (%s, 'x')", [number])
    return all(heard.wait(0.2) for heard in hearing)


def slots_of(project: SmallProject) -> list[str]:
    with project.database() as database:
        rows = database.execute(
            "select slot_name from pg_replication_slots"
            " where starts_with(slot_name, 'supabase_realtime_replication_slot')"
        )
        return [row[0] for row in rows]
