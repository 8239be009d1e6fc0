"""`/authorize` and `/callback`: signing in at an outside provider.

The state that goes around through the provider is the id of a row in `auth.flow_state`, good for one return. The
browser comes back with a code of ours to exchange (PKCE), or with tokens in the fragment (implicit flow).
"""

from __future__ import annotations

import json
import logging
import uuid
from typing import Any

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from localbase.auth import errors, identity_store, pkce, sessions, user_store
from localbase.auth.context import Context
from localbase.auth.provider import Person, ProviderError
from localbase.auth.redirects import redirect_of, with_callback_error, with_fragment, with_query
from localbase.auth.rows import FlowState, User, fetch_one, row_of
from localbase.postgres.service_pool import Cursor

_log = logging.getLogger("localbase.auth")
# From leaving for the provider to coming back.
_EXPIRY_SECONDS = 10 * 60


async def authorize(context: Context, request: Request) -> Response:
    """Sends the browser to the provider."""
    query = request.query_params
    name = query.get("provider", "")
    provider = context.providers.get(name)
    if provider is None:
        raise errors.validation_failed("Unsupported provider: provider is not enabled")
    challenge = pkce.read_challenge(dict(query))
    redirect_to = redirect_of(request, context.auth)
    state = uuid.uuid4()
    try:
        address = await provider.sign_in_address(str(state), query.get("scopes", ""))
    except ProviderError as error:
        _log.warning("%s", error)
        raise errors.AuthError(
            502, "unexpected_failure", f"{name} cannot be reached at the moment"
        ) from error
    async with context.db.begin() as cursor:
        await cursor.execute(
            """
            insert into auth.flow_state (id, auth_code, code_challenge, code_challenge_method, provider_type,
              authentication_method, referrer, created_at, updated_at)
            values (%s, %s, %s, %s, %s, 'oauth', %s, now(), now())
            """,
            [state, str(uuid.uuid4()), *(challenge or (None, None)), name, redirect_to],
        )
    return RedirectResponse(address, 302)


async def callback(context: Context, request: Request) -> Response:
    """Takes the browser back from the provider, and on to where it wanted to go."""
    query = request.query_params
    redirect_to = context.auth.site_url
    try:
        flow = await _spend_state(context, query.get("state", ""))
        redirect_to = flow.referrer or redirect_to
        if "error" in query:
            text = query.get("error_description") or query["error"]
            raise errors.AuthError(400, query["error"], text)
        person = await _redeem(context, flow, query.get("code", ""))
        async with context.db.begin() as cursor:
            user = await _user_of(cursor, flow.provider_type, person, context)
            if flow.code_challenge is not None:
                return RedirectResponse(
                    with_query(redirect_to, {"code": await _code(cursor, flow, user, person)}), 302
                )
            session = await sessions.open_session(context, cursor, request, user, "oauth")
    except errors.AuthError as error:
        return RedirectResponse(with_callback_error(redirect_to, error), 302)
    values = {
        name: str(session[name]) for name in ("access_token", "expires_at", "expires_in", "refresh_token")
    }
    values |= {"token_type": "bearer", "provider_token": person.access_token}
    return RedirectResponse(with_fragment(redirect_to, values), 302)


async def _spend_state(context: Context, state: str) -> FlowState:
    try:
        identity = uuid.UUID(state)
    except ValueError as error:
        raise errors.AuthError(400, "bad_oauth_callback", "OAuth state parameter is invalid") from error
    row = await context.db.one(
        """
        update auth.flow_state set updated_at = now(), provider_access_token = ''
        where id = %s and authentication_method = 'oauth' and user_id is null and provider_access_token is null
        returning *
        """,
        [identity],
    )
    flow = None if row is None else row_of(FlowState, row)
    if flow is None or context.clock() - flow.created_at.timestamp() > _EXPIRY_SECONDS:
        raise errors.AuthError(400, "bad_oauth_state", "OAuth state not found or expired")
    return flow


async def _redeem(context: Context, flow: FlowState, code: str) -> Person:
    provider = context.providers.get(flow.provider_type)
    if provider is None or not code:
        raise errors.AuthError(400, "bad_oauth_callback", "OAuth callback without a code")
    try:
        return await provider.redeem(code)
    except ProviderError as error:
        _log.warning("%s", error)
        raise errors.AuthError(500, "unexpected_failure", "Unable to exchange external code") from error


async def _user_of(cursor: Cursor, provider: str, person: Person, context: Context) -> User:
    """The user with this identity; else the one with this verified address, who gains it; else a new one."""
    subject = str(person.claims["sub"])
    data = _identity_data(person.claims)
    await cursor.execute(
        """
        update auth.identities set identity_data = %s, last_sign_in_at = now(), updated_at = now()
        where provider = %s and provider_id = %s returning user_id
        """,
        [json.dumps(data), provider, subject],
    )
    known = await cursor.fetchone()
    if known is not None:
        user = await user_store.by_id(cursor, str(known["user_id"]))
        if user is None:
            raise errors.user_not_found()
        return user
    email = str(person.claims.get("email") or "").lower()
    if not email or person.claims.get("email_verified") is not True:
        raise errors.AuthError(
            403,
            "provider_email_needs_verification",
            f"Unverified email with {provider}. Verify it there and try again",
        )
    user = await user_store.by_email(cursor, email)
    if user is None:
        if not context.auth.enable_signup:
            raise errors.signup_disabled()
        new = user_store.NewUser(email=email, metadata=data, providers=(provider,))
        user = await user_store.mark_confirmed(cursor, await user_store.insert(cursor, new))
    else:
        user = await _link(cursor, user, provider, data)
    await identity_store.add(cursor, user.id, provider, data)
    return user


async def _link(cursor: Cursor, user: User, provider: str, data: dict[str, Any]) -> User:
    if user.email_confirmed_at is None:
        # The account's address was never verified: the password set at sign-up must not open it.
        await cursor.execute("update auth.users set encrypted_password = '' where id = %s", [user.id])
        await cursor.execute(
            "delete from auth.identities where user_id = %s and provider = 'email'", [user.id]
        )
        user = await user_store.mark_confirmed(cursor, user)
    meta = user.raw_app_meta_data or {}
    providers = list(dict.fromkeys([*meta.get("providers", []), provider]))
    await cursor.execute(
        """
        update auth.users set raw_app_meta_data = %s, raw_user_meta_data = %s || coalesce(raw_user_meta_data, '{}')
        where id = %s returning *
        """,
        [json.dumps(meta | {"providers": providers}), json.dumps(data), user.id],
    )
    return await fetch_one(cursor, User)


async def _code(cursor: Cursor, flow: FlowState, user: User, person: Person) -> str:
    await cursor.execute(
        """
        update auth.flow_state set user_id = %s, provider_access_token = %s, provider_refresh_token = %s,
          auth_code_issued_at = now(), updated_at = now()
        where id = %s
        """,
        [user.id, person.access_token, person.refresh_token, flow.id],
    )
    return str(flow.auth_code)


def _identity_data(claims: dict[str, Any]) -> dict[str, Any]:
    name = claims.get("name") or ""
    picture = claims.get("picture") or ""
    return {
        "iss": claims["iss"],
        "sub": claims["sub"],
        "name": name,
        "picture": picture,
        "email": claims.get("email", ""),
        "email_verified": claims.get("email_verified") is True,
        "phone_verified": False,
        "full_name": name,
        "avatar_url": picture,
        "provider_id": claims["sub"],
    }
