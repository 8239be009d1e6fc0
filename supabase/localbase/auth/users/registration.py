"""A new user, or the one who has signed up before and confirmed nothing yet: for `/signup` and `/otp`.

Upstream: supabase/auth, `internal/api/signup.go`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from starlette.requests import Request

from localbase.auth.channels import PHONE, Channel
from localbase.auth.codes import confirmations, sms_codes
from localbase.auth.codes.token_mails import with_token
from localbase.auth.context import Context
from localbase.auth.messages.message import Message
from localbase.auth.sessions import pkce
from localbase.auth.tables import audit, users
from localbase.auth.tables.rows import User
from localbase.auth.users import new_users
from localbase.postgres.service_pool import Cursor


@dataclass(frozen=True, slots=True)
class NewUser:
    """A checked sign-up: `address` is an e-mail address or a number."""

    address: str
    password_hash: str
    metadata: dict[str, Any]
    challenge: tuple[str, str] | None = None


async def sign_up(
    context: Context,
    cursor: Cursor,
    request: Request,
    channel: Channel,
    new: NewUser,
    redirect_to: str,
    existing_user: User | None,
) -> tuple[User, list[Message]]:
    """The user: confirmed where the project wants no confirmation, else with a message that must be answered."""
    # Nothing of a known user is changed: who signs up has not shown that the address is theirs.
    user = existing_user or await new_users.create_with_address(
        context,
        cursor,
        request,
        channel,
        address=new.address,
        password_hash=new.password_hash,
        metadata=new.metadata,
    )
    traits = {"provider": channel.name}
    if channel.settings(context).enable_confirmations:
        await audit.record(cursor, request, user, "user_confirmation_requested", traits)
        return await confirmation(context, cursor, channel, user, new.challenge, redirect_to)
    if channel is PHONE:
        return await confirmations.confirm_phone(context, cursor, request, user), []
    await audit.record(cursor, request, user, "user_signedup", traits)
    return await users.mark_confirmed(cursor, user), []


async def confirmation(
    context: Context,
    cursor: Cursor,
    channel: Channel,
    user: User,
    challenge: tuple[str, str] | None,
    redirect_to: str,
) -> tuple[User, list[Message]]:
    """The message that confirms the user's address: a mail with a link and a code, or an SMS with a code."""
    address = channel.address_of(user)
    messages: list[Message] = []
    if channel is PHONE:
        messages += await sms_codes.send_code(context, cursor, user, address, "confirmation_token")
    else:
        is_pkce = await pkce.start_flow(cursor, user, challenge, "email/signup")
        messages.append(
            await with_token(context, cursor, user, "confirmation", address, redirect_to, pkce=is_pkce)
        )
    fresh = await users.by_id(cursor, str(user.id))
    assert fresh is not None
    return fresh, messages
