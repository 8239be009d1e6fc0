"""Large bodies are read by a process of their own: decoding holds the interpreter, and every other request with it."""

from __future__ import annotations

import asyncio
import json
import sys
from collections.abc import Sequence
from typing import Any

from localbase.postgres.pool import PoolExhausted
from localbase.rest import errors
from localbase.rest.api_request.media_type import Media
from localbase.rest.api_request.payload import Payload, parse_payload

_SMALL, _ALWAYS_LARGE = 64 * 1024, 4 * 1024 * 1024
# A picture in JSON is one long text; what takes time is the number of values, each with a sign of its own, and of the
# escapes in a form.
_MARKS, _MOST_MARKS = (b",", b":", b"&", b"\n", b"%"), 20_000
_PROCESSES, _LONGEST_QUEUE, _SECONDS = 2, 16, 60
_COMMAND = (sys.executable, "-m", "localbase.rest.api_request.large_body_reader")


def is_large(body: bytes) -> bool:
    """Tell whether decoding would hold up other requests. Takes at most some milliseconds itself."""
    if len(body) <= _SMALL:
        return False
    return len(body) > _ALWAYS_LARGE or sum(body.count(mark) for mark in _MARKS) > _MOST_MARKS


class LargeBodies:
    """Reads large bodies, two at a time. `command` starts the process that reads one."""

    def __init__(self, command: Sequence[str] = _COMMAND) -> None:
        self._command = command
        self._turn = asyncio.Semaphore(_PROCESSES)
        self._waiting = 0

    async def read(
        self, body: bytes, content: Media, columns: tuple[str, ...] | None, *, for_function: bool
    ) -> Payload:
        """Return what `parse_payload` gives. Raises `RestError`, and `PoolExhausted` where too many wait already."""
        if not _is_decoded(content, columns):
            return parse_payload(body, content, columns, for_function=for_function)
        if self._waiting >= _LONGEST_QUEUE:
            raise PoolExhausted
        self._waiting += 1
        try:
            async with self._turn:
                question = {"content": content.name, "columns": columns, "for_function": for_function}
                output = await _read_apart(self._command, json.dumps(question).encode() + b"\n" + body)
                return _payload_of(output)
        finally:
            self._waiting -= 1


def _is_decoded(content: Media, columns: tuple[str, ...] | None) -> bool:
    """Tell whether the body's values are looked at: not those of text, bytes, or JSON with named columns."""
    if content.form == "json":
        return columns is None
    return content.form == "csv" or content.name == "application/x-www-form-urlencoded"


async def _read_apart(command: Sequence[str], request: bytes) -> bytes:
    """The process's whole output; empty if a limit has ended it. Raises `RuntimeError` if it failed otherwise."""
    process = await asyncio.create_subprocess_exec(
        *command,
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
    )
    try:
        async with asyncio.timeout(_SECONDS):
            output, log = await process.communicate(request)
    except TimeoutError:
        return b""
    finally:
        # A client that has gone, or the time that is over: the rest is not read.
        if process.returncode is None:
            process.kill()
            await process.wait()
    status = process.returncode or 0
    if status < 0:
        # SIGXCPU, or the system's own end of what takes too much memory.
        return b""
    if status:
        raise RuntimeError(f"a large body could not be read: {log.decode(errors='replace')[-2000:]}")
    return output


def _payload_of(output: bytes) -> Payload:
    head, _, raw = output.partition(b"\n")
    if not head:
        raise errors.body_too_large()
    outcome: dict[str, Any] = json.loads(head)
    if "status" in outcome:
        raise errors.RestError(outcome["status"], outcome["code"], outcome["message"])
    arguments = outcome["arguments"]
    return Payload(
        raw,
        tuple(outcome["columns"]),
        outcome["is_object"],
        None if arguments is None else tuple((name, value) for name, value in arguments),
    )
