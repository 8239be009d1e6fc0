"""The database's part of a backup: all rows as they were at one moment, each table a packed file of COPY's text."""

from __future__ import annotations

import gzip
import hashlib
import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import LiteralString

import psycopg
from psycopg import sql

from deploy.backup.manifest import StoredBucket, StoredTable, describe_file
from deploy.backup.tables import (
    Database,
    Table,
    applied_migrations,
    connect,
    read_alike,
    saved_tables,
    sequences,
)
from deploy.errors import CommandError

LISTING = "listing.jsonl"
_OBJECTS: LiteralString = """
select json_build_object('bucket', bucket_id, 'name', name, 'id', id::text, 'version', coalesce(version, ''),
  'updated_at', coalesce(updated_at::text, ''), 'owner', owner::text, 'owner_id', owner_id,
  'created_at', created_at::text, 'user_metadata', user_metadata)::text
from storage.objects order by bucket_id collate "C", name collate "C"
"""


@dataclass(frozen=True)
class SavedRows:
    server_version: int
    migrations: tuple[str, ...]
    tables: tuple[StoredTable, ...]
    sequences: dict[str, tuple[int, bool]]
    buckets: tuple[StoredBucket, ...]


def save_rows(url: str, folder: Path, say: Callable[[str], None]) -> SavedRows:
    """Writes `rows/` and the list of objects, all in one snapshot: what was written meanwhile is in none of them."""
    try:
        with connect(url) as database:
            database.set_isolation_level(psycopg.IsolationLevel.REPEATABLE_READ)
            database.set_read_only(True)
            read_alike(database)
            migrations = tuple(applied_migrations(database))
            if not migrations:
                raise CommandError("This project has no migrations: there is no shop to back up.")
            (folder / "rows").mkdir(exist_ok=True)
            tables = saved_tables(database)
            stored = tuple(_save_table(database, table, folder) for table in tables)
            say(f"{sum(table.rows for table in stored)} rows of {len(stored)} tables")
            _save_listing(database, folder / LISTING)
            return SavedRows(
                database.info.server_version,
                migrations,
                stored,
                {name: _position(database, name) for name in sequences(database, tables)},
                _buckets(database),
            )
    except psycopg.Error as error:
        raise CommandError(f"The database refused the backup: {str(error).strip()}") from error


def rows_digest(
    database: Database,
    table: Table,
    columns: tuple[str, ...],
    write: Callable[[bytes | bytearray | memoryview], object] | None = None,
) -> tuple[int, str]:
    """Number and SHA-256 of the rows as COPY writes them; each piece goes to `write` too."""
    digest, rows = hashlib.sha256(), 0
    with database.cursor() as cursor, cursor.copy(table.copy_out(columns)) as copy:
        for piece in copy:
            digest.update(piece)
            rows += bytes(piece).count(b"\n")  # line ends inside values are escaped
            if write is not None:
                write(piece)
    return rows, digest.hexdigest()


def _save_table(database: Database, table: Table, folder: Path) -> StoredTable:
    path = folder / "rows" / f"{table.full_name}.copy.gz"
    with path.open("wb") as file, gzip.GzipFile("", "wb", 6, file, mtime=0) as packed:
        rows, digest = rows_digest(database, table, table.columns, packed.write)
    return StoredTable(table.schema, table.name, table.columns, rows, digest, describe_file(folder, path))


def _save_listing(database: Database, path: Path) -> None:
    with path.open("w", encoding="utf-8") as out, database.cursor("objects") as cursor:
        for (line,) in cursor.execute(_OBJECTS):
            out.write(json.dumps(json.loads(line)) + "\n")


def _position(database: Database, sequence: str) -> tuple[int, bool]:
    name = sql.SQL("select last_value, is_called from {}").format(
        sql.Identifier(*(part.strip('"') for part in sequence.split(".")))
    )
    row = database.execute(name).fetchone()
    if row is None:
        raise CommandError(f"The sequence {sequence} cannot be read.")
    return int(row[0]), bool(row[1])


def _buckets(database: Database) -> tuple[StoredBucket, ...]:
    rows = database.execute(
        "select id, coalesce(public, false), file_size_limit, allowed_mime_types from storage.buckets "
        'order by id collate "C"'
    )
    return tuple(
        StoredBucket(name, public, limit, None if types is None else tuple(types))
        for name, public, limit, types in rows
    )
