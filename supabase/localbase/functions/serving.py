"""Inside a function's process: takes connections from the host, each request in a thread, and reports to the host.

Records are `READY` (microseconds of loading), `PROGRAM` (the process that runs the function's code, where that is not
this one), `THREAD` (of a request), `DONE` (with the status) and `MEMORY` (the function could not allocate).
"""

from __future__ import annotations

import contextlib
import socket
import struct
import threading
from collections.abc import Callable, Mapping
from typing import Any, BinaryIO

from localbase.functions.wsgi import ClientGone, ResponseWriter, read_head

RECORD = struct.Struct("!cQQ")
CALL = struct.Struct("!Q")
READY, PROGRAM, THREAD, DONE, MEMORY = b"r", b"p", b"t", b"d", b"m"
# The process's exit codes: the code cannot be loaded; sysexits.h calls it a configuration error.
CANNOT_LOAD = 78

# Answers a request by its head and body. The status; None if the process ends before it is answered.
Respond = Callable[[Mapping[str, Any], BinaryIO, ResponseWriter], int | None]


class Server:
    """Serves requests that come by `channel` with `respond`."""

    def __init__(self, channel: socket.socket, respond: Respond) -> None:
        self._channel = channel
        self._respond = respond
        self._sending = threading.Lock()

    def serve(self) -> None:
        """Takes connections until the host closes its side, and waits for the requests that run."""
        running: set[threading.Thread] = set()
        while True:
            data, descriptors, _, _ = socket.recv_fds(self._channel, CALL.size, 1)
            if len(data) < CALL.size or not descriptors:
                break
            (number,) = CALL.unpack(data)
            running = {thread for thread in running if thread.is_alive()}
            thread = threading.Thread(
                target=self._handle, args=(number, socket.socket(fileno=descriptors[0]))
            )
            running.add(thread)
            thread.start()
        for thread in running:
            thread.join()

    def send_record(self, kind: bytes, number: int, value: int) -> None:
        """A record to the host."""
        with self._sending:
            self._channel.sendall(RECORD.pack(kind, number, value))

    def _handle(self, number: int, connection: socket.socket) -> None:
        self.send_record(THREAD, number, threading.get_native_id())
        status: int | None = 0
        # The connection ends before the host hears that the request is done.
        with contextlib.closing(connection), connection.makefile("rb") as stream:
            try:
                head = read_head(stream)
                status = self._respond(
                    head, stream, ResponseWriter(connection, of_head=head["method"] == "HEAD")
                )
            except ClientGone:
                status = 499
        if status is not None:
            self.send_record(DONE, number, status)
