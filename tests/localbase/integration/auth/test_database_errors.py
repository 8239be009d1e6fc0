"""Refusals by a project's own keys and triggers come in upstream's words, which people search for."""

from __future__ import annotations

from collections.abc import Iterator

import psycopg
import pytest
from localbase.auth.service import DATABASE_ERRORS, ROUTES

from tests.localbase.integration.auth.calls import PASSWORD, as_admin, call, failure, new_session
from tests.support.stacks import Stack


@pytest.fixture
def forbidden(auth: Stack) -> Iterator[Stack]:
    """Rows of users whose address begins with `forbidden` can neither be written nor deleted."""
    with psycopg.connect(auth.db_url, autocommit=True) as connection:
        connection.execute("""
            create function public.forbid() returns trigger language plpgsql as $$
            begin
              if coalesce(new.email, old.email) like 'forbidden%' or new.is_anonymous then
                raise exception 'no' using errcode = coalesce(current_setting('test.code', true), 'P0001');
              end if;
              return coalesce(new, old);
            end $$;
            create trigger forbid before insert or update or delete on auth.users
              for each row execute function public.forbid();
        """)
        yield auth
        connection.execute("drop trigger forbid on auth.users; drop function public.forbid()")


def _error(text: str) -> tuple[int, str, str]:
    return 500, "unexpected_failure", text


def test_refused_insert_is_worded_by_its_route(forbidden: Stack, email: str) -> None:
    body = {"email": f"forbidden-{email}", "password": PASSWORD}
    saving = _error("Database error saving new user")
    assert failure(call(forbidden, "POST", "/signup", json=body)) == saving
    assert failure(call(forbidden, "POST", "/otp", json={"email": body["email"]})) == saving
    assert failure(as_admin(forbidden, "POST", "/invite", json={"email": body["email"]})) == saving
    creating = _error("Database error creating new user")
    assert failure(as_admin(forbidden, "POST", "/admin/users", json=body)) == creating
    anonymous = _error("Database error creating anonymous user")
    assert failure(call(forbidden, "POST", "/signup", json={})) == anonymous


def test_refused_change_is_worded_by_its_route(forbidden: Stack, email: str) -> None:
    session = new_session(forbidden, email)
    path, wish = f"/admin/users/{session['user']['id']}", {"email": f"forbidden-{email}"}
    assert failure(as_admin(forbidden, "PUT", path, json=wish)) == _error("Error updating user")


def test_user_whom_a_row_refers_to_is_not_deleted(auth: Stack, email: str) -> None:
    user = new_session(auth, email)["user"]["id"]
    with psycopg.connect(auth.db_url, autocommit=True) as connection:
        connection.execute("create table public.referring (id uuid references auth.users)")
        try:
            connection.execute("insert into public.referring values (%s)", [user])
            response = as_admin(auth, "DELETE", f"/admin/users/{user}")
        finally:
            connection.execute("drop table public.referring")
    assert failure(response) == _error("Database error deleting user")
    assert as_admin(auth, "DELETE", f"/admin/users/{user}").status_code == 200


def test_every_worded_route_is_served() -> None:
    assert DATABASE_ERRORS.keys() <= {(verb, path) for verb, path, _ in ROUTES}
