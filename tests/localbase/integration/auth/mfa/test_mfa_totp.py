"""Second factors by authenticator apps (TOTP): enrolment, proof, and what they do to sessions."""

from __future__ import annotations

import uuid
from urllib.parse import parse_qs, unquote, urlsplit

import pytest

from tests.localbase.integration.auth.calls import (
    call,
    claims_of,
    execute,
    failure,
    new_session,
    refresh,
    sign_in,
)
from tests.localbase.integration.auth.own_service import MovableClock, own_service
from tests.localbase.integration.auth.webauthn.authenticator import (
    App,
    challenge,
    enroll,
    verified_app,
    verify,
)
from tests.support.stacks import Stack

WRONG = (422, "mfa_verification_failed", "Invalid TOTP code entered")


def test_enrolment_gives_key_address_and_picture(auth: Stack, email: str) -> None:
    response = enroll(auth, new_session(auth, email), friendly_name="my phone")
    assert response.status_code == 200
    factor = response.json()
    totp = factor.pop("totp")
    assert factor == {"id": str(uuid.UUID(factor["id"])), "type": "totp", "friendly_name": "my phone"}
    assert set(totp) == {"qr_code", "secret", "uri"}
    assert len(totp["secret"]) == 32
    uri = urlsplit(totp["uri"])
    issuer = urlsplit(auth.site_url).netloc
    assert (uri.scheme, uri.netloc, unquote(uri.path)) == ("otpauth", "totp", f"/{issuer}:{email}")
    assert parse_qs(uri.query) == {"secret": [totp["secret"]], "issuer": [issuer]}
    # Clients put it behind `data:image/svg+xml;utf-8,`: a `#` would end that address.
    assert totp["qr_code"].startswith('<svg xmlns="http://www.w3.org/2000/svg" ')
    assert "#" not in totp["qr_code"]


def test_enrolment_takes_an_issuer(auth: Stack, email: str) -> None:
    response = enroll(auth, new_session(auth, email), issuer="The Shop")
    assert "issuer=The%20Shop" in response.json()["totp"]["uri"]


def test_issuer_without_room_in_a_picture_leaves_no_factor(auth: Stack, email: str) -> None:
    session = new_session(auth, email)
    assert failure(enroll(auth, session, issuer="x" * 5000)) == (
        400,
        "validation_failed",
        "issuer is too long for a picture of the key",
    )
    user = call(auth, "GET", "/user", session["access_token"]).json()
    assert user.get("factors", []) == []


def test_verified_factor_raises_the_session(service: Stack, clock: MovableClock, email: str) -> None:
    session = new_session(service, email)
    before = claims_of(service, session)
    factor_id, _, raised = verified_app(service, clock, session)
    claims = claims_of(service, raised)
    assert (before["aal"], claims["aal"]) == ("aal1", "aal2")
    assert [entry["method"] for entry in claims["amr"]] == ["totp", "password"]
    assert claims["session_id"] == before["session_id"]
    assert raised["expires_in"] == raised["expires_at"] - claims["iat"] == 3600
    (factor,) = raised["user"]["factors"]
    assert (factor["id"], factor["status"], factor["factor_type"]) == (factor_id, "verified", "totp")
    renewed = claims_of(service, refresh(service, raised["refresh_token"]).json())
    assert (renewed["aal"], renewed["amr"]) == ("aal2", claims["amr"])


def test_refresh_token_from_before_the_factor_gives_no_raised_session(
    service: Stack, clock: MovableClock, email: str
) -> None:
    session = new_session(service, email)
    _, _, raised = verified_app(service, clock, session)
    assert failure(refresh(service, session["refresh_token"]))[:2] == (400, "refresh_token_already_used")
    # It can only have been stolen: the app has been given another one.
    assert failure(refresh(service, raised["refresh_token"]))[:2] == (400, "refresh_token_already_used")


def test_factor_ends_sessions_without_one_and_unverified_factors_of_its_type(
    service: Stack, clock: MovableClock, email: str
) -> None:
    other = new_session(service, email)
    session = sign_in(service, email)
    enroll(service, session, friendly_name="left alone")
    key = enroll(service, session, friendly_name="key", factor_type="webauthn").json()["id"]
    factor_id, _, raised = verified_app(service, clock, session)
    assert {factor["id"] for factor in raised["user"]["factors"]} == {factor_id, key}
    assert failure(call(service, "GET", "/user", other["access_token"]))[:2] == (403, "session_not_found")
    assert failure(refresh(service, other["refresh_token"]))[:2] == (400, "refresh_token_not_found")


def test_sign_in_again_proves_the_factor_again(service: Stack, clock: MovableClock, email: str) -> None:
    factor_id, app, first = verified_app(service, clock, new_session(service, email))
    session = sign_in(service, email)
    assert claims_of(service, session)["aal"] == "aal1"
    raised = verify(service, session, factor_id, code=app.code())
    assert claims_of(service, raised.json())["aal"] == "aal2"
    # Two sessions of aal2 live side by side.
    assert refresh(service, first["refresh_token"]).status_code == 200


def test_code_counts_once(service: Stack, clock: MovableClock, email: str) -> None:
    factor_id, app, _ = verified_app(service, clock, new_session(service, email))
    session = sign_in(service, email)
    assert failure(verify(service, session, factor_id, code=app.repeated())) == WRONG
    # Nor does an older one, after a newer one has been taken.
    assert failure(verify(service, session, factor_id, code=app.repeated(-1))) == WRONG
    assert verify(service, session, factor_id, code=app.repeated(1)).status_code == 200


@pytest.mark.parametrize("steps", [-1, 0, 1])
def test_code_of_a_neighbouring_time_step_is_taken(
    service: Stack, clock: MovableClock, email: str, steps: int
) -> None:
    session = new_session(service, email)
    factor = enroll(service, session).json()
    app = App(factor["totp"]["secret"], clock)
    assert verify(service, session, factor["id"], code=f" {app.repeated(steps)} ").status_code == 200


class StoppedClock(MovableClock):
    """A moment that lasts."""

    def __init__(self) -> None:
        super().__init__()
        self._moment = super().__call__()

    def __call__(self) -> float:
        return self._moment + self.ahead


def test_challenges_of_one_microsecond_all_succeed(auth: Stack, email: str) -> None:
    with own_service(auth, StoppedClock()) as service:
        session = new_session(service, email)
        factors = [enroll(service, session, friendly_name=name).json()["id"] for name in ("a", "b", "c")]
        assert [challenge(service, session, factor).status_code for factor in factors] == [200, 200, 200]


@pytest.mark.parametrize("steps", [-3, 3])
def test_code_of_another_time_is_refused(service: Stack, clock: MovableClock, email: str, steps: int) -> None:
    session = new_session(service, email)
    factor = enroll(service, session).json()
    app = App(factor["totp"]["secret"], clock)
    assert failure(verify(service, session, factor["id"], code=app.repeated(steps))) == WRONG
    (row,) = execute(
        service,
        "select status::text, (select aal::text from auth.sessions where user_id = factor.user_id) "
        "from auth.mfa_factors as factor where id = %s",
        uuid.UUID(factor["id"]),
    )
    assert row == ("unverified", "aal1")


def test_challenge_has_five_minutes(service: Stack, clock: MovableClock, email: str) -> None:
    session = new_session(service, email)
    factor = enroll(service, session).json()
    app = App(factor["totp"]["secret"], clock)
    response = challenge(service, session, factor["id"])
    issued = response.json()
    assert response.status_code == 200
    assert issued == {"id": issued["id"], "type": "totp", "expires_at": issued["expires_at"]}
    assert 298 <= issued["expires_at"] - clock() <= 300
    clock.ahead += 301
    expired = verify(service, session, factor["id"], code=app.repeated(), challenge_id=issued["id"])
    assert failure(expired) == (
        422,
        "mfa_challenge_expired",
        f"MFA challenge {issued['id']} has expired, verify against another challenge or create a new challenge.",
    )
    assert execute(service, "select from auth.mfa_challenges where id = %s", uuid.UUID(issued["id"])) == []


def test_challenge_is_good_for_one_proof_and_one_address(
    service: Stack, clock: MovableClock, email: str
) -> None:
    session = new_session(service, email)
    factor = enroll(service, session).json()
    app = App(factor["totp"]["secret"], clock)
    mismatch = (422, "mfa_ip_address_mismatch", "Challenge and verify IP addresses mismatch.")
    challenge_id = challenge(service, session, factor["id"]).json()["id"]
    execute(
        service,
        "update auth.mfa_challenges set ip_address = '192.0.2.1' where id = %s",
        uuid.UUID(challenge_id),
    )
    response = verify(service, session, factor["id"], code=app.code(), challenge_id=challenge_id)
    assert failure(response) == mismatch
    challenge_id = challenge(service, session, factor["id"]).json()["id"]
    raised = verify(service, session, factor["id"], code=app.code(), challenge_id=challenge_id).json()
    again = verify(service, raised, factor["id"], code=app.code(), challenge_id=challenge_id)
    assert failure(again) == mismatch


def test_challenge_of_another_factor_is_refused(service: Stack, clock: MovableClock, email: str) -> None:
    session = new_session(service, email)
    one = enroll(service, session, friendly_name="one").json()
    other = enroll(service, session, friendly_name="other").json()
    challenge_id = challenge(service, session, other["id"]).json()["id"]
    not_found = (422, "mfa_factor_not_found", "MFA factor with the provided challenge ID not found")
    code = App(one["totp"]["secret"], clock).code()
    assert failure(verify(service, session, one["id"], code=code, challenge_id=challenge_id)) == not_found
    assert failure(verify(service, session, one["id"], code=code, challenge_id="")) == not_found
    malformed = verify(service, session, one["id"], code=code, challenge_id="none")
    assert failure(malformed) == (400, "bad_json", "Could not read request body as JSON")


def test_sixteenth_wrong_code_in_a_minute_is_refused(service: Stack, clock: MovableClock, email: str) -> None:
    factor_id, app, _ = verified_app(service, clock, new_session(service, email))
    session = sign_in(service, email)
    for _ in range(15):
        assert failure(verify(service, session, factor_id, code=app.wrong())) == WRONG
    limited = (429, "over_request_rate_limit", "Request rate limit reached")
    assert failure(verify(service, session, factor_id, code=app.wrong())) == limited
    # Not even the right one: a guesser must not learn which it was.
    assert failure(verify(service, session, factor_id, code=app.code())) == limited
    clock.ahead += 60
    assert verify(service, session, factor_id, code=app.code()).status_code == 200


def test_hundred_wrong_codes_in_an_hour_end_the_guessing(
    service: Stack, clock: MovableClock, email: str
) -> None:
    factor_id, app, _ = verified_app(service, clock, new_session(service, email))
    session = sign_in(service, email)
    for number in range(100):
        if number % 15 == 0:
            clock.ahead += 61
        assert failure(verify(service, session, factor_id, code=app.wrong())) == WRONG
    clock.ahead += 120
    assert verify(service, session, factor_id, code=app.code()).status_code == 429
    clock.ahead += 3600
    assert verify(service, sign_in(service, email), factor_id, code=app.code()).status_code == 200


def test_key_that_another_service_encrypted_is_an_error_of_the_service(auth: Stack, email: str) -> None:
    session = new_session(auth, email)
    factor_id = enroll(auth, session).json()["id"]
    execute(
        auth,
        """update auth.mfa_factors set secret = '{"key_id": "k", "alg": "aes-gcm-hkdf"}' where id = %s""",
        uuid.UUID(factor_id),
    )
    assert failure(verify(auth, session, factor_id, code="123456")) == (
        500,
        "unexpected_failure",
        "Database error verifying MFA TOTP secret",
    )
