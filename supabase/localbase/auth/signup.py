"""`POST /signup`: a new user with e-mail and password; a verification mail where the project requires one."""

from __future__ import annotations

import uuid
from dataclasses import dataclass
from typing import Any

import psycopg
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from localbase.auth import errors, one_time_tokens, passwords, pkce, sessions, user_store
from localbase.auth.addresses import parse_email, parse_redirect
from localbase.auth.context import Context, object_of, read_body, text_of
from localbase.auth.rows import User
from localbase.postgres.service_pool import Cursor


async def signup(context: Context, request: Request) -> Response:
    """The user (a mail is on its way), or a session where no verification is required."""
    body = await read_body(request)
    if not context.auth.enable_signup or not context.auth.email.enable_signup:
        raise errors.signup_disabled()
    if not text_of(body, "email"):
        if text_of(body, "phone"):
            raise errors.AuthError(400, "phone_provider_disabled", "Phone signups are disabled")
        raise errors.AuthError(422, "anonymous_provider_disabled", "Anonymous sign-ins are disabled")
    password = text_of(body, "password")
    if not password:
        raise errors.validation_failed("Signup requires a valid password")
    email = parse_email(text_of(body, "email"))
    passwords.require_strength(password, context.auth)
    challenge = pkce.read_challenge(body)
    metadata = object_of(body, "data")
    hashed = await passwords.hash_password(password)
    new = _New(email, hashed, metadata, challenge)
    try:
        return await _register(context, request, new)
    except psycopg.errors.UniqueViolation:
        # A double click: the other request was faster, and this one finds its user.
        return await _register(context, request, new)


@dataclass(frozen=True, slots=True)
class _New:
    """A sign-up: the checked address, the password's hash, own data, and the PKCE challenge."""

    email: str
    hashed: str
    metadata: dict[str, Any]
    challenge: tuple[str, str] | None


async def _register(context: Context, request: Request, new: _New) -> Response:
    async with context.db.begin() as cursor:
        existing = await user_store.by_email(cursor, new.email)
        if existing is not None and existing.email_confirmed_at is not None:
            return _answer_known_address(context, new.email, new.metadata)
        verified_later = context.auth.email.enable_confirmations
        user = existing or await user_store.insert_with_email(
            cursor,
            email=new.email,
            password_hash=new.hashed,
            metadata=new.metadata,
            confirmed=not verified_later,
        )
        if not verified_later:
            if existing is not None:
                user = await user_store.mark_confirmed(cursor, existing)
            return JSONResponse(await sessions.open_session(context, cursor, request, user, "password"))
        return JSONResponse(await _send_verification(context, cursor, request, user, new.challenge))


async def _send_verification(
    context: Context, cursor: Cursor, request: Request, user: User, challenge: tuple[str, str] | None
) -> dict[str, Any]:
    if challenge is not None:
        await pkce.begin(cursor, user, challenge, "email/signup")
    redirect_to = parse_redirect(request.query_params.get("redirect_to"), context.auth)
    await one_time_tokens.mail_token(context, cursor, user, "signup", redirect_to, pkce=challenge is not None)
    fresh = await user_store.by_id(cursor, str(user.id))
    assert fresh is not None
    return await user_store.to_json(cursor, fresh)


def _answer_known_address(context: Context, email: str, metadata: dict[str, Any]) -> Response:
    if not context.auth.email.enable_confirmations:
        raise errors.user_exists()
    # Does not disclose whether an address has an account: the response looks like a new user's, but for the
    # identities, which the official clients look at. No mail is sent, nothing is stored.
    now = user_store.time(sessions.moment(context.clock()))
    return JSONResponse(
        {
            "id": str(uuid.uuid4()),
            "aud": user_store.AUDIENCE,
            "role": "",
            "email": email,
            "phone": "",
            "confirmation_sent_at": now,
            "app_metadata": {"provider": "email", "providers": ["email"]},
            "user_metadata": metadata,
            "identities": [],
            "created_at": now,
            "updated_at": now,
            "is_anonymous": False,
        }
    )
