"""Codes of mails: what they open, how often they may be guessed, and how long they are good."""

from __future__ import annotations

import hashlib
from concurrent.futures import ThreadPoolExecutor

import pytest
from localbase.core.auth_settings import EmailSettings

from supabase import create_client
from tests.localbase.integration.auth.calls import (
    EXPIRED_CODE,
    EXPIRED_LINK,
    audited,
    call,
    claims_of,
    failure,
    new_session,
    sign_up,
    verify,
)
from tests.localbase.integration.auth.messages.mails import (
    code_in,
    follow,
    fragment_of,
    mailed_code,
    no_mail,
    query_of,
)
from tests.localbase.integration.auth.own_service import MovableClock, own_service
from tests.support.mailbox import wait_for_mail
from tests.support.stacks import Stack


def wrong(code: str) -> str:
    return f"{(int(code) + 1) % 1_000_000:06d}"


def test_type_email_is_a_sign_up_or_a_sign_in_code(confirming: Stack, email: str) -> None:
    sign_up(confirming, email)
    confirmed = verify(confirming, type="email", email=email, token=mailed_code(confirming, email))
    assert confirmed.status_code == 200, confirmed.text
    assert confirmed.json()["user"]["email_confirmed_at"]
    assert call(confirming, "POST", "/otp", json={"email": email}).json() == {}
    signed_in = verify(confirming, type="email", email=email, token=mailed_code(confirming, email, "sign-in"))
    assert signed_in.status_code == 200, signed_in.text
    assert claims_of(confirming, signed_in.json())["amr"][0]["method"] == "otp"
    actions = [action for action, _ in audited(confirming, signed_in.json()["user"]["id"])]
    assert actions == [
        "user_confirmation_requested",
        "user_signedup",
        "user_recovery_requested",
        "login",
    ]


def test_unknown_address_gets_an_account_by_its_code(confirming: Stack, email: str) -> None:
    body = {"email": email, "data": {"nick": "Ann"}}
    assert (call(confirming, "POST", "/otp", json=body).json()) == {}
    response = verify(confirming, type="email", email=email, token=mailed_code(confirming, email))
    assert response.status_code == 200, response.text
    assert response.json()["user"]["user_metadata"]["nick"] == "Ann"
    assert response.json()["user"]["app_metadata"] == {"provider": "email", "providers": ["email"]}


def test_without_confirmations_an_unknown_address_gets_a_sign_in_link(auth: Stack, email: str) -> None:
    assert call(auth, "POST", "/magiclink", json={"email": email}).json() == {}
    mail = wait_for_mail(auth, email, "sign-in")
    assert fragment_of(follow(auth, mail))["type"] == "magiclink"


def test_unknown_address_is_refused_where_none_may_be_made(
    auth: Stack, confirming: Stack, email: str
) -> None:
    refused = call(confirming, "POST", "/otp", json={"email": email, "create_user": False})
    assert failure(refused) == (422, "otp_disabled", "Signups not allowed for otp")
    new_session(auth, email)
    assert call(confirming, "POST", "/otp", json={"email": email, "create_user": False}).json() == {}


def test_no_account_is_made_where_sign_ups_are_off(auth: Stack, email: str) -> None:
    with own_service(auth, email=EmailSettings(enable_confirmations=True), enable_signup=False) as running:
        refused = call(running, "POST", "/otp", json={"email": email})
    assert failure(refused) == (422, "signup_disabled", "Signups not allowed for this instance")
    assert no_mail(auth, email)


def test_code_dies_after_ten_wrong_tries_and_its_link_lives(confirming: Stack, email: str) -> None:
    sign_up(confirming, email)
    mail = wait_for_mail(confirming, email)
    code = code_in(mail)
    for _ in range(10):
        refused = verify(confirming, type="signup", email=email, token=wrong(code))
        assert failure(refused) == EXPIRED_CODE
    assert failure(verify(confirming, type="signup", email=email, token=code)) == EXPIRED_CODE
    assert "access_token" in fragment_of(follow(confirming, mail))


def test_nine_wrong_tries_leave_a_code_good(confirming: Stack, email: str) -> None:
    sign_up(confirming, email)
    code = mailed_code(confirming, email)
    with ThreadPoolExecutor(9) as pool:
        list(pool.map(lambda _: verify(confirming, type="signup", email=email, token=wrong(code)), range(9)))
    assert verify(confirming, type="signup", email=email, token=code).status_code == 200


def test_new_code_may_be_tried_again(confirming: Stack, email: str) -> None:
    sign_up(confirming, email)
    code = mailed_code(confirming, email)
    for _ in range(10):
        verify(confirming, type="signup", email=email, token=wrong(code))
    assert call(confirming, "POST", "/resend", json={"type": "signup", "email": email}).json() == {}
    newest = code
    while newest == code:
        newest = mailed_code(confirming, email)
    assert verify(confirming, type="signup", email=email, token=newest).status_code == 200


@pytest.mark.parametrize("is_known", [True, False])
def test_address_takes_a_hundred_wrong_tries_an_hour(
    auth: Stack, confirming: Stack, confirming_clock: MovableClock, email: str, is_known: bool
) -> None:
    if is_known:
        new_session(auth, email)

    def guess(number: int) -> int:
        return verify(confirming, type="email", email=email, token=f"{number:06d}").status_code

    with ThreadPoolExecutor(4) as pool:
        assert set(pool.map(guess, range(100))) == {403}
    refused = verify(confirming, type="recovery", email=email, token="000000")
    assert failure(refused) == (429, "over_request_rate_limit", "Request rate limit reached")
    confirming_clock.ahead = 3601
    assert failure(verify(confirming, type="recovery", email=email, token="000000")) == EXPIRED_CODE


def test_hash_of_a_code_cannot_be_computed_by_its_reader(confirming: Stack, email: str) -> None:
    sign_up(confirming, email)
    mail = wait_for_mail(confirming, email)
    guess = hashlib.sha224((email + code_in(mail)).encode()).hexdigest()
    assert failure(verify(confirming, type="signup", token_hash=guess)) == EXPIRED_LINK


@pytest.mark.parametrize("kind", ["link", "code", "hash"])
def test_token_is_good_for_otp_expiry(
    confirming: Stack, confirming_clock: MovableClock, email: str, kind: str
) -> None:
    sign_up(confirming, email)
    mail = wait_for_mail(confirming, email)
    confirming_clock.ahead = 3600 + 5
    if kind == "link":
        assert fragment_of(follow(confirming, mail)) == {
            "error": "access_denied",
            "error_code": "otp_expired",
            "error_description": "Email link is invalid or has expired",
        }
    elif kind == "code":
        assert failure(verify(confirming, type="signup", email=email, token=code_in(mail))) == EXPIRED_CODE
    else:
        token_hash = query_of(mail)["token"]
        assert failure(verify(confirming, type="signup", token_hash=token_hash)) == EXPIRED_LINK


def test_official_client_signs_in_by_code(auth: Stack, email: str) -> None:
    client = create_client(auth.api_url, auth.publishable_key)
    client.auth.sign_in_with_otp({"email": email, "options": {"data": {"nick": "Ann"}}})
    code = mailed_code(auth, email)
    session = client.auth.verify_otp({"email": email, "token": code, "type": "email"}).session
    assert session is not None
    assert session.user.email == email
    client.auth.reset_password_for_email(email)
    code = mailed_code(auth, email, "Reset")
    assert client.auth.verify_otp({"email": email, "token": code, "type": "recovery"}).session is not None
