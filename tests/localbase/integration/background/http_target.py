"""A server that `http()` is sent to: it tells what it was sent, leads on, and misbehaves."""

from __future__ import annotations

import functools
import gzip
import json
import select
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

BINARY = bytes(range(256))
# Of a project that asks it.
MIGRATION = """
create extension if not exists http with schema extensions version '1.6';
create table public.answers as select status, content from extensions.http_get('{url}/of-a-migration');
grant select on public.answers to anon;
create function public.ask(url text) returns jsonb language sql as $$
  select jsonb_build_object('status', status, 'content', content) from extensions.http_get(url)
$$;
create function public.tell() returns trigger language plpgsql as $$
begin
  perform extensions.http((
    'POST', '{url}/trigger', array[extensions.http_header('x-row', new.id::text)], 'application/json',
    to_jsonb(new)::text)::extensions.http_request);
  new.note := (extensions.http_get('{url}/of-a-trigger')).status::text;
  return new;
end $$;
create trigger tell before insert on public.orders for each row execute function public.tell();
"""


class HttpTarget(ThreadingHTTPServer):
    """On a port of its own; `most` is how many requests it had at once."""

    request_queue_size = 256

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.url = f"http://127.0.0.1:{self.server_address[1]}"
        self.lock = threading.Lock()
        self.running = self.most = 0
        self.begun, self.left = threading.Event(), threading.Event()


class _Handler(BaseHTTPRequestHandler):
    server: HttpTarget

    def do_any(self) -> None:
        body = self.rfile.read(int(self.headers.get("content-length", 0)))
        path, _, argument = self.path.lstrip("/").partition("/")
        answers = {
            "binary": (200, {"content-type": "image/png"}, BINARY),
            "latin": (200, {"content-type": "text/plain; charset=iso-8859-1"}, "ä".encode("latin-1")),
            "charset": (200, {"content-type": f"text/plain; charset={argument}"}, b"-" + b"a" * 1_000_000),
            "bomb": (200, {"content-encoding": "gzip"}, _bomb() if path == "bomb" else b""),
            "empty": (204, {}, b""),
        }
        if path == "redirect":
            left = int(argument)
            where = f"/redirect/{left - 1}" if left > 1 else "/told"
            self._reply(302, {"location": where}, b"")
        elif path == "wait":
            self._wait()
        elif path == "short":
            with self.server.lock:
                self.server.running += 1
                self.server.most = max(self.server.most, self.server.running)
            threading.Event().wait(0.3)
            with self.server.lock:
                self.server.running -= 1
            self._reply(200, {}, b"")
        elif path in answers:
            self._reply(*answers[path])
        else:
            told = {
                "method": self.command,
                "path": self.path,
                "headers": {name.lower(): value for name, value in self.headers.items()},
                "body": body.decode("latin-1"),
            }
            self._reply(200, {"content-type": "application/json"}, json.dumps(told).encode())

    def __getattr__(self, name: str) -> Callable[[], None]:
        """Every method is answered."""
        if name.startswith("do_"):
            return self.do_any
        raise AttributeError(name)

    def _reply(self, status: int, headers: dict[str, str], body: bytes) -> None:
        self.send_response(status)
        for name, value in {**headers, "Set-Cookie": "a=1", "X-Two": "2"}.items():
            self.send_header(name, value)
        self.send_header("set-cookie", "b=2")
        if status != 204:
            self.send_header("content-length", str(len(body)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(body)

    def _wait(self) -> None:
        """Until the caller goes."""
        self.server.begun.set()
        select.select([self.connection], [], [], 30)
        self.server.left.set()

    def log_message(self, *_: object) -> None:
        """Says nothing."""


@functools.cache
def _bomb() -> bytes:
    return gzip.compress(bytes(100_000_000), 9)


@contextmanager
def http_target() -> Iterator[HttpTarget]:
    """The server, until the context ends."""
    with HttpTarget() as target:
        thread = threading.Thread(target=target.serve_forever)
        thread.start()
        try:
            yield target
        finally:
            target.shutdown()
            thread.join()
