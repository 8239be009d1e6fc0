"""Two stacks on one database: one of them serves Realtime, and the other takes over."""

from __future__ import annotations

import asyncio
import os
import signal
from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest
from localbase.gateway.lead import Lead

from tests.localbase.integration.external.conftest import PORTS, OwnProject, OwnServer
from tests.localbase.integration.small_project import until

_BROADCAST = {"messages": [{"topic": "notes", "event": "new", "payload": {}}]}
_OTHER = {"message": "Realtime runs in another gateway of this database"}


@pytest.fixture(scope="module")
def pair(
    own_server: OwnServer, own_project: OwnProject, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[tuple[OwnProject, OwnProject, str]]:
    """The first, the second, and what the second said at its start."""
    second = OwnProject(tmp_path_factory.mktemp("second"), own_server.address("shop"), PORTS[1])
    own_project.start()
    said = second.start()
    yield own_project, second, said
    second.stop()
    own_project.stop()


class Unheard(Lead):
    """One that does not hear from the database in time; its session goes on to hold the lock."""

    async def _is_held(self) -> bool:
        return False


def test_gateway_says_that_it_is_not_the_first_before_another_can_be(own_server: OwnServer) -> None:
    own_server.run("create database lead")
    told: list[tuple[bool, bool]] = []

    async def change(is_first: bool) -> None:
        told.append((is_first, this._connection is not None))
        if not is_first:
            raise asyncio.CancelledError

    this = Unheard(own_server.cluster.url().rpartition("/")[0] + "/lead", change)
    with pytest.raises(asyncio.CancelledError):
        asyncio.run(this.run())
    assert told == [(True, True), (False, True)]


def _broadcast(project: OwnProject) -> tuple[int, object]:
    response = project.call("POST", "/realtime/v1/api/broadcast", json=_BROADCAST)
    return response.status_code, response.json() if response.content else None


def test_second_gateway_says_that_realtime_is_the_firsts(pair: tuple[OwnProject, OwnProject, str]) -> None:
    first, second, said = pair
    assert "warning: Realtime runs in another gateway of this database." in said
    assert "stored files lie in" in said
    assert _broadcast(first) == (202, None)
    assert _broadcast(second) == (503, _OTHER)


def test_sessions_rows_and_schema_are_common_to_both(
    pair: tuple[OwnProject, OwnProject, str], own_server: OwnServer
) -> None:
    first, second, _ = pair
    account = {"email": "both@shop.example", "password": "long-enough-1", "email_confirm": True}
    assert first.call("POST", "/auth/v1/admin/users", json=account).status_code == 200
    session = second.call("POST", "/auth/v1/token?grant_type=password", json=account).json()
    bearer = {"authorization": f"Bearer {session['access_token']}"}
    for project in (first, second):
        notes = project.call("GET", "/rest/v1/notes?select=text", headers=bearer).json()
        assert notes == [{"text": "Welcome"}]
    token = {"refresh_token": session["refresh_token"]}
    refreshed = first.call("POST", "/auth/v1/token?grant_type=refresh_token", json=token)
    assert refreshed.status_code == 200
    with psycopg.connect(own_server.address("shop"), autocommit=True) as connection:
        connection.execute("create table public.later (id int); insert into public.later values (1)")
    for project in (first, second):
        assert until(lambda: project.call("GET", "/rest/v1/later").json() == [{"id": 1}])  # noqa: B023
    with psycopg.connect(own_server.address("shop"), autocommit=True) as connection:
        connection.execute("drop table public.later")


def test_second_gateway_takes_over_when_the_first_loses_its_session(
    pair: tuple[OwnProject, OwnProject, str], own_server: OwnServer
) -> None:
    leading, waiting = sorted(pair[:2], key=lambda each: _broadcast(each)[0])
    # The kernel stops one: it neither serves nor gives the lock back.
    gateway = leading.processes()["gateway"]
    os.kill(gateway, signal.SIGSTOP)
    own_server.run(
        "select pg_terminate_backend(pid) from pg_locks join pg_stat_activity using (pid)"
        " where locktype = 'advisory' and application_name = 'localbase gateway'"
    )
    assert until(lambda: _broadcast(waiting) == (202, None))
    os.kill(gateway, signal.SIGCONT)
    # Back, it finds that it is the first no more.
    assert until(lambda: _broadcast(leading) == (503, _OTHER))
    assert _broadcast(waiting) == (202, None)


def test_second_gateway_takes_over_when_the_first_ends(pair: tuple[OwnProject, OwnProject, str]) -> None:
    waiting, leading = sorted(pair[:2], key=lambda each: _broadcast(each)[0], reverse=True)
    leading.stop()
    try:
        assert until(lambda: _broadcast(waiting) == (202, None))
    finally:
        leading.start()
    assert _broadcast(leading) == (503, _OTHER)


def test_stacks_that_start_at_once_prepare_the_database_in_turn(
    own_server: OwnServer, tmp_path: Path, own_project: OwnProject
) -> None:
    own_project.stop()
    own_server.run("create database crowd")
    projects = [OwnProject(tmp_path / str(port), own_server.address("crowd"), port + 5) for port in PORTS]
    own_server.run(projects[0].run("db", "roles", "--print").stdout, "crowd")
    children = [project.begin("start") for project in projects]
    try:
        said = [child.communicate()[1] for child in children]
        assert [child.returncode for child in children] == [0, 0], said
        assert sum("migration 20260101000000_notes.sql" in text for text in said) == 1
        assert sorted(_broadcast(project)[0] for project in projects) == [202, 503]
    finally:
        for project in projects:
            project.stop()
