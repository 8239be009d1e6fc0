"""Rows of `auth.oauth_consents`: what a user has allowed a client, until it is revoked."""

from __future__ import annotations

import uuid
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from localbase.auth.oauth_server.scopes import parse_scope
from localbase.auth.tables.rows import fetch
from localbase.postgres.service_pool import Cursor


@dataclass(frozen=True, slots=True)
class Consent:
    """`auth.oauth_consents`."""

    id: UUID
    client_id: UUID
    scopes: str
    granted_at: datetime

    def covers(self, scope: str) -> bool:
        """Tell whether everything in `scope` was allowed."""
        return set(parse_scope(scope)) <= set(parse_scope(self.scopes))


async def active(cursor: Cursor, user_id: UUID, client_id: UUID) -> Consent | None:
    """The user's consent to a client, locked."""
    await cursor.execute(
        """
        select * from auth.oauth_consents
        where user_id = %s and client_id = %s and revoked_at is null for update
        """,
        [user_id, client_id],
    )
    return await fetch(cursor, Consent)


async def save(cursor: Cursor, user_id: UUID, client_id: UUID, scope: str, now: datetime) -> None:
    """The user's consent, in place of an earlier one."""
    await cursor.execute(
        """
        insert into auth.oauth_consents (id, user_id, client_id, scopes, granted_at) values (%s, %s, %s, %s, %s)
        on conflict (user_id, client_id) do update
        set scopes = excluded.scopes, granted_at = excluded.granted_at, revoked_at = null
        """,
        [uuid.uuid4(), user_id, client_id, scope, now],
    )


async def revoke(cursor: Cursor, consent: Consent, now: datetime) -> None:
    """Takes it back. A clock that is behind the one of the consent does not hinder that."""
    await cursor.execute(
        "update auth.oauth_consents set revoked_at = greatest(%s, granted_at) where id = %s",
        [now, consent.id],
    )
