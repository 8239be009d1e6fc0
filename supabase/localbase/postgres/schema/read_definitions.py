"""Types, routines, triggers and policies out of the catalog's rows."""

from __future__ import annotations

from collections.abc import Sequence

from localbase.postgres.schema.model import Key, Kind, SchemaObject
from localbase.postgres.schema.routines import Function, Publication, PublicationMember, Trigger
from localbase.postgres.schema.rows import Objects, Row, access_of, comment_of, place
from localbase.postgres.schema.types import Composite, CustomType, Domain, Enum


def add_schemas(objects: Objects, rows: Sequence[Row]) -> None:
    """Schemas, of which `public` is always there already."""
    for row in rows:
        address = f"schema {row['name']}"
        item = SchemaObject(
            key=Key("schema", "", row["name"]),
            address=address,
            definition=f"create schema {row['name']}",
            comments=comment_of(row, address),
            access=access_of(row, address, "n"),
        )
        objects.add(item, place(row))


def add_types(objects: Objects, rows: Sequence[Row]) -> None:
    """Enumerations, domains, composite types and ranges."""
    for row in rows:
        item = _type(row)
        places = [place(row), ("pg_type", row["array_oid"], 0)]
        if row["relation_oid"]:
            places.append(("pg_class", row["relation_oid"], 0))
        if row["multirange_oid"]:
            places.append(("pg_type", row["multirange_oid"], 0))
        places += [("pg_constraint", oid, 0) for oid in row["constraint_oids"]]
        objects.add(item, *places)


def _type(row: Row) -> CustomType:
    key = Key("type", row["schema"], row["name"])
    address = f"{'domain' if row['kind'] == 'd' else 'type'} {key.address}"
    comments, access = comment_of(row, address), access_of(row, f"type {key.address}", "T")
    if row["kind"] == "e":
        return Enum(key=key, address=address, comments=comments, access=access, labels=tuple(row["labels"]))
    if row["kind"] == "d":
        return Domain(
            key=key,
            address=address,
            comments=comments,
            access=access,
            base=row["base"],
            collation=row["collation"] or "",
            default=row["default"] or "",
            not_null=row["not_null"],
            checks=dict(row["checks"]),
        )
    if row["kind"] == "c":
        attributes = tuple((name, type_name) for name, type_name in row["attributes"])
        return Composite(key=key, address=address, comments=comments, access=access, attributes=attributes)
    return CustomType(key=key, address=address, comments=comments, access=access, definition=row["range"])


def add_functions(objects: Objects, rows: Sequence[Row]) -> None:
    """Functions, procedures and aggregates."""
    words = {"f": "function", "w": "function", "p": "procedure", "a": "aggregate"}
    for row in rows:
        key = Key("function", row["schema"], row["name"])
        # An aggregate without parameters is called with a star.
        name = key.address.removesuffix("()") + "(*)" if _starred(row) else key.address
        address = f"{words[row['kind']]} {name}"
        target = f"{'procedure' if row['kind'] == 'p' else 'function'} {key.address}"
        item = Function(
            key=key,
            address=address,
            definition=row["definition"].rstrip(),
            comments=comment_of(row, address),
            access=access_of(row, target, "f"),
            kind=row["kind"],
            result=row["result"],
            parameters=tuple(row["parameters"]),
            defaults=row["defaults"],
        )
        objects.add(item, place(row))


def _starred(row: Row) -> bool:
    return bool(row["kind"] == "a" and row["name"].endswith("()"))


def add_triggers(objects: Objects, rows: Sequence[Row], platform: frozenset[int]) -> None:
    """Triggers; in the platform's schemas, those that call a function of the project's."""
    for row in rows:
        if row["namespace"] in platform and row["function_namespace"] in platform:
            continue
        key = Key("trigger", row["schema"], row["relation"], row["name"])
        address = f"trigger {row['name']} on {key.address}"
        item = Trigger(
            key=key,
            address=address,
            definition=row["definition"],
            parent=_relation(objects, row),
            comments=comment_of(row, address),
            inherited=row["inherited"],
            name=row["name"],
            state=row["state"],
        )
        objects.add(item, place(row))


def add_attached(objects: Objects, kind: Kind, rows: Sequence[Row]) -> None:
    """Policies and rules: a name, a relation, a definition."""
    for row in rows:
        key = Key(kind, row["schema"], row["relation"], row["name"])
        address = f"{kind} {row['name']} on {key.address}"
        item = SchemaObject(
            key=key,
            address=address,
            definition=row["definition"],
            parent=_relation(objects, row),
            comments=comment_of(row, address),
        )
        objects.add(item, place(row))


def add_extensions(objects: Objects, rows: Sequence[Row], ignored: frozenset[str]) -> None:
    """Extensions that a project has chosen."""
    for row in rows:
        if row["name"] in ignored:
            continue
        schema = row["schema"]
        needs = tuple(key for key in [Key("schema", "", schema)] if key in objects.objects)
        # An extension such as pg_cron has a schema of its own, which it makes itself.
        within = "" if schema in (row["name"], "pg_catalog") else f" with schema {schema}"
        item = SchemaObject(
            key=Key("extension", "", row["name"]),
            address=f"extension {row['name']}",
            definition=f"create extension if not exists {row['name']}{within}",
        )
        objects.add(item, place(row), needs=needs)


def add_publications(objects: Objects, rows: Sequence[Row], members: Sequence[Row]) -> None:
    """Publications, and the tables and schemas in them."""
    for row in rows:
        address = f"publication {row['name']}"
        item = Publication(
            key=Key("publication", "", row["name"]),
            address=address,
            comments=comment_of(row, address),
            all_tables=row["all_tables"],
            options=row["options"],
        )
        objects.add(item, place(row))
    for row in members:
        publication = Key("publication", "", row["publication"])
        if publication not in objects.objects:
            continue
        relation = objects.places.get(("pg_class", row["relation_oid"] or 0, 0))
        member = PublicationMember(
            key=Key("publication member", row["schema"], row["relation"] or "", row["publication"]),
            address=row["member"],
            definition=row["definition"],
            parent=relation or publication,
            publication=row["publication"],
            member=row["member"],
        )
        objects.add(member, place(row), needs=(publication,))


def add_plain(objects: Objects, kind: Kind, rows: Sequence[Row]) -> None:
    """Servers, extended statistics and event triggers."""
    for row in rows:
        key = Key(kind, row.get("schema", ""), row["name"])
        address = f"{kind} {key.address}"
        item = SchemaObject(
            key=key, address=address, definition=row["definition"], comments=comment_of(row, address)
        )
        objects.add(item, place(row))


def _relation(objects: Objects, row: Row) -> Key | None:
    table = Key("table", row["schema"], row["relation"])
    view = Key("view", row["schema"], row["relation"])
    return table if table in objects.objects else view if view in objects.objects else None
