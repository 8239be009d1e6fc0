"""Commands for tests whose subject is not their start: forks of a process that has imported them.

`prepared_command` is an executable that behaves as `python -m PACKAGE`: whatever runs it (a test, make, a shell) sees
its output, exit code and signals. It hands its arguments, folder, environment and streams to this worker's host, which
forks, so that a command, the supervisor and the gateway import nothing. That is two thirds of what a start costs.
"""

from __future__ import annotations

import atexit
import contextlib
import functools
import gc
import importlib
import os
import pkgutil
import runpy
import selectors
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import traceback
from collections.abc import Callable
from io import TextIOWrapper
from pathlib import Path
from typing import Any, cast

ROOT = Path(__file__).resolve().parents[2]

_MOST_BYTES = 1 << 20
# A shell first: the interpreter's path may hold a space. To Python the second line is a text.
_LAUNCHER = """#!/bin/sh
"exec" "{python}" "-IS" "$0" "$@"
import os, signal, socket, sys
os.umask(mask := os.umask(0))
host = socket.socket(socket.AF_UNIX)
host.connect({address!r})
def forward(number, _):
    host.sendall(bytes([number]))
for number in {forwarded}:
    if signal.getsignal(number) is not signal.SIG_IGN:
        signal.signal(number, forward)
parts = [str(mask), os.getcwd(), str(len(sys.argv) - 1), *sys.argv[1:]]
parts += [text for pair in os.environ.items() for text in pair]
message = b"\\0".join(map(os.fsencode, parts))
socket.send_fds(host, [len(message).to_bytes(4, "big")], [0, 1, 2])
host.sendall(message)
code = int(host.recv(8) or 70)
if code < 0:
    if -code != signal.SIGKILL:
        signal.signal(-code, signal.SIG_DFL)
    os.kill(os.getpid(), -code)
os._exit(code)
"""
_FORWARDED = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


@functools.cache
def prepared_command(program: str, package: str) -> tuple[str, ...]:
    """The words that do as `python -m PACKAGE`, which calls itself `program`. Their host ends with this process."""
    if sys.platform != "linux":
        return (sys.executable, "-m", package)
    folder = Path(tempfile.mkdtemp())
    address, launcher = folder / "host", folder / Path(program).name
    launcher.write_text(
        _LAUNCHER.format(python=sys.executable, address=str(address), forwarded=tuple(map(int, _FORWARDED)))
    )
    launcher.chmod(0o755)
    host = subprocess.Popen(
        [sys.executable, "-m", "tests.support.command_host", str(address), program, package],
        cwd=ROOT,
        stdin=subprocess.PIPE,
        # Pipes all: a stream that can be sought would stay so over a command's pipe.
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        start_new_session=True,
    )
    assert host.stdout is not None
    assert host.stdout.readline() == b"\n"
    atexit.register(_end, host, folder)
    return (str(launcher),)


def _end(host: subprocess.Popen[bytes], folder: Path) -> None:
    host.communicate()
    shutil.rmtree(folder)


class _Host:
    def __init__(self, address: Path, run: Callable[[], object]) -> None:
        self._run = run
        self._listener = socket.socket(socket.AF_UNIX)
        self._listener.bind(str(address))
        self._listener.listen(64)
        self._selector = selectors.DefaultSelector()
        self._running: dict[int, socket.socket] = {}

    def serve(self) -> None:
        """Until its standard input ends, with the tests."""
        woken, wakes = socket.socketpair()
        woken.setblocking(False)
        wakes.setblocking(False)
        signal.set_wakeup_fd(wakes.fileno())
        signal.signal(signal.SIGCHLD, lambda *_: None)
        for source in (self._listener, woken, sys.stdin):
            self._selector.register(source, selectors.EVENT_READ)
        while True:
            for key, _ in self._selector.select():
                if key.fileobj is sys.stdin:
                    return
                if key.fileobj is self._listener:
                    self._begin(self._listener.accept()[0])
                elif key.fileobj is woken:
                    woken.recv(4096)
                    self._bury()
                elif key.data in self._running:
                    self._forward(key.data, key.fileobj)

    def _begin(self, client: socket.socket) -> None:
        head, streams, _, _ = socket.recv_fds(client, 4, 3)
        size, message = int.from_bytes(head, "big"), b""
        while len(message) < size and (part := client.recv(_MOST_BYTES)):
            message += part
        if head and len(message) == size:
            # A signal that arrives before the fork is the command is for the command alone.
            mask = signal.pthread_sigmask(signal.SIG_BLOCK, signal.valid_signals())
            pid = os.fork()
            if not pid:
                self._become(message, streams, mask)
            signal.pthread_sigmask(signal.SIG_SETMASK, mask)
            self._running[pid] = client
            self._selector.register(client, selectors.EVENT_READ, pid)
        for stream in streams:
            os.close(stream)

    def _bury(self) -> None:
        while self._running:
            pid, status = os.waitpid(-1, os.WNOHANG)
            if not pid:
                return
            self._close(self._running.pop(pid), os.waitstatus_to_exitcode(status))

    def _forward(self, pid: int, client: Any) -> None:
        number = client.recv(1)
        # The launcher was killed: so is the command.
        os.kill(pid, number[0] if number else signal.SIGKILL)
        if not number:
            self._selector.unregister(client)

    def _close(self, client: socket.socket, code: int) -> None:
        with contextlib.suppress(KeyError):
            self._selector.unregister(client)
        with client, contextlib.suppress(BrokenPipeError):
            client.sendall(str(code).encode())

    def _become(self, message: bytes, streams: list[int], mask: set[int]) -> None:
        code = 70
        try:
            signal.set_wakeup_fd(-1)
            for word in (signal.SIGCHLD, *_FORWARDED):
                signal.signal(word, signal.SIG_DFL)
            signal.signal(signal.SIGINT, signal.default_int_handler)
            signal.pthread_sigmask(signal.SIG_SETMASK, mask)
            os.setsid()
            for number, stream in enumerate(streams):
                os.dup2(stream, number)
            os.closerange(3, os.sysconf("SC_OPEN_MAX"))
            umask, folder, count, *texts = map(os.fsdecode, message.split(b"\0"))
            os.umask(int(umask))
            os.chdir(folder)
            arguments, variables = texts[: int(count)], texts[int(count) :]
            os.environ.clear()
            os.environ.update(zip(variables[::2], variables[1::2], strict=True))
            sys.argv[1:] = arguments
            cast(TextIOWrapper, sys.stdout).reconfigure(line_buffering=os.isatty(1))
            self._run()
            code = 0
        except SystemExit as end:
            code = end.code if isinstance(end.code, int) else int(end.code is not None)
        except BaseException:  # noqa: BLE001 - nothing above this is the fork's own
            traceback.print_exc()
        finally:
            # Whoever reads it may have gone; the fork must not go on as a host.
            for written in (sys.stdout, sys.stderr):
                with contextlib.suppress(OSError):
                    written.flush()
            os._exit(code)


def main() -> None:
    """Imports everything of the package and serves at the address that is the first argument."""
    address, program, package = sys.argv[1:]
    for module in pkgutil.walk_packages(importlib.import_module(package).__path__, f"{package}."):
        if not module.name.endswith("__main__") and ".testing" not in module.name:
            importlib.import_module(module.name)
    gc.collect()
    gc.freeze()
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    sys.argv[:] = [program]
    host = _Host(Path(address), functools.partial(runpy.run_module, package, run_name="__main__"))
    sys.stdout.write("\n")
    sys.stdout.flush()
    host.serve()


if __name__ == "__main__":
    main()
