"""A foreign project: hundreds of relations and functions in a schema not called `public`, roles,
domains, ranges and partitions of its own; on a system Postgres 15 where there is one.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest

from tests.localbase.integration.rest.conftest import Api, error
from tests.support.project_files import ProjectFiles
from tests.support.stacks import Stack, running_written

_TABLES = 100
_OLD_POSTGRES = Path("/usr/lib/postgresql/15/bin")
_CONFIG = """
[api]
schemas = ["warehouse"]
extra_search_path = ["extensions"]
max_rows = 500
[edge_runtime]
enabled = false
"""
_HEAD = """
create schema warehouse;
create role clerk nologin;
create role auditor nologin;
grant clerk, auditor to authenticator;
grant usage on schema warehouse to clerk, auditor;
create domain warehouse.sku as text check (value ~ '^[A-Z]{3}-[0-9]+$');
create domain warehouse.weight as numeric(8, 3) check (value > 0);
create type warehouse.grade as enum ('a', 'b', 'c');
create type warehouse.size as (wide int, high int);
create table warehouse.sites (id int primary key, name text not null, opened daterange not null);
insert into warehouse.sites values (1, 'North', '[2020-01-01,2024-01-01)'), (2, 'South', '[2022-01-01,)');
create table warehouse.moves (
  id bigint generated always as identity, site_id int not null references warehouse.sites, moved_on date not null,
  amount int not null, primary key (id, moved_on)) partition by range (moved_on);
create table warehouse.moves_2024 partition of warehouse.moves for values from ('2024-01-01') to ('2025-01-01');
create table warehouse.moves_2025 partition of warehouse.moves for values from ('2025-01-01') to ('2026-01-01');
"""


def _item(i: int) -> str:
    """A table that refers to an earlier one, a view of it, and a function that reads it."""
    parent = f"warehouse.item_{i // 2:03}" if i else "warehouse.sites"
    return f"""
create table warehouse.item_{i:03} (
  id int primary key, parent_id int references {parent}, site_id int references warehouse.sites,
  code warehouse.sku, heavy warehouse.weight, grade warehouse.grade default 'b', box warehouse.size,
  tags text[] default '{{}}', shelf int4range, details jsonb default '{{}}');
create view warehouse.item_{i:03}_codes with (security_invoker = on) as
  select id, parent_id, code, grade from warehouse.item_{i:03};
create function warehouse.count_{i:03}(lowest int default 0) returns bigint language sql stable
  as 'select count(*) from warehouse.item_{i:03} where id >= lowest';
insert into warehouse.item_{i:03} values
  (1, 1, 1, 'ABC-{i}', 1.5, 'a', '(2,3)', '{{x,y}}', '[1,5)', '{{"n": {i}}}');
insert into warehouse.item_{i:03} (id, site_id, code, heavy) values (2, 2, 'XYZ-{i}', 2);
"""


_TAIL = """
grant select, insert, update on all tables in schema warehouse to clerk;
grant usage on all sequences in schema warehouse to clerk;
grant select on warehouse.sites to auditor;
alter table warehouse.item_007 enable row level security;
create policy mine on warehouse.item_007 for select to clerk using (grade = 'a');
alter role auditor set statement_timeout = '5s';
"""


@pytest.fixture(scope="module")
def foreign() -> Iterator[Stack]:
    script = _HEAD + "".join(_item(i) for i in range(_TABLES)) + _TAIL
    environ = {"PG_BIN": str(_OLD_POSTGRES)} if (_OLD_POSTGRES / "postgres").exists() else {}
    files = ProjectFiles(_CONFIG, {"20260101000000_warehouse.sql": script})
    with running_written("foreign", files, environ) as running:
        yield running


@pytest.fixture(scope="module")
def clerks(foreign: Stack) -> Iterator[Api]:
    client = Api(foreign)
    yield client
    client.close()


def test_every_relation_and_function_is_served(clerks: Api) -> None:
    for i in (0, 7, 50, _TABLES - 1):
        rows = clerks.rows(
            f"/item_{i:03}?select=code,heavy,grade,box->wide,tags,shelf,n:details->n&id=eq.1", role="clerk"
        )
        assert rows == [
            {
                "code": f"ABC-{i}",
                "heavy": 1.5,
                "grade": "a",
                "wide": 2,
                "tags": ["x", "y"],
                "shelf": "[1,5)",
                "n": i,
            }
        ]
        assert clerks.rows(f"/rpc/count_{i:03}?lowest=1", role="clerk") == (1 if i == 7 else 2)
        assert clerks.rows(f"/item_{i:03}_codes?select=id&code=eq.ABC-{i}", role="clerk") == [{"id": 1}]


def test_relationships_work_through_tables_and_views(clerks: Api) -> None:
    response = clerks.rows("/item_050?select=id,item_025(code,sites(name))&id=eq.1", role="clerk")
    assert response == [{"id": 1, "item_025": {"code": "ABC-25", "sites": {"name": "North"}}}]
    response = clerks.rows("/item_050_codes?select=id,item_025_codes(code)&id=eq.1", role="clerk")
    assert response == [{"id": 1, "item_025_codes": {"code": "ABC-25"}}]
    assert (
        len(clerks.rows("/sites?select=id,item_099(id),moves(id)&id=eq.1", role="clerk")[0]["item_099"]) == 1
    )


def test_domains_ranges_and_enums_filter_and_reject(clerks: Api) -> None:
    assert clerks.rows("/item_010?select=id&shelf=cs.[2,3)", role="clerk") == [{"id": 1}]
    assert clerks.rows("/item_010?select=id&heavy=gt.1.6&grade=in.(b,c)", role="clerk") == [{"id": 2}]
    assert clerks.rows("/sites?select=name&opened=sl.[2025-01-01,2026-01-01)", role="clerk") == [
        {"name": "North"}
    ]
    status, body = error(clerks.request("POST", "/item_010", role="clerk", json={"id": 9, "code": "bad"}))
    assert (status, body["code"], body["message"]) == (
        400,
        "23514",
        'value for domain sku violates check constraint "sku_check"',
    )


def test_partitions_are_one_table(clerks: Api) -> None:
    sent = [{"site_id": 1, "moved_on": day, "amount": 1} for day in ("2024-05-05", "2025-05-05")]
    assert clerks.request("POST", "/moves", role="clerk", json=sent).status_code == 201
    rows = clerks.rows("/moves?select=moved_on,sites(name)&order=moved_on", role="clerk")
    assert rows == [
        {"moved_on": "2024-05-05", "sites": {"name": "North"}},
        {"moved_on": "2025-05-05", "sites": {"name": "North"}},
    ]
    assert clerks.get("/moves_2024", role="clerk").status_code == 404


def test_foreign_roles_have_only_their_grants(clerks: Api) -> None:
    assert len(clerks.rows("/sites", role="auditor")) == 2
    status, body = error(clerks.get("/item_001", role="auditor"))
    assert (status, body["message"]) == (403, "permission denied for table item_001")
    status, body = error(clerks.get("/sites", role="anon"))
    assert (status, body["message"]) == (401, "permission denied for schema warehouse")


def test_openapi_describes_hundreds_of_relations(clerks: Api) -> None:
    document = clerks.rows("/", role="clerk")
    assert {f"/item_{i:03}" for i in range(_TABLES)} <= set(document["paths"])
    assert document["definitions"]["item_001"]["properties"]["grade"]["enum"] == ["a", "b", "c"]


def test_schema_change_is_served_within_seconds(clerks: Api, foreign: Stack) -> None:
    with psycopg.connect(foreign.db_url, autocommit=True) as connection:
        if (_OLD_POSTGRES / "postgres").exists():
            assert connection.info.server_version // 10_000 == 15
        connection.execute("alter table warehouse.sites add column staff int default 3")
    began = time.monotonic()
    while clerks.get("/sites?select=staff&id=eq.1", role="clerk").status_code != 200:
        assert time.monotonic() - began < 20
        time.sleep(0.05)
    assert clerks.rows("/sites?select=staff&id=eq.1", role="clerk") == [{"staff": 3}]
