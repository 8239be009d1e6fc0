"""A vendor that a test makes up: an HTTP server with responses by method and path, which records what it received."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any


@dataclass
class Vendor:
    """`responses`: 'GET /path' → JSON, or a status and JSON. Others are 404."""

    url: str
    responses: dict[str, Any] = field(default_factory=dict)
    requests: list[tuple[str, str, Any]] = field(default_factory=list)


@contextmanager
def running_vendor() -> Iterator[Vendor]:
    """At a free port, until the block ends."""

    class Handler(BaseHTTPRequestHandler):
        def _respond(self) -> None:
            length = int(self.headers.get("content-length") or 0)
            body = self.rfile.read(length).decode()
            path = self.path.partition("?")[0]
            is_json = "json" in (self.headers.get("content-type") or "json")
            sent_body = (json.loads(body) if is_json else body) if body else None
            vendor.requests.append((self.command, self.path, sent_body))
            response = vendor.responses.get(f"{self.command} {path}", (404, {"error": "Not found"}))
            status, content = response if isinstance(response, tuple) else (200, response)
            sent = json.dumps(content).encode()
            self.send_response(status)
            self.send_header("content-type", "application/json")
            self.send_header("content-length", str(len(sent)))
            self.end_headers()
            self.wfile.write(sent)

        do_GET = do_POST = do_PUT = do_DELETE = _respond  # noqa: N815 - http.server's names

        def log_message(self, format: str, *args: Any) -> None:
            """Nothing: a test's output is its own."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    vendor = Vendor(f"http://127.0.0.1:{server.server_address[1]}")
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield vendor
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
