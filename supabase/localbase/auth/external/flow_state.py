"""Sign-ins that have begun at a provider: what is remembered until the browser comes back.

The state that goes around is the id of a row in `auth.flow_state`, good for one return within five minutes.
"""

from __future__ import annotations

import uuid
from uuid import UUID

from starlette.requests import Request

from localbase.auth import errors
from localbase.auth.context import Context
from localbase.auth.providers.provider import Attempt, Provider, ProviderError
from localbase.auth.redirects import redirect_of
from localbase.auth.sessions import pkce
from localbase.auth.sessions.sessions import moment
from localbase.auth.tables.rows import FlowState, row_of
from localbase.postgres.service_pool import Cursor

EXPIRY_SECONDS = 5 * 60
_DAY = 24 * 3600
# What the service reads of the request itself; anything else is for the provider.
_OWN = frozenset(
    (
        *("provider", "scopes", "redirect_to", "skip_http_redirect", "invite_token", "apikey"),
        *("code_challenge", "code_challenge_method"),
    )
)


async def leave(context: Context, request: Request, provider: Provider, target_id: UUID | None = None) -> str:
    """The address to which the browser goes to sign in; with `target_id` to add an identity to that user."""
    query = request.query_params
    invite_token = query.get("invite_token", "")
    if invite_token and not await _is_invitation(context, invite_token):
        raise errors.AuthError(404, "user_not_found", "User identified by token not found")
    challenge = pkce.read_challenge(dict(query))
    state = uuid.uuid4()
    extra = {name: value for name, value in query.items() if name not in _OWN}
    attempt = Attempt(str(state), query.get("scopes", ""), extra)
    try:
        address = await provider.sign_in_address(attempt)
    except ProviderError as error:
        raise errors.AuthError(
            500, "unexpected_failure", f"{provider.name} cannot be reached at the moment"
        ) from error
    now, client_state = moment(context.clock()), uuid.uuid4()
    async with context.db.begin() as cursor:
        await cursor.execute(
            """
            insert into auth.oauth_client_states (id, provider_type, code_verifier, created_at)
            values (%s, %s, %s, %s)
            """,
            [client_state, provider.name, attempt.verifier, now],
        )
        await cursor.execute(
            """
            insert into auth.flow_state (id, auth_code, code_challenge, code_challenge_method, provider_type,
              authentication_method, invite_token, referrer, oauth_client_state_id, linking_target_id,
              email_optional, created_at, updated_at)
            values (%s, %s, %s, %s, %s, 'oauth', %s, %s, %s, %s, %s, %s, %s)
            """,
            [
                *(state, str(uuid.uuid4()) if challenge else None, *(challenge or (None, None))),
                *(provider.name, invite_token or None, redirect_of(request, context.auth), client_state),
                *(target_id, provider.email_optional, now, now),
            ],
        )
        await _clean(cursor, context.clock())
    return address


async def _clean(cursor: Cursor, now: float) -> None:
    """Takes away a few of the flows that were never finished: more than begin, so that none pile up."""
    for table, seconds in (("flow_state", _DAY), ("oauth_client_states", EXPIRY_SECONDS)):
        await cursor.execute(
            f"""
            delete from auth.{table} where id in (
              select id from auth.{table} where created_at < %s limit 5 for update skip locked
            )
            """.encode(),  # noqa: S608
            [moment(now - seconds)],
        )


async def _is_invitation(context: Context, token_hash: str) -> bool:
    statement = "select from auth.one_time_tokens where token_hash = %s and token_type = 'confirmation_token'"
    return await context.db.one(statement, [token_hash]) is not None


async def spend_state(context: Context, state: str) -> tuple[FlowState, str]:
    """The flow that a browser comes back to, and its verifier. Raises 400 for what is false, spent or too old."""
    if not state:
        raise errors.AuthError(400, "bad_oauth_callback", "OAuth state parameter missing")
    try:
        flow_id = UUID(state)
    except ValueError as error:
        raise errors.AuthError(400, "bad_oauth_state", "OAuth state parameter is invalid") from error
    row = await context.db.one(
        """
        update auth.flow_state set updated_at = now(), provider_access_token = ''
        where id = %s and authentication_method = 'oauth' and user_id is null and provider_access_token is null
        returning *
        """,
        [flow_id],
    )
    if row is None:
        raise await _spent_or_unknown(context, flow_id)
    flow = row_of(FlowState, row)
    if context.clock() - flow.created_at.timestamp() > EXPIRY_SECONDS:
        raise errors.AuthError(400, "bad_oauth_state", "OAuth state has expired")
    client_state = await context.db.one(
        "delete from auth.oauth_client_states where id = %s returning code_verifier",
        [flow.oauth_client_state_id],
    )
    if client_state is None:
        raise errors.AuthError(422, "oauth_client_state_not_found", "OAuth state not found")
    return flow, str(client_state["code_verifier"])


async def _spent_or_unknown(context: Context, flow_id: UUID) -> errors.AuthError:
    spent = await context.db.one(
        "select from auth.flow_state where id = %s and user_id is not null and auth_code is not null",
        [flow_id],
    )
    if spent is not None:
        return errors.AuthError(400, "flow_state_already_used", "State has already been used")
    return errors.AuthError(400, "bad_oauth_state", "OAuth state not found or expired")


async def finish_with_code(
    context: Context, cursor: Cursor, flow: FlowState, user_id: UUID, tokens: tuple[str, str]
) -> str:
    """The code to exchange for a session. `tokens` are the provider's own."""
    now = moment(context.clock())
    await cursor.execute(
        """
        update auth.flow_state set user_id = %s, provider_access_token = %s, provider_refresh_token = %s,
          auth_code_issued_at = %s, updated_at = %s
        where id = %s
        """,
        [user_id, *tokens, now, now, flow.id],
    )
    return str(flow.auth_code)


async def forget(cursor: Cursor, flow: FlowState) -> None:
    """The flow has ended."""
    await cursor.execute("delete from auth.flow_state where id = %s", [flow.id])
