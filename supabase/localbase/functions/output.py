"""The output of functions as lines of the host's log: each under its function's name, none without an end."""

from __future__ import annotations

import json
import logging
import os
from pathlib import Path

_LONGEST_LINE = 8192
_READ_BYTES = 32 * 1024


class OutputLog:
    """The functions' output, at most so many bytes a second of each; beyond it a function waits until it is read."""

    def __init__(self, bytes_per_second: int) -> None:
        self._bytes_per_second = bytes_per_second
        self._partial: dict[int, bytes] = {}
        # For each descriptor the second that it is in, and what of it has been read.
        self._read: dict[int, tuple[float, int]] = {}
        self._paused: set[int] = set()

    def read(self, log: logging.Logger, descriptor: int, now: float) -> bool:
        """Logs what there is to read. False at the end of the output, or when the share of this second is used up."""
        try:
            received = os.read(descriptor, _READ_BYTES)
        except BlockingIOError:
            return True
        if not received:
            return False
        self._log_lines(log, descriptor, received)
        began, size = self._read.get(descriptor, (now, 0))
        if now - began >= 1.0:
            began, size = now, 0
        self._read[descriptor] = began, size + len(received)
        if size + len(received) < self._bytes_per_second:
            return True
        self._paused.add(descriptor)
        return False

    def may_go_on(self, descriptor: int, now: float) -> bool:
        """Tell whether an output that used up its share is to be read again."""
        if descriptor not in self._paused or now - self._read[descriptor][0] < 1.0:
            return False
        self._paused.discard(descriptor)
        return True

    def finish(self, log: logging.Logger, descriptor: int) -> None:
        """Logs the last lines of a process that has ended."""
        received = b""
        try:
            received = os.read(descriptor, _READ_BYTES)
        except OSError:
            received = b""  # a program that it has started still holds the pipe
        self._log_lines(log, descriptor, received)
        if rest := self._partial.pop(descriptor, b""):
            _log_line(log, rest)
        self._read.pop(descriptor, None)
        self._paused.discard(descriptor)

    def _log_lines(self, log: logging.Logger, descriptor: int, received: bytes) -> None:
        *lines, rest = (self._partial.pop(descriptor, b"") + received).split(b"\n")
        for line in lines:
            _log_line(log, line)
        while len(rest) > _LONGEST_LINE:
            _log_line(log, rest[:_LONGEST_LINE])
            rest = rest[_LONGEST_LINE:]
        self._partial[descriptor] = rest


def rotate(path: Path, largest: int) -> None:
    """Begins the log at `path`, this process's standard output, anew where it has grown too large; one old is left."""
    ours = os.fstat(1)
    if ours.st_size <= largest or not path.is_file() or path.stat().st_ino != ours.st_ino:
        return
    path.replace(path.with_suffix(".log.1"))
    fresh = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o644)
    for standard in (1, 2):
        os.dup2(fresh, standard)
    os.close(fresh)


def _log_line(log: logging.Logger, line: bytes) -> None:
    """A line as a record of its own. One that is JSON gives its level and its fields as well."""
    text = line[:_LONGEST_LINE].decode(errors="replace").rstrip("\r")
    fields = _fields(text) if text.startswith("{") else None
    if fields is None:
        log.info("%s", text, extra={"fields": {"output": True}})
        return
    level = logging.getLevelNamesMapping().get(str(fields.pop("severity", "")), logging.INFO)
    log.log(level, "%s", fields.pop("message"), extra={"fields": {**fields, "output": True}})


def _fields(text: str) -> dict[str, object] | None:
    """The fields of a JSON log line; None for any other text."""
    try:
        fields = json.loads(text)
    except (ValueError, RecursionError):
        return None
    return fields if isinstance(fields, dict) and isinstance(fields.get("message"), str) else None
