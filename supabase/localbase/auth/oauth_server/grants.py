"""`/user/oauth/grants`: the clients that a user has allowed something."""

from __future__ import annotations

import uuid

from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from localbase.auth import errors, features
from localbase.auth.context import Context
from localbase.auth.oauth_server import clients, consents
from localbase.auth.oauth_server.scopes import parse_scope
from localbase.auth.sessions import sessions
from localbase.auth.sessions.callers import require_user
from localbase.auth.sessions.sessions import moment
from localbase.auth.tables import audit
from localbase.auth.tables.rows import columns_of, row_of
from localbase.auth.tables.users import time

_LIST = f"""
select {columns_of(consents.Consent, "consent", "consent_")}, {columns_of(clients.Client, "client", "client_")}
from auth.oauth_consents as consent join auth.oauth_clients as client on client.id = consent.client_id
where consent.user_id = %s and consent.revoked_at is null and client.deleted_at is null
order by consent.granted_at desc
"""  # noqa: S608


async def list_grants(context: Context, request: Request) -> Response:
    """GET: client, scopes and time of each, the newest first."""
    async with context.db.begin() as cursor:
        user = (await require_user(context, cursor, request)).user
        features.OAUTH_SERVER.require(context.auth)
        await cursor.execute(_LIST.encode(), [user.id])
        rows = await cursor.fetchall()
    grants = []
    for row in rows:
        consent = row_of(consents.Consent, row, "consent_")
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
        consent = await consents.active(cursor, user.id, client_id)
        if consent is None:
            raise errors.AuthError(404, "oauth_consent_not_found", "No active grant found for this client")
        await consents.revoke(cursor, consent, moment(context.clock()))
        for table in ("sessions where oauth_client_id", "oauth_authorizations where client_id"):
            await cursor.execute(
                f"delete from auth.{table} = %s and user_id = %s".encode(),  # noqa: S608
                [client_id, user.id],
            )
        traits = {"oauth_client_id": str(client_id), "action": "revoke_oauth_grant"}
        await audit.record(cursor, request, user, "token_revoked", traits)
    return Response(status_code=204)


def _client_id(request: Request) -> uuid.UUID:
    client_id = request.query_params.get("client_id")
    if not client_id:
        raise errors.validation_failed("client_id query parameter is required")
    try:
        return uuid.UUID(client_id)
    except ValueError as error:
        raise errors.validation_failed("invalid client_id format") from error
