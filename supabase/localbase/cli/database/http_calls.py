"""Requests that the project's files make by `http()` while a command applies them: no gateway is there to send them."""

from __future__ import annotations

import select
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Thread

from localbase.background.http_address import listening_socket, publish
from localbase.core.project import Project
from localbase.postgres.cluster import Cluster


@contextmanager
def http_answered(cluster: Cluster, project: Project) -> Iterator[None]:
    """Sends what the cluster's database asks for; a socket and a thread until it asks."""
    ending, ended = socket.socketpair()
    with listening_socket() as listening, ended:
        key = publish(cluster, listening)
        thread = Thread(target=_answer, args=(listening, ended, key, project.settings.api.port))
        thread.start()
        try:
            yield
        finally:
            ending.close()
            thread.join()


def _answer(listening: socket.socket, ended: socket.socket, key: str, api_port: int) -> None:
    ready, _, _ = select.select([listening, ended], [], [])
    if ended not in ready:
        # Most commands do without these imports.
        import asyncio

        from localbase.background.http_calls import answer_until

        asyncio.run(answer_until(ended, listening, key, api_port))
