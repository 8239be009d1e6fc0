"""`POST /otp`, `/magiclink`: signing in by a code or a link, without a password. Unknown users are made on the way.

Upstream: supabase/auth, `internal/api/otp.go`, `magic_link.go`.
"""

from __future__ import annotations

from typing import Any

import psycopg
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from localbase.auth import errors
from localbase.auth.channels import EMAIL, PHONE, Channel, channel_in, parse_email, parse_phone
from localbase.auth.codes import sms_codes
from localbase.auth.codes.confirmations import unknown_password
from localbase.auth.codes.intervals import Purpose, require_message, require_pause
from localbase.auth.codes.token_mails import with_token
from localbase.auth.context import Context, object_of, read_body, text_of
from localbase.auth.errors import validation_failed
from localbase.auth.messages.message import Message
from localbase.auth.redirects import redirect_of
from localbase.auth.sessions import pkce
from localbase.auth.tables import audit, users
from localbase.auth.users import registration
from localbase.auth.users.registration import SignUp
from localbase.postgres.service_pool import Cursor


async def otp(context: Context, request: Request) -> Response:
    """A code by mail (with a link) or by SMS."""
    body = await read_body(request)
    named = channel_in(body, "Only an email address or phone number should be provided")
    if named is not None and named[0] is EMAIL and text_of(body, "channel"):
        raise validation_failed("Channel should only be specified with Phone OTP")
    pkce.read_challenge(body)
    may_create = body.get("create_user", True) is not False
    if named is None:
        raise validation_failed("One of email or phone must be set")
    if named[0] is EMAIL:
        return await _by_email(context, request, body, may_create=may_create)
    number = parse_phone(named[1]) if not may_create else ""
    if not context.auth.sms.enabled:
        if number and await context.db.one("select from auth.users where phone = %s", [number]) is None:
            raise _otp_disabled()
        raise errors.AuthError(400, "phone_provider_disabled", "Unsupported phone provider")
    number = parse_phone(named[1])
    sms_codes.require_channel(body)
    return await _send(context, request, PHONE, number, body, may_create=may_create)


async def magic_link(context: Context, request: Request) -> Response:
    """A sign-in link: `/otp` by mail, as older clients have it."""
    body = await read_body(request)
    if not text_of(body, "email"):
        raise validation_failed("Password recovery requires an email", 422)
    return await _by_email(context, request, body, may_create=True)


async def _by_email(
    context: Context, request: Request, body: dict[str, Any], *, may_create: bool
) -> Response:
    EMAIL.require_enabled(context, "logins", 422)
    email = parse_email(text_of(body, "email"))
    return await _send(context, request, EMAIL, email, body, may_create=may_create)


async def _send(
    context: Context,
    request: Request,
    channel: Channel,
    address: str,
    body: dict[str, Any],
    *,
    may_create: bool,
) -> Response:
    new = SignUp(address, unknown_password(), object_of(body, "data"), pkce.read_challenge(body))
    redirect_to = redirect_of(request, context.auth)
    await require_message(context, channel, address, "magic link")
    # Both, for a known address and for an unknown one: the response must not tell which mail it is.
    purposes: tuple[Purpose, ...] = ("confirmation", "recovery") if channel is EMAIL else ("confirmation",)

    async def messages(cursor: Cursor) -> list[Message]:
        await require_pause(context, cursor, channel, address, *purposes)
        user = await users.by_address(cursor, channel.name, address)
        if user is None and not may_create:
            raise _otp_disabled()
        if user is None or not channel.is_confirmed(user):
            if not context.auth.enable_signup:
                raise errors.signup_disabled()
            user, sent = await registration.sign_up(context, cursor, request, channel, new, redirect_to, user)
            if channel.settings(context).enable_confirmations:
                return sent
        if channel is PHONE:
            await audit.record(cursor, request, user, "user_recovery_requested", {"channel": "sms"})
            return [*await sms_codes.send_code(context, cursor, user, address, "confirmation_token")]
        is_pkce = await pkce.start_flow(cursor, user, new.challenge, "magiclink")
        await audit.record(cursor, request, user, "user_recovery_requested")
        return [await with_token(context, cursor, user, "magic_link", address, redirect_to, pkce=is_pkce)]

    try:
        async with context.db.begin() as cursor:
            sent = await messages(cursor)
    except psycopg.errors.UniqueViolation:
        # A double click: the other request was faster, and this one finds its user.
        async with context.db.begin() as cursor:
            sent = await messages(cursor)
    context.outbox.put(*sent)
    return JSONResponse(sms_codes.message_id(context, address))


def _otp_disabled() -> errors.AuthError:
    return errors.AuthError(422, "otp_disabled", "Signups not allowed for otp")
