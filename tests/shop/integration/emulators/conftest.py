"""The emulators as a process of their own, on a free port, with a folder of their own."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import httpx
import pytest

from tests.support.stacks import ROOT


def free_port() -> int:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return int(listener.getsockname()[1])


class Served:
    """A running `python -m emulators serve` that can be stopped and started on the same folder."""

    def __init__(self, data: Path, port: int, speed: str) -> None:
        self.port = port
        self.url = f"http://127.0.0.1:{port}"
        names = ("STRIPE_", "PRINTIFY_", "REPLICATE_", "ZIPPOPOTAM_", "EMULATORS_")
        environ = {name: value for name, value in os.environ.items() if not name.startswith(names)}
        environ |= {"LOCALBASE_DATA": str(data), "EMULATORS_PORT": str(port), "EMULATORS_SPEED": speed}
        self._environ = environ
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-m", "emulators", "serve"],
            cwd=ROOT,
            env=self._environ,
            stdout=subprocess.DEVNULL,
        )
        deadline = time.monotonic() + 30
        while time.monotonic() < deadline:
            assert self._process.poll() is None, "the emulators ended"
            try:
                if httpx.get(f"{self.url}/health").status_code == 200:
                    return
            except httpx.TransportError:
                time.sleep(0.05)
        raise AssertionError("the emulators do not answer")

    def stop(self) -> None:
        if self._process is not None:
            self._process.terminate()
            self._process.wait(15)
            self._process = None


@pytest.fixture(scope="session")
def emulators(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """At a thousand times the vendors' pace, so that an order's hour passes in seconds."""
    served = Served(tmp_path_factory.mktemp("emulators"), free_port(), "1000")
    served.start()
    yield served
    served.stop()


@dataclass
class Listener:
    """A receiver of webhooks. It answers 500 as many times as `failures` says, then 200."""

    url: str = ""
    failures: int = 0
    received: list[tuple[dict[str, str], bytes]] = field(default_factory=list)
    arrived: threading.Condition = field(default_factory=threading.Condition)

    def wait_for(self, accepts: Callable[[dict[str, str], bytes], bool], seconds: float = 20) -> bytes:
        """The body of the first message that `accepts` takes."""
        with self.arrived:
            bodies: list[bytes] = []

            def has() -> bool:
                bodies[:] = [body for headers, body in self.received if accepts(headers, body)]
                return bool(bodies)

            assert self.arrived.wait_for(has, seconds), f"none of {len(self.received)} messages is the one"
            return bodies[0]


@pytest.fixture
def listener() -> Iterator[Listener]:
    listening = Listener()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["content-length"]))
            with listening.arrived:
                fails = listening.failures > 0
                listening.failures -= fails
                if not fails:
                    listening.received.append(
                        ({name.lower(): value for name, value in self.headers.items()}, body)
                    )
                    listening.arrived.notify_all()
            self.send_response(500 if fails else 200)
            self.end_headers()

        def log_message(self, *_: object) -> None:
            return

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    listening.url = f"http://127.0.0.1:{server.server_port}/hook"
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield listening
    server.shutdown()
    server.server_close()
    thread.join()
