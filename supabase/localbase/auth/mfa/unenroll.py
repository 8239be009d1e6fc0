"""`DELETE /factors/{factor_id}`: takes a second factor away."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from localbase.auth import errors
from localbase.auth.codes.token_mails import notification
from localbase.auth.context import Context
from localbase.auth.mfa import factors
from localbase.auth.tables import audit


async def unenroll_factor(context: Context, request: Request) -> Response:
    """The factor's id. A verified one wants a session of aal2; sessions that it has raised are of aal1 again."""
    async with context.db.begin() as cursor:
        owner = await factors.require_owner(context, cursor, request)
        factor = await factors.require_factor(cursor, request, owner.user)
        if factor.status == "verified" and not owner.has_aal2:
            raise errors.insufficient_aal("AAL2 required to unenroll verified factor", 422)
        await factors.delete(cursor, factor)
        traits = {
            "factor_id": str(factor.id),
            "factor_status": factor.status,
            "session_id": str(owner.session.id),
        }
        await audit.record(cursor, request, owner.user, "factor_unenrolled", traits)
    kind = factor.factor_type
    context.outbox.put(*notification(context, owner.user, "mfa_factor_unenrolled", FactorType=kind))
    return JSONResponse({"id": str(factor.id)})
