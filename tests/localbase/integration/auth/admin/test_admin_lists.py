"""Pages of users and of the audit log: filter, order, and the headers that lead on."""

from __future__ import annotations

import asyncio
import uuid
from typing import Any, Self
from urllib.parse import urlencode

import psycopg
import pytest
from localbase.auth.tables import users
from localbase.auth.tables.rows import User, fetch_all
from psycopg.rows import dict_row

from supabase import create_client
from tests.localbase.integration.auth.calls import as_admin, call, failure, new_session
from tests.support.stacks import Stack

SYNTAX = 'Bad Pagination Parameters: strconv.ParseUint: parsing "{}": invalid syntax'
RANGE = 'Bad Pagination Parameters: strconv.ParseUint: parsing "{}": value out of range'


@pytest.fixture(scope="module")
def audience(auth: Stack) -> str:
    """An audience with five users, the third of whom has a full name."""
    name = uuid.uuid4().hex
    for number in range(5):
        body: dict[str, Any] = {"email": f"{number}-{name}@example.com"}
        if number == 2:
            body["user_metadata"] = {"full_name": "Ada Lovelace"}
        response = as_admin(auth, "POST", "/admin/users", json=body, headers={"x-jwt-aud": name})
        assert response.status_code == 200, response.text
    return name


def listed(stack: Stack, audience: str, query: str = "") -> tuple[list[int], dict[str, str]]:
    """The numbers of a page's users, and the headers that lead on."""
    response = as_admin(stack, "GET", f"/admin/users{query}", headers={"x-jwt-aud": audience})
    assert response.status_code == 200, response.text
    assert set(response.json()) == {"users", "aud"}
    numbers = [int(user["email"].split("-")[0]) for user in response.json()["users"]]
    return numbers, {name: response.headers[name] for name in ("link", "x-total-count")}


def test_list_is_one_page_with_the_newest_first(auth: Stack, audience: str) -> None:
    numbers, headers = listed(auth, audience)
    assert numbers == [4, 3, 2, 1, 0]
    assert headers == {"link": '</admin/users?page=1>; rel="last"', "x-total-count": "5"}


def test_link_header_leads_to_the_next_page_and_to_the_last(auth: Stack, audience: str) -> None:
    assert listed(auth, audience, "?page=1&per_page=2") == (
        [4, 3],
        {
            "link": '</admin/users?page=2&per_page=2>; rel="next", </admin/users?page=3&per_page=2>; rel="last"',
            "x-total-count": "5",
        },
    )
    assert listed(auth, audience, "?per_page=2&page=3") == (
        [0],
        {"link": '</admin/users?page=3&per_page=2>; rel="last"', "x-total-count": "5"},
    )
    assert listed(auth, audience, "?page=18446744073709551615&per_page=1000")[0] == []


def test_empty_list_has_no_pages(auth: Stack) -> None:
    assert listed(auth, uuid.uuid4().hex) == (
        [],
        {"link": '</admin/users?page=0>; rel="last"', "x-total-count": "0"},
    )


def test_filter_looks_into_addresses_and_full_names(auth: Stack, audience: str) -> None:
    assert listed(auth, audience, "?filter=3-")[0] == [3]
    assert listed(auth, audience, "?filter=lovel")[0] == [2]
    assert listed(auth, audience, "?filter='%20or%201=1")[0] == []


def test_sort_turns_the_order(auth: Stack, audience: str) -> None:
    assert listed(auth, audience, "?sort=created_at%20asc")[0] == [0, 1, 2, 3, 4]
    assert listed(auth, audience, "?sort=created_at")[0] == [4, 3, 2, 1, 0]


@pytest.mark.parametrize("path", ["/admin/users", "/admin/audit"])
@pytest.mark.parametrize(
    ("query", "message"),
    [
        ("page=x", SYNTAX.format("x")),
        ("page=-1", SYNTAX.format("-1")),
        ("per_page=1.5", SYNTAX.format("1.5")),
        ("page=18446744073709551616", RANGE.format("18446744073709551616")),
        ("per_page=0", "Bad Pagination Parameters: per_page must be greater than 0"),
    ],
)
def test_page_that_is_no_number_is_refused(auth: Stack, path: str, query: str, message: str) -> None:
    assert failure(as_admin(auth, "GET", f"{path}?{query}")) == (400, "validation_failed", message)


@pytest.mark.parametrize(
    ("value", "reason"),
    [
        ("email", "bad field for sort 'email'"),
        ("created_at;drop", "bad field for sort 'created_at;drop'"),
        ("created_at up", "bad direction for sort 'up', only 'asc' and 'desc' allowed"),
    ],
)
def test_order_by_anything_else_is_refused(auth: Stack, value: str, reason: str) -> None:
    response = as_admin(auth, "GET", "/admin/users", params={"sort": value})
    assert failure(response) == (400, "validation_failed", f"Bad Sort Parameters: {reason}")


class CountingCursor(psycopg.AsyncCursor[Any]):
    """Counts its statements."""

    statements = 0

    async def execute(self, *arguments: Any, **options: Any) -> Self:
        """Counts it, and runs it."""
        self.statements += 1
        return await super().execute(*arguments, **options)


def test_page_of_users_takes_as_many_statements_as_one_user(auth: Stack, email: str) -> None:
    for number in range(3):
        new_session(auth, f"{number}-{email}")
    url = auth.db_url.replace("postgresql://postgres:", "postgresql://supabase_admin:")

    async def statements(how_many: int) -> int:
        async with await psycopg.AsyncConnection.connect(url, row_factory=dict_row) as connection:
            cursor = CountingCursor(connection, row_factory=dict_row)
            await cursor.execute(
                "select * from auth.users where email like %s limit %s", [f"%{email}", how_many]
            )
            found = await fetch_all(cursor, User)
            cursor.statements = 0
            shown = await users.all_to_json(cursor, found)
            assert [len(user["identities"]) for user in shown] == [1] * how_many
            return cursor.statements

    assert [asyncio.run(statements(how_many)) for how_many in (1, 3)] == [2, 2]


def test_official_client_lists_users(auth: Stack, email: str) -> None:
    user = new_session(auth, email)["user"]
    admin = create_client(auth.api_url, auth.secret_key).auth.admin
    assert [user.id for user in admin.list_users(page=1, per_page=1)] == [user["id"]]


def test_audit_log_is_read_in_pages_and_by_scope(auth: Stack, email: str) -> None:
    session = new_session(auth, email)
    call(auth, "POST", "/logout", session["access_token"])
    response = as_admin(auth, "GET", "/admin/audit", params={"query": f"author:{email}"})
    assert response.status_code == 200
    query = urlencode({"page": 1, "query": f"author:{email}"})
    assert response.headers["link"] == f'</admin/audit?{query}>; rel="last"'
    entries = response.json()
    assert response.headers["x-total-count"] == str(len(entries))
    assert entries[0]["payload"]["action"] == "logout"
    assert {name: type(value) for name, value in entries[0].items()} == {
        "id": str,
        "payload": dict,
        "created_at": str,
        "ip_address": str,
    }
    params = {"query": "action:logout", "per_page": "1"}
    newest = as_admin(auth, "GET", "/admin/audit", params=params).json()
    assert [entry["payload"]["actor_username"] for entry in newest] == [email]
    types = as_admin(auth, "GET", "/admin/audit", params={"query": "type:account", "per_page": "1"}).json()
    assert [entry["payload"]["log_type"] for entry in types] == ["account"]
    assert as_admin(auth, "GET", "/admin/audit", params={"query": "author:unknown"}).json() == []


@pytest.mark.parametrize("query", ["author", "payload:x", "'"])
def test_audit_log_by_an_unknown_scope_is_refused(auth: Stack, query: str) -> None:
    response = as_admin(auth, "GET", "/admin/audit", params={"query": query})
    assert failure(response) == (400, "validation_failed", f"Invalid query scope: {query}")
