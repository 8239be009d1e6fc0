"""Jobs whose process is killed at a chosen write to the database, and what the vendors got for them."""

from __future__ import annotations

import json
import os
import signal
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from uuid import uuid4

import httpx
import psycopg

from tests.shop.integration.functions.conftest import Functions, Json
from tests.support.stacks import Stack
from tests.support.users import Person

_LOCK = 40_40


@dataclass(frozen=True)
class Jobs:
    stack: Stack
    functions: Functions

    def row(self, job: str) -> Json:
        (row,) = self.functions.sql("select * from public.design_jobs where id = %s", job)
        return row

    def done(self, job: str, seconds: float = 60) -> Json:
        """The row once the job has ended."""
        return self.functions.until(
            "select * from public.design_jobs where id = %s and state <> 'running'", job, seconds=seconds
        )

    def expire(self, job: str) -> None:
        """Skips the time that a dead process's lease lasts."""
        self.functions.sql(
            "update public.design_jobs set leased_until = now() - interval '1 second' where id = %s", job
        )

    def usage(self, person: Person) -> list[Json]:
        return self.functions.sql(
            "select kind, completed_at is not null as done from private.usage_events where user_id = %s",
            person.id,
        )

    def result(self, job: str, token: str) -> httpx.Response:
        """The result's object as its page reads it."""
        path = f"{self.row(job)['user_id']}/{job}/result.png"
        return self.object(path, token)

    def object(self, path: str, token: str) -> httpx.Response:
        return httpx.get(
            f"{self.stack.api_url}/storage/v1/object/authenticated/design-jobs/{path}",
            headers={"apikey": self.stack.publishable_key, "authorization": f"Bearer {token}"},
        )

    def kill_functions(self) -> None:
        """SIGKILL to every process that runs a function; their host starts new ones."""
        host = json.loads((self.stack.state / "supervisor.json").read_text())["processes"]["functions"]
        for child in Path(f"/proc/{host}/task/{host}/children").read_text().split():
            os.kill(int(child), signal.SIGKILL)

    @contextmanager
    def faults(self, plan: Json) -> Iterator[None]:
        address = f"{self.stack.emulators_url}/faults"
        assert httpx.put(address, json={"vendors": ["replicate", "printify"], **plan}).status_code == 200
        try:
            yield
        finally:
            httpx.delete(address)

    def kill_at(self, table: str, condition: str, call: Callable[[], httpx.Response]) -> httpx.Response:
        """Makes the call, and kills its process where it waits for a change of `table` that meets the condition.

        The change itself is taken back. The response is the gateway's.
        """
        with (
            psycopg.connect(self.stack.db_url, autocommit=True) as connection,
            ThreadPoolExecutor(1) as threads,
        ):
            connection.execute("select pg_advisory_lock(%s)", (_LOCK,))
            self._hold(connection, table, condition)
            try:
                response = threads.submit(call)
                waiting = (
                    "select pid from pg_locks where locktype = 'advisory' and objid = %s and not granted"
                )
                deadline = time.monotonic() + 60
                while not (rows := connection.execute(waiting, (_LOCK,)).fetchall()):
                    assert not response.done(), response.result().text[:200]
                    assert time.monotonic() < deadline, "the change was never made"
                    time.sleep(0.02)
                self.kill_functions()
                for (pid,) in rows:
                    connection.execute("select pg_terminate_backend(%s)", (pid,))
                return response.result()
            finally:
                connection.execute(f"drop trigger hold on public.{table}".encode())
                connection.execute("drop function private.hold")

    @staticmethod
    def _hold(connection: psycopg.Connection[Any], table: str, condition: str) -> None:
        connection.execute(
            "create function private.hold() returns trigger language plpgsql security definer as "
            f"$$ begin perform pg_advisory_xact_lock({_LOCK}); return new; end $$".encode()
        )
        connection.execute(
            f"create trigger hold before update on public.{table} for each row when ({condition}) "
            "execute function private.hold()".encode()
        )


@dataclass
class VendorCalls:
    """The work that was begun at the vendors since it was made."""

    functions: Functions
    _predictions: set[str] = field(init=False)
    _products: int = field(init=False)

    def __post_init__(self) -> None:
        self._predictions = set(self.functions.predictions())
        self._products = self.functions.printify("products.json")["total"]

    @property
    def predictions(self) -> list[str]:
        return [each for each in self.functions.predictions() if each not in self._predictions]

    @property
    def products(self) -> int:
        return int(self.functions.printify("products.json")["total"]) - self._products


def new_job() -> str:
    return str(uuid4())
