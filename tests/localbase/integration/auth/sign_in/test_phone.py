"""Signing up and in by phone, changing the number: SMS go to the mailbox, and numbers with a test code get none."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import httpx
import pytest
from localbase.auth.messages.mailer import SMS_DOMAIN
from localbase.core.auth_settings import EmailSettings, Notification, Seconds

from supabase import create_client
from tests.localbase.integration.auth.calls import (
    EXPIRED_CODE,
    PASSWORD,
    audited,
    call,
    execute,
    failure,
    new_session,
    verify,
)
from tests.localbase.integration.auth.conftest import MANY, SMS
from tests.localbase.integration.auth.messages.mails import no_mail, texted_code
from tests.localbase.integration.auth.own_service import own_service
from tests.localbase.integration.small_project import until
from tests.support.mailbox import find_mails, wait_for_mail
from tests.support.stacks import Stack

TEST_PHONE, TEST_CODE = "15550199", "424242"


def post(stack: Stack, path: str, **body: Any) -> httpx.Response:
    return call(stack, "POST", path, json=body)


def phone_session(stack: Stack, phone: str) -> dict[str, Any]:
    assert post(stack, "/signup", phone=phone, password=PASSWORD).status_code == 200
    response = verify(stack, type="sms", phone=phone, token=texted_code(stack, phone))
    assert response.status_code == 200, response.text
    return dict(response.json())


def test_signing_up_by_phone_is_confirmed_by_sms(phones: Stack, phone: str) -> None:
    response = post(phones, "/signup", phone=f"+{phone[:3]} {phone[3:]}", password=PASSWORD)
    assert response.status_code == 200
    user = response.json()
    assert (user["phone"], user["email"]) == (phone, "")
    assert user["app_metadata"] == {"provider": "phone", "providers": ["phone"]}
    assert [one["provider"] for one in user["identities"]] == ["phone"]
    assert "phone_confirmed_at" not in user
    refused = post(phones, "/token?grant_type=password", phone=phone, password=PASSWORD)
    assert failure(refused) == (400, "phone_not_confirmed", "Phone not confirmed")
    sms = wait_for_mail(phones, f"{phone}@{SMS_DOMAIN}")
    assert sms["Subject"] == f"SMS to +{phone}"
    assert sms["To"] == [{"Name": "", "Address": f"{phone}@{SMS_DOMAIN}"}]
    code = texted_code(phones, phone)
    assert sms["Text"].strip() == f"{code} is your code: {code}"
    wrong = verify(phones, type="sms", phone=phone, token=f"{(int(code) + 1) % 1_000_000:06d}")
    assert failure(wrong) == EXPIRED_CODE
    session = verify(phones, type="sms", phone=f"+{phone}", token=code)
    assert session.status_code == 200
    assert session.json()["user"]["phone_confirmed_at"]
    assert failure(verify(phones, type="sms", phone=phone, token=code)) == EXPIRED_CODE
    signed_in = post(phones, "/token?grant_type=password", phone=f"+{phone}", password=PASSWORD)
    assert signed_in.json()["user"]["id"] == user["id"]
    assert audited(phones, user["id"])[:2] == [
        ("user_confirmation_requested", {"provider": "phone"}),
        ("user_signedup", {"provider": "phone"}),
    ]


def test_signing_in_by_code_makes_the_user(phones: Stack, phone: str) -> None:
    response = post(phones, "/otp", phone=phone, data={"nick": "Ann"})
    assert (response.status_code, response.json()) == (200, {})
    session = verify(phones, type="sms", phone=phone, token=texted_code(phones, phone)).json()
    assert session["user"]["user_metadata"]["nick"] == "Ann"
    assert post(phones, "/otp", phone=phone).json() == {}
    to = f"{phone}@{SMS_DOMAIN}"
    assert until(lambda: len(find_mails(phones, to)) == 2)
    again = verify(phones, type="sms", phone=phone, token=texted_code(phones, phone))
    assert again.json()["user"]["id"] == session["user"]["id"]


def test_unknown_number_is_refused_where_none_may_be_made(phones: Stack, phone: str) -> None:
    refused = post(phones, "/otp", phone=phone, create_user=False)
    assert failure(refused) == (422, "otp_disabled", "Signups not allowed for otp")


def test_number_with_a_test_code_gets_no_sms(phones: Stack) -> None:
    execute(phones, "delete from auth.users where phone = %s", TEST_PHONE)
    assert post(phones, "/otp", phone=TEST_PHONE).json() == {"message_id": "test-otp"}
    session = verify(phones, type="sms", phone=TEST_PHONE, token=TEST_CODE)
    assert session.json()["user"]["phone"] == TEST_PHONE
    assert verify(phones, type="sms", phone=TEST_PHONE, token=TEST_CODE).status_code == 200
    assert no_mail(phones, TEST_PHONE)


def test_without_confirmations_a_number_is_good_at_once(auth: Stack, phone: str) -> None:
    with own_service(auth, sms=replace(SMS, enable_confirmations=False)) as running:
        session = post(running, "/signup", phone=phone, password=PASSWORD).json()
        assert session["user"]["phone_confirmed_at"]
        assert failure(post(running, "/signup", phone=phone, password=PASSWORD)) == (
            422,
            "user_already_exists",
            "User already registered",
        )
        changed = call(running, "PUT", "/user", session["access_token"], json={"phone": str(int(phone) + 7)})
        assert changed.json()["phone"] == str(int(phone) + 7)
        assert post(running, "/otp", phone=str(int(phone) + 9)).json() == {}
        texted_code(running, str(int(phone) + 9))


def test_known_number_is_not_given_away(phones: Stack, phone: str) -> None:
    phone_session(phones, phone)
    response = post(phones, "/signup", phone=phone, password=PASSWORD)
    assert response.status_code == 200
    assert (response.json()["phone"], response.json()["identities"]) == (phone, [])


def test_changing_the_number_wants_a_code_sent_to_the_new_one(phones: Stack, phone: str) -> None:
    session, new = phone_session(phones, phone), str(int(phone) + 500)
    user = call(phones, "PUT", "/user", session["access_token"], json={"phone": f"+{new}"}).json()
    assert (user["phone"], user["new_phone"]) == (phone, new)
    first = texted_code(phones, new)
    response = post(phones, "/resend", type="phone_change", phone=phone)
    assert (response.status_code, response.json()) == (200, {})
    assert until(lambda: len(find_mails(phones, f"{new}@{SMS_DOMAIN}")) == 2)
    second = texted_code(phones, new)
    if first != second:
        assert failure(verify(phones, type="phone_change", phone=new, token=first)) == EXPIRED_CODE
    changed = verify(phones, type="phone_change", phone=new, token=second).json()["user"]
    assert changed["phone"] == new
    assert "new_phone" not in changed
    assert changed["identities"][0]["identity_data"]["phone"] == new


def test_taken_number_is_refused(phones: Stack, phone: str) -> None:
    phone_session(phones, phone)
    session = phone_session(phones, str(int(phone) + 500))
    refused = call(phones, "PUT", "/user", session["access_token"], json={"phone": phone})
    text = "A user with this phone number has already been registered"
    assert failure(refused) == (422, "phone_exists", text)


def test_first_number_is_a_new_identity_with_a_notice_by_mail(auth: Stack, email: str, phone: str) -> None:
    session = new_session(auth, email)
    notifications = {kind: Notification(enabled=True) for kind in ("identity_linked", "phone_changed")}
    settings = EmailSettings(notification=notifications)
    with own_service(auth, sms=SMS, email=settings) as running:
        token = session["access_token"]
        call(running, "PUT", "/user", token, json={"phone": phone})
        user = verify(running, type="phone_change", phone=phone, token=texted_code(auth, phone)).json()[
            "user"
        ]
        assert user["app_metadata"]["providers"] == ["email", "phone"]
        assert "with phone" in wait_for_mail(auth, email, "A new way to sign in")["Text"]
        new = str(int(phone) + 500)
        call(running, "PUT", "/user", token, json={"phone": new})
        assert (
            verify(running, type="phone_change", phone=new, token=texted_code(auth, new)).status_code == 200
        )
    assert f"from {phone} to {new}" in wait_for_mail(auth, email, "phone number")["Text"]


def test_second_request_within_the_pause_is_refused_alike(phones: Stack, auth: Stack, phone: str) -> None:
    phone_session(phones, phone)
    with own_service(auth, sms=replace(SMS, max_frequency=Seconds(60))) as running:
        for number in (phone, str(int(phone) + 500)):
            assert post(running, "/otp", phone=number).json() == {}
            refused = failure(post(running, "/otp", phone=number))
            assert refused[:2] == (429, "over_sms_send_rate_limit")
            assert refused[2].startswith("For security purposes, you can only request this after ")


@pytest.fixture
def few_sms(auth: Stack) -> Iterator[Stack]:
    execute(auth, "delete from _localbase.auth_rate_limits where name = 'sms_sent'")
    with own_service(auth, sms=SMS, rate_limit=replace(MANY, sms_sent=2)) as running:
        yield running
    execute(auth, "delete from _localbase.auth_rate_limits where name = 'sms_sent'")


def test_so_many_sms_leave_in_an_hour(few_sms: Stack, phone: str) -> None:
    for number in range(2):
        assert post(few_sms, "/otp", phone=str(int(phone) + number)).status_code == 200
    refused = post(few_sms, "/otp", phone=str(int(phone) + 3))
    assert failure(refused) == (429, "over_sms_send_rate_limit", "SMS rate limit exceeded")


def test_user_without_email_reauthenticates_by_sms(phones: Stack, phone: str) -> None:
    session = phone_session(phones, phone)
    assert call(phones, "GET", "/reauthenticate", session["access_token"]).json() == {}
    assert until(lambda: len(find_mails(phones, f"{phone}@{SMS_DOMAIN}")) == 2)


def test_official_client_signs_in_by_phone(auth: Stack, phones: Stack, phone: str) -> None:
    client = create_client(auth.api_url, auth.publishable_key)
    client.auth._url = f"{phones.api_url}/auth/v1"
    client.auth.sign_in_with_otp({"phone": f"+{phone}"})
    code = texted_code(auth, phone)
    session = client.auth.verify_otp({"phone": f"+{phone}", "token": code, "type": "sms"}).session
    assert session is not None
    assert session.user.phone == phone
