"""The host's port: connections of the gateway, until each has said what it calls.

The gateway sends one line and waits, so whatever else comes, or comes slowly, is none of it.
"""

from __future__ import annotations

import contextlib
import errno
import logging
import selectors
import socket
from collections.abc import Callable

from localbase.core.logs import is_request_id
from localbase.core.web.identity import identity_header
from localbase.functions.protocol import LONGEST_CALL

_log = logging.getLogger("functions")
_LINE_SECONDS = 5.0
# Connections without a whole line. Of the gateway's, none stays so for long.
_MOST_UNREAD = 512
_HEALTHY = "HTTP/1.1 200 OK\r\ncontent-type: text/plain\r\n{}: {}\r\ncontent-length: 2\r\nconnection: close\r\n\r\nok"

# Takes a connection, the slug and the request's id.
OnCall = Callable[[socket.socket, str, str], None]


class CallListener:
    """Accepts on `listener` as `selector` reports it, and hands each call to `on_call`."""

    def __init__(
        self,
        listener: socket.socket,
        selector: selectors.BaseSelector,
        clock: Callable[[], float],
        on_call: OnCall,
    ) -> None:
        self._listener = listener
        self._selector = selector
        self._clock = clock
        self._on_call = on_call
        # What has come of each line, and when the connection came; oldest first.
        self._unread: dict[socket.socket, tuple[bytes, float]] = {}
        listener.setblocking(False)
        selector.register(listener, selectors.EVENT_READ, self._accept)

    def next_event(self) -> float | None:
        """Return when the next connection has said too little for too long."""
        return next((came + _LINE_SECONDS for _, came in self._unread.values()), None)

    def expire(self, now: float) -> None:
        """Closes those that are too slow."""
        for connection, (_, came) in list(self._unread.items()):
            if now - came > _LINE_SECONDS:
                self._forget(connection)
                connection.close()

    def close(self) -> None:
        """Closes the port and what has come by it."""
        # The supervisor holds the same socket, so the system would go on reporting it. A forked process's selector is
        # closed already.
        with contextlib.suppress(KeyError):
            self._selector.unregister(self._listener)
        self._listener.close()
        for connection in self._unread:
            connection.close()

    def _accept(self, _: object) -> None:
        try:
            connection, _address = self._listener.accept()
        except (BlockingIOError, ConnectionError):
            return
        except OSError as error:
            if error.errno not in (errno.EMFILE, errno.ENFILE):
                raise
            _log.error("no descriptors are left: %d connections wait for their first line", len(self._unread))
            self._drop_oldest()
            return
        connection.setblocking(False)
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self._unread[connection] = b"", self._clock()
        self._selector.register(connection, selectors.EVENT_READ, self._read_line)
        if len(self._unread) > _MOST_UNREAD:
            self._drop_oldest()

    def _drop_oldest(self) -> None:
        oldest = next(iter(self._unread), None)
        if oldest is not None:
            self._forget(oldest)
            oldest.close()

    def _read_line(self, connection: socket.socket) -> None:
        if connection not in self._unread:
            return  # dropped in the same turn
        try:
            received = connection.recv(LONGEST_CALL)
        except BlockingIOError:
            return
        except OSError:
            received = b""
        line, came = self._unread[connection]
        line += received
        if b"\n" in line:
            self._forget(connection)
            self._begin(connection, line)
        elif not received or len(line) > LONGEST_CALL:
            self._forget(connection)
            connection.close()
        else:
            self._unread[connection] = line, came

    def _forget(self, connection: socket.socket) -> None:
        del self._unread[connection]
        self._selector.unregister(connection)

    def _begin(self, connection: socket.socket, line: bytes) -> None:
        words = line.decode("latin-1").split()
        if words[:2] == ["GET", "/_health"]:
            with contextlib.suppress(OSError):
                connection.send(_HEALTHY.format(*identity_header()).encode())
        elif len(words) == 3 and words[0] == "CALL" and is_request_id(words[2]):
            # A process reads from it, and waits for what comes; the host writes only what fits.
            connection.setblocking(True)
            self._on_call(connection, words[1], words[2])
            return
        connection.close()
