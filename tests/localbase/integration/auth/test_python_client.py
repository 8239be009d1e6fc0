"""The official Python client's methods that no other test calls, and the one that upstream refuses too."""

from __future__ import annotations

import pytest
from supabase_auth import SyncGoTrueClient, SyncMemoryStorage
from supabase_auth.errors import AuthApiError

from supabase import Client, create_client
from tests.localbase.integration.auth.calls import PASSWORD, new_session
from tests.support.stacks import Stack


@pytest.fixture
def client(auth: Stack, email: str) -> Client:
    new_session(auth, email)
    return create_client(auth.api_url, auth.publishable_key)


def test_client_reports_changes_and_reads_claims(client: Client, email: str) -> None:
    seen: list[str] = []
    listening = client.auth.on_auth_state_change(lambda event, _: seen.append(event))
    signed_in = client.auth.sign_in_with_password({"email": email, "password": PASSWORD})
    assert signed_in.user
    response = client.auth.get_claims()
    assert response is not None
    assert response["claims"]["sub"] == signed_in.user.id
    client.auth.update_user({"data": {"plan": "paid"}})
    client.auth.refresh_session()
    client.auth.sign_out()
    listening.unsubscribe()
    assert seen == ["SIGNED_IN", "USER_UPDATED", "TOKEN_REFRESHED", "SIGNED_OUT"]


def test_client_signs_up_and_reads_the_user(auth: Stack, email: str) -> None:
    client = create_client(auth.api_url, auth.publishable_key)
    signed_up = client.auth.sign_up({"email": email, "password": PASSWORD})
    session, user = client.auth.get_session(), client.auth.get_user()
    assert session is not None
    assert user is not None
    assert signed_up.user is not None
    assert (session.user.email, user.user.id) == (email, signed_up.user.id)


def test_client_requests_mails(client: Client, email: str) -> None:
    client.auth.reset_password_email(email)
    client.auth.reset_password_for_email(email)
    assert client.auth.resend({"type": "signup", "email": email}).user is None


def test_client_takes_its_session_from_storage_and_from_an_address(auth: Stack, email: str) -> None:
    session = new_session(auth, email)
    values = ("access_token", "refresh_token", "expires_in", "token_type")
    fragment = "&".join(f"{name}={session[name]}" for name in values)
    storage = SyncMemoryStorage()

    def new_client() -> SyncGoTrueClient:
        headers = {"apikey": auth.publishable_key}
        return SyncGoTrueClient(
            url=f"{auth.api_url}/auth/v1", headers=headers, storage=storage, auto_refresh_token=False
        )

    first = new_client()
    first.initialize(url=f"{auth.site_url}/?{fragment}")
    again = new_client()
    again.initialize_from_url(f"{auth.site_url}/?{fragment}")
    second = new_client()
    second.initialize_from_storage()
    for each in (first, again, second):
        restored = each.get_session()
        assert restored is not None
        assert (restored.user.email, restored.access_token) == (email, session["access_token"])
        each.admin.close()
        each.close()


def test_client_is_refused_single_sign_on(client: Client) -> None:
    with pytest.raises(AuthApiError) as refused:
        client.auth.sign_in_with_sso({"domain": "example.com"})
    assert (refused.value.status, refused.value.code) == (404, "saml_provider_disabled")
