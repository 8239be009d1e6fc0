"""The account of a provider's identity: its own, one with the same verified address, or a new one.

Upstream: supabase/auth, `internal/models/linking.go`. All providers are one linking domain here: there is no single
sign-on, and a project cannot name domains of its own.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal
from uuid import UUID

from localbase.auth.providers.provider import Address, Person
from localbase.auth.tables import identities, users
from localbase.auth.tables.rows import Identity, User
from localbase.postgres.service_pool import Cursor

_NONE = Address("", verified=False, primary=True)


@dataclass(frozen=True, slots=True)
class Decision:
    """The account. `user` is there for `exists` and `link`, `identity` for `exists`; `address` is a new user's."""

    kind: Literal["exists", "link", "create", "multiple"]
    address: Address
    user: User | None = None
    identity: Identity | None = None


async def decide(cursor: Cursor, provider: str, person: Person, *, autoconfirm: bool) -> Decision:
    """The account of `person`. With `autoconfirm` every address counts as verified, as it does at a sign-up."""
    primary = next((each for each in reversed(person.addresses) if each.primary), _NONE)
    candidate = Address(primary.email.lower(), primary.verified, primary=True)
    identity = await identities.find(cursor, provider, person.subject)
    user = await users.by_id(cursor, str(identity.user_id)) if identity else None
    if identity is not None and user is not None:
        # The account's own address: the provider may tell none.
        candidate = Address(user.email or "", candidate.verified, primary=True)
        return Decision("exists", candidate, user, identity)
    verified = [each.email.lower() for each in person.addresses if each.verified or autoconfirm]
    if not verified:
        if candidate.email and await identities.owner_of_email(cursor, candidate.email) is not None:
            candidate = _NONE
        return Decision("create", candidate)
    owners = await _owners(cursor, verified)
    if not owners:
        return Decision("create", candidate)
    if len(owners) > 1:
        return Decision("multiple", candidate)
    return Decision("link", candidate, await users.by_id(cursor, str(owners[0])))


async def _owners(cursor: Cursor, emails: list[str]) -> list[UUID]:
    """The users with an identity of one of the addresses; if there is none, those with the address itself."""
    await cursor.execute(
        "select distinct user_id as id from auth.identities where email = any(%s) and provider not like 'sso:%%'",
        [emails],
    )
    user_ids = [row["id"] for row in await cursor.fetchall()]
    if not user_ids:
        await cursor.execute("select id from auth.users where email = any(%s) and not is_sso_user", [emails])
        user_ids = [row["id"] for row in await cursor.fetchall()]
    return user_ids
