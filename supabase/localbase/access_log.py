"""One line a request, written in bursts: under load a line of its own costs more than reading the request.

A lone request's line is written at once; those of the next moments wait for each other.
"""

from __future__ import annotations

import asyncio
import atexit
import logging
import time

_log = logging.getLogger("localbase.access")
_PAUSE_SECONDS = 0.05


class AccessLog:
    """Collects lines on the running loop and hands them to the logger `localbase.access`."""

    def __init__(self) -> None:
        self._lines: list[str] = []
        self._written = 0.0
        self._stamp = ""
        atexit.register(self.flush)

    def add(self, line: str) -> None:
        """Takes one line."""
        if self._lines:
            # The logger puts time and name before the first line of a burst only; the others repeat it.
            line = f"{self._stamp} INFO {_log.name} {line}"
        else:
            loop = asyncio.get_running_loop()
            now = loop.time()
            due = self._written + _PAUSE_SECONDS
            self._stamp = time.strftime("%Y-%m-%d %H:%M:%S,") + f"{int(time.time() * 1000) % 1000:03d}"
            if due <= now:
                loop.call_soon(self.flush)
            else:
                loop.call_at(due, self.flush)
        self._lines.append(line)

    def flush(self) -> None:
        """Writes what has been collected."""
        if self._lines:
            lines, self._lines = self._lines, []
            _log.info("%s", "\n".join(lines))
            self._written = time.monotonic()
