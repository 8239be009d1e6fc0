"""Several gateway processes: one hub for all, whichever process a client's socket is in."""

from __future__ import annotations

import json
import os
import signal
import socket
import time
from collections.abc import Iterator
from contextlib import ExitStack

import httpx
import psycopg
import pytest
from websockets.exceptions import ConnectionClosed, InvalidStatus

from tests.integration.realtime.conftest import copy_of_the_project
from tests.integration.realtime.phoenix import Phoenix, phoenix
from tests.support.stacks import Stack
from tests.support.users import Users

WORKERS = 4
# So many sockets are in all processes, by all odds.
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


def sockets_by_process(stack: Stack) -> list[int]:
    """How many sockets each process has, by its own count."""
    counts = []
    for path in (stack.state / "metrics").glob("*.json"):
        counts.append(json.loads(path.read_text())["sockets"].get("realtime", 0))
    return counts


def test_sockets_are_in_several_processes(workers: Stack, clients: list[Phoenix]) -> None:
    for client in clients:
        client.nothing_before_heartbeat()
    deadline = time.monotonic() + 10
    while sum(counts := sockets_by_process(workers)) < SOCKETS:
        assert time.monotonic() < deadline
        time.sleep(0.05)  # processes share their counts by files
    assert sum(counts) == SOCKETS
    assert len([count for count in counts if count]) > 1


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


def test_private_and_public_topics_stay_apart(clients: list[Phoenix]) -> None:
    for number, client in enumerate(clients):
        client.join("apart", private=number % 2 == 0)
    clients[0].send("realtime:apart", "broadcast", {"event": "e", "payload": {}})
    for number, client in enumerate(clients):
        if number and number % 2 == 0:
            assert client.receive()[3] == "broadcast"
        else:
            client.nothing_before_heartbeat()


def test_messages_of_the_database_reach_all_once(workers: Stack, clients: list[Phoenix]) -> None:
    for client in clients:
        client.join("database", private=True)
    with psycopg.connect(workers.db_url, autocommit=True) as database:
        database.execute("select realtime.send('{\"id\": 1}', 'e', 'database')")
    for client in clients:
        assert client.receive()[4]["payload"] == {"id": 1}
        client.nothing_before_heartbeat()


def test_presence_is_one_for_all(clients: list[Phoenix]) -> None:
    for number, client in enumerate(clients):
        client.join("present", presence={"enabled": True, "key": str(number)})
        client.until("presence_state")
    for number, client in enumerate(clients):
        track = {"event": "track", "payload": {"n": number}}
        assert client.call("realtime:present", "presence", track)[0] == "ok"
    last = str(SOCKETS - 1)
    for client in clients[:-1]:
        while last not in client.until("presence_diff")[4]["joins"]:
            continue
    for gone, client in enumerate(clients[:4], 1):
        client.call("realtime:present", "phx_leave", {})
        client.join("present", presence={"enabled": True})
        assert set(client.until("presence_state")[4]) == {str(n) for n in range(gone, SOCKETS)}


def test_changes_reach_whom_the_policies_show_them(workers: Stack) -> None:
    users = Users(workers)
    author = users.new("author")
    entry = {"event": "INSERT", "schema": "public", "table": "notes"}
    with ExitStack() as stack:
        opened = [stack.enter_context(phoenix(workers, version="1.0.0")) for _ in range(12)]
        for number, client in enumerate(opened):
            token = author.token if number % 2 == 0 else None
            client.join("notes", token=token, postgres_changes=[entry])
            assert client.until("system")[4]["status"] == "ok"
        for body in ("one", "two"):
            users.service.table("notes").insert({"author": author.id, "body": body}).execute()
        for number, client in enumerate(opened):
            if number % 2 == 0:
                bodies = [client.until("postgres_changes")[4]["data"]["record"]["body"] for _ in range(2)]
                assert bodies == ["one", "two"]
            else:
                client.nothing_before_heartbeat()


def test_sockets_are_counted_together(workers: Stack, clients: list[Phoenix]) -> None:
    assert len(clients) == SOCKETS
    with ExitStack() as stack, pytest.raises(InvalidStatus) as refused:
        for _ in range(40 - SOCKETS + 1):
            stack.enter_context(phoenix(workers))
    assert refused.value.response.status_code == 429


def test_subscription_that_is_refused_says_why(workers: Stack) -> None:
    entry = {"event": "*", "schema": "public", "table": "nowhere"}
    for _ in range(WORKERS * 2):
        with phoenix(workers) as client:
            client.join("nowhere", postgres_changes=[entry])
            payload = client.until("system")[4]
            assert payload["status"] == "error"
            assert payload["message"].startswith("Unable to subscribe to changes with given parameters.")


def test_worker_that_dies_takes_its_presences_with_it(workers: Stack, clients: list[Phoenix]) -> None:
    for number, client in enumerate(clients):
        client.join("mortal", presence={"enabled": True, "key": str(number)})
        client.call("realtime:mortal", "presence", {"event": "track", "payload": {}})
    os.kill(processes(workers)["gateway-2"], signal.SIGKILL)
    lost = [client for client in clients if ended(client)]
    alive = [client for client in clients if client not in lost]
    assert alive
    expected = {str(clients.index(client)) for client in alive}
    client = alive[0]
    client.call("realtime:mortal", "phx_leave", {})
    client.join("mortal", presence={"enabled": True})
    expected.discard(str(clients.index(client)))
    assert set(client.until("presence_state")[4]) == expected


def ended(client: Phoenix) -> bool:
    """Whether the client has lost its connection."""
    try:
        ref = client.send("phoenix", "heartbeat", {})
        while client.receive()[1] != ref:
            continue
    except ConnectionClosed:
        return True
    return False


def test_clients_come_back_when_the_hub_dies(workers: Stack, clients: list[Phoenix]) -> None:
    for client in clients:
        client.join("reborn", presence={"enabled": True})
    os.kill(processes(workers)["gateway"], signal.SIGKILL)
    codes = {client.closed()[0] for client in clients}
    # Those of the first process have lost their connection, the others are sent away.
    assert codes <= {1006, 1012}
    assert 1012 in codes
    deadline = time.monotonic() + 20
    while True:
        try:
            with phoenix(workers) as one, phoenix(workers) as two:
                for client in (one, two):
                    assert client.join("reborn", broadcast={"self": True})[0] == "ok"
                one.send("realtime:reborn", "broadcast", {"event": "e", "payload": {}})
                assert two.receive()[3] == "broadcast"
            break
        except (InvalidStatus, ConnectionClosed, OSError):
            assert time.monotonic() < deadline


def test_program_without_the_secret_is_no_worker(workers: Stack) -> None:
    port = json.loads((workers.state / "supervisor.json").read_text())["ports"]["realtime-hub"]
    head = json.dumps(["hello", "nonsense", "9:"]).encode()
    for data in (b"GET / HTTP/1.1\r\n\r\n", (len(head)).to_bytes(4, "big") + bytes(4) + head, b"\xff" * 64):
        with socket.create_connection(("127.0.0.1", port), timeout=10) as raw:
            raw.sendall(data)
            assert raw.recv(100) == b""
