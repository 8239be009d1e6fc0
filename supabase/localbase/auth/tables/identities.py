"""Rows of `auth.identities`: what the service, or a provider, has proved about a user, and what follows from it.

Upstream: supabase/auth, `internal/models/identity.go` and `internal/models/user.go`.
"""

from __future__ import annotations

import json
from typing import Any
from uuid import UUID

import psycopg

from localbase.auth.tables.rows import Identity, User, fetch, fetch_all, fetch_one
from localbase.postgres.service_pool import Cursor

# The ways to sign in that the service proves itself: their subject is the user's id.
OWN_PROVIDERS = ("email", "phone")


def own_claims(user_id: UUID, *, email: str = "", phone: str = "") -> dict[str, Any]:
    """The data of an identity that the service will vouch for. Nothing that a user writes may stand in its place."""
    return {
        "sub": str(user_id),
        **({"email": email} if email else {}),
        **({"phone": phone} if phone else {}),
        "email_verified": False,
        "phone_verified": False,
    }


async def add(cursor: Cursor, user_id: UUID, provider: str, data: dict[str, Any]) -> Identity:
    """One more way for the user to sign in. `data["sub"]` is the provider's id of the user."""
    # Not now(): the order of identities counts, and two may be made in one transaction.
    await cursor.execute(
        """
        insert into auth.identities (provider_id, user_id, identity_data, provider, last_sign_in_at, created_at,
          updated_at)
        values (%s, %s, %s, %s, clock_timestamp(), clock_timestamp(), clock_timestamp()) returning *
        """,
        [data["sub"], user_id, json.dumps(_lowered(data)), provider],
    )
    return await fetch_one(cursor, Identity)


async def find(cursor: Cursor, provider: str, provider_id: str) -> Identity | None:
    """The identity with this id at the provider. It is not locked: the user's lock comes first, everywhere."""
    await cursor.execute(
        "select * from auth.identities where provider = %s and provider_id = %s", [provider, provider_id]
    )
    return await fetch(cursor, Identity)


async def owner_of_email(cursor: Cursor, email: str, besides: UUID | None = None) -> User | None:
    """The user other than `besides` who has this address, on the account or on an identity (single sign-on aside)."""
    await cursor.execute(
        """
        select users.* from auth.users as users
        where users.id is distinct from %(besides)s and users.id in (
          select id from auth.users where email = %(email)s and not is_sso_user
          union all
          select user_id from auth.identities where email = %(email)s and provider not like 'sso:%%'
        )
        order by users.email is distinct from %(email)s limit 1
        """,
        {"email": email, "besides": besides},
    )
    return await fetch(cursor, User)


async def of_user(cursor: Cursor, user_id: UUID) -> list[Identity]:
    """All of a user's identities, the oldest first."""
    await cursor.execute(
        "select * from auth.identities where user_id = %s order by created_at, id", [user_id]
    )
    return await fetch_all(cursor, Identity)


async def merge_data(cursor: Cursor, identity: Identity, updates: dict[str, Any]) -> None:
    """Sets keys of the identity's data."""
    await cursor.execute(
        "update auth.identities set identity_data = identity_data || %s, updated_at = now() where id = %s",
        [json.dumps(_lowered(updates)), identity.id],
    )


async def replace_data(cursor: Cursor, identity: Identity, data: dict[str, Any]) -> Identity:
    """The identity has signed in again: what the provider says now counts."""
    await cursor.execute(
        """
        update auth.identities set identity_data = %s, last_sign_in_at = now(), updated_at = now() where id = %s
        returning *
        """,
        [json.dumps(_lowered(data)), identity.id],
    )
    return await fetch_one(cursor, Identity)


async def set_own(cursor: Cursor, user: User, provider: str, claims: dict[str, Any]) -> bool:
    """The user's identity by e-mail or phone has `claims`. Whether there was none before."""
    existing = await find(cursor, provider, str(user.id))
    if existing is None:
        await add(cursor, user.id, provider, own_claims(user.id) | claims)
    else:
        await merge_data(cursor, existing, claims)
    return existing is None


async def sync_providers(cursor: Cursor, user_id: UUID) -> User:
    """Writes the user's providers into the app metadata, the oldest first; the user as it is then."""
    providers = list(dict.fromkeys(identity.provider for identity in await of_user(cursor, user_id)))
    values = {"providers": providers, **({"provider": providers[0]} if providers else {})}
    await cursor.execute(
        """
        update auth.users set raw_app_meta_data = coalesce(raw_app_meta_data, '{}') || %s, updated_at = now()
        where id = %s returning *
        """,
        [json.dumps(values), user_id],
    )
    return await fetch_one(cursor, User)


async def remove_unconfirmed(cursor: Cursor, user: User, proved: Identity) -> User:
    """Leaves an unconfirmed user with the one identity that was proved, and with its data alone.

    Everything else may have been left there by a stranger who waits for the address's owner: another identity, the
    metadata, and, unless it belongs to this very identity, the password.
    """
    await cursor.execute(
        """
        update auth.users set raw_user_meta_data = %s, updated_at = now(),
          encrypted_password = case when %s then encrypted_password end
        where id = %s
        """,
        [json.dumps(proved.identity_data), proved.provider in OWN_PROVIDERS, user.id],
    )
    await cursor.execute("delete from auth.identities where user_id = %s and id <> %s", [user.id, proved.id])
    return await sync_providers(cursor, user.id)


async def promote_email(cursor: Cursor, user: User, *, autoconfirm: bool) -> User | None:
    """Lets the account's address be one of its identities': the best verified one that no other user has.

    None if each of them is taken; the caller rolls back then. An address that is not verified does not stay confirmed;
    links and codes that went to the address before are void.
    """
    identities = await of_user(cursor, user.id)
    if any((identity.email or "") == (user.email or "") for identity in identities):
        return user
    for identity in sorted(identities, key=_rank):
        email = identity.email or ""
        if email and await _has_owner(cursor, email):
            continue
        is_confirmed = bool(email) and (autoconfirm or identity.identity_data.get("email_verified") is True)
        await cursor.execute("delete from auth.one_time_tokens where user_id = %s", [user.id])
        try:
            await cursor.execute(
                """
                update auth.users set email = nullif(%(email)s, ''), updated_at = now(),
                  email_confirmed_at = case when %(confirmed)s then email_confirmed_at end,
                  raw_user_meta_data = case when %(confirmed)s then raw_user_meta_data
                    else coalesce(raw_user_meta_data, '{}') || '{"email_verified": false}' end,
                  confirmation_token = '', confirmation_sent_at = null, recovery_token = '', recovery_sent_at = null,
                  email_change = '', email_change_token_current = '', email_change_token_new = '',
                  email_change_sent_at = null, email_change_confirm_status = 0, phone_change = '',
                  phone_change_token = '', phone_change_sent_at = null, reauthentication_token = '',
                  reauthentication_sent_at = null
                where id = %(id)s returning *
                """,
                {"email": email, "confirmed": is_confirmed, "id": user.id},
            )
        except psycopg.errors.UniqueViolation:
            return None
        return await fetch_one(cursor, User)
    return None


def _rank(identity: Identity) -> int:
    """Verified addresses first, then others, then none; the oldest first among equals, as sorting is stable."""
    if not identity.email:
        return 2
    return 0 if identity.identity_data.get("email_verified") is True else 1


async def _has_owner(cursor: Cursor, email: str) -> bool:
    await cursor.execute("select from auth.users where email = %s and not is_sso_user", [email])
    return await cursor.fetchone() is not None


def _lowered(data: dict[str, Any]) -> dict[str, Any]:
    email = data.get("email")
    return data | {"email": email.lower()} if isinstance(email, str) else data
