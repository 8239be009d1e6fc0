"""`python -m localbase.cli.stack.preloaded FD MODULE …`: a process of localbase's own that is imported beforehand.

It imports MODULE and waits on the socket FD. The supervisor hands over what every process of the stack starts with, an
environment and listening sockets, and MODULE's `main` runs as if `python -m MODULE …` had been started then. When the
supervisor closes the socket, or ends, so does this process. As a stack starts it is a fork of the supervisor, which has
imported a part of what MODULE needs.
"""

from __future__ import annotations

import gc
import importlib
import json
import os
import socket
import sys
import tempfile
from collections.abc import Mapping, Sequence

# What the interpreter or the C library reads at the start of a process only.
_READ_AT_START = ("PYTHON", "MALLOC_", "GLIBC_", "LD_", "DYLD_", "OBJC_", "LC_", "LANG", "TZ")
_MOST_DESCRIPTORS = 32


def send_start(connection: socket.socket, environ: Mapping[str, str], descriptors: Mapping[str, int]) -> None:
    """Has the process at the other end begin. `descriptors` are of listening sockets, by the variables that name them.

    Raises `OSError` when the process has gone. The environment goes by a file: the supervisor waits for nothing.
    """
    with tempfile.TemporaryFile("w+b") as file:
        file.write(json.dumps({"environ": dict(environ), "variables": list(descriptors)}).encode())
        file.flush()
        socket.send_fds(connection, [b"\0"], [file.fileno(), *descriptors.values()])


def _received(connection: socket.socket) -> dict[str, str] | None:
    """The environment to run in, with the numbers of the sockets that came; None when none will come."""
    message, descriptors, _, _ = socket.recv_fds(connection, 1, _MOST_DESCRIPTORS)
    if not message:
        return None
    with os.fdopen(descriptors[0], "rb") as file:
        file.seek(0)
        start = json.load(file)
    numbers = dict(zip(start["variables"], map(str, descriptors[1:]), strict=True))
    return {**start["environ"], **numbers}


def main() -> None:
    """Imports, waits, runs."""
    run(socket.socket(fileno=int(sys.argv[1])), sys.argv[2], sys.argv[3:])


def run(connection: socket.socket, name: str, arguments: Sequence[str]) -> None:
    """Imports the module `name`, waits on `connection`, and runs it."""
    # What a module makes stays: looking for garbage would take a tenth of the time.
    gc.disable()
    module = importlib.import_module(name)
    gc.enable()
    environ = _received(connection)
    connection.close()
    if environ is None:
        return
    if read_at_start(environ) != read_at_start(os.environ):
        # The environment of now wants another interpreter than the one that has imported all this.
        for variable in environ:
            if variable.startswith("LOCALBASE_") and variable.endswith("_FD"):
                os.set_inheritable(int(environ[variable]), True)
        os.execve(sys.executable, [sys.executable, "-m", name, *arguments], environ)  # noqa: S606 - our own program
    os.environ.clear()
    os.environ.update(environ)
    sys.argv = [module.__file__ or name, *arguments]
    module.main()


def read_at_start(environ: Mapping[str, str]) -> dict[str, str]:
    """The variables that want an interpreter of their own where they differ."""
    # Python sets LC_CTYPE itself where no locale is chosen; whether output is buffered can be changed later.
    changeable = ("LC_CTYPE", "PYTHONUNBUFFERED")
    return {n: v for n, v in environ.items() if n.startswith(_READ_AT_START) and n not in changeable}


if __name__ == "__main__":
    main()
