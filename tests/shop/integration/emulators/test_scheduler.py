"""The emulators' process calls the shop's sweep where it is asked to, with the project's secret key."""

from __future__ import annotations

import json
import os
import queue
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import closing
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from emulators.scheduler import sweep_once
from tests.shop.integration.emulators.conftest import free_port
from tests.support.stacks import ROOT

Calls = queue.Queue[tuple[str, str | None, bytes]]


@pytest.fixture
def stack() -> Iterator[tuple[str, Calls]]:
    """Its address, and the calls that it gets: path, authorization, body."""
    calls: Calls = queue.Queue()

    class Gateway(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["content-length"]))
            self.send_response(200)
            self.send_header("content-length", "11")
            self.end_headers()
            self.wfile.write(b'{"jobs": 0}')
            calls.put((self.path, self.headers["authorization"], body))

        def log_message(self, *_: object) -> None:
            return

    server = ThreadingHTTPServer(("127.0.0.1", 0), Gateway)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    with closing(server.socket):
        yield f"http://127.0.0.1:{server.server_port}", calls
        server.shutdown()


def serve(data: Path, **variables: str) -> subprocess.Popen[str]:
    environ = {name: value for name, value in os.environ.items() if not name.startswith("SUPABASE_")}
    return subprocess.Popen(
        [sys.executable, "-m", "emulators", "serve", "--sweep"],
        cwd=ROOT,
        env={**environ, "LOCALBASE_DATA": str(data), "EMULATORS_PORT": str(free_port()), **variables},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def test_sweep_is_called_repeatedly_and_logged_once(tmp_path: Path, stack: tuple[str, Calls]) -> None:
    url, calls = stack
    with serve(
        tmp_path, SUPABASE_URL=url, SUPABASE_SECRET_KEY="sb_secret_x", SWEEP_SECONDS="0.05"
    ) as process:
        got = [calls.get(timeout=60) for _ in range(3)]
        process.terminate()
        output, _ = process.communicate(timeout=30)
    assert got == [("/functions/v1/sweep", "Bearer sb_secret_x", b"{}")] * 3
    # Before them it says where the vendors are.
    messages = [json.loads(line)["message"] for line in output.splitlines() if line.startswith("{")]
    assert messages.count('sweep: {"jobs": 0}') == 1


@pytest.mark.parametrize(
    "answer",
    [
        b'HTTP/1.1 200 OK\r\ncontent-length: 50\r\n\r\n{"jobs"',
        b"HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\nff\r\n{",
        b"HTTP/1.1 502 Bad Gateway\r\ntransfer-encoding: chunked\r\n\r\nff\r\n{",
        b"HTTP/1.1 502 Bad Gateway\r\ntransfer-encoding: chunked\r\n\r\nsoso\r\n",
        b"SSH-2.0-none\r\n",
        b"",
    ],
)
def test_answer_that_is_cut_off_is_a_line_like_others(answer: bytes) -> None:
    def serve() -> None:
        connection, _ = listening.accept()
        with connection:
            connection.recv(65536)
            connection.sendall(answer)

    with socket.create_server(("127.0.0.1", 0)) as listening:
        server = threading.Thread(target=serve)
        server.start()
        line = sweep_once(f"http://127.0.0.1:{listening.getsockname()[1]}", "sb_secret_x")
        server.join()
    assert line.startswith(("not there: ", "not understood: "))


@pytest.mark.parametrize("seconds", ["15s", "0", "-1", "nan", "1e300"])
def test_odd_pause_is_an_error_at_the_start(tmp_path: Path, seconds: str) -> None:
    with serve(
        tmp_path, SUPABASE_URL="http://127.0.0.1:9", SUPABASE_SECRET_KEY="x", SWEEP_SECONDS=seconds
    ) as process:
        _, error = process.communicate(timeout=30)
    assert (process.returncode, error) == (
        2,
        f"emulators: SWEEP_SECONDS is not a number of seconds: {seconds!r}\n",
    )


def test_sweep_without_a_stack_is_an_error_that_names_what_is_missing(tmp_path: Path) -> None:
    with serve(tmp_path, SUPABASE_URL="http://127.0.0.1:9") as process:
        _, error = process.communicate(timeout=30)
    assert (process.returncode, error) == (2, "emulators: set SUPABASE_SECRET_KEY\n")
