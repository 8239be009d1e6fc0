"""Passkeys over HTTP: what is refused, and how. The browser's part is in `test_webauthn_browser.py`."""

from __future__ import annotations

import uuid
from typing import Any

import httpx
import pytest
from localbase.core.auth_settings import Switch, WebAuthnSettings

from tests.localbase.integration.auth.calls import as_admin, call, execute, failure, new_session, sign_in
from tests.localbase.integration.auth.own_service import MovableClock, own_service
from tests.localbase.integration.auth.webauthn.authenticator import challenge, enroll, verified_app, verify
from tests.support.stacks import Stack

ROUTES = [
    ("POST", "/passkeys/authentication/options"),
    ("POST", "/passkeys/authentication/verify"),
    ("POST", "/passkeys/registration/options"),
    ("POST", "/passkeys/registration/verify"),
    ("GET", "/passkeys"),
    ("PATCH", f"/passkeys/{uuid.UUID(int=1)}"),
    ("DELETE", f"/passkeys/{uuid.UUID(int=1)}"),
]
LOW_AAL = (403, "insufficient_aal", "AAL2 session is required to manage passkeys when MFA is enabled")
NOT_A_KEY: dict[str, Any] = {"id": "a", "rawId": "a", "type": "public-key", "response": {}}


def options(stack: Stack, session: dict[str, Any]) -> httpx.Response:
    return call(stack, "POST", "/passkeys/registration/options", session["access_token"], json={})


def insert_passkeys(stack: Stack, user_id: str, number: int) -> list[str]:
    """Rows as a registration leaves them, with keys that nothing signs with."""
    return [
        str(row[0])
        for _ in range(number)
        for row in execute(
            stack,
            """
            insert into auth.webauthn_credentials (user_id, credential_id, public_key, friendly_name)
            values (%s, %s, 'key', 'laptop') returning id
            """,
            uuid.UUID(user_id),
            uuid.uuid4().bytes,
        )
    ]


@pytest.mark.parametrize(("method", "path"), ROUTES)
def test_switched_off_passkeys_are_not_found(auth: Stack, method: str, path: str) -> None:
    with own_service(auth, passkey=Switch(enabled=False)) as stack:
        response = call(stack, method, path, json={})
        assert failure(response) == (404, "passkey_disabled", "Passkeys are disabled")


def test_registration_asks_for_a_discoverable_key_of_the_site(auth: Stack, email: str) -> None:
    session = new_session(auth, email)
    response = options(auth, session)
    assert response.status_code == 200
    body = response.json()
    assert set(body) == {"challenge_id", "options", "expires_at"}
    creation_options = body["options"]
    assert creation_options["rp"] == {"name": "localhost", "id": "localhost"}
    assert (creation_options["user"]["name"], creation_options["user"]["displayName"]) == (email, email)
    assert creation_options["authenticatorSelection"] == {
        "residentKey": "required",
        "requireResidentKey": True,
        "userVerification": "preferred",
    }
    assert (
        creation_options["attestation"],
        creation_options["excludeCredentials"],
        creation_options["timeout"],
    ) == ("none", [], 300_000)


def test_relying_party_follows_the_settings(auth: Stack, email: str) -> None:
    settings = WebAuthnSettings("Shop", "shop.example", ("https://shop.example",))
    with own_service(auth, webauthn=settings) as stack:
        creation_options = options(stack, new_session(stack, email)).json()["options"]
        assert creation_options["rp"] == {"name": "Shop", "id": "shop.example"}


def test_sign_in_asks_no_particular_user(auth: Stack) -> None:
    response = call(auth, "POST", "/passkeys/authentication/options", json={})
    body = response.json()
    assert response.status_code == 200
    assert set(body) == {"challenge_id", "options", "expires_at"}
    assert set(body["options"]) == {"challenge", "timeout", "rpId", "allowCredentials", "userVerification"}
    assert (body["options"]["rpId"], body["options"]["allowCredentials"]) == ("localhost", [])


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ({}, "challenge_id is required"),
        ({"challenge_id": str(uuid.UUID(int=1))}, "credential is required"),
        ({"challenge_id": "none", "credential": NOT_A_KEY}, "challenge_id must be a valid UUID"),
    ],
)
def test_incomplete_responses_are_refused(
    auth: Stack, email: str, body: dict[str, object], message: str
) -> None:
    token = new_session(auth, email)["access_token"]
    for path in ("/passkeys/authentication/verify", "/passkeys/registration/verify"):
        assert failure(call(auth, "POST", path, token, json=body)) == (400, "validation_failed", message)


def test_challenge_counts_once_even_if_the_response_is_none(auth: Stack) -> None:
    issued = call(auth, "POST", "/passkeys/authentication/options", json={}).json()
    body = {"challenge_id": issued["challenge_id"], "credential": NOT_A_KEY}
    path = "/passkeys/authentication/verify"
    assert failure(call(auth, "POST", path, json=body)) == (
        400,
        "webauthn_verification_failed",
        "Invalid credential response",
    )
    assert failure(call(auth, "POST", path, json=body)) == (
        400,
        "webauthn_challenge_not_found",
        "Challenge not found or already used",
    )


def test_challenge_has_five_minutes(auth: Stack, email: str) -> None:
    clock = MovableClock()
    with own_service(auth, clock) as stack:
        session = new_session(stack, email)
        issued = options(stack, session).json()
        assert 298 <= issued["expires_at"] - clock() <= 300
        clock.ahead += 301
        body = {"challenge_id": issued["challenge_id"], "credential": NOT_A_KEY}
        response = call(stack, "POST", "/passkeys/registration/verify", session["access_token"], json=body)
        assert failure(response) == (400, "webauthn_challenge_expired", "Challenge has expired")


def test_challenge_belongs_to_its_user_and_purpose(auth: Stack, email: str) -> None:
    session = new_session(auth, email)
    other = new_session(auth, f"other-{email}")
    body = {"challenge_id": options(auth, session).json()["challenge_id"], "credential": NOT_A_KEY}
    missing = (400, "webauthn_challenge_not_found", "Challenge not found or already used")
    path = "/passkeys/registration/verify"
    assert failure(call(auth, "POST", path, other["access_token"], json=body)) == missing
    assert failure(call(auth, "POST", "/passkeys/authentication/verify", json=body)) == missing
    assert failure(call(auth, "POST", path, session["access_token"], json=body))[1] == (
        "webauthn_verification_failed"
    )


def test_passkeys_are_limited_in_number(auth: Stack, email: str) -> None:
    session = new_session(auth, email)
    insert_passkeys(auth, session["user"]["id"], 10)
    assert failure(options(auth, session)) == (
        422,
        "too_many_passkeys",
        "Maximum number of passkeys reached",
    )


def test_passkeys_are_managed_with_aal2_where_there_is_a_second_factor(auth: Stack, email: str) -> None:
    clock = MovableClock()
    with own_service(auth, clock) as stack:
        _, _, raised = verified_app(stack, clock, new_session(stack, email))
        (passkey,) = insert_passkeys(stack, raised["user"]["id"], 1)
        session = sign_in(stack, email)
        assert failure(options(stack, session)) == LOW_AAL
        path = f"/passkeys/{passkey}"
        assert failure(call(stack, "DELETE", path, session["access_token"])) == LOW_AAL
        assert options(stack, raised).status_code == 200
        assert call(stack, "DELETE", path, raised["access_token"]).status_code == 204


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("", "friendly_name is required"),
        ("ä" * 61, "friendly_name must be 120 characters or less"),
    ],
)
def test_bad_names_are_refused(auth: Stack, email: str, name: str, message: str) -> None:
    session = new_session(auth, email)
    (passkey,) = insert_passkeys(auth, session["user"]["id"], 1)
    response = call(
        auth, "PATCH", f"/passkeys/{passkey}", session["access_token"], json={"friendly_name": name}
    )
    assert failure(response) == (400, "validation_failed", message)


def test_passkey_of_another_user_is_not_found(auth: Stack, email: str) -> None:
    (passkey,) = insert_passkeys(auth, new_session(auth, email)["user"]["id"], 1)
    stranger = new_session(auth, f"other-{email}")
    for path in (f"/passkeys/{passkey}", "/passkeys/none"):
        for method, body in (("PATCH", {"friendly_name": "mine"}), ("DELETE", {})):
            response = call(auth, method, path, stranger["access_token"], json=body)
            assert failure(response) == (404, "validation_failed", "Passkey not found")
    response = as_admin(auth, "DELETE", f"/admin/users/{stranger['user']['id']}/passkeys/{passkey}")
    assert failure(response) == (404, "validation_failed", "Passkey not found")


def test_users_of_single_sign_on_register_no_passkeys(auth: Stack, email: str) -> None:
    session = new_session(auth, email)
    execute(auth, "update auth.users set is_sso_user = true where id = %s", uuid.UUID(session["user"]["id"]))
    assert failure(options(auth, session)) == (
        422,
        "validation_failed",
        "SSO users cannot register passkeys",
    )


@pytest.mark.parametrize(
    ("webauthn", "status", "code", "message"),
    [
        ({}, 400, "validation_failed", "WebAuthn config required"),
        ({"type": "request"}, 400, "validation_failed", "WebAuthn type must be create or request"),
        ({"type": "create"}, 400, "validation_failed", "credential_response required"),
        (
            {"type": "create", "credential_response": NOT_A_KEY},
            400,
            "validation_failed",
            "Invalid credential_response",
        ),
    ],
)
def test_malformed_proofs_of_a_key_are_refused(
    auth: Stack, email: str, webauthn: dict[str, object], status: int, code: str, message: str
) -> None:
    session = new_session(auth, email)
    factor_id = enroll(auth, session, factor_type="webauthn").json()["id"]
    issued = challenge(auth, session, factor_id).json()
    assert set(issued) == {"id", "type", "expires_at", "webauthn"}
    assert issued["webauthn"]["type"] == "create"
    assert issued["webauthn"]["credential_options"]["publicKey"]["user"]["name"] == email
    response = verify(auth, session, factor_id, challenge_id=issued["id"], webauthn=webauthn)
    assert failure(response) == (status, code, message)
