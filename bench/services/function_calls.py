"""What a call of a function costs beside the function's own work, and of a Worker in workerd.

On a scratch stack, with functions that do nothing: each one's first call, calls one after the other, and fifty clients
at once. workerd's cold call is its start, for it has no host that waits.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path
from statistics import median

import httpx
from localbase.cli.terminal import Progress

from bench.figures import Figure
from bench.load import HttpRequest, measure
from bench.scratch import scratch_stack
from bench.servers import serving
from bench.tools import npm_tool

_COLD, _SECONDS = 7, 3
_AT_ONCE = 50
_FUNCTION = """
import functions_framework

@functions_framework.http
def {slug}(request):
    return {{"message": "hello"}}
"""
_WORKER = 'export default { async fetch() { return Response.json({ message: "hello" }); } };'
_WORKERD = """
using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [(name = "main", worker = .main)],
  sockets = [(name = "http", address = "127.0.0.1:PORT", http = (), service = "main")],
);
const main :Workerd.Worker = (
  modules = [(name = "worker", esModule = embed "worker.js")],
  compatibilityDate = "2026-01-01",
);
"""


def call_figures() -> Iterator[Figure]:
    """Milliseconds of calls."""
    slugs = [f"cold{number}" for number in range(_COLD)]
    config = "".join(f"[functions.{slug}]\nverify_jwt = false\n" for slug in slugs)
    functions = {slug: _FUNCTION.format(slug=slug) for slug in slugs}
    with (
        scratch_stack("calls", config=config, functions=functions) as project,
        Progress().step("calls of functions"),
    ):
        cold = [_first_call(f"{project.settings.api_url}/functions/v1/{slug}") for slug in slugs]
        yield Figure("a function's cold call", median(cold), 150, "ms")
        yield from _warm("a function", project.settings.api.port, f"/functions/v1/{slugs[0]}", 3, 100)
    home = npm_tool("workerd", "workerd@1.20261117.1")
    if home is None:
        return

    def command(folder: Path, port: int) -> list[str]:
        (folder / "worker.js").write_text(_WORKER)
        (folder / "workerd.capnp").write_text(_WORKERD.replace("PORT", str(port)))
        return [str(home / "node_modules" / ".bin" / "workerd"), "serve", str(folder / "workerd.capnp")]

    with serving(command, _answers) as server, Progress().step("calls of workerd"):
        yield Figure("workerd: start and first call", server.start_ms, None, "ms")
        yield from _warm("workerd", server.port, "/", None, None)


def _warm(name: str, port: int, path: str, most_ms: float | None, success: float | None) -> Iterator[Figure]:
    request = [HttpRequest(path)]
    one = measure(port, request, connections=1, seconds=_SECONDS)
    many = measure(port, request, connections=_AT_ONCE, seconds=_SECONDS)
    yield Figure(f"{name}: a warm call, median", one.p50, most_ms, "ms")
    title = f"{name}: {_AT_ONCE} at once ({many.rps:.0f}/s, p99 {many.p99:.0f} ms), answered"
    answered = 100 * (1 - many.failures / (many.rps * _SECONDS))
    yield Figure(title, answered, success, "%", at_least=True)


def _first_call(url: str) -> float:
    began = time.perf_counter()
    httpx.get(url).raise_for_status()
    return (time.perf_counter() - began) * 1000


def _answers(port: int) -> bool:
    try:
        return httpx.get(f"http://127.0.0.1:{port}/").is_success
    except httpx.TransportError:
        return False
