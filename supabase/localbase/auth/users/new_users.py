"""New users, made between the project's hooks: `before_user_created` may reject one, `after_user_created` hears of it.

Upstream: supabase/auth, `internal/api/hooks.go`. There the second hook runs after the commit; here it still may undo.
"""

from __future__ import annotations

from typing import Any

from starlette.requests import Request

from localbase.auth.channels import EMAIL, Channel
from localbase.auth.context import Context
from localbase.auth.tables import identities, users
from localbase.auth.tables.rows import User
from localbase.auth.tables.users import NewUser
from localbase.postgres.service_pool import Cursor

# As upstream shows the times of a user who is not stored yet.
_NEVER = "0001-01-01T00:00:00Z"


async def create(context: Context, cursor: Cursor, request: Request, new: NewUser) -> User:
    """The new user's row, without an identity yet. Raises the error of a hook."""
    if context.hooks.is_on("before_user_created"):
        await context.hooks.call(cursor, request, "before_user_created", {"user": _shown(new)})
    user = await users.insert(cursor, new)
    if context.hooks.is_on("after_user_created"):
        shown = await users.to_json(cursor, user)
        await context.hooks.call(cursor, request, "after_user_created", {"user": shown})
    return user


async def create_with_address(
    context: Context,
    cursor: Cursor,
    request: Request,
    channel: Channel,
    *,
    address: str,
    password_hash: str,
    metadata: dict[str, Any],
) -> User:
    """Return who signs up, unconfirmed, with the identity that says so; both have the user's own metadata too."""
    email, phone = (address, "") if channel is EMAIL else ("", address)
    new = NewUser(
        email=email, phone=phone, password_hash=password_hash, metadata=metadata, providers=(channel.name,)
    )
    user = await create(context, cursor, request, new)
    # As upstream: the identity has its number once that is confirmed.
    claims = metadata | identities.own_claims(user.id, email=email)
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
