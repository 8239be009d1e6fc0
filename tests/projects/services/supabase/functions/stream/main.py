"""Answers that are made while they are sent. Requests meet in this process: one releases what another waits for."""

import gzip
import os
import signal
import threading
from collections import defaultdict
from collections.abc import Iterator

import flask
import functions_framework

_GATES: dict[str, threading.Event] = defaultdict(threading.Event)
_CLOSED: dict[str, threading.Event] = defaultdict(threading.Event)
_PRODUCED: dict[str, int] = defaultdict(int)


def gated(name: str) -> Iterator[bytes]:
    yield b"first\n"
    _GATES[name].wait(4)
    yield b"second\n"


def endless(name: str) -> Iterator[bytes]:
    try:
        while True:
            _PRODUCED[name] += 1
            yield b"." * 1000
            # Sends on now and then, as an application does that has news now and then.
            _GATES[name].wait(0.01)
    finally:
        _CLOSED[name].set()


def flood(name: str) -> Iterator[bytes]:
    while not _CLOSED[name].is_set():
        _PRODUCED[name] += 65536
        yield b"x" * 65536


def ending(name: str) -> Iterator[bytes]:
    yield b"first\n"
    if name == "exit":
        os._exit(3)
    raise ValueError("on purpose")


def whole(name: str) -> Iterator[bytes]:
    yield b"whole"
    _GATES[name].wait(4)
    os.kill(os.getpid(), signal.SIGKILL)


def events() -> Iterator[str]:
    for number in range(3):
        yield f"id: {number}\nevent: news\ndata: {number * number}\n\n"


@functions_framework.http
def stream(request: flask.Request) -> flask.typing.ResponseReturnValue:
    name = request.args.get("name", "")
    match request.args["do"]:
        case "gated":
            return flask.Response(gated(name), content_type="text/plain")
        case "release":
            _GATES[name].set()
        case "endless":
            return flask.Response(endless(name), content_type="text/plain")
        case "flood":
            return flask.Response(flood(name), content_type="application/octet-stream")
        case "stop":
            _CLOSED[name].set()
        case "closed":
            return {"closed": _CLOSED[name].wait(10), "produced": _PRODUCED[name]}
        case "produced":
            return {"produced": _PRODUCED[name]}
        case "ending":
            return flask.Response(ending(name), content_type="text/plain")
        case "whole":
            return flask.Response(whole(name), headers={"content-length": "5"})
        case "short":
            return flask.Response([b"four"], headers={"content-length": "10"})
        case "long":
            return flask.Response([b"more than four"], headers={"content-length": "4"})
        case "twice":
            return flask.Response([b"four"], headers=[("content-length", "4"), ("content-length", "5")])
        case "large":
            return flask.Response((bytes([n]) * 1_000_000 for n in range(40)), content_type="application/x")
        case "gzip":
            return flask.Response(gzip.compress(b"packed " * 100), headers={"content-encoding": "gzip"})
        case "events":
            return flask.Response(events(), content_type="text/event-stream")
        case "relay":
            return "", int(name or 200), {"x-relay-error": "true", "connection": "x-hop", "x-hop": "1"}
        case "status":
            return "body", int(name)
    return {"name": name}
