"""One client of Realtime, who follows the designs' rows: what it is told when the database moves."""

from __future__ import annotations

import json
import threading
import time
from typing import Any

from websockets.exceptions import WebSocketException
from websockets.sync.client import connect

from tests.support.stacks import Stack

TOPIC = "realtime:many"
_HEARTBEAT = 5.0
_PATIENCE = 12.0


class Listener(threading.Thread):
    """`told` has what it heard of its subscription: when, and `subscribed`, `interrupted` or `disconnected`.

    `seen` are the names of designs whose rows were announced to it.
    """

    def __init__(self, stack: Stack) -> None:
        super().__init__(name="listener", daemon=True)
        self._stack = stack
        self.told: list[tuple[float, str]] = []
        self.seen: set[str] = set()
        self._stop_it = threading.Event()

    def run(self) -> None:
        while not self._stop_it.is_set():
            try:
                self._follow()
            except (OSError, EOFError, TimeoutError, WebSocketException):
                self._hear("disconnected")
                time.sleep(0.5)

    def stop(self) -> None:
        self._stop_it.set()
        self.join()

    def is_subscribed(self) -> bool:
        return bool(self.told) and self.told[-1][1] == "subscribed"

    def _hear(self, what: str) -> None:
        if not self.told or self.told[-1][1] != what:
            self.told.append((time.time(), what))

    def _follow(self) -> None:
        key = self._stack.service_role_key
        url = f"{self._stack.api_url.replace('http', 'ws', 1)}/realtime/v1/websocket?vsn=1.0.0&apikey={key}"
        changes = [{"event": "UPDATE", "schema": "public", "table": "designs"}]
        join = {"config": {"postgres_changes": changes}, "access_token": key}
        with connect(url, open_timeout=5, close_timeout=1) as socket:
            self._send(socket, TOPIC, "phx_join", join)
            heard = beaten = time.monotonic()
            while not self._stop_it.is_set():
                now = time.monotonic()
                if now > heard + _PATIENCE:
                    raise TimeoutError
                if now > beaten + _HEARTBEAT:
                    self._send(socket, "phoenix", "heartbeat", {})
                    beaten = now
                try:
                    message = json.loads(socket.recv(timeout=0.5))
                except TimeoutError:
                    continue
                heard = time.monotonic()
                self._take(message)

    def _take(self, message: dict[str, Any]) -> None:
        payload = message["payload"]
        if message["event"] == "system" and payload.get("extension") == "postgres_changes":
            self._hear("subscribed" if payload["status"] == "ok" else "interrupted")
        elif message["event"] == "postgres_changes":
            self.seen.add(payload["data"]["record"]["name"])
        elif message["event"] in ("phx_close", "phx_error"):
            raise EOFError

    @staticmethod
    def _send(socket: Any, topic: str, event: str, payload: dict[str, Any]) -> None:
        socket.send(json.dumps({"topic": topic, "event": event, "payload": payload, "ref": "1"}))
