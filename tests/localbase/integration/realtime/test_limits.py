"""Limits of Realtime, in a stack with low ones; a client that never reads, and one that is silent."""

from __future__ import annotations

import json
import socket
import struct
import time
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import httpx
import pytest
from websockets.exceptions import InvalidStatus

from tests.localbase.integration.realtime.conftest import copy_of_the_project
from tests.localbase.integration.realtime.phoenix import Phoenix, phoenix
from tests.localbase.integration.realtime.test_hostile_frames import KEY, handshake, plain
from tests.support.stacks import Stack

SOCKETS, CHANNELS, JOINS, EVENTS, PRESENCE = 6, 3, 4, 6, 5
LOW = {
    "MAX_CONCURRENT_USERS": SOCKETS,
    "MAX_CHANNELS_PER_CLIENT": CHANNELS,
    "MAX_JOINS_PER_SECOND": JOINS,
    "MAX_EVENTS_PER_SECOND": EVENTS,
    "MAX_PAYLOAD_SIZE_IN_KB": 1,
    "MAX_CLIENT_PRESENCE_EVENTS_PER_WINDOW": PRESENCE,
    "PRIVATE_ONLY": "false",
}
# All of 127.0.0.0/8 is this machine.
OTHER = "127.0.0.2"
# Rates are averages of so many seconds.
WINDOW = 5


@pytest.fixture(scope="module")
def low(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Stack]:
    environ = {f"SUPABASE_REALTIME_{name}": str(value) for name, value in LOW.items()}
    root = tmp_path_factory.mktemp("limits") / "realtime"
    with copy_of_the_project(root, "realtime_limits", environ) as stack:
        yield stack


@pytest.fixture
def used_up(low: Stack) -> Iterator[Stack]:
    """For a test that uses up a rate."""
    yield low
    time.sleep(WINDOW + 1)  # the limits count by the clock of another process


MESSAGE = {"type": "broadcast", "event": "e", "payload": {}}


def test_surplus_socket_is_refused_until_another_ends(low: Stack) -> None:
    opened = [phoenix(low) for _ in range(SOCKETS)]
    clients = [context.__enter__() for context in opened]
    with pytest.raises(InvalidStatus) as refused, phoenix(low):
        pass
    assert refused.value.response.status_code == 429
    assert json.loads(refused.value.response.body) == {"error": "Too many connected users"}
    for context in opened:
        context.__exit__(None, None, None)
    assert len(clients) == SOCKETS
    with phoenix(low) as client:
        client.nothing_before_heartbeat()


def test_greatest_holder_gives_its_oldest_idle_socket_to_another_address(low: Stack) -> None:
    with ExitStack() as stack:
        clients = [stack.enter_context(phoenix(low)) for _ in range(SOCKETS)]
        clients[0].join("busy")
        for place in (1, 2, 3):
            other = stack.enter_context(phoenix(low, source=OTHER))
            other.nothing_before_heartbeat()
            assert clients[place].closed() == (1013, "Too many connected users")
        # Both have the same now: they would only change places.
        for source in ("127.0.0.1", OTHER):
            with pytest.raises(InvalidStatus) as refused, phoenix(low, source=source):
                pass
            assert refused.value.response.status_code == 429
        for client in (clients[0], *clients[4:]):
            client.nothing_before_heartbeat()


def test_client_that_leaves_during_the_handshake_takes_no_place(low: Stack) -> None:
    for _ in range(SOCKETS * 5):
        with plain(low) as raw:
            raw.sendall(handshake(low, KEY))
            # A reset, not an orderly end.
            raw.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    opened = [phoenix(low) for _ in range(SOCKETS)]
    clients = [context.__enter__() for context in opened]
    for client, context in zip(clients, opened, strict=True):
        client.nothing_before_heartbeat()
        context.__exit__(None, None, None)
    assert "Traceback" not in (low.state / "logs" / "gateway.log").read_text()


def test_surplus_channel_is_refused(low: Stack) -> None:
    with phoenix(low) as client:
        assert [client.join(f"room-{number}")[0] for number in range(CHANNELS)] == ["ok"] * CHANNELS
        reason = "ChannelRateLimitReached: Too many channels"
        assert client.join("one more") == ("error", {"reason": reason})
        client.call("realtime:room-0", "phx_leave", {})
        assert client.join("one more")[0] == "ok"


def test_too_many_joins_end_the_socket(used_up: Stack) -> None:
    with phoenix(used_up) as client:
        responses = [client.join("again")]
        while responses[-1][0] == "ok":
            responses.append(client.join("again"))
        assert len(responses) <= JOINS * WINDOW + 1
        reason = "ClientJoinRateLimitReached: Too many joins per second"
        assert responses[-1] == ("error", {"reason": reason})
        assert client.closed()[0] == 1000
    # Another address still has its share.
    with phoenix(used_up, source=OTHER) as other:
        assert [other.join("again")[0] for _ in range(JOINS)] == ["ok"] * JOINS


def test_too_many_broadcasts_close_the_channel(used_up: Stack) -> None:
    with phoenix(used_up) as client:
        client.join("loud")
        for _ in range(EVENTS * WINDOW + 1):
            client.send("realtime:loud", "broadcast", MESSAGE)
        payload = client.receive()[4]
        assert (payload["status"], payload["message"]) == ("error", "Too many messages per second")
        assert client.receive()[3] == "phx_close"


def test_deliveries_count_as_events(used_up: Stack) -> None:
    with phoenix(used_up) as sender, phoenix(used_up) as receiver:
        receiver.join("loud")
        for _ in range(EVENTS * WINDOW // 2):
            post(used_up, [{"topic": "loud", "event": "e", "payload": {}}])
            assert receiver.receive()[3] == "broadcast"
        exceeded = post(used_up, [{"topic": "loud", "event": "e", "payload": {}}])
        assert (exceeded.status_code, exceeded.json()) == (
            429,
            {"message": "You have exceeded your rate limit"},
        )
        sender.nothing_before_heartbeat()
        # Another address still has its share.
        assert (
            post(used_up, [{"topic": "quiet", "event": "e", "payload": {}}], source=OTHER).status_code == 202
        )


def test_batch_above_the_rate_is_refused(low: Stack) -> None:
    response = post(low, [{"topic": "loud", "event": "e", "payload": {}}] * (EVENTS * WINDOW + 1))
    message = "Too many messages to broadcast, please reduce the batch size"
    assert (response.status_code, response.json()) == (429, {"message": message})


def post(stack: Stack, messages: list[Any], source: str = "127.0.0.1") -> httpx.Response:
    headers = {"apikey": stack.publishable_key}
    url = f"{stack.api_url}/realtime/v1/api/broadcast"
    with httpx.Client(transport=httpx.HTTPTransport(local_address=source)) as client:
        return client.post(url, json={"messages": messages}, headers=headers)


def test_payload_above_the_limit_is_not_sent(low: Stack) -> None:
    large = {**MESSAGE, "payload": {"text": "x" * 1500}}
    with phoenix(low) as client:
        client.join("large", broadcast={"ack": True, "self": True})
        reason = {"reason": "payload_size_exceeded"}
        assert client.call("realtime:large", "broadcast", large) == ("error", reason)
        client.nothing_before_heartbeat()


def test_too_many_calls_of_presence_close_the_channel(low: Stack) -> None:
    with phoenix(low) as client:
        client.join("here")
        for number in range(PRESENCE):
            assert track(client, n=number) == "ok"
        client.send("realtime:here", "presence", {"event": "track", "payload": {"n": PRESENCE}})
        payload = client.until("system")[4]
        assert payload["message"] == "Client presence rate limit exceeded"
        assert client.until("phx_close")[2] == "realtime:here"


def test_presence_above_the_limit_closes_the_channel(low: Stack) -> None:
    with phoenix(low) as client:
        client.join("here")
        client.send("realtime:here", "presence", {"event": "track", "payload": {"text": "x" * 1500}})
        assert client.until("system")[4]["message"] == "Track message size exceeded"


def track(client: Phoenix, **payload: Any) -> str:
    return client.call("realtime:here", "presence", {"event": "track", "payload": payload})[0]


# In the stack of the other tests.


def resident_bytes(stack: Stack) -> int:
    """Return what the gateway holds in memory."""
    report = json.loads((stack.state / "supervisor.json").read_text())
    pid = report["processes"]["gateway"]
    return int(Path(f"/proc/{pid}/statm").read_text().split()[1]) * 4096


def test_client_that_never_reads_is_cut_off(realtime: Stack) -> None:
    # The kernels hold some megabytes of what a client has not read; the gateway holds what comes after them.
    with phoenix(realtime) as sender, phoenix(realtime) as reader, phoenix(realtime, most_unread=1) as deaf:
        for client in (sender, reader, deaf):
            client.join("stream")
        before = resident_bytes(realtime)
        large = {**MESSAGE, "payload": {"text": "x" * 500_000}}
        for _ in range(60):
            sender.send("realtime:stream", "broadcast", large)
            assert reader.receive()[3] == "broadcast"
        assert resident_bytes(realtime) - before < 40_000_000
        assert deaf.closed()[0] == 1006
        sender.nothing_before_heartbeat()
