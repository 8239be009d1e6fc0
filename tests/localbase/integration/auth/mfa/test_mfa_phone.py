"""Second factors by SMS."""

from __future__ import annotations

import random
import uuid
from dataclasses import replace

import pytest
from localbase.core.auth_settings import MfaSettings, PhoneFactorSettings, Seconds

from tests.localbase.integration.auth.calls import claims_of, execute, failure, new_session
from tests.localbase.integration.auth.own_service import MovableClock, own_service
from tests.localbase.integration.auth.webauthn.authenticator import challenge, enroll, verify
from tests.support.mailbox import wait_for_mail
from tests.support.stacks import Stack

SWITCHED_ON = PhoneFactorSettings(enroll_enabled=True, verify_enabled=True)


@pytest.fixture
def number() -> str:
    """A number that no factor has yet."""
    return f"1555{random.randrange(10**7):07}"


def code_sent_to(stack: Stack, number: str) -> str:
    """Return what the last word of the SMS is."""
    text: str = wait_for_mail(stack, f"{number}@sms.localbase.local")["Text"]
    return text.split()[-1]


def test_number_is_enrolled_and_proven_by_the_code_in_an_sms(auth: Stack, email: str, number: str) -> None:
    session = new_session(auth, email)
    response = enroll(auth, session, factor_type="phone", phone=f"+{number}", friendly_name="mine")
    factor = response.json()
    assert (response.status_code, factor) == (
        200,
        {"id": factor["id"], "type": "phone", "friendly_name": "mine", "phone": f"+{number}"},
    )
    challenge_response = challenge(auth, session, factor["id"], channel="sms")
    assert challenge_response.status_code == 200
    assert set(challenge_response.json()) == {"id", "type", "expires_at"}
    code = code_sent_to(auth, number)
    assert len(code) == 6
    wrong = "000000" if code != "000000" else "111111"
    refused = verify(auth, session, factor["id"], challenge_id=challenge_response.json()["id"], code=wrong)
    assert failure(refused) == (422, "mfa_verification_failed", "Invalid MFA Phone code entered")
    raised = verify(auth, session, factor["id"], challenge_id=challenge_response.json()["id"], code=code)
    assert raised.status_code == 200
    claims = claims_of(auth, raised.json())
    assert (claims["aal"], [entry["method"] for entry in claims["amr"]]) == (
        "aal2",
        ["mfa/phone", "password"],
    )
    assert raised.json()["user"]["factors"][0]["phone"] == number
    again = verify(auth, raised.json(), factor["id"], challenge_id=challenge_response.json()["id"], code=code)
    assert failure(again)[:2] == (422, "mfa_ip_address_mismatch")


def test_length_and_text_follow_the_settings(auth: Stack, email: str, number: str) -> None:
    settings = MfaSettings(phone=replace(SWITCHED_ON, otp_length=8, template="Shop code: {{ .Code }}"))
    with own_service(auth, mfa=settings) as stack:
        session = new_session(stack, email)
        factor_id = enroll(stack, session, factor_type="phone", phone=number).json()["id"]
        challenge(stack, session, factor_id)
        assert wait_for_mail(auth, f"{number}@sms.localbase.local")["Text"].startswith("Shop code: ")
        assert len(code_sent_to(auth, number)) == 8


def test_second_sms_waits_for_max_frequency(auth: Stack, email: str, number: str) -> None:
    clock = MovableClock()
    settings = MfaSettings(phone=replace(SWITCHED_ON, max_frequency=Seconds(60)))
    with own_service(auth, clock, mfa=settings) as stack:
        session = new_session(stack, email)
        factor_id = enroll(stack, session, factor_type="phone", phone=number).json()["id"]
        assert challenge(stack, session, factor_id).status_code == 200
        clock.ahead += 30
        assert failure(challenge(stack, session, factor_id)) == (
            429,
            "over_sms_send_rate_limit",
            "For security purposes, you can only request this after 29 seconds.",
        )
        clock.ahead += 31
        assert challenge(stack, session, factor_id).status_code == 200


@pytest.mark.parametrize(
    ("phone", "message"),
    [
        ("", "Phone number required to enroll Phone factor"),
        ("+0155501", "Invalid phone number format (E.164 required)"),
        ("1" * 16, "Invalid phone number format (E.164 required)"),
        ("+1-555-0100", "Invalid phone number format (E.164 required)"),
        ("1555010\n", "Invalid phone number format (E.164 required)"),
        ("١٥٥٥", "Invalid phone number format (E.164 required)"),
    ],
)
def test_malformed_numbers_are_refused(auth: Stack, email: str, phone: str, message: str) -> None:
    response = enroll(auth, new_session(auth, email), factor_type="phone", phone=phone)
    assert failure(response) == (400, "validation_failed", message)


def test_number_that_was_never_verified_is_enrolled_anew(auth: Stack, email: str, number: str) -> None:
    session = new_session(auth, email)
    first = enroll(auth, session, factor_type="phone", phone=number).json()["id"]
    second = enroll(auth, session, factor_type="phone", phone=number).json()["id"]
    assert second != first
    execute(auth, "update auth.mfa_factors set status = 'verified' where id = %s", uuid.UUID(second))
    assert failure(enroll(auth, session, factor_type="phone", phone=number, friendly_name="again")) == (
        422,
        "mfa_verified_factor_exists",
        "A verified phone factor already exists, unenroll the existing factor to continue",
    )


def test_other_channels_are_refused(auth: Stack, email: str, number: str) -> None:
    session = new_session(auth, email)
    factor_id = enroll(auth, session, factor_type="phone", phone=number).json()["id"]
    assert failure(challenge(auth, session, factor_id, channel="whatsapp")) == (
        400,
        "validation_failed",
        "Invalid channel, supported values are 'sms' or 'whatsapp'. 'whatsapp' is only supported if Twilio or Twilio"
        " Verify is used as the provider.",
    )
