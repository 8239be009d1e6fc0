"""The catalog follows the database, and the login role's settings, without a restart."""

from __future__ import annotations

from collections.abc import Iterator

import psycopg
import pytest

from tests.localbase.integration.rest.conftest import Api, until
from tests.support.stacks import Stack


@pytest.fixture
def operator(library: Stack) -> Iterator[psycopg.Connection]:
    """The project's own role, which may set what the Data API's login role reads."""
    with psycopg.connect(library.db_url, autocommit=True) as connection:
        yield connection


def test_new_tables_and_columns_are_served(api: Api, database: psycopg.Connection) -> None:
    database.execute("create table passing (id integer primary key)")
    try:
        assert until(lambda: api.get("/passing"), lambda a: a.status_code == 200).json() == []
        database.execute("alter table passing add column word text default 'w'")
        made = until(
            lambda: api.request(
                "POST", "/passing", json={"id": 1, "word": "x"}, prefer="return=representation"
            ),
            lambda a: a.status_code == 201,
        )
        assert made.json() == [{"id": 1, "word": "x"}]
        # The same statement as before the new column: its old plan must not be used.
        assert api.rows("/passing") == [{"id": 1, "word": "x"}]
    finally:
        database.execute("drop table passing")
    assert until(lambda: api.get("/passing"), lambda a: a.status_code == 404).status_code == 404


def test_new_relationships_are_embedded(api: Api, database: psycopg.Connection) -> None:
    database.execute("create table stamps (id integer primary key, genre integer references genres (id))")
    try:
        response = until(lambda: api.get("/stamps?select=id,genres(name)"), lambda a: a.status_code == 200)
        assert response.json() == []
    finally:
        database.execute("drop table stamps")


def test_login_roles_settings_allow_aggregates(api: Api, operator: psycopg.Connection) -> None:
    assert api.get("/books?select=count()").status_code == 400
    operator.execute("alter role authenticator set pgrst.db_aggregates_enabled = 'true'")
    operator.execute("notify pgrst, 'reload config'")
    try:
        url = "/books?select=shelf_room,count(),total:price.sum()&order=shelf_room&id=lt.100"
        response = until(lambda: api.get(url), lambda a: a.status_code == 200)
        assert response.json() == [
            {"shelf_room": "A", "count": 3, "total": 22.75},
            {"shelf_room": "B", "count": 1, "total": 20.0},
            {"shelf_room": None, "count": 1, "total": None},
        ]
        spread = "/reviews?select=...books(...authors!books_author_id_fkey(name)),stars.avg()::int&order=books(name)"
        assert api.rows(spread) == [{"name": "Ada Quill", "avg": 4}, {"name": "Ben Ink", "avg": 4}]
        assert api.rows("/books?select=id,reviews(count(),stars.max())&id=in.(1,2)&order=id") == [
            {"id": 1, "reviews": [{"count": 2, "max": 5}]},
            {"id": 2, "reviews": [{"count": 0, "max": None}]},
        ]
        assert api.get("/authors?select=...books!author_id(price.sum())").json()["code"] == "PGRST127"
    finally:
        operator.execute("alter role authenticator reset pgrst.db_aggregates_enabled")
        operator.execute("notify pgrst, 'reload config'")
    assert until(lambda: api.get("/books?select=count()"), lambda a: a.status_code == 400).status_code == 400


def test_login_roles_settings_allow_plans_and_rollbacks(api: Api, operator: psycopg.Connection) -> None:
    accept = "application/vnd.pgrst.plan+json; options=verbose"
    assert api.get("/books", accept=accept).status_code == 406
    with operator.transaction():  # an earlier test's notification may have them read at any moment
        operator.execute("alter role authenticator set pgrst.db_plan_enabled = 'true'")
        operator.execute("alter role authenticator set pgrst.db_tx_end = 'commit-allow-override'")
        operator.execute("notify pgrst, 'reload config'")
    try:
        response = until(lambda: api.get("/books", accept=accept), lambda a: a.status_code == 200)
        assert response.json()[0]["Plan"]["Node Type"] == "Aggregate"
        assert response.headers["content-type"] == (
            'application/vnd.pgrst.plan+json; for="application/json"; options=verbose; charset=utf-8'
        )
        prefer = "tx=rollback,return=representation"
        made = api.request("POST", "/keyless", json={"value": "undone"}, prefer=prefer)
        assert (made.status_code, made.json()) == (201, [{"value": "undone", "number": None}])
        assert made.headers["preference-applied"] == "return=representation, tx=rollback"
        assert api.rows("/keyless?value=eq.undone") == []
    finally:
        operator.execute("alter role authenticator reset pgrst.db_plan_enabled")
        operator.execute("alter role authenticator reset pgrst.db_tx_end")
        operator.execute("notify pgrst, 'reload config'")
    until(lambda: api.get("/books", accept=accept), lambda a: a.status_code == 406)
