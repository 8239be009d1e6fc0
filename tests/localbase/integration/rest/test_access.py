"""Access: anonymous, owner, stranger, service; and the choice of the schema."""

from __future__ import annotations

import psycopg
import pytest
from localbase.core.tokens.jwt import sign

from tests.localbase.integration.rest.conftest import OWNER, Api, error
from tests.support.stacks import Stack

FULL = "return=representation"
STRANGER = "33333333-3333-3333-3333-333333333333"


def seen(api: Api, role: str, sub: str | None = None) -> list[int]:
    return [row["id"] for row in api.rows("/notes?select=id&order=id&id=lt.100", role=role, sub=sub)]


def test_rows_are_visible_by_policy(api: Api) -> None:
    assert seen(api, "anon") == [1]
    assert seen(api, "authenticated", OWNER) == [1, 2]
    assert seen(api, "authenticated", STRANGER) == [1]
    assert seen(api, "service_role") == [1, 2, 3]


def test_owner_writes_and_stranger_does_not(api: Api, database: psycopg.Connection) -> None:
    made = api.request(
        "POST",
        "/notes?select=body",
        json={"body": "mine"},
        role="authenticated",
        sub=OWNER,
        prefer=FULL,
    )
    assert (made.status_code, made.json()) == (201, [{"body": "mine"}])
    stolen = {"body": "forged", "owner_id": OWNER}
    status, body = error(api.request("POST", "/notes", json=stolen, role="authenticated", sub=STRANGER))
    assert (status, body["code"]) == (403, "42501")
    assert body["message"] == 'new row violates row-level security policy for table "notes"'
    changed = api.request(
        "PATCH",
        "/notes?id=eq.2",
        json={"body": "x"},
        role="authenticated",
        sub=STRANGER,
        prefer=FULL,
    )
    assert (changed.status_code, changed.json()) == (200, [])
    database.execute("delete from notes where body = 'mine'")


def test_missing_privilege_is_401_for_visitors_and_403_for_users(api: Api) -> None:
    expected = {"code": "42501", "message": "permission denied for table secrets", "details": None}
    for role, status in (("anon", 401), ("authenticated", 403)):
        response = api.get("/secrets", role=role)
        status_code, body = error(response)
        assert status_code == status
        assert expected.items() <= body.items()
        assert response.headers.get("www-authenticate") == ("Bearer" if status == 401 else None)
    assert api.rows("/secrets") == [{"id": 1, "value": "hush"}]


def test_privileges_can_be_for_columns(api: Api, database: psycopg.Connection) -> None:
    assert api.rows("/half_open?select=id,shown&id=eq.1", role="anon") == [{"id": 1, "shown": "seen"}]
    assert api.get("/half_open", role="anon").status_code == 401
    made = api.request(
        "POST",
        "/half_open?select=id",
        json={"id": 7, "hidden": "h"},
        role="anon",
        prefer=FULL,
    )
    assert (made.status_code, made.json()) == (201, [{"id": 7}])
    assert api.request("POST", "/half_open", json={"id": 8, "hidden": "h"}, role="anon").status_code == 201
    database.execute("delete from half_open where id > 1")


def test_request_leaves_nothing_of_its_role_behind(api: Api) -> None:
    for _ in range(30):
        assert api.rows("/rpc/request_context", role="service_role")["role"] == "service_role"
        assert api.rows("/rpc/request_context", role="anon")["role"] == "anon"


def test_unknown_role_is_rejected(api: Api) -> None:
    status, body = error(api.get("/books", role="nobody_knows"))
    assert (status, body["code"]) == (401, "22023")
    assert api.get("/books", role="postgres").status_code == 403


@pytest.mark.parametrize(
    ("token", "code"), [("x.y.z", "PGRST301"), ("not-a-token", "PGRST301"), ("expired", "PGRST303")]
)
def test_bad_token_is_rejected(api: Api, library: Stack, token: str, code: str) -> None:
    if token == "expired":
        token = sign({"role": "anon", "exp": 1}, library.jwt_secret)
    response = api.request("GET", "/books", authorization=f"Bearer {token}")
    status, body = error(response)
    assert (status, body["code"]) == (401, code)
    assert response.headers["www-authenticate"].startswith('Bearer error="invalid_token"')


def test_profile_chooses_the_schema(api: Api) -> None:
    response = api.get("/customers?select=id,invoices(cents)&id=eq.2", accept_profile="crm")
    assert (response.json(), response.headers["content-profile"]) == (
        [{"id": 2, "invoices": [{"cents": 100}]}],
        "crm",
    )
    assert error(api.get("/customers"))[1]["code"] == "PGRST205"
    assert api.rows("/debtors?select=id,owed&order=id", accept_profile="crm") == [
        {"id": 1, "owed": 700},
        {"id": 2, "owed": 100},
    ]
    assert api.rows("/rpc/owed?customer_id=1", accept_profile="crm") == 700
    posted = api.request("POST", "/rpc/owed", json={"customer_id": 2}, content_profile="crm")
    assert posted.json() == 100


def test_unexposed_schema_is_not_acceptable(api: Api) -> None:
    assert error(api.get("/customers", accept_profile="toolbox")) == (
        406,
        {
            "code": "PGRST106",
            "message": "Invalid schema: toolbox",
            "details": None,
            "hint": "Only the following schemas are exposed: public, crm",
        },
    )


def test_extra_search_path_is_searched(api: Api) -> None:
    assert api.rows("/rpc/shouted?words=hi", accept_profile="crm") == "HI!"


def test_domain_checks_are_enforced(api: Api) -> None:
    status, body = error(api.request("POST", "/customers", json={"email": "none"}, content_profile="crm"))
    assert (status, body["code"]) == (400, "23514")
