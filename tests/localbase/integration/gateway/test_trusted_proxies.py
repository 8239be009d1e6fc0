"""`[api] trusted_proxies`: limits, sessions, the audit log and functions see the client that a trusted proxy names."""

from __future__ import annotations

from collections.abc import Iterator

import httpx
import psycopg
import pytest

from tests.support.project_files import ProjectFiles
from tests.support.stacks import Stack, running_written

_ECHO = """
from flask import Request
import functions_framework

@functions_framework.http
def echo(request: Request):
    names = ("x-forwarded-for", "x-forwarded-proto", "x-forwarded-host", "x-forwarded-port", "x-real-ip", "host")
    return {name: request.headers.get(name) for name in names} | {"peer": request.remote_addr}
"""
_CONFIG = """
[api]
schemas = ["public"]
trusted_proxies = ["127.0.0.2/32"]
[functions.echo]
verify_jwt = false
"""
_FORGED = {
    "x-forwarded-for": "203.0.113.5",
    "x-forwarded-proto": "https",
    "x-forwarded-host": "shop.example",
    "x-real-ip": "203.0.113.6",
    "forwarded": "for=203.0.113.7",
}


@pytest.fixture(scope="module")
def proxied() -> Iterator[Stack]:
    files = ProjectFiles(_CONFIG, functions={"echo": _ECHO})
    limits = {"SUPABASE_AUTH_RATE_LIMIT_SIGN_IN_SIGN_UPS": "30"}
    with running_written("external", files, limits) as running:
        yield running


def _call(stack: Stack, peer: str, path: str, **options: object) -> httpx.Response:
    """A request from `peer`, an address of this machine: 127.0.0.2 is the proxy's, and others are anybody's."""
    with httpx.Client(transport=httpx.HTTPTransport(local_address=peer), timeout=20) as client:
        headers = {"apikey": stack.publishable_key, **options.pop("headers", {})}  # type: ignore[dict-item]
        return client.request("POST", stack.api_url + path, headers=headers, **options)  # type: ignore[arg-type]


def test_functions_see_the_client_that_a_trusted_proxy_names(proxied: Stack) -> None:
    assert _call(proxied, "127.0.0.2", "/functions/v1/echo", headers=_FORGED).json() == {
        "x-forwarded-for": "203.0.113.5",
        "x-forwarded-proto": "https",
        "x-forwarded-host": "shop.example",
        "x-forwarded-port": "443",
        "x-real-ip": "203.0.113.5",
        "host": "shop.example",
        "peer": "203.0.113.5",
    }


def test_functions_believe_no_one_else(proxied: Stack) -> None:
    place = proxied.api_url.removeprefix("http://")
    assert _call(proxied, "127.0.0.3", "/functions/v1/echo", headers=_FORGED).json() == {
        "x-forwarded-for": "127.0.0.3",
        "x-forwarded-proto": "http",
        "x-forwarded-host": place,
        "x-forwarded-port": place.rpartition(":")[2],
        "x-real-ip": "127.0.0.3",
        "host": place,
        "peer": "127.0.0.3",
    }


def test_audit_log_and_sessions_have_the_clients_address(proxied: Stack) -> None:
    for peer, email in (("127.0.0.2", "trusted@shop.example"), ("127.0.0.3", "forged@shop.example")):
        body = {"email": email, "password": "long-enough-1"}
        assert _call(proxied, peer, "/auth/v1/signup", headers=_FORGED, json=body).status_code == 200
    with psycopg.connect(proxied.admin_db_url) as connection:
        logged = connection.execute(
            "select payload ->> 'actor_username', ip_address from auth.audit_log_entries"
            " where payload ->> 'action' = 'user_signedup' order by 1"
        ).fetchall()
        sessions = connection.execute(
            "select u.email, host(s.ip) from auth.sessions s join auth.users u on u.id = s.user_id order by 1"
        ).fetchall()
    assert (
        logged
        == sessions
        == [
            ("forged@shop.example", "127.0.0.3"),
            ("trusted@shop.example", "203.0.113.5"),
        ]
    )


def test_limits_count_clients_behind_a_proxy_and_no_forged_ones(proxied: Stack) -> None:
    def sign_in(peer: str, client: str) -> int:
        body = {"email": "nobody@shop.example", "password": "wrong-password"}
        path = "/auth/v1/token?grant_type=password"
        return _call(proxied, peer, path, headers={"x-forwarded-for": client}, json=body).status_code

    behind = [sign_in("127.0.0.2", "203.0.113.50") for _ in range(45)]
    assert behind.count(429) > 0
    assert sign_in("127.0.0.2", "203.0.113.51") == 400
    # Another address in each request, of somebody who is no proxy: it is one client all the same.
    forged = [sign_in("127.0.0.9", f"198.51.100.{number}") for number in range(45)]
    assert forged.count(429) > 0
