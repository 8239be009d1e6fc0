"""Faults on the way to a provider and back, and the address that the browser is sent on to."""

from __future__ import annotations

import uuid
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest

from tests.localbase.integration.auth.calls import as_admin, call, execute, failure
from tests.localbase.integration.auth.external.outside_providers import (
    OutsideProviders,
    fragment_of,
    query_of,
)
from tests.localbase.integration.auth.external.provider_calls import come_back, leave, person, user_of
from tests.localbase.integration.auth.own_service import MovableClock, own_service
from tests.support.stacks import Stack


@pytest.fixture
def service(auth: Stack, outside: OutsideProviders, clock: MovableClock) -> Iterator[Stack]:
    outside.forged.clear()
    with own_service(auth, clock, external=outside.settings()) as running:
        yield running


@pytest.mark.parametrize(
    ("provider", "reason"),
    [
        ("", "Provider  could not be found"),
        ("unheard-of", "Provider unheard-of could not be found"),
        ("discord", "provider is not enabled"),
        ("custom:mine", "custom OAuth providers are disabled"),
    ],
)
def test_provider_that_is_off_or_unknown_is_refused(service: Stack, provider: str, reason: str) -> None:
    response = call(service, "GET", "/authorize", params={"provider": provider})
    assert failure(response) == (400, "validation_failed", f"Unsupported provider: {reason}")


@pytest.mark.parametrize(
    ("values", "code", "message"),
    [
        ({}, "bad_oauth_callback", "OAuth state parameter missing"),
        ({"state": "guessed"}, "bad_oauth_state", "OAuth state parameter is invalid"),
        ({"state": str(uuid.UUID(int=7))}, "bad_oauth_state", "OAuth state not found or expired"),
    ],
)
def test_return_without_a_good_state_goes_to_the_site(
    service: Stack, values: dict[str, str], code: str, message: str
) -> None:
    location = come_back(service, {"code": "x", **values}, 303)
    assert location.startswith(f"{service.site_url}?")
    expected = {"error": "invalid_request", "error_code": code, "error_description": message}
    assert query_of(location) == expected
    assert fragment_of(location) == expected | {"sb": ""}


def test_state_is_good_for_five_minutes_and_once(
    service: Stack, outside: OutsideProviders, clock: MovableClock, email: str
) -> None:
    back = outside.agree(leave(service, "google"), person(email))
    assert "access_token" in fragment_of(come_back(service, back))
    gone = query_of(come_back(service, back, 303))
    assert gone["error_description"] == "OAuth state not found or expired"
    back = outside.agree(leave(service, "google"), person(email))
    clock.ahead = 301
    late = query_of(come_back(service, back, 303))
    assert (late["error_code"], late["error_description"]) == ("bad_oauth_state", "OAuth state has expired")


def test_providers_own_error_is_passed_on(service: Stack, outside: OutsideProviders, email: str) -> None:
    state = outside.agree(leave(service, "google"), person(email))["state"]
    values = {"state": state, "error": "access_denied", "error_description": "The user said no"}
    location = come_back(service, values)
    assert fragment_of(location) == {
        "error": "access_denied",
        "error_description": "The user said no",
        "sb": "",
    }


def test_missing_and_forged_codes_are_refused(service: Stack, outside: OutsideProviders, email: str) -> None:
    state = outside.agree(leave(service, "google"), person(email))["state"]
    fragment = fragment_of(come_back(service, {"state": state}))
    assert (fragment["error"], fragment["error_code"]) == ("invalid_request", "bad_oauth_callback")
    state = outside.agree(leave(service, "google"), person(email))["state"]
    fragment = fragment_of(come_back(service, {"state": state, "code": "guessed"}))
    assert (fragment["error"], fragment["error_code"], fragment["error_description"]) == (
        "server_error",
        "unexpected_failure",
        "Unable to exchange external code: gues",
    )


@pytest.mark.parametrize(
    "forged",
    [{"nonce": "another"}, {"aud": "another"}, {"iss": "https://evil.example"}, {"exp": 1}, {"at_hash": "x"}],
)
def test_id_token_that_is_not_of_this_sign_in_is_refused(
    service: Stack, outside: OutsideProviders, email: str, forged: dict[str, Any]
) -> None:
    back = outside.agree(leave(service, "google"), person(email))
    outside.forged.update(forged)
    assert fragment_of(come_back(service, back))["error"] == "server_error"
    assert execute(service, "select from auth.users where email = %s", email) == []


def test_person_without_an_address_needs_a_provider_that_may_have_none(
    auth: Stack, service: Stack, outside: OutsideProviders
) -> None:
    account = {"sub": uuid.uuid4().hex}
    refused = fragment_of(come_back(service, outside.agree(leave(service, "google"), account)))
    assert refused["error_description"] == "Error getting user email from external provider"
    with own_service(auth, external=outside.settings(email_optional=True)) as stack:
        location = come_back(stack, outside.agree(leave(stack, "google"), account))
        user = user_of(stack, fragment_of(location))
        assert (user["email"], user["app_metadata"]["provider"]) == ("", "google")
        again = come_back(stack, outside.agree(leave(stack, "google"), account))
        assert user_of(stack, fragment_of(again))["id"] == user["id"]


def test_banned_user_is_turned_away_at_the_callback(
    service: Stack, outside: OutsideProviders, email: str
) -> None:
    user = user_of(
        service, fragment_of(come_back(service, outside.agree(leave(service, "google"), person(email))))
    )
    as_admin(service, "PUT", f"/admin/users/{user['id']}", json={"ban_duration": "1h"})
    fragment = fragment_of(come_back(service, outside.agree(leave(service, "google"), person(email))))
    assert fragment == {
        "error": "access_denied",
        "error_code": "user_banned",
        "error_description": "User is banned",
        "sb": "",
    }


def test_unknown_person_is_turned_away_while_sign_ups_are_off(
    auth: Stack, outside: OutsideProviders, email: str
) -> None:
    with own_service(auth, external=outside.settings(), enable_signup=False) as stack:
        fragment = fragment_of(come_back(stack, outside.agree(leave(stack, "google"), person(email))))
    assert (fragment["error"], fragment["error_code"]) == ("access_denied", "signup_disabled")


def test_provider_that_is_away_is_an_error_of_the_service(auth: Stack, outside: OutsideProviders) -> None:
    away = {name: replace(each, url="http://127.0.0.1:1") for name, each in outside.settings().items()}
    with own_service(auth, external=away) as stack:
        response = call(stack, "GET", "/authorize", params={"provider": "google"})
    assert failure(response) == (500, "unexpected_failure", "google cannot be reached at the moment")


def test_flows_that_were_never_finished_are_cleaned_up(
    service: Stack, outside: OutsideProviders, clock: MovableClock, email: str
) -> None:
    left = outside.agree(leave(service, "google"), person(email))["state"]
    clock.ahead = 25 * 3600
    for _ in range(40):
        leave(service, "google")
    rows = execute(
        service, "select oauth_client_state_id from auth.flow_state where id = %s", uuid.UUID(left)
    )
    assert rows == []
