"""`POST /resend`, `/recover`, `GET /reauthenticate`: mails and SMS that users request.

No response discloses whether an address is known: the pause is by address, and mails leave after the response.

Upstream: supabase/auth, `internal/api/resend.go`, `recover.go`, `reauthenticate.go`.
"""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from localbase.auth.channels import EMAIL, PHONE, Channel, channel_in, parse_email
from localbase.auth.codes import sms_codes
from localbase.auth.codes.intervals import Purpose, require_message, require_pause
from localbase.auth.codes.token_mails import of_email_change, with_token
from localbase.auth.context import Context, read_body, text_of
from localbase.auth.errors import AuthError, validation_failed
from localbase.auth.messages.message import Mail, Message
from localbase.auth.redirects import redirect_of
from localbase.auth.sessions import callers, pkce
from localbase.auth.tables import audit, users
from localbase.auth.users import registration

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
    named = channel_in(body, "Only an email address or phone number should be provided.")
    if named is None:
        raise validation_failed("Missing email address or phone number")
    channel, text = named
    channel.require_enabled(context, "logins")
    return await _resend(context, request, kind, channel, channel.parse(text), challenge)


async def _resend(
    context: Context, request: Request, kind: str, channel: Channel, address: str, challenge: _Challenge
) -> Response:
    redirect_to = redirect_of(request, context.auth)
    await require_message(context, channel, address, "confirmation" if kind == "signup" else "email change")
    messages: list[Message] = []
    change: Purpose = "email_change" if channel is EMAIL else "phone_change"
    async with context.db.begin() as cursor:
        await require_pause(context, cursor, channel, address, change if kind == change else "confirmation")
        user = await users.by_address(cursor, channel.name, address)
        if user is not None and kind in ("signup", "sms") and not channel.is_confirmed(user):
            action: audit.Action = (
                "user_confirmation_requested" if channel is EMAIL else "user_recovery_requested"
            )
            await audit.record(cursor, request, user, action)
            _, messages = await registration.confirmation(
                context, cursor, channel, user, challenge, redirect_to
            )
        elif user is not None and kind == change and (address := channel.change_of(user)):
            if channel is PHONE:
                messages += await sms_codes.send_code(context, cursor, user, address, "phone_change_token")
            else:
                is_pkce = await pkce.start_flow(cursor, user, challenge, "email_change")
                messages += await of_email_change(context, cursor, user, address, redirect_to, pkce=is_pkce)
        else:
            address = ""
    context.outbox.put(*messages)
    return JSONResponse(sms_codes.message_id(context, address))


async def recover(context: Context, request: Request) -> Response:
    """A link to choose a new password."""
    body = await read_body(request)
    EMAIL.require_enabled(context, "logins")
    if not text_of(body, "email"):
        raise validation_failed("Password recovery requires an email")
    email = parse_email(text_of(body, "email"))
    challenge = pkce.read_challenge(body)
    redirect_to = redirect_of(request, context.auth)
    await require_message(context, EMAIL, email, "recovery")
    mails: list[Mail] = []
    async with context.db.begin() as cursor:
        await require_pause(context, cursor, EMAIL, email, "recovery")
        user = await users.by_address(cursor, "email", email)
        if user is not None:
            await audit.record(cursor, request, user, "user_recovery_requested")
            is_pkce = await pkce.start_flow(cursor, user, challenge, "recovery")
            mails = [await with_token(context, cursor, user, "recovery", email, redirect_to, pkce=is_pkce)]
    context.outbox.put(*mails)
    return JSONResponse({})


async def reauthenticate(context: Context, request: Request) -> Response:
    """GET: a code by mail (or SMS), which a change of the password wants when the session is old."""
    async with context.db.begin() as cursor:
        caller = await callers.require_user(context, cursor, request)
    channel = EMAIL if caller.user.email else PHONE
    if address := channel.address_of(caller.user):
        await require_message(context, channel, address, "reauthentication")
    messages: list[Message] = []
    async with context.db.begin() as cursor:
        user = (await callers.require_user(context, cursor, request)).user
        channel = EMAIL if user.email else PHONE
        address = channel.address_of(user)
        if not address:
            raise validation_failed("Reauthentication requires the user to have an email or a phone number")
        if not channel.is_confirmed(user):
            text = f"Please verify your {channel.name} first."
            raise AuthError(422, f"{channel.name}_not_confirmed", text)
        await audit.record(cursor, request, user, "user_reauthenticate_requested")
        await require_pause(context, cursor, channel, address, "reauthentication")
        if channel is PHONE:
            messages += await sms_codes.send_code(context, cursor, user, address, "reauthentication_token")
        else:
            messages.append(await with_token(context, cursor, user, "reauthentication", address))
    context.outbox.put(*messages)
    return JSONResponse(sms_codes.message_id(context, address))
