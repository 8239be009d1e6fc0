"""`POST /otp`, `/magiclink`: signing in by a code or a link, without a password. Unknown users are made on the way.

Upstream: supabase/auth, `internal/api/otp.go`, `magic_link.go`.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any

import psycopg
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from localbase.auth import audit, errors, phones, pkce, registration, user_store
from localbase.auth.addresses import parse_email, parse_phone
from localbase.auth.confirmations import unknown_password
from localbase.auth.context import Context, object_of, read_body, text_of
from localbase.auth.errors import email_provider_disabled, phone_provider_disabled, validation_failed
from localbase.auth.mails import Mail, Message
from localbase.auth.pauses import require_email_pause, require_mail, require_sms, require_sms_pause
from localbase.auth.redirects import redirect_of
from localbase.auth.registration import NewUser
from localbase.auth.resend import recovery_mail
from localbase.postgres.service_pool import Cursor

_Sending = Callable[[Cursor], Awaitable[list[Message]]]


async def otp(context: Context, request: Request) -> Response:
    """A code by mail (with a link) or by SMS."""
    body = await read_body(request)
    email, phone = text_of(body, "email"), text_of(body, "phone")
    if email and phone:
        raise validation_failed("Only an email address or phone number should be provided")
    if email and text_of(body, "channel"):
        raise validation_failed("Channel should only be specified with Phone OTP")
    pkce.read_challenge(body)
    may_create = body.get("create_user", True) is not False
    if email:
        return await _by_email(context, request, body, may_create=may_create)
    if not phone:
        raise validation_failed("One of email or phone must be set")
    return await _by_phone(context, request, body, may_create=may_create)


async def magic_link(context: Context, request: Request) -> Response:
    """A sign-in link: `/otp` by mail, as older clients have it."""
    body = await read_body(request)
    if not text_of(body, "email"):
        raise validation_failed("Password recovery requires an email", 422)
    return await _by_email(context, request, body, may_create=True)


async def _by_email(
    context: Context, request: Request, body: dict[str, Any], *, may_create: bool
) -> Response:
    if not context.auth.email.enabled:
        raise email_provider_disabled("Email logins are disabled", 422)
    email = parse_email(text_of(body, "email"))
    new = NewUser(email, unknown_password(), object_of(body, "data"), pkce.read_challenge(body))
    redirect_to = redirect_of(request, context.auth)
    await require_mail(context, "magic link")

    async def mails(cursor: Cursor) -> list[Message]:
        # Both, for a known address and for an unknown one: the response must not tell which mail it is.
        await require_email_pause(context, cursor, email, "confirmation", "recovery")
        user = await user_store.by_email(cursor, email)
        if user is None and not may_create:
            raise _otp_disabled()
        if user is None or user.email_confirmed_at is None:
            _require_sign_ups(context)
            user, sent = await registration.by_email(context, cursor, request, new, redirect_to, user)
            if context.auth.email.enable_confirmations:
                return [*sent]
        is_pkce = await pkce.start_flow(cursor, user, new.challenge, "magiclink")
        await audit.record(cursor, request, user, "user_recovery_requested")
        mail: Mail = await recovery_mail(context, cursor, user, "magic_link", redirect_to, pkce=is_pkce)
        return [mail]

    return await _send(context, mails, {})


async def _by_phone(
    context: Context, request: Request, body: dict[str, Any], *, may_create: bool
) -> Response:
    phone = parse_phone(text_of(body, "phone")) if not may_create else ""
    if not context.auth.sms.enabled:
        if phone and await context.db.one("select from auth.users where phone = %s", [phone]) is None:
            raise _otp_disabled()
        raise phone_provider_disabled("Unsupported phone provider")
    phone = parse_phone(text_of(body, "phone"))
    phones.require_channel(body)
    new = NewUser(phone, unknown_password(), object_of(body, "data"))
    await require_sms(context, phone)

    async def sms(cursor: Cursor) -> list[Message]:
        await require_sms_pause(context, cursor, phone, "confirmation")
        user = await user_store.by_phone(cursor, phone)
        if user is None and not may_create:
            raise _otp_disabled()
        if user is None or user.phone_confirmed_at is None:
            _require_sign_ups(context)
            user, sent = await registration.by_phone(context, cursor, request, new, user)
            if context.auth.sms.enable_confirmations:
                return [*sent]
        await audit.record(cursor, request, user, "user_recovery_requested", {"channel": "sms"})
        return [*await phones.send_code(context, cursor, user, phone, "confirmation_token")]

    return await _send(context, sms, phones.message_id(context, phone))


async def _send(context: Context, sending: _Sending, response_body: dict[str, str]) -> Response:
    try:
        async with context.db.begin() as cursor:
            messages = await sending(cursor)
    except psycopg.errors.UniqueViolation:
        # A double click: the other request was faster, and this one finds its user.
        async with context.db.begin() as cursor:
            messages = await sending(cursor)
    context.outbox.put(*messages)
    return JSONResponse(response_body)


def _require_sign_ups(context: Context) -> None:
    if not context.auth.enable_signup:
        raise errors.signup_disabled()


def _otp_disabled() -> errors.AuthError:
    return errors.AuthError(422, "otp_disabled", "Signups not allowed for otp")
