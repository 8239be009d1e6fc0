"""`/user`: the signed-in user reads and changes the own account.

Upstream: supabase/auth, `internal/api/user.go`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from localbase.auth import errors
from localbase.auth.channels import EMAIL, PHONE, parse_email, parse_phone
from localbase.auth.codes import confirmations, one_time_tokens, sms_codes
from localbase.auth.codes.intervals import require_message, require_pause
from localbase.auth.codes.token_mails import notification, of_email_change
from localbase.auth.context import Context, object_of, read_body, text_of
from localbase.auth.errors import AuthError, validation_failed
from localbase.auth.messages.message import Message
from localbase.auth.redirects import redirect_of
from localbase.auth.sessions import callers, pkce
from localbase.auth.sessions.callers import SignedIn
from localbase.auth.tables import audit, users
from localbase.auth.tables.identities import owner_of_email, sync_providers
from localbase.auth.tables.rows import User, fetch_one
from localbase.auth.users import passwords
from localbase.postgres.service_pool import Cursor

# A session that is older is asked for a code before the password changes.
_RECENT_SECONDS = 24 * 3600
# Sessions opened by a mail: a user who came by one may have forgotten the present password.
_BY_MAIL = ["otp", "magiclink", "recovery"]


@dataclass(frozen=True, slots=True)
class _Change:
    """A checked request: empty is unchanged."""

    email: str
    phone: str
    password: str
    current_password: str
    nonce: str
    data: dict[str, Any]
    challenge: tuple[str, str] | None
    redirect_to: str


@dataclass(frozen=True, slots=True)
class _Passwords:
    """Bcrypt's results for the passwords in a request, against the hash that was stored then."""

    stored: str | None
    is_same: bool
    is_current: bool
    hashed: str | None


async def read_user(context: Context, request: Request) -> Response:
    """GET."""
    async with context.db.begin() as cursor:
        caller = await callers.require_user(context, cursor, request, from_client=True)
        return JSONResponse(await users.to_json(cursor, caller.user))


async def update_user(context: Context, request: Request) -> Response | AuthError:
    """PUT: `email`, `phone`, `password` (with `nonce`, `current_password`) and `data`, which is merged."""
    body = await read_body(request)
    async with context.db.begin() as cursor:
        caller = await callers.require_user(context, cursor, request)
    change = _checked(context, request, body)
    if body.get("app_metadata") is not None:
        raise AuthError(403, "not_admin", "Updating app_metadata requires admin privileges")
    if change.email and change.email != caller.user.email:
        await require_message(context, EMAIL, change.email, "email change")
    if change.phone and change.phone != caller.user.phone and context.auth.sms.enable_confirmations:
        await require_message(context, PHONE, change.phone, "phone change")
    password_check = await _passwords(change, caller.user)
    messages: list[Message] = []
    async with context.db.begin() as cursor:
        caller = await callers.require_user(context, cursor, request)
        await cursor.execute("select * from auth.users where id = %s for update", [caller.user.id])
        user = await fetch_one(cursor, User)
        await _require_allowed(cursor, caller, user, change)
        if change.password:
            error = await _set_password(context, cursor, request, caller, user, change, password_check)
            if error is not None:
                return error
            messages += notification(context, user, "password_changed")
        await users.merge_metadata(cursor, user, user_updates=change.data, app_updates=None)
        if change.email and change.email != user.email:
            messages += await _change_email(context, cursor, request, user, change)
        if change.phone and change.phone != user.phone:
            messages += await _change_phone(context, cursor, request, user, change.phone)
        await audit.record(cursor, request, user, "user_modified")
        changed = await users.by_id(cursor, str(user.id))
        assert changed is not None
        user_json = await users.to_json(cursor, changed)
    context.outbox.put(*messages)
    return JSONResponse(user_json)


def _checked(context: Context, request: Request, body: dict[str, Any]) -> _Change:
    email, phone, password = (text_of(body, name) for name in ("email", "phone", "password"))
    if phone:
        sms_codes.require_channel(body)
    if password or body.get("password") is not None:
        passwords.require_strength(password, context.auth)
    return _Change(
        email=parse_email(email) if email else "",
        phone=parse_phone(phone) if phone else "",
        password=password,
        current_password=text_of(body, "current_password"),
        nonce=text_of(body, "nonce"),
        data=object_of(body, "data"),
        challenge=pkce.read_challenge(body) if email else None,
        redirect_to=redirect_of(request, context.auth),
    )


async def _passwords(change: _Change, user: User) -> _Passwords:
    """Outside of every transaction: bcrypt takes its time."""
    stored = user.encrypted_password
    if not change.password:
        return _Passwords(stored, is_same=False, is_current=False, hashed=None)
    is_current = bool(change.current_password) and await passwords.matches(change.current_password, stored)
    is_same = await passwords.matches(change.password, stored)
    hashed = None if is_same else await passwords.hash_password(change.password)
    return _Passwords(stored, is_same, is_current, hashed)


async def _require_allowed(cursor: Cursor, caller: SignedIn, user: User, change: _Change) -> None:
    new_email = bool(change.email) and change.email != user.email
    new_phone = bool(change.phone) and change.phone != user.phone
    if (change.password or new_email or new_phone) and not _is_aal2(caller):
        await cursor.execute(
            "select from auth.mfa_factors where user_id = %s and status = 'verified' limit 1", [user.id]
        )
        if await cursor.fetchone() is not None:
            raise errors.insufficient_aal(
                "AAL2 session is required to update email or password when MFA is enabled.", 401
            )
    if user.is_anonymous and change.password and not change.email and not change.phone:
        raise validation_failed(
            "Updating password of an anonymous user without an email or phone is not allowed", 422
        )
    if user.is_sso_user and (change.password or new_email or new_phone or change.nonce):
        raise AuthError(
            422,
            "user_sso_managed",
            "Updating email, phone, password of a SSO account only possible via SSO",
        )
    if new_email and await owner_of_email(cursor, change.email, besides=user.id) is not None:
        raise errors.email_exists()
    if new_phone and await users.by_address(cursor, "phone", change.phone) is not None:
        raise errors.phone_exists()


def _is_aal2(caller: SignedIn) -> bool:
    return caller.session is not None and caller.session.aal == "aal2"


async def _set_password(
    context: Context,
    cursor: Cursor,
    request: Request,
    caller: SignedIn,
    user: User,
    change: _Change,
    password_check: _Passwords,
) -> AuthError | None:
    """The error is returned: a wrong nonce counts."""
    if context.auth.email.secure_password_change and not _is_recent(context, caller):
        if not change.nonce:
            raise AuthError(400, "reauthentication_needed", "Password update requires reauthentication")
        if not await one_time_tokens.is_reauthenticated(context, cursor, user, change.nonce):
            return AuthError(422, "reauthentication_not_valid", "Nonce has expired or is invalid")
    if context.auth.email.require_current_password and user.encrypted_password:
        await _require_current_password(cursor, caller, change, password_check)
    if user.encrypted_password != password_check.stored:
        raise AuthError(409, "conflict", "The password was changed by another request, please try again")
    if password_check.is_same:
        raise AuthError(422, "same_password", "New password should be different from the old password.")
    await cursor.execute(
        "update auth.users set encrypted_password = %s, updated_at = now() where id = %s",
        [password_check.hashed, user.id],
    )
    # What the old password's holder has set going ends with it: their links, codes and sessions elsewhere.
    await one_time_tokens.spend_all(cursor, user)
    await cursor.execute(
        "delete from auth.sessions where user_id = %s and id is distinct from %s",
        [user.id, caller.session and caller.session.id],
    )
    await audit.record(cursor, request, user, "user_updated_password")
    return None


async def _require_current_password(
    cursor: Cursor, caller: SignedIn, change: _Change, password_check: _Passwords
) -> None:
    await cursor.execute(
        "select from auth.mfa_amr_claims where session_id = %s and authentication_method = any(%s)",
        [caller.session and caller.session.id, _BY_MAIL],
    )
    if await cursor.fetchone() is not None:
        return
    text = "Current password required when setting new password."
    if not change.current_password:
        raise AuthError(400, "current_password_required", text)
    if not password_check.is_current:
        raise AuthError(400, "current_password_invalid", text)


def _is_recent(context: Context, caller: SignedIn) -> bool:
    began = caller.session.created_at.timestamp() if caller.session else 0
    return context.clock() - began <= _RECENT_SECONDS


async def _change_email(
    context: Context, cursor: Cursor, request: Request, user: User, change: _Change
) -> list[Message]:
    if user.is_anonymous and not context.auth.email.enable_confirmations:
        # As at a sign-up. Other users always confirm a change.
        changed, mails = await confirmations.change_email(context, cursor, request, user, change.email)
        await sync_providers(cursor, changed.id)
        return [*mails]
    await require_pause(context, cursor, EMAIL, user.email or str(user.id), "email_change")
    is_pkce = await pkce.start_flow(cursor, user, change.challenge, "email_change")
    return [*await of_email_change(context, cursor, user, change.email, change.redirect_to, pkce=is_pkce)]


async def _change_phone(
    context: Context, cursor: Cursor, request: Request, user: User, phone: str
) -> list[Message]:
    if not context.auth.sms.enable_confirmations:
        changed, mails = await confirmations.change_phone(context, cursor, request, user, phone)
        await sync_providers(cursor, changed.id)
        return [*mails]
    await require_pause(context, cursor, PHONE, user.phone or str(user.id), "phone_change")
    await cursor.execute("update auth.users set phone_change = %s where id = %s", [phone, user.id])
    return [*await sms_codes.send_code(context, cursor, user, phone, "phone_change_token")]
