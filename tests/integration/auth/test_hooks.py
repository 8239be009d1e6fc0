"""Hooks: functions of the project's database that decide about tokens and attempts (`[auth.hook]`)."""

from __future__ import annotations

import base64
import json
import uuid
from collections.abc import Iterator
from typing import Any

import httpx
import pytest

from tests.integration.localbase.small_project import PORT, SmallProject

_MIGRATION = """
create schema hooks;
grant usage on schema hooks to supabase_auth_admin;
create table hooks.calls (name text, event jsonb);
create table hooks.answers (name text primary key, sql text);
grant all on hooks.calls, hooks.answers to supabase_auth_admin;
create function hooks.answer(called text, event jsonb) returns jsonb language plpgsql as $$
declare
  statement text;
  found jsonb;
begin
  insert into hooks.calls values (called, event);
  select sql into statement from hooks.answers where name = called;
  if statement is null then
    return event;
  end if;
  execute statement into found using event;
  return found;
end
$$;
create function hooks.custom_access_token(event jsonb) returns jsonb language sql as
  $$ select hooks.answer('custom_access_token', event) $$;
create function hooks.password_attempt(event jsonb) returns jsonb language sql as
  $$ select hooks.answer('password_attempt', event) $$;
revoke execute on all functions in schema hooks from public;
grant execute on all functions in schema hooks to supabase_auth_admin;
"""
_URIS = {
    "CUSTOM_ACCESS_TOKEN": "pg-functions://postgres/hooks/custom_access_token",
    "PASSWORD_VERIFICATION_ATTEMPT": "pg-functions://postgres/hooks/password_attempt",
}
_PASSWORD = "correct horse"


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SmallProject]:
    project = SmallProject(tmp_path_factory.mktemp("hooks"))
    project.migration("20260102000000_hooks.sql", _MIGRATION)
    settings = {f"SUPABASE_AUTH_HOOK_{name}_URI": uri for name, uri in _URIS.items()}
    settings |= {f"SUPABASE_AUTH_HOOK_{name}_ENABLED": "true" for name in _URIS}
    # A folder of this name may have been used before, and its database with it.
    done = project.run("db", "reset", **settings)
    assert done.returncode == 0, done.stderr
    try:
        yield project
    finally:
        project.run("stop")


@pytest.fixture
def account(project: SmallProject) -> dict[str, str]:
    """A user who has signed up; no hook answers anything of its own, and none was called."""
    body = {"email": f"user-{uuid.uuid4().hex[:8]}@example.com", "password": _PASSWORD}
    with project.database() as connection:
        connection.execute("truncate hooks.answers, hooks.calls")
    assert _post("/signup", body).status_code == 200
    with project.database() as connection:
        connection.execute("truncate hooks.calls")
    return body


def _post(path: str, body: dict[str, Any], token: str = "") -> httpx.Response:
    headers = {"apikey": "sb_publishable_ACJWlzQHlZjBrEguHvfOxg_3BJgxAaH"}
    headers |= {"authorization": f"Bearer {token}"} if token else {}
    return httpx.post(f"http://127.0.0.1:{PORT}/auth/v1{path}", json=body, headers=headers, timeout=20)


def _sign_in(account: dict[str, str]) -> httpx.Response:
    return _post("/token?grant_type=password", account)


def _answer(project: SmallProject, name: str, sql: str) -> None:
    """From now on the hook's value is what this statement gives, of which `$1` is the event."""
    with project.database() as connection:
        connection.execute("insert into hooks.answers values (%s, %s)", [name, sql])


def _calls(project: SmallProject, name: str) -> list[dict[str, Any]]:
    with project.database() as connection:
        rows = connection.execute("select event from hooks.calls where name = %s", [name]).fetchall()
    return [row[0] for row in rows]


def _claims(response: httpx.Response) -> dict[str, Any]:
    body = response.json()["access_token"].split(".")[1]
    return dict(json.loads(base64.urlsafe_b64decode(body + "=" * (-len(body) % 4))))


def _error(response: httpx.Response) -> tuple[int, str, str]:
    body = response.json()
    return response.status_code, body["error_code"], body["msg"]


def test_access_token_has_the_claims_of_the_hook(project: SmallProject, account: dict[str, str]) -> None:
    _answer(project, "custom_access_token", """select jsonb_set($1, '{claims,plan}', '"gold"')""")
    session = _sign_in(account)
    assert _claims(session)["plan"] == "gold"
    refreshed = _post("/token?grant_type=refresh_token", {"refresh_token": session.json()["refresh_token"]})
    assert _claims(refreshed)["plan"] == "gold"
    first, second = _calls(project, "custom_access_token")
    assert [each["authentication_method"] for each in (first, second)] == ["password", "token_refresh"]
    assert first["user_id"] == first["claims"]["sub"] == session.json()["user"]["id"]
    assert first["metadata"]["name"] == "customize-access-token"
    assert first["metadata"]["ip_address"] == "127.0.0.1"


def test_claims_that_no_token_can_have_are_rejected(project: SmallProject, account: dict[str, str]) -> None:
    _answer(
        project,
        "custom_access_token",
        """select jsonb_set($1 #- '{claims,role}', '{claims,exp}', '"soon"')""",
    )
    assert _error(_sign_in(account)) == (
        500,
        "unexpected_failure",
        "output claims do not conform to the expected schema: \n"
        "- (root): role is required\n- exp: Invalid type. Expected: integer\n",
    )


@pytest.mark.parametrize(
    ("sql", "error"),
    [
        (
            """select '{"error": {"http_code": 403, "message": "Members only"}}'::jsonb""",
            (403, "unknown", "Members only"),
        ),
        (
            """select '{"error": {"message": "No"}}'::jsonb""",
            (500, "unexpected_failure", "No"),
        ),
        ("""select '{"other": 1}'::jsonb""", (500, "unexpected_failure", "output claims field is missing")),
        (
            "select 1 / 0",
            (500, "unexpected_failure", f"Error running hook URI: {_URIS['CUSTOM_ACCESS_TOKEN']}"),
        ),
        (
            "select to_jsonb(pg_sleep(5)::text)",
            (500, "unexpected_failure", f"Error running hook URI: {_URIS['CUSTOM_ACCESS_TOKEN']}"),
        ),
    ],
)
def test_failing_hook_opens_no_session(
    project: SmallProject, account: dict[str, str], sql: str, error: tuple[int, str, str]
) -> None:
    _answer(project, "custom_access_token", sql)
    with project.database("supabase_admin") as connection:
        before = connection.execute("select count(*) from auth.sessions").fetchone()
        assert _error(_sign_in(account)) == error
        assert connection.execute("select count(*) from auth.sessions").fetchone() == before


def test_rejected_password_attempt_signs_out_everywhere(
    project: SmallProject, account: dict[str, str]
) -> None:
    session = _sign_in(account).json()
    _answer(
        project,
        "password_attempt",
        """select '{"decision": "reject", "message": "Too many tries", "should_logout_user": true}'::jsonb""",
    )
    assert _error(_sign_in(account)) == (400, "invalid_credentials", "Too many tries")
    refreshed = _post("/token?grant_type=refresh_token", {"refresh_token": session["refresh_token"]})
    assert refreshed.json()["error_code"] == "refresh_token_not_found"
    tries = _calls(project, "password_attempt")
    assert [each["valid"] for each in tries] == [True, True]
    assert _error(_sign_in(account | {"password": "wrong"}))[0] == 400
    assert _calls(project, "password_attempt")[-1]["valid"] is False
