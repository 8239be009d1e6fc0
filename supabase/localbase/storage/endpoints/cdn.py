"""/cdn: purging caches in front of the service. There is none here, so that nothing old is ever served."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from localbase.storage import errors
from localbase.storage.context import Context


async def purge(context: Context, request: Request) -> Response:
    """DELETE /cdn, /cdn/{bucket}, /cdn/{bucket}/{key}: for the service role."""
    if context.call(request).caller.role != "service_role":
        raise errors.access_denied("Access denied: Invalid role")
    return JSONResponse({"message": "success"})
