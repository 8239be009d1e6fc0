"""`POST /signup`: a new user with a password, by e-mail or phone; a mail or an SMS where it must be confirmed.

Upstream: supabase/auth, `internal/api/signup.go`.
"""

from __future__ import annotations

import uuid
from typing import Any

import psycopg
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from localbase.auth import errors, features
from localbase.auth.channels import EMAIL, PHONE, Channel, channel_in
from localbase.auth.codes import sms_codes
from localbase.auth.codes.intervals import require_message, require_pause
from localbase.auth.context import Context, object_of, read_body, text_of
from localbase.auth.redirects import redirect_of
from localbase.auth.sessions import pkce, sessions
from localbase.auth.tables import audit, identities, users
from localbase.auth.tables.rows import User
from localbase.auth.users import passwords, registration
from localbase.auth.users.registration import SignUp
from localbase.postgres.service_pool import Cursor


async def signup(context: Context, request: Request) -> Response | errors.AuthError:
    """The user (a mail or an SMS is on its way), or a session where no confirmation is required."""
    body = await read_body(request)
    if not text_of(body, "email") and not text_of(body, "phone"):
        return await _sign_up_anonymously(context, request, body)
    await context.limits.require("signup", request)
    if not context.auth.enable_signup:
        raise errors.signup_disabled()
    password = text_of(body, "password")
    if not password:
        raise errors.validation_failed("Signup requires a valid password")
    passwords.require_strength(password, context.auth)
    named = channel_in(body, "Only an email address or phone number should be provided on signup.")
    assert named is not None
    channel, text = named
    if channel is PHONE:
        sms_codes.require_channel(body)
        if text_of(body, "code_challenge"):
            raise errors.validation_failed("PKCE not supported for phone signups")
    challenge = pkce.read_challenge(body)
    channel.require_enabled(context, "signups")
    address = channel.parse(text)
    metadata = object_of(body, "data")
    new = SignUp(address, await passwords.hash_password(password), metadata, challenge)
    try:
        return await _register(context, request, channel, new)
    except psycopg.errors.UniqueViolation:
        # A double click: the other request was faster, and this one finds its user.
        return await _register(context, request, channel, new)


async def _register(
    context: Context, request: Request, channel: Channel, new: SignUp
) -> Response | errors.AuthError:
    redirect_to = redirect_of(request, context.auth)
    is_confirmed_later = channel.settings(context).enable_confirmations
    if is_confirmed_later:
        await require_message(context, channel, new.address, "confirmation")
    async with context.db.begin() as cursor:
        if is_confirmed_later:
            await require_pause(context, cursor, channel, new.address, "confirmation")
        existing_user = owner = await users.by_address(cursor, channel.name, new.address)
        if owner is None and channel is EMAIL:
            # An identity at a provider may have the address too: its owner's account is another one by now.
            owner = await identities.owner_of_email(cursor, new.address)
        if owner is not None and channel.is_confirmed(owner):
            await audit.record(cursor, request, owner, "user_repeated_signup", {"provider": channel.name})
            return _disguised(context, channel.name, new) if is_confirmed_later else errors.user_exists()
        user, messages = await registration.sign_up(
            context, cursor, request, channel, new, redirect_to, existing_user
        )
        if is_confirmed_later:
            response_body = await _user_json(cursor, user)
        else:
            await audit.record(cursor, request, user, "login", {"provider": channel.name})
            response_body = await sessions.open_session(context, cursor, request, user, "password")
    context.outbox.put(*messages)
    return JSONResponse(response_body)


async def _user_json(cursor: Cursor, user: User) -> dict[str, Any]:
    """An invited user's metadata and identities are not shown to a caller who signs up with the address."""
    shown = await users.to_json(cursor, user)
    return shown | ({"user_metadata": {}, "identities": []} if user.invited_at else {})


def _disguised(context: Context, provider: str, new: SignUp) -> Response:
    """Does not disclose that the address has an account: as a new user, but for the identities, which the official
    clients look at. No mail is sent, and nothing is changed."""
    now = users.time(sessions.moment(context.clock()))
    return JSONResponse(
        {
            "id": str(uuid.uuid4()),
            "aud": users.AUDIENCE,
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


async def _sign_up_anonymously(context: Context, request: Request, body: dict[str, Any]) -> Response:
    """A session without an address: its user cannot sign in again until an address or an identity is added.

    Upstream: `internal/api/anonymous.go`.
    """
    features.ANONYMOUS_USERS.require(context.auth)
    await context.limits.require("anonymous", request)
    if not context.auth.enable_signup:
        raise errors.signup_disabled()
    new = users.NewUser(metadata=object_of(body, "data"), is_anonymous=True)
    request.state.database_error = "Database error creating anonymous user"
    async with context.db.begin() as cursor:
        user = await registration.create(context, cursor, request, new)
        return JSONResponse(await sessions.open_session(context, cursor, request, user, "anonymous"))
