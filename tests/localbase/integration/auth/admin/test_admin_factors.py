"""The service role's view of second factors."""

from __future__ import annotations

import uuid

import pytest

from supabase import create_client
from tests.localbase.integration.auth.calls import (
    as_admin,
    audited,
    call,
    claims_of,
    execute,
    failure,
    new_session,
    refresh,
)
from tests.localbase.integration.auth.own_service import MovableClock
from tests.localbase.integration.auth.webauthn.authenticator import enroll, verified_app
from tests.support.stacks import Stack


def test_factors_of_a_user_are_listed_without_their_keys(
    service: Stack, clock: MovableClock, email: str
) -> None:
    session = new_session(service, email)
    path = f"/admin/users/{session['user']['id']}/factors"
    assert as_admin(service, "GET", path).json() == []
    factor_id, _, raised = verified_app(service, clock, session, "my phone")
    enroll(service, raised, factor_type="phone", phone="+1 555 0100", friendly_name="sms")
    response = as_admin(service, "GET", path)
    assert response.status_code == 200
    totp, phone = response.json()
    assert totp == {
        "id": factor_id,
        "created_at": totp["created_at"],
        "updated_at": totp["updated_at"],
        "status": "verified",
        "friendly_name": "my phone",
        "factor_type": "totp",
        "phone": "",
        "last_challenged_at": totp["last_challenged_at"],
    }
    assert (phone["phone"], phone["status"], phone["last_challenged_at"]) == ("15550100", "unverified", None)


def test_admin_deletes_a_factor_and_its_sessions_drop_to_aal1(
    service: Stack, clock: MovableClock, email: str
) -> None:
    factor_id, _, raised = verified_app(service, clock, new_session(service, email))
    user_id = raised["user"]["id"]
    response = as_admin(service, "DELETE", f"/admin/users/{user_id}/factors/{factor_id}")
    assert (response.status_code, response.json()["id"]) == (200, factor_id)
    renewed = refresh(service, raised["refresh_token"]).json()
    assert claims_of(service, renewed)["aal"] == "aal1"
    assert "factors" not in renewed["user"]
    assert ("factor_deleted", {"user_id": user_id, "factor_id": factor_id}) in audited(service, user_id)


def test_admin_renames_a_factor_and_changes_its_number(auth: Stack, email: str) -> None:
    session = new_session(auth, email)
    factor = enroll(auth, session, factor_type="phone", phone="15550101", friendly_name="old").json()
    path = f"/admin/users/{session['user']['id']}/factors/{factor['id']}"
    response = as_admin(auth, "PUT", path, json={"friendly_name": "new", "phone": "+1 555 0102"})
    assert response.status_code == 200
    assert (response.json()["friendly_name"], response.json()["phone"]) == ("new", "15550102")
    assert as_admin(auth, "PUT", path, json={}).json()["friendly_name"] == "new"
    assert failure(as_admin(auth, "PUT", path, json={"phone": "none"})) == (
        400,
        "validation_failed",
        "Invalid phone number format (E.164 required)",
    )
    entries = execute(
        auth,
        """
        select payload ->> 'actor_username' from auth.audit_log_entries
        where payload ->> 'action' = 'factor_updated' and payload -> 'traits' ->> 'factor_id' = %s
        """,
        factor["id"],
    )
    assert entries == [("service_role",), ("service_role",)]


def test_unknown_users_and_factors_are_not_found(auth: Stack, email: str) -> None:
    user_id = new_session(auth, email)["user"]["id"]
    assert failure(as_admin(auth, "GET", "/admin/users/none/factors")) == (
        404,
        "validation_failed",
        "user_id must be an UUID",
    )
    assert failure(as_admin(auth, "GET", f"/admin/users/{uuid.uuid4()}/factors")) == (
        404,
        "user_not_found",
        "User not found",
    )
    assert failure(as_admin(auth, "DELETE", f"/admin/users/{user_id}/factors/{uuid.uuid4()}")) == (
        404,
        "mfa_factor_not_found",
        "Factor not found",
    )


@pytest.mark.parametrize(
    ("method", "path"), [("GET", ""), ("PUT", f"/{uuid.UUID(int=1)}"), ("DELETE", f"/{uuid.UUID(int=1)}")]
)
def test_factors_of_others_are_for_the_service_role(auth: Stack, email: str, method: str, path: str) -> None:
    session = new_session(auth, email)
    response = call(
        auth, method, f"/admin/users/{session['user']['id']}/factors{path}", session["access_token"], json={}
    )
    assert failure(response) == (403, "not_admin", "User not allowed")


def test_python_client_lists_and_deletes_factors_as_admin(auth: Stack, email: str) -> None:
    session = new_session(auth, email)
    factor_id = enroll(auth, session).json()["id"]
    client = create_client(auth.api_url, auth.service_role_key)
    user_id = session["user"]["id"]
    assert [factor.id for factor in client.auth.admin.mfa.list_factors({"user_id": user_id})] == [factor_id]
    assert client.auth.admin.mfa.delete_factor({"user_id": user_id, "id": factor_id}).id == factor_id
    assert client.auth.admin.mfa.list_factors({"user_id": user_id}) == []
