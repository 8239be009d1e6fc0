"""`/verify`: links of mails, in the implicit flow and with PKCE, and requests that are no good."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from urllib.parse import parse_qsl, urlencode, urlsplit

import pytest

from tests.localbase.integration.auth.calls import (
    EXPIRED_CODE,
    EXPIRED_LINK,
    PASSWORD,
    call,
    execute,
    failure,
    new_session,
    sign_up,
    verify,
)
from tests.localbase.integration.auth.messages.mails import (
    code_in,
    follow,
    follow_link,
    fragment_of,
    query_of,
)
from tests.localbase.integration.auth.own_service import MovableClock
from tests.support.mailbox import wait_for_mail
from tests.support.stacks import Stack


@pytest.mark.parametrize(("path", "kind"), [("/otp", "magiclink"), ("/recover", "recovery")])
def test_links_open_a_session_by_their_hash(
    auth: Stack, confirming: Stack, email: str, path: str, kind: str
) -> None:
    new_session(auth, email)
    assert call(confirming, "POST", path, json={"email": email}).json() == {}
    mail = wait_for_mail(confirming, email)
    assert query_of(mail)["type"] == kind
    response = verify(confirming, type=kind, token_hash=query_of(mail)["token"])
    assert (response.status_code, response.json()["user"]["email"]) == (200, email)
    again = verify(confirming, type=kind, token_hash=query_of(mail)["token"])
    assert failure(again) == EXPIRED_LINK
    assert failure(verify(confirming, type=kind, email=email, token=code_in(mail))) == EXPIRED_CODE


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ({}, (400, "validation_failed", "Verify requires a verification type")),
        ({"type": "email"}, (400, "validation_failed", "Verify requires either a token or a token hash")),
        (
            {"type": "email", "token": "1", "token_hash": "1", "email": "a@example.com"},
            (400, "validation_failed", "Verify requires either a token or a token hash"),
        ),
        (
            {"type": "email", "token_hash": "1", "email": "a@example.com"},
            (400, "validation_failed", "Only the token_hash and type should be provided"),
        ),
        (
            {"type": "email", "token_hash": "1", "redirect_to": "http://127.0.0.1/"},
            (400, "validation_failed", "Only the token_hash and type should be provided"),
        ),
        (
            {"type": "email", "token": "1"},
            (400, "validation_failed", "Only an email address or phone number should be provided on verify"),
        ),
        (
            {"type": "email", "token": "1", "email": "nowhere"},
            (422, "validation_failed", "Invalid email format"),
        ),
        ({"type": "other", "token_hash": "1"}, (400, "validation_failed", "Invalid email verification type")),
        (
            {"type": "other", "token": "1", "email": "a@example.com"},
            (400, "validation_failed", "Unsupported verification type"),
        ),
        ({"type": "signup", "token_hash": "1"}, EXPIRED_LINK),
        ({"type": "sms", "token": "1", "email": "a@example.com"}, EXPIRED_CODE),
        ({"type": "email", "token": "1", "phone": "15550100"}, EXPIRED_CODE),
    ],
)
def test_bad_requests_to_verify_are_refused(
    confirming: Stack, body: dict[str, str], expected: tuple[int, str, str]
) -> None:
    assert failure(call(confirming, "POST", "/verify", json=body)) == expected


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("", (400, "validation_failed", "Verify requires a verification type")),
        ("type=signup", (400, "validation_failed", "Verify requires a token or a token hash")),
    ],
)
def test_bad_links_are_refused(confirming: Stack, query: str, expected: tuple[int, str, str]) -> None:
    assert failure(call(confirming, "GET", f"/verify?{query}")) == expected


def test_late_click_in_the_pkce_flow_still_signs_in(
    auth: Stack, confirming: Stack, confirming_clock: MovableClock, email: str
) -> None:
    new_session(auth, email)
    body = {"email": email, "code_challenge": "c" * 43, "code_challenge_method": "plain"}
    assert call(confirming, "POST", "/otp", json=body).json() == {}
    mail = wait_for_mail(confirming, email)
    confirming_clock.ahead = 50 * 60
    code = dict(parse_qsl(urlsplit(follow(confirming, mail)).query))["code"]
    grant = {"auth_code": code, "code_verifier": "c" * 43}
    confirming_clock.ahead += 299
    response = call(confirming, "POST", "/token?grant_type=pkce", json=grant)
    assert (response.status_code, response.json()["user"]["email"]) == (200, email)


def test_code_in_an_address_is_good_for_five_minutes(
    auth: Stack, confirming: Stack, confirming_clock: MovableClock, email: str
) -> None:
    new_session(auth, email)
    body = {"email": email, "code_challenge": "c" * 43, "code_challenge_method": "plain"}
    assert call(confirming, "POST", "/recover", json=body).json() == {}
    target = urlsplit(follow(confirming, wait_for_mail(confirming, email)))
    assert target.fragment == ""
    confirming_clock.ahead = 301
    grant = {"auth_code": dict(parse_qsl(target.query))["code"], "code_verifier": "c" * 43}
    refused = call(confirming, "POST", "/token?grant_type=pkce", json=grant)
    assert failure(refused) == (422, "flow_state_expired", "invalid flow state, flow state has expired")


def test_errors_of_pkce_links_are_in_query_and_fragment(confirming: Stack) -> None:
    target = urlsplit(follow_link(confirming, urlencode({"type": "signup", "token": "pkce_" + "0" * 56})))
    values = {
        "error": "access_denied",
        "error_code": "otp_expired",
        "error_description": "Email link is invalid or has expired",
    }
    assert dict(parse_qsl(target.query)) == values
    assert fragment_of(target.geturl()) == values


def test_banned_user_redeems_nothing(auth: Stack, confirming: Stack, email: str) -> None:
    user = new_session(auth, email)["user"]
    call(confirming, "POST", "/otp", json={"email": email})
    mail = wait_for_mail(confirming, email)
    execute(auth, "update auth.users set banned_until = now() + interval '1 day' where id = %s", user["id"])
    banned = (403, "user_banned", "User is banned")
    assert failure(verify(confirming, type="magiclink", token_hash=query_of(mail)["token"])) == banned
    assert failure(verify(confirming, type="email", email=email, token=code_in(mail))) == banned
    assert fragment_of(follow(confirming, mail))["error_code"] == "user_banned"


def test_link_followed_ten_times_at_once_opens_one_session(
    auth: Stack, confirming: Stack, email: str
) -> None:
    user = new_session(auth, email)["user"]
    call(confirming, "POST", "/otp", json={"email": email})
    mail = wait_for_mail(confirming, email)
    with ThreadPoolExecutor(10) as pool:
        targets = list(pool.map(lambda _: fragment_of(follow(confirming, mail)), range(10)))
    assert len([target for target in targets if "access_token" in target]) == 1
    assert execute(auth, "select count(*) from auth.sessions where user_id = %s", user["id"]) == [(2,)]


def test_invited_user_has_a_password_that_fits_none(auth: Stack, confirming: Stack, email: str) -> None:
    sign_up(confirming, email)
    execute(auth, "update auth.users set invited_at = now(), encrypted_password = '' where email = %s", email)
    link = query_of(wait_for_mail(confirming, email))["token"]
    assert verify(confirming, type="invite", token_hash=link).status_code == 200
    ((stored,),) = execute(auth, "select encrypted_password from auth.users where email = %s", email)
    assert stored.startswith("$2b$10$")
    body = {"email": email, "password": PASSWORD}
    refused = call(confirming, "POST", "/token?grant_type=password", json=body)
    assert failure(refused) == (400, "invalid_credentials", "Invalid login credentials")


def test_link_without_its_flow_is_refused(auth: Stack, confirming: Stack, email: str) -> None:
    user = new_session(auth, email)["user"]
    body = {"email": email, "code_challenge": "c" * 43, "code_challenge_method": "plain"}
    call(confirming, "POST", "/otp", json=body)
    mail = wait_for_mail(confirming, email)
    execute(auth, "delete from auth.flow_state where user_id = %s", user["id"])
    assert fragment_of(follow(confirming, mail)) == {
        "error": "invalid_request",
        "error_code": "flow_state_not_found",
        "error_description": "No associated flow state found. 422: No valid flow state found for user.",
    }


def test_code_that_was_never_issued_is_refused(auth: Stack, confirming: Stack, email: str) -> None:
    user = new_session(auth, email)["user"]
    body = {"email": email, "code_challenge": "c" * 43, "code_challenge_method": "plain"}
    call(confirming, "POST", "/otp", json=body)
    ((code,),) = execute(auth, "select auth_code from auth.flow_state where user_id = %s", user["id"])
    grant = {"auth_code": code, "code_verifier": "c" * 43}
    refused = call(confirming, "POST", "/token?grant_type=pkce", json=grant)
    text = "invalid flow state, no valid flow state found"
    assert failure(refused) == (404, "flow_state_not_found", text)
