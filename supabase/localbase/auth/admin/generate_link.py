"""`POST /admin/generate_link`: the service role makes a link and a code of a mail, and sends it itself.

Upstream: supabase/auth, `adminGenerateLink` in `internal/api/mail.go`.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, Literal, cast, get_args

from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from localbase.auth import errors
from localbase.auth.admin.invite import insert_unconfirmed, invited_user, mark_invited
from localbase.auth.channels import parse_email
from localbase.auth.codes import one_time_tokens, token_mails
from localbase.auth.codes.confirmations import unknown_password
from localbase.auth.codes.one_time_tokens import Issued
from localbase.auth.context import Context, object_of, read_body, text_of
from localbase.auth.messages.message import LinkType
from localbase.auth.redirects import is_allowed, redirect_of
from localbase.auth.tables import audit, users
from localbase.auth.tables.identities import owner_of_email
from localbase.auth.tables.rows import User
from localbase.auth.users import passwords
from localbase.postgres.service_pool import Cursor

Kind = Literal["signup", "invite", "magiclink", "recovery", "email_change_current", "email_change_new"]
_LINK_TYPES: dict[Kind, LinkType] = {
    "signup": "signup",
    "invite": "invite",
    "magiclink": "magiclink",
    "recovery": "recovery",
    "email_change_current": "email_change",
    "email_change_new": "email_change",
}


@dataclass(frozen=True, slots=True)
class _LinkRequest:
    """A checked request."""

    kind: Kind
    email: str
    new_email: str
    password_hash: str
    metadata: dict[str, Any]


async def generate_link(context: Context, request: Request) -> Response:
    """The user, with `action_link`, `email_otp`, `hashed_token`, `verification_type`, `redirect_to`."""
    body = await read_body(request)
    email, kind = parse_email(text_of(body, "email")), text_of(body, "type")
    if kind not in get_args(Kind):
        raise errors.validation_failed(f"Invalid email action link type requested: {kind}")
    requested_redirect = text_of(body, "redirect_to")
    redirect_to = (
        requested_redirect
        if requested_redirect and is_allowed(requested_redirect, context.auth)
        else redirect_of(request, context.auth)
    )
    async with context.db.begin() as cursor:
        existing_user = await users.by_address(cursor, "email", email)
    link_request = await _checked(context, body, cast(Kind, kind), email, existing_user)
    async with context.db.begin() as cursor:
        user = await users.by_address(cursor, "email", email)
        if user is None and link_request.kind == "magiclink":
            # A magic link for an unknown address signs up, with an unknown password.
            link_request = replace(link_request, kind="signup")
        user, issued = await _issue(context, cursor, request, link_request, user)
        shown = await users.by_id(cursor, str(user.id))
        assert shown is not None
        user_json = await users.to_json(cursor, shown)
    return JSONResponse(
        user_json
        | {
            "action_link": token_mails.action_link(
                context, _LINK_TYPES[link_request.kind], issued.token_hash, redirect_to
            ),
            "email_otp": issued.code,
            "hashed_token": issued.token_hash,
            "verification_type": link_request.kind,
            "redirect_to": redirect_to,
        }
    )


async def _checked(
    context: Context, body: dict[str, Any], kind: Kind, email: str, existing_user: User | None
) -> _LinkRequest:
    """Outside of every transaction, for a new user's password is hashed."""
    password_hash, new_email = "", ""
    if kind == "signup" and existing_user is None:
        password = text_of(body, "password")
        if not password:
            raise errors.validation_failed("Signup requires a valid password")
        passwords.require_strength(password, context.auth)
        password_hash = await passwords.hash_password(password)
    if kind in ("email_change_current", "email_change_new") and existing_user is not None:
        if kind == "email_change_current" and not context.auth.email.double_confirm_changes:
            raise errors.validation_failed("Enable secure email change to generate link for current email")
        new_email = parse_email(text_of(body, "new_email"))
    return _LinkRequest(kind, email, new_email, password_hash, object_of(body, "data"))


async def _issue(
    context: Context, cursor: Cursor, request: Request, link_request: _LinkRequest, user: User | None
) -> tuple[User, Issued]:
    if link_request.kind == "invite":
        invited = await invited_user(context, cursor, request, link_request.email, link_request.metadata)
        issued = await one_time_tokens.issue(
            context, cursor, invited, "confirmation_token", link_request.email
        )
        return await mark_invited(context, cursor, invited), issued
    if link_request.kind == "signup":
        signed_up = await _signed_up(context, cursor, request, link_request, user)
        return signed_up, await one_time_tokens.issue(
            context, cursor, signed_up, "confirmation_token", link_request.email
        )
    if user is None:
        raise errors.AuthError(404, "user_not_found", "User with this email not found")
    if link_request.kind in ("magiclink", "recovery"):
        await audit.record(cursor, request, user, "user_recovery_requested")
        return user, await one_time_tokens.issue(context, cursor, user, "recovery_token", link_request.email)
    return user, await _issue_email_change(context, cursor, link_request, user)


async def _signed_up(
    context: Context, cursor: Cursor, request: Request, link_request: _LinkRequest, user: User | None
) -> User:
    if user is None:
        return await insert_unconfirmed(
            context,
            cursor,
            request,
            link_request.email,
            link_request.metadata,
            link_request.password_hash or unknown_password(),
        )
    if user.email_confirmed_at is not None:
        raise errors.email_exists()
    return await users.merge_metadata(cursor, user, user_updates=link_request.metadata, app_updates=None)


async def _issue_email_change(
    context: Context, cursor: Cursor, link_request: _LinkRequest, user: User
) -> Issued:
    if await owner_of_email(cursor, link_request.new_email, besides=user.id) is not None:
        raise errors.email_exists()
    await cursor.execute(
        "update auth.users set email_change = %s, email_change_confirm_status = 0 where id = %s",
        [link_request.new_email, user.id],
    )
    if link_request.kind == "email_change_current":
        return await one_time_tokens.issue(
            context, cursor, user, "email_change_token_current", link_request.email
        )
    return await one_time_tokens.issue(
        context, cursor, user, "email_change_token_new", link_request.new_email
    )
