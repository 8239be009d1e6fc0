"""Mails leave after the response: what clients notice of a hanging mail server, and of addresses without an account."""

from __future__ import annotations

import socket
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import httpx
import pytest
from localbase.core.auth_settings import EmailSettings, RateLimits, Seconds, SmtpSettings

from tests.localbase.integration.auth.calls import PASSWORD, call, execute, new_session
from tests.localbase.integration.auth.own_service import own_service
from tests.support.stacks import Stack

_MANY = RateLimits(
    email_sent=10_000, sign_in_sign_ups=10_000, token_verifications=10_000, token_refresh=10_000
)
_MAILS = EmailSettings(enable_confirmations=True, max_frequency=Seconds(0.001))


@pytest.fixture
def no_mails_counted(auth: Stack) -> Iterator[None]:
    """Mails are counted for the whole project."""
    yield
    execute(auth, "delete from _localbase.auth_rate_limits where name = 'email_sent'")


@pytest.fixture
def hanging(auth: Stack) -> Iterator[Stack]:
    """A service whose mail server takes connections and says nothing."""
    with socket.create_server(("127.0.0.1", 0), backlog=512) as silent:
        smtp = SmtpSettings(enabled=True, host="127.0.0.1", port=silent.getsockname()[1])
        with own_service(auth, email=replace(_MAILS, smtp=smtp), rate_limit=_MANY) as running:
            yield running


def _sign_up(stack: Stack, email: str) -> httpx.Response:
    return call(stack, "POST", "/signup", json={"email": email, "password": PASSWORD})


def _send_code(stack: Stack, email: str) -> httpx.Response:
    return call(stack, "POST", "/otp", json={"email": email})


def test_mail_server_that_hangs_stops_no_sign_in(auth: Stack, hanging: Stack, email: str) -> None:
    new_session(auth, email)
    with ThreadPoolExecutor(8) as pool:
        responses = list(pool.map(lambda number: _send_code(hanging, f"{number}-{email}"), range(40)))
        assert {response.status_code for response in responses} == {200}
    began = time.monotonic()
    body = {"email": email, "password": PASSWORD}
    response = call(hanging, "POST", "/token?grant_type=password", json=body)
    assert response.status_code == 200
    assert time.monotonic() - began < 1


@pytest.mark.parametrize(
    ("path", "body"),
    [
        ("/recover", {}),
        ("/otp", {}),
        ("/magiclink", {}),
        ("/resend", {"type": "signup"}),
        ("/resend", {"type": "email_change"}),
    ],
)
def test_known_and_unknown_addresses_have_the_same_response_twice(
    auth: Stack, email: str, path: str, body: dict[str, str]
) -> None:
    new_session(auth, email)
    settings = replace(_MAILS, max_frequency=Seconds(60))
    with own_service(auth, email=settings) as running:

        def request(address: str) -> tuple[int, object]:
            response = call(running, "POST", path, json=body | {"email": address})
            return response.status_code, response.json()

        registered, unknown = (
            [request(email) for _ in range(2)],
            [request(f"unknown-{email}") for _ in range(2)],
        )
    assert registered[0] == unknown[0] == (200, {})
    text = "For security purposes, you can only request this after {} seconds."
    for status, response in (registered[1], unknown[1]):
        assert isinstance(response, dict)
        assert (status, response["error_code"]) == (429, "over_email_send_rate_limit")
        assert response["msg"] in {text.format(60), text.format(59), text.format(58)}


def test_signing_up_twice_is_refused_alike_for_known_and_unknown(auth: Stack, email: str) -> None:
    new_session(auth, email)
    with own_service(auth, email=replace(_MAILS, max_frequency=Seconds(60))) as running:
        for address in (email, f"unknown-{email}"):
            first, second = _sign_up(running, address), _sign_up(running, address)
            assert first.status_code == 200
            assert first.json()["email"] == address
            assert (second.status_code, second.json()["error_code"]) == (429, "over_email_send_rate_limit")


def test_of_twenty_requests_at_once_one_sends_a_mail(auth: Stack, email: str) -> None:
    settings = replace(_MAILS, max_frequency=Seconds(60))
    with own_service(auth, email=settings) as running, ThreadPoolExecutor(20) as pool:
        responses = list(
            pool.map(lambda _: call(running, "POST", "/recover", json={"email": email}), range(20))
        )
    assert sorted(response.status_code for response in responses) == [200] + [429] * 19


def test_pause_ends_after_max_frequency(auth: Stack, email: str) -> None:
    with own_service(auth, email=replace(_MAILS, max_frequency=Seconds(0.2))) as running:
        assert call(running, "POST", "/recover", json={"email": email}).status_code == 200
        assert call(running, "POST", "/recover", json={"email": email}).status_code == 429
        deadline = time.monotonic() + 5
        while call(running, "POST", "/recover", json={"email": email}).status_code == 429:
            assert time.monotonic() < deadline


@pytest.mark.usefixtures("no_mails_counted")
def test_mail_server_of_the_projects_own_gets_so_many_mails_an_hour(auth: Stack) -> None:
    smtp = SmtpSettings(enabled=True, host="127.0.0.1", port=1)
    with own_service(
        auth, email=replace(_MAILS, smtp=smtp), rate_limit=replace(_MANY, email_sent=2)
    ) as running:
        responses = [call(running, "POST", "/recover", json={"email": f"{n}@example.com"}) for n in range(40)]
    assert responses[-1].status_code == 429
    assert responses[-1].json() == {
        "code": 429,
        "error_code": "over_email_send_rate_limit",
        "msg": "email rate limit exceeded",
    }
