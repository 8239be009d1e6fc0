"""`python -m deploy admin EMAIL`: the first admin, who has an account or is invited."""

from __future__ import annotations

import os

import psycopg
import pytest

from tests.shop.integration.deploy.owner import Owner
from tests.support.mailbox import find_mails, link_in, wait_for_mail
from tests.support.stacks import Stack
from tests.support.users import Users

Sql = psycopg.Connection[dict[str, object]]


def is_admin(sql: Sql, email: str) -> bool:
    row = sql.execute(
        "select p.is_admin from private.profiles p join auth.users u using (id) where u.email = %s", [email]
    ).fetchone()
    assert row is not None
    return bool(row["is_admin"])


def test_admin_is_made_of_an_account_once(owner: Owner, users: Users, sql: Sql) -> None:
    person, stranger = users.new("first-admin"), users.new("first-admin.x")
    assert not is_admin(sql, person.email)
    first = owner.run("admin", person.email.upper())
    assert (first.code, first.err, first.out) == (0, "", f"admin: {person.email.upper()} is now an admin\n")
    assert is_admin(sql, person.email)
    assert not is_admin(sql, stranger.email)
    second = owner.run("admin", person.email)
    assert (second.code, second.out) == (0, f"admin: {person.email} is an admin, nothing to change\n")


def test_admin_without_an_account_is_invited_once(owner: Owner, stack: Stack, sql: Sql) -> None:
    email = f"invited-admin-{os.getpid()}@example.com"
    first = owner.run("admin", email)
    assert (first.code, first.err) == (0, "")
    assert first.out == f"admin: {email} was invited by mail and is an admin\n"
    mail = wait_for_mail(stack, email)
    assert mail["Subject"] == "You're invited to Teesmith"
    assert "reset-password" in link_in(mail)
    assert is_admin(sql, email)
    assert owner.run("admin", email).out == f"admin: {email} is an admin, nothing to change\n"
    assert len(find_mails(stack, email)) == 1


@pytest.mark.parametrize(
    ("environ", "error"),
    [
        ({"SUPABASE_SECRET_KEY": "wrong"}, "error: Supabase refused GET /auth/v1/admin/users: 401"),
        ({"SUPABASE_URL": "http://127.0.0.1:9"}, "error: Supabase did not answer at http://127.0.0.1:9"),
    ],
)
def test_admin_command_says_what_stopped_it(owner: Owner, environ: dict[str, str], error: str) -> None:
    response = owner.run("admin", "ann@example.com", environ=environ)
    assert (response.code, response.out) == (1, "")
    assert response.err.startswith(error)
    assert "Traceback" not in response.err
