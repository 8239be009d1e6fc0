"""Anonymous users: signed up without an address, and made permanent by one."""

from __future__ import annotations

from typing import Any

from localbase.core.auth_settings import EmailSettings, Seconds

from supabase import create_client
from tests.localbase.integration.auth.calls import (
    PASSWORD,
    as_admin,
    call,
    claims_of,
    failure,
    refresh,
    sign_in,
)
from tests.localbase.integration.auth.own_service import own_service
from tests.support.mailbox import link_in, wait_for_mail
from tests.support.stacks import Stack


def anonymous(stack: Stack, **body: Any) -> dict[str, Any]:
    response = call(stack, "POST", "/signup", json=body)
    assert response.status_code == 200, response.text
    return dict(response.json())


def test_sign_up_without_an_address_is_a_session_of_an_anonymous_user(auth: Stack) -> None:
    session = anonymous(auth, data={"theme": "dark"})
    user = session["user"]
    times = {name: user.pop(name) for name in ("created_at", "updated_at", "last_sign_in_at")}
    assert all(times.values())
    assert user == {
        "id": user["id"],
        "aud": "authenticated",
        "role": "authenticated",
        "email": "",
        "phone": "",
        "app_metadata": {},
        "user_metadata": {"theme": "dark"},
        "identities": [],
        "is_anonymous": True,
    }
    claims = claims_of(auth, session)
    assert claims["is_anonymous"] is True
    assert (claims["app_metadata"], claims["email"], claims["role"]) == ({}, "", "authenticated")
    assert [method["method"] for method in claims["amr"]] == ["anonymous"]
    assert refresh(auth, session["refresh_token"]).json()["user"]["is_anonymous"] is True


def test_anonymous_sign_ups_can_be_off(auth: Stack) -> None:
    with own_service(auth, enable_anonymous_sign_ins=False) as stack:
        assert failure(call(stack, "POST", "/signup", json={})) == (
            422,
            "anonymous_provider_disabled",
            "Anonymous sign-ins are disabled",
        )
    with own_service(auth, enable_signup=False) as stack:
        assert failure(call(stack, "POST", "/signup", json={})) == (
            422,
            "signup_disabled",
            "Signups not allowed for this instance",
        )


def test_password_alone_does_not_make_a_user_permanent(auth: Stack) -> None:
    token = anonymous(auth)["access_token"]
    assert failure(call(auth, "PUT", "/user", token, json={"password": PASSWORD})) == (
        422,
        "validation_failed",
        "Updating password of an anonymous user without an email or phone is not allowed",
    )


def test_address_and_password_make_a_user_permanent(auth: Stack, email: str) -> None:
    session = anonymous(auth)
    body = {"email": email, "password": PASSWORD}
    user = call(auth, "PUT", "/user", session["access_token"], json=body).json()
    assert (user["id"], user["email"], user["is_anonymous"]) == (session["user"]["id"], email, False)
    assert user["app_metadata"] == {"provider": "email", "providers": ["email"]}
    assert [(one["provider"], one["email"]) for one in user["identities"]] == [("email", email)]
    again = sign_in(auth, email)
    assert again["user"]["id"] == session["user"]["id"]
    assert claims_of(auth, again)["is_anonymous"] is False


def test_user_stays_anonymous_until_the_address_is_confirmed(auth: Stack, email: str) -> None:
    settings = EmailSettings(enable_confirmations=True, max_frequency=Seconds(0.001))
    with own_service(auth, email=settings) as stack:
        session = anonymous(stack)
        changed = call(stack, "PUT", "/user", session["access_token"], json={"email": email}).json()
        assert (changed["email"], changed["new_email"], changed["is_anonymous"]) == ("", email, True)
        link = link_in(wait_for_mail(auth, email)).split("/auth/v1", 1)[1]
        assert call(stack, "GET", link).status_code == 303
        user = as_admin(stack, "GET", f"/admin/users/{session['user']['id']}").json()
        assert (user["email"], user["is_anonymous"]) == (email, False)
        assert user["app_metadata"]["providers"] == ["email"]


def test_official_client_signs_in_anonymously(auth: Stack) -> None:
    client = create_client(auth.api_url, auth.publishable_key)
    user = client.auth.sign_in_anonymously({"options": {"data": {"theme": "dark"}}}).user
    assert user is not None
    assert (user.is_anonymous, user.user_metadata, user.identities) == (True, {"theme": "dark"}, [])
