"""`production-check` compares a database's catalog with what the migrations make, on both versions of Postgres.

Objects to be changed are drawn by a seed; each change is to be named, and the SQL that is printed mends it.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from typing import Any

import psycopg
import pytest
from localbase.postgres.schema.model import Key, SchemaModel, SchemaObject
from localbase.postgres.schema.read import read_model

from deploy.production_check.catalogue import FILE, MAJORS, load_catalogue, shop_part
from deploy.production_check.database import compare_database
from deploy.production_check.finding import Finding
from tests.support.random_cases import cases
from tests.support.stacks import ROOT
from tools.catalogue import catalogue_text

Connection = psycopg.Connection[Any]
# A change of one object: its SQL, and the area and the words by which it is to be named.
Change = tuple[str, str, str]


@pytest.fixture(params=MAJORS)
def database(request: pytest.FixtureRequest) -> Iterator[Connection]:
    """The shop's migrations on a plain Postgres, noted as applied; rolled back at the end."""
    url = request.getfixturevalue(f"postgres_{request.param}")
    with psycopg.connect(url) as connection:
        connection.execute("create schema supabase_migrations")
        connection.execute("create table supabase_migrations.schema_migrations (version text primary key)")
        connection.execute("alter role anon set statement_timeout = '3s'")
        connection.execute("alter role authenticated set statement_timeout = '8s'")
        versions = [(file.name[:14],) for file in (ROOT / "sql" / "migrations").glob("*.sql")]
        connection.cursor().executemany(
            "insert into supabase_migrations.schema_migrations values (%s)", versions
        )
        yield connection
        connection.rollback()


def _policy_opened(item: SchemaObject, _: Connection) -> Change:
    words = " with check (true)" if " for insert" in item.definition else " using (true)"
    return f"alter {item.address}{words}", "policies", item.address


def _definition_of(item: SchemaObject, connection: Connection) -> str:
    row = connection.execute("select pg_get_functiondef(%s::regprocedure)", [item.key.address]).fetchone()
    assert row is not None
    return str(row[0])


def _body_changed(item: SchemaObject, connection: Connection) -> Change:
    text = _definition_of(item, connection).replace("AS $function$", "AS $function$\n--changed\n")
    return text, "functions", item.address


def _definer_changed(item: SchemaObject, connection: Connection) -> Change:
    words = "invoker" if "SECURITY DEFINER" in _definition_of(item, connection) else "definer"
    return f"alter {item.address} security {words}", "functions", item.address


def _execute_granted(item: SchemaObject, _: Connection) -> Change:
    return (
        f"grant execute on {item.address} to public",
        "grants",
        f"too many {item.key.address}: public execute",
    )


def _column_granted(item: SchemaObject, _: Connection) -> Change:
    sql = f"grant update ({item.key.part}) on {item.key.address} to anon"
    return sql, "grants", f"too many {item.key.address}: anon update ({item.key.part})"


def _table_revoked(item: SchemaObject, _: Connection) -> Change:
    sql = f"revoke select on {item.key.address} from service_role"
    return sql, "grants", f"too few {item.key.address}: service_role select"


def _rights_off(item: SchemaObject, _: Connection) -> Change:
    return f"alter table {item.key.address} disable row level security", "row security", item.key.address


def _trigger_off(item: SchemaObject, _: Connection) -> Change:
    return f"alter table {item.key.address} disable trigger {item.key.part}", "triggers", item.address


def _default_changed(item: SchemaObject, _: Connection) -> Change:
    return (
        f"alter table {item.key.address} alter column {item.key.part} set default null",
        "tables",
        f"default of {item.address}",
    )


def _not_null_dropped(item: SchemaObject, _: Connection) -> Change:
    return (
        f"alter table {item.key.address} alter column {item.key.part} drop not null",
        "tables",
        item.address,
    )


def _dropped(area: str) -> Callable[[SchemaObject, Connection], Change]:
    def change(item: SchemaObject, _: Connection) -> Change:
        return item.drop()[0], area, item.address

    return change


def _is_check(item: SchemaObject) -> bool:
    return item.key.kind == "constraint" and item.definition.startswith("CHECK")


def _kind(kind: str, schema: str = "") -> Callable[[SchemaObject], bool]:
    return lambda item: item.key.kind == kind and schema in ("", item.key.schema)


def _narrow_policy(item: SchemaObject) -> bool:
    return item.key.kind == "policy" and item.key.schema == "public" and "(true)" not in item.definition


def _reads_by_service(item: SchemaObject) -> bool:
    rights = item.access.privileges if item.access else ()
    return item.key.kind == "table" and any((r.grantee, r.name) == ("service_role", "select") for r in rights)


def _closed(item: SchemaObject) -> bool:
    rights = item.access.privileges if item.access else ()
    return item.key.kind == "function" and not any(right.grantee == "" for right in rights)


# Tables with the columns of their primary keys, which are never null: `PRIMARY KEY (post_id, user_id)`.
_PRIMARY = {
    (item.key.address, column.strip())
    for item in load_catalogue(MAJORS[0]).objects.values()
    if item.key.kind == "constraint" and item.definition.startswith("PRIMARY KEY")
    for column in item.definition.partition("(")[2].rstrip(")").split(",")
}


def _plain_column(item: SchemaObject) -> bool:
    place = (item.key.address, item.key.part)
    return item.key.kind == "column" and getattr(item, "not_null", False) and place not in _PRIMARY


def _table_trigger(item: SchemaObject) -> bool:
    """A view's is always on."""
    return _kind("trigger", "public")(item) and " instead of " not in item.definition.lower()


def _secured(item: SchemaObject) -> bool:
    return getattr(item, "row_security", False)


# What is changed, how, and of how many objects.
_PLANTED: tuple[
    tuple[Callable[[SchemaObject], bool], Callable[[SchemaObject, Connection], Change], int], ...
] = (
    (_narrow_policy, _policy_opened, 3),
    (_kind("policy"), _dropped("policies"), 2),
    (_kind("function"), _body_changed, 4),
    (_kind("function"), _definer_changed, 2),
    (_closed, _execute_granted, 3),
    (_kind("column", "public"), _column_granted, 2),
    (_reads_by_service, _table_revoked, 2),
    (_secured, _rights_off, 2),
    (_table_trigger, _trigger_off, 3),
    (_kind("trigger", "public"), _dropped("triggers"), 1),
    (_kind("index"), _dropped("tables"), 3),
    (_is_check, _dropped("tables"), 3),
    (_kind("default"), _default_changed, 2),
    (_plain_column, _not_null_dropped, 1),
    (_kind("publication member"), _dropped("tables"), 1),
)
# The roles, and what the migrations do not have.
_FOREIGN: tuple[Change, ...] = (
    ("alter role anon set statement_timeout = 0", "roles", "anon has statement_timeout=0"),
    ("alter role authenticated createdb", "roles", "authenticated is wrong in createdb"),
    ("grant service_role to anon", "roles", "anon is a member of service_role"),
    (
        "create policy everything on storage.objects for select to anon using (true)",
        "policies",
        "policy everything",
    ),
    (
        "create function public.leak() returns text language sql as 'select 1'",
        "functions",
        "function public.leak()",
    ),
    ("create index extra on public.orders (status)", "tables", "index public.extra"),
    ("create table public.notes (id int)", "row security", "public.notes"),
    ("create table public.seen (id int)", "tables", "table public.seen"),
    ("alter table public.orders add column note text", "tables", "column public.orders.note"),
)


def _draw(seed: int, model: SchemaModel, connection: Connection) -> list[Change]:
    """No object is changed twice, and none whose change another's would hide."""
    chance, changes, taken = random.Random(seed), list(_FOREIGN), set[Key]()
    for fits, change, count in _PLANTED:
        free = [item for key, item in sorted(model.objects.items()) if key not in taken and fits(item)]
        for item in chance.sample(free, count):
            taken.add(item.key)
            changes.append(change(item, connection))
    return changes


def _failures(findings: list[Finding]) -> dict[str, str]:
    return {finding.check: finding.detail for finding in findings if finding.status == "failed"}


def test_saved_catalogue_is_what_the_migrations_make(postgres_15: str, postgres_17: str) -> None:
    models = {}
    for major, url in ((15, postgres_15), (17, postgres_17)):
        with psycopg.connect(url) as connection:
            models[major] = shop_part(read_model(connection))
        assert load_catalogue(major) == models[major], "run `python -m tools.catalogue`"
    assert FILE.read_text(encoding="utf-8") == catalogue_text(models), "run `python -m tools.catalogue`"


@pytest.mark.parametrize("seed", range(cases(1)))
def test_every_planted_change_is_named_and_mended_by_what_is_printed(database: Connection, seed: int) -> None:
    model = load_catalogue(database.info.server_version // 10_000)
    assert _failures(compare_database(database)) == {}
    changes = _draw(seed, model, database)
    for sql, _, _ in changes:
        database.execute(sql.encode())
    findings = compare_database(database)
    details = _failures(findings)
    assert [change for change in changes if change[2] not in details.get(change[1], "")] == []
    for statement in findings[-1].mend.splitlines():
        assert not statement.startswith("drop table"), "a table's rows are somebody's"
    database.execute(findings[-1].mend.encode())
    # A person looks at these first: they hold rows.
    database.execute("drop table public.notes, public.seen; alter table public.orders drop column note")
    assert _failures(compare_database(database)) == {}


def test_migration_that_is_only_not_noted_is_to_be_noted(database: Connection) -> None:
    database.execute("delete from supabase_migrations.schema_migrations where version = '20261126120000'")
    (failed,) = (finding for finding in compare_database(database) if finding.status == "failed")
    assert (failed.detail, failed.mend) == (
        "made, but not noted as applied: 20261126120000",
        "supabase migration repair --status applied 20261126120000",
    )


def test_database_behind_a_migration_is_to_be_pushed(database: Connection) -> None:
    database.execute("delete from supabase_migrations.schema_migrations where version = '20261126120000'")
    database.execute("drop index public.orders_user_id_paid_at_idx")
    mends = {finding.mend for finding in compare_database(database) if finding.status == "failed"}
    assert mends == {"supabase db push", "supabase db push, then check again"}
