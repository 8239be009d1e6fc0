"""Rows of the `auth` schema, with the columns that the service reads. Columns: supabase/auth, `migrations/`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from datetime import datetime
from typing import Any, TypeVar
from uuid import UUID

from localbase.postgres.service_pool import Cursor

Row = TypeVar("Row")


@dataclass(frozen=True, slots=True)
class User:
    """`auth.users`."""

    id: UUID
    aud: str | None
    role: str | None
    email: str | None
    phone: str | None
    encrypted_password: str | None
    raw_app_meta_data: dict[str, Any] | None
    raw_user_meta_data: dict[str, Any] | None
    is_anonymous: bool
    # Hashes of the newest one-time tokens; '' when there is none.
    confirmation_token: str | None
    recovery_token: str | None
    email_confirmed_at: datetime | None
    phone_confirmed_at: datetime | None
    confirmation_sent_at: datetime | None
    confirmed_at: datetime | None
    recovery_sent_at: datetime | None
    invited_at: datetime | None
    last_sign_in_at: datetime | None
    banned_until: datetime | None
    created_at: datetime | None
    updated_at: datetime | None


@dataclass(frozen=True, slots=True)
class Identity:
    """`auth.identities`: one way for a user to sign in."""

    id: UUID
    user_id: UUID
    provider: str
    provider_id: str
    identity_data: dict[str, Any]
    email: str | None
    last_sign_in_at: datetime | None
    created_at: datetime | None
    updated_at: datetime | None


@dataclass(frozen=True, slots=True)
class RefreshToken:
    """`auth.refresh_tokens`, with the session's `owner`."""

    id: int
    session_id: UUID
    owner: UUID
    revoked: bool
    updated_at: datetime


@dataclass(frozen=True, slots=True)
class FlowState:
    """`auth.flow_state`: a sign-in that has begun elsewhere, in a mail or at a provider."""

    id: UUID
    user_id: UUID | None
    auth_code: str
    code_challenge: str | None
    code_challenge_method: str | None
    provider_type: str
    authentication_method: str
    provider_access_token: str | None
    provider_refresh_token: str | None
    referrer: str | None
    created_at: datetime


def row_of(kind: type[Row], columns: Mapping[str, Any]) -> Row:
    """The columns that `kind` has, of a row that may have more."""
    return kind(**{field.name: columns[field.name] for field in fields(kind)})  # type: ignore[arg-type]


async def fetch(cursor: Cursor, kind: type[Row]) -> Row | None:
    """The next row of the result, or None."""
    columns = await cursor.fetchone()
    return None if columns is None else row_of(kind, columns)


async def fetch_one(cursor: Cursor, kind: type[Row]) -> Row:
    """The row of a statement that must return one."""
    row = await fetch(cursor, kind)
    assert row is not None
    return row


async def fetch_all(cursor: Cursor, kind: type[Row]) -> list[Row]:
    """All rows of the result."""
    return [row_of(kind, columns) for columns in await cursor.fetchall()]
