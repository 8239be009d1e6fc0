"""One line a request, as JSON, written in bursts: under load a line of its own costs more than reading the request.

A few lines are written at once; when more come within a moment, they wait for its end. The lines are put together by
hand, because a JSON encoder would cost more than the rest of them.
"""

from __future__ import annotations

import asyncio
import atexit
import json
import logging
import time

from localbase.core.cache import cached_for_short_texts
from localbase.core.logs import ACCESS_LOG, utc_stamp

_log = logging.getLogger(ACCESS_LOG)
_MOMENT_SECONDS, _FEW = 0.05, 10


@cached_for_short_texts
def _title(title: str) -> str:
    """ "METHOD /path" as fields: clients come again and again for the same."""
    method, _, path = title.partition(" ")
    return f'"method":{json.dumps(method)},"path":{json.dumps(path)},"status":'


class AccessLog:
    """Collects requests on the running loop and hands them, as lines, to the logger `localbase.access`."""

    def __init__(self) -> None:
        self._requests: list[tuple[str, int, float, str, int, int]] = []
        self._began = 0.0
        self._moment_ends = 0.0
        self._in_moment = 0
        atexit.register(self.flush)

    def add(
        self, title: str, status: int, seconds: float, request_id: str, received: int = 0, sent: int = 0
    ) -> None:
        """A finished request: "METHOD /path" (without its query), and the sizes of both bodies.

        `request_id` holds nothing that JSON would have to escape (`is_request_id`).
        """
        self._in_moment += 1
        if not self._requests:
            self._plan_flush()
        self._requests.append((title, status, seconds * 1000, request_id, received, sent))

    def _plan_flush(self) -> None:
        loop = asyncio.get_running_loop()
        now = loop.time()
        if now >= self._moment_ends:
            self._moment_ends, self._in_moment = now + _MOMENT_SECONDS, 1
        if self._in_moment <= _FEW:
            loop.call_soon(self.flush)
        else:
            loop.call_at(self._moment_ends, self.flush)
        # The lines of a burst share its time.
        self._began = time.time()

    def flush(self) -> None:
        """Writes what has been collected."""
        if not self._requests:
            return
        requests, self._requests = self._requests, []
        head = f'{{"time":"{utc_stamp(self._began)}","severity":"INFO","service":"gateway",'
        lines = [
            f'{head}{_title(title)}{status},"ms":{ms:.1f},"bytes_in":{received},"bytes_out":{sent},'
            f'"request_id":"{request_id}"}}'
            for title, status, ms, request_id, received, sent in requests
        ]
        _log.info("%s", "\n".join(lines))
