"""Request counts and durations in Prometheus's text format, for `/metrics`.

With several processes each writes its counts to a file beside the others'; the one that serves the request adds them
up. What another has counted within the last moment may be missing.
"""

from __future__ import annotations

import asyncio
import json
from collections import defaultdict
from pathlib import Path

_SERVICES = ("rest", "auth", "storage", "functions", "realtime")
_MOMENT_SECONDS = 0.1


def service_of(path: str) -> str:
    """The service that a path counts for."""
    first = path.split("/", 2)[1] if "/" in path else ""
    return first if first in _SERVICES else "other"


class Metrics:
    """Counters by service and status. `shared` is this process's file in a folder of nothing else."""

    def __init__(self, shared: Path | None = None) -> None:
        self._requests: dict[tuple[str, int], int] = defaultdict(int)
        self._seconds: dict[str, float] = defaultdict(float)
        self._sockets: dict[str, int] = defaultdict(int)
        self._shared = shared
        self._to_be_shared = False

    def count(self, service: str, status: int, seconds: float) -> None:
        """Counts one finished request."""
        self._requests[service, status] += 1
        self._seconds[service] += seconds
        self._plan_share()

    def socket_opened(self, service: str) -> None:
        """A WebSocket has been opened."""
        self._sockets[service] += 1
        self._plan_share()

    def socket_closed(self, service: str) -> None:
        """A WebSocket has ended."""
        self._sockets[service] -= 1
        self._plan_share()

    def _plan_share(self) -> None:
        if self._shared is not None and not self._to_be_shared:
            self._to_be_shared = True
            asyncio.get_running_loop().call_later(_MOMENT_SECONDS, self._share)

    def _share(self) -> None:
        self._to_be_shared = False
        if self._shared is not None:
            counted = [[service, status, count] for (service, status), count in self._requests.items()]
            partial = self._shared.with_suffix(".partial")
            partial.write_text(
                json.dumps({"requests": counted, "seconds": self._seconds, "sockets": self._sockets})
            )
            partial.replace(self._shared)

    def text(self) -> bytes:
        """The exposition."""
        requests, seconds, sockets = self._requests.copy(), self._seconds.copy(), self._sockets.copy()
        for path in self._shared.parent.glob("*.json") if self._shared else ():
            if path != self._shared:
                other = json.loads(path.read_text())
                for service, status, count in other["requests"]:
                    requests[service, status] += count
                for service, spent in other["seconds"].items():
                    seconds[service] += spent
                for service, count in other["sockets"].items():
                    sockets[service] += count
        lines = ["# TYPE localbase_requests_total counter"]
        for (service, status), count in sorted(requests.items()):
            lines.append(f'localbase_requests_total{{service="{service}",status="{status}"}} {count}')
        lines.append("# TYPE localbase_request_seconds_total counter")
        for service, spent in sorted(seconds.items()):
            lines.append(f'localbase_request_seconds_total{{service="{service}"}} {spent:.6f}')
        lines.append("# TYPE localbase_sockets gauge")
        for service, count in sorted(sockets.items()):
            lines.append(f'localbase_sockets{{service="{service}"}} {count}')
        return ("\n".join(lines) + "\n").encode()
