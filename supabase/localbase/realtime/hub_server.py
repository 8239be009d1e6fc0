"""The hub's side of the links: one for each worker."""

from __future__ import annotations

import asyncio
import hmac
import json
import logging
import socket
from collections.abc import Coroutine
from typing import Any

from localbase.realtime.changes.feed import Change, ChangeRequest, Notice, SubscriptionRefused
from localbase.realtime.frames import Broadcast
from localbase.realtime.hub import LocalHub, Subscription
from localbase.realtime.link import Link, LinkBroken, LinkMessage, read_broadcast, send_broadcast
from localbase.realtime.topics import Topic

_log = logging.getLogger("localbase.realtime")
_HELLO_SECONDS = 5.0


class HubServer:
    """Serves the hub to workers that know `secret`."""

    def __init__(self, hub: LocalHub, secret: str) -> None:
        self._hub = hub
        self._secret = secret
        self._server: asyncio.Server | None = None
        self._workers: set[Worker] = set()

    async def start(self, listening: socket.socket) -> None:
        """Begins to serve on a listening socket."""
        self._server = await asyncio.start_server(self._serve, sock=listening)

    async def close(self) -> None:
        """Ends every link."""
        if self._server is not None:
            self._server.close()
        for worker in list(self._workers):
            worker.link.close()

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        link = Link(reader, writer)
        try:
            async with asyncio.timeout(_HELLO_SECONDS):
                hello = await link.receive()
            kind, parts = hello.kind, hello.parts
            if kind != "hello" or not hmac.compare_digest(str(parts[0]).encode(), self._secret.encode()):
                raise LinkBroken
        except (LinkBroken, TimeoutError, IndexError):
            link.close()
            return
        worker = Worker(self._hub, link, prefix=str(parts[1]))
        self._workers.add(worker)
        try:
            await worker.serve()
        except LinkBroken:
            _log.info("the link to worker %s has ended", worker.prefix)
        finally:
            self._workers.discard(worker)
            worker.end()
            link.close()


class Worker:
    """One worker, as the hub sees it (`hub.Relay`). The ids of its members begin with `prefix`."""

    def __init__(self, hub: LocalHub, link: Link, prefix: str) -> None:
        self.link = link
        self.prefix = prefix
        self._hub = hub
        self._topics: set[Topic] = set()
        self._sockets = 0
        self._subscriptions: dict[int, Subscription] = {}
        self._subscribing: dict[int, asyncio.Task[Any] | None] = {}
        self._tasks: set[asyncio.Task[None]] = set()
        # A change, and the numbers of subscriptions that get it: many get the same.
        self._change = b""
        self._receivers: list[tuple[int, tuple[int, ...]]] = []

    async def serve(self) -> None:
        """Serves until the link breaks, which raises `LinkBroken`."""
        while True:
            message = await self.link.receive()
            handler = _HANDLERS.get(message.kind)
            if handler is None:
                raise LinkBroken
            result = handler(self, message)
            if result is not None:
                task = asyncio.get_running_loop().create_task(result)
                self._tasks.add(task)
                task.add_done_callback(self._tasks.discard)

    def end(self) -> None:
        """The worker has gone, and its sockets, presences and subscriptions with it."""
        for task in self._tasks:
            task.cancel()
        for subscription in self._subscriptions.values():
            subscription.close()
        for topic in self._topics:
            self._hub.leave_relay(topic, self)
        self._hub.untrack_process(self.prefix)
        for _ in range(self._sockets):
            self._hub.release_socket()

    # As a relay.

    def broadcast(self, topic: Topic, broadcast: Broadcast) -> None:
        """Delivers to its members."""
        send_broadcast(self.link, topic, broadcast)

    def presence_diff(self, topic: Topic, diff: bytes) -> None:
        """Delivers a change of who is present."""
        self.link.send("presence", topic.name, topic.private, data=diff)

    # What it sends.

    async def on_socket(self, message: LinkMessage) -> None:
        rejection = await self._hub.admit_socket()
        if rejection is None:
            self._sockets += 1
        self.link.send("answer", message.parts[0], rejection)

    def on_release(self, message: LinkMessage) -> None:  # noqa: ARG002 - nothing belongs to it
        if self._sockets:
            self._sockets -= 1
            self._hub.release_socket()

    async def on_admit_join(self, message: LinkMessage) -> None:
        self.link.send("answer", message.parts[0], await self._hub.admit_join())

    def on_events(self, message: LinkMessage) -> None:
        if self._hub.count_events(message.parts[0]):
            self.link.send("full")

    def on_join(self, message: LinkMessage) -> Coroutine[Any, Any, None]:
        """Joins at once, before the messages that follow, and answers later."""
        topic = Topic(*message.parts[1:])
        self._topics.add(topic)
        self._hub.join_relay(topic, self)
        return self._respond_to_join(message.parts[0])

    async def _respond_to_join(self, number: int) -> None:
        await self._hub.follow_database()
        self.link.send("answer", number, None)

    def on_leave(self, message: LinkMessage) -> None:
        topic = Topic(*message.parts)
        self._topics.discard(topic)
        self._hub.leave_relay(topic, self)

    async def on_ready(self, message: LinkMessage) -> None:
        self.link.send("answer", message.parts[0], await self._hub.replication_ready())

    def on_broadcast(self, message: LinkMessage) -> None:
        topic, broadcast = read_broadcast(message)
        self._hub.broadcast(topic, broadcast, source=self)

    def on_state(self, message: LinkMessage) -> None:
        number, name, private = message.parts
        self._hub.presence_state(
            Topic(name, private), lambda state: self.link.send("answer", number, None, data=state)
        )

    def on_track(self, message: LinkMessage) -> None:
        number, name, private, member, key = message.parts
        tracked = self._hub.track_member(Topic(name, private), member, key, json.loads(message.data))
        self.link.send("answer", number, tracked)

    def on_untrack(self, message: LinkMessage) -> None:
        name, private, member, key = message.parts
        self._hub.untrack_member(Topic(name, private), member, key)

    # Changes of the database.

    async def on_subscribe(self, message: LinkMessage) -> None:
        number, entries, role = message.parts
        requests = [
            ChangeRequest(id, event, schema, table, filter, None if select is None else tuple(select))
            for id, event, schema, table, filter, select in entries
        ]

        def deliver(change: Change) -> None:
            self._deliver(number, change)

        def notice(notice: Notice) -> None:
            self.link.send("notice", number, notice)

        self._subscribing[number] = asyncio.current_task()
        try:
            self._subscriptions[number] = await self._hub.subscribe(
                requests, role, message.data, deliver, notice
            )
        except SubscriptionRefused as error:
            self.link.send("answer", number, str(error))
        except Exception as error:  # noqa: BLE001 - any failure to reach Postgres: the worker tries again
            _log.info("no subscription to changes: %s", error)
            self.link.send("answer", number, False)
        else:
            self.link.send("answer", number, None)
        finally:
            del self._subscribing[number]

    async def on_move(self, message: LinkMessage) -> None:
        call_number, number, role = message.parts
        subscription = self._subscriptions.get(number)
        try:
            if subscription is not None:
                await subscription.move(role, message.data)
        except SubscriptionRefused as error:
            self.link.send("answer", call_number, str(error))
        except Exception as error:  # noqa: BLE001 - any failure to reach Postgres: the worker tries again
            _log.info("no subscription to changes: %s", error)
            self.link.send("answer", call_number, False)
        else:
            self.link.send("answer", call_number, None)

    def on_unsubscribe(self, message: LinkMessage) -> None:
        number = message.parts[0]
        task, subscription = self._subscribing.get(number), self._subscriptions.pop(number, None)
        if task is not None:
            task.cancel()
        if subscription is not None:
            subscription.close()

    def _deliver(self, number: int, change: Change) -> None:
        if self._receivers and change.data is not self._change:
            self._flush()
        if not self._receivers:
            asyncio.get_running_loop().call_soon(self._flush)
        self._change = change.data
        self._receivers.append((number, change.ids))

    def _flush(self) -> None:
        if self._receivers:
            receivers, self._receivers = self._receivers, []
            self.link.send("change", receivers, data=self._change)


_HANDLERS: dict[str, Any] = {
    "socket": Worker.on_socket,
    "release": Worker.on_release,
    "admit_join": Worker.on_admit_join,
    "events": Worker.on_events,
    "join": Worker.on_join,
    "leave": Worker.on_leave,
    "ready": Worker.on_ready,
    "broadcast": Worker.on_broadcast,
    "state": Worker.on_state,
    "track": Worker.on_track,
    "untrack": Worker.on_untrack,
    "subscribe": Worker.on_subscribe,
    "move": Worker.on_move,
    "unsubscribe": Worker.on_unsubscribe,
}
