"""Sessions: how long they last, how their refresh tokens rotate, how they end."""

from __future__ import annotations

import uuid
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import httpx
import pytest
from localbase.core.auth_settings import Seconds, SessionLimits

from tests.localbase.integration.auth.calls import (
    as_admin,
    audited,
    call,
    claims_of,
    execute,
    failure,
    new_session,
    refresh,
    sign_in,
)
from tests.localbase.integration.auth.own_service import MovableClock, own_service
from tests.support.stacks import Stack

USED = (400, "refresh_token_already_used", "Invalid Refresh Token: Already Used")
EXPIRED = (400, "session_expired", "Invalid Refresh Token: Session Expired")
INACTIVE = (400, "session_expired", "Invalid Refresh Token: Session Expired (Inactivity)")


def chain(stack: Stack, session: dict[str, Any], length: int) -> list[str]:
    """The session's refresh tokens after as many exchanges, the first one first."""
    tokens = [session["refresh_token"]]
    for _ in range(length):
        response = refresh(stack, tokens[-1])
        assert response.status_code == 200, response.text
        tokens.append(response.json()["refresh_token"])
    return tokens


def test_session_past_not_after_is_not_refreshed(auth: Stack, email: str) -> None:
    session = new_session(auth, email)
    sid = claims_of(auth, session)["session_id"]
    execute(
        auth, "update auth.sessions set not_after = now() + interval '1 hour' where id = %s", uuid.UUID(sid)
    )
    session = refresh(auth, session["refresh_token"]).json()
    execute(
        auth, "update auth.sessions set not_after = now() - interval '1 second' where id = %s", uuid.UUID(sid)
    )
    assert failure(refresh(auth, session["refresh_token"])) == EXPIRED


def test_timebox_ends_a_session_that_is_used_all_the_time(auth: Stack, email: str) -> None:
    clock = MovableClock()
    with own_service(auth, clock, sessions=SessionLimits(timebox=Seconds(3600))) as stack:
        token = new_session(stack, email)["refresh_token"]
        for minutes in (20, 40, 59):
            clock.ahead = 60 * minutes
            token = refresh(stack, token).json()["refresh_token"]
        clock.ahead = 3601
        assert failure(refresh(stack, token)) == EXPIRED


def test_inactivity_timeout_counts_from_the_last_refresh(auth: Stack, email: str) -> None:
    clock = MovableClock()
    with own_service(auth, clock, sessions=SessionLimits(inactivity_timeout=Seconds(600))) as stack:
        token = new_session(stack, email)["refresh_token"]
        for _ in range(3):
            clock.ahead += 590
            token = refresh(stack, token).json()["refresh_token"]
        clock.ahead += 611
        assert failure(refresh(stack, token)) == INACTIVE


def test_session_that_was_never_refreshed_becomes_inactive_too(auth: Stack, email: str) -> None:
    clock = MovableClock()
    with own_service(auth, clock, sessions=SessionLimits(inactivity_timeout=Seconds(600))) as stack:
        token = new_session(stack, email)["refresh_token"]
        clock.ahead = 611
        assert failure(refresh(stack, token)) == INACTIVE


def test_parent_of_the_active_token_is_good_however_late(
    service: Stack, clock: MovableClock, email: str
) -> None:
    first, second = chain(service, new_session(service, email), 1)
    for days in (1, 30, 300):
        clock.ahead = 86400 * days
        assert refresh(service, first).json()["refresh_token"] == second
    # The active one is still good for one exchange of its own.
    assert refresh(service, second).json()["refresh_token"] not in (first, second)


def test_grandparent_later_than_the_interval_ends_the_family(
    service: Stack, clock: MovableClock, email: str
) -> None:
    first, second, third = chain(service, new_session(service, email), 2)
    clock.ahead = 11
    assert failure(refresh(service, first)) == USED
    # Written although the response was an error: the parent and the active one are gone as well.
    assert failure(refresh(service, third)) == USED
    assert failure(refresh(service, second)) == USED
    assert execute(
        service, "select count(*) from auth.refresh_tokens where token = %s and not revoked", third
    ) == [(0,)]


def test_grandparent_within_the_interval_gives_the_active_token(
    service: Stack, clock: MovableClock, email: str
) -> None:
    first, _, third = chain(service, new_session(service, email), 2)
    clock.ahead = 9
    assert refresh(service, first).json()["refresh_token"] == third


def test_ended_family_is_not_revived_within_the_interval(
    service: Stack, clock: MovableClock, email: str
) -> None:
    first, _, third = chain(service, new_session(service, email), 2)
    clock.ahead = 11
    refresh(service, first)
    clock.ahead = 12
    assert failure(refresh(service, third)) == USED


def test_without_rotation_a_late_reuse_is_refused_and_the_session_goes_on(auth: Stack, email: str) -> None:
    clock = MovableClock()
    with own_service(auth, clock, enable_refresh_token_rotation=False) as stack:
        first, _, third = chain(stack, new_session(stack, email), 2)
        clock.ahead = 11
        assert failure(refresh(stack, first)) == USED
        assert refresh(stack, third).status_code == 200


def test_hundred_refreshes_at_once_give_one_new_token(auth: Stack, email: str) -> None:
    token = new_session(auth, email)["refresh_token"]
    limits = httpx.Limits(max_connections=100)
    with (
        httpx.Client(
            base_url=f"{auth.api_url}/auth/v1",
            headers={"apikey": auth.publishable_key},
            limits=limits,
            timeout=60,
        ) as client,
        ThreadPoolExecutor(100) as pool,
    ):
        responses = list(
            pool.map(
                lambda _: client.post("/token?grant_type=refresh_token", json={"refresh_token": token}),
                range(100),
            )
        )
    assert [response.status_code for response in responses] == [200] * 100
    assert len({response.json()["refresh_token"] for response in responses}) == 1
    rows = execute(
        auth,
        """
        select count(*), count(*) filter (where not revoked) from auth.refresh_tokens
        where session_id = (select session_id from auth.refresh_tokens where token = %s)
        """,
        token,
    )
    assert rows == [(2, 1)]


@pytest.mark.parametrize("token", ["", "guessed", "A" * 24, "a" * 13, "1" * 24])
def test_malformed_refresh_token_is_refused(auth: Stack, token: str) -> None:
    assert failure(refresh(auth, token)) == (400, "validation_failed", "Refresh token is not valid")


@pytest.mark.parametrize("token", ["a" * 24, "0123456789ab"])
def test_unknown_refresh_token_is_refused(auth: Stack, token: str) -> None:
    assert failure(refresh(auth, token)) == (
        400,
        "refresh_token_not_found",
        "Invalid Refresh Token: Refresh Token Not Found",
    )


def test_refresh_token_without_a_session_is_refused_and_deleted(auth: Stack, email: str) -> None:
    session = new_session(auth, email)
    token = session["refresh_token"]
    execute(auth, "update auth.refresh_tokens set session_id = null where token = %s", token)
    assert failure(refresh(auth, token)) == (
        400,
        "session_not_found",
        "Invalid Refresh Token: No Valid Session Found",
    )
    assert execute(auth, "select from auth.refresh_tokens where token = %s", token) == []


def test_banned_user_gets_no_session(auth: Stack, email: str) -> None:
    session = new_session(auth, email)
    execute(
        auth,
        "update auth.users set banned_until = now() + interval '1 hour' where id = %s",
        uuid.UUID(session["user"]["id"]),
    )
    body = {"email": email, "password": "correct horse"}
    assert failure(call(auth, "POST", "/token?grant_type=password", json=body)) == (
        400,
        "user_banned",
        "User is banned",
    )
    assert failure(refresh(auth, session["refresh_token"])) == (
        400,
        "user_banned",
        "Invalid Refresh Token: User Banned",
    )
    assert failure(call(auth, "GET", "/user", session["access_token"])) == (
        403,
        "user_banned",
        "User is banned",
    )
    # A ban that is over has no effect, and the token is still good: the rejection has not used it up.
    execute(
        auth,
        "update auth.users set banned_until = now() - interval '1 second' where id = %s",
        uuid.UUID(session["user"]["id"]),
    )
    assert refresh(auth, session["refresh_token"]).status_code == 200


def test_access_token_names_session_level_and_methods(auth: Stack, email: str) -> None:
    new_session(auth, email)
    session = sign_in(auth, email)
    claims = claims_of(auth, session)
    sid = uuid.UUID(claims["session_id"])
    assert claims["aal"] == "aal1"
    ((method, proved_at),) = (entry.values() for entry in claims["amr"])
    assert method == "password"
    # The token is signed after the proof is written, perhaps in the next second.
    assert claims["iat"] - 60 < proved_at <= claims["iat"]
    assert "client_id" not in claims
    execute(
        auth,
        """
        insert into auth.mfa_amr_claims (id, session_id, created_at, updated_at, authentication_method)
        values (gen_random_uuid(), %s, now(), now() + interval '5 seconds', 'totp')
        """,
        sid,
    )
    execute(auth, "update auth.sessions set aal = 'aal2' where id = %s", sid)
    renewed = claims_of(auth, refresh(auth, session["refresh_token"]).json())
    assert renewed["aal"] == "aal2"
    assert [entry["method"] for entry in renewed["amr"]] == ["totp", "password"]
    assert renewed["session_id"] == str(sid)


def test_session_of_an_oauth_client_is_refreshed_by_that_client_alone(auth: Stack, email: str) -> None:
    session = new_session(auth, email)
    ((client_id,),) = execute(
        auth,
        """
        insert into auth.oauth_clients
          (id, registration_type, redirect_uris, grant_types, client_name, client_type, token_endpoint_auth_method)
        values (gen_random_uuid(), 'manual', 'http://127.0.0.1/', 'refresh_token', 'app', 'public', 'none')
        returning id
        """,
    )
    execute(
        auth,
        "update auth.sessions set oauth_client_id = %s where id = %s",
        client_id,
        uuid.UUID(claims_of(auth, session)["session_id"]),
    )
    response = refresh(auth, session["refresh_token"])
    assert (response.status_code, response.json()) == (
        400,
        {"error": "invalid_client", "error_description": "Client authentication required for OAuth session"},
    )


def test_sign_in_time_moves_with_sign_in_and_not_with_refresh(auth: Stack, email: str) -> None:
    first = new_session(auth, email)["user"]
    session = sign_in(auth, email)
    assert session["user"]["last_sign_in_at"] > first["last_sign_in_at"]
    # An identity's time is that of its own provider's sign-in, which an e-mail address has none of.
    assert session["user"]["identities"][0]["last_sign_in_at"] == first["identities"][0]["last_sign_in_at"]
    renewed = refresh(auth, session["refresh_token"]).json()
    assert renewed["user"]["last_sign_in_at"] == session["user"]["last_sign_in_at"]


def test_session_has_origin_and_time_of_its_last_refresh(auth: Stack, email: str) -> None:
    session = new_session(auth, email)
    sid = uuid.UUID(claims_of(auth, session)["session_id"])
    call(
        auth,
        "POST",
        "/token?grant_type=refresh_token",
        json={"refresh_token": session["refresh_token"]},
        headers={"user-agent": "second browser"},
    )
    rows = execute(
        auth,
        """
        select user_agent, host(ip), refreshed_at between (now() at time zone 'utc') - interval '10 seconds'
          and now() at time zone 'utc' from auth.sessions where id = %s
        """,
        sid,
    )
    assert rows == [("second browser", "127.0.0.1", True)]


def test_grants_and_sign_out_are_audited(auth: Stack, email: str) -> None:
    user_id = new_session(auth, email)["user"]["id"]
    before = len(audited(auth, user_id))
    session = sign_in(auth, email)
    session = refresh(auth, session["refresh_token"]).json()
    assert call(auth, "POST", "/logout", session["access_token"]).status_code == 204
    assert audited(auth, user_id)[before:] == [
        ("login", {"provider": "email"}),
        ("token_revoked", None),
        ("token_refreshed", None),
        ("logout", None),
    ]


@pytest.mark.parametrize(
    ("query", "left"),
    [
        ("", []),
        ("?scope=", []),
        ("?scope=global", []),
        ("?scope=local", ["other"]),
        ("?scope=others", ["own"]),
    ],
)
def test_sign_out_ends_the_sessions_of_its_scope(
    auth: Stack, email: str, query: str, left: list[str]
) -> None:
    new_session(auth, email)
    call(auth, "POST", "/logout?scope=global", sign_in(auth, email)["access_token"])
    sessions = {"own": sign_in(auth, email), "other": sign_in(auth, email)}
    response = call(auth, "POST", f"/logout{query}", sessions["own"]["access_token"])
    assert (response.status_code, response.content) == (204, b"")
    alive = [
        name
        for name, session in sessions.items()
        if refresh(auth, session["refresh_token"]).status_code == 200
    ]
    assert alive == left


def test_unknown_scope_of_sign_out_is_refused(auth: Stack, email: str) -> None:
    token = new_session(auth, email)["access_token"]
    assert failure(call(auth, "POST", "/logout?scope=all", token)) == (
        400,
        "validation_failed",
        'Unsupported logout scope "all"',
    )


def test_deleted_user_cannot_refresh(auth: Stack, email: str) -> None:
    session = new_session(auth, email)
    assert as_admin(auth, "DELETE", f"/admin/users/{session['user']['id']}").status_code == 200
    assert failure(refresh(auth, session["refresh_token"]))[:2] == (400, "refresh_token_not_found")
