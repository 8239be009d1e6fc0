"""A function's process as its host sees it, with a socket in the process's place."""

from __future__ import annotations

import os
import socket

from localbase.functions.process import Call, FunctionProcess
from localbase.functions.protocol import GO, frame
from localbase.functions.serving import CALL, READY, RECORD, THREAD


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


def test_call_that_a_killed_process_has_not_begun_goes_to_the_next_with_all_that_was_sent() -> None:
    connection, gateway = socket.socketpair()
    call = Call(connection, "request", 0.0)
    begun = Call(socket.socketpair()[0], "begun", 0.0)
    killed, channel_of_killed = process()
    assert killed.dispatch(begun, 1.0)
    assert killed.dispatch(call, 1.0)
    channel_of_killed.sendall(RECORD.pack(READY, 0, 5) + RECORD.pack(THREAD, 1, 77))
    gateway.sendall(b"the head")
    # its own copy of the connection goes with it
    channel_of_killed.close()
    killed.take_records(1.5)
    assert killed.give_back() == [call]
    assert list(killed.calls.values()) == [begun]
    living, channel = process()
    assert living.dispatch(call, 2.0)
    _, descriptors, _, _ = socket.recv_fds(channel, CALL.size, 1)
    with socket.socket(fileno=descriptors[0]) as handed:
        assert handed.recv(100) == b"the head"
    assert gateway.recv(100) == frame(GO)
    # a second process that ends so says that something is wrong with the function
    assert living.give_back() == []
    for each in (killed, living):
        each.close()
    for opened in (connection, begun.connection, gateway, channel):
        opened.close()
