"""Frames that no official client sends: each is dropped, or closes its own connection, and is no fault in the log."""

from __future__ import annotations

import json
import os
import socket
import struct
from collections.abc import Iterator
from urllib.parse import urlsplit

import pytest

from tests.localbase.integration.realtime.phoenix import Phoenix, phoenix
from tests.support.stacks import Stack

# More than a client would nest, within what may be sent.
DEEP = 200_000


@pytest.fixture(autouse=True)
def _log_without_faults(realtime: Stack) -> Iterator[None]:
    yield
    log = (realtime.state / "logs" / "gateway.log").read_text()
    assert "Traceback" not in log
    assert "failed" not in log


def listening(client: Phoenix) -> None:
    client.nothing_before_heartbeat()


@pytest.mark.parametrize("version", ["1.0.0", "2.0.0"])
@pytest.mark.parametrize(
    "data",
    [
        "",
        "nonsense",
        "null",
        "[]",
        "{}",
        "[1,2,3,4]",
        '["1","1","realtime:room","phx_join"]',
        '["1","1",7,"phx_join",{}]',
        '["1","1","realtime:room",null,{}]',
        '[{},"1","realtime:room","phx_join",{}]',
        '["1",[],"realtime:room","phx_join",{}]',
        '["1","1","phoenix","heartbeat",{}',
        '{"topic":"realtime:room","event":"phx_join","payload":{}}',
        '{"topic":{},"event":"phx_join","payload":{},"ref":"1"}',
        '{"topic":"realtime:room","event":"phx_join","payload":{},"ref":{"a":1}}',
        "[" * DEEP,
        '{"a":' * DEEP,
        "[" * DEEP + "]" * DEEP,
        '["1","1","realtime:room","broadcast",' + "[" * DEEP + "]" * DEEP + "]",
        "9" * 5000,
        "\ufeff[]",
        "\0",
    ],
    ids=lambda value: f"{value[:30]!r} of {len(value)}",
)
def test_text_that_is_no_message_is_dropped(realtime: Stack, version: str, data: str) -> None:
    with phoenix(realtime, version=version) as client:
        client.send_raw(data)
        listening(client)


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"\x03",
        b"\x00" * 7,
        b"\x04" + b"\x01" * 20,
        b"\x03\xff\xff\xff\xff\xff\x01",
        b"\x03\x00\x00\x01\x01\x00\x01\xffe{}",
        b"\x03\x00\x00\x01\x01\x00\x01te{",
        b"\x03\x00\x00\x01\x01\x00\x01teNaN",
        b"\x03\x00\x00\x01\x01\x02\x01te{[{}",
        b"\x03\x00\x00\x01\x01\x00\x01te" + b"[" * DEEP,
        b"\x03\x00\x00\x01\x01\x00\x01te\xff\xfe{\x00}\x00",
    ],
    ids=lambda value: f"{value[:12].hex()} of {len(value)}",
)
@pytest.mark.parametrize("version", ["1.0.0", "2.0.0"])
def test_bytes_that_are_no_message_are_dropped(realtime: Stack, version: str, data: bytes) -> None:
    with phoenix(realtime, version=version) as client:
        client.send_raw(data)
        listening(client)


@pytest.mark.parametrize(
    "payload",
    [
        None,
        7,
        "text",
        [],
        {"config": None},
        {"config": []},
        {"config": {"broadcast": 1, "presence": "yes", "private": "maybe", "postgres_changes": {}}},
        {
            "config": {
                "broadcast": {"self": "TRUE", "ack": 7},
                "presence": {"key": {"a": 1}, "enabled": "true"},
            }
        },
        {"config": {"postgres_changes": [7]}},
        {"config": {"postgres_changes": [None, None]}},
        {"access_token": 7, "user_token": []},
    ],
    ids=json.dumps,
)
def test_join_with_any_payload_is_answered(realtime: Stack, payload: object) -> None:
    with phoenix(realtime) as client:
        status, response = client.call("realtime:room", "phx_join", payload)
        assert (status, set(response)) in (("ok", {"postgres_changes"}), ("error", {"reason"}))


@pytest.mark.parametrize(
    "event", ["broadcast", "presence", "access_token", "postgres_changes", "phx_reply", "x" * 999]
)
@pytest.mark.parametrize(
    "payload", [None, 7, "text", [], [1], {}, {"event": 7}, {"access_token": None}], ids=json.dumps
)
def test_event_with_any_payload_leaves_the_channel_open(realtime: Stack, event: str, payload: object) -> None:
    with phoenix(realtime) as client:
        client.join("room", broadcast={"ack": True, "self": True})
        client.send("realtime:room", event, payload)
        assert client.call("realtime:room", "presence", {"event": "untrack"})[0] == "ok"


@pytest.mark.parametrize("number", ["NaN", "Infinity", "-Infinity", "1e999"])
def test_number_that_json_has_no_form_for_is_not_passed_on(realtime: Stack, number: str) -> None:
    with phoenix(realtime, version="1.0.0") as client:
        client.join("numbers", broadcast={"self": True}, presence={"enabled": True})
        client.until("presence_state")
        message = '{"topic":"realtime:numbers","event":"%s","payload":{"event":"track","payload":{"n":%s}},"ref":"9"}'
        for event in ("broadcast", "presence"):
            client.send_raw(message % (event, number))
        listening(client)
        client.call("realtime:numbers", "phx_leave", {})
        client.join("numbers", presence={"enabled": True})
        assert client.until("presence_state")[4] == {}


def test_half_a_surrogate_pair_is_replaced(realtime: Stack) -> None:
    with phoenix(realtime) as client:
        client.join("halves", broadcast={"self": True})
        client.send_raw(r'["1","9","realtime:halves","broadcast",{"event":"e","payload":{"t":"\ud83d"}}]')
        assert client.receive()[4] == {"event": "e", "payload": {"t": "�"}}


def test_json_in_a_binary_frame_cannot_break_out_of_other_clients_messages(realtime: Stack) -> None:
    with phoenix(realtime) as sender, phoenix(realtime, version="1.0.0") as receiver:
        receiver.join("quotes")
        sender.join("quotes")
        head = bytes([3, 1, 1, len("realtime:quotes"), 1, 0, 1]) + b"11realtime:quotese"
        sender.send_raw(head + b'{}},"event":"phx_close","payload":{"x":{}')
        listening(sender)
        sender.send_raw(head + b'{"fine":true}')
        payload = {"event": "e", "payload": {"fine": True}, "type": "broadcast"}
        assert receiver.receive() == (None, None, "realtime:quotes", "broadcast", payload)


def test_frame_above_the_limit_closes_its_connection(realtime: Stack) -> None:
    with phoenix(realtime) as client:
        client.send_raw("x" * (3 * 1024 * 1024 + 1))
        assert client.closed()[0] == 1009


def test_text_that_is_not_utf_8_closes_its_connection(realtime: Stack) -> None:
    with opened(realtime) as raw:
        raw.sendall(frame(0x81, b"\xff\xfe"))
        assert close_code(raw) == 1007


def test_endless_empty_fragments_close_their_connection(realtime: Stack) -> None:
    with opened(realtime) as raw:
        raw.sendall(frame(0x01, b""))
        raw.sendall(frame(0x00, b"") * 5000)
        assert close_code(raw) == 1009


@pytest.mark.parametrize(
    "data",
    [b"\x81\x01a", b"\xf1\x80\0\0\0\0", b"\x83\x80\0\0\0\0", b"\x80\x80\0\0\0\0"],
    ids=["unmasked", "reserved bits", "unknown opcode", "continuation of nothing"],
)
def test_frame_against_the_protocol_closes_its_connection(realtime: Stack, data: bytes) -> None:
    with opened(realtime) as raw:
        raw.sendall(data)
        assert close_code(raw) == 1002


@pytest.mark.parametrize(
    ("lines", "status"),
    [
        ("", b"HTTP/1.1 400 "),
        ("Sec-WebSocket-Key: short\r\nSec-WebSocket-Version: 13\r\n", b"HTTP/1.1 400 "),
        ("Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 8\r\n", b"HTTP/1.1 400 "),
        ("Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nContent-Length: 5\r\n", b"HTTP/1.1 400 "),
        ("".join(f"x-{number}: 1\r\n" for number in range(200)), b"HTTP/1.1 400 "),
        ("x: " + "y" * 9000 + "\r\n", b"HTTP/1.1 400 "),
    ],
    ids=["no key", "bad key", "old version", "a body", "many headers", "a long header"],
)
def test_handshake_against_the_protocol_is_answered(realtime: Stack, lines: str, status: bytes) -> None:
    with plain(realtime) as raw:
        raw.sendall(handshake(realtime, lines))
        assert raw.recv(65536).startswith(status)
        assert ended(raw)


def test_bytes_behind_the_handshake_are_refused(realtime: Stack) -> None:
    with plain(realtime) as raw:
        raw.sendall(handshake(realtime, KEY) + frame(0x81, b"[]"))
        assert raw.recv(65536).startswith(b"HTTP/1.1 400 ")


KEY = "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n"


def handshake(stack: Stack, lines: str) -> bytes:
    return (
        f"GET /realtime/v1/websocket?apikey={stack.publishable_key} HTTP/1.1\r\nHost: localhost\r\n"
        f"Connection: Upgrade\r\nUpgrade: websocket\r\n{lines}\r\n"
    ).encode()


def plain(stack: Stack) -> socket.socket:
    parts = urlsplit(stack.api_url)
    return socket.create_connection((parts.hostname, parts.port), timeout=10)


def opened(stack: Stack) -> socket.socket:
    raw = plain(stack)
    raw.sendall(handshake(stack, KEY))
    response = b""
    while b"\r\n\r\n" not in response:
        response += raw.recv(4096)
    assert response.startswith(b"HTTP/1.1 101 ")
    return raw


def frame(first: int, data: bytes) -> bytes:
    """A short client's frame."""
    mask = os.urandom(4)
    return bytes([first, 0x80 | len(data)]) + mask + bytes(byte ^ mask[i % 4] for i, byte in enumerate(data))


def close_code(raw: socket.socket) -> int:
    """The code of the closing frame, which is all that comes."""
    data = b""
    while part := raw.recv(4096):
        data += part
    assert data[0] == 0x88
    return int(struct.unpack("!H", data[2:4])[0])


def ended(raw: socket.socket) -> bool:
    while raw.recv(4096):
        continue
    return True
