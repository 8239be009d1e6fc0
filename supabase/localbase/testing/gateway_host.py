"""`python -m localbase.testing.gateway_host`: forks one gateway after another, each in some milliseconds.

To import the gateway takes most of a second, so it is done once, and every test's gateway is a fork: a process of its
own, with no cache, limit or connection of the one before. Lines of JSON on stdin are requests, each is answered by one
on stdout. It ends, with what it has started, at the end of stdin.
"""

from __future__ import annotations

import argparse
import contextlib
import gc
import importlib
import json
import os
import select
import signal
import socket
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

from localbase.gateway import server
from localbase.gateway.services import MODULES

_READY_SECONDS = 60.0
_PROBE = b"GET /live HTTP/1.1\r\nhost: localhost\r\n\r\n"


class GatewayHost:
    """The gateway of now, and the functions' process, which goes on through all tests."""

    def __init__(self, workdir: Path, environ: Mapping[str, str], live_port: int) -> None:
        self._workdir = workdir
        self._environ = dict(environ)
        self._live_port = live_port
        self._child = 0
        self._functions: subprocess.Popen[bytes] | None = None

    def start(self) -> str:
        """Forks a gateway and waits until it serves; what went wrong, if anything did."""
        reading, writing = os.pipe()
        self._child = os.fork()
        if not self._child:
            os.close(reading)
            self._serve()
        os.close(writing)
        try:
            return self._wait(reading)
        finally:
            os.close(reading)

    def end(self, word: signal.Signals) -> None:
        """Ends the gateway. `SIGKILL` is for one whose data goes too."""
        if self._child:
            with contextlib.suppress(ProcessLookupError):
                os.kill(self._child, word)
            with contextlib.suppress(ChildProcessError):
                os.waitpid(self._child, 0)
            self._child = 0

    def start_functions(self, command: list[str], environ: Mapping[str, str], descriptors: list[int]) -> None:
        """Starts the functions' process, once."""
        self._functions = subprocess.Popen(
            command, env=dict(environ), stdin=subprocess.DEVNULL, stdout=2, pass_fds=descriptors
        )

    def close(self) -> None:
        """Ends everything."""
        self.end(signal.SIGKILL)
        if self._functions is not None:
            self._functions.terminate()
            self._functions.wait()

    def _serve(self) -> None:
        """In the forked process: serves, and does not return."""
        status = 1
        try:
            nothing = os.open(os.devnull, os.O_RDONLY)
            os.dup2(nothing, 0)
            # The responses of this host go to the tests; what a gateway writes is for the log.
            os.dup2(2, 1)
            os.environ.clear()
            os.environ.update(self._environ)
            server.run(self._workdir)
            status = 0
        finally:
            sys.stderr.flush()
            os._exit(status)

    def _wait(self, ended: int) -> str:
        with socket.create_connection(("127.0.0.1", self._live_port)) as probe:
            # The connection waits in the queue of the socket until the gateway accepts it.
            probe.sendall(_PROBE)
            ready, _, _ = select.select([probe.fileno(), ended], [], [], _READY_SECONDS)
            if probe.fileno() in ready and probe.recv(1):
                return ""
        self.end(signal.SIGKILL)
        return (
            "the gateway ended as it started"
            if ready
            else f"the gateway did not serve in {_READY_SECONDS:.0f} s"
        )


def main() -> None:
    """Answers requests until stdin ends."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--workdir", type=Path, required=True)
    workdir = parser.parse_args().workdir
    # What a gateway imports at a service's first request, each of these would.
    for module in MODULES:
        importlib.import_module(module)
    # Objects of here are never collected, so a forked process does not write to their pages.
    gc.collect()
    gc.freeze()
    # Ctrl-C is for pytest, which ends this process then.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    host: GatewayHost | None = None
    try:
        for line in sys.stdin:
            request = json.loads(line)
            error = ""
            match request["do"]:
                case "prepare":
                    host = GatewayHost(workdir, request["environ"], request["live_port"])
                case "functions" if host:
                    host.start_functions(request["command"], request["environ"], request["descriptors"])
                case "start" if host:
                    error = host.start()
                case "end" if host:
                    host.end(signal.SIGKILL if request["at_once"] else signal.SIGTERM)
            sys.stdout.write(json.dumps({"error": error}) + "\n")
            sys.stdout.flush()
    finally:
        if host is not None:
            host.close()


if __name__ == "__main__":
    main()
