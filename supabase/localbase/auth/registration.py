"""A new user, or the one who has signed up before and confirmed nothing yet: for `/signup` and `/otp`.

Upstream: supabase/auth, `internal/api/signup.go`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from starlette.requests import Request

from localbase.auth import audit, confirmations, mailing, new_users, one_time_tokens, phones, pkce, user_store
from localbase.auth.context import Context
from localbase.auth.mails import Mail, Sms
from localbase.auth.rows import User
from localbase.postgres.service_pool import Cursor


@dataclass(frozen=True, slots=True)
class NewUser:
    """A checked sign-up: `address` is an e-mail address or a number."""

    address: str
    password_hash: str
    metadata: dict[str, Any]
    challenge: tuple[str, str] | None = None


async def by_email(
    context: Context,
    cursor: Cursor,
    request: Request,
    new: NewUser,
    redirect_to: str,
    existing_user: User | None,
) -> tuple[User, list[Mail]]:
    """The user: confirmed where the project wants no confirmation, else with a mail that must be followed."""
    # Nothing of a known user is changed: who signs up has not shown that the address is theirs.
    user = existing_user or await new_users.create_with_email(
        context,
        cursor,
        request,
        email=new.address,
        password_hash=new.password_hash,
        metadata=new.metadata,
    )
    traits = {"provider": "email"}
    if not context.auth.email.enable_confirmations:
        await audit.record(cursor, request, user, "user_signedup", traits)
        return await user_store.mark_confirmed(cursor, user), []
    await audit.record(cursor, request, user, "user_confirmation_requested", traits)
    return await confirmation_mail(context, cursor, user, new.challenge, redirect_to)


async def confirmation_mail(
    context: Context, cursor: Cursor, user: User, challenge: tuple[str, str] | None, redirect_to: str
) -> tuple[User, list[Mail]]:
    """A link and a code to confirm the user's address."""
    assert user.email
    is_pkce = await pkce.start_flow(cursor, user, challenge, "email/signup")
    issued = await one_time_tokens.issue(
        context, cursor, user, "confirmation_token", user.email, pkce=is_pkce
    )
    mail = mailing.with_token(
        context,
        user,
        "confirmation",
        to=user.email,
        code=issued.code,
        token_hash=issued.token_hash,
        redirect_to=redirect_to,
    )
    fresh = await user_store.by_id(cursor, str(user.id))
    assert fresh is not None
    return fresh, [mail]


async def by_phone(
    context: Context, cursor: Cursor, request: Request, new: NewUser, existing_user: User | None
) -> tuple[User, list[Sms]]:
    """The same for a number."""
    user = existing_user or await new_users.create_with_phone(
        context,
        cursor,
        request,
        phone=new.address,
        password_hash=new.password_hash,
        metadata=new.metadata,
    )
    if not context.auth.sms.enable_confirmations:
        return await confirmations.confirm_phone(context, cursor, request, user), []
    await audit.record(cursor, request, user, "user_confirmation_requested", {"provider": "phone"})
    sms = await phones.send_code(context, cursor, user, new.address, "confirmation_token")
    fresh = await user_store.by_id(cursor, str(user.id))
    assert fresh is not None
    return fresh, sms
