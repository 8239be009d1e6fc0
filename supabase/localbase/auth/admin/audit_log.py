"""`GET /admin/audit`: the service role reads what users and administrators did, the newest first.

Upstream: supabase/auth, `internal/api/audit.go`.
"""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from localbase.auth import errors
from localbase.auth.admin.paging import read_page, select_page
from localbase.auth.context import Context
from localbase.auth.tables import users

# What `query=<scope>:<text>` looks into.
_SCOPES = {"author": ("actor_username", "actor_name"), "action": ("action",), "type": ("log_type",)}
_LISTED = """
from auth.audit_log_entries where instance_id = '00000000-0000-0000-0000-000000000000' and (
  %(pattern)s::text is null
  or exists (select from unnest(%(keys)s::text[]) as key where payload ->> key ilike %(pattern)s)
)
"""


async def read_audit_log(context: Context, request: Request) -> Response:
    """One page of entries."""
    page = read_page(request)
    query = request.query_params.get("query", "")
    scope, colon, text = query.partition(":")
    if query and (scope not in _SCOPES or not colon):
        raise errors.validation_failed(f"Invalid query scope: {query}")
    values = {"keys": list(_SCOPES.get(scope, ())), "pattern": f"%{text}%" if text else None}
    async with context.db.begin() as cursor:
        columns = "id, payload, created_at, ip_address"
        total = await select_page(cursor, columns, _LISTED, "created_at desc", values, page)
        entries = [
            {**row, "id": str(row["id"]), "created_at": users.time(row["created_at"])}
            for row in await cursor.fetchall()
        ]
    return JSONResponse(entries, headers=page.headers(request, total))
