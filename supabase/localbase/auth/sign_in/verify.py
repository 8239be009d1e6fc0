"""`/verify`: what a mail's link leads to (GET), and the same for a code typed in (POST).

The link sends the browser on: with a code to exchange (PKCE), with tokens in the fragment (implicit flow), or with the
error in the fragment, and in the PKCE flow in the query too.

Upstream: supabase/auth, `internal/api/verify.go`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from starlette.requests import Request
from starlette.responses import JSONResponse, RedirectResponse, Response

from localbase.auth import errors
from localbase.auth.channels import parse_email, parse_phone
from localbase.auth.codes import confirmations, one_time_tokens
from localbase.auth.codes.one_time_tokens import Redeemed, TokenType
from localbase.auth.context import Context, read_body, text_of
from localbase.auth.errors import AuthError, validation_failed
from localbase.auth.messages.message import Mail
from localbase.auth.redirects import (
    redirect_of,
    tokens_of,
    with_error,
    with_fragment,
    with_message,
    with_query,
)
from localbase.auth.sessions import pkce, sessions
from localbase.auth.tables import users
from localbase.auth.tables.identities import sync_providers
from localbase.auth.tables.rows import User
from localbase.postgres.service_pool import Cursor

_TYPES: dict[str, Sequence[TokenType]] = {
    "email": ("confirmation_token", "recovery_token"),
    "signup": ("confirmation_token",),
    "invite": ("confirmation_token",),
    "recovery": ("recovery_token",),
    "magiclink": ("recovery_token",),
    "email_change": ("email_change_token_current", "email_change_token_new"),
}
_PHONE_TYPES: dict[str, Sequence[TokenType]] = {
    "sms": ("confirmation_token",),
    "phone_change": ("phone_change_token",),
}
# The flow that a mail's link belongs to, where it is not the type of the link itself.
_FLOWS = {"signup": "email/signup"}
_HALF_DONE = "Confirmation link accepted. Please proceed to confirm link sent to the other email"


@dataclass(frozen=True, slots=True)
class _Verification:
    """A checked request: a link's hash, or a code with the address that it was sent to."""

    type: str
    token_hash: str = ""
    address: str = ""
    code: str = ""


async def follow_link(context: Context, request: Request) -> Response:
    """GET: redirects to `redirect_to`."""
    redirect_to = redirect_of(request, context.auth)
    requested_type, token = request.query_params.get("type", ""), request.query_params.get("token", "")
    if not requested_type:
        raise validation_failed("Verify requires a verification type")
    if not token:
        raise validation_failed("Verify requires a token or a token hash")
    is_pkce = one_time_tokens.is_pkce(token)
    mails: list[Mail] = []
    try:
        async with context.db.begin() as cursor:
            redeemed = await _redeem_link(context, cursor, requested_type, token)
            link_type = _type_of(requested_type, redeemed)
            user, mails = await _accept(context, cursor, request, link_type, redeemed)
            if user is None:
                target = with_message(redirect_to, _HALF_DONE, pkce=is_pkce)
            elif is_pkce:
                code = await pkce.issue_code(context, cursor, user, _FLOWS.get(link_type, link_type))
                target = with_query(redirect_to, {"code": code})
            else:
                session = await sessions.open_session(context, cursor, request, user, "otp")
                target = with_fragment(redirect_to, tokens_of(session) | {"type": link_type})
    except AuthError as error:
        return RedirectResponse(with_error(redirect_to, error, pkce=is_pkce), 303)
    context.outbox.put(*mails)
    return RedirectResponse(target, 303)


async def verify_code(context: Context, request: Request) -> Response | AuthError:
    """POST: a session for `{type, token_hash}`, `{type, email, token}` or `{type, phone, token}`."""
    verification = _parse_verification(await read_body(request))
    async with context.db.begin() as cursor:
        if verification.token_hash:
            redeemed: Redeemed | AuthError = await _redeem_link(
                context, cursor, verification.type, verification.token_hash
            )
        else:
            redeemed = await _redeem_code(context, cursor, verification)
        if isinstance(redeemed, AuthError):
            return redeemed
        user, mails = await _accept(context, cursor, request, _type_of(verification.type, redeemed), redeemed)
        session = user and await sessions.open_session(context, cursor, request, user, "otp")
    context.outbox.put(*mails)
    if session is None:
        return JSONResponse({"msg": _HALF_DONE, "code": "200"})
    return JSONResponse(session)


def _parse_verification(body: dict[str, Any]) -> _Verification:
    kind, code, token_hash = text_of(body, "type"), text_of(body, "token"), text_of(body, "token_hash")
    email, phone = text_of(body, "email"), text_of(body, "phone")
    if not kind:
        raise validation_failed("Verify requires a verification type")
    if bool(code) == bool(token_hash):
        raise validation_failed("Verify requires either a token or a token hash")
    if token_hash:
        if email or phone or text_of(body, "redirect_to"):
            raise validation_failed("Only the token_hash and type should be provided")
        return _Verification(kind, token_hash=token_hash)
    if bool(email) == bool(phone):
        raise validation_failed("Only an email address or phone number should be provided on verify")
    if phone:
        return _Verification(kind, address=parse_phone(phone), code=code)
    try:
        return _Verification(kind, address=parse_email(email), code=code)
    except AuthError as error:
        raise validation_failed("Invalid email format", 422) from error


async def _redeem_link(context: Context, cursor: Cursor, kind: str, token_hash: str) -> Redeemed:
    if kind not in _TYPES:
        raise validation_failed("Invalid email verification type")
    return await one_time_tokens.redeem_link(context, cursor, token_hash, _TYPES[kind])


async def _redeem_code(context: Context, cursor: Cursor, verification: _Verification) -> Redeemed | AuthError:
    types = _PHONE_TYPES.get(verification.type) or _TYPES.get(verification.type)
    if types is None:
        raise validation_failed("Unsupported verification type")
    if ("@" in verification.address) is (verification.type in _PHONE_TYPES):
        # An address of the other sort: no such code was ever sent there.
        types = ()
    elif context.auth.sms.test_otp.get(verification.address) == verification.code:
        user = await _user_by_phone(cursor, verification)
        if user is not None:
            return errors.user_banned(403) if user.is_banned(context.clock()) else Redeemed(user, types[0])
    return await one_time_tokens.redeem_code(context, cursor, verification.address, verification.code, types)


async def _user_by_phone(cursor: Cursor, verification: _Verification) -> User | None:
    if verification.type == "phone_change":
        return await users.by_phone_change(cursor, verification.address)
    return await users.by_address(cursor, "phone", verification.address)


def _type_of(requested_type: str, redeemed: Redeemed) -> str:
    """`email` is a confirmation or a sign-in link, as the token has it."""
    if requested_type != "email":
        return requested_type
    return "signup" if redeemed.type == "confirmation_token" else "magiclink"


async def _accept(
    context: Context, cursor: Cursor, request: Request, kind: str, redeemed: Redeemed
) -> tuple[User | None, list[Mail]]:
    user: User | None = redeemed.user
    mails: list[Mail] = []
    if kind in ("signup", "invite"):
        user = await confirmations.accept_sign_up(context, cursor, request, redeemed.user)
    elif kind in ("recovery", "magiclink"):
        user = await confirmations.accept_recovery(context, cursor, request, redeemed.user)
    elif kind == "email_change":
        user, mails = await confirmations.accept_email_change(context, cursor, request, redeemed)
    elif kind == "sms":
        user = await confirmations.confirm_phone(context, cursor, request, redeemed.user)
    else:
        number = redeemed.user.phone_change or ""
        user, mails = await confirmations.change_phone(context, cursor, request, redeemed.user, number)
    return (await sync_providers(cursor, user.id) if user else None), mails
