"""Rows of `auth.users` and `auth.identities`, and the JSON that clients see of them."""

from __future__ import annotations

import json
import uuid
from datetime import UTC, datetime
from typing import Any

from localbase.auth.rows import Factor, Identity, User, fetch, fetch_all, fetch_one
from localbase.postgres.service_pool import Cursor

AUDIENCE = "authenticated"
_NO_INSTANCE = uuid.UUID(int=0)
_SHOWN_TIMES = (
    "email_confirmed_at",
    "phone_confirmed_at",
    "confirmation_sent_at",
    "confirmed_at",
    "recovery_sent_at",
    "email_change_sent_at",
    "phone_change_sent_at",
    "reauthentication_sent_at",
    "invited_at",
    "last_sign_in_at",
    "banned_until",
    "deleted_at",
)
# Shown only while there is one.
_SHOWN_CHANGES = {"email_change": "new_email", "phone_change": "new_phone"}


async def by_email(cursor: Cursor, email: str) -> User | None:
    """The user with this (lower-case) address, locked for the transaction."""
    await cursor.execute(
        "select * from auth.users where email = %s and not is_sso_user and deleted_at is null for update",
        [email],
    )
    return await fetch(cursor, User)


async def by_phone(cursor: Cursor, phone: str) -> User | None:
    """The user with this number (without `+`), locked for the transaction."""
    await cursor.execute(
        "select * from auth.users where phone = %s and not is_sso_user and deleted_at is null for update",
        [phone],
    )
    return await fetch(cursor, User)


async def by_phone_change(cursor: Cursor, phone: str) -> User | None:
    """The user who wants this number, locked for the transaction; of several the one who said so last."""
    await cursor.execute(
        """
        select * from auth.users where phone_change = %s and not is_sso_user and deleted_at is null
        order by phone_change_sent_at desc nulls last limit 1 for update
        """,
        [phone],
    )
    return await fetch(cursor, User)


async def by_id(cursor: Cursor, identity: str) -> User | None:
    """The user with this id."""
    await cursor.execute("select * from auth.users where id = %s and deleted_at is null", [identity])
    return await fetch(cursor, User)


async def insert_with_email(
    cursor: Cursor, *, email: str, password_hash: str | None, metadata: dict[str, Any], confirmed: bool
) -> User:
    """A new user who signs in by e-mail, with the identity that says so."""
    own = {"email": email, "email_verified": confirmed, "phone_verified": False}
    row = await insert(
        cursor,
        email=email,
        password_hash=password_hash,
        metadata=own | metadata,
        confirmed=confirmed,
        provider="email",
    )
    subject = str(row.id)
    await add_identity(cursor, row, "email", subject, {"sub": subject, **own, **metadata})
    await cursor.execute(
        "update auth.users set raw_user_meta_data = raw_user_meta_data || %s where id = %s returning *",
        [json.dumps({"sub": subject}), row.id],
    )
    return await fetch_one(cursor, User)


async def insert_with_phone(
    cursor: Cursor, *, phone: str, password_hash: str | None, metadata: dict[str, Any]
) -> User:
    """A new user who signs in by phone, unconfirmed, with the identity that says so."""
    own = {"email_verified": False, "phone_verified": False}
    row = await insert(
        cursor,
        email=None,
        phone=phone,
        password_hash=password_hash,
        metadata=metadata | own,
        confirmed=False,
        provider="phone",
    )
    subject = {"sub": str(row.id)}
    await add_identity(cursor, row, "phone", str(row.id), {**metadata, **subject, **own})
    await cursor.execute(
        "update auth.users set raw_user_meta_data = raw_user_meta_data || %s where id = %s returning *",
        [json.dumps(subject), row.id],
    )
    return await fetch_one(cursor, User)


async def insert(
    cursor: Cursor,
    *,
    email: str | None,
    phone: str | None = None,
    password_hash: str | None,
    metadata: dict[str, Any],
    confirmed: bool,
    provider: str,
) -> User:
    """A new user, without an identity yet. `confirmed` is the e-mail address."""
    await cursor.execute(
        """
        insert into auth.users (instance_id, id, aud, role, email, phone, encrypted_password, email_confirmed_at,
          raw_app_meta_data, raw_user_meta_data, created_at, updated_at)
        values (%s, %s, %s, %s, %s, %s, %s, case when %s then now() end, %s, %s, now(), now())
        returning *
        """,
        [
            *(_NO_INSTANCE, uuid.uuid4(), AUDIENCE, "authenticated"),
            *(email, phone, password_hash or "", confirmed),
            json.dumps({"provider": provider, "providers": [provider]}),
            json.dumps(metadata),
        ],
    )
    return await fetch_one(cursor, User)


async def add_identity(
    cursor: Cursor, user: User, provider: str, provider_id: str, identity_data: dict[str, Any]
) -> None:
    """One more way for `user` to sign in."""
    await cursor.execute(
        """
        insert into auth.identities (provider_id, user_id, identity_data, provider, last_sign_in_at, created_at,
          updated_at)
        values (%s, %s, %s, %s, now(), now(), now())
        """,
        [provider_id, user.id, json.dumps(identity_data), provider],
    )


async def confirm_email(cursor: Cursor, user: User) -> User:
    """Marks the address as the user's own."""
    await cursor.execute(
        """
        update auth.users set email_confirmed_at = coalesce(email_confirmed_at, now()), confirmation_token = '',
          raw_user_meta_data = coalesce(raw_user_meta_data, '{}') || '{"email_verified": true}', updated_at = now()
        where id = %s returning *
        """,
        [user.id],
    )
    row = await fetch_one(cursor, User)
    await cursor.execute(
        """
        update auth.identities set identity_data = identity_data || '{"email_verified": true}', updated_at = now()
        where user_id = %s and provider = 'email'
        """,
        [user.id],
    )
    return row


async def to_json(cursor: Cursor, user: User) -> dict[str, Any]:
    """The user as clients see it; empty times are left out, as upstream does."""
    await cursor.execute("select * from auth.identities where user_id = %s order by created_at", [user.id])
    identities = [_identity_json(identity) for identity in await fetch_all(cursor, Identity)]
    await cursor.execute("select * from auth.mfa_factors where user_id = %s order by created_at", [user.id])
    factors = [factor_json(factor) for factor in await fetch_all(cursor, Factor)]
    times = {name: time(at) for name in _SHOWN_TIMES if (at := getattr(user, name)) is not None}
    changes = {name: value for column, name in _SHOWN_CHANGES.items() if (value := getattr(user, column))}
    return {
        "id": str(user.id),
        "aud": user.aud,
        "role": user.role,
        "email": user.email or "",
        "phone": user.phone or "",
        **times,
        **changes,
        "app_metadata": user.raw_app_meta_data or {},
        "user_metadata": user.raw_user_meta_data or {},
        **({"factors": factors} if factors else {}),
        "identities": identities,
        "created_at": time(user.created_at),
        "updated_at": time(user.updated_at),
        "is_anonymous": user.is_anonymous,
    }


def time(moment: datetime | None) -> str | None:
    """RFC 3339 in UTC."""
    return moment.astimezone(UTC).isoformat().replace("+00:00", "Z") if moment else None


def factor_json(factor: Factor) -> dict[str, Any]:
    """A second factor as clients see it: without its secret."""
    return {
        "id": str(factor.id),
        "created_at": time(factor.created_at),
        "updated_at": time(factor.updated_at),
        "status": factor.status,
        **({"friendly_name": factor.friendly_name} if factor.friendly_name else {}),
        "factor_type": factor.factor_type,
        "phone": factor.phone or "",
        "last_challenged_at": time(factor.last_challenged_at),
        **({"web_authn_aaguid": str(factor.web_authn_aaguid)} if factor.web_authn_aaguid else {}),
        **({"last_webauthn_challenge_data": last} if (last := factor.last_webauthn_challenge_data) else {}),
    }


def _identity_json(row: Identity) -> dict[str, Any]:
    return {
        "identity_id": str(row.id),
        "id": row.provider_id,
        "user_id": str(row.user_id),
        "identity_data": row.identity_data,
        "provider": row.provider,
        "last_sign_in_at": time(row.last_sign_in_at),
        "created_at": time(row.created_at),
        "updated_at": time(row.updated_at),
        "email": row.email,
    }
