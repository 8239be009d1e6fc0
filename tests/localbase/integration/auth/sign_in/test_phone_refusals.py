"""Requests by phone, and by mail, that are no good, or not switched on."""

from __future__ import annotations

from typing import Any

import httpx
import pytest
from localbase.core.auth_settings import EmailSettings

from tests.localbase.integration.auth.calls import PASSWORD, call, failure
from tests.localbase.integration.auth.conftest import SMS
from tests.localbase.integration.auth.own_service import own_service
from tests.support.stacks import Stack


def post(stack: Stack, path: str, **body: Any) -> httpx.Response:
    return call(stack, "POST", path, json=body)


@pytest.mark.parametrize(
    ("path", "body", "expected"),
    [
        (
            "/signup",
            {"phone": "0123", "password": PASSWORD},
            (400, "validation_failed", "Invalid phone number format (E.164 required)"),
        ),
        (
            "/signup",
            {"phone": "15550100", "email": "a@example.com", "password": PASSWORD},
            (400, "validation_failed", "Only an email address or phone number should be provided on signup."),
        ),
        (
            "/signup",
            {"phone": "15550100", "password": PASSWORD, "code_challenge": "c" * 43},
            (400, "validation_failed", "PKCE not supported for phone signups"),
        ),
        (
            "/otp",
            {"phone": "15550100", "email": "a@example.com"},
            (400, "validation_failed", "Only an email address or phone number should be provided"),
        ),
        (
            "/otp",
            {"email": "a@example.com", "channel": "sms"},
            (400, "validation_failed", "Channel should only be specified with Phone OTP"),
        ),
        ("/otp", {}, (400, "validation_failed", "One of email or phone must be set")),
        (
            "/resend",
            {"type": "sms"},
            (400, "validation_failed", "Type provided requires a phone number"),
        ),
        (
            "/resend",
            {"type": "signup"},
            (400, "validation_failed", "Type provided requires an email address"),
        ),
        (
            "/resend",
            {"type": "phone_change"},
            (400, "validation_failed", "Missing email address or phone number"),
        ),
        (
            "/resend",
            {"type": "sms", "phone": "15550100", "email": "a@example.com"},
            (400, "validation_failed", "Only an email address or phone number should be provided."),
        ),
        (
            "/resend",
            {"type": "magiclink", "email": "a@example.com"},
            (
                400,
                "validation_failed",
                "Missing one of these types: signup, email_change, sms, phone_change",
            ),
        ),
    ],
)
def test_bad_requests_by_phone_are_refused(
    phones: Stack, path: str, body: dict[str, str], expected: tuple[int, str, str]
) -> None:
    assert failure(post(phones, path, **body)) == expected


def test_another_channel_is_refused(phones: Stack, phone: str) -> None:
    refused = post(phones, "/otp", phone=phone, channel="whatsapp")
    assert failure(refused)[:2] == (400, "validation_failed")
    assert failure(refused)[2].startswith("Invalid channel, supported values are 'sms' or 'whatsapp'.")


@pytest.mark.parametrize(
    ("path", "body", "expected"),
    [
        ("/signup", {"password": PASSWORD}, (400, "phone_provider_disabled", "Phone signups are disabled")),
        ("/otp", {}, (400, "phone_provider_disabled", "Unsupported phone provider")),
        ("/resend", {"type": "sms"}, (400, "phone_provider_disabled", "Phone logins are disabled")),
        (
            "/token?grant_type=password",
            {"password": PASSWORD},
            (422, "phone_provider_disabled", "Phone logins are disabled"),
        ),
    ],
)
def test_phones_are_refused_where_they_are_off(
    auth: Stack, phone: str, path: str, body: dict[str, str], expected: tuple[int, str, str]
) -> None:
    assert failure(post(auth, path, phone=phone, **body)) == expected


@pytest.mark.parametrize(
    ("path", "body", "expected"),
    [
        ("/signup", {"password": PASSWORD}, (400, "Email signups are disabled")),
        ("/otp", {}, (422, "Email logins are disabled")),
        ("/magiclink", {}, (422, "Email logins are disabled")),
        ("/recover", {}, (400, "Email logins are disabled")),
        ("/resend", {"type": "signup"}, (400, "Email logins are disabled")),
        ("/token?grant_type=password", {"password": PASSWORD}, (422, "Email logins are disabled")),
    ],
)
def test_mails_are_refused_where_they_are_off(
    auth: Stack, email: str, path: str, body: dict[str, str], expected: tuple[int, str]
) -> None:
    with own_service(auth, email=EmailSettings(enabled=False)) as running:
        refused = failure(post(running, path, email=email, **body))
    assert refused == (expected[0], "email_provider_disabled", expected[1])


@pytest.mark.parametrize(
    ("path", "body", "expected"),
    [
        ("/recover", {}, (400, "validation_failed", "Password recovery requires an email")),
        ("/magiclink", {}, (422, "validation_failed", "Password recovery requires an email")),
        (
            "/otp",
            {"email": "a@example.com", "code_challenge": "c" * 43},
            (400, "validation_failed", "PKCE flow requires code_challenge_method and code_challenge"),
        ),
        (
            "/otp",
            {"email": "a@example.com", "code_challenge": "c", "code_challenge_method": "plain"},
            (400, "validation_failed", "code challenge has to be between 43 and 128 characters"),
        ),
        (
            "/recover",
            {"email": "a@example.com", "code_challenge": "/" * 43, "code_challenge_method": "plain"},
            (
                400,
                "validation_failed",
                "code challenge can only contain alphanumeric characters, hyphens, periods, underscores and tildes",
            ),
        ),
    ],
)
def test_bad_requests_for_mails_are_refused(
    auth: Stack, path: str, body: dict[str, str], expected: tuple[int, str, str]
) -> None:
    assert failure(post(auth, path, **body)) == expected


def test_full_outbox_answers_as_upstreams_failed_sending(auth: Stack, email: str, phone: str) -> None:
    settings = EmailSettings(enable_confirmations=True)
    with own_service(auth, outbox_room=0, sms=SMS, email=settings) as running:
        mail = post(running, "/signup", email=email, password=PASSWORD)
        assert failure(mail) == (500, "unexpected_failure", "Error sending confirmation email")
        sms = post(running, "/otp", phone=phone)
    assert failure(sms) == (
        422,
        "sms_send_failed",
        "Error sending confirmation OTP to provider: too many SMS wait",
    )
