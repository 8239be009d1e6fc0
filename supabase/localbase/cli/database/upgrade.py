"""The database of another version of localbase, made anew on this version's platform with all that was in it.

The platform's schemas come from this version's own files, as in a new database. What is the project's (its schemas with
their data, its roles, its triggers and policies on the platform's tables) comes by `pg_dump` and `pg_restore`, and rows
of the platform's tables by COPY, in the columns that both have. The old database is only read.
"""

from __future__ import annotations

import itertools
import os
import re
import shutil
import subprocess
import tempfile
from collections.abc import Collection, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from localbase.cli.data.cluster_template import make_cluster
from localbase.cli.data.copies import copy_data
from localbase.cli.data.exchange import DataSwap
from localbase.cli.data.snapshot_store import SnapshotStore, save_copy
from localbase.cli.data.temporary_server import server_apart
from localbase.cli.terminal import Progress
from localbase.core.errors import UserError
from localbase.postgres import migrate
from localbase.postgres.cluster import OWN_FOLDER, PASSWORD, VAULT_KEY, Cluster
from localbase.postgres.database_settings import NOT_EXPOSED
from localbase.postgres.platform_version import note_version, this_version
from localbase.postgres.schema.scope import PLATFORM_SCHEMAS

if TYPE_CHECKING:
    import psycopg

    from localbase.postgres.schema.model import SchemaModel

# Rows there are of the moment (messages, requests, statistics), or the platform's own notes.
_TRANSIENT = frozenset({"_localbase", "_realtime", "extensions", "information_schema", "net", "realtime"})
# Its tables are made by calls of its functions, and are the project's.
_QUEUES = "pgmq"
_NOTES = [migrate.ROLES, NOT_EXPOSED]
_PROJECTS_ROLE = "postgres"
_HAS_EVENT_TRIGGERS_SETTING = 17
# What `pg_restore --list` calls an object, where the words are more than one.
_KINDS = (
    *("ACCESS METHOD", "CHECK CONSTRAINT", "DATABASE PROPERTIES", "DEFAULT ACL", "EVENT TRIGGER"),
    *(
        "FK CONSTRAINT",
        "FOREIGN DATA WRAPPER",
        "FOREIGN SERVER",
        "FOREIGN TABLE",
        "INDEX ATTACH",
        "LARGE OBJECT",
    ),
    *(
        "MATERIALIZED VIEW DATA",
        "MATERIALIZED VIEW",
        "OPERATOR CLASS",
        "OPERATOR FAMILY",
        "PROCEDURAL LANGUAGE",
    ),
    *("PUBLICATION TABLES IN SCHEMA", "PUBLICATION TABLE", "ROW SECURITY", "SECURITY LABEL"),
    *(
        "SEQUENCE OWNED BY",
        "SEQUENCE SET",
        "SHELL TYPE",
        "STATISTICS DATA",
        "SUBSCRIPTION TABLE",
        "TABLE ATTACH",
    ),
    *("TABLE DATA", "TEXT SEARCH CONFIGURATION", "TEXT SEARCH DICTIONARY", "TEXT SEARCH PARSER"),
    *("TEXT SEARCH TEMPLATE", "USER MAPPING"),
)
_ENTRY = re.compile(rf"\d+; \d+ \d+ ({'|'.join(_KINDS)}|[A-Z]+) (\S+) (.+)")

_TABLES = """
select n.nspname, c.relname, array_agg(a.attname::text order by a.attnum)
from pg_catalog.pg_class c
join pg_catalog.pg_namespace n on n.oid = c.relnamespace
join pg_catalog.pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
where c.relkind in ('r', 'p') and not c.relispartition and n.nspname = any(%s)
group by 1, 2
order by 1, 2
"""
_SEQUENCES = (
    "select schemaname, sequencename, last_value from pg_catalog.pg_sequences where schemaname = any(%s)"
)
# Triggers of the platform's own functions, on its tables and on the database.
_OWN_TRIGGERS = """
select n.nspname, c.relname || ' ' || t.tgname
from pg_catalog.pg_trigger t
join pg_catalog.pg_class c on c.oid = t.tgrelid
join pg_catalog.pg_namespace n on n.oid = c.relnamespace
join pg_catalog.pg_proc p on p.oid = t.tgfoid
join pg_catalog.pg_namespace f on f.oid = p.pronamespace
where n.nspname = any(%(schemas)s) and f.nspname = any(%(schemas)s)
union all
select '-', e.evtname
from pg_catalog.pg_event_trigger e
join pg_catalog.pg_proc p on p.oid = e.evtfoid
join pg_catalog.pg_namespace f on f.oid = p.pronamespace
where f.nspname = any(%(schemas)s)
"""
_SETTINGS = """
select r.rolname, s.setconfig from pg_catalog.pg_db_role_setting s left join pg_catalog.pg_roles r on r.oid = s.setrole
where s.setdatabase = (select oid from pg_catalog.pg_database where datname = current_database())
"""

Entry = tuple[str, str, str]
"""Kind, schema ("-" for none) and the rest of a line of `pg_restore --list`: name and owner."""


def upgrade(cluster: Cluster, store: SnapshotStore, swap: DataSwap) -> None:
    """Brings the data of another version to this one; as it was, it stays in a snapshot. No server may run on it."""
    progress, name = Progress(), _free_name(store)
    with progress.step("bringing the data to this version"):
        fresh = upgraded(cluster, swap.new_folder(os.getpid()))
    with progress.step(f"keeping it as it was: snapshot {name}"):
        store.prepare()
        save_copy(store, name, cluster, lambda folder: copy_data(swap, folder))
    swap.apply_database(fresh)
    swap.discard_old()


def _free_name(store: SnapshotStore) -> str:
    wanted = f"before-{this_version()}"
    names = itertools.chain([wanted], (f"{wanted}-{number}" for number in itertools.count(2)))
    return next(name for name in names if not store.exists(name))


def upgraded(old: Cluster, folder: Path) -> Path:
    """Makes a database of this version in `folder`, with what is in `old`, on which no server runs.

    What fails leaves nothing, and the old one as it was.
    """
    import psycopg

    made = old.at(folder)
    try:
        old.install_extensions()
        make_cluster(made)
        # Without it the vault's secrets could not be read again.
        made.write_own(VAULT_KEY, (old.data / OWN_FOLDER / VAULT_KEY).read_bytes())
        with (
            server_apart(old) as source,
            server_apart(made) as target,
            tempfile.TemporaryDirectory(prefix="localbase-") as work,
        ):
            migrate.bootstrap_platform(target)
            try:
                _Transfer(made, source, target, Path(work)).run()
            except psycopg.Error as error:
                raise _failed(str(error)) from error
        note_version(made)
    except BaseException:
        shutil.rmtree(folder, ignore_errors=True)
        raise
    return folder


class _Transfer:
    def __init__(
        self, cluster: Cluster, source: psycopg.Connection, target: psycopg.Connection, work: Path
    ) -> None:
        self._cluster = cluster
        self._source = source
        self._target = target
        self._work = work
        rows = source.execute(_OWN_TRIGGERS, {"schemas": sorted(PLATFORM_SCHEMAS)}).fetchall()
        self._own_triggers = {(schema, name) for schema, name in rows}

    def run(self) -> None:
        """Everything: what is needed by others first, triggers and keys last."""
        dump, fresh, chosen = (str(self._work / name) for name in ("old", "new", "list"))
        self._program(self._source, "pg_dump", "--format=custom", "--compress=0", f"--file={dump}")
        self._program(self._target, "pg_dump", "--format=custom", "--schema-only", f"--file={fresh}")
        present = {entry for line in self._list(fresh) if (entry := _entry(line))}
        lines = [line for line in self._list(dump) if self._is_wanted(line, present)]
        Path(chosen).write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
        self._roles()
        restore = ("pg_restore", "--exit-on-error", f"--use-list={chosen}", "--dbname=postgres")
        self._program(self._target, *restore, "--section=pre-data", "--section=data", dump)
        self._platform_rows()
        # An event trigger may belong to a superuser only. Nobody else is connected here.
        self._target.execute("alter role postgres superuser")
        self._program(self._target, *restore, "--section=post-data", dump)
        self._target.execute("alter role postgres nosuperuser")
        self._settings()
        self._align()

    def _list(self, dump: str) -> list[str]:
        return self._program(self._source, "pg_restore", "--list", dump).splitlines()

    def _is_wanted(self, line: str, present: Collection[Entry]) -> bool:
        entry = _entry(line)
        if entry is None or entry in present:
            return False
        kind, schema, rest = entry
        if schema == "-":
            return self._is_of_project(kind, rest, present)
        if schema not in PLATFORM_SCHEMAS or schema == _QUEUES:
            return True
        if kind in ("TRIGGER", "POLICY"):
            return (schema, _name(rest)) not in self._own_triggers
        return rest.endswith(f" {_PROJECTS_ROLE}")

    def _is_of_project(self, kind: str, rest: str, present: Collection[Entry]) -> bool:
        """Tell so for what lies in no schema: schemas, extensions, publications, and rights and comments on them."""
        name = _name(rest)
        # Of `ACL - SCHEMA extensions postgres` the kind is its object's.
        about = name if kind in ("ACL", "COMMENT") else f"{kind} {name}"
        if about.startswith("EVENT TRIGGER "):
            return ("-", about.removeprefix("EVENT TRIGGER ")) not in self._own_triggers
        if kind in ("ACL", "COMMENT") and about.removeprefix("SCHEMA ") in PLATFORM_SCHEMAS:
            return False
        return all(about != f"{had} {_name(words)}" for had, place, words in present if place == "-")

    def _roles(self) -> None:
        """The project's roles with their memberships, settings of the platform's, and what was noted of both."""
        from localbase.cli.database.pg_dump import portable_roles, role_grants

        script = self._program(self._source, "pg_dumpall", "--roles-only")
        for statement in (*portable_roles(script), *role_grants(script)):
            self._target.execute(statement.encode())
        noted = self._source.execute("select name from _localbase.platform where name = any(%s)", [_NOTES])
        for row in noted.fetchall():
            self._target.execute("insert into _localbase.platform values (%s)", row)

    def _platform_rows(self) -> None:
        """Rows of the platform's tables. What the platform itself has put into a new database stays as it is."""
        schemas = sorted(PLATFORM_SCHEMAS - _TRANSIENT)
        columns = {(schema, name): names for schema, name, names in self._target.execute(_TABLES, [schemas])}
        with self._target.transaction():
            self._target.execute("set local session_replication_role = replica")
            for schema, name, old in self._source.execute(_TABLES, [schemas]).fetchall():
                both = [column for column in old if column in columns.get((schema, name), ())]
                if both and not self._has_rows(schema, name):
                    self._copy(schema, name, both)
            sequences = {(schema, name) for schema, name, _ in self._target.execute(_SEQUENCES, [schemas])}
            for schema, name, value in self._source.execute(_SEQUENCES, [schemas]).fetchall():
                if value is not None and (schema, name) in sequences:
                    self._target.execute(
                        "select setval(format('%%I.%%I', %s::text, %s::text), %s)", [schema, name, value]
                    )

    def _has_rows(self, schema: str, name: str) -> bool:
        from psycopg import sql

        query = sql.SQL("select exists (select from {})").format(sql.Identifier(schema, name))
        row = self._target.execute(query).fetchone()
        return bool(row and row[0])

    def _copy(self, schema: str, name: str, columns: Sequence[str]) -> None:
        from psycopg import sql

        table = sql.Identifier(schema, name)
        listed = sql.SQL(", ").join(map(sql.Identifier, columns))
        read = sql.SQL("copy (select {} from {}) to stdout").format(listed, table)
        write = sql.SQL("copy {} ({}) from stdin").format(table, listed)
        with self._source.cursor().copy(read) as rows, self._target.cursor().copy(write) as copied:
            for row in rows:
                copied.write(row)

    def _settings(self) -> None:
        """`alter database … set`, and a role's settings in this database."""
        from psycopg import sql

        for role, values in self._source.execute(_SETTINGS).fetchall():
            on = sql.SQL("alter role {} in database postgres").format(sql.Identifier(role)) if role else None
            for setting in values:
                name, _, value = setting.partition("=")
                self._target.execute(
                    sql.SQL("{} set {} to {}").format(
                        on or sql.SQL("alter database postgres"), sql.Identifier(name), sql.Literal(value)
                    )
                )

    def _align(self) -> None:
        """Makes equal what a restore cannot take away: rights that a new database gives, and the project's does not."""
        from localbase.postgres.schema.difference import difference

        for statement in difference(_of_project(self._target), _of_project(self._source)):
            self._target.execute(statement.sql.encode())

    def _program(self, connection: psycopg.Connection, program: str, *arguments: str) -> str:
        environ = {name: value for name, value in os.environ.items() if not name.startswith("PG")}
        info = connection.info
        environ |= {
            "PGHOST": info.host,
            "PGPORT": str(info.port),
            "PGUSER": info.user,
            "PGPASSWORD": PASSWORD,
        }
        environ["PGDATABASE"] = info.dbname
        if self._cluster.binaries.major >= _HAS_EVENT_TRIGGERS_SETTING:
            environ["PGOPTIONS"] = "-c event_triggers=off"
        command = [self._cluster.binaries.path(program), *arguments]
        done = subprocess.run(
            command, env=environ, cwd="/", capture_output=True, text=True, encoding="utf-8", check=False
        )
        if done.returncode:
            raise _failed(done.stderr.strip())
        return done.stdout


def _of_project(connection: psycopg.Connection) -> SchemaModel:
    """The project's part of a schema. Default rights of the platform's roles are the platform's."""
    from localbase.postgres.schema.read import read_model

    model = read_model(connection)
    rights = {key: value for key, value in model.default_access.items() if not key[0].startswith("supabase_")}
    return replace(model, default_access=rights)


def _failed(why: str) -> UserError:
    return UserError(
        f"The data of another version of localbase could not be brought to this one:\n{why}",
        "It is untouched: start it with that version, or make it anew, without the data: `supabase db reset`.",
    )


def _name(words: str) -> str:
    """The name without the owner behind it, where there is one."""
    return words.rpartition(" ")[0] or words


def _entry(line: str) -> Entry | None:
    found = _ENTRY.fullmatch(line)
    return (found[1], found[2], found[3]) if found else None
