"""A stack of which the bytes lie on another one's S3, with a wire between them that can be cut."""

from __future__ import annotations

import contextlib
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from urllib.parse import urlsplit

from tests.localbase.integration.storage.s3.s3_client import SECRET_KEY
from tests.support.stacks import Stack, running_project


class Wire:
    """Passes connections on to the service at `address`, as long as it is not `cut`."""

    def __init__(self, address: str) -> None:
        parts = urlsplit(address)
        self._target = (str(parts.hostname), int(parts.port or 80))
        self._listening = socket.create_server(("127.0.0.1", 0))
        self._open: set[socket.socket] = set()
        # Connections end after so many bytes to the client; none as long as it is None.
        self.breaks_after: int | None = None
        self.is_cut = False
        threading.Thread(target=self._accept, daemon=True).start()

    @property
    def endpoint(self) -> str:
        """The S3 address on this side."""
        return f"http://127.0.0.1:{self._listening.getsockname()[1]}/storage/v1/s3"

    @contextmanager
    def cut(self) -> Iterator[None]:
        """Nothing passes within the block."""
        self.is_cut = True
        self.end_connections()
        try:
            yield
        finally:
            self.is_cut = False

    def end_connections(self) -> None:
        """Ends those there are."""
        for each in list(self._open):
            with contextlib.suppress(OSError):
                each.shutdown(socket.SHUT_RDWR)

    def close(self) -> None:
        """Ends it."""
        self.end_connections()
        self._listening.close()

    def _accept(self) -> None:
        while True:
            try:
                near, _ = self._listening.accept()
            except OSError:
                return
            if self.is_cut:
                near.close()
                continue
            far = socket.create_connection(self._target)
            self._open |= {near, far}
            left, self.breaks_after = self.breaks_after, None
            threading.Thread(target=self._pass_on, args=(near, far, None), daemon=True).start()
            threading.Thread(target=self._pass_on, args=(far, near, left), daemon=True).start()

    def _pass_on(self, source: socket.socket, target: socket.socket, left: int | None) -> None:
        with contextlib.suppress(OSError):
            while data := source.recv(65536):
                target.sendall(data if left is None else data[:left])
                left = None if left is None else left - len(data)
                if left is not None and left <= 0:
                    break
        for each in (source, target):
            self._open.discard(each)
            with contextlib.suppress(OSError):
                each.shutdown(socket.SHUT_RDWR)


@contextmanager
def project_on_s3() -> Iterator[tuple[Stack, Stack, Wire]]:
    """The project, the service, and the wire between them."""
    with running_project("bytes_service") as service:
        wire = Wire(service.api_url)
        environ = {"BYTES_ENDPOINT": wire.endpoint, "BYTES_SECRET": SECRET_KEY}
        try:
            with running_project("remote_bytes", environ) as project:
                yield project, service, wire
        finally:
            wire.close()
