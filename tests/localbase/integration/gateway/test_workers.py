"""Several gateway processes on one port (`LOCALBASE_WORKERS`): one API to its clients, in every respect."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor

import httpx
import psycopg
import pytest
from localbase.cli.stack.stack import report
from localbase.core.errors import UserError
from localbase.core.project import open_project
from localbase.gateway.workers import worker_count

from tests.localbase.integration.small_project import is_alive, until
from tests.support.project_files import ProjectFiles
from tests.support.stacks import Stack, run, running_written, supabase

_WORKERS = 3
_CONFIG = """
[api]
schemas = ["public"]
[edge_runtime]
enabled = false
"""


@pytest.fixture(scope="module")
def workers() -> Iterator[Stack]:
    script = "create table public.things (id int primary key); insert into public.things values (1);"
    files = ProjectFiles(_CONFIG, {"20260101000000_things.sql": script})
    with running_written("crowd", files, {"LOCALBASE_WORKERS": str(_WORKERS)}) as running:
        yield running


def gateways(stack: Stack) -> list[int]:
    """Processes that serve this stack's API."""
    processes: dict[str, int] = report(open_project(stack.root, {}))["processes"]
    return [pid for name, pid in processes.items() if name.startswith("gateway") and is_alive(pid)]


def get(stack: Stack, path: str) -> httpx.Response:
    """Over a connection of its own, so that any of the processes may take it."""
    return httpx.get(stack.api_url + path, headers={"apikey": stack.secret_key}, timeout=20)


def get_concurrently(stack: Stack, path: str, times: int = 60) -> list[httpx.Response]:
    with ThreadPoolExecutor(12) as pool:
        return list(pool.map(lambda _: get(stack, path), range(times)))


def test_workers_share_requests_and_metrics(workers: Stack) -> None:
    assert until(lambda: len(gateways(workers)) == _WORKERS)
    assert {response.status_code for response in get_concurrently(workers, "/health", 10)} == {200}
    assert {response.text for response in get_concurrently(workers, "/rest/v1/things?id=eq.1")} == {
        '[{"id":1}]'
    }

    def counted() -> bool:
        lines = [
            line
            for line in get(workers, "/metrics").text.splitlines()
            if 'service="rest",status="200"' in line
        ]
        return bool(lines) and int(lines[0].split()[-1]) >= 60

    assert until(counted)


def test_schema_change_reaches_every_worker(workers: Stack) -> None:
    with psycopg.connect(workers.db_url, autocommit=True) as connection:
        connection.execute("create table public.later (id int)")
    assert until(
        lambda: (
            {response.status_code for response in get_concurrently(workers, "/rest/v1/later", 30)} == {200}
        )
    )


@pytest.mark.parametrize("victim", [min, max])
def test_dead_worker_is_restarted_while_the_others_serve(
    workers: Stack, victim: Callable[[set[int]], int]
) -> None:
    before = set(gateways(workers))
    killed = victim(before)
    os.kill(killed, signal.SIGKILL)
    # Each over a connection of its own: not one is refused, or cut off.
    assert {response.status_code for response in get_concurrently(workers, "/health", 40)} == {200}
    assert until(lambda: len(gateways(workers)) == _WORKERS)
    assert before - set(gateways(workers)) == {killed}
    assert {response.status_code for response in get_concurrently(workers, "/health", 12)} == {200}


def test_stop_ends_every_worker(workers: Stack) -> None:
    run(supabase("stop", "--workdir", workers.root), workers.environ)
    assert gateways(workers) == []
    run(supabase("start", "--workdir", workers.root), workers.environ)


@pytest.mark.parametrize("setting", ["0", "x", "-1", "65", "1.5"])
def test_invalid_number_of_workers_is_rejected(setting: str) -> None:
    with pytest.raises(UserError, match="LOCALBASE_WORKERS"):
        worker_count({"LOCALBASE_WORKERS": setting})


def test_number_of_workers_defaults_to_one() -> None:
    assert (worker_count({}), worker_count({"LOCALBASE_WORKERS": "4"})) == (1, 4)
