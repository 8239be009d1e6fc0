"""Sockets that are watched while libpq closes them and others get their numbers."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Callable, Coroutine
from typing import Any

import pytest
import uvloop
from localbase.postgres.descriptors import Watched, ready


async def wait_on_the_number_of_a_lost_socket() -> None:
    lost, server = socket.socketpair()
    watched = Watched(lost.fileno())
    watched.on_readable(lambda: None)
    number = lost.fileno()
    lost.close()
    other, peer = socket.socketpair()
    assert other.fileno() == number
    waiting = asyncio.create_task(ready(number, writing=False))
    await asyncio.sleep(0)
    watched.close()
    peer.send(b"an answer")
    async with asyncio.timeout(20):
        await waiting
    for each in (server, other, peer):
        each.close()


@pytest.mark.parametrize("run", [asyncio.run, uvloop.run])
def test_lost_socket_takes_no_other_out_of_the_loop(
    run: Callable[[Coroutine[Any, Any, None]], None],
) -> None:
    run(wait_on_the_number_of_a_lost_socket())


async def close_twice() -> list[str]:
    near, far = socket.socketpair()
    watched = Watched(near.fileno())
    seen: list[str] = []
    watched.on_readable(lambda: seen.append("readable"))
    watched.on_writable(lambda: seen.append("writable"))
    watched.close()
    watched.close()
    watched.ignore_readable()
    watched.ignore_writable()
    far.send(b"x")
    await asyncio.sleep(0)
    await asyncio.sleep(0)
    # The connection's own descriptor is open still.
    assert near.recv(1) == b"x"
    near.close()
    far.close()
    return seen


def test_closed_watch_calls_nothing_and_leaves_the_socket() -> None:
    assert uvloop.run(close_twice()) == []
