"""Request counts and durations in Prometheus's text format, for `/metrics`."""

from __future__ import annotations

from collections import defaultdict

_SERVICES = ("rest", "auth", "storage", "functions", "realtime")


class Metrics:
    """Counters by service and status."""

    def __init__(self) -> None:
        self._requests: dict[tuple[str, int], int] = defaultdict(int)
        self._seconds: dict[str, float] = defaultdict(float)

    def count(self, path: str, status: int, seconds: float) -> None:
        """Counts one finished request."""
        first = path.split("/", 2)[1] if "/" in path else ""
        service = first if first in _SERVICES else "other"
        self._requests[service, status] += 1
        self._seconds[service] += seconds

    def text(self) -> bytes:
        """The exposition."""
        lines = ["# TYPE localbase_requests_total counter"]
        for (service, status), count in sorted(self._requests.items()):
            lines.append(f'localbase_requests_total{{service="{service}",status="{status}"}} {count}')
        lines.append("# TYPE localbase_request_seconds_total counter")
        for service, seconds in sorted(self._seconds.items()):
            lines.append(f'localbase_request_seconds_total{{service="{service}"}} {seconds:.6f}')
        return ("\n".join(lines) + "\n").encode()
