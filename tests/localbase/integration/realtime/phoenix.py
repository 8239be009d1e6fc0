"""A client of Phoenix's protocol that sends anything: what the official clients would not."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any
from urllib.parse import urlencode

from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect
from websockets.sync.connection import Connection

from tests.support.stacks import Stack

SECONDS = 30.0


class Phoenix:
    """One WebSocket. Messages go and come as `(join_ref, ref, topic, event, payload)`, whatever the version."""

    def __init__(self, socket: Connection, version: str) -> None:
        self.socket = socket
        self.version = version
        self._ref = 0

    def send(self, topic: str, event: str, payload: Any, join_ref: Any = "1") -> str:
        """Sends a message. Its reference."""
        self._ref += 1
        ref = str(self._ref)
        if self.version == "2.0.0":
            self.send_raw(json.dumps([join_ref, ref, topic, event, payload]))
        else:
            message = {"topic": topic, "event": event, "payload": payload, "ref": ref, "join_ref": join_ref}
            self.send_raw(json.dumps(message))
        return ref

    def send_raw(self, data: str | bytes) -> None:
        """Sends a frame."""
        self.socket.send(data)

    def receive(self, seconds: float = SECONDS) -> tuple[Any, ...]:
        """The next message. A binary frame is one of event `binary`, with its bytes."""
        data = self.socket.recv(timeout=seconds)
        if isinstance(data, bytes):
            return (None, None, None, "binary", data)
        value = json.loads(data)
        if self.version == "2.0.0":
            return tuple(value)
        assert set(value) == {"topic", "event", "payload", "ref"}
        return (None, value["ref"], value["topic"], value["event"], value["payload"])

    def call(self, topic: str, event: str, payload: Any) -> tuple[str, Any]:
        """Sends a message, and returns the status and response of its reply. What comes before is left out."""
        ref = self.send(topic, event, payload)
        while True:
            _, reply_ref, _, kind, payload_of_reply = self.receive()
            if kind == "phx_reply" and reply_ref == ref:
                return payload_of_reply["status"], payload_of_reply["response"]

    def join(self, topic: str, *, token: str | None = None, **config: Any) -> tuple[str, Any]:
        """Joins `realtime:<topic>`."""
        payload: dict[str, Any] = {"config": config}
        if token is not None:
            payload["access_token"] = token
        return self.call(f"realtime:{topic}", "phx_join", payload)

    def until(self, event: str, seconds: float = SECONDS) -> tuple[Any, ...]:
        """The next message of an event."""
        deadline = time.monotonic() + seconds
        passed: list[tuple[Any, ...]] = []
        while True:
            try:
                message = self.receive(max(deadline - time.monotonic(), 0.01))
            except TimeoutError as error:
                raise AssertionError(f"no {event} within {seconds} s, but {passed}") from error
            if message[3] == event:
                return message
            passed.append(message)

    def nothing_before_heartbeat(self) -> None:
        """Asserts that the next message is the response to a heartbeat: all that was to come has come."""
        ref = self.send("phoenix", "heartbeat", {})
        assert self.receive()[1] == ref

    def closed(self) -> tuple[int, str]:
        """Reads to the end. The code and reason of the closing frame; 1006 without one."""
        try:
            while True:
                self.socket.recv(timeout=SECONDS)
        except ConnectionClosed as error:
            return (error.rcvd.code, error.rcvd.reason) if error.rcvd else (1006, "")


@contextmanager
def phoenix(
    stack: Stack,
    key: str | None = None,
    version: str = "2.0.0",
    most_unread: int | None = None,
    source: str = "127.0.0.1",
) -> Iterator[Phoenix]:
    """An open WebSocket, by default with the publishable key, from the address `source`.

    It reads no more than `most_unread` frames ahead.
    """
    params = {"apikey": key or stack.publishable_key, "vsn": version}
    address = stack.api_url.replace("http", "ws", 1) + "/realtime/v1/websocket?" + urlencode(params)
    with connect(
        address,
        compression=None,
        max_size=None,
        max_queue=most_unread,
        close_timeout=2,
        source_address=(source, 0),
    ) as socket:
        yield Phoenix(socket, version)


def reply(
    ref: str, topic: str, status: str = "ok", response: Any = None, join_ref: Any = "1"
) -> tuple[Any, ...]:
    """A reply in version 2.0.0."""
    return (join_ref, ref, topic, "phx_reply", {"status": status, "response": response or {}})
