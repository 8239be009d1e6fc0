"""Users' own words about themselves never stand for proofs of the service."""

from __future__ import annotations

import uuid

import pytest

from tests.localbase.integration.auth.calls import PASSWORD, as_admin, call, execute, new_session
from tests.support.stacks import Stack

VICTIM = "victim@example.com"
FORGED = {
    "sub": "00000000-0000-4000-8000-000000000001",
    "email": VICTIM,
    "email_verified": True,
    "phone_verified": True,
}


def identity_row(stack: Stack, user_id: str) -> tuple[str, str, dict[str, object]]:
    """Provider's id, generated address and data of the user's one identity."""
    [row] = execute(
        stack,
        "select provider_id, email, identity_data from auth.identities where user_id = %s",
        uuid.UUID(user_id),
    )
    return row


def metadata_row(stack: Stack, user_id: str) -> dict[str, object]:
    """Return what a trigger of the project reads as the user's metadata."""
    [(metadata,)] = execute(
        stack, "select raw_user_meta_data from auth.users where id = %s", uuid.UUID(user_id)
    )
    return dict(metadata)


@pytest.fixture
def watched(auth: Stack) -> None:
    """A trigger of the project that records what it sees of a new user."""
    execute(
        auth,
        """
        create table if not exists public.seen_users (id uuid, email text, metadata jsonb);
        create or replace function public.see_user() returns trigger language plpgsql security definer as $$
        begin
          insert into public.seen_users values (new.id, new.email, new.raw_user_meta_data);
          return new;
        end $$;
        create or replace trigger see_user after insert on auth.users
          for each row execute function public.see_user();
        """,
    )


def test_data_of_a_sign_up_never_wins_over_the_services_claims(auth: Stack, email: str) -> None:
    body = {"email": email, "password": PASSWORD, "data": {"plan": "free", **FORGED}}
    response = call(auth, "POST", "/signup", json=body)
    assert response.status_code == 200, response.text
    user = response.json()["user"]
    own = {
        "sub": user["id"],
        "email": email,
        "email_verified": False,
        "phone_verified": False,
        "plan": "free",
    }
    assert [one["identity_data"] for one in user["identities"]] == [own]
    assert user["identities"][0]["email"] == email
    assert user["user_metadata"] == own | {"email_verified": True}
    assert identity_row(auth, user["id"]) == (user["id"], email, own)


@pytest.mark.usefixtures("watched")
def test_trigger_of_a_sign_up_sees_the_data_and_the_proved_address(auth: Stack, email: str) -> None:
    user = new_session(auth, email)["user"]
    rows = execute(auth, "select email, metadata from public.seen_users where id = %s", uuid.UUID(user["id"]))
    assert rows == [(email, {})]


def test_admin_made_user_has_the_metadata_that_was_given_and_no_more(auth: Stack, email: str) -> None:
    response = as_admin(
        auth,
        "POST",
        "/admin/users",
        json={"email": email, "password": PASSWORD, "email_confirm": True, "user_metadata": {"plan": "free"}},
    )
    assert response.status_code == 200, response.text
    user = response.json()
    assert user["user_metadata"] == {"plan": "free", "email_verified": True}
    own = {"sub": user["id"], "email": email, "email_verified": False, "phone_verified": False}
    assert identity_row(auth, user["id"]) == (user["id"], email, own)


def test_metadata_of_an_admin_made_user_does_not_reach_its_identity(auth: Stack, email: str) -> None:
    user = as_admin(auth, "POST", "/admin/users", json={"email": email, "user_metadata": FORGED}).json()
    assert user["user_metadata"] == FORGED
    own = {"sub": user["id"], "email": email, "email_verified": False, "phone_verified": False}
    assert identity_row(auth, user["id"]) == (user["id"], email, own)


def test_metadata_set_by_an_admin_does_not_reach_the_identity(auth: Stack, email: str) -> None:
    user = new_session(auth, email)["user"]
    before = identity_row(auth, user["id"])
    response = as_admin(auth, "PUT", f"/admin/users/{user['id']}", json={"user_metadata": FORGED})
    assert response.status_code == 200, response.text
    assert response.json()["email"] == email
    assert identity_row(auth, user["id"]) == before


def test_data_of_a_signed_in_user_does_not_reach_the_identity(auth: Stack, email: str) -> None:
    session = new_session(auth, email)
    before = identity_row(auth, session["user"]["id"])
    response = call(auth, "PUT", "/user", session["access_token"], json={"data": FORGED})
    assert response.status_code == 200, response.text
    assert (response.json()["email"], response.json()["id"]) == (email, session["user"]["id"])
    assert identity_row(auth, session["user"]["id"]) == before


def test_null_in_the_data_removes_a_key(auth: Stack, email: str) -> None:
    session = new_session(auth, email)
    token = session["access_token"]
    call(auth, "PUT", "/user", token, json={"data": {"plan": "free", "nested": {"a": None}}})
    response = call(auth, "PUT", "/user", token, json={"data": {"plan": None}})
    assert "plan" not in response.json()["user_metadata"]
    assert metadata_row(auth, session["user"]["id"])["nested"] == {"a": None}
    user_id = session["user"]["id"]
    changed = as_admin(auth, "PUT", f"/admin/users/{user_id}", json={"user_metadata": {"nested": None}})
    assert "nested" not in changed.json()["user_metadata"]
