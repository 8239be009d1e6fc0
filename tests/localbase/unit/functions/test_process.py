"""A function's process as its host sees it, with a socket in the process's place."""

from __future__ import annotations

import os
import socket

from localbase.functions.process import Call, FunctionProcess
from localbase.functions.protocol import GO, frame
from localbase.functions.serving import CALL


def process() -> tuple[FunctionProcess, socket.socket]:
    """A process, and its end of the channel."""
    ours, theirs = socket.socketpair()
    reading, writing = os.pipe()
    os.close(writing)
    return FunctionProcess(0, ours, reading, 0.0), theirs


def test_call_that_a_dead_process_refused_hears_go_once() -> None:
    connection, gateway = socket.socketpair()
    call = Call(connection, "request", 0.0)
    dead, channel_of_dead = process()
    channel_of_dead.close()
    living, channel = process()
    assert not dead.dispatch(call, 1.0)
    assert living.dispatch(call, 2.0)
    data, descriptors, _, _ = socket.recv_fds(channel, CALL.size, 1)
    assert CALL.unpack(data) == (1,)
    with socket.socket(fileno=descriptors[0]) as handed:
        handed.sendall(b"the function's")
    # the gateway takes a second word to go for the function's head
    expected = frame(GO) + b"the function's"
    assert gateway.recv(len(expected) * 2) == expected
    assert (dead.calls, living.calls) == ({}, {1: call})
    for each in (dead, living):
        each.close()
    for opened in (connection, gateway, channel):
        opened.close()
