"""Webhooks leave in any order, are tried again, given up at last, and outlive the process."""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from emulators.core.store import Document, Store
from emulators.webhook_dispatcher import WebhookDispatcher
from tests.localbase.integration.small_project import until


class Receiver:
    """Answers with the statuses given, then with 200."""

    def __init__(self) -> None:
        self.statuses: list[int] = []
        self.received: list[tuple[str, str | None]] = []
        receiver = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["content-length"])).decode()
                receiver.received.append((body, self.headers["x-signed"]))
                self.send_response(receiver.statuses.pop(0) if receiver.statuses else 200)
                self.send_header("location", "/elsewhere")
                self.end_headers()

            def log_message(self, *_: object) -> None:
                return

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server.server_port}/hook"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    @property
    def bodies(self) -> list[str]:
        return [body for body, _ in self.received]


@pytest.fixture
def receiver() -> Iterator[Receiver]:
    made = Receiver()
    yield made
    made.server.shutdown()
    made.server.server_close()


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with closing(Store(tmp_path / "state.sqlite")) as opened:
        yield opened


def sign(message: Document) -> dict[str, str]:
    return {"x-signed": f"{message['secret']} {message['attempt']}"}


def dispatcher(store: Store, *delays: float) -> WebhookDispatcher:
    return WebhookDispatcher(store, "vendor", sign, delays=delays)


def run_until(dispatcher: WebhookDispatcher, *conditions: Callable[[], bool]) -> list[float]:
    """Runs the loop until each condition has held; the seconds until then."""

    async def live() -> list[float]:
        running, began = asyncio.create_task(dispatcher.run()), time.monotonic()
        seconds = []
        for holds in conditions:
            assert await asyncio.to_thread(until, holds)
            seconds.append(time.monotonic() - began)
        running.cancel()
        await asyncio.gather(running, return_exceptions=True)
        return seconds

    return asyncio.run(live())


def run_until_idle(dispatcher: WebhookDispatcher, store: Store) -> None:
    run_until(dispatcher, lambda: store.count("vendor.delivery") == 0)


def test_message_is_delivered_with_its_signature_and_forgotten(store: Store, receiver: Receiver) -> None:
    sending = dispatcher(store)
    sending.send(receiver.url, '{"name": "é"}', "key", "evt_1")
    assert [one["about"] for one in sending.undelivered()] == ["evt_1"]
    run_until_idle(sending, store)
    assert receiver.received == [('{"name": "é"}', "key 0")]
    assert sending.undelivered() == []


@pytest.mark.parametrize("status", [500, 404, 302])
def test_message_is_tried_again_and_signed_anew(store: Store, receiver: Receiver, status: int) -> None:
    receiver.statuses = [status, status]
    sending = dispatcher(store, 0.01, 0.01)
    sending.send(receiver.url, "body", "key", "evt_1")
    run_until_idle(sending, store)
    assert receiver.received == [("body", "key 0"), ("body", "key 1"), ("body", "key 2")]
    assert sending.undelivered() == []


def test_message_is_given_up_after_the_last_delay_and_stays_known(store: Store, receiver: Receiver) -> None:
    receiver.statuses = [500] * 5
    sending = dispatcher(store, 0.01)
    sending.send(receiver.url, "body", "key", "evt_1")
    run_until_idle(sending, store)
    assert receiver.bodies == ["body", "body"]
    assert [one["about"] for one in sending.undelivered()] == ["evt_1"]


def test_receiver_that_is_not_there_delays_no_other(store: Store, receiver: Receiver) -> None:
    sending = dispatcher(store, 0.5)
    sending.send("http://127.0.0.1:1/hook", "lost", "key", "evt_lost")
    sending.send(receiver.url, "heard", "key", "evt_heard")
    heard, ended = run_until(
        sending, lambda: bool(receiver.received), lambda: store.count("vendor.delivery") == 0
    )
    assert heard < ended
    assert [one["about"] for one in sending.undelivered()] == ["evt_lost"]


def test_message_outlives_the_process(tmp_path: Path, receiver: Receiver) -> None:
    path = tmp_path / "state.sqlite"
    with closing(Store(path)) as store:
        dispatcher(store).send(receiver.url, "body", "key", "evt_1")
    with closing(Store(path)) as store:
        run_until_idle(dispatcher(store), store)
    assert receiver.bodies == ["body"]


def test_many_messages_arrive_each_once(store: Store, receiver: Receiver) -> None:
    sending = dispatcher(store)
    for number in range(40):
        sending.send(receiver.url, str(number), "key", f"evt_{number}")
    run_until_idle(sending, store)
    assert sorted(receiver.bodies, key=int) == [str(number) for number in range(40)]
