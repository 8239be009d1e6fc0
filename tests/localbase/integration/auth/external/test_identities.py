"""Identities: whose account one belongs to, how users link and unlink them, and what strangers left behind."""

from __future__ import annotations

import uuid
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from localbase.core.auth_settings import EmailSettings, Notification, Seconds

from supabase import create_client
from tests.localbase.integration.auth.calls import (
    PASSWORD,
    audited,
    call,
    claims_of,
    execute,
    failure,
    new_session,
    sign_in,
)
from tests.localbase.integration.auth.external.outside_providers import (
    OutsideProviders,
    fragment_of,
    query_of,
)
from tests.localbase.integration.auth.external.provider_calls import come_back, leave, person, user_of
from tests.localbase.integration.auth.own_service import own_service
from tests.support.mailbox import wait_for_mail
from tests.support.stacks import Stack

CONFIRMING = EmailSettings(
    enable_confirmations=True,
    max_frequency=Seconds(0.001),
    notification={kind: Notification(enabled=True) for kind in ("identity_linked", "identity_unlinked")},
)


@pytest.fixture
def service(auth: Stack, outside: OutsideProviders) -> Iterator[Stack]:
    """A service that wants addresses confirmed."""
    outside.forged.clear()
    with own_service(auth, external=outside.settings(), email=CONFIRMING) as running:
        yield running


@pytest.fixture
def lenient(auth: Stack, outside: OutsideProviders) -> Iterator[Stack]:
    """A service that confirms every address itself."""
    outside.forged.clear()
    with own_service(auth, external=outside.settings()) as running:
        yield running


def back_from(
    stack: Stack, outside: OutsideProviders, account: dict[str, Any], provider: str = "google"
) -> dict[str, str]:
    """Return what the browser is sent back with after a sign-in at the provider."""
    return fragment_of(come_back(stack, outside.agree(leave(stack, provider), account)))


def link(
    stack: Stack, outside: OutsideProviders, token: str, account: dict[str, Any], provider: str = "google"
) -> dict[str, str]:
    """The same after `linkIdentity`."""
    params = {"provider": provider, "skip_http_redirect": "true"}
    response = call(stack, "GET", "/user/identities/authorize", token, params=params)
    assert response.status_code == 200, response.text
    assert set(response.json()) == {"url"}
    return fragment_of(come_back(stack, outside.agree(response.json()["url"], account)))


def user_by_token(stack: Stack, token: str) -> dict[str, Any]:
    return dict(call(stack, "GET", "/user", token).json())


def providers(user: dict[str, Any]) -> list[str]:
    assert user["app_metadata"]["providers"] == [one["provider"] for one in user["identities"]]
    return list(user["app_metadata"]["providers"])


def test_verified_address_links_to_the_account_that_has_it(
    service: Stack, auth: Stack, outside: OutsideProviders, email: str
) -> None:
    session = new_session(auth, email)
    user = user_of(service, back_from(service, outside, person(email)))
    assert (user["id"], providers(user)) == (session["user"]["id"], ["email", "google"])
    [identity] = [one for one in user["identities"] if one["provider"] == "google"]
    traits = {
        "identity_id": identity["identity_id"],
        "provider": "google",
        "provider_id": identity["id"],
    }
    assert ("identity_linked", traits) in audited(service, user["id"])
    assert sign_in(auth, email)["user"]["id"] == user["id"]


def test_unverified_address_links_to_no_account(
    service: Stack, auth: Stack, outside: OutsideProviders, email: str
) -> None:
    session = new_session(auth, email)
    fragment = back_from(service, outside, person(email, email_verified=False))
    assert fragment["error_code"] == "provider_email_needs_verification"
    assert (
        fragment["error_description"]
        == "Unverified email with google. Verify the email with google in order to sign in"
    )
    assert providers(user_by_token(auth, session["access_token"])) == ["email"]


def test_every_address_links_where_the_project_confirms_them_itself(
    lenient: Stack, outside: OutsideProviders, email: str
) -> None:
    session = new_session(lenient, email)
    user = user_of(lenient, back_from(lenient, outside, person(email, email_verified=False)))
    assert user["id"] == session["user"]["id"]


def test_address_of_another_identity_links_too(service: Stack, outside: OutsideProviders, email: str) -> None:
    first = user_of(service, back_from(service, outside, person(email)))
    execute(
        service, "update auth.users set email = %s where id = %s", f"moved-{email}", uuid.UUID(first["id"])
    )
    user = user_of(service, back_from(service, outside, person(email), "gitlab"))
    assert (user["id"], user["email"]) == (first["id"], f"moved-{email}")
    assert providers(user) == ["google", "gitlab"]


def test_forged_address_of_a_sign_up_is_no_way_into_an_account(
    service: Stack, outside: OutsideProviders, email: str
) -> None:
    body = {"email": f"thief-{email}", "password": PASSWORD, "data": {"email": email, "email_verified": True}}
    thief = call(service, "POST", "/signup", json=body).json()
    user = user_of(service, back_from(service, outside, person(email)))
    assert user["id"] != thief["id"]


def test_two_accounts_with_the_address_are_an_error(
    service: Stack, auth: Stack, outside: OutsideProviders, email: str
) -> None:
    new_session(auth, email)
    other = new_session(auth, f"other-{email}")
    execute(
        auth,
        """
        update auth.identities set identity_data = identity_data || jsonb_build_object('email', %s::text)
        where user_id = %s
        """,
        email,
        uuid.UUID(other["user"]["id"]),
    )
    fragment = back_from(service, outside, person(email))
    assert (fragment["error"], fragment["error_description"]) == (
        "server_error",
        "Multiple accounts with the same email address in the same linking domain detected: default",
    )


def test_unconfirmed_account_is_left_with_what_was_proved(
    service: Stack, outside: OutsideProviders, email: str
) -> None:
    body = {"email": email, "password": PASSWORD, "data": {"trap": True}}
    stranger = call(service, "POST", "/signup", json=body).json()
    user = user_of(service, back_from(service, outside, person(email)))
    assert (user["id"], providers(user)) == (stranger["id"], ["google"])
    assert "trap" not in user["user_metadata"]
    assert user["user_metadata"]["full_name"] == "Ada Lovelace"
    response = call(
        service, "POST", "/token?grant_type=password", json={"email": email, "password": PASSWORD}
    )
    assert failure(response) == (400, "invalid_credentials", "Invalid login credentials")


def test_signed_in_user_links_an_identity(
    service: Stack, auth: Stack, outside: OutsideProviders, email: str
) -> None:
    session = new_session(auth, email)
    tokens = link(service, outside, session["access_token"], person(f"at-work-{email}"))
    user = user_of(service, tokens)
    assert (user["id"], user["email"]) == (session["user"]["id"], email)
    assert providers(user) == ["email", "google"]
    assert wait_for_mail(auth, email)["Subject"]
    again = link(service, outside, session["access_token"], person(f"at-work-{email}"))
    assert (again["error_code"], again["error_description"]) == (
        "identity_already_exists",
        "Identity is already linked",
    )
    other = new_session(auth, f"other-{email}")
    fragment = link(service, outside, other["access_token"], person(f"at-work-{email}"))
    assert fragment["error_description"] == "Identity is already linked to another user"


def test_linking_redirects_unless_the_page_goes_itself(
    service: Stack, auth: Stack, outside: OutsideProviders, email: str
) -> None:
    token = new_session(auth, email)["access_token"]
    response = call(service, "GET", "/user/identities/authorize", token, params={"provider": "google"})
    assert response.status_code == 302
    assert response.headers["location"].startswith(f"{outside.url}/authorize?")
    unknown = call(service, "GET", "/user/identities/authorize", token, params={"provider": "x"})
    assert failure(unknown) == (400, "validation_failed", "Unsupported provider: provider is not enabled")


def test_anonymous_user_becomes_permanent_by_an_identity(
    service: Stack, outside: OutsideProviders, email: str
) -> None:
    session = call(service, "POST", "/signup", json={}).json()
    user = user_of(service, link(service, outside, session["access_token"], person(email)))
    assert (user["id"], user["email"], user["is_anonymous"]) == (session["user"]["id"], email, False)
    assert providers(user) == ["google"]
    assert user["email_confirmed_at"]


def test_anonymous_user_with_an_unverified_address_confirms_it_by_mail(
    service: Stack, auth: Stack, outside: OutsideProviders, email: str
) -> None:
    session = call(service, "POST", "/signup", json={}).json()
    fragment = link(service, outside, session["access_token"], person(email, email_verified=False))
    assert (fragment["error_code"], fragment["error_description"]) == (
        "email_not_confirmed",
        "Unverified email with google. A confirmation email has been sent to your google email",
    )
    user = user_by_token(service, session["access_token"])
    assert (user["email"], user["is_anonymous"], "email_confirmed_at" in user) == (email, True, False)
    assert wait_for_mail(auth, email)


def test_anonymous_user_cannot_take_anothers_address_by_an_identity(
    service: Stack, auth: Stack, outside: OutsideProviders, email: str
) -> None:
    new_session(auth, email)
    session = call(service, "POST", "/signup", json={}).json()
    fragment = link(service, outside, session["access_token"], person(email))
    assert (fragment["error"], fragment["error_code"]) == ("invalid_request", "email_exists")
    assert user_by_token(service, session["access_token"])["identities"] == []


def identity_of(user: dict[str, Any], provider: str) -> str:
    [identity_id] = [one["identity_id"] for one in user["identities"] if one["provider"] == provider]
    return str(identity_id)


def test_unlinked_identity_signs_in_no_more(
    service: Stack, auth: Stack, outside: OutsideProviders, email: str
) -> None:
    session = new_session(auth, email)
    token = session["access_token"]
    user = user_of(service, link(service, outside, token, person(f"at-work-{email}")))
    identity_id = identity_of(user, "google")
    response = call(service, "DELETE", f"/user/identities/{identity_id}", token)
    assert (response.status_code, response.json()) == (200, {})
    left = user_by_token(service, token)
    assert (left["email"], providers(left), bool(left["email_confirmed_at"])) == (email, ["email"], True)
    assert "identity_unlinked" in [action for action, _ in audited(service, user["id"])]
    stranger = user_of(service, back_from(service, outside, person(f"at-work-{email}")))
    assert stranger["id"] != user["id"]


def test_address_follows_the_identities_that_are_left(
    service: Stack, auth: Stack, outside: OutsideProviders, email: str
) -> None:
    session = new_session(auth, email)
    token, new_email = session["access_token"], f"at-work-{email}"
    user = user_of(service, link(service, outside, token, person(new_email)))
    call(service, "DELETE", f"/user/identities/{identity_of(user, 'email')}", token)
    left = user_by_token(service, token)
    assert (left["email"], providers(left), bool(left["email_confirmed_at"])) == (new_email, ["google"], True)
    assert left["app_metadata"]["provider"] == "google"


def test_unverified_address_that_is_left_does_not_stay_confirmed(
    service: Stack, auth: Stack, outside: OutsideProviders, email: str
) -> None:
    session = new_session(auth, email)
    token, new_email = session["access_token"], f"at-work-{email}"
    user = user_of(service, link(service, outside, token, person(new_email, email_verified=False)))
    call(service, "DELETE", f"/user/identities/{identity_of(user, 'email')}", token)
    left = user_by_token(service, token)
    assert (left["email"], "email_confirmed_at" in left) == (new_email, False)
    assert left["user_metadata"]["email_verified"] is False


def test_identity_whose_removal_would_take_anothers_address_stays(
    service: Stack, auth: Stack, outside: OutsideProviders, email: str
) -> None:
    session = new_session(auth, email)
    token, new_email = session["access_token"], f"at-work-{email}"
    user = user_of(service, link(service, outside, token, person(new_email)))
    execute(auth, "insert into auth.users (id, aud, email) values (gen_random_uuid(), 'x', %s)", new_email)
    response = call(service, "DELETE", f"/user/identities/{identity_of(user, 'email')}", token)
    message = "Unable to unlink identity due to email conflict"
    assert failure(response) == (422, "email_conflict_identity_not_deletable", message)
    assert providers(user_by_token(service, token)) == ["email", "google"]


def test_identities_that_cannot_be_unlinked_are_refused(
    service: Stack, auth: Stack, outside: OutsideProviders, email: str
) -> None:
    session = new_session(auth, email)
    token = session["access_token"]
    only = call(service, "DELETE", f"/user/identities/{identity_of(session['user'], 'email')}", token)
    message = "User must have at least 1 identity after unlinking"
    assert failure(only) == (422, "single_identity_not_deletable", message)
    link(service, outside, token, person(f"at-work-{email}"))
    unknown = call(service, "DELETE", f"/user/identities/{uuid.uuid4()}", token)
    assert failure(unknown) == (422, "identity_not_found", "Identity doesn't exist")
    malformed = call(service, "DELETE", "/user/identities/7", token)
    assert failure(malformed) == (404, "validation_failed", "identity_id must be an UUID")
    audience = {"x-jwt-aud": "another"}
    path = f"/user/identities/{identity_of(session['user'], 'email')}"
    assert failure(call(service, "DELETE", path, token, headers=audience)) == (
        403,
        "unexpected_audience",
        "Token audience doesn't match request audience",
    )


def test_manual_linking_can_be_off(auth: Stack, outside: OutsideProviders, email: str) -> None:
    token = new_session(auth, email)["access_token"]
    off = (404, "manual_linking_disabled", "Manual linking is disabled")
    with own_service(auth, external=outside.settings(), enable_manual_linking=False) as stack:
        params = {"provider": "google"}
        assert failure(call(stack, "GET", "/user/identities/authorize", token, params=params)) == off
        assert failure(call(stack, "DELETE", f"/user/identities/{uuid.uuid4()}", token)) == off
        assert call(stack, "GET", "/user/identities/authorize", params=params).status_code == 403


def test_official_client_links_lists_and_unlinks(
    auth: Stack, service: Stack, outside: OutsideProviders, email: str
) -> None:
    session = new_session(auth, email)
    client = create_client(service.api_url, auth.publishable_key)
    client.auth.set_session(session["access_token"], session["refresh_token"])
    address = client.auth.link_identity({"provider": "google"}).url
    back = outside.agree(address, person(f"at-work-{email}"))
    assert "code" in query_of(come_back(service, back))
    response = client.auth.get_user_identities()
    assert [identity.provider for identity in response.identities] == ["email", "google"]
    client.auth.unlink_identity(response.identities[1])
    assert [identity.provider for identity in client.auth.get_user_identities().identities] == ["email"]
    assert claims_of(auth, session)["email"] == email


def test_address_of_anothers_identity_cannot_sign_up(
    lenient: Stack, outside: OutsideProviders, email: str
) -> None:
    user = user_of(lenient, back_from(lenient, outside, person(email)))
    execute(
        lenient, "update auth.users set email = %s where id = %s", f"moved-{email}", uuid.UUID(user["id"])
    )
    response = call(lenient, "POST", "/signup", json={"email": email, "password": PASSWORD})
    assert failure(response) == (422, "user_already_exists", "User already registered")


def test_sign_ins_of_one_new_person_at_once_make_one_account(
    service: Stack, outside: OutsideProviders, email: str
) -> None:
    returns = [outside.agree(leave(service, "google"), person(email)) for _ in range(8)]
    with ThreadPoolExecutor(8) as threads:
        fragments = list(threads.map(lambda values: fragment_of(come_back(service, values)), returns))
    assert len({user_of(service, values)["id"] for values in fragments}) == 1
