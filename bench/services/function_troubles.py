"""A function in trouble beside others, and the libraries that a function loads.

On a scratch stack two clients call a small function all the time, in rounds: alone, and beside another function that
loops, allocates or exits. The figure is the ratio of the rounds' p95. Before that comes the processor time that a cold
start spends on the libraries that talk to Supabase and to Replicate.
"""

from __future__ import annotations

import statistics
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager

import httpx
from localbase.cli.terminal import Progress
from localbase.core.project import Project

from bench.figures import Figure
from bench.scratch import scratch_stack

_CONFIG = """
[edge_runtime]
cpu_limit = "4s"
"""
_SLUGS = ("small", "loop", "allocate", "exit")
_SETTINGS = "".join(f"[functions.{slug}]\nverify_jwt = false\n" for slug in _SLUGS)
_FUNCTION = """
import os
import functions_framework

@functions_framework.http
def {slug}(request):
    {body}
    return {{"message": "hello"}}
"""
_BODIES = {
    "small": "pass",
    "loop": "exec('while True: pass')",
    "allocate": "blocks = []; exec('while True: blocks.append(bytes([1]) * 4_000_000)')",
    "exit": "os._exit(1)",
}
_ROUNDS, _ROUND_SECONDS = 3, 2.0
# In a process that has what every function has, a model among it. No bundle holds NumPy, which replicate imports where
# it is installed.
_IMPORT = """
import sys, time
sys.modules["numpy"] = None
import flask, functions_framework, httpx, pydantic
pydantic.create_model("Body")
began = time.process_time()
import {library}
print((time.process_time() - began) * 1000)
"""
_IMPORTS = 7


def trouble_figures() -> Iterator[Figure]:
    """Ratios of p95 beside and without a function in trouble, and milliseconds of imports."""
    progress = Progress()
    for library in ("supabase", "replicate"):
        yield Figure(f"processor time of importing {library}", _import_time(library), 200, "ms")
    functions = {slug: _FUNCTION.format(slug=slug, body=body) for slug, body in _BODIES.items()}
    with scratch_stack("functions", config=_CONFIG + _SETTINGS, functions=functions) as project:
        _round(project)
        alone: list[float] = []
        beside: dict[str, list[float]] = {trouble: [] for trouble in ("loop", "allocate", "exit")}
        for _ in range(_ROUNDS):
            alone.append(_round(project))
            for trouble, rounds in beside.items():
                with progress.step(f"beside a function in trouble: {trouble}"), _in_trouble(project, trouble):
                    rounds.append(_round(project))
        yield from [_compared(trouble, alone, rounds) for trouble, rounds in beside.items()]


def _import_time(library: str) -> float:
    """Milliseconds, the median of new processes."""
    command = [sys.executable, "-c", _IMPORT.format(library=library)]
    return statistics.median(float(subprocess.check_output(command)) for _ in range(_IMPORTS))


def _url(project: Project, slug: str) -> str:
    return f"{project.settings.api_url}/functions/v1/{slug}"


def _compared(trouble: str, alone: list[float], beside: list[float]) -> Figure:
    before, after = statistics.median(alone), statistics.median(beside)
    name = f"p95 of another function beside `{trouble}` ({before:.2f} ms → {after:.2f} ms)"
    return Figure(name, 100 * after / before, 120, "%")


def _round(project: Project) -> float:
    """p95 in milliseconds."""
    end = time.perf_counter() + _ROUND_SECONDS

    def visit(_: int) -> list[float]:
        times = []
        with httpx.Client() as client:
            while time.perf_counter() < end:
                began = time.perf_counter()
                client.get(_url(project, "small")).raise_for_status()
                times.append((time.perf_counter() - began) * 1000)
                # Visitors pause: without it the clients themselves would fill the processors.
                time.sleep(0.01)
        return times

    with ThreadPoolExecutor(2) as pool:
        times = [spent for part in pool.map(visit, range(2)) for spent in part]
    return statistics.quantiles(times, n=20)[18]


@contextmanager
def _in_trouble(project: Project, slug: str) -> Iterator[None]:
    """The function in trouble for as long as the block runs: it is called again whenever it has ended."""
    over = threading.Event()

    def call() -> None:
        while not over.is_set():
            # Until its process has ended: the next round is alone.
            httpx.get(_url(project, slug), timeout=60)
            over.wait(0.2)

    thread = threading.Thread(target=call)
    thread.start()
    # The first moment is the function's own: then it goes on with a low priority.
    time.sleep(1.5)
    yield
    over.set()
    thread.join()
