"""New users, made between the project's hooks, and sign-ups, whose users may have signed up before.

`before_user_created` may reject a user, `after_user_created` hears of one: upstream runs it after the commit, here it
still may undo. Upstream: supabase/auth, `internal/api/signup.go`, `internal/api/hooks.go`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from starlette.requests import Request

from localbase.auth.channels import EMAIL, PHONE, Channel
from localbase.auth.codes import confirmations, sms_codes
from localbase.auth.codes.token_mails import with_token
from localbase.auth.context import Context
from localbase.auth.messages.message import Message
from localbase.auth.sessions import pkce
from localbase.auth.tables import audit, identities, users
from localbase.auth.tables.rows import User
from localbase.auth.tables.users import NewUser
from localbase.postgres.service_pool import Cursor

# As upstream shows the times of a user who is not stored yet.
_NEVER = "0001-01-01T00:00:00Z"


@dataclass(frozen=True, slots=True)
class SignUp:
    """A checked sign-up: `address` is an e-mail address or a number."""

    address: str
    password_hash: str
    metadata: dict[str, Any]
    challenge: tuple[str, str] | None = None


async def create(context: Context, cursor: Cursor, request: Request, new: NewUser) -> User:
    """The new user's row, without an identity yet. Raises the error of a hook."""
    if context.hooks.is_on("before_user_created"):
        await context.hooks.call(cursor, request, "before_user_created", {"user": _shown(new)})
    user = await users.insert(cursor, new)
    if context.hooks.is_on("after_user_created"):
        shown = await users.to_json(cursor, user)
        await context.hooks.call(cursor, request, "after_user_created", {"user": shown})
    return user


async def _create_unconfirmed(
    context: Context, cursor: Cursor, request: Request, channel: Channel, new: SignUp
) -> User:
    """Return who signs up, with the identity that says so; both have the user's own metadata too."""
    email, phone = (new.address, "") if channel is EMAIL else ("", new.address)
    row = NewUser(
        email=email,
        phone=phone,
        password_hash=new.password_hash,
        metadata=new.metadata,
        providers=(channel.name,),
    )
    user = await create(context, cursor, request, row)
    # As upstream: the identity has its number once that is confirmed.
    claims = new.metadata | identities.own_claims(user.id, email=email)
    identity = await identities.add(cursor, user.id, channel.name, claims)
    return await identities.remove_unconfirmed(cursor, user, identity)


def _shown(new: NewUser) -> dict[str, Any]:
    providers = {"provider": new.providers[0], "providers": list(new.providers)} if new.providers else {}
    return {
        "id": str(new.id),
        "aud": new.aud,
        "role": "",
        "email": new.email,
        "phone": new.phone,
        "app_metadata": providers,
        "user_metadata": new.metadata,
        "identities": [],
        "created_at": _NEVER,
        "updated_at": _NEVER,
        "is_anonymous": new.is_anonymous,
    }


async def sign_up(
    context: Context,
    cursor: Cursor,
    request: Request,
    channel: Channel,
    new: SignUp,
    redirect_to: str,
    existing_user: User | None,
) -> tuple[User, list[Message]]:
    """The user: confirmed where the project wants no confirmation, else with a message that must be answered."""
    # Nothing of a known user is changed: who signs up has not shown that the address is theirs.
    user = existing_user or await _create_unconfirmed(context, cursor, request, channel, new)
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
