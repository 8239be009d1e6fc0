"""Servers that tests start themselves."""

from __future__ import annotations

import socket
import subprocess
import time


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def wait_until_open(process: subprocess.Popen[bytes], port: int) -> None:
    """Returns once the process listens; raises with its output when it ends instead."""
    deadline = time.monotonic() + 30
    while process.poll() is None and time.monotonic() < deadline:
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)) == 0:
                return
        time.sleep(0.05)
    process.kill()
    raise AssertionError(f"did not start:\n{process.communicate()[0].decode()}")
