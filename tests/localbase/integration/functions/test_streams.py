"""/functions/v1: bodies and responses while they come, and what either side sees when the other goes away."""

from __future__ import annotations

import asyncio
import gzip
import hashlib
import socket
import struct
import threading
from urllib.parse import urlsplit

import httpx
import pytest
from localbase.core.web.http import Interrupted, Response, StreamedResponse
from localbase.functions.limits import GatewayLimits
from localbase.functions.protocol import DATA, END, GO, HEAD, encode, frame
from localbase.functions.relay import CallHead, InvalidResponse, Rejected, Relay

from tests.support.stacks import Stack


def url(stack: Stack, query: str, slug: str = "stream") -> str:
    return f"{stack.api_url}/functions/v1/{slug}?{query}"


def test_response_is_sent_while_it_is_made(services: Stack) -> None:
    with httpx.stream("GET", url(services, "do=gated&name=made"), timeout=20) as response:
        parts = response.iter_bytes()
        assert next(parts) == b"first\n"
        # The function waits for this second request, which could not be answered before the first one's end otherwise.
        assert httpx.get(url(services, "do=release&name=made")).status_code == 200
        assert b"".join(parts) == b"second\n"
    assert response.headers["transfer-encoding"] == "chunked"
    assert response.headers["content-type"] == "text/plain"


def test_server_sent_events_arrive_as_they_are(services: Stack) -> None:
    with httpx.stream("GET", url(services, "do=events")) as response:
        assert response.headers["content-type"].startswith("text/event-stream")
        text = "".join(response.iter_text())
    assert text == "".join(f"id: {n}\nevent: news\ndata: {n * n}\n\n" for n in range(3))


def test_coded_response_is_passed_on_as_it_is(services: Stack) -> None:
    with httpx.stream("GET", url(services, "do=gzip")) as response:
        coded = b"".join(response.iter_raw())
    assert (response.headers["content-encoding"], gzip.decompress(coded)) == ("gzip", b"packed " * 100)


def test_client_of_http_1_0_gets_the_response_without_chunks(services: Stack) -> None:
    address = urlsplit(services.api_url)
    with socket.create_connection((str(address.hostname), address.port), timeout=10) as client:
        client.sendall(b"GET /functions/v1/stream?do=events HTTP/1.0\r\nhost: localhost\r\n\r\n")
        whole = b"".join(iter(lambda: client.recv(65536), b""))
    head, _, body = whole.partition(b"\r\n\r\n")
    assert b"\r\ncontent-length: 81\r\n" in head
    assert body.startswith(b"id: 0\nevent: news\n")
    assert body.endswith(b"data: 4\n\n")


def test_large_response_arrives_whole(services: Stack) -> None:
    response = httpx.get(url(services, "do=large"), timeout=60)
    assert response.content == b"".join(bytes([number]) * 1_000_000 for number in range(40))


def test_client_that_goes_away_ends_the_response(services: Stack) -> None:
    with httpx.stream("GET", url(services, "do=endless&name=left")) as response:
        next(response.iter_bytes())
    state = httpx.get(url(services, "do=closed&name=left"), timeout=20).json()
    assert state["closed"] is True


def test_reader_that_does_not_read_makes_the_function_wait(services: Stack) -> None:
    address = urlsplit(services.api_url)
    with socket.create_connection((str(address.hostname), address.port)) as client:
        client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 65536)
        client.sendall(b"GET /functions/v1/stream?do=flood&name=unread HTTP/1.1\r\nhost: localhost\r\n\r\n")
        assert client.recv(1) == b"H"
        produced, before = _produced(services, "unread"), -1
        while produced != before:
            before, produced = produced, _settled(services, "unread", produced)
        # What the system holds on its two ways: 4 MB each at most, by its own settings.
        assert produced < 12 * 1024 * 1024
    httpx.get(url(services, "do=stop&name=unread"))


def _produced(stack: Stack, name: str) -> int:
    return int(httpx.get(url(stack, f"do=produced&name={name}")).json()["produced"])


def _settled(stack: Stack, name: str, before: int) -> int:
    """Return what has been produced, after a hundred more requests of the same function."""
    produced = before
    for _ in range(100):
        produced = _produced(stack, name)
    return produced


@pytest.mark.parametrize("how", ["exit", "raise"])
def test_function_that_dies_in_its_response_cuts_the_client_off(services: Stack, how: str) -> None:
    with (
        pytest.raises(httpx.RemoteProtocolError, match="without sending complete message body"),
        httpx.stream("GET", url(services, f"do=ending&name={how}"), timeout=20) as response,
    ):
        assert response.status_code == 200
        response.read()
    assert httpx.get(url(services, "do=produced&name=again"), timeout=20).status_code == 200


def test_process_that_dies_behind_a_whole_response_loses_no_client_its_next_one(services: Stack) -> None:
    address = urlsplit(services.api_url)
    request = b"GET /functions/v1/stream?do=whole&name=behind HTTP/1.1\r\nhost: localhost\r\n\r\n"
    with socket.create_connection((str(address.hostname), address.port), timeout=30) as client:
        client.sendall(request)
        whole = b""
        while not whole.endswith(b"\r\n\r\nwhole"):
            received = client.recv(65536)
            assert received, whole
            whole += received
        assert whole.startswith(b"HTTP/1.1 200 OK\r\n")
        # The client has its response, so it sends its next request while the process has yet to end.
        client.sendall(b"GET /functions/v1/echo HTTP/1.1\r\nhost: localhost\r\n\r\n")
        httpx.get(url(services, "do=release&name=behind"), timeout=20)
        assert client.recv(65536).startswith(b"HTTP/1.1 201 ")
    assert httpx.get(url(services, "do=produced&name=again"), timeout=20).status_code == 200


@pytest.mark.parametrize("lie", ["short", "long"])
def test_response_of_another_length_than_announced_is_cut_off(services: Stack, lie: str) -> None:
    with pytest.raises(httpx.RemoteProtocolError):
        httpx.get(url(services, f"do={lie}"))


@pytest.mark.parametrize("query", ["do=status&name=101", "do=status&name=999", "do=twice"])
def test_response_that_http_cannot_carry_is_a_gateways_error(services: Stack, query: str) -> None:
    response = httpx.get(url(services, query))
    assert (response.status_code, response.headers["x-relay-error"]) == (502, "true")
    assert response.json() == {
        "code": "BAD_RESPONSE",
        "message": "The function's answer is no valid response",
    }


@pytest.mark.parametrize(("method", "status"), [("HEAD", 200), ("GET", 204), ("GET", 304), ("POST", 205)])
def test_response_without_a_body_has_none(services: Stack, method: str, status: int) -> None:
    with httpx.Client() as client:
        for _ in range(2):
            response = client.request(method, url(services, f"do=status&name={status}"))
            assert (response.status_code, response.content if status != 205 else b"") == (status, b"")


@pytest.mark.parametrize("status", [200, 404, 500])
def test_function_cannot_pass_for_the_gateway(services: Stack, status: int) -> None:
    response = httpx.get(url(services, f"do=relay&name={status}"))
    assert response.status_code == status
    assert not {"x-relay-error", "x-hop"} & set(response.headers)


@pytest.mark.parametrize("method", ["GET", "POST", "PUT", "PATCH", "DELETE"])
def test_every_method_carries_a_body(services: Stack, method: str) -> None:
    data = bytes(range(256)) * 20_000
    response = httpx.request(method, url(services, "", "bodies"), content=data, timeout=30)
    seen = response.json()
    assert (seen["method"], seen["size"]) == (method, len(data))
    assert seen["digest"] == hashlib.sha256(data).hexdigest()


def test_body_sent_in_chunks_arrives_whole(services: Stack) -> None:
    response = httpx.post(url(services, "", "bodies"), content=(b"part %d;" % n for n in range(1000)))
    assert (
        response.json()["digest"]
        == hashlib.sha256(b"".join(b"part %d;" % n for n in range(1000))).hexdigest()
    )


@pytest.mark.parametrize("chunked", [False, True])
def test_body_above_32_megabytes_is_rejected(services: Stack, chunked: bool) -> None:
    body = bytes(1024 * 1024)
    size = 33
    content = (body for _ in range(size)) if chunked else body * size
    response = httpx.post(url(services, "", "bodies"), content=content, timeout=30)
    assert (response.status_code, response.headers["x-relay-error"]) == (413, "true")
    assert response.json() == {"message": "The body exceeds 32 MiB"}


def test_body_of_a_rejected_caller_is_not_read(services: Stack) -> None:
    address = urlsplit(services.api_url)
    head = b"POST /functions/v1/neighbour HTTP/1.1\r\nhost: localhost\r\ncontent-length: 30000000\r\n\r\n"
    with socket.create_connection((str(address.hostname), address.port), timeout=10) as client:
        client.sendall(head)
        assert client.recv(65536).startswith(b"HTTP/1.1 401 ")


def test_options_without_cors_reaches_the_function_without_a_token(services: Stack) -> None:
    response = httpx.options(url(services, "", "neighbour"))
    assert response.status_code == 200
    assert response.json() == {"who": "neighbour"}


# Time limits, with a host that is slow on purpose.

HEAD_OF_CALL = CallHead("GET", "/slow", "", "", [], "127.0.0.1")


class SlowHost:
    """Answers a call with the frames given, and nothing more until it is closed."""

    def __init__(self, *frames: bytes, reset: bool = False) -> None:
        self._frames = b"".join(frames)
        self._reset = reset
        self._server = socket.create_server(("127.0.0.1", 0))
        self.port = int(self._server.getsockname()[1])
        self.ended = threading.Event()
        threading.Thread(target=self._serve, daemon=True).start()

    def _serve(self) -> None:
        connection, _ = self._server.accept()
        with connection:
            connection.recv(65536)
            connection.sendall(self._frames)
            if self._reset:
                connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
                return
            try:
                while connection.recv(65536):
                    continue
            except ConnectionResetError:
                pass
            self.ended.set()


_OK = frame(HEAD, encode({"status": 200, "headers": []}))
_FIVE = frame(HEAD, encode({"status": 200, "headers": [["content-length", "5"]]}))
_QUICK = GatewayLimits(first_byte_seconds=0.2, idle_seconds=0.2)


def call(host: SlowHost) -> StreamedResponse | Response | bytes:
    async def whole() -> bytes:
        response = await Relay(host.port, _QUICK).call("slow", "id", HEAD_OF_CALL, b"")
        try:
            return b"".join([part async for part in response.parts])
        finally:
            response.close()

    return asyncio.run(whole())


@pytest.mark.parametrize("frames", [(), (frame(GO),)])
def test_call_without_a_first_byte_times_out_and_is_ended(frames: tuple[bytes, ...]) -> None:
    host = SlowHost(*frames)
    with pytest.raises(TimeoutError):
        call(host)
    assert host.ended.wait(5)


def test_response_that_falls_silent_is_cut_off_and_ended() -> None:
    host = SlowHost(frame(GO), _OK, frame(DATA, b"first"))
    with pytest.raises(Interrupted):
        call(host)
    assert host.ended.wait(5)


@pytest.mark.parametrize(
    ("frames", "error"),
    [
        ((frame(DATA, b"x"),), InvalidResponse),
        ((b"\xff" * 16,), InvalidResponse),
        ((HEAD + b"\x7f\xff\xff\xff",), InvalidResponse),
        ((frame(HEAD, b"{"),), InvalidResponse),
        ((frame(HEAD, b"[]"),), InvalidResponse),
        ((frame(HEAD, b"[" * 100_000),), InvalidResponse),
        ((frame(HEAD, encode({"status": 200, "headers": [["a\r\nb", "c"]]})),), InvalidResponse),
        ((frame(HEAD, encode({"status": 200, "headers": [["a", "b\r\nc: d"]]})),), InvalidResponse),
        ((frame(HEAD, encode({"status": 200, "headers": [["a", "\u20ac"]]})),), InvalidResponse),
        ((frame(HEAD, encode({"status": 200, "headers": [["content-length", "-1"]]})),), InvalidResponse),
        ((_OK, frame(DATA, b"x"), b"\xff" * 16), Interrupted),
        ((_OK, DATA + b"\x7f\xff\xff\xff"), Interrupted),
        ((_OK, frame(END), b"behind the end"), None),
        # All that was announced has come, whatever comes behind it.
        ((_FIVE, frame(DATA, b"12345"), b"\xff" * 16), None),
        ((_FIVE, frame(DATA, b"12345"), frame(DATA, b"6")), None),
        ((_FIVE, frame(DATA, b"12345")), None),
        ((_FIVE, frame(DATA, b"123456")), Interrupted),
        ((_FIVE, frame(DATA, b"1234"), frame(END)), Interrupted),
    ],
)
def test_frames_of_a_hostile_process_end_its_own_response(
    frames: tuple[bytes, ...], error: type[Exception] | None
) -> None:
    host = SlowHost(frame(GO), *frames)
    if error is None:
        assert call(host) == (b"12345" if _FIVE in frames else b"")
        return
    with pytest.raises(error):
        call(host)


def test_connection_that_breaks_behind_a_whole_response_leaves_it_whole() -> None:
    assert call(SlowHost(frame(GO), _FIVE, frame(DATA, b"12345"), reset=True)) == b"12345"


@pytest.mark.parametrize(("frames", "error"), [((), Rejected), ((_OK,), Interrupted)])
def test_connection_that_breaks_is_reported(frames: tuple[bytes, ...], error: type[Exception]) -> None:
    host = SlowHost(frame(GO), *frames, reset=True)
    with pytest.raises(error):
        call(host)
