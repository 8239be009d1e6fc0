"""Several gateway processes: the first serves Realtime, whichever process has accepted a client."""

from __future__ import annotations

import json
import os
import signal
import socket
from collections.abc import Iterator
from contextlib import ExitStack

import httpx
import pytest
from websockets.exceptions import InvalidStatus

from tests.localbase.integration.realtime.conftest import copy_of_the_project
from tests.localbase.integration.realtime.phoenix import Phoenix, phoenix
from tests.support.stacks import Stack

WORKERS = 4
# So many connections are accepted by all processes, by all odds.
SOCKETS = 24


@pytest.fixture(scope="module")
def workers(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Stack]:
    root = tmp_path_factory.mktemp("workers") / "realtime"
    environ = {"LOCALBASE_WORKERS": str(WORKERS), "SUPABASE_REALTIME_MAX_CONCURRENT_USERS": "40"}
    with copy_of_the_project(root, "realtime_workers", environ) as stack:
        yield stack


@pytest.fixture
def clients(workers: Stack) -> Iterator[list[Phoenix]]:
    with ExitStack() as stack:
        yield [stack.enter_context(phoenix(workers, workers.secret_key, "1.0.0")) for _ in range(SOCKETS)]


def processes(stack: Stack) -> dict[str, int]:
    numbers: dict[str, int] = json.loads((stack.state / "supervisor.json").read_text())["processes"]
    return numbers


def test_broadcast_reaches_all_once(workers: Stack, clients: list[Phoenix]) -> None:
    for client in clients:
        client.join("everywhere", broadcast={"self": False})
    for sender in clients[:4]:
        sender.send("realtime:everywhere", "broadcast", {"event": "e", "payload": {}})
        for client in clients:
            if client is not sender:
                assert client.receive()[3] == "broadcast"
    headers = {"apikey": workers.secret_key}
    for _ in range(4):
        response = httpx.post(
            f"{workers.api_url}/realtime/v1/api/broadcast/everywhere/events/e", json={}, headers=headers
        )
        assert response.status_code == 202
        for client in clients:
            assert client.receive()[3] == "broadcast"
    for client in clients:
        client.nothing_before_heartbeat()


def test_sockets_are_counted_together(workers: Stack, clients: list[Phoenix]) -> None:
    assert len(clients) == SOCKETS
    with ExitStack() as stack, pytest.raises(InvalidStatus) as refused:
        for _ in range(40 - SOCKETS + 1):
            stack.enter_context(phoenix(workers))
    assert refused.value.response.status_code == 429


def test_worker_that_dies_loses_no_socket(workers: Stack, clients: list[Phoenix]) -> None:
    os.kill(processes(workers)["gateway-2"], signal.SIGKILL)
    for client in clients:
        client.nothing_before_heartbeat()


def test_socket_waits_for_a_first_process_that_is_started_again(
    workers: Stack, clients: list[Phoenix]
) -> None:
    os.kill(processes(workers)["gateway"], signal.SIGKILL)
    assert {client.closed()[0] for client in clients} == {1006}
    # Whichever process accepts them, and whether there is a first one yet or not.
    with ExitStack() as stack:
        opened = [stack.enter_context(phoenix(workers, workers.secret_key, "1.0.0")) for _ in range(SOCKETS)]
        for client in opened:
            assert client.join("reborn", broadcast={"self": True})[0] == "ok"
        opened[0].send("realtime:reborn", "broadcast", {"event": "e", "payload": {}})
        for client in opened:
            assert client.receive()[3] == "broadcast"


def test_connection_of_the_data_api_goes_on_to_broadcast(workers: Stack, clients: list[Phoenix]) -> None:
    clients[0].join("onward")
    headers = {"apikey": workers.secret_key}
    for _ in range(WORKERS * 2):
        with httpx.Client(base_url=workers.api_url, headers=headers) as client:
            for _ in range(2):
                assert client.get("/rest/v1/notes", params={"limit": "0"}).json() == []
                sent = client.post("/realtime/v1/api/broadcast/onward/events/e", json={"text": "é" * 40_000})
                assert sent.status_code == 202
                assert len(clients[0].receive()[4]["payload"]["text"]) == 40_000
            assert client.get("/rest/v1/notes", params={"limit": "0"}).json() == []


def test_body_that_comes_after_its_head_reaches_the_first_process(workers: Stack) -> None:
    port = httpx.URL(workers.api_url).port
    assert port is not None
    head = f"POST /realtime/v1/api/broadcast/slow/events/e HTTP/1.1\r\nhost: x\r\napikey: {workers.secret_key}\r\n"
    for _ in range(WORKERS * 2):
        with socket.create_connection(("127.0.0.1", port), timeout=10) as raw:
            raw.sendall(head.encode() + b'content-type: application/json\r\ncontent-length: 9\r\n\r\n{"a"')
            raw.sendall(b":100}")
            assert raw.recv(100).startswith(b"HTTP/1.1 202 ")
