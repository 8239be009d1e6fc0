"""`/admin/oauth/clients`: the service role lists, registers, changes and deletes clients, and renews their secrets."""

from __future__ import annotations

import uuid
from typing import Any

from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from localbase.auth import errors, features
from localbase.auth.admin.paging import read_page, select_page
from localbase.auth.context import Context
from localbase.auth.oauth_server import clients
from localbase.auth.oauth_server.client_metadata import Metadata, read_metadata, require_method_of
from localbase.auth.oauth_server.registration import register
from localbase.auth.sessions.sessions import moment
from localbase.auth.tables.rows import fetch_all, fetch_one
from localbase.postgres.service_pool import Cursor


async def list_clients(context: Context, request: Request) -> Response:
    """GET: one page, newest first."""
    features.OAUTH_SERVER.require(context.auth)
    page = read_page(request)
    async with context.db.begin() as cursor:
        listed = "from auth.oauth_clients where deleted_at is null"
        total = await select_page(cursor, "*", listed, "created_at desc", {}, page)
        rows = await fetch_all(cursor, clients.Client)
    return JSONResponse(
        {"clients": [clients.to_json(client) for client in rows]}, headers=page.headers(request, total)
    )


async def create_client(context: Context, request: Request) -> Response:
    """POST: 201, with the secret of a confidential client."""
    features.OAUTH_SERVER.require(context.auth)
    return JSONResponse(await register(context, request, "manual"), 201)


async def read_client(context: Context, request: Request) -> Response:
    """GET one."""
    features.OAUTH_SERVER.require(context.auth)
    async with context.db.begin() as cursor:
        return JSONResponse(clients.to_json(await _find(cursor, request)))


async def update_client(context: Context, request: Request) -> Response:
    """PUT: what the body names. The type of a client stays as it was."""
    features.OAUTH_SERVER.require(context.auth)
    async with context.db.begin() as cursor:
        await _find(cursor, request)
    metadata = await read_metadata(request)
    values = _changes(metadata)
    async with context.db.begin() as cursor:
        client = await _find(cursor, request)
        if metadata.token_endpoint_auth_method:
            require_method_of(client.client_type, metadata.token_endpoint_auth_method)
        columns = ", ".join(f"{name} = %({name})s" for name in values)
        return JSONResponse(clients.to_json(await _update(context, cursor, client, columns, values)))


async def delete_client(context: Context, request: Request) -> Response:
    """DELETE: 204. The row stays, for consents name it; the client's sessions end."""
    features.OAUTH_SERVER.require(context.auth)
    async with context.db.begin() as cursor:
        client = await _find(cursor, request)
        await _update(context, cursor, client, "deleted_at = %(now)s", {})
        await cursor.execute("delete from auth.sessions where oauth_client_id = %s", [client.id])
    return Response(status_code=204)


async def regenerate_secret(context: Context, request: Request) -> Response:
    """POST …/regenerate_secret: a new secret in place of the old one, which ends at once."""
    features.OAUTH_SERVER.require(context.auth)
    secret = clients.new_secret()
    async with context.db.begin() as cursor:
        client = await _find(cursor, request)
        if client.client_type == "public":
            raise errors.validation_failed("Cannot regenerate secret for public client")
        renewed = await _update(
            context, cursor, client, "client_secret_hash = %(hash)s", {"hash": clients.hash_secret(secret)}
        )
    return JSONResponse(clients.to_json(renewed, secret))


def _changes(metadata: Metadata) -> dict[str, Any]:
    """The columns to set, by name. Raises 400 for an empty body and for empty lists."""
    values = {
        "redirect_uris": metadata.redirect_uris,
        "grant_types": metadata.grant_types,
        "client_name": metadata.client_name,
        "client_uri": metadata.client_uri,
        "logo_uri": metadata.logo_uri,
        "token_endpoint_auth_method": metadata.token_endpoint_auth_method,
    }
    changes = {name: value for name, value in values.items() if value is not None}
    if not changes:
        raise errors.validation_failed("No fields provided for update")
    for name in ("redirect_uris", "grant_types"):
        if changes.get(name) == []:
            raise errors.validation_failed(f"{name} cannot be empty")
    return {name: ",".join(value) if isinstance(value, list) else value for name, value in changes.items()}


async def _update(
    context: Context, cursor: Cursor, client: clients.Client, assignments: str, values: dict[str, Any]
) -> clients.Client:
    await cursor.execute(
        f"update auth.oauth_clients set {assignments}, updated_at = %(now)s where id = %(id)s returning *".encode(),  # noqa: S608
        {**values, "id": client.id, "now": moment(context.clock())},
    )
    return await fetch_one(cursor, clients.Client)


async def _find(cursor: Cursor, request: Request) -> clients.Client:
    try:
        client_id = uuid.UUID(request.path_params["client_id"])
    except ValueError as error:
        raise errors.validation_failed("invalid client_id format") from error
    client = await clients.by_id(cursor, client_id)
    if client is None:
        raise errors.AuthError(404, "oauth_client_not_found", "OAuth client not found")
    return client
