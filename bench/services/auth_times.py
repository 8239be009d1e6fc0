"""Times of the auth service, which must not tell addresses, also beside a hanging mail server.

On a small scratch stack. Known and unknown addresses take turns: what else the machine does concerns both alike.
"""

from __future__ import annotations

import itertools
import socket
import statistics
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager

import bcrypt
import httpx
from localbase.cli.terminal import Progress
from localbase.core.project import Project

from bench.figures import Figure
from bench.scratch import scratch_stack

CONFIG = """
[auth.email]
enable_confirmations = true
[auth.rate_limit]
sign_in_sign_ups = 1000000
token_refresh = 1000000
email_sent = 1000000
"""
_TRIES, _SIGN_UPS = 50, 50
PASSWORD = "correct horse"  # noqa: S105 - of users that live as long as the benchmark
_USERS = """
insert into auth.users (instance_id, id, aud, role, email, encrypted_password, email_confirmed_at,
  raw_app_meta_data, raw_user_meta_data, created_at, updated_at)
select '00000000-0000-0000-0000-000000000000', gen_random_uuid(), 'authenticated', 'authenticated',
  'known-' || i || '@example.com', 'HASH', now(), '{"provider": "email", "providers": ["email"]}', '{}', now(), now()
from generate_series(0, 2000) i;
insert into auth.identities (provider_id, user_id, identity_data, provider, created_at, updated_at)
select id::text, id, jsonb_build_object('sub', id, 'email', email), 'email', now(), now() from auth.users;
"""
_REQUESTS: dict[str, tuple[str, dict[str, str]]] = {
    "wrong password": ("/token?grant_type=password", {"password": "wrong horse"}),
    "sign-up": ("/signup", {"password": PASSWORD}),
    "recover": ("/recover", {}),
    "otp": ("/otp", {}),
}
# Per cent by which the medians of known and unknown addresses may differ.
_DIFFERENCE = 20


def auth_figures() -> Iterator[Figure]:
    """Differences of medians in per cent, and the slowest sign-in beside sign-ups whose mails hang."""
    users = users_with(bcrypt.hashpw(PASSWORD.encode(), bcrypt.gensalt(10)))
    progress = Progress()
    with scratch_stack("auth", users, CONFIG) as project, _client(project) as client:
        numbers = itertools.count(1)
        for title, (path, body) in _REQUESTS.items():
            with progress.step(f"{title}: {_TRIES} known and unknown addresses"):
                known_ms, unknown_ms = _compare(client, path, body, numbers)
            difference = 100 * abs(known_ms - unknown_ms) / min(known_ms, unknown_ms)
            yield Figure(
                f"{title}: known {known_ms:.1f} ms, unknown {unknown_ms:.1f} ms", difference, _DIFFERENCE, "%"
            )
    with (
        _hanging_server() as port,
        scratch_stack("auth", users, CONFIG, environ=_mail_server(port)) as project,
        _client(project) as client,
        progress.step(f"{_SIGN_UPS} sign-ups while the mail server hangs"),
    ):
        yield Figure("sign-in while mails hang: the slowest", _slowest_sign_in(client), 1000, "ms")


def users_with(digest: bytes) -> str:
    """The statements that make users `known-0` and on, whose password has this digest."""
    return _USERS.replace("HASH", digest.decode())


def _compare(
    client: httpx.Client, path: str, body: dict[str, str], numbers: Iterator[int]
) -> tuple[float, float]:
    """The medians for known and for unknown addresses, in milliseconds; no address comes twice."""
    times: dict[str, list[float]] = {"known": [], "unknown": []}
    # The first calls prepare statements.
    for is_counted in [False] * 5 + [True] * _TRIES:
        number = next(numbers)
        for kind, milliseconds in times.items():
            began = time.perf_counter()
            client.post(path, json={"email": f"{kind}-{number}@example.com", **body})
            if is_counted:
                milliseconds.append((time.perf_counter() - began) * 1000)
    return statistics.median(times["known"]), statistics.median(times["unknown"])


def _slowest_sign_in(client: httpx.Client) -> float:
    """In milliseconds, of one user who signs in again and again until all others have signed up."""
    account = {"email": "known-0@example.com", "password": PASSWORD}

    def sign_up(number: int) -> int:
        body = {"email": f"new-{number}@example.com", "password": PASSWORD}
        return client.post("/signup", json=body).status_code

    slowest = 0.0
    with ThreadPoolExecutor(8) as pool:
        waiting = [pool.submit(sign_up, number) for number in range(_SIGN_UPS)]
        while not all(each.done() for each in waiting):
            began = time.perf_counter()
            client.post("/token?grant_type=password", json=account).raise_for_status()
            slowest = max(slowest, (time.perf_counter() - began) * 1000)
    rejected = {each.result() for each in waiting} - {200}
    if rejected:
        raise SystemExit(f"sign-ups were answered with {rejected}")
    return slowest


def _client(project: Project) -> httpx.Client:
    headers = {"apikey": project.settings.keys.publishable}
    return httpx.Client(base_url=f"{project.settings.api_url}/auth/v1", headers=headers, timeout=60)


def _mail_server(port: int) -> dict[str, str]:
    name = "SUPABASE_AUTH_EMAIL_SMTP"
    return {f"{name}_ENABLED": "true", f"{name}_HOST": "127.0.0.1", f"{name}_PORT": str(port)}


@contextmanager
def _hanging_server() -> Iterator[int]:
    """A server that takes connections and says nothing; its port."""
    with socket.create_server(("127.0.0.1", 0), backlog=1000) as server:
        connections: list[socket.socket] = []

        def accept() -> None:
            while True:
                try:
                    connections.append(server.accept()[0])
                except OSError:
                    return

        thread = threading.Thread(target=accept, daemon=True)
        thread.start()
        try:
            yield server.getsockname()[1]
        finally:
            server.shutdown(socket.SHUT_RDWR)
            for connection in connections:
                connection.close()
