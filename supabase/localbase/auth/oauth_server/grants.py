"""What a user has allowed clients, until it is revoked: rows of `auth.oauth_consents`, and `/user/oauth/grants`."""

from __future__ import annotations

import uuid
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from localbase.auth import errors, features
from localbase.auth.context import Context
from localbase.auth.oauth_server import clients
from localbase.auth.oauth_server.scopes import parse_scope
from localbase.auth.sessions import sessions
from localbase.auth.sessions.callers import require_user
from localbase.auth.sessions.sessions import moment
from localbase.auth.tables import audit
from localbase.auth.tables.rows import columns_of, fetch, row_of
from localbase.auth.tables.users import time
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


_LIST = f"""
select {columns_of(Consent, "consent", "consent_")}, {columns_of(clients.Client, "client", "client_")}
from auth.oauth_consents as consent join auth.oauth_clients as client on client.id = consent.client_id
where consent.user_id = %s and consent.revoked_at is null and client.deleted_at is null
order by consent.granted_at desc
"""  # noqa: S608


async def active_consent(cursor: Cursor, user_id: UUID, client_id: UUID) -> Consent | None:
    """The user's consent to a client, locked."""
    await cursor.execute(
        """
        select * from auth.oauth_consents
        where user_id = %s and client_id = %s and revoked_at is null for update
        """,
        [user_id, client_id],
    )
    return await fetch(cursor, Consent)


async def save_consent(cursor: Cursor, user_id: UUID, client_id: UUID, scope: str, now: datetime) -> None:
    """The user's consent, in place of an earlier one."""
    await cursor.execute(
        """
        insert into auth.oauth_consents (id, user_id, client_id, scopes, granted_at) values (%s, %s, %s, %s, %s)
        on conflict (user_id, client_id) do update
        set scopes = excluded.scopes, granted_at = excluded.granted_at, revoked_at = null
        """,
        [uuid.uuid4(), user_id, client_id, scope, now],
    )


async def list_grants(context: Context, request: Request) -> Response:
    """GET: client, scopes and time of each, the newest first."""
    async with context.db.begin() as cursor:
        user = (await require_user(context, cursor, request)).user
        features.OAUTH_SERVER.require(context.auth)
        await cursor.execute(_LIST.encode(), [user.id])
        rows = await cursor.fetchall()
    grants = []
    for row in rows:
        consent = row_of(Consent, row, "consent_")
        grants.append(
            {
                "client": clients.summary(row_of(clients.Client, row, "client_")),
                "scopes": parse_scope(consent.scopes),
                "granted_at": time(consent.granted_at),
            }
        )
    return JSONResponse(grants)


async def revoke_grant(context: Context, request: Request) -> Response:
    """DELETE ?client_id=…: 204. The client's sessions of this user end, and codes that wait."""
    async with context.db.begin() as cursor:
        user = (await require_user(context, cursor, request)).user
        features.OAUTH_SERVER.require(context.auth)
        client_id = _client_id(request)
        await sessions.lock_user(cursor, user.id)
        consent = await active_consent(cursor, user.id, client_id)
        if consent is None:
            raise errors.AuthError(404, "oauth_consent_not_found", "No active grant found for this client")
        await _revoke(cursor, consent, moment(context.clock()))
        for table in ("sessions where oauth_client_id", "oauth_authorizations where client_id"):
            await cursor.execute(
                f"delete from auth.{table} = %s and user_id = %s".encode(),  # noqa: S608
                [client_id, user.id],
            )
        traits = {"oauth_client_id": str(client_id), "action": "revoke_oauth_grant"}
        await audit.record(cursor, request, user, "token_revoked", traits)
    return Response(status_code=204)


async def _revoke(cursor: Cursor, consent: Consent, now: datetime) -> None:
    """Takes it back. A clock that is behind the one of the consent does not hinder that."""
    await cursor.execute(
        "update auth.oauth_consents set revoked_at = greatest(%s, granted_at) where id = %s",
        [now, consent.id],
    )


def _client_id(request: Request) -> uuid.UUID:
    client_id = request.query_params.get("client_id")
    if not client_id:
        raise errors.validation_failed("client_id query parameter is required")
    try:
        return uuid.UUID(client_id)
    except ValueError as error:
        raise errors.validation_failed("invalid client_id format") from error
