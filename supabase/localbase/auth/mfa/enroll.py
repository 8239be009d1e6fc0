"""`POST /factors`, `DELETE /factors/{factor_id}`: a second factor comes, and counts once it is verified, or goes."""

from __future__ import annotations

from typing import Any, cast
from urllib.parse import urlsplit

from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from localbase.auth import errors
from localbase.auth.codes.token_mails import notification
from localbase.auth.context import Context, read_body, text_of
from localbase.auth.mfa import factors, phone_factors, totp
from localbase.auth.mfa.factors import Owner
from localbase.auth.tables import audit
from localbase.auth.tables.rows import Factor, FactorType
from localbase.postgres.service_pool import Cursor

_KINDS = ("totp", "phone", "webauthn")


async def enroll_factor(context: Context, request: Request) -> Response:
    """The factor; for a TOTP one with its key as text, as an address for apps and as a picture."""
    body = await read_body(request)
    async with context.db.begin() as cursor:
        owner = await factors.require_owner(context, cursor, request)
        kind = text_of(body, "factor_type")
        if kind not in _KINDS:
            raise errors.validation_failed("factor_type needs to be totp, phone, or webauthn")
        factors.require_enabled(context, cast(FactorType, kind), "enroll")
        if kind == "totp":
            factor, extra = await _totp(context, cursor, owner, body)
        elif kind == "phone":
            factor, extra = await phone_factors.enroll(context, cursor, owner, body)
        else:
            factor, extra = await _webauthn(context, cursor, owner, body)
        traits = {"factor_id": str(factor.id), **({} if kind == "totp" else {"factor_type": kind})}
        await audit.record(cursor, request, owner.user, "factor_in_progress", traits)
    if kind == "totp":
        extra = {"totp": {"qr_code": totp.picture(extra["totp"]["uri"]), **extra["totp"]}}
    return JSONResponse(
        {"id": str(factor.id), "type": kind, "friendly_name": factor.friendly_name or "", **extra}
    )


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


async def _totp(
    context: Context, cursor: Cursor, owner: Owner, body: dict[str, Any]
) -> tuple[Factor, dict[str, Any]]:
    name = text_of(body, "friendly_name")
    await factors.require_room(context, cursor, owner, name)
    issuer = text_of(body, "issuer") or urlsplit(context.auth.site_url).netloc
    key = totp.new_key(issuer, owner.user.email or owner.user.phone or "")
    if len(key.uri) > totp.LONGEST_URI:
        raise errors.validation_failed("issuer is too long for a picture of the key")
    factor = await factors.insert(context, cursor, owner.user, "totp", name, secret=key.secret)
    return factor, {"totp": {"secret": key.secret, "uri": key.uri}}


async def _webauthn(
    context: Context, cursor: Cursor, owner: Owner, body: dict[str, Any]
) -> tuple[Factor, dict[str, Any]]:
    name = text_of(body, "friendly_name")
    await factors.require_room(context, cursor, owner, name)
    return await factors.insert(context, cursor, owner.user, "webauthn", name), {}
