"""All functions behind one address: `/<slug>`, `/healthz` (the process lives), `/readyz` (it can serve) and `/metrics`
(for METRICS_TOKEN).

Served by gunicorn (gunicorn.conf.py), on Cloud Run and behind self-hosted Supabase's gateway alike. The names in the
environment are those of upstream's functions container. VERIFY_JWT and JWT_SECRET have no effect: each function asks
Auth who its caller is, which knows of ended sessions too.
"""

from __future__ import annotations

import functools
import importlib.util
import os
import sys
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

import httpx
from _shared.core.data import Data
from _shared.core.errors import ShopError
from _shared.core.outgoing import on_call
from _shared.core.settings import REQUIRED, MissingSettingsError, read_settings
from _shared.endpoint import LARGEST_PICTURE_BODY, render, render_problem, with_cors
from _shared.metrics import FunctionMetrics, may_read
from _shared.shop import Shop
from flask import Flask, Request, Response, request
from prometheus_client import CONTENT_TYPE_LATEST

Handler = Callable[[Request], Response]
FUNCTIONS = Path(__file__).resolve().parent / "functions"
# behind the name, because Google's front end answers some addresses that end in z by itself
_HEALTH = ("/healthz", "/health")
_READINESS = ("/readyz", "/ready")
_READINESS_SECONDS = 5.0


def load_handlers(folder: Path = FUNCTIONS) -> dict[str, Handler]:
    """Slug → handler of every function in `folder`."""
    handlers: dict[str, Handler] = {}
    for path in sorted(folder.glob("*/main.py")):
        slug = path.parent.name
        spec = importlib.util.spec_from_file_location(f"functions.{slug.replace('-', '_')}", path)
        if spec is None or spec.loader is None:
            raise ImportError(f"{path} cannot be loaded")
        module = importlib.util.module_from_spec(spec)
        # pydantic looks names up there
        sys.modules[spec.name] = module
        spec.loader.exec_module(module)
        handlers[slug] = getattr(module, slug.replace("-", "_"))
    return handlers


class Readiness:
    """The readiness of every function: its settings, and the database's answer to them. Cached for a few seconds."""

    def __init__(self, environ: Mapping[str, str], clock: Callable[[], float] = time.monotonic) -> None:
        self._environ = environ
        self._clock = clock
        self._lock = threading.Lock()
        self._cached: tuple[float, Response] | None = None

    def response(self) -> Response:
        with self._lock:
            now = self._clock()
            if self._cached is None or now >= self._cached[0]:
                self._cached = now + _READINESS_SECONDS, self._look()
            return Response(self._cached[1].get_data(), self._cached[1].status, self._cached[1].headers)

    def _look(self) -> Response:
        try:
            settings = read_settings(self._environ, sorted(REQUIRED))
        except MissingSettingsError as error:
            return render(503, {"status": "settings_missing", "missing": list(error.names)})
        key = settings.service_role_key
        try:
            # not by the functions' own client: it tries again for longer than a probe waits
            response = httpx.get(
                f"{settings.supabase_url}/rest/v1/product_variants?select=id&limit=1",
                headers={"apikey": key, "authorization": f"Bearer {key}"},
                timeout=4.0,
            )
        except httpx.HTTPError:
            return render(503, {"status": "database_unreachable", "missing": []})
        if response.status_code != 200:
            return render(
                503, {"status": "database_refuses", "missing": [], "answered": response.status_code}
            )
        return render(200, {"status": "ready", "missing": []})


class CallLimits:
    """At most `at_once` calls of one function: a slow one leaves threads to the others."""

    def __init__(self, slugs: Iterable[str], at_once: int) -> None:
        self._slots = {slug: threading.BoundedSemaphore(at_once) for slug in slugs}

    @contextmanager
    def slot(self, slug: str) -> Iterator[None]:
        if not self._slots[slug].acquire(blocking=False):
            raise ShopError(503, "busy", "The shop is very busy. Please try again in a moment.")
        try:
            yield
        finally:
            self._slots[slug].release()


def database_of(environ: Mapping[str, str]) -> Callable[[], Data]:
    """Opens the database at its first use, for what the metrics ask. Without its settings each use is refused."""

    @functools.cache
    def opened() -> Data:
        return Shop(read_settings(environ, ["supabase"])).data

    def data() -> Data:
        try:
            return opened()
        except MissingSettingsError as error:
            raise ShopError(
                500, "not_configured", "The shop is not set up for this yet.", cause=error
            ) from error

    return data


def make_app(handlers: Mapping[str, Handler], environ: Mapping[str, str], at_once: int) -> Flask:
    app = Flask(__name__, static_folder=None)
    readiness = Readiness(environ)
    limits = CallLimits(handlers, at_once)
    counts = FunctionMetrics(database_of(environ), environ)
    on_call(counts.record_call)

    def healthz() -> Response:
        return render(200, {"status": "ok"})

    def metrics() -> Response:
        if not may_read(request.headers.get("authorization", ""), environ.get("METRICS_TOKEN", "")):
            return call("")
        return Response(counts.exposition(), content_type=CONTENT_TYPE_LATEST)

    def call(slug: str) -> Response:
        try:
            if slug not in handlers:
                raise ShopError(404, "function_not_found", "There is no such function.")
            if (request.content_length or 0) > LARGEST_PICTURE_BODY:
                raise ShopError(413, "payload_too_large", "The request is larger than any function takes.")
            with counts.request(slug) as answered:
                response = handle(slug)
                answered(response.status_code)
                return response
        except ShopError as problem:
            return with_cors(render_problem(problem), environ)

    def handle(slug: str) -> Response:
        try:
            with limits.slot(slug):
                return handlers[slug](request)
        except ShopError as problem:
            return with_cors(render_problem(problem), environ)

    for path in _HEALTH:
        app.add_url_rule(path, f"health {path}", healthz)
    for path in _READINESS:
        app.add_url_rule(path, f"readiness {path}", readiness.response)
    app.add_url_rule("/metrics", "metrics", metrics)
    methods = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]
    app.add_url_rule("/<slug>", "call", call, methods=methods, provide_automatic_options=False)
    # a host that leads the site's own addresses here keeps them as they are
    for path in (
        "/design/<path:_path>",
        "/discover",
        "/creator/<_path>",
        "/sitemap.xml",
        "/sitemap/<path:_path>",
    ):
        app.add_url_rule(
            path,
            f"site {path}",
            lambda _path=None: call("design-page"),
            methods=["GET"],
            provide_automatic_options=False,
        )
    app.register_error_handler(404, lambda _error: call(""))
    return app


def main() -> Flask:
    """Return what gunicorn loads: `server:main()`."""
    threads = int(os.environ.get("THREADS", "32"))
    return make_app(load_handlers(), os.environ, at_once=max(threads // 2, 1))
