"""Rows of `auth.users` and `auth.identities`, and the JSON that clients see of them."""

from __future__ import annotations

import json
import uuid
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any, Literal, TypeVar

from localbase.auth import errors
from localbase.auth.tables.rows import Factor, Identity, User, fetch, fetch_all, fetch_one
from localbase.postgres.service_pool import Cursor

Owned = TypeVar("Owned", Identity, Factor)
AUDIENCE = "authenticated"
MOST_METADATA_BYTES = 32 * 1024
"""Of both metadata of a user. A request's head has 64 kB, and a token in base64 is a third longer."""
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


async def by_address(cursor: Cursor, column: Literal["email", "phone"], address: str) -> User | None:
    """The user with this address (in lower case) or number (without `+`), locked for the transaction."""
    await cursor.execute(
        f"select * from auth.users where {column} = %s and not is_sso_user and deleted_at is null for update",  # noqa: S608
        [address],
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


@dataclass(frozen=True, slots=True, kw_only=True)
class NewUser:
    """A user to insert. `providers` are the ways to sign in, the first of which the app metadata names by itself."""

    email: str = ""
    phone: str = ""
    password_hash: str = ""
    metadata: dict[str, Any] = field(default_factory=dict)
    providers: tuple[str, ...] = ()
    is_anonymous: bool = False
    id: uuid.UUID = field(default_factory=uuid.uuid4)
    aud: str = AUDIENCE
    role: str = AUDIENCE


async def insert(cursor: Cursor, new: NewUser) -> User:
    """The new user's row, without an identity yet."""
    providers = {"provider": new.providers[0], "providers": new.providers} if new.providers else {}
    await cursor.execute(
        """
        insert into auth.users (instance_id, id, aud, role, email, phone, encrypted_password, is_anonymous,
          raw_app_meta_data, raw_user_meta_data, created_at, updated_at)
        values (%s, %s, %s, %s, nullif(%s, ''), nullif(%s, ''), %s, %s, %s, %s, now(), now())
        returning *
        """,
        [
            *(
                _NO_INSTANCE,
                new.id,
                new.aud,
                new.role,
                new.email,
                new.phone,
                new.password_hash,
                new.is_anonymous,
            ),
            json.dumps(providers),
            json.dumps(new.metadata),
        ],
    )
    return _with_room_in_tokens(await fetch_one(cursor, User))


async def merge_metadata(
    cursor: Cursor, user: User, *, user_updates: dict[str, Any] | None, app_updates: dict[str, Any] | None
) -> User:
    """Sets keys of either metadata; a null removes its key."""
    updates = [values or {} for values in (user_updates, app_updates)]
    user_removed, app_removed = ([name for name in values if values[name] is None] for values in updates)
    await cursor.execute(
        """
        update auth.users set updated_at = now(),
          raw_user_meta_data = (coalesce(raw_user_meta_data, '{}') || %s::jsonb) - %s::text[],
          raw_app_meta_data = (coalesce(raw_app_meta_data, '{}') || %s::jsonb) - %s::text[]
        where id = %s returning *
        """,
        [json.dumps(updates[0]), user_removed, json.dumps(updates[1]), app_removed, user.id],
    )
    return _with_room_in_tokens(await fetch_one(cursor, User))


def _with_room_in_tokens(user: User) -> User:
    """The user. Raises 400 where the metadata would make a token that fits into no request's headers."""
    metadata = [user.raw_user_meta_data, user.raw_app_meta_data]
    if len(json.dumps(metadata, ensure_ascii=False).encode()) > MOST_METADATA_BYTES:
        raise errors.validation_failed(
            f"user_metadata and app_metadata may have at most {MOST_METADATA_BYTES} bytes: every token carries them"
        )
    return user


async def mark_confirmed(cursor: Cursor, user: User) -> User:
    """The address counts as the user's own, because the project or an administrator says so; no mail has proved it."""
    await cursor.execute("delete from auth.one_time_tokens where user_id = %s", [user.id])
    await cursor.execute(
        """
        update auth.users set email_confirmed_at = now(), confirmation_token = '',
          raw_user_meta_data = coalesce(raw_user_meta_data, '{}') || '{"email_verified": true}', updated_at = now()
        where id = %s returning *
        """,
        [user.id],
    )
    return await fetch_one(cursor, User)


async def mark_phone_confirmed(cursor: Cursor, user: User) -> User:
    """The number counts as the user's own, because an administrator says so."""
    await cursor.execute("delete from auth.one_time_tokens where user_id = %s", [user.id])
    await cursor.execute(
        """
        update auth.users set phone_confirmed_at = now(), confirmation_token = '', updated_at = now()
        where id = %s returning *
        """,
        [user.id],
    )
    return await fetch_one(cursor, User)


async def set_password(cursor: Cursor, user: User, password_hash: str) -> None:
    """A new password, and an end to all sessions and to all tokens that went out before."""
    await cursor.execute("delete from auth.one_time_tokens where user_id = %s", [user.id])
    await cursor.execute("delete from auth.sessions where user_id = %s", [user.id])
    await cursor.execute(
        """
        update auth.users set encrypted_password = %s, confirmation_token = '', confirmation_sent_at = null,
          recovery_token = '', recovery_sent_at = null, email_change_token_current = '',
          email_change_token_new = '', email_change_sent_at = null, phone_change_token = '',
          phone_change_sent_at = null, reauthentication_token = '', reauthentication_sent_at = null,
          updated_at = now()
        where id = %s
        """,
        [password_hash, user.id],
    )


async def to_json(cursor: Cursor, user: User) -> dict[str, Any]:
    """The user as clients see it; empty times are left out, as upstream does."""
    [value] = await all_to_json(cursor, [user])
    return value


async def all_to_json(cursor: Cursor, users: Sequence[User]) -> list[dict[str, Any]]:
    """The users as clients see them: one statement for all identities, one for all factors."""
    ids = [user.id for user in users]
    await cursor.execute(
        "select * from auth.identities where user_id = any(%s) order by created_at, id", [ids]
    )
    identities = _by_user(await fetch_all(cursor, Identity))
    await cursor.execute(
        "select * from auth.mfa_factors where user_id = any(%s) order by created_at, id", [ids]
    )
    factors = _by_user(await fetch_all(cursor, Factor))
    return [_user_json(user, identities[user.id], factors[user.id]) for user in users]


def _by_user(rows: Sequence[Owned]) -> defaultdict[uuid.UUID, list[Owned]]:
    rows_by_user: defaultdict[uuid.UUID, list[Owned]] = defaultdict(list)
    for row in rows:
        rows_by_user[row.user_id].append(row)
    return rows_by_user


def _user_json(user: User, identities: Sequence[Identity], factors: Sequence[Factor]) -> dict[str, Any]:
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
        **({"factors": [factor_json(factor) for factor in factors]} if factors else {}),
        "identities": [identity_json(identity) for identity in identities],
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


def identity_json(identity: Identity) -> dict[str, Any]:
    """One way to sign in as clients see it. `id` is the provider's, `identity_id` the row's."""
    return {
        "identity_id": str(identity.id),
        "id": identity.provider_id,
        "user_id": str(identity.user_id),
        "identity_data": identity.identity_data,
        "provider": identity.provider,
        **({"last_sign_in_at": time(at)} if (at := identity.last_sign_in_at) else {}),
        "created_at": time(identity.created_at),
        "updated_at": time(identity.updated_at),
        **({"email": identity.email} if identity.email else {}),
    }
