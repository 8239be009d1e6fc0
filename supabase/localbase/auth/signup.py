"""`POST /signup`: a new user with a password, by e-mail or phone; a mail or an SMS where it must be confirmed.

Upstream: supabase/auth, `internal/api/signup.go`.
"""

from __future__ import annotations

import uuid
from typing import Any

import psycopg
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from localbase.auth import (
    anonymous,
    audit,
    errors,
    identity_store,
    passwords,
    phones,
    pkce,
    registration,
    sessions,
    user_store,
)
from localbase.auth.addresses import parse_email, parse_phone
from localbase.auth.context import Context, object_of, read_body, text_of
from localbase.auth.mails import Message
from localbase.auth.pauses import require_email_pause, require_mail, require_sms, require_sms_pause
from localbase.auth.redirects import redirect_of
from localbase.auth.registration import NewUser
from localbase.auth.rows import User
from localbase.postgres.service_pool import Cursor


async def signup(context: Context, request: Request) -> Response | errors.AuthError:
    """The user (a mail or an SMS is on its way), or a session where no confirmation is required."""
    body = await read_body(request)
    email, phone = text_of(body, "email"), text_of(body, "phone")
    if not email and not phone:
        return await anonymous.sign_up(context, request, body)
    await context.limits.require("signup", request)
    if not context.auth.enable_signup:
        raise errors.signup_disabled()
    password = text_of(body, "password")
    if not password:
        raise errors.validation_failed("Signup requires a valid password")
    passwords.require_strength(password, context.auth)
    if email and phone:
        raise errors.validation_failed("Only an email address or phone number should be provided on signup.")
    if phone:
        phones.require_channel(body)
        if text_of(body, "code_challenge"):
            raise errors.validation_failed("PKCE not supported for phone signups")
    challenge = pkce.read_challenge(body)
    if email and not context.auth.email.enabled:
        raise errors.email_provider_disabled("Email signups are disabled")
    if phone and not context.auth.sms.enabled:
        raise errors.phone_provider_disabled("Phone signups are disabled")
    address = parse_email(email) if email else parse_phone(phone)
    metadata = object_of(body, "data")
    new = NewUser(address, await passwords.hash_password(password), metadata, challenge)
    register = _register_by_email if email else _register_by_phone
    try:
        return await register(context, request, new)
    except psycopg.errors.UniqueViolation:
        # A double click: the other request was faster, and this one finds its user.
        return await register(context, request, new)


async def _register_by_email(context: Context, request: Request, new: NewUser) -> Response | errors.AuthError:
    redirect_to = redirect_of(request, context.auth)
    if context.auth.email.enable_confirmations:
        await require_mail(context, "confirmation")
    messages: list[Message] = []
    async with context.db.begin() as cursor:
        if context.auth.email.enable_confirmations:
            await require_email_pause(context, cursor, new.address, "confirmation")
        existing_user = await user_store.by_email(cursor, new.address)
        # An identity at a provider may have the address too: its owner's account is another one by now.
        owner = existing_user or await identity_store.owner_of_email(cursor, new.address)
        if owner is not None and owner.email_confirmed_at is not None:
            await audit.record(cursor, request, owner, "user_repeated_signup", {"provider": "email"})
            is_hidden = context.auth.email.enable_confirmations
            return _disguised(context, "email", new) if is_hidden else errors.user_exists()
        user, sent = await registration.by_email(context, cursor, request, new, redirect_to, existing_user)
        messages += sent
        if context.auth.email.enable_confirmations:
            response_body = await _user_json(cursor, user)
        else:
            await audit.record(cursor, request, user, "login", {"provider": "email"})
            response_body = await sessions.open_session(context, cursor, request, user, "password")
    context.outbox.put(*messages)
    return JSONResponse(response_body)


async def _register_by_phone(context: Context, request: Request, new: NewUser) -> Response | errors.AuthError:
    if context.auth.sms.enable_confirmations:
        await require_sms(context, new.address)
    messages: list[Message] = []
    async with context.db.begin() as cursor:
        if context.auth.sms.enable_confirmations:
            await require_sms_pause(context, cursor, new.address, "confirmation")
        existing_user = await user_store.by_phone(cursor, new.address)
        if existing_user is not None and existing_user.phone_confirmed_at is not None:
            await audit.record(cursor, request, existing_user, "user_repeated_signup", {"provider": "phone"})
            is_hidden = context.auth.sms.enable_confirmations
            return _disguised(context, "phone", new) if is_hidden else errors.user_exists()
        user, sent = await registration.by_phone(context, cursor, request, new, existing_user)
        messages += sent
        if context.auth.sms.enable_confirmations:
            response_body = await _user_json(cursor, user)
        else:
            await audit.record(cursor, request, user, "login", {"provider": "phone"})
            response_body = await sessions.open_session(context, cursor, request, user, "password")
    context.outbox.put(*messages)
    return JSONResponse(response_body)


async def _user_json(cursor: Cursor, user: User) -> dict[str, Any]:
    """An invited user's metadata and identities are not shown to a caller who signs up with the address."""
    shown = await user_store.to_json(cursor, user)
    return shown | ({"user_metadata": {}, "identities": []} if user.invited_at else {})


def _disguised(context: Context, provider: str, new: NewUser) -> Response:
    """Does not disclose that the address has an account: as a new user, but for the identities, which the official
    clients look at. No mail is sent, and nothing is changed."""
    now = user_store.time(sessions.moment(context.clock()))
    return JSONResponse(
        {
            "id": str(uuid.uuid4()),
            "aud": user_store.AUDIENCE,
            "role": "",
            "email": new.address if provider == "email" else "",
            "phone": new.address if provider == "phone" else "",
            "confirmation_sent_at": now,
            "app_metadata": {"provider": provider, "providers": [provider]},
            "user_metadata": new.metadata,
            "identities": [],
            "created_at": now,
            "updated_at": now,
            "is_anonymous": False,
        }
    )
