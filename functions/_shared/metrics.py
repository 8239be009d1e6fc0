"""Prometheus metrics of the functions' container: its requests, its calls of vendors, and the shop's jobs.

The container's server alone imports this. Several processes (WORKERS) share their counts through the files that
prometheus-client makes in PROMETHEUS_MULTIPROC_DIR (gunicorn.conf.py); the jobs are asked of the database with each
scrape, at most once in a few seconds.
"""

from __future__ import annotations

import hmac
import os
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest
from prometheus_client.core import GaugeMetricFamily, Metric
from prometheus_client.multiprocess import MultiProcessCollector
from prometheus_client.registry import Collector

from _shared.core.data import Data
from _shared.core.errors import ShopError
from _shared.core.logs import log_trouble
from _shared.core.outgoing import Call

_FIGURES_SECONDS = 5.0
# From a look-up to the longest function, which a shopper waits for.
_BUCKETS = (0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0, 60.0, 120.0, 300.0)


class FunctionMetrics:
    """Counts what the container does. `environ` says whether it has several processes."""

    def __init__(self, data: Callable[[], Data], environ: Mapping[str, str] = os.environ) -> None:
        self._shared = "PROMETHEUS_MULTIPROC_DIR" in environ
        self._registry = CollectorRegistry()
        registry = self._registry
        self._requests = Counter(
            "teesmith_function_requests",
            "Requests that a function has answered.",
            ("function", "status"),
            registry=registry,
        )
        self._seconds = Histogram(
            "teesmith_function_seconds",
            "How long a function took.",
            ("function",),
            buckets=_BUCKETS,
            registry=registry,
        )
        self._in_flight = Gauge(
            "teesmith_functions_in_flight",
            "Requests that functions are answering.",
            ("function",),
            multiprocess_mode="livesum",
            registry=registry,
        )
        self._calls = Counter(
            "teesmith_vendor_calls",
            "Calls of vendors and of Supabase.",
            ("vendor", "call", "outcome"),
            registry=registry,
        )
        self._call_seconds = Histogram(
            "teesmith_vendor_call_seconds",
            "How long a vendor or Supabase took.",
            ("vendor", "call"),
            buckets=_BUCKETS,
            registry=registry,
        )
        self._figures = JobFigures(data)

    @contextmanager
    def request(self, slug: str) -> Iterator[Callable[[int], None]]:
        """Times a function's request; the block gives its status to what it gets. One that raises counts as 500."""
        status = 500

        def record_status(code: int) -> None:
            nonlocal status
            status = code

        started = time.perf_counter()
        with self._in_flight.labels(slug).track_inprogress():
            try:
                yield record_status
            finally:
                self._seconds.labels(slug).observe(time.perf_counter() - started)
                self._requests.labels(slug, status).inc()

    def record_call(self, call: Call) -> None:
        """For `outgoing.on_call`."""
        self._calls.labels(call.vendor, call.name, call.outcome).inc()
        self._call_seconds.labels(call.vendor, call.name).observe(call.seconds)

    def exposition(self) -> bytes:
        """The text that Prometheus reads: of all processes, and of the jobs."""
        counted = self._registry
        if self._shared:
            counted = CollectorRegistry()
            MultiProcessCollector(counted)  # type: ignore[no-untyped-call]
        jobs = CollectorRegistry()
        jobs.register(self._figures)
        return generate_latest(counted) + generate_latest(jobs)


class JobFigures(Collector):
    """`get_job_figures` of the database as gauges; without an answer `teesmith_job_figures_up` alone, as 0."""

    def __init__(self, data: Callable[[], Data], clock: Callable[[], float] = time.monotonic) -> None:
        self._data = data
        self._clock = clock
        self._lock = threading.Lock()
        self._cached: tuple[float, list[Metric]] | None = None

    def collect(self) -> Iterator[Metric]:
        """One gauge of each name."""
        with self._lock:
            now = self._clock()
            if self._cached is None or now >= self._cached[0]:
                self._cached = now + _FIGURES_SECONDS, self._look()
            yield from self._cached[1]

    def _look(self) -> list[Metric]:
        up = GaugeMetricFamily("teesmith_job_figures_up", "Whether the database has said how the jobs are.")
        try:
            figures: Any = self._data().value("get_job_figures", {})
        except ShopError as problem:
            log_trouble("the jobs' figures are missing", problem.cause or problem)
            up.add_metric([], 0)
            return [up]
        up.add_metric([], 1)
        return [up, *_gauges(figures)]


def _gauges(figures: Mapping[str, Any]) -> Iterator[Metric]:
    for name, field, help_text in (
        ("teesmith_jobs_due", "due", "Work that is due and not done."),
        ("teesmith_jobs_oldest_due_seconds", "oldest_seconds", "How long the oldest of it has been due."),
        ("teesmith_jobs_gave_up", "gave_up", "Work that was given up, and waits for a person."),
    ):
        family = GaugeMetricFamily(name, help_text, labels=("queue", "kind"))
        for queue in figures["queues"]:
            family.add_metric((queue["queue"], queue["kind"]), float(queue[field]))
        yield family
    flags = GaugeMetricFamily("teesmith_flags_open", "Orders that need a person.", labels=("reason",))
    for reason, count in figures["open_flags"].items():
        flags.add_metric((reason,), float(count))
    yield flags
    if figures["last_sweep_seconds"] is not None:
        yield GaugeMetricFamily(
            "teesmith_last_sweep_age_seconds",
            "Since the last sweep has ended.",
            value=float(figures["last_sweep_seconds"]),
        )


def may_read(authorization: str, token: str) -> bool:
    """Tell whether a scrape brings the token. Compared in constant time; without a token there is nothing to read."""
    expected = f"Bearer {token}".encode()
    return bool(token) and hmac.compare_digest(authorization.encode(errors="surrogatepass"), expected)
