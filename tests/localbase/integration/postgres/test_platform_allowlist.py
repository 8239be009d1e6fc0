"""Rights of the role `postgres` beyond Postgres's own rules: in a migration, by a connection of its own, in a block.

Rows follow upstream's supautils: its statements, its lists of extensions and settings (`platform/allowlist.toml`). What
only a superuser's session can do without a module inside Postgres is said to fail there.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import psycopg
import pytest
from localbase.core.errors import UserError
from localbase.postgres.allowlist import allowlist
from localbase.postgres.migrate import apply_files

from tests.localbase.integration.schema_cluster import SchemaCluster, schema_cluster
from tests.support.random_cases import one_of_each

WAYS = ("migration", "connection", "block")
EVENT_FUNCTION = (
    "create function public.seen() returns event_trigger language plpgsql as 'begin perform 1; end'"
)
EVENT_TRIGGER = "create event trigger seeing on ddl_command_end execute function public.seen()"


@dataclass(frozen=True)
class Row:
    """A statement, what has been run before it as a migration, and a query that is true after it.

    `only_migrations` names the versions of Postgres in which nothing but a migration may do it, `needs` an extension.
    """

    statement: str
    holds: str = "select true"
    before: str = ""
    only_migrations: tuple[str, ...] = ()
    needs: str = ""


ALL, BEFORE_16 = ("15", "17", "18"), ("15",)
OWNED = "select {0}owner = 'postgres'::regrole from pg_{1} where {0}name = '{2}'"

ROWS = {
    "create publication for all tables": Row(
        "create publication everything for all tables",
        OWNED.format("pub", "publication", "everything"),
    ),
    "create publication for a schema": Row(
        "create publication one for tables in schema public",
        OWNED.format("pub", "publication", "one"),
    ),
    "alter publication by a schema": Row(
        "alter publication supabase_realtime add tables in schema public",
        "select count(*) = 1 from pg_publication_namespace",
    ),
    "alter publication by a table of the platform": Row(
        "alter publication supabase_realtime add table storage.objects",
        "select count(*) = 1 from pg_publication_tables where tablename = 'objects'",
    ),
    "drop publication": Row(
        "drop publication everything", before="create publication everything for all tables"
    ),
    "create event trigger": Row(
        EVENT_TRIGGER, OWNED.format("evt", "event_trigger", "seeing"), EVENT_FUNCTION, ALL
    ),
    "disable event trigger": Row(
        "alter event trigger seeing disable",
        "select evtenabled = 'D' from pg_event_trigger where evtname = 'seeing'",
        f"{EVENT_FUNCTION}; {EVENT_TRIGGER}",
    ),
    "drop event trigger": Row("drop event trigger seeing", before=f"{EVENT_FUNCTION}; {EVENT_TRIGGER}"),
    "create foreign data wrapper": Row(
        "create foreign data wrapper mine",
        OWNED.format("fdw", "foreign_data_wrapper", "mine"),
        only_migrations=ALL,
    ),
    "create server": Row(
        "create server other foreign data wrapper postgres_fdw options (host '127.0.0.1')",
        OWNED.format("srv", "foreign_server", "other"),
        "create extension postgres_fdw",
    ),
    "create user mapping": Row(
        "create user mapping for postgres server other options (user 'a', password 'b')",
        before="create extension postgres_fdw; create server other foreign data wrapper postgres_fdw",
    ),
    "create foreign table": Row(
        "create foreign table public.there (id int) server other",
        before="create extension postgres_fdw; create server other foreign data wrapper postgres_fdw",
    ),
    "give a foreign data wrapper on": Row(
        "grant usage on foreign data wrapper postgres_fdw to service_role",
        before="create extension postgres_fdw",
    ),
    "create extension in the schema it wants": Row(
        "create extension pgmq with schema pgmq",
        "select pg_get_userbyid(extowner) = 'postgres' from pg_extension where extname = 'pgmq'",
        "create schema pgmq",
        needs="pgmq",
    ),
    "drop an extension of the platform's": Row(
        "drop extension pg_stat_statements",
        "select count(*) = 0 from pg_extension where extname = 'pg_stat_statements'",
    ),
    "comment on an extension": Row("comment on extension pgcrypto is 'here'"),
    "move an extension": Row(
        "alter extension hstore set schema extensions",
        before="create extension hstore with schema public",
        only_migrations=ALL,
    ),
    "reference the vault": Row(
        "create table public.c (id int, secret uuid references vault.secrets (id) on delete set null)",
        needs="supabase_vault",
    ),
    "give the vault on": Row(
        "grant select, delete, references, truncate on vault.secrets, vault.decrypted_secrets to service_role",
        needs="supabase_vault",
    ),
    "give a queue's functions on": Row(
        "grant execute on function pgmq.pop(text), pgmq.send(text, jsonb, integer), pgmq.drop_queue(text, boolean),"
        " pgmq.read(text, integer, integer, jsonb), pgmq.detach_archive(text) to service_role",
        before="create extension pgmq",
        needs="pgmq",
    ),
    "own a queue's tables": Row(
        "alter table pgmq.meta enable row level security",
        before="create extension pgmq",
        needs="pgmq",
    ),
    "give extensions' functions on": Row(
        "grant execute on function extensions.digest(text, text), extensions.uuid_generate_v4() to service_role"
    ),
    "give the services' schemas on": Row("grant usage on schema storage, realtime to service_role"),
    "create a role that reads past policies": Row(
        "create role copier login replication bypassrls password 'copier'",
        "select rolbypassrls and rolreplication from pg_roles where rolname = 'copier'",
        only_migrations=BEFORE_16,
    ),
    "let the API become a role": Row("grant reader to authenticator", before="create role reader nologin"),
    "give a predefined role on": Row(
        "grant pg_read_all_data, pg_monitor, pg_signal_backend to reader", before="create role reader nologin"
    ),
    "set for the API's login role": Row(
        "alter role authenticator set pgrst.db_max_rows = '7'",
        "select 'pgrst.db_max_rows=7' = any (rolconfig) from pg_roles where rolname = 'authenticator'",
    ),
    "set a limit for visitors": Row(
        "alter role anon set statement_timeout = '5s'",
        "select 'statement_timeout=5s' = any (rolconfig) from pg_roles where rolname = 'anon'",
    ),
    "load data past triggers": Row("set local session_replication_role = replica"),
    "make the server read its files": Row("do 'begin perform pg_catalog.pg_reload_conf(); end'"),
    "set for the database": Row("alter database :database set auto_explain.log_analyze = on"),
}


# supautils.policy_grants and supautils.drop_trigger_grants, of the tables that are here.
SERVICE_TABLES = (
    "auth.audit_log_entries", "auth.identities", "auth.mfa_challenges", "auth.mfa_factors", "auth.one_time_tokens",
    "auth.refresh_tokens", "auth.sessions", "auth.users", "realtime.messages", "storage.buckets", "storage.objects",
)  # fmt: skip


class Silent:
    """Reports nothing."""

    def step(self, _title: str, /) -> contextlib.AbstractContextManager[None]:
        return contextlib.nullcontext()

    def note(self, _text: str, /) -> None:
        return


class Server:
    """One Postgres, with a database for each script that precedes others. What comes after is undone."""

    def __init__(
        self, version: str, cluster: SchemaCluster, folder: Path, stack: contextlib.ExitStack
    ) -> None:
        self.version = version
        self._cluster, self._stack = cluster, stack
        self._file = folder / "script.sql"
        self._databases: dict[str, psycopg.Connection] = {}

    def database(self, before: str) -> psycopg.Connection:
        """The platform's connection to the database where `before` has run as a migration."""
        if before not in self._databases:
            made = self._stack.enter_context(self._cluster.database(kept=True))
            self.migrate(made, before)
            self._databases[before] = made
        return self._databases[before]

    def has(self, extension: str) -> bool:
        """Tell whether this Postgres can make it."""
        available = "select from pg_available_extensions where name = %s"
        return self.database("").execute(available, [extension]).fetchone() is not None

    def migrate(self, platform: psycopg.Connection, script: str) -> None:
        """Runs the script as a migration runs. Raises `UserError`."""
        self._file.write_text(script)
        apply_files(platform, [self._file], Silent())

    @contextlib.contextmanager
    def after(self, before: str, way: str) -> Iterator[tuple[psycopg.Connection, Callable[[str], None]]]:
        """A connection, and what runs a statement on it in this way: as a migration it is kept, else it is undone."""
        platform = self.database(before)
        with contextlib.ExitStack() as stack:
            if way == "migration":
                connection = platform
            else:
                info = platform.info
                connection = stack.enter_context(
                    psycopg.connect(info.dsn, user="postgres", password="postgres", autocommit=True)
                )

            def run(statement: str) -> None:
                statement = statement.replace(":database", connection.info.dbname)
                if way == "migration":
                    self.migrate(connection, statement)
                elif way == "connection":
                    connection.execute(statement.encode())
                else:
                    connection.execute(f"do $block$ begin {statement}; end $block$".encode())

            if way != "migration":
                stack.enter_context(connection.transaction(force_rollback=True))
            yield connection, run


def _programs(version: str) -> dict[str, str] | None:
    """The environment that makes a stack use that Postgres: the embedded one is 18."""
    if version == "18":
        return {}
    folder = f"/usr/lib/postgresql/{version}/bin"
    return {"PG_BIN": folder} if os.access(f"{folder}/postgres", os.X_OK) else None


@pytest.fixture(scope="module", params=["18", "17", "15"])
def server(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    environ = _programs(request.param)
    if environ is None:
        pytest.skip(f"Postgres {request.param} is not installed")
    with schema_cluster(environ) as cluster, contextlib.ExitStack() as stack:
        yield Server(request.param, cluster, tmp_path_factory.mktemp("scripts"), stack)


@pytest.mark.parametrize("name", ROWS)
@pytest.mark.parametrize("way", WAYS)
def test_statement_of_the_table_is_allowed(server: Server, way: str, name: str) -> None:
    row = ROWS[name]
    if row.needs and not server.has(row.needs):
        pytest.skip(f"Postgres {server.version} does not have {row.needs}")
    with server.after(row.before, way) as (connection, run):
        if way != "migration" and server.version in row.only_migrations:
            with pytest.raises(psycopg.errors.InsufficientPrivilege):
                run(row.statement)
            return
        if way == "migration":
            # Its file ends in an error, so that nothing stays.
            undo = f"do $undo$ begin assert ({row.holds}), 'not so'; raise 'undone'; end $undo$"
            with pytest.raises(UserError, match="undone"):
                run(f"{row.statement};\n{undo}")
            return
        run(row.statement)
        assert connection.execute(row.holds.encode()).fetchall() == [(True,)]


@pytest.mark.parametrize("way", WAYS)
def test_extensions_of_the_list_are_made_and_dropped(server: Server, way: str) -> None:
    database = server.database("")
    available = {row[0] for row in database.execute("select name from pg_available_extensions")}
    made = {row[0] for row in database.execute("select extname from pg_extension")}
    missing = sorted(available & set(allowlist()["extensions"]) - made)
    assert {"dblink", "postgres_fdw", "moddatetime", "hstore"} <= set(missing)
    # Migrations make all of them on the Postgres that comes along, elsewhere and in other ways it is one of three.
    others = [name for name in missing if name != "postgres_fdw"]
    kinds = [["postgres_fdw"], *(others[at : at + 3] for at in range(0, len(others), 3))]
    failed = []
    every = way == "migration" and server.version == "18"
    for name in missing if every else one_of_each(kinds, WAYS.index(way)):
        with server.after("", way) as (connection, run):
            try:
                # PostGIS's own scripts look for it where it is made by default.
                run(f'create extension "{name}" cascade')
                owner = connection.execute(
                    "select extowner::regrole::text from pg_extension where extname = %s", [name]
                ).fetchone()
                assert owner == ("postgres",)
                run(f'drop extension "{name}"')
            except (psycopg.errors.InsufficientPrivilege, UserError) as error:
                failed.append(f"{name}: {error}")
    trusted = way == "migration" or server.version == "18"
    assert failed == [] if trusted else any(line.startswith("postgres_fdw") for line in failed)


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("name", ["file_fdw", "pageinspect", "pg_surgery"])
def test_extensions_beside_the_list_are_refused(server: Server, way: str, name: str) -> None:
    with server.after("", way) as (_, run), pytest.raises((psycopg.errors.InsufficientPrivilege, UserError)):
        run(f"create extension {name}")


@pytest.mark.parametrize("way", WAYS)
def test_settings_of_the_list_are_set(server: Server, way: str) -> None:
    with server.after("", way) as (_, run):
        for name in allowlist()["settings"]:
            run(f"alter role authenticator set {name} = default")
            run(f"alter database :database reset {name}")
    with server.after("", way) as (_, run), pytest.raises((psycopg.errors.InsufficientPrivilege, UserError)):
        run("alter role authenticator set log_planner_stats = on")


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("table", SERVICE_TABLES)
def test_policies_and_triggers_of_service_tables_are_the_projects(
    server: Server, way: str, table: str
) -> None:
    function = "create function public.f() returns trigger language plpgsql as 'begin return new; end'"
    with server.after(function, way) as (_, run):
        run(f"create policy mine on {table} for select using (true)")
        run(f"alter policy mine on {table} using (false)")
        run(f"comment on policy mine on {table} is 'mine'")
        run(f"drop policy mine on {table}")
        run(f"create trigger mine after insert on {table} for each row execute function public.f()")
        run(f"drop trigger mine on {table}")


@pytest.mark.parametrize(
    "statement",
    [
        "alter extension pg_graphql set schema extensions",
        "alter extension pg_graphql update",
        "comment on extension pg_graphql is 'GraphQL'",
        "drop extension pg_graphql",
    ],
)
def test_statement_on_an_extension_that_was_left_out_is_left_out(server: Server, statement: str) -> None:
    if server.has("pg_graphql"):
        pytest.skip(f"Postgres {server.version} has pg_graphql")
    with server.after("", "migration") as (_, run):
        run(statement)
    with pytest.raises(UserError), server.after("", "migration") as (_, run):
        run(statement.replace("pg_graphql", "unheard_of"))
