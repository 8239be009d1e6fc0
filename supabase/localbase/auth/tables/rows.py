"""Rows of the `auth` schema, with the columns that the service reads. Columns: supabase/auth, `migrations/`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from datetime import datetime
from ipaddress import IPv4Address, IPv6Address
from typing import Any, Literal, TypeVar
from uuid import UUID

from localbase.postgres.service_pool import Cursor

Row = TypeVar("Row")
FactorType = Literal["totp", "phone", "webauthn"]
FactorStatus = Literal["unverified", "verified"]


@dataclass(frozen=True, slots=True)
class User:
    """`auth.users`. Token columns hold the hash of the newest one-time token of a kind; '' and None are none."""

    id: UUID
    aud: str | None
    role: str | None
    email: str | None
    phone: str | None
    encrypted_password: str | None
    raw_app_meta_data: dict[str, Any] | None
    raw_user_meta_data: dict[str, Any] | None
    is_anonymous: bool
    is_sso_user: bool
    confirmation_token: str | None
    recovery_token: str | None
    email_change: str | None
    email_change_token_current: str | None
    email_change_token_new: str | None
    # How many halves of a doubly confirmed change have come back.
    email_change_confirm_status: int
    phone_change: str | None
    phone_change_token: str | None
    reauthentication_token: str | None
    email_confirmed_at: datetime | None
    phone_confirmed_at: datetime | None
    confirmation_sent_at: datetime | None
    confirmed_at: datetime | None
    recovery_sent_at: datetime | None
    email_change_sent_at: datetime | None
    phone_change_sent_at: datetime | None
    reauthentication_sent_at: datetime | None
    invited_at: datetime | None
    last_sign_in_at: datetime | None
    banned_until: datetime | None
    created_at: datetime | None
    updated_at: datetime | None
    deleted_at: datetime | None

    def is_banned(self, now: float) -> bool:
        """Tell whether an administrator has shut the user out at `now` (seconds since the epoch)."""
        return self.banned_until is not None and self.banned_until.timestamp() > now


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
class Session:
    """`auth.sessions`. `refreshed_at` is in UTC without a zone, as upstream's column."""

    id: UUID
    user_id: UUID
    aal: str | None
    factor_id: UUID | None
    not_after: datetime | None
    refreshed_at: datetime | None
    oauth_client_id: UUID | None
    scopes: str | None
    user_agent: str | None
    ip: IPv4Address | IPv6Address | None
    tag: str | None
    created_at: datetime
    updated_at: datetime | None


@dataclass(frozen=True, slots=True)
class Factor:
    """`auth.mfa_factors`: a second factor. `secret` is the TOTP key in base32."""

    id: UUID
    user_id: UUID
    friendly_name: str | None
    factor_type: FactorType
    status: FactorStatus
    secret: str | None
    phone: str | None
    last_challenged_at: datetime | None
    web_authn_credential: dict[str, Any] | None
    web_authn_aaguid: UUID | None
    last_webauthn_challenge_data: dict[str, Any] | None
    created_at: datetime
    updated_at: datetime


@dataclass(frozen=True, slots=True)
class FactorChallenge:
    """`auth.mfa_challenges`: calls for one proof of a factor. `otp_code` is the code that went out as an SMS."""

    id: UUID
    factor_id: UUID
    created_at: datetime
    verified_at: datetime | None
    ip_address: IPv4Address | IPv6Address
    otp_code: str | None
    web_authn_session_data: dict[str, Any] | None


@dataclass(frozen=True, slots=True)
class Passkey:
    """`auth.webauthn_credentials`. `public_key` is in COSE's form."""

    id: UUID
    user_id: UUID
    credential_id: bytes
    public_key: bytes
    sign_count: int
    friendly_name: str
    created_at: datetime
    last_used_at: datetime | None


@dataclass(frozen=True, slots=True)
class PasskeyChallenge:
    """`auth.webauthn_challenges`: what a passkey is to sign."""

    id: UUID
    session_data: dict[str, Any]
    expires_at: datetime


@dataclass(frozen=True, slots=True)
class RefreshToken:
    """`auth.refresh_tokens`. `parent` is the token that this one has replaced; '' and None are none."""

    id: int
    token: str
    parent: str | None
    session_id: UUID | None
    revoked: bool | None
    updated_at: datetime


@dataclass(frozen=True, slots=True)
class FlowState:
    """`auth.flow_state`: a sign-in that has begun elsewhere, in a mail or at a provider."""

    id: UUID
    user_id: UUID | None
    auth_code: str | None
    code_challenge: str | None
    code_challenge_method: str | None
    provider_type: str
    authentication_method: str
    provider_access_token: str | None
    provider_refresh_token: str | None
    auth_code_issued_at: datetime | None
    invite_token: str | None
    referrer: str | None
    oauth_client_state_id: UUID | None
    linking_target_id: UUID | None
    email_optional: bool
    created_at: datetime


def row_of(kind: type[Row], columns: Mapping[str, Any], prefix: str = "") -> Row:
    """The columns that `kind` has, of a row that may have more; `prefix` is before each column's name."""
    return kind(**{field.name: columns[prefix + field.name] for field in fields(kind)})  # type: ignore[arg-type]


def columns_of(kind: type[Any], table: str, prefix: str) -> str:
    """A select list with `kind`'s columns of `table`, each named with `prefix`: for `row_of` after a join."""
    return ", ".join(f"{table}.{field.name} as {prefix}{field.name}" for field in fields(kind))


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
