"""Second factors of all types: who may enrol and unenrol them, how many, and what is switched off."""

from __future__ import annotations

import uuid
from dataclasses import replace

import pytest
from localbase.core.auth_settings import EmailSettings, FactorSettings, MfaSettings, Notification
from localbase.core.tokens import jwt

from tests.localbase.integration.auth.calls import (
    audited,
    call,
    claims_of,
    failure,
    new_session,
    refresh,
    sign_in,
)
from tests.localbase.integration.auth.own_service import MovableClock, own_service
from tests.localbase.integration.auth.webauthn.authenticator import (
    challenge,
    enroll,
    unenroll,
    verified_app,
    verify,
)
from tests.support.mailbox import find_mails, wait_for_mail
from tests.support.stacks import Stack


def test_name_of_a_factor_is_unique(auth: Stack, email: str) -> None:
    session = new_session(auth, email)
    assert enroll(auth, session, friendly_name='a "b"').status_code == 200
    assert failure(enroll(auth, session, friendly_name='a "b"')) == (
        422,
        "mfa_factor_name_conflict",
        'A factor with the friendly name "a \\"b\\"" for this user already exists',
    )
    assert enroll(auth, session).status_code == 200
    assert failure(enroll(auth, session))[:2] == (422, "mfa_factor_name_conflict")


def test_enrolment_that_was_not_carried_on_makes_room(
    service: Stack, clock: MovableClock, email: str
) -> None:
    session = new_session(service, email)
    enroll(service, session, friendly_name="same")
    clock.ahead += 299
    assert enroll(service, session, friendly_name="same").status_code == 422
    clock.ahead += 2
    assert enroll(service, session, friendly_name="same").status_code == 200


def test_factors_are_limited_in_number(auth: Stack, email: str) -> None:
    session = new_session(auth, email)
    for number in range(10):
        assert enroll(auth, session, friendly_name=str(number)).status_code == 200
    assert failure(enroll(auth, session, friendly_name="10")) == (
        422,
        "too_many_enrolled_mfa_factors",
        "Maximum number of verified factors reached, unenroll to continue",
    )


def test_second_factor_is_enrolled_with_the_first_one(
    service: Stack, clock: MovableClock, email: str
) -> None:
    factor_id, app, raised = verified_app(service, clock, new_session(service, email))
    session = sign_in(service, email)
    assert failure(enroll(service, session, friendly_name="thief's")) == (
        403,
        "insufficient_aal",
        "AAL2 required to enroll a new factor",
    )
    assert enroll(service, raised, friendly_name="spare").status_code == 200
    assert verify(service, session, factor_id, code=app.code()).status_code == 200


def test_verified_factor_is_unenrolled_with_aal2_and_drops_its_sessions(
    service: Stack, clock: MovableClock, email: str
) -> None:
    factor_id, app, first = verified_app(service, clock, new_session(service, email))
    session = sign_in(service, email)
    assert failure(unenroll(service, session, factor_id)) == (
        422,
        "insufficient_aal",
        "AAL2 required to unenroll verified factor",
    )
    raised = verify(service, session, factor_id, code=app.code()).json()
    response = unenroll(service, raised, factor_id)
    assert (response.status_code, response.json()) == (200, {"id": factor_id})
    for each in (first, raised):
        claims = claims_of(service, refresh(service, each["refresh_token"]).json())
        assert (claims["aal"], [entry["method"] for entry in claims["amr"]]) == ("aal1", ["password"])


def test_unverified_factor_is_unenrolled_by_any_session(auth: Stack, email: str) -> None:
    session = new_session(auth, email)
    factor_id = enroll(auth, session).json()["id"]
    assert unenroll(auth, session, factor_id).status_code == 200
    not_found = (404, "mfa_factor_not_found", "Factor not found")
    assert failure(unenroll(auth, session, factor_id)) == not_found


def test_factor_of_another_user_is_not_found(auth: Stack, email: str) -> None:
    factor_id = enroll(auth, new_session(auth, email)).json()["id"]
    stranger = new_session(auth, f"other-{email}")
    not_found = (404, "mfa_factor_not_found", "Factor not found")
    assert failure(challenge(auth, stranger, factor_id)) == not_found
    assert failure(unenroll(auth, stranger, factor_id)) == not_found
    assert (
        failure(verify(auth, stranger, factor_id, code="123456", challenge_id=str(uuid.uuid4()))) == not_found
    )
    assert failure(challenge(auth, stranger, "none")) == (
        404,
        "validation_failed",
        "factor_id must be an UUID",
    )


def test_factors_want_a_signed_in_user_with_an_account(auth: Stack) -> None:
    assert failure(call(auth, "POST", "/factors", json={"factor_type": "totp"}))[:2] == (
        403,
        "bad_jwt",
    )


def test_unknown_type_and_empty_code_are_refused(auth: Stack, email: str) -> None:
    session = new_session(auth, email)
    assert failure(enroll(auth, session, factor_type="sms")) == (
        400,
        "validation_failed",
        "factor_type needs to be totp, phone, or webauthn",
    )
    factor_id = enroll(auth, session).json()["id"]
    assert failure(verify(auth, session, factor_id, code="")) == (
        400,
        "validation_failed",
        "Code needs to be non-empty",
    )


@pytest.mark.parametrize(
    ("kind", "name", "body"),
    [("totp", "TOTP", {}), ("phone", "Phone", {"phone": "+15550100"}), ("webauthn", "WebAuthn", {})],
)
def test_switched_off_enrolment_is_refused(
    auth: Stack, email: str, kind: str, name: str, body: dict[str, str]
) -> None:
    with own_service(auth, mfa=MfaSettings()) as stack:
        response = enroll(stack, new_session(stack, email), factor_type=kind, **body)
        assert failure(response) == (
            422,
            f"mfa_{kind}_enroll_not_enabled",
            f"MFA enroll is disabled for {name}",
        )


@pytest.mark.parametrize(
    ("kind", "name", "body"),
    [("totp", "TOTP", {}), ("phone", "Phone", {"phone": "+15550101"}), ("webauthn", "WebAuthn", {})],
)
def test_switched_off_verification_is_refused(
    auth: Stack, email: str, kind: str, name: str, body: dict[str, str]
) -> None:
    session = new_session(auth, email)
    factor_id = enroll(auth, session, factor_type=kind, **body).json()["id"]
    refused = (422, f"mfa_{kind}_verify_not_enabled", f"MFA verification is disabled for {name}")
    with own_service(auth, mfa=MfaSettings(totp=FactorSettings(enroll_enabled=True))) as stack:
        assert failure(challenge(stack, session, factor_id)) == refused
        proof = {"code": "123456", "challenge_id": str(uuid.uuid4())}
        assert failure(verify(stack, session, factor_id, **proof)) == refused


def test_second_factors_are_audited(service: Stack, clock: MovableClock, email: str) -> None:
    session = new_session(service, email)
    user_id, before = session["user"]["id"], len(audited(service, session["user"]["id"]))
    factor_id, _, raised = verified_app(service, clock, session)
    unenroll(service, raised, factor_id)
    entries = audited(service, user_id)[before:]
    assert [action for action, _ in entries] == [
        "factor_in_progress",
        "challenge_created",
        "verification_attempted",
        "factor_unenrolled",
    ]
    traits = [each for _, each in entries]
    assert traits[0] == {"factor_id": factor_id}
    assert traits[1] == {"factor_id": factor_id, "factor_status": "unverified"}
    assert traits[2] is not None
    assert set(traits[2]) == {"factor_id", "challenge_id", "factor_type"}
    assert traits[3] == {
        "factor_id": factor_id,
        "factor_status": "verified",
        "session_id": claims_of(service, raised)["session_id"],
    }


def test_new_and_lost_factors_are_announced_by_mail(auth: Stack, clock: MovableClock, email: str) -> None:
    switched_on = {
        kind: Notification(enabled=True) for kind in ("mfa_factor_enrolled", "mfa_factor_unenrolled")
    }
    settings = replace(EmailSettings(), notification=switched_on)
    with own_service(auth, clock, email=settings) as stack:
        factor_id, app, raised = verified_app(stack, clock, new_session(stack, email))
        assert "totp" in wait_for_mail(auth, email, "A second factor was added")["Text"]
        assert verify(stack, raised, factor_id, code=app.code()).status_code == 200
        unenroll(stack, raised, factor_id)
        assert "totp" in wait_for_mail(auth, email, "A second factor was removed")["Text"]
        # Proving it again is no news.
        assert len(find_mails(auth, email, "A second factor was added")) == 1


def test_anonymous_users_have_no_second_factors_and_no_passkeys(auth: Stack, email: str) -> None:
    session = new_session(auth, email)
    claims = claims_of(auth, session) | {"is_anonymous": True}
    anonymous = session | {"access_token": jwt.sign(claims, auth.jwt_secret)}
    refused = (403, "no_authorization", "Anonymous user not allowed to perform these actions")
    assert failure(enroll(auth, anonymous)) == refused
    assert failure(challenge(auth, anonymous, str(uuid.uuid4()))) == refused
    assert failure(unenroll(auth, anonymous, str(uuid.uuid4()))) == refused
    path = "/passkeys/registration/options"
    assert failure(call(auth, "POST", path, anonymous["access_token"], json={})) == refused


def test_token_without_a_session_enrols_nothing(auth: Stack, email: str) -> None:
    session = new_session(auth, email)
    claims = {name: value for name, value in claims_of(auth, session).items() if name != "session_id"}
    response = enroll(auth, session | {"access_token": jwt.sign(claims, auth.jwt_secret)})
    assert failure(response) == (
        500,
        "unexpected_failure",
        "A valid session and a registered user are required to enroll a factor",
    )
