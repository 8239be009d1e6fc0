"""A Docker daemon as the official command line meets it: every container of any project runs, and is healthy.

`supabase status` shows addresses and keys from `config.toml` alone, and none before it has seen the containers.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs, urlsplit

_SERVICES = (
    *("db", "kong", "auth", "inbucket", "realtime", "rest", "storage", "imgproxy", "pg_meta", "studio"),
    *("edge_runtime", "analytics", "vector", "pooler"),
)


class _Daemon(BaseHTTPRequestHandler):
    def _respond(self) -> None:
        path = urlsplit(self.path)
        response: Any = {"State": {"Status": "running", "Running": True, "Health": {"Status": "healthy"}}}
        if path.path.endswith("/containers/json"):
            filters = json.loads(parse_qs(path.query)["filters"][0])
            (label,) = filters["label"]
            project = label.partition("=")[2]
            response = [
                {"Names": [f"/supabase_{service}_{project}"], "State": "running"} for service in _SERVICES
            ]
        body = json.dumps(response).encode()
        self.send_response(200)
        self.send_header("Api-Version", "1.47")
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(body)

    # The names are http.server's.
    do_GET = do_HEAD = _respond  # noqa: N815

    def log_message(self, *arguments: object) -> None:
        """Nothing: the test's output is the command's."""


@contextmanager
def docker_daemon() -> Iterator[str]:
    """Yields its address, for `DOCKER_HOST`."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), _Daemon)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    try:
        yield f"tcp://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
