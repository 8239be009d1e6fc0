"""Hooks: functions of the project's database that decide about tokens and attempts (`[auth.hook]`)."""

from __future__ import annotations

import base64
import json
import uuid
from typing import Any

import httpx
import pytest

from tests.localbase.integration.small_project import PORT, SmallProject, until
from tests.support.project_files import ProjectFiles

_MIGRATION = """
create schema hooks;
grant usage on schema hooks to supabase_auth_admin;
create table hooks.calls (name text, event jsonb);
create table hooks.responses (name text primary key, sql text);
grant all on hooks.calls, hooks.responses to supabase_auth_admin;
create function hooks.respond(called text, event jsonb) returns jsonb language plpgsql as $$
declare
  statement text;
  response jsonb;
begin
  insert into hooks.calls values (called, event);
  select sql into statement from hooks.responses where name = called;
  if statement is null then
    return event;
  end if;
  execute statement into response using event;
  return response;
end
$$;
create function hooks.custom_access_token(event jsonb) returns jsonb language sql as
  $$ select hooks.respond('custom_access_token', event) $$;
create function hooks.before_user(event jsonb) returns jsonb language sql as
  $$ select hooks.respond('before_user', event) $$;
create function hooks.after_user(event jsonb) returns jsonb language sql as
  $$ select hooks.respond('after_user', event) $$;
create function hooks.send_email(event jsonb) returns jsonb language sql as
  $$ select hooks.respond('send_email', event) $$;
create function hooks.send_sms(event jsonb) returns jsonb language sql as
  $$ select hooks.respond('send_sms', event) $$;
create function hooks.password_attempt(event jsonb) returns jsonb language sql as
  $$ select hooks.respond('password_attempt', event) $$;
revoke execute on all functions in schema hooks from public;
grant execute on all functions in schema hooks to supabase_auth_admin;
"""
_URIS = {
    "CUSTOM_ACCESS_TOKEN": "pg-functions://postgres/hooks/custom_access_token",
    "PASSWORD_VERIFICATION_ATTEMPT": "pg-functions://postgres/hooks/password_attempt",
    "BEFORE_USER_CREATED": "pg-functions://postgres/hooks/before_user",
    "AFTER_USER_CREATED": "pg-functions://postgres/hooks/after_user",
    "SEND_EMAIL": "pg-functions://postgres/hooks/send_email",
    "SEND_SMS": "pg-functions://postgres/hooks/send_sms",
}
_PASSWORD = "correct horse"


FILES = ProjectFiles(migrations={"20260102000000_hooks.sql": _MIGRATION})
ENVIRON = {
    **{f"SUPABASE_AUTH_HOOK_{name}_URI": uri for name, uri in _URIS.items()},
    **{f"SUPABASE_AUTH_HOOK_{name}_ENABLED": "true" for name in _URIS},
    "SUPABASE_AUTH_SMS_ENABLE_SIGNUP": "true",
}


@pytest.fixture
def account(project: SmallProject) -> dict[str, str]:
    """A user who has signed up; no hook responds with anything of its own, and none was called."""
    body = {"email": f"user-{uuid.uuid4().hex[:8]}@example.com", "password": _PASSWORD}
    with project.database() as connection:
        connection.execute("truncate hooks.responses, hooks.calls")
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


def _set_response(project: SmallProject, name: str, sql: str) -> None:
    """From now on the hook's value is what this statement gives, of which `$1` is the event."""
    with project.database() as connection:
        connection.execute("insert into hooks.responses values (%s, %s)", [name, sql])


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
    _set_response(project, "custom_access_token", """select jsonb_set($1, '{claims,plan}', '"gold"')""")
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
    _set_response(
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
    _set_response(project, "custom_access_token", sql)
    with project.database("supabase_admin") as connection:
        before = connection.execute("select count(*) from auth.sessions").fetchone()
        assert _error(_sign_in(account)) == error
        assert connection.execute("select count(*) from auth.sessions").fetchone() == before


def test_rejected_password_attempt_signs_out_everywhere(
    project: SmallProject, account: dict[str, str]
) -> None:
    session = _sign_in(account).json()
    _set_response(
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


def test_user_is_announced_to_the_hooks_before_and_after(
    project: SmallProject, account: dict[str, str]
) -> None:
    body = account | {"email": f"new-{account['email']}", "data": {"plan": "free"}}
    user = _post("/signup", body).json()["user"]
    ((before, after),) = zip(_calls(project, "before_user"), _calls(project, "after_user"), strict=True)
    assert (before["metadata"]["name"], after["metadata"]["name"]) == (
        "before-user-created",
        "after-user-created",
    )
    assert before["user"]["id"] == after["user"]["id"] == user["id"]
    assert before["user"]["user_metadata"] == {"plan": "free"}
    assert before["user"]["email"] == after["user"]["email"] == body["email"]


def test_user_whom_the_hook_rejects_is_not_made(project: SmallProject, account: dict[str, str]) -> None:
    _set_response(
        project,
        "before_user",
        # The hook sees the users that there are: this one is not among them.
        """select case when exists (select from auth.users where email = $1 -> 'user' ->> 'email') then '{}'::jsonb
        else '{"error": {"http_code": 400, "message": "Only members of the club"}}'::jsonb end""",
    )
    body = account | {"email": f"stranger-{account['email']}"}
    assert _error(_post("/signup", body)) == (400, "unknown", "Only members of the club")
    with project.database("supabase_admin") as connection:
        cursor = connection.execute("select count(*) from auth.users where email = %s", [body["email"]])
        assert cursor.fetchone() == (0,)


def test_mails_go_to_the_hook_instead_of_the_mail_server(
    project: SmallProject, account: dict[str, str]
) -> None:
    session = _sign_in(account).json()
    assert _post("/recover", {"email": account["email"]}).status_code == 200
    assert until(lambda: len(_calls(project, "send_email")) == 1)
    (call,) = _calls(project, "send_email")
    assert call["user"]["id"] == session["user"]["id"]
    data = call["email_data"]
    assert data["email_action_type"] == "recovery"
    verified = _post("/verify", {"type": "recovery", "token_hash": data["token_hash"]})
    assert verified.status_code == 200
    assert len(data["token"]) == 6


def test_both_halves_of_an_email_change_are_one_call(project: SmallProject, account: dict[str, str]) -> None:
    token = _sign_in(account).json()["access_token"]
    headers = {"apikey": "sb_publishable_ACJWlzQHlZjBrEguHvfOxg_3BJgxAaH", "authorization": f"Bearer {token}"}
    changed = httpx.put(
        f"http://127.0.0.1:{PORT}/auth/v1/user",
        json={"email": f"changed-{account['email']}"},
        headers=headers,
        timeout=20,
    )
    assert changed.status_code == 200
    assert until(lambda: len(_calls(project, "send_email")) == 1)
    (call,) = _calls(project, "send_email")
    data = call["email_data"]
    assert data["email_action_type"] == "email_change"
    assert {len(data["token"]), len(data["token_new"])} == {6}
    # The project confirms addresses by itself, so one half is enough: here the new address's.
    body = {"type": "email_change", "email": f"changed-{account['email']}", "token": data["token_new"]}
    verified = _post("/verify", body)
    assert verified.status_code == 200, verified.text
    # Upstream's names: the new address's hash is beside the present one's token.
    assert data["token_hash"] != data["token_hash_new"]


def test_sms_goes_to_the_hook_with_its_code(project: SmallProject, account: dict[str, str]) -> None:
    assert account
    phone = f"1555{uuid.uuid4().int % 10**7:07d}"
    assert _post("/otp", {"phone": phone}).status_code == 200
    assert until(lambda: len(_calls(project, "send_sms")) == 1)
    (call,) = _calls(project, "send_sms")
    assert call["sms"]["phone"] == call["user"]["phone"] == phone
    verified = _post("/verify", {"type": "sms", "phone": phone, "token": call["sms"]["otp"]})
    assert verified.status_code == 200
