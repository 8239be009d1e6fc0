"""A ban shuts a user out of everything at once: grants, links, and all that is behind a bearer token."""

from __future__ import annotations

import time
import uuid
from datetime import datetime

import httpx
import pytest

from tests.localbase.integration.auth.calls import (
    PASSWORD,
    as_admin,
    call,
    execute,
    failure,
    new_session,
    refresh,
)
from tests.localbase.integration.auth.own_service import MovableClock, own_service
from tests.support.stacks import Stack

OF_A_TOKEN = (403, "user_banned", "User is banned")
OF_A_GRANT = (400, "user_banned", "User is banned")


def ban(stack: Stack, user_id: str, duration: str) -> str | None:
    """The time until which the user is banned then."""
    response = as_admin(stack, "PUT", f"/admin/users/{user_id}", json={"ban_duration": duration})
    assert response.status_code == 200, response.text
    until: str | None = response.json().get("banned_until")
    return until


def by_password(stack: Stack, email: str) -> httpx.Response:
    return call(stack, "POST", "/token?grant_type=password", json={"email": email, "password": PASSWORD})


def test_banned_user_is_shut_out_and_let_in_again(auth: Stack, email: str) -> None:
    session = new_session(auth, email)
    token = session["access_token"]
    until = ban(auth, session["user"]["id"], "24h")
    assert until is not None
    assert abs(datetime.fromisoformat(until).timestamp() - time.time() - 24 * 3600) < 60
    assert failure(by_password(auth, email)) == OF_A_GRANT
    assert failure(refresh(auth, session["refresh_token"])) == (
        400,
        "user_banned",
        "Invalid Refresh Token: User Banned",
    )
    assert failure(call(auth, "GET", "/user", token)) == OF_A_TOKEN
    assert failure(call(auth, "PUT", "/user", token, json={"data": {}})) == OF_A_TOKEN
    assert failure(call(auth, "POST", "/logout", token)) == OF_A_TOKEN
    assert ban(auth, session["user"]["id"], "none") is None
    assert by_password(auth, email).status_code == 200
    assert refresh(auth, session["refresh_token"]).status_code == 200
    assert call(auth, "GET", "/user", token).status_code == 200


def test_ban_ends_by_itself(auth: Stack, email: str) -> None:
    clock = MovableClock()
    with own_service(auth, clock) as stack:
        session = new_session(stack, email)
        ban(stack, session["user"]["id"], "1h30m")
        clock.ahead = 5390
        assert failure(by_password(stack, email)) == OF_A_GRANT
        clock.ahead = 5410
        assert by_password(stack, email).status_code == 200


def test_user_can_be_made_banned(auth: Stack, email: str) -> None:
    body = {"email": email, "password": PASSWORD, "email_confirm": True, "ban_duration": "1h"}
    assert as_admin(auth, "POST", "/admin/users", json=body).json()["banned_until"]
    assert failure(by_password(auth, email)) == OF_A_GRANT


def test_ban_written_in_sql_counts(auth: Stack, email: str) -> None:
    session = new_session(auth, email)
    user_id = uuid.UUID(session["user"]["id"])
    execute(auth, "update auth.users set banned_until = now() + interval '1 day' where id = %s", user_id)
    assert failure(call(auth, "GET", "/user", session["access_token"])) == OF_A_TOKEN
    assert failure(by_password(auth, email)) == OF_A_GRANT


@pytest.mark.parametrize(
    ("duration", "reason"),
    [
        ("x", 'time: invalid duration "x"'),
        ("5", 'time: missing unit in duration "5"'),
        ("1w", 'time: unknown unit "w" in duration "1w"'),
        ("99999999h", 'time: invalid duration "99999999h"'),
    ],
)
def test_malformed_duration_is_refused(auth: Stack, email: str, duration: str, reason: str) -> None:
    user = new_session(auth, email)["user"]
    response = as_admin(auth, "PUT", f"/admin/users/{user['id']}", json={"ban_duration": duration})
    assert failure(response) == (400, "validation_failed", f"invalid format for ban duration: {reason}")
