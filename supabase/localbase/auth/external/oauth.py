"""`/authorize` and `/callback`: signing in at an outside provider, or adding an identity there to the own account.

The browser comes back with a code of ours to exchange (PKCE), or with tokens in the fragment (implicit flow).
Upstream: supabase/auth, `internal/api/external.go`, `external_oauth.go`.
"""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence

import psycopg
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from localbase.auth import errors
from localbase.auth.context import Context, read_form
from localbase.auth.external import accounts, flow_state
from localbase.auth.external.accounts import Arrival, Visit
from localbase.auth.messages.message import Message
from localbase.auth.providers.provider import Person, ProviderError
from localbase.auth.providers.settings import require_provider
from localbase.auth.redirects import tokens_of, with_callback_error, with_fragment, with_query
from localbase.auth.sessions import sessions
from localbase.auth.tables.rows import FlowState
from localbase.postgres.service_pool import Cursor

_log = logging.getLogger("localbase.auth")


async def authorize(context: Context, request: Request) -> Response:
    """Sends the browser to the provider."""
    provider = require_provider(
        context.providers, context.auth.external, request.query_params.get("provider", "")
    )
    return RedirectResponse(await flow_state.leave(context, request, provider), 302)


async def callback(context: Context, request: Request) -> Response:
    """Takes the browser back from the provider, and on to where it wanted to go. Some providers send a form."""
    values: Mapping[str, str] = request.query_params
    if request.method == "POST":
        try:
            values = dict(await read_form(request)) or values
        except ValueError as error:
            raise errors.validation_failed("The form cannot be read") from error
    try:
        flow, verifier = await flow_state.spend_state(context, values.get("state", ""))
    except errors.AuthError as error:
        return RedirectResponse(with_callback_error(context.auth.site_url, error), 303)
    redirect_to = flow.referrer or context.auth.site_url
    try:
        person = await _redeem(context, flow, values, verifier)
        visit = Visit(context, request, flow.provider_type, person, redirect_to, flow.email_optional)
        try:
            address, mails = await _arrive(visit, flow)
        except psycopg.errors.UniqueViolation:
            # The same person at once in another window: the other request was faster, and this one finds the user.
            address, mails = await _arrive(visit, flow)
    except errors.AuthError as error:
        return RedirectResponse(with_callback_error(redirect_to, error), 302)
    except psycopg.Error as error:
        _log.error("database error: %s", str(error).split("\n")[0])
        failure = errors.AuthError(500, "unexpected_failure", "Database error saving new user")
        return RedirectResponse(with_callback_error(redirect_to, failure), 302)
    context.outbox.put(*mails)
    return RedirectResponse(address, 302)


async def _redeem(context: Context, flow: FlowState, values: Mapping[str, str], verifier: str) -> Person:
    if "error" in values:
        raise errors.OAuthError(400, values["error"], values.get("error_description", ""))
    code = values.get("code", "")
    if not code:
        message = "OAuth callback with missing authorization code missing"
        raise errors.AuthError(400, "bad_oauth_callback", message)
    provider = context.providers.get(flow.provider_type)
    if provider is None:
        message = "Unsupported provider: provider is not enabled"
        raise errors.AuthError(400, "oauth_provider_not_supported", message)
    try:
        person = await provider.redeem(code, verifier)
    except ProviderError as error:
        _log.warning("%s", error)
        message = f"Unable to exchange external code: {code[:4]}"
        raise errors.AuthError(500, "unexpected_failure", message) from error
    if not person.addresses and not flow.email_optional:
        message = "Error getting user email from external provider"
        raise errors.AuthError(500, "unexpected_failure", message)
    return person


async def _arrive(visit: Visit, flow: FlowState) -> tuple[str, Sequence[Message]]:
    """The address to which the browser goes, and the messages to send after the transaction."""
    async with visit.context.db.begin() as cursor:
        arrival = await _account(visit, cursor, flow)
        if arrival.error is not None:
            address = with_callback_error(visit.redirect_to, arrival.error)
        elif flow.code_challenge is not None:
            tokens = (visit.person.access_token, visit.person.refresh_token)
            code = await flow_state.finish_with_code(visit.context, cursor, flow, arrival.user.id, tokens)
            address = with_query(visit.redirect_to, {"code": code})
        else:
            address = with_fragment(visit.redirect_to, await _tokens(visit, cursor, arrival))
            await flow_state.forget(cursor, flow)
    return address, arrival.mails


async def _account(visit: Visit, cursor: Cursor, flow: FlowState) -> Arrival:
    if flow.linking_target_id is not None:
        return await accounts.link(visit, cursor, flow.linking_target_id)
    if flow.invite_token:
        return await accounts.accept_invitation(visit, cursor, flow.invite_token)
    return await accounts.sign_in(visit, cursor)


async def _tokens(visit: Visit, cursor: Cursor, arrival: Arrival) -> dict[str, str]:
    session = await sessions.open_session(visit.context, cursor, visit.request, arrival.user, "oauth")
    refresh_token = visit.person.refresh_token
    return {
        **tokens_of(session),
        "provider_token": visit.person.access_token,
        **({"provider_refresh_token": refresh_token} if refresh_token else {}),
    }
