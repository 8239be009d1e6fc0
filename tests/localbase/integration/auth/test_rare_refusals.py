"""Refusals that need a hook, a busy database, or a project that changes between two requests."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import psycopg
import pyotp
import pytest
from localbase.core.auth_settings import HookSettings, HooksSettings

from tests.localbase.integration.auth.calls import as_admin, call, execute, failure, new_session
from tests.localbase.integration.auth.external.outside_providers import (
    OutsideProviders,
    callback_path,
    fragment_of,
)
from tests.localbase.integration.auth.external.provider_calls import come_back, leave, person
from tests.localbase.integration.auth.own_service import own_service
from tests.support.stacks import Stack

_REJECTION = '{"decision": "reject", "message": "Not from this country"}'


@pytest.fixture
def rejecting(auth: Stack) -> Iterator[Stack]:
    """A service of a project that rejects every attempt with a second factor."""
    execute(
        auth,
        f"""
        create schema rare;
        grant usage on schema rare to supabase_auth_admin;
        create function rare.reject(event jsonb) returns jsonb language sql as $$ select '{_REJECTION}'::jsonb $$;
        grant execute on function rare.reject to supabase_auth_admin;
        """,
    )
    hook = HookSettings(enabled=True, uri="pg-functions://postgres/rare/reject")
    try:
        with own_service(auth, hook=HooksSettings(mfa_verification_attempt=hook)) as running:
            yield running
    finally:
        execute(auth, "drop schema rare cascade")


def test_hook_rejects_a_right_code_in_its_own_words(rejecting: Stack, email: str) -> None:
    token = new_session(rejecting, email)["access_token"]
    factor = call(rejecting, "POST", "/factors", token, json={"factor_type": "totp"}).json()
    challenge = call(rejecting, "POST", f"/factors/{factor['id']}/challenge", token, json={}).json()
    body = {"challenge_id": challenge["id"], "code": pyotp.TOTP(factor["totp"]["secret"]).now()}
    response = call(rejecting, "POST", f"/factors/{factor['id']}/verify", token, json=body)
    assert failure(response) == (403, "mfa_verification_rejected", "Not from this country")


def test_invitation_that_was_accepted_meanwhile_is_not_found(
    auth: Stack, outside: OutsideProviders, email: str
) -> None:
    outside.forged.clear()
    with own_service(auth, external=outside.settings()) as stack:
        link = as_admin(stack, "POST", "/admin/generate_link", json={"type": "invite", "email": email}).json()
        back = outside.agree(leave(stack, "google", invite_token=link["hashed_token"]), person(email))
        spent = call(stack, "POST", "/verify", json={"type": "invite", "token_hash": link["hashed_token"]})
        assert spent.status_code == 200, spent.text
        refused = fragment_of(come_back(stack, back))
    assert (refused["error_code"], refused["error_description"]) == ("invite_not_found", "Invite not found")


def test_provider_that_was_switched_off_meanwhile_is_not_supported(
    auth: Stack, outside: OutsideProviders, email: str
) -> None:
    with own_service(auth, external=outside.settings()) as stack:
        back = outside.agree(leave(stack, "google"), person(email))
    with own_service(auth, external={}) as stack:
        response = call(stack, "GET", callback_path(back))
    assert response.status_code == 302, response.text
    refused = fragment_of(response.headers["location"])
    assert (refused["error"], refused["error_code"]) == ("invalid_request", "oauth_provider_not_supported")


def test_request_that_waits_too_long_for_the_database_is_refused(auth: Stack, email: str) -> None:
    with (
        own_service(auth, pool_size=1, pool_seconds=0.3) as stack,
        psycopg.connect(auth.admin_db_url) as other,
        ThreadPoolExecutor(1) as threads,
    ):
        token = new_session(stack, email)["access_token"]
        other.execute("select from auth.users where email = %s for update", [email])
        # It has the service's only connection, and waits for the row.
        first = threads.submit(call, stack, "PUT", "/user", token, json={"data": {"a": 1}})
        waiting = "select pid from pg_stat_activity where wait_event_type = 'Lock' and usename = 'supabase_auth_admin'"
        while not execute(auth, waiting):
            assert not first.done()
        response = call(stack, "GET", "/user", token)
        other.rollback()
        assert first.result().status_code == 200
    assert failure(response) == (503, "request_timeout", "Too many requests at once, please try again")
