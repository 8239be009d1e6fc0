"""Sends signed webhooks, and tries again when the receiver is not there or answers with an error.

Messages are in the store until delivered or given up, so a restart goes on where it stopped. Several are on
their way at once, so they may overtake each other, as the vendors' do.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import Callable
from typing import TYPE_CHECKING

from localbase.core.deferred import Deferred, deferred_client

from emulators.core.faults import Faults
from emulators.core.store import Document, Store
from emulators.core.system import system

if TYPE_CHECKING:
    import httpx

logger = logging.getLogger("emulators.webhook_dispatcher")

Sign = Callable[[Document], dict[str, str]]
"""Headers for one attempt: signatures carry the time of sending, so they are made afresh each time."""

_AT_ONCE = 8


def _new_client() -> httpx.AsyncClient:
    import httpx  # not before a vendor sends its first webhook

    return httpx.AsyncClient(timeout=30, follow_redirects=False)


class WebhookDispatcher:
    """One vendor's outgoing webhooks.

    `delays` are the seconds to wait before the second, third, … attempt; after the last the message is
    given up. Vendors wait hours; a developer wants to see it within the minute.
    """

    def __init__(
        self,
        store: Store,
        name: str,
        sign: Sign,
        faults: Faults | None = None,
        delays: tuple[float, ...] = (1, 2, 5, 10, 30, 60),
    ) -> None:
        self._store = store
        self._name = name
        self._kind = f"{name}.delivery"
        self._given_up = f"{name}.given_up"
        self._sign = sign
        self._faults = faults
        self._delays = delays
        self._wake = asyncio.Event()
        store.on_replaced.append(self._wake.set)
        self._flying: set[str] = set()

    def send(self, url: str, body: str, secret: str, about: str) -> None:
        """Queues `body` for `url`. `about` is the event's id, for the log."""
        for _ in range(2 if self._happens("duplicate") else 1):
            late = self._lateness()
            self._store.put(
                self._kind,
                {
                    "id": system.uuid4().hex,
                    "url": url,
                    "body": body,
                    "secret": secret,
                    "about": about,
                    "attempt": 0,
                    "due": system.time() + late,
                },
            )
        self._wake.set()

    def undelivered(self) -> list[Document]:
        """Messages that wait, and those that were given up; `about` is the event's id."""
        return [*self._store.each(self._kind), *self._store.each(self._given_up)]

    def _happens(self, fault: str) -> bool:
        return self._faults is not None and self._faults.happens(self._name, "webhooks", fault)

    def _lateness(self) -> float:
        """Seconds that a message is held back so that later ones overtake it."""
        if self._faults is None or not self._happens("reorder"):
            return 0.0
        return self._faults.seconds("webhooks", "reorder_ms", 3000)

    async def run(self) -> None:
        """Delivers for as long as the process lives."""
        client = deferred_client(_new_client)
        try:
            await self._deliver(client)
        finally:
            await client.close()

    async def _deliver(self, client: Deferred[httpx.AsyncClient]) -> None:
        async with asyncio.TaskGroup() as group:
            while True:
                self._wake.clear()
                now = system.time()
                waiting = [one for one in self._store.list(self._kind) if one["id"] not in self._flying]
                for message in reversed(waiting):
                    if message["due"] <= now and len(self._flying) < _AT_ONCE:
                        self._flying.add(message["id"])
                        group.create_task(self._fly(client, message))
                later = [message["due"] - now for message in waiting if message["due"] > now]
                # Not by `wait_for`: before Python 3.12 it swallows a cancellation that comes with the event.
                with contextlib.suppress(TimeoutError):
                    async with asyncio.timeout(min(later, default=None)):
                        await self._wake.wait()

    async def _fly(self, client: Deferred[httpx.AsyncClient], message: Document) -> None:
        try:
            await self._attempt(client, message)
        finally:
            self._flying.discard(message["id"])
            self._wake.set()

    async def _attempt(self, deferred: Deferred[httpx.AsyncClient], message: Document) -> None:
        client = await deferred.get()
        from httpx import HTTPError

        headers = {"content-type": "application/json; charset=utf-8", **self._sign(message)}
        try:
            response = await client.post(message["url"], content=message["body"].encode(), headers=headers)
            problem = None if response.is_success else f"answered {response.status_code}"
        except HTTPError as error:
            problem = f"{type(error).__name__}: {error}"
        if problem is None:
            self._store.delete(self._kind, message["id"])
            return
        attempt = message["attempt"]
        if attempt >= len(self._delays):
            logger.warning("webhook %s to %s given up: %s", message["about"], message["url"], problem)
            self._store.put(self._given_up, {"id": message["id"], "about": message["about"]})
            self._store.delete(self._kind, message["id"])
            return
        message["attempt"] = attempt + 1
        message["due"] = system.time() + self._delays[attempt]
        self._store.put(self._kind, message)
