"""Requests, durations and bytes in Prometheus's text format, for `/metrics`.

Counted by service, and for those of functions by slug as well. With several processes each writes its counts to a file
beside the others'; the one that serves the request adds them up. What another has counted within the last moment may be
missing.
"""

from __future__ import annotations

import asyncio
import json
import logging
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterator, Mapping
from itertools import accumulate
from pathlib import Path
from typing import Any

_log = logging.getLogger("localbase.metrics")
_SERVICES = ("rest", "auth", "storage", "functions", "realtime")
_MOMENT_SECONDS = 0.1
# Upper bounds in seconds: from an index look-up to the longest function.
_BOUNDS = (0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0, 60.0, 120.0)


def service_of(path: str) -> str:
    """The service that a path counts for."""
    first = path.split("/", 2)[1] if "/" in path else ""
    return first if first in _SERVICES else "other"


class _Counts:
    """The requests of one service or function."""

    __slots__ = ("buckets", "received", "seconds", "sent", "statuses")

    def __init__(self) -> None:
        self.statuses: dict[int, int] = defaultdict(int)
        self.buckets = [0] * (len(_BOUNDS) + 1)
        self.seconds = 0.0
        self.received = 0
        self.sent = 0

    def count(self, status: int, seconds: float, received: int, sent: int) -> None:
        self.statuses[status] += 1
        self.buckets[bisect_left(_BOUNDS, seconds)] += 1
        self.seconds += seconds
        self.received += received
        self.sent += sent

    def shared(self) -> dict[str, Any]:
        return {name: getattr(self, name) for name in self.__slots__}

    def add(self, other: Mapping[str, Any]) -> None:
        for status, count in other["statuses"].items():
            self.statuses[int(status)] += count
        self.buckets = [ours + theirs for ours, theirs in zip(self.buckets, other["buckets"], strict=True)]
        self.seconds += other["seconds"]
        self.received += other["received"]
        self.sent += other["sent"]


class Metrics:
    """The counts of this process. `shared` is its file in a folder of nothing else."""

    def __init__(self, shared: Path | None = None) -> None:
        self._services: dict[str, _Counts] = defaultdict(_Counts)
        self._functions: dict[str, _Counts] = defaultdict(_Counts)
        self._sockets: dict[str, int] = defaultdict(int)
        self._shared = shared
        self._to_be_shared = False
        if shared is not None and shared.exists():
            # Of a process that this one replaces: its requests were counted, its sockets are closed.
            self._add({**json.loads(shared.read_text()), "sockets": {}})

    def count(self, service: str, status: int, seconds: float, received: int = 0, sent: int = 0) -> None:
        """Counts one finished request with the sizes of both bodies."""
        self._services[service].count(status, seconds, received, sent)
        if self._shared is not None:
            self._plan_share()

    def count_function(self, slug: str, status: int, seconds: float, received: int, sent: int) -> None:
        """Counts a function's request by its slug, beside `count`."""
        self._functions[slug].count(status, seconds, received, sent)
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
            partial = self._shared.with_suffix(".partial")
            partial.write_text(json.dumps(self._counted()))
            partial.replace(self._shared)

    def _counted(self) -> dict[str, Any]:
        return {
            "services": {name: counts.shared() for name, counts in self._services.items()},
            "functions": {name: counts.shared() for name, counts in self._functions.items()},
            "sockets": self._sockets,
        }

    def _add(self, counted: Mapping[str, Any]) -> None:
        for name, counts in counted["services"].items():
            self._services[name].add(counts)
        for name, counts in counted["functions"].items():
            self._functions[name].add(counts)
        for name, count in counted["sockets"].items():
            self._sockets[name] += count

    def text(self) -> bytes:
        """The exposition."""
        if self._to_be_shared:
            # The next scrape may reach another process: a counter must not go back.
            try:
                self._share()
            except OSError as error:
                _log.warning("counts of requests could not be shared with the other processes: %s", error)
        whole = Metrics()
        whole._add(self._counted())
        for path in self._shared.parent.glob("*.json") if self._shared else ():
            if path != self._shared:
                whole._add(json.loads(path.read_text()))
        lines = [
            *_families("localbase", "service", whole._services),
            *_families("localbase_function", "function", whole._functions),
            "# HELP localbase_sockets WebSockets that are open.",
            "# TYPE localbase_sockets gauge",
        ]
        sockets = sorted(whole._sockets.items())
        lines += [f'localbase_sockets{{service="{name}"}} {count}' for name, count in sockets]
        return ("\n".join(lines) + "\n").encode()


def _families(prefix: str, label: str, all_counts: Mapping[str, _Counts]) -> Iterator[str]:
    """Requests, durations and the bytes of bodies. Names are slugs and our own: nothing in them to escape."""
    counts = sorted(all_counts.items())
    yield f"# HELP {prefix}_requests_total Requests that have been answered."
    yield f"# TYPE {prefix}_requests_total counter"
    for name, each in counts:
        for status, count in sorted(each.statuses.items()):
            yield f'{prefix}_requests_total{{{label}="{name}",status="{status}"}} {count}'
    yield f"# HELP {prefix}_request_seconds From a request's head to the end of its response."
    yield f"# TYPE {prefix}_request_seconds histogram"
    for name, each in counts:
        sums = list(accumulate(each.buckets))
        for bound, count in zip((*_BOUNDS, "+Inf"), sums, strict=True):
            yield f'{prefix}_request_seconds_bucket{{{label}="{name}",le="{bound}"}} {count}'
        yield f'{prefix}_request_seconds_sum{{{label}="{name}"}} {each.seconds:.6f}'
        yield f'{prefix}_request_seconds_count{{{label}="{name}"}} {sums[-1]}'
    for family, attribute in (("request", "received"), ("response", "sent")):
        yield f"# HELP {prefix}_{family}_body_bytes_total Bytes of {family} bodies, as they were on the wire."
        yield f"# TYPE {prefix}_{family}_body_bytes_total counter"
        for name, each in counts:
            yield f'{prefix}_{family}_body_bytes_total{{{label}="{name}"}} {getattr(each, attribute)}'
