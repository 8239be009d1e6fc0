"""The claims about a user that a client's scopes give it: in the ID token and from `GET /oauth/userinfo`.

Upstream: `internal/tokens/service.go` (`GenerateIDToken`), `internal/api/oauthserver/handlers.go` (`OAuthUserInfo`).
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Any
from uuid import UUID

from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from localbase.auth import features
from localbase.auth.context import Context
from localbase.auth.oauth_server.scopes import parse_scope
from localbase.auth.sessions.callers import require_user
from localbase.auth.tables.rows import User

_ID_TOKEN_SECONDS = 3600


def id_token(
    context: Context, user: User, client_id: UUID, scopes: Collection[str], nonce: str | None
) -> str:
    """Proves to the client that the user has signed in. It opens nothing here: see `core.jwt`."""
    now = int(context.clock())
    signed_in = user.last_sign_in_at
    claims: dict[str, Any] = {
        "iss": context.issuer,
        "sub": str(user.id),
        "aud": str(client_id),
        "client_id": str(client_id),
        "iat": now,
        "exp": now + _ID_TOKEN_SECONDS,
        "auth_time": int(signed_in.timestamp()) if signed_in else now,
        "email_verified": "email" in scopes and user.email_confirmed_at is not None,
        "phone_number_verified": "phone" in scopes and user.phone_confirmed_at is not None,
        **({"nonce": nonce} if nonce else {}),
        **({"email": user.email} if "email" in scopes and user.email else {}),
        **({"phone_number": user.phone} if "phone" in scopes and user.phone else {}),
        **(_profile(user) if "profile" in scopes else {}),
    }
    return context.signing.sign(claims)


async def read_userinfo(context: Context, request: Request) -> Response:
    """200. A session that was not opened for a client has no scopes: `sub` alone."""
    features.OAUTH_SERVER.require(context.auth)
    async with context.db.begin() as cursor:
        caller = await require_user(context, cursor, request, from_client=True)
    scopes = parse_scope(caller.session.scopes if caller.session else None)
    return JSONResponse(_user_info(caller.user, scopes))


def _user_info(user: User, scopes: Collection[str]) -> dict[str, Any]:
    """The response of `/oauth/userinfo`."""
    info: dict[str, Any] = {"sub": str(user.id)}
    if "email" in scopes:
        info |= _contact("email", user.email, is_confirmed=user.email_confirmed_at is not None)
    if "profile" in scopes:
        info |= {**_profile(user), "user_metadata": user.raw_user_meta_data or {}}
    if "phone" in scopes:
        info |= _contact("phone", user.phone, is_confirmed=user.phone_confirmed_at is not None)
    return info


def _contact(name: str, value: str | None, *, is_confirmed: bool) -> dict[str, Any]:
    return {**({name: value} if value else {}), **({f"{name}_verified": True} if is_confirmed else {})}


def _profile(user: User) -> dict[str, Any]:
    """From the user's metadata, of which only texts count."""
    metadata = user.raw_user_meta_data or {}

    def first(*names: str) -> str | None:
        return next((text for name in names if isinstance(text := metadata.get(name), str) and text), None)

    texts = {
        "name": first("name") or user.email,
        "picture": first("picture", "avatar_url"),
        "preferred_username": first("preferred_username", "username"),
    }
    return {
        **{name: text for name, text in texts.items() if text},
        **({"updated_at": int(user.updated_at.timestamp())} if user.updated_at else {}),
    }
