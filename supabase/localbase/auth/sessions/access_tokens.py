"""Access tokens: a session's claims, signed, and the response that carries them with the refresh token.

Upstream: supabase/auth, `internal/tokens/service.go`.
"""

from __future__ import annotations

from typing import Any

from starlette.requests import Request

from localbase.auth.context import Context
from localbase.auth.tables import users
from localbase.auth.tables.rows import Session, User
from localbase.postgres.service_pool import Cursor


async def token_response(
    context: Context,
    cursor: Cursor,
    request: Request,
    user: User,
    session: Session,
    *,
    refresh_token: str,
    method: str,
) -> dict[str, Any]:
    """The body that every grant answers with. `method` is what it has proven, for the project's hook."""
    now = int(context.clock())
    expires_at = now + context.auth.jwt_expiry
    claims: dict[str, Any] = {
        "iss": context.issuer,
        "sub": str(user.id),
        "aud": user.aud,
        "exp": expires_at,
        "iat": now,
        "email": user.email or "",
        "phone": user.phone or "",
        "app_metadata": user.raw_app_meta_data or {},
        "user_metadata": user.raw_user_meta_data or {},
        "role": user.role,
        "aal": session.aal or "aal1",
        "amr": await _methods(cursor, session),
        "session_id": str(session.id),
        "is_anonymous": user.is_anonymous,
        **({"client_id": str(session.oauth_client_id)} if session.oauth_client_id else {}),
        **({"scope": session.scopes} if session.scopes else {}),
    }
    claims = await context.hooks.custom_claims(cursor, request, claims, method)
    return {
        "access_token": context.signing.sign(claims),
        "token_type": "bearer",
        "expires_in": expires_at - now,
        "expires_at": expires_at,
        "refresh_token": refresh_token,
        "user": await users.to_json(cursor, user),
    }


async def _methods(cursor: Cursor, session: Session) -> list[dict[str, Any]]:
    """Return how the user has signed in (`amr`), the newest method first."""
    await cursor.execute(
        """
        select authentication_method as method, floor(extract(epoch from updated_at))::bigint as timestamp
        from auth.mfa_amr_claims where session_id = %s order by updated_at desc
        """,
        [session.id],
    )
    return [dict(row) for row in await cursor.fetchall()]
