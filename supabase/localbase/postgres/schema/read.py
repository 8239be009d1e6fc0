"""Reads a database's catalog into a schema model, all from one snapshot."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import psycopg
from psycopg.rows import dict_row

from localbase.postgres.schema import definition_queries as definitions
from localbase.postgres.schema import queries
from localbase.postgres.schema import read_definitions as reads
from localbase.postgres.schema import read_relations as relations
from localbase.postgres.schema.model import Key, Privilege, SchemaModel
from localbase.postgres.schema.rows import NEWER_RIGHT, Objects, Place
from localbase.postgres.schema.scope import ATTACHED_SCHEMAS, PLATFORM_EXTENSIONS, chosen_schemas


def read_model(connection: psycopg.Connection[Any], schemas: Sequence[str] = ()) -> SchemaModel:
    """The schema of the connected database: of `schemas`, or of all that are not the platform's."""
    alone = connection.info.transaction_status == psycopg.pq.TransactionStatus.IDLE
    # Rolled back, for the settings: within a transaction of the caller's they would outlive the reading.
    with connection.transaction(force_rollback=True), connection.cursor(row_factory=dict_row) as cursor:
        if alone:
            cursor.execute("set transaction isolation level repeatable read, read only")
        cursor.execute("select set_config('search_path', '', true)")
        return _Reader(cursor, schemas).read()


class _Reader:
    def __init__(self, cursor: psycopg.Cursor[dict[str, Any]], schemas: Sequence[str]) -> None:
        self._cursor = cursor
        rows = cursor.execute(queries.NAMESPACES).fetchall()
        names = {row["nspname"]: row["oid"] for row in rows}
        chosen = chosen_schemas(names, schemas)
        attached = [names[name] for name in ATTACHED_SCHEMAS - chosen if name in names and not schemas]
        self._scope = {"namespaces": [names[name] for name in sorted(chosen)], "attached": attached}
        self._platform = frozenset(oid for name, oid in names.items() if name not in chosen)
        self._whole = not schemas
        members = cursor.execute(definitions.EXTENSION_MEMBERS).fetchall()
        self._members = {(row["classid"], row["objid"], 0): row["refobjid"] for row in members}
        self._objects = Objects()

    def read(self) -> SchemaModel:
        objects = self._objects
        reads.add_schemas(objects, self._rows(queries.SCHEMAS))
        reads.add_types(objects, self._rows(definitions.TYPES))
        relations.add_tables(objects, self._rows(queries.TABLES))
        relations.add_columns(objects, self._rows(queries.COLUMNS))
        relations.add_constraints(objects, self._rows(queries.CONSTRAINTS))
        relations.add_views(objects, self._rows(queries.VIEWS))
        relations.add_indexes(objects, self._rows(queries.INDEXES))
        relations.add_sequences(objects, self._rows(queries.SEQUENCES))
        reads.add_functions(objects, self._rows(definitions.FUNCTIONS))
        reads.add_triggers(objects, self._rows(definitions.TRIGGERS), self._platform)
        reads.add_attached(objects, "policy", self._rows(definitions.POLICIES))
        reads.add_attached(objects, "rule", self._rows(definitions.RULES))
        reads.add_plain(objects, "statistics", self._rows(definitions.STATISTICS))
        reads.add_plain(objects, "event trigger", self._rows(definitions.EVENT_TRIGGERS))
        reads.add_publications(
            objects, self._rows(definitions.PUBLICATIONS), self._rows(definitions.PUBLICATION_MEMBERS)
        )
        if self._whole:
            reads.add_extensions(objects, self._rows(definitions.EXTENSIONS), PLATFORM_EXTENSIONS)
            reads.add_plain(objects, "server", self._rows(definitions.SERVERS))
        self._relate()
        depends = {
            key: frozenset(needs - {key}) & objects.objects.keys() for key, needs in objects.depends.items()
        }
        return SchemaModel(objects.objects, depends, self._default_access(), self._uncovered())

    def _rows(self, query: str) -> list[dict[str, Any]]:
        rows = self._cursor.execute(query.encode(), self._scope).fetchall()
        return [row for row in rows if (row["class"], row["oid"], 0) not in self._members]

    def _relate(self) -> None:
        """Return what pg_depend says, between the objects that have been read."""
        places = self._objects.places
        extensions: dict[Place, Key] = {
            member: places["pg_extension", oid, 0]
            for member, oid in self._members.items()
            if ("pg_extension", oid, 0) in places
        }
        for row in self._cursor.execute(definitions.DEPENDENCIES).fetchall():
            dependent = _lookup(places, row["classid"], row["objid"], row["objsubid"])
            needed = _lookup(
                places, row["refclassid"], row["refobjid"], row["refobjsubid"]
            ) or extensions.get((row["refclassid"], row["refobjid"], 0))
            if dependent is None or needed is None or dependent == needed:
                continue
            if dependent.kind == "sequence" and needed.kind == "column":
                continue  # that the sequence goes with the column is an object of its own
            item = self._objects.objects[needed]
            if item.parent != dependent:
                self._objects.depends[dependent].add(needed)

    def _default_access(self) -> dict[tuple[str, str, str], frozenset[Privilege]]:
        rows = self._cursor.execute(definitions.DEFAULT_ACCESS.encode(), self._scope).fetchall()
        return {
            (row["role"], row["schema"], row["type"]): frozenset(
                Privilege(role, name, grantable)
                for role, name, grantable in row["access"]
                if name != NEWER_RIGHT
            )
            for row in rows
            if self._whole or row["schema"]
        }

    def _uncovered(self) -> tuple[str, ...]:
        rows = self._cursor.execute(definitions.UNCOVERED.encode(), self._scope).fetchall()
        return tuple(next(iter(row.values())) for row in rows)


def _lookup(places: dict[Place, Key], catalog: str, oid: int, part: int) -> Key | None:
    """The object at pg_depend's address. A column that has no object of its own stands for its relation."""
    return places.get((catalog, oid, part)) or places.get((catalog, oid, 0))
