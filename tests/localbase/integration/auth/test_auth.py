"""/auth/v1 through HTTP and through the official client: signing up, verifying, signing in, refreshing, signing out."""

from __future__ import annotations

import itertools
import time
import uuid
from urllib.parse import parse_qs, urlsplit

import httpx
import psycopg
import pytest
from localbase.core.tokens import jwt
from supabase_auth.errors import AuthApiError, AuthWeakPasswordError

from supabase import Client, create_client
from tests.localbase.integration.auth.client_calls import PASSWORD, call, sign_up, verified_session
from tests.localbase.integration.small_project import until
from tests.support.mailbox import find_mails, link_in, wait_for_mail
from tests.support.stacks import Stack

_numbers = itertools.count(1)


@pytest.fixture
def client(services: Stack) -> Client:
    return create_client(services.api_url, services.publishable_key)


@pytest.fixture
def email() -> str:
    return f"user-{uuid.uuid4().hex[:8]}-{next(_numbers)}@example.com"


def test_sign_up_answers_the_user_and_sends_a_mail(services: Stack, email: str) -> None:
    response = sign_up(services, email, data={"plan": "free"})
    assert response.status_code == 200
    user = response.json()
    assert user["email"] == email
    assert user["aud"] == user["role"] == "authenticated"
    assert user["app_metadata"] == {"provider": "email", "providers": ["email"]}
    assert user["user_metadata"]["plan"] == "free"
    assert user["user_metadata"]["email_verified"] is False
    assert [one["provider"] for one in user["identities"]] == ["email"]
    assert "email_confirmed_at" not in user
    mail = wait_for_mail(services, email)
    assert mail["Subject"] == "Confirm your email address"
    link = urlsplit(link_in(mail))
    assert f"{link.scheme}://{link.netloc}{link.path}" == f"{services.api_url}/auth/v1/verify"


def test_project_trigger_runs_at_sign_up(services: Stack, email: str) -> None:
    user = sign_up(services, email).json()
    with psycopg.connect(services.db_url) as connection:
        row = connection.execute("select email from sign_ups where id = %s", [user["id"]]).fetchone()
    assert row == (email,)


def test_unconfirmed_user_cannot_sign_in(services: Stack, email: str) -> None:
    sign_up(services, email)
    response = call(
        services, "POST", "/token?grant_type=password", json={"email": email, "password": PASSWORD}
    )
    assert response.status_code == 400
    assert response.json() == {"code": 400, "error_code": "email_not_confirmed", "msg": "Email not confirmed"}


def test_link_signs_in_with_tokens_in_the_fragment(services: Stack, email: str) -> None:
    sign_up(services, email)
    link = link_in(wait_for_mail(services, email))
    response = httpx.get(link)
    assert response.status_code == 303
    target = urlsplit(response.headers["location"])
    assert f"{target.scheme}://{target.netloc}" == services.site_url
    values = {name: value[0] for name, value in parse_qs(target.fragment).items()}
    assert values["type"] == "signup"
    assert jwt.verify(values["access_token"], services.jwt_secret, time.time())["email"] == email


def test_link_works_only_once(services: Stack, email: str) -> None:
    sign_up(services, email)
    link = link_in(wait_for_mail(services, email))
    httpx.get(link)
    target = urlsplit(httpx.get(link).headers["location"])
    assert target.query == ""
    assert parse_qs(target.fragment)["error_code"] == ["otp_expired"]
    assert parse_qs(target.fragment)["error_description"] == ["Email link is invalid or has expired"]


def test_link_never_leads_to_a_foreign_site(services: Stack, email: str) -> None:
    call(
        services,
        "POST",
        "/signup?redirect_to=https://evil.example/",
        json={"email": email, "password": PASSWORD},
    )
    link = link_in(wait_for_mail(services, email))
    forged = link.split("&redirect_to=")[0] + "&redirect_to=https://evil.example/"
    assert httpx.get(forged).headers["location"].startswith(f"{services.site_url}#")


def test_code_of_the_mail_verifies_too(services: Stack, email: str) -> None:
    sign_up(services, email)
    code = wait_for_mail(services, email)["Text"].rsplit(": ", 1)[1].strip()
    assert len(code) == 6
    wrong = call(
        services,
        "POST",
        "/verify",
        json={"type": "signup", "email": email, "token": "000000" if code != "000000" else "1"},
    )
    assert (wrong.status_code, wrong.json()["error_code"]) == (403, "otp_expired")
    right = call(services, "POST", "/verify", json={"type": "signup", "email": email, "token": code})
    assert right.status_code == 200
    assert right.json()["user"]["email_confirmed_at"]


def test_known_address_is_not_disclosed(services: Stack, email: str) -> None:
    verified_session(services, email)
    before = len(find_mails(services, email))
    response = sign_up(services, email)
    assert response.status_code == 200
    assert response.json()["identities"] == []
    assert len(find_mails(services, email)) == before


def test_signing_up_again_before_verifying_sends_another_mail(services: Stack, email: str) -> None:
    first = sign_up(services, email).json()["id"]
    assert sign_up(services, email).json()["id"] == first
    assert until(lambda: len(find_mails(services, email)) == 2)


@pytest.mark.parametrize(
    ("body", "status", "code"),
    [
        ({"email": "no address", "password": PASSWORD}, 400, "validation_failed"),
        ({"email": "a@example.com"}, 400, "validation_failed"),
        ({"email": "a@example.com", "password": "short"}, 422, "weak_password"),
        ({"email": "a@example.com", "password": "x" * 73}, 400, "validation_failed"),
        ({"email": ["a@example.com"], "password": PASSWORD}, 400, "bad_json"),
        ({"phone": "+15550100", "password": PASSWORD}, 400, "phone_provider_disabled"),
        ({}, 422, "anonymous_provider_disabled"),
        ({"email": "a@example.com", "password": PASSWORD, "code_challenge": "x"}, 400, "validation_failed"),
        ([], 400, "bad_json"),
    ],
)
def test_bad_sign_ups_are_refused(services: Stack, body: object, status: int, code: str) -> None:
    response = call(services, "POST", "/signup", json=body)
    assert (response.status_code, response.json()["error_code"]) == (status, code)


def test_malformed_json_is_refused(services: Stack) -> None:
    response = call(
        services, "POST", "/signup", content=b"{nope", headers={"content-type": "application/json"}
    )
    assert response.status_code == 400
    assert response.json() == {
        "code": 400,
        "error_code": "bad_json",
        "msg": "Could not read request body as JSON",
    }


def test_newer_clients_get_the_newer_error_form(services: Stack) -> None:
    response = call(
        services,
        "POST",
        "/token?grant_type=password",
        json={"email": "nobody@example.com", "password": "x"},
        headers={"x-supabase-api-version": "2024-01-01"},
    )
    assert response.headers["x-supabase-api-version"] == "2024-01-01"
    assert response.json() == {"code": "invalid_credentials", "message": "Invalid login credentials"}


def test_session_has_the_claims_of_clients_and_policies(services: Stack, email: str) -> None:
    session = verified_session(services, email)
    assert session["token_type"] == "bearer"
    assert session["expires_in"] == 1800
    claims = jwt.verify(session["access_token"], services.jwt_secret, time.time())
    assert claims["role"] == claims["aud"] == "authenticated"
    assert claims["sub"] == session["user"]["id"]
    assert claims["iss"] == f"{services.api_url}/auth/v1"
    assert claims["aal"] == "aal1"
    assert claims["amr"][0]["method"] == "password"
    assert uuid.UUID(claims["session_id"])


def test_signing_out_ends_the_session_at_once(services: Stack, email: str) -> None:
    session = verified_session(services, email)
    token = session["access_token"]
    assert call(services, "GET", "/user", token).json()["email"] == email
    assert call(services, "POST", "/logout?scope=local", token).status_code == 204
    gone = call(services, "GET", "/user", token)
    assert (gone.status_code, gone.json()["error_code"]) == (403, "session_not_found")
    refused = call(
        services, "POST", "/token?grant_type=refresh_token", json={"refresh_token": session["refresh_token"]}
    )
    assert refused.json()["error_code"] == "refresh_token_not_found"


def test_signing_out_others_keeps_this_session(services: Stack, email: str) -> None:
    first = verified_session(services, email)["access_token"]
    body = {"email": email, "password": PASSWORD}
    second = call(services, "POST", "/token?grant_type=password", json=body).json()["access_token"]
    assert call(services, "POST", "/logout?scope=others", second).status_code == 204
    assert call(services, "GET", "/user", second).status_code == 200
    assert call(services, "GET", "/user", first).status_code == 403


@pytest.mark.parametrize("token", ["", "a.b.c", "forged"])
def test_user_endpoint_requires_a_valid_token(services: Stack, token: str) -> None:
    assert call(services, "GET", "/user", token).status_code in (401, 403)


def test_forged_token_is_rejected(services: Stack, email: str) -> None:
    token = verified_session(services, email)["access_token"]
    claims = jwt.verify(token, services.jwt_secret, time.time()) | {"role": "service_role"}
    for forged in (
        jwt.sign(claims, "another secret of at least thirty-two characters"),
        "eyJhbGciOiJub25lIn0." + token.split(".")[1] + ".",
    ):
        response = call(services, "GET", "/user", forged)
        assert (response.status_code, response.json()["error_code"]) == (403, "bad_jwt")


def test_changing_the_password_signs_out_everywhere_else(services: Stack, email: str) -> None:
    first = verified_session(services, email)["access_token"]
    body = {"email": email, "password": PASSWORD}
    second = call(services, "POST", "/token?grant_type=password", json=body).json()["access_token"]
    same = call(services, "PUT", "/user", second, json={"password": PASSWORD})
    assert same.json()["error_code"] == "same_password"
    changed = call(services, "PUT", "/user", second, json={"password": "another horse", "data": {"a": 1}})
    assert changed.json()["user_metadata"]["a"] == 1
    assert call(services, "GET", "/user", first).status_code == 403
    assert call(services, "POST", "/token?grant_type=password", json=body).status_code == 400


def test_pkce_exchanges_the_code_of_the_link_for_a_session(
    client: Client, services: Stack, email: str
) -> None:
    client = create_client(services.api_url, services.publishable_key)
    response = client.auth.sign_up({"email": email, "password": PASSWORD})
    assert response.session is None
    link = link_in(wait_for_mail(services, email))
    code = parse_qs(urlsplit(httpx.get(link).headers["location"]).query)["code"][0]
    session = client.auth.exchange_code_for_session({"auth_code": code})
    assert session.user is not None
    assert session.user.email == email


def test_pkce_codes_are_worthless_without_their_verifier(services: Stack, email: str) -> None:
    create_client(services.api_url, services.publishable_key).auth.sign_up(
        {"email": email, "password": PASSWORD}
    )
    code = parse_qs(urlsplit(httpx.get(link_in(wait_for_mail(services, email))).headers["location"]).query)[
        "code"
    ][0]
    response = call(
        services, "POST", "/token?grant_type=pkce", json={"auth_code": code, "code_verifier": "guessed" * 8}
    )
    assert (response.status_code, response.json()["error_code"]) == (400, "bad_code_verifier")


def test_official_client_signs_up_in_and_out(client: Client, services: Stack, email: str) -> None:
    client.auth.sign_up({"email": email, "password": PASSWORD})
    with pytest.raises(AuthApiError, match="Email not confirmed"):
        client.auth.sign_in_with_password({"email": email, "password": PASSWORD})
    httpx.get(link_in(wait_for_mail(services, email)))
    session = client.auth.sign_in_with_password({"email": email, "password": PASSWORD}).session
    assert session is not None
    user = client.auth.get_user()
    assert user is not None
    assert user.user.email == email
    renewed = client.auth.refresh_session().session
    assert renewed is not None
    assert renewed.refresh_token != session.refresh_token
    client.auth.sign_out()
    assert client.auth.get_session() is None


def test_official_client_understands_a_weak_password(client: Client, email: str) -> None:
    with pytest.raises(AuthWeakPasswordError, match="at least 8 characters"):
        client.auth.sign_up({"email": email, "password": "short"})


def test_resending_gives_a_new_link_and_spoils_the_old_one(services: Stack, email: str) -> None:
    sign_up(services, email)
    old = link_in(wait_for_mail(services, email))
    assert call(services, "POST", "/resend", json={"type": "signup", "email": email}).json() == {}
    assert until(lambda: len(find_mails(services, email)) == 2)
    newest = link_in(find_mails(services, email)[0])
    assert newest != old
    assert "otp_expired" in httpx.get(old).headers["location"]
    assert "access_token" in httpx.get(newest).headers["location"]


def test_mails_to_unknown_addresses_are_not_sent_nor_disclosed(services: Stack, email: str) -> None:
    for path, body in (
        ("/recover", {"email": email}),
        ("/resend", {"type": "email_change", "email": email}),
        ("/resend", {"type": "signup", "email": email}),
    ):
        response = call(services, "POST", path, json=body)
        assert (response.status_code, response.json()) == (200, {})
    assert find_mails(services, email) == []


def test_admin_endpoints_are_for_the_service_role(services: Stack, email: str) -> None:
    token = verified_session(services, email)["access_token"]
    assert call(services, "GET", "/admin/users", token).json()["error_code"] == "not_admin"
    assert call(services, "GET", "/admin/users").status_code == 403


def test_official_client_administers_users(services: Stack, email: str) -> None:
    admin = create_client(services.api_url, services.secret_key).auth.admin
    made = admin.create_user({"email": email, "password": PASSWORD, "email_confirm": True}).user
    with pytest.raises(AuthApiError, match="already been registered"):
        admin.create_user({"email": email, "password": PASSWORD})
    assert admin.get_user_by_id(made.id).user.email == email
    changed = admin.update_user_by_id(
        made.id, {"user_metadata": {"nick": "x"}, "app_metadata": {"tier": 2}}
    ).user
    assert (changed.user_metadata["nick"], changed.app_metadata["tier"]) == ("x", 2)
    assert email in {user.email for user in admin.list_users()}
    admin.delete_user(made.id)
    with pytest.raises(AuthApiError, match="User not found"):
        admin.get_user_by_id(made.id)


def test_settings_and_health_are_public(services: Stack) -> None:
    settings = call(services, "GET", "/settings").json()
    assert settings["external"]["email"] is True
    assert settings["mailer_autoconfirm"] is False
    assert httpx.get(f"{services.api_url}/auth/v1/health").json()["name"] == "GoTrue"
