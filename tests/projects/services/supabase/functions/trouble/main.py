"""Does all that a function can do to the others."""

import contextlib
import os
import signal
import socket
import subprocess
import sys
import threading
import time
from pathlib import Path

import flask
import functions_framework


def loop() -> None:
    while True:
        pass


def allocate() -> None:
    blocks = []
    while True:
        blocks.append(bytearray(b"x" * 4_000_000))


@functions_framework.http
def trouble(request: flask.Request) -> flask.typing.ResponseReturnValue:
    match request.args["do"]:
        case "loop":
            loop()
        case "spin":
            while time.thread_time() < 0.4:
                pass
        case "allocate":
            allocate()
        case "exit":
            os._exit(7)
        case "leave":
            sys.exit(7)
        case "raise":
            raise ValueError("on purpose")
        case "wait":
            time.sleep(60)
        case "hold":
            while not Path(request.args["until"]).exists():
                time.sleep(0.01)
        case "print":
            for number in range(int(request.args["lines"])):
                sys.stdout.write(f"{request.args['text']} {number}\n")
            sys.stdout.write("no end of line")
            sys.stdout.flush()
        case "behind":
            threading.Thread(target=loop, daemon=True).start()
        case "deaf":
            for path in Path("/proc/self/fd").iterdir():
                with contextlib.suppress(OSError), socket.socket(fileno=os.dup(int(path.name))) as connection:
                    connection.shutdown(socket.SHUT_WR)
            time.sleep(60)
        case "garbage":
            for descriptor in (int(path.name) for path in Path("/proc/self/fd").iterdir()):
                if descriptor > 2:
                    with contextlib.suppress(OSError):
                        os.write(descriptor, b"\xff" * 4096)
        case "stop":
            os.kill(os.getpid(), signal.SIGSTOP)
            time.sleep(60)
        case "program":
            child = subprocess.Popen(["sleep", "300"])
            return {"pid": child.pid, "own": os.getpid()}
        case "descriptors":
            return {"open": len(list(Path("/proc/self/fd").iterdir())), "pid": os.getpid()}
        case "environ":
            return {name: os.environ.get(name) for name in request.args.getlist("name")}
    return {"pid": os.getpid()}
