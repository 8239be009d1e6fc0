"""The effects of redeemed tokens: addresses and numbers are confirmed or changed. The caller opens the session.

Upstream: supabase/auth, `internal/api/verify.go`, `internal/models/user.go`.
"""

from __future__ import annotations

import secrets
import string

import bcrypt
import psycopg
from starlette.requests import Request

from localbase.auth import errors
from localbase.auth.codes import one_time_tokens
from localbase.auth.codes.one_time_tokens import Redeemed
from localbase.auth.codes.token_mails import notification
from localbase.auth.context import Context
from localbase.auth.messages.message import Mail
from localbase.auth.sessions.sessions import moment
from localbase.auth.tables import audit, identities
from localbase.auth.tables.rows import User, fetch_one
from localbase.postgres.service_pool import Cursor

_BCRYPT_LETTERS = "./" + string.ascii_letters + string.digits
_BCRYPT_DIGEST = 31


async def confirm_email(context: Context, cursor: Cursor, user: User) -> User:
    """The address is the user's own: on the user, in the metadata, and on the identities with this address."""
    now = moment(context.clock())
    await cursor.execute(
        """
        update auth.users set email_confirmed_at = coalesce(email_confirmed_at, %s), updated_at = %s,
          raw_user_meta_data = coalesce(raw_user_meta_data, '{}') || '{"email_verified": true}'
        where id = %s
        """,
        [now, now, user.id],
    )
    await cursor.execute(
        """
        update auth.identities set identity_data = identity_data || '{"email_verified": true}', updated_at = %s
        where user_id = %s and email = %s
        """,
        [now, user.id, user.email],
    )
    return await one_time_tokens.spend_all(cursor, user)


async def accept_sign_up(context: Context, cursor: Cursor, request: Request, user: User) -> User:
    """`signup` and `invite`. An invited user has no password; a value that fits no password is there instead."""
    if not user.encrypted_password and user.invited_at is not None:
        await cursor.execute(
            "update auth.users set encrypted_password = %s where id = %s", [unknown_password(), user.id]
        )
    await audit.record(cursor, request, user, "user_signedup", {"provider": "email"})
    return await confirm_email(context, cursor, user)


async def accept_recovery(context: Context, cursor: Cursor, request: Request, user: User) -> User:
    """`recovery` and `magiclink`: they confirm the address too, for the mail has arrived there."""
    if user.email_confirmed_at is None:
        await audit.record(cursor, request, user, "user_signedup", {"provider": "email"})
        return await confirm_email(context, cursor, user)
    await audit.record(cursor, request, user, "login")
    return await one_time_tokens.spend_all(cursor, user)


async def accept_email_change(
    context: Context, cursor: Cursor, request: Request, redeemed: Redeemed
) -> tuple[User | None, list[Mail]]:
    """`email_change`: no user yet while the other address's token is wanted too."""
    user = redeemed.user
    settings = context.auth.email
    if (
        settings.enable_confirmations
        and settings.double_confirm_changes
        and user.email_change_confirm_status == 0
        and user.email
    ):
        await one_time_tokens.spend(cursor, user, redeemed.type)
        await cursor.execute("update auth.users set email_change_confirm_status = 1 where id = %s", [user.id])
        return None, []
    return await change_email(context, cursor, request, user, user.email_change or "")


async def change_email(
    context: Context, cursor: Cursor, request: Request, user: User, email: str
) -> tuple[User, list[Mail]]:
    """The new address is the user's, and confirmed. Raises 422 when another user has it by now."""
    await audit.record(cursor, request, user, "user_modified")
    await _prove_identity(cursor, user, "email", email)
    now = moment(context.clock())
    try:
        await cursor.execute(
            """
            update auth.users set email = %s, email_change = '', email_change_confirm_status = 0,
              is_anonymous = false, updated_at = %s
            where id = %s returning *
            """,
            [email, now, user.id],
        )
    except psycopg.errors.UniqueViolation as error:
        raise errors.email_exists() from error
    changed = await fetch_one(cursor, User)
    if changed.email_confirmed_at is None:
        changed = await confirm_email(context, cursor, changed)
    else:
        changed = await one_time_tokens.spend_all(cursor, changed)
    if not user.email or user.email == email:
        return changed, []
    return changed, notification(context, changed, "email_changed", to=user.email, OldEmail=user.email)


async def confirm_phone(context: Context, cursor: Cursor, request: Request, user: User) -> User:
    """`sms`: the number is the user's own."""
    await audit.record(cursor, request, user, "user_signedup", {"provider": "phone"})
    now = moment(context.clock())
    await cursor.execute(
        """
        update auth.users set phone_confirmed_at = %s, is_anonymous = false, updated_at = %s where id = %s
        """,
        [now, now, user.id],
    )
    return await one_time_tokens.spend_all(cursor, user)


async def change_phone(
    context: Context, cursor: Cursor, request: Request, user: User, phone: str
) -> tuple[User, list[Mail]]:
    """`phone_change`: the new number is the user's, and confirmed. Raises 422 when another user has it by now."""
    await audit.record(cursor, request, user, "user_modified")
    is_new_identity = await _prove_identity(cursor, user, "phone", phone)
    now = moment(context.clock())
    try:
        await cursor.execute(
            """
            update auth.users set phone = %s, phone_change = '', phone_confirmed_at = %s, is_anonymous = false,
              updated_at = %s
            where id = %s
            """,
            [phone, now, now, user.id],
        )
    except psycopg.errors.UniqueViolation as error:
        raise errors.phone_exists() from error
    changed = await one_time_tokens.spend_all(cursor, user)
    mails: list[Mail] = []
    if user.phone and user.phone != phone:
        mails += notification(context, changed, "phone_changed", Phone=phone, OldPhone=user.phone)
    if is_new_identity:
        mails += notification(context, changed, "identity_linked", Provider="phone")
    return changed, mails


def unknown_password() -> str:
    """A hash in bcrypt's form of a password that is not known, made without bcrypt's work."""
    digest = "".join(secrets.choice(_BCRYPT_LETTERS) for _ in range(_BCRYPT_DIGEST))
    return bcrypt.gensalt(10).decode() + digest


async def _prove_identity(cursor: Cursor, user: User, provider: str, address: str) -> bool:
    """The user's identity by e-mail or phone has this address, verified. Whether there was none before."""
    claims = {provider: address, f"{provider}_verified": True}
    return await identities.set_own(cursor, user, provider, claims)
