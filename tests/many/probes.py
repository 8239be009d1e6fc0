"""Probes that ask every part for something, a few times a second, and note when they were answered.

What a person would have waited for is the longest time between two good answers.
"""

from __future__ import annotations

import threading
import time
import uuid
from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise

import httpx
import psycopg

from tests.support.stacks import Stack

PATIENCE = 5.0
PROBES = ("reads", "writes", "functions", "files")


@dataclass(frozen=True)
class Ask:
    """`probe` asked at `began` and had an answer, or the failure, after `seconds`. Times are of `time.time`."""

    probe: str
    began: float
    seconds: float
    good: bool

    @property
    def ended(self) -> float:
        return self.began + self.seconds


class Probes:
    """One thread for each kind, each with a connection of its own."""

    def __init__(self, stack: Stack, writer: tuple[str, str], pause: float = 0.25) -> None:
        """`writer` is a person who may write: their id and token."""
        self._stack = stack
        self._person, self._token = writer
        self._pause = pause
        self.asks: list[Ask] = []
        # files that were acknowledged: their names and what is in them
        self.files: dict[str, bytes] = {}
        # rows that were acknowledged
        self.rows: set[str] = set()
        self._stop = threading.Event()
        self._threads = [
            threading.Thread(target=self._run, args=(name, ask), name=f"probe {name}", daemon=True)
            for name, ask in zip(PROBES, (self._read, self._write, self._call, self._put), strict=True)
        ]

    def start(self) -> None:
        for thread in self._threads:
            thread.start()

    def stop(self) -> None:
        self._stop.set()
        for thread in self._threads:
            thread.join()

    def _run(self, name: str, ask: Callable[[httpx.Client], int]) -> None:
        client = httpx.Client(base_url=self._stack.api_url, timeout=PATIENCE)
        while not self._stop.wait(self._pause):
            began, clock = time.time(), time.perf_counter()
            try:
                good = 200 <= ask(client) < 300
            except httpx.HTTPError:
                good = False
            self.asks.append(Ask(name, began, time.perf_counter() - clock, good))
        client.close()

    def _of_person(self) -> dict[str, str]:
        return {"apikey": self._stack.publishable_key, "authorization": f"Bearer {self._token}"}

    def _of_service(self) -> dict[str, str]:
        key = self._stack.service_role_key
        return {"apikey": key, "authorization": f"Bearer {key}"}

    def _read(self, client: httpx.Client) -> int:
        headers = {"apikey": self._stack.publishable_key}
        return client.get(
            "/rest/v1/public_designs?select=id,designs!inner(name)&limit=5", headers=headers
        ).status_code

    def _write(self, client: httpx.Client) -> int:
        name = str(uuid.uuid4())
        row = {"user_id": self._person, "user_agent": name}
        response = client.post("/rest/v1/user_sessions", json=row, headers=self._of_person())
        if response.status_code == 201:
            self.rows.add(name)
        return response.status_code

    def _call(self, client: httpx.Client) -> int:
        return client.post(
            "/functions/v1/lookup-zip-code", json={"zipCode": "90210"}, headers=self._of_person()
        ).status_code

    def _put(self, client: httpx.Client) -> int:
        name, body = f"{self._person}/{uuid.uuid4()}.png", uuid.uuid4().bytes * 640
        headers = {**self._of_service(), "content-type": "image/png"}
        response = client.post(f"/storage/v1/object/print-files/probes/{name}", content=body, headers=headers)
        if response.status_code == 200:
            self.files[name] = body
        time.sleep(self._pause)
        return response.status_code

    def lost_rows(self) -> set[str]:
        """Acknowledged rows that are not there."""
        with psycopg.connect(self._stack.db_url) as connection:
            found = connection.execute("select user_agent from user_sessions").fetchall()
        return self.rows - {str(name) for (name,) in found}

    def lost_files(self) -> list[str]:
        """Names of acknowledged files that are not there as they were sent."""
        with httpx.Client(base_url=self._stack.api_url, timeout=60) as client:
            return [
                name
                for name, body in self.files.items()
                if client.get(
                    f"/storage/v1/object/authenticated/print-files/probes/{name}", headers=self._of_service()
                ).content
                != body
            ]


def longest_wait(asks: list[Ask], probe: str, start: float, end: float) -> float:
    """Seconds between two good answers, the longest of those that lie in the span at least in part."""
    good = sorted(each.ended for each in asks if each.probe == probe and each.good)
    before = max((when for when in good if when <= start), default=start)
    within = [when for when in good if start < when < end]
    after = min((when for when in good if when >= end), default=end)
    times = [before, *within, after]
    return max(later - earlier for earlier, later in pairwise(times))
