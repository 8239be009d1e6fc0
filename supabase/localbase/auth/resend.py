"""`POST /resend`, `/recover`, `GET /reauthenticate`: mails and SMS that users request.

No response discloses whether an address is known: the pause is by address, and mails leave after the response.

Upstream: supabase/auth, `internal/api/resend.go`, `recover.go`, `reauthenticate.go`.
"""

from __future__ import annotations

from typing import Any

from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from localbase.auth import audit, callers, mailing, one_time_tokens, phones, pkce, registration, user_store
from localbase.auth.addresses import parse_email, parse_phone
from localbase.auth.context import Context, read_body, text_of
from localbase.auth.email_changes import send_email_change
from localbase.auth.errors import (
    AuthError,
    email_provider_disabled,
    phone_provider_disabled,
    validation_failed,
)
from localbase.auth.mails import Mail, Sms
from localbase.auth.pauses import Purpose, require_email_pause, require_mail, require_sms, require_sms_pause
from localbase.auth.redirects import redirect_of
from localbase.auth.rows import User
from localbase.postgres.service_pool import Cursor

_Challenge = tuple[str, str] | None


async def resend(context: Context, request: Request) -> Response:
    """The newest mail or SMS of a type once more, with a new token."""
    body = await read_body(request)
    kind, email, phone = text_of(body, "type"), text_of(body, "email"), text_of(body, "phone")
    if kind not in ("signup", "email_change", "sms", "phone_change"):
        raise validation_failed("Missing one of these types: signup, email_change, sms, phone_change")
    challenge = pkce.read_challenge(body) if kind in ("signup", "email_change") else None
    if not email and kind == "signup":
        raise validation_failed("Type provided requires an email address")
    if not phone and kind == "sms":
        raise validation_failed("Type provided requires a phone number")
    if email and phone:
        raise validation_failed("Only an email address or phone number should be provided.")
    if email:
        return await _resend_to_email(context, request, kind, _email(context, email), challenge)
    if not phone:
        raise validation_failed("Missing email address or phone number")
    if not context.auth.sms.enabled:
        raise phone_provider_disabled("Phone logins are disabled")
    return await _resend_to_phone(context, request, kind, parse_phone(phone))


async def recover(context: Context, request: Request) -> Response:
    """A link to choose a new password."""
    body = await read_body(request)
    if not context.auth.email.enabled:
        raise email_provider_disabled("Email logins are disabled")
    if not text_of(body, "email"):
        raise validation_failed("Password recovery requires an email")
    email = parse_email(text_of(body, "email"))
    challenge = pkce.read_challenge(body)
    redirect_to = redirect_of(request, context.auth)
    await require_mail(context, "recovery")
    mails: list[Mail] = []
    async with context.db.begin() as cursor:
        await require_email_pause(context, cursor, email, "recovery")
        user = await user_store.by_email(cursor, email)
        if user is not None:
            await audit.record(cursor, request, user, "user_recovery_requested")
            is_pkce = await pkce.start_flow(cursor, user, challenge, "recovery")
            mails = [await recovery_mail(context, cursor, user, "recovery", redirect_to, pkce=is_pkce)]
    context.outbox.put(*mails)
    return JSONResponse({})


async def recovery_mail(
    context: Context,
    cursor: Cursor,
    user: User,
    kind: mailing.RecoveryKind,
    redirect_to: str,
    *,
    pkce: bool,
) -> Mail:
    """A link that signs in: to choose a new password, or just to be in."""
    assert user.email
    issued = await one_time_tokens.issue(context, cursor, user, "recovery_token", user.email, pkce=pkce)
    return mailing.with_token(
        context,
        user,
        kind,
        to=user.email,
        code=issued.code,
        token_hash=issued.token_hash,
        redirect_to=redirect_to,
    )


async def reauthenticate(context: Context, request: Request) -> Response:
    """GET: a code by mail (or SMS), which a change of the password wants when the session is old."""
    messages: list[Mail | Sms] = []
    response_body: dict[str, str] = {}
    async with context.db.begin() as cursor:
        caller = await callers.require_user(context, cursor, request)
    if caller.user.email:
        await require_mail(context, "reauthentication")
    elif caller.user.phone:
        await require_sms(context, caller.user.phone)
    async with context.db.begin() as cursor:
        user = (await callers.require_user(context, cursor, request)).user
        address = user.email or user.phone
        if not address:
            raise validation_failed("Reauthentication requires the user to have an email or a phone number")
        if user.email and user.email_confirmed_at is None:
            raise AuthError(422, "email_not_confirmed", "Please verify your email first.")
        if not user.email and user.phone_confirmed_at is None:
            raise AuthError(422, "phone_not_confirmed", "Please verify your phone first.")
        await audit.record(cursor, request, user, "user_reauthenticate_requested")
        if user.email:
            await require_email_pause(context, cursor, address, "reauthentication")
            issued = await one_time_tokens.issue(context, cursor, user, "reauthentication_token", address)
            values = {"code": issued.code, "token_hash": issued.token_hash}
            messages += [mailing.with_token(context, user, "reauthentication", to=address, **values)]
        else:
            await require_sms_pause(context, cursor, address, "reauthentication")
            messages += await phones.send_code(context, cursor, user, address, "reauthentication_token")
            response_body = phones.message_id(context, address)
    context.outbox.put(*messages)
    return JSONResponse(response_body)


async def _resend_to_email(
    context: Context, request: Request, kind: str, email: str, challenge: _Challenge
) -> Response:
    redirect_to = redirect_of(request, context.auth)
    await require_mail(context, "confirmation" if kind == "signup" else "email change")
    mails: list[Mail] = []
    async with context.db.begin() as cursor:
        await require_email_pause(
            context, cursor, email, "email_change" if kind == "email_change" else "confirmation"
        )
        user = await user_store.by_email(cursor, email)
        if user is not None and kind == "signup" and user.email_confirmed_at is None:
            await audit.record(cursor, request, user, "user_confirmation_requested")
            _, mails = await registration.confirmation_mail(context, cursor, user, challenge, redirect_to)
        elif user is not None and kind == "email_change" and user.email_change:
            is_pkce = await pkce.start_flow(cursor, user, challenge, "email_change")
            mails = await send_email_change(
                context, cursor, user, user.email_change, redirect_to, pkce=is_pkce
            )
    context.outbox.put(*mails)
    return JSONResponse({})


async def _resend_to_phone(context: Context, request: Request, kind: str, phone: str) -> Response:
    messages: list[Sms] = []
    response_body: dict[str, Any] = {}
    await require_sms(context, phone)
    async with context.db.begin() as cursor:
        purpose: Purpose = "phone_change" if kind == "phone_change" else "confirmation"
        await require_sms_pause(context, cursor, phone, purpose)
        user = await user_store.by_phone(cursor, phone)
        if user is not None and kind == "sms" and user.phone_confirmed_at is None:
            await audit.record(cursor, request, user, "user_recovery_requested")
            messages = await phones.send_code(context, cursor, user, phone, "confirmation_token")
            response_body = phones.message_id(context, phone)
        elif user is not None and kind == "phone_change" and user.phone_change:
            messages = await phones.send_code(context, cursor, user, user.phone_change, "phone_change_token")
            response_body = phones.message_id(context, user.phone_change)
    context.outbox.put(*messages)
    return JSONResponse(response_body)


def _email(context: Context, text: str) -> str:
    if not context.auth.email.enabled:
        raise email_provider_disabled("Email logins are disabled")
    return parse_email(text)
