"""PUT /user: password, metadata, and what is asked before they change. The e-mail address: test_email_change.py."""

from __future__ import annotations

import uuid
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import httpx
import pytest
from localbase.core.auth_settings import EmailSettings, Notification, Seconds

from supabase import create_client
from tests.localbase.integration.auth.calls import (
    PASSWORD,
    audited,
    call,
    execute,
    failure,
    new_session,
    sign_in,
)
from tests.localbase.integration.auth.messages.mails import mailed_code, no_mail, query_of
from tests.localbase.integration.auth.own_service import MovableClock, own_service
from tests.support.mailbox import wait_for_mail
from tests.support.stacks import Stack

MAILS = EmailSettings(max_frequency=Seconds(0.001))
NEW = "another horse"
DAY = 24 * 3600


def change(stack: Stack, token: str, **body: object) -> httpx.Response:
    return call(stack, "PUT", "/user", token, json=body)


def test_new_password_makes_old_links_void(auth: Stack, email: str) -> None:
    session = new_session(auth, email)
    call(auth, "POST", "/recover", json={"email": email})
    link = query_of(wait_for_mail(auth, email))["token"]
    assert change(auth, session["access_token"], password=NEW).status_code == 200
    refused = call(auth, "POST", "/verify", json={"type": "recovery", "token_hash": link})
    assert failure(refused) == (403, "otp_expired", "Email link is invalid or has expired")
    assert [action for action, _ in audited(auth, session["user"]["id"])][-2:] == [
        "user_updated_password",
        "user_modified",
    ]


def test_of_two_new_passwords_at_once_one_is_set(auth: Stack, email: str) -> None:
    token = new_session(auth, email)["access_token"]
    with ThreadPoolExecutor(2) as pool:
        responses = list(pool.map(lambda n: change(auth, token, password=f"{NEW} {n}"), range(2)))
    assert sorted(response.status_code for response in responses) in ([200, 200], [200, 409])


def test_metadata_is_merged_and_null_takes_away(auth: Stack, email: str) -> None:
    token = new_session(auth, email)["access_token"]
    change(auth, token, data={"a": 1, "b": 2})
    metadata = change(auth, token, data={"b": None, "c": 3}).json()["user_metadata"]
    assert {name: metadata.get(name) for name in "abc"} == {"a": 1, "b": None, "c": 3}
    assert "b" not in metadata


def test_app_metadata_is_for_administrators(auth: Stack, email: str) -> None:
    token = new_session(auth, email)["access_token"]
    refused = change(auth, token, app_metadata={"role": "admin"})
    assert failure(refused) == (403, "not_admin", "Updating app_metadata requires admin privileges")


def test_old_session_wants_a_code_for_a_new_password(auth: Stack, email: str) -> None:
    clock = MovableClock()
    settings = replace(MAILS, secure_password_change=True)
    with own_service(auth, clock, email=settings, jwt_expiry=3 * DAY) as running:
        token = sign_in(running, new_session(auth, email)["user"]["email"])["access_token"]
        assert change(running, token, password=NEW).status_code == 200
        clock.ahead = DAY + 60
        needed = change(running, token, password=f"{NEW} 2")
        assert failure(needed) == (
            400,
            "reauthentication_needed",
            "Password update requires reauthentication",
        )
        assert call(running, "GET", "/reauthenticate", token).json() == {}
        code = mailed_code(auth, email, "verification code")
        wrong = change(running, token, password=f"{NEW} 2", nonce=f"{(int(code) + 1) % 1_000_000:06d}")
        assert failure(wrong) == (422, "reauthentication_not_valid", "Nonce has expired or is invalid")
        assert change(running, token, password=f"{NEW} 2", nonce=code).status_code == 200
        spent = change(running, token, password=f"{NEW} 3", nonce=code)
        assert failure(spent)[1] == "reauthentication_not_valid"


def test_nonce_dies_after_ten_wrong_tries(auth: Stack, email: str) -> None:
    clock = MovableClock()
    settings = replace(MAILS, secure_password_change=True)
    with own_service(auth, clock, email=settings, jwt_expiry=3 * DAY) as running:
        token = sign_in(running, new_session(auth, email)["user"]["email"])["access_token"]
        clock.ahead = DAY + 60
        call(running, "GET", "/reauthenticate", token)
        code = mailed_code(auth, email, "verification code")
        for _ in range(10):
            change(running, token, password=NEW, nonce=f"{(int(code) + 1) % 1_000_000:06d}")
        assert failure(change(running, token, password=NEW, nonce=code))[1] == "reauthentication_not_valid"


def test_reauthentication_wants_a_confirmed_address(auth: Stack, email: str) -> None:
    session = new_session(auth, email)
    user_id, token = session["user"]["id"], session["access_token"]
    execute(auth, "update auth.users set email_confirmed_at = null where id = %s", user_id)
    refused = call(auth, "GET", "/reauthenticate", token)
    assert failure(refused) == (422, "email_not_confirmed", "Please verify your email first.")
    execute(auth, "update auth.users set email = null, phone = %s where id = %s", user_id[:8], user_id)
    refused = call(auth, "GET", "/reauthenticate", token)
    assert failure(refused) == (422, "phone_not_confirmed", "Please verify your phone first.")
    execute(auth, "update auth.users set phone = null where id = %s", user_id)
    refused = call(auth, "GET", "/reauthenticate", token)
    text = "Reauthentication requires the user to have an email or a phone number"
    assert failure(refused) == (400, "validation_failed", text)


def test_present_password_is_wanted_where_the_project_says_so(auth: Stack, email: str) -> None:
    text = "Current password required when setting new password."
    token = new_session(auth, email)["access_token"]
    with own_service(auth, email=replace(MAILS, require_current_password=True)) as running:
        missing = change(running, token, password=NEW)
        assert failure(missing) == (400, "current_password_required", text)
        wrong = change(running, token, password=NEW, current_password="guessed")
        assert failure(wrong) == (400, "current_password_invalid", text)
        right = change(running, token, password=NEW, current_password=PASSWORD)
        assert right.status_code == 200
        call(running, "POST", "/recover", json={"email": email})
        code = mailed_code(auth, email, "Reset")
        body = {"type": "recovery", "email": email, "token": code}
        recovered = call(running, "POST", "/verify", json=body).json()["access_token"]
        assert change(running, recovered, password=f"{NEW} 2").status_code == 200


@pytest.mark.parametrize("field", ["password", "email", "phone"])
def test_second_factor_guards_the_account(auth: Stack, email: str, field: str) -> None:
    session = new_session(auth, email)
    _add_factor(auth, session["user"]["id"])
    token = session["access_token"]
    body = {"password": NEW, "email": f"new-{email}", "phone": "15550123"}
    refused = change(auth, token, **{field: body[field]})
    text = "AAL2 session is required to update email or password when MFA is enabled."
    assert failure(refused) == (401, "insufficient_aal", text)
    assert change(auth, token, data={"a": 1}).status_code == 200
    execute(auth, "update auth.sessions set aal = 'aal2' where user_id = %s", session["user"]["id"])
    assert change(auth, token, password=NEW).status_code == 200


def _add_factor(stack: Stack, user_id: str) -> None:
    execute(
        stack,
        """
        insert into auth.mfa_factors (id, user_id, factor_type, status, created_at, updated_at)
        values (%s, %s, 'totp', 'verified', now(), now())
        """,
        uuid.uuid4(),
        user_id,
    )


def test_anonymous_user_has_no_password_without_an_address(auth: Stack, email: str) -> None:
    session = new_session(auth, email)
    execute(
        auth, "update auth.users set email = null, is_anonymous = true where id = %s", session["user"]["id"]
    )
    refused = change(auth, session["access_token"], password=NEW)
    text = "Updating password of an anonymous user without an email or phone is not allowed"
    assert failure(refused) == (422, "validation_failed", text)


def test_sso_user_is_managed_elsewhere(auth: Stack, email: str) -> None:
    session = new_session(auth, email)
    execute(auth, "update auth.users set is_sso_user = true where id = %s", session["user"]["id"])
    refused = change(auth, session["access_token"], password=NEW)
    text = "Updating email, phone, password of a SSO account only possible via SSO"
    assert failure(refused) == (422, "user_sso_managed", text)


def test_new_password_sends_a_notice_where_the_project_says_so(auth: Stack, email: str) -> None:
    token = new_session(auth, email)["access_token"]
    assert change(auth, token, password=NEW).status_code == 200
    notice = Notification(enabled=True, subject="Hm, {{ .Email }}", content="<p>{{ .Data.nick }} changed</p>")
    with own_service(auth, email=replace(MAILS, notification={"password_changed": notice})) as running:
        assert change(running, token, password=f"{NEW} 2", data={"nick": "<Ann>"}).status_code == 200
        assert change(running, token, password=f"{NEW} 3").status_code == 200
    mail = wait_for_mail(auth, email, "Hm,")
    assert mail["Subject"] == f"Hm, {email}"
    assert no_mail(auth, email, "Your password")


def test_official_client_reauthenticates(auth: Stack, email: str) -> None:
    new_session(auth, email)
    client = create_client(auth.api_url, auth.publishable_key)
    client.auth.sign_in_with_password({"email": email, "password": PASSWORD})
    client.auth.reauthenticate()
    mailed_code(auth, email, "verification code")
    assert client.auth.update_user({"password": NEW}).user.email == email


def test_metadata_that_no_token_could_carry_is_rejected(auth: Stack, email: str) -> None:
    token = new_session(auth, email)["access_token"]
    text = "user_metadata and app_metadata may have at most 32768 bytes: every token carries them"
    large, half = "x" * 32_768, "x" * 20_000
    assert failure(change(auth, token, data={"note": large})) == (400, "validation_failed", text)
    assert change(auth, token, data={"first": half}).status_code == 200
    assert failure(change(auth, token, data={"second": half})) == (400, "validation_failed", text)
    assert change(auth, token, data={"first": None, "second": half}).status_code == 200
    other = {"email": f"large-{email}", "password": PASSWORD, "data": {"note": large}}
    assert failure(call(auth, "POST", "/signup", json=other)) == (400, "validation_failed", text)
    rows = execute(auth, "select from auth.users where email = %s", other["email"])
    assert rows == []
