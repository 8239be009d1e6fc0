"""`/admin/users`: every field that an administrator may set, deletion, and what the audit log says of it."""

from __future__ import annotations

import time
import uuid
from typing import Any

import bcrypt
import pytest

from supabase import create_client
from tests.localbase.integration.auth.calls import (
    PASSWORD,
    as_admin,
    call,
    claims_of,
    execute,
    failure,
    new_session,
    refresh,
    sign_in,
)
from tests.support.stacks import Stack

NOT_FOUND = (404, "user_not_found", "User not found")
EMAIL_EXISTS = (422, "email_exists", "A user with this email address has already been registered")
PHONE_EXISTS = (422, "phone_exists", "A user with this phone number has already been registered")


def create(stack: Stack, **fields: Any) -> dict[str, Any]:
    response = as_admin(stack, "POST", "/admin/users", json=fields)
    assert response.status_code == 200, response.text
    return dict(response.json())


def update(stack: Stack, user_id: str, **fields: Any) -> dict[str, Any]:
    response = as_admin(stack, "PUT", f"/admin/users/{user_id}", json=fields)
    assert response.status_code == 200, response.text
    return dict(response.json())


def new_phone() -> str:
    return f"49{uuid.uuid4().int % 10**11:011d}"


def audited_about(stack: Stack, user_id: str) -> list[tuple[str, str, dict[str, Any]]]:
    """Actions, actors and traits of the service role's entries about a user, oldest first."""
    rows = execute(
        stack,
        """
        select payload ->> 'action', payload ->> 'actor_username', payload -> 'traits'
        from auth.audit_log_entries where payload -> 'traits' ->> 'user_id' = %s order by created_at
        """,
        user_id,
    )
    return [(action, actor, traits) for action, actor, traits in rows]


def test_created_user_has_every_field_that_was_given(auth: Stack, email: str) -> None:
    user_id, phone = str(uuid.uuid4()), new_phone()
    user = create(
        auth,
        id=user_id,
        email=email.upper(),
        phone=f"+{phone[:4]} {phone[4:]}",
        password=PASSWORD,
        role="service_role",
        email_confirm=True,
        phone_confirm=True,
        user_metadata={"plan": "free"},
        app_metadata={"team": 7, "provider": None},
        ban_duration="none",
    )
    times = {name for name in user if name.endswith("_at")}
    assert times == {"created_at", "updated_at", "confirmed_at", "email_confirmed_at", "phone_confirmed_at"}
    identities = user.pop("identities")
    assert {name: value for name, value in user.items() if name not in times} == {
        "id": user_id,
        "aud": "authenticated",
        "role": "service_role",
        "email": email,
        "phone": phone,
        "app_metadata": {"providers": ["email", "phone"], "team": 7},
        "user_metadata": {"plan": "free", "email_verified": True},
        "is_anonymous": False,
    }
    proved = {"sub": user_id, "email_verified": False, "phone_verified": False}
    assert [(one["provider"], one["id"], one["identity_data"]) for one in identities] == [
        ("email", user_id, proved | {"email": email}),
        ("phone", user_id, proved | {"phone": phone}),
    ]
    assert sign_in(auth, email)["user"]["id"] == user_id


def test_user_made_without_a_password_has_an_unknown_one(auth: Stack, email: str) -> None:
    create(auth, email=email, email_confirm=True)
    body = {"email": email, "password": ""}
    response = call(auth, "POST", "/token?grant_type=password", json=body)
    assert response.status_code == 400
    [(stored,)] = execute(auth, "select encrypted_password from auth.users where email = %s", email)
    assert stored.startswith("$2")


def test_password_hash_of_bcrypt_signs_in(auth: Stack, email: str) -> None:
    digest = bcrypt.hashpw(PASSWORD.encode(), bcrypt.gensalt(4)).decode()
    create(auth, email=email, password_hash=digest, email_confirm=True)
    assert sign_in(auth, email)["user"]["email"] == email


def test_password_hash_of_an_update_counts_and_ends_sessions(auth: Stack, email: str) -> None:
    session = new_session(auth, email)
    digest = bcrypt.hashpw(b"another horse", bcrypt.gensalt(4)).decode()
    update(auth, session["user"]["id"], password_hash=digest)
    assert call(auth, "GET", "/user", session["access_token"]).status_code == 403
    body = {"email": email, "password": "another horse"}
    assert call(auth, "POST", "/token?grant_type=password", json=body).status_code == 200


@pytest.mark.parametrize(
    ("fields", "status", "code", "message"),
    [
        ({}, 400, "validation_failed", "Cannot create a user without either an email or phone"),
        ({"email": "no"}, 400, "validation_failed", "Unable to validate email address: invalid format"),
        ({"phone": "0123"}, 400, "validation_failed", "Invalid phone number format (E.164 required)"),
        (
            {"phone": "4917112345", "password": "x", "password_hash": "$2a$10$" + "x" * 53},
            400,
            "validation_failed",
            "Only a password or a password hash should be provided",
        ),
        (
            {"phone": "4917112345", "password_hash": "$argon2id$v=19$m=16,t=2,p=1$c2FsdA$aGFzaA"},
            400,
            "validation_failed",
            "Password hashes of Argon2 are not supported, only those of bcrypt",
        ),
        (
            {"phone": "4917112345", "password_hash": "$fbscrypt$v=1,n=14,r=8,p=1"},
            400,
            "validation_failed",
            "Password hashes of Firebase's scrypt are not supported, only those of bcrypt",
        ),
        (
            {"phone": "4917112345", "password_hash": "plain"},
            400,
            "validation_failed",
            "The password hash is not one of bcrypt",
        ),
        (
            {"phone": "4917112345", "id": "7"},
            400,
            "validation_failed",
            "ID must conform to the uuid v4 format",
        ),
        (
            {"phone": "4917112345", "id": str(uuid.UUID(int=0))},
            400,
            "validation_failed",
            "ID cannot be a nil uuid",
        ),
        (
            {"phone": "4917112345", "ban_duration": "5d"},
            400,
            "validation_failed",
            'invalid format for ban duration: time: unknown unit "d" in duration "5d"',
        ),
        (
            {"phone": "4917112345", "password": "x" * 73},
            400,
            "validation_failed",
            "Password cannot be longer than 72 characters",
        ),
        ({"phone": 7}, 400, "bad_json", "Could not read request body as JSON"),
        ({"phone": "4917112345", "email_confirm": 1}, 400, "bad_json", "Could not read request body as JSON"),
    ],
)
def test_malformed_field_of_a_new_user_is_refused(
    auth: Stack, fields: dict[str, object], status: int, code: str, message: str
) -> None:
    assert failure(as_admin(auth, "POST", "/admin/users", json=fields)) == (status, code, message)


def test_taken_address_number_or_id_is_refused(auth: Stack, email: str) -> None:
    phone = new_phone()
    user = create(auth, email=email, phone=phone)
    other = create(auth, email=f"other-{email}")
    path = f"/admin/users/{other['id']}"
    assert failure(as_admin(auth, "POST", "/admin/users", json={"email": email.upper()})) == EMAIL_EXISTS
    assert failure(as_admin(auth, "POST", "/admin/users", json={"phone": phone})) == PHONE_EXISTS
    assert failure(as_admin(auth, "PUT", path, json={"email": email})) == EMAIL_EXISTS
    assert failure(as_admin(auth, "PUT", path, json={"phone": phone})) == PHONE_EXISTS
    attributes = {"phone": new_phone(), "id": user["id"]}
    assert failure(as_admin(auth, "POST", "/admin/users", json=attributes)) == (
        409,
        "conflict",
        "A user with this ID already exists",
    )


def test_address_of_another_users_identity_is_taken_too(auth: Stack, email: str) -> None:
    user = create(auth, email=email)
    update(auth, user["id"], email=f"new-{email}")
    data = f'{{"sub": "7-{email}", "email": "{email}"}}'
    execute(
        auth,
        """
        insert into auth.identities (provider, provider_id, user_id, identity_data, created_at, updated_at)
        values ('google', %s, %s, %s, now(), now())
        """,
        f"7-{email}",
        uuid.UUID(user["id"]),
        data,
    )
    assert failure(as_admin(auth, "POST", "/admin/users", json={"email": email})) == EMAIL_EXISTS


def test_update_changes_what_is_given_and_leaves_the_rest(auth: Stack, email: str) -> None:
    user, phone = create(auth, email=email, user_metadata={"plan": "free"}), new_phone()
    changed = update(
        auth,
        user["id"],
        id=user["id"],
        email=f"new-{email}",
        email_confirm=True,
        phone=phone,
        role="editor",
        app_metadata={"team": 7},
        user_metadata={"plan": None, "size": "m"},
    )
    assert changed["email"] == f"new-{email}"
    assert changed["phone"] == phone
    assert changed["role"] == "editor"
    assert changed["app_metadata"] == {"provider": "email", "providers": ["email"], "team": 7}
    assert changed["user_metadata"] == {"size": "m", "email_verified": True}
    assert changed["email_confirmed_at"]
    assert "phone_confirmed_at" not in changed
    proved = {"sub": user["id"], "phone_verified": False}
    assert [(one["provider"], one["identity_data"]) for one in changed["identities"]] == [
        ("email", proved | {"email": f"new-{email}", "email_verified": True}),
        ("phone", proved | {"phone": phone, "email_verified": False}),
    ]
    same = update(auth, user["id"])
    assert same | {"updated_at": ""} == changed | {"updated_at": ""}


def test_new_password_ends_sessions_and_must_be_strong(auth: Stack, email: str) -> None:
    session = new_session(auth, email)
    path = f"/admin/users/{session['user']['id']}"
    weak = as_admin(auth, "PUT", path, json={"password": "short"})
    assert (weak.status_code, weak.json()["error_code"]) == (422, "weak_password")
    assert call(auth, "GET", "/user", session["access_token"]).status_code == 200
    update(auth, session["user"]["id"], password="another horse")
    assert call(auth, "GET", "/user", session["access_token"]).status_code == 403
    assert refresh(auth, session["refresh_token"]).status_code == 400


def test_id_of_a_user_cannot_be_changed(auth: Stack, email: str) -> None:
    user = create(auth, email=email)
    response = as_admin(auth, "PUT", f"/admin/users/{user['id']}", json={"id": str(uuid.uuid4())})
    assert failure(response) == (400, "validation_failed", "The ID of a user cannot be changed")


def test_audience_keeps_users_apart_in_lists(auth: Stack, email: str) -> None:
    audience = uuid.uuid4().hex
    made = as_admin(auth, "POST", "/admin/users", json={"email": email}, headers={"x-jwt-aud": audience})
    assert made.json()["aud"] == audience
    listed = as_admin(auth, "GET", "/admin/users", headers={"x-jwt-aud": audience}).json()
    assert (listed["aud"], [user["email"] for user in listed["users"]]) == (audience, [email])
    assert update(auth, made.json()["id"], aud="authenticated")["aud"] == "authenticated"


def test_unknown_users_are_not_found(auth: Stack) -> None:
    for method in ("GET", "PUT", "DELETE"):
        options: dict[str, Any] = {} if method == "GET" else {"json": {}}
        response = as_admin(auth, method, f"/admin/users/{uuid.uuid4()}", **options)
        assert failure(response) == NOT_FOUND
        response = as_admin(auth, method, "/admin/users/seven", **options)
        assert failure(response) == (404, "validation_failed", "user_id must be an UUID")


def test_deleted_user_is_gone_with_all_rows(auth: Stack, email: str) -> None:
    session = new_session(auth, email)
    user_id = session["user"]["id"]
    response = as_admin(auth, "DELETE", f"/admin/users/{user_id}")
    assert (response.status_code, response.json()) == (200, {})
    assert failure(as_admin(auth, "GET", f"/admin/users/{user_id}")) == NOT_FOUND
    assert call(auth, "GET", "/user", session["access_token"]).status_code == 403
    for table in ("identities", "sessions"):
        assert execute(auth, f"select from auth.{table} where user_id = %s", uuid.UUID(user_id)) == []
    assert new_session(auth, email)["user"]["id"] != user_id


def test_softly_deleted_user_has_no_personal_data_and_cannot_return(auth: Stack, email: str) -> None:
    session, phone = new_session(auth, email), new_phone()
    user_id = session["user"]["id"]
    update(auth, user_id, phone=phone)
    path = f"/admin/users/{user_id}"
    for _ in range(2):
        response = as_admin(auth, "DELETE", path, json={"should_soft_delete": True})
        assert (response.status_code, response.json()) == (200, {})
    user = as_admin(auth, "GET", path).json()
    assert user["deleted_at"]
    assert (user["app_metadata"], user["user_metadata"]) == ({}, {})
    assert (len(user["email"]), len(user["phone"])) == (43, 15)
    shown = [(one["identity_data"], "email" in one, len(one["id"])) for one in user["identities"]]
    assert shown == [({}, False, 43), ({}, False, 43)]
    assert email not in str(user) and phone not in str(user)
    assert call(auth, "GET", "/user", session["access_token"]).status_code == 403
    assert refresh(auth, session["refresh_token"]).status_code == 400
    body = {"email": email, "password": PASSWORD}
    assert call(auth, "POST", "/token?grant_type=password", json=body).status_code == 400
    assert new_session(auth, email)["user"]["id"] != user_id
    assert as_admin(auth, "DELETE", path).status_code == 200
    assert failure(as_admin(auth, "GET", path)) == NOT_FOUND


def test_audit_log_tells_what_the_service_role_did(auth: Stack, email: str) -> None:
    user, phone = create(auth, email=email), new_phone()
    update(auth, user["id"], phone=phone)
    as_admin(auth, "DELETE", f"/admin/users/{user['id']}")
    traits = {"user_id": user["id"], "user_email": email, "user_phone": ""}
    assert audited_about(auth, user["id"]) == [
        ("user_signedup", "service_role", traits | {"provider": "email"}),
        ("user_modified", "service_role", traits | {"user_phone": phone}),
        ("user_deleted", "service_role", traits | {"user_phone": phone}),
    ]


def test_official_client_makes_reads_changes_and_deletes_users(auth: Stack, email: str) -> None:
    admin = create_client(auth.api_url, auth.secret_key).auth.admin
    made = admin.create_user({"email": email, "password": PASSWORD, "email_confirm": True}).user
    assert admin.get_user_by_id(made.id).user.email == email
    changed = admin.update_user_by_id(made.id, {"role": "editor", "ban_duration": "1h"}).user
    assert changed.role == "editor"
    assert made.id in [user.id for user in admin.list_users(page=1, per_page=1000)]
    admin.delete_user(made.id, should_soft_delete=True)
    assert admin.get_user_by_id(made.id).user.email != email
    admin.delete_user(made.id)
    assert failure(as_admin(auth, "GET", f"/admin/users/{made.id}")) == NOT_FOUND


def test_official_client_signs_a_user_out_by_the_users_token(auth: Stack, email: str) -> None:
    session, other = new_session(auth, email), sign_in(auth, email)
    admin = create_client(auth.api_url, auth.secret_key).auth.admin
    admin.sign_out(session["access_token"], "others")
    assert call(auth, "GET", "/user", session["access_token"]).status_code == 200
    assert call(auth, "GET", "/user", other["access_token"]).status_code == 403
    admin.sign_out(session["access_token"])
    assert call(auth, "GET", "/user", session["access_token"]).status_code == 403


def test_role_and_claims_follow_the_user(auth: Stack, email: str) -> None:
    user = new_session(auth, email)["user"]
    update(auth, user["id"], role="editor", app_metadata={"team": 7})
    claims = claims_of(auth, sign_in(auth, email))
    assert (claims["role"], claims["app_metadata"]["team"]) == ("editor", 7)
    assert claims["iat"] <= time.time()
