"""Peers that serve on a port of this machine: started in a folder of their own, awaited, and ended."""

from __future__ import annotations

import socket
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

_START_SECONDS = 60.0
_POLL_SECONDS = 0.002


@dataclass(frozen=True, slots=True)
class Server:
    """A peer that serves: its port on 127.0.0.1, its process, and how long its start took, in milliseconds."""

    port: int
    pid: int
    start_ms: float


@contextmanager
def serving(
    command: Callable[[Path, int], Sequence[str]], answers: Callable[[int], bool]
) -> Iterator[Server]:
    """The server that `command` starts, given its folder and a free port; `answers` tells whether it serves there."""
    with tempfile.TemporaryDirectory(prefix="localbase-bench-") as name:
        folder, port = Path(name), free_port()
        with (folder / "log").open("w") as log:
            began = time.perf_counter()
            line = command(folder, port)
            process = subprocess.Popen(line, cwd=folder, stdout=log, stderr=log)
            try:
                while not answers(port):
                    if process.poll() is not None or time.perf_counter() - began > _START_SECONDS:
                        raise SystemExit(f"{line[0]} does not serve:\n{(folder / 'log').read_text()[-2000:]}")
                    time.sleep(_POLL_SECONDS)
                yield Server(port, process.pid, (time.perf_counter() - began) * 1000)
            finally:
                process.terminate()
                process.wait()


def accepts(port: int) -> bool:
    """Tell whether something listens at the port."""
    try:
        socket.create_connection(("127.0.0.1", port), timeout=1).close()
    except OSError:
        return False
    return True


def free_port() -> int:
    """A port that nothing listens at now."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])
