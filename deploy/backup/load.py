"""The database's part of a restore: all rows in one transaction, compared with the backup before it commits."""

from __future__ import annotations

import gzip
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any, LiteralString

import psycopg
from psycopg import sql

from deploy.backup.manifest import Manifest, StoredTable
from deploy.backup.rows import rows_digest
from deploy.backup.tables import Database, Table, applied_migrations, read_alike, saved_tables, sign_in_tables
from deploy.errors import CommandError

_PIECE = 1 << 18
# filled from the printer before a shop opens, or by migrations
_CATALOG = ("public.product_variants",)
_CONSTRAINTS_OFF: LiteralString = "set local session_replication_role to replica"


def check_schema(database: Database, manifest: Manifest) -> dict[str, Table]:
    """The project's tables by name. Raises `CommandError` where its migrations or columns are not the backup's."""
    applied = applied_migrations(database)
    if missing := sorted(set(manifest.migrations) - set(applied)):
        raise CommandError(
            f"The backup needs migrations that this project lacks: {', '.join(missing)}. "
            "Apply them first (docs/deploy.md, step 2)."
        )
    if newer := sorted(set(applied) - set(manifest.migrations)):
        raise CommandError(
            f"This project has migrations that the backup does not know: {', '.join(newer)}. "
            "Restore into a project with the backup's migrations, and apply these afterwards."
        )
    tables = {table.full_name: table for table in saved_tables(database)}
    for stored in manifest.tables:
        full_name = f"{stored.schema}.{stored.name}"
        table = tables.get(full_name)
        lacking = sorted(set(stored.columns) - set(table.columns)) if table else ["the whole table"]
        # an empty table of another version of Auth is no loss
        if lacking and stored.rows:
            raise CommandError(f"This project's {full_name} lacks {', '.join(lacking)}.")
    return tables


def check_role(database: Database) -> None:
    """Raises `CommandError` where triggers and foreign keys cannot be passed by."""
    try:
        with database.transaction():
            database.execute(_CONSTRAINTS_OFF)
    except psycopg.errors.InsufficientPrivilege as error:
        raise CommandError(
            "SUPABASE_DB_URL's role may not load rows past the triggers. As the database's superuser: "
            "`grant set on parameter session_replication_role to postgres`."
        ) from error


def present_rows(database: Database, tables: Iterable[Table]) -> dict[str, int]:
    """Numbers of rows that a restore would end: people, and all that they and the shop have made."""
    counts = {}
    for table in tables:
        if table.full_name == "auth.users" or (table.schema == "public" and table.full_name not in _CATALOG):
            row = database.execute(sql.SQL("select count(*) from {}").format(table.identifier)).fetchone()
            if row and row[0]:
                counts[table.full_name] = int(row[0])
    return counts


class Load:
    """One restore. Nothing that is visible changes before `run` has compared everything and commits."""

    def __init__(
        self, database: Database, folder: Path, manifest: Manifest, tables: dict[str, Table]
    ) -> None:
        self._database = database
        self._folder = folder
        self._manifest = manifest
        self._tables = tables

    def run(self, before_commit: Callable[[Database], None], say: Callable[[str], None]) -> None:
        """Raises `CommandError` or `psycopg.Error`, with the database as it was."""
        emptied = [*self._tables.values(), *sign_in_tables(self._database)]
        with self._database.transaction():
            read_alike(self._database)
            self._database.execute(_CONSTRAINTS_OFF)
            self._database.execute("set local lock_timeout to '60s'")
            names = sql.SQL(", ").join(table.identifier for table in emptied)
            # readers go on; who writes waits, and would write into the restored shop
            self._database.execute(sql.SQL("lock table {} in exclusive mode").format(names))
            for table in emptied:
                self._database.execute(sql.SQL("delete from {}").format(table.identifier))
            for stored in self._manifest.tables:
                if stored.rows:
                    self._fill(stored)
            for name, (last, called) in self._manifest.sequences.items():
                self._database.execute("select setval(%s::regclass, %s, %s)", [name, last, called])
            say(f"{sum(stored.rows for stored in self._manifest.tables)} rows are loaded")
            self._compare()
            say("every table is as in the backup")
            before_commit(self._database)

    def _fill(self, stored: StoredTable) -> None:
        table = self._tables[f"{stored.schema}.{stored.name}"]
        with (
            gzip.open(self._folder / stored.file.path) as packed,
            self._database.cursor() as cursor,
            cursor.copy(table.copy_in(stored.columns)) as copy,
        ):
            while piece := packed.read(_PIECE):
                copy.write(piece)

    def _compare(self) -> None:
        for stored in self._manifest.tables:
            if not stored.rows:
                continue
            table = self._tables[f"{stored.schema}.{stored.name}"]
            digest = rows_digest(self._database, table, stored.columns)
            if digest != (stored.rows, stored.rows_sha256):
                raise CommandError(
                    f"{table.full_name} came out otherwise: {digest[0]} rows, {stored.rows} in the backup. "
                    "Nothing was changed."
                )


def wrong_totals(database: Database) -> list[str]:
    """Kinds of totals that differ from their rows, as they did when the backup was made."""
    rows: list[Any] = database.execute(
        "select c.kind, count(*) from private.total_checks c, private.wrong_totals(c.kind) group by 1 order by 1"
    ).fetchall()
    return [f"{kind} ({number})" for kind, number in rows]
