"""One line a request, written in bursts: under load a line of its own costs more than reading the request.

A few lines are written at once; when more come within a moment, they wait for its end.
"""

from __future__ import annotations

import asyncio
import atexit
import logging
import time

_log = logging.getLogger("localbase.access")
_MOMENT_SECONDS, _FEW = 0.05, 10


class AccessLog:
    """Collects lines on the running loop and hands them to the logger `localbase.access`."""

    def __init__(self) -> None:
        self._lines: list[str] = []
        self._stamp = ""
        self._moment_ends = 0.0
        self._in_moment = 0
        atexit.register(self.flush)

    def add(self, line: str) -> None:
        """Takes one line."""
        self._in_moment += 1
        if self._lines:
            # The logger puts time and name before the first line of a burst only; the others repeat it.
            line = f"{self._stamp} INFO {_log.name} {line}"
        else:
            self._plan_flush()
        self._lines.append(line)

    def _plan_flush(self) -> None:
        loop = asyncio.get_running_loop()
        now = loop.time()
        if now >= self._moment_ends:
            self._moment_ends, self._in_moment = now + _MOMENT_SECONDS, 1
        if self._in_moment <= _FEW:
            loop.call_soon(self.flush)
        else:
            loop.call_at(self._moment_ends, self.flush)
        self._stamp = time.strftime("%Y-%m-%d %H:%M:%S,") + f"{int(time.time() * 1000) % 1000:03d}"

    def flush(self) -> None:
        """Writes what has been collected."""
        if self._lines:
            lines, self._lines = self._lines, []
            _log.info("%s", "\n".join(lines))
