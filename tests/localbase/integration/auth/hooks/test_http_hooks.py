"""Hooks over HTTP: each call is signed, and each of its responses has an outcome of its own."""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import httpx
import pytest
from localbase.core.auth_settings import HookSettings, HooksSettings

from tests.localbase.integration.auth.own_service import own_service
from tests.support.stacks import Stack

KEYS = (b"the first secret of a hook, 32 by", b"another secret that is 32 bytes!")
SECRETS = "|".join(f"v1,whsec_{base64.b64encode(key).decode()}" for key in KEYS)


@dataclass
class Receiver:
    """A hook at an address; `responses` are those to its next calls; after them it sends `{}`."""

    address: str = ""
    responses: list[tuple[int, dict[str, str], bytes]] = field(default_factory=list)
    calls: list[tuple[dict[str, str], bytes]] = field(default_factory=list)


@contextmanager
def receiving() -> Iterator[Receiver]:
    """A receiver on a port of its own."""
    receiver = Receiver()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["content-length"]))
            receiver.calls.append(({name.lower(): value for name, value in self.headers.items()}, body))
            response = receiver.responses.pop(0) if receiver.responses else (200, JSON, b"{}")
            self.send_response(response[0])
            for name, value in {**response[1], "content-length": str(len(response[2]))}.items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(response[2])

        def log_message(self, *arguments: object) -> None:
            """Nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    # As a project of the official stack names a service beside it.
    receiver.address = f"http://host.docker.internal:{server.server_port}/hook"
    try:
        yield receiver
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


JSON = {"content-type": "application/json"}


@pytest.fixture
def hook() -> Iterator[Receiver]:
    with receiving() as made:
        yield made


def sign_up(auth: Stack, hook: Receiver, email: str) -> httpx.Response:
    settings = HooksSettings(before_user_created=HookSettings(True, hook.address, SECRETS))
    with own_service(auth, hook=settings) as service:
        body = {"email": email, "password": "correct-horse"}
        headers = {"apikey": service.publishable_key}
        return httpx.post(f"{service.api_url}/auth/v1/signup", headers=headers, json=body, timeout=20)


def test_call_is_signed_with_each_secret(auth: Stack, hook: Receiver, email: str) -> None:
    assert sign_up(auth, hook, email).status_code == 200
    ((headers, body),) = hook.calls
    event = json.loads(body)
    assert (event["metadata"]["name"], event["user"]["email"]) == ("before-user-created", email)
    signed = f"{headers['webhook-id']}.{headers['webhook-timestamp']}.".encode() + body
    expected = [f"v1,{base64.b64encode(hmac.digest(key, signed, hashlib.sha256)).decode()}" for key in KEYS]
    assert headers["webhook-signature"].split() == expected
    assert abs(time.time() - int(headers["webhook-timestamp"])) < 60
    assert headers["content-type"] == "application/json"


@pytest.mark.parametrize(
    ("response", "status", "expected"),
    [
        ((204, {}, b""), 200, {}),
        ((202, {"content-type": "application/json; charset=utf-8"}, b"{}"), 200, {}),
        (
            (200, JSON, b'{"error": {"http_code": 403, "message": "Not you."}}'),
            403,
            {"error_code": "unknown", "msg": "Not you."},
        ),
        (
            (400, JSON, b"{}"),
            500,
            {"error_code": "unexpected_failure", "msg": "Invalid payload sent to hook"},
        ),
        (
            (401, JSON, b"{}"),
            500,
            {"error_code": "unexpected_failure", "msg": "Hook requires authorization token"},
        ),
        (
            (404, {}, b""),
            500,
            {"error_code": "unexpected_failure", "msg": "Unexpected status code returned from hook: 404"},
        ),
        (
            (200, {"content-type": "text/plain"}, b"ok"),
            400,
            {
                "error_code": "hook_payload_invalid_content_type",
                "msg": "Invalid JSON response. Received content-type: text/plain",
            },
        ),
        (
            (200, JSON, b'"' + b"x" * 204_800 + b'"'),
            422,
            {
                "error_code": "hook_payload_over_size_limit",
                "msg": "Payload size exceeded size limit of 204800 bytes",
            },
        ),
        (
            (200, JSON, b"{"),
            500,
            {"error_code": "unexpected_failure", "msg": "Error unmarshaling JSON output."},
        ),
    ],
    ids=["204", "202", "error", "400", "401", "404", "text", "large", "no JSON"],
)
def test_response_of_a_hook_has_its_outcome(
    auth: Stack, hook: Receiver, email: str, response: Any, status: int, expected: dict[str, str]
) -> None:
    hook.responses = [response]
    sign_up_response = sign_up(auth, hook, email)
    assert sign_up_response.status_code == status
    assert {name: sign_up_response.json().get(name) for name in expected} == expected


def test_busy_hook_is_called_anew_until_it_answers(auth: Stack, hook: Receiver, email: str) -> None:
    hook.responses = [(503, {"retry-after": "true"}, b"")]
    assert sign_up(auth, hook, email).status_code == 200
    assert len(hook.calls) == 2


def test_hook_that_is_away_fails_the_request(auth: Stack, email: str) -> None:
    away = Receiver("http://127.0.0.1:9/hook")
    response = sign_up(auth, away, email)
    assert (response.status_code, response.json()["msg"]) == (500, f"Error running hook URI: {away.address}")
