"""Tables, columns, constraints, indexes, views and sequences out of the catalog's rows."""

from __future__ import annotations

from collections.abc import Sequence

from localbase.postgres.schema.model import Key
from localbase.postgres.schema.routines import Index, View
from localbase.postgres.schema.rows import Objects, Row, access_of, comment_of, place
from localbase.postgres.schema.tables import Column, Constraint, Default, Table
from localbase.postgres.schema.types import NumberSequence, SequenceOwner


def add_tables(objects: Objects, rows: Sequence[Row]) -> None:
    """Tables, without their columns."""
    for row in rows:
        key = Key("table", row["schema"], row["name"])
        parents = tuple(row["parents"])
        words = "foreign table" if row["kind"] == "f" else "table"
        address = f"{words} {key.address}"
        table = Table(
            key=key,
            address=address,
            comments=comment_of(row, address),
            access=access_of(row, f"table {key.address}", "r"),
            unlogged=row["unlogged"],
            partition_key=row["partition_key"],
            partition_of=parents[0] if row["bound"] else "",
            bound=row["bound"],
            inherits=() if row["bound"] else parents,
            foreign=row["foreign"] or "",
            options=row["options"],
            row_security=row["row_security"],
            forced_row_security=row["forced_row_security"],
            replica_identity=row["replica_identity"],
        )
        objects.add(table, place(row), ("pg_type", row["row_type"], 0))


def add_columns(objects: Objects, rows: Sequence[Row]) -> None:
    """Columns, and their defaults."""
    for row in rows:
        table = Key("table", row["schema"], row["relation"])
        key = Key("column", row["schema"], row["relation"], row["name"])
        expression = row["expression"]
        stored = "stored" if row["generated"] == "s" else "virtual"
        address = f"column {key.address}.{row['name']}"
        column = Column(
            key=key,
            address=address,
            parent=table,
            comments=comment_of(row, address),
            inherited=row["inherited"],
            name=row["name"],
            type=row["type"],
            collation=row["collation"] or "",
            not_null=row["not_null"],
            generated=f"({expression}) {stored}" if row["generated"] else "",
            identity=row["identity"],
            identity_options=row["sequence_options"] if row["identity"] else "",
            identity_sequence=row["sequence"] if row["identity"] else "",
            foreign_options=row["foreign_options"] or "",
        )
        places = [("pg_class", row["oid"], row["position"])]
        if row["sequence_oid"]:
            places.append(("pg_class", row["sequence_oid"], 0))
        if row["default_oid"] and row["generated"]:
            places.append(("pg_attrdef", row["default_oid"], 0))
        objects.add(column, *places)
        if row["default_oid"] and not row["generated"] and not row["inherited"]:
            default = Default(
                key=Key("default", row["schema"], row["relation"], row["name"]),
                address=address,
                parent=key,
                definition=expression,
                column=row["name"],
            )
            objects.add(default, ("pg_attrdef", row["default_oid"], 0), needs=(table,))


def add_constraints(objects: Objects, rows: Sequence[Row]) -> None:
    """Constraints; the indexes below them are theirs."""
    for row in rows:
        key = Key("constraint", row["schema"], row["relation"], row["name"])
        address = f"constraint {row['name']} on {key.address}"
        constraint = Constraint(
            key=key,
            address=address,
            parent=Key("table", row["schema"], row["relation"]),
            definition=row["definition"],
            comments=comment_of(row, address),
            inherited=row["inherited"],
            name=row["name"],
            type=row["type"],
            foreign=objects.places.get(("pg_class", row["foreign_oid"], 0)) if row["type"] == "f" else None,
        )
        places = [place(row)]
        if row["type"] != "f" and row["index_oid"]:
            places.append(("pg_class", row["index_oid"], 0))
        objects.add(constraint, *places)


def add_views(objects: Objects, rows: Sequence[Row]) -> None:
    """Views and materialised views."""
    for row in rows:
        key = Key("view", row["schema"], row["name"])
        address = f"{'materialized view' if row['materialized'] else 'view'} {key.address}"
        comments = comment_of(row, address)
        for name, _, comment in row["columns"] or ():
            if comment is not None:
                comments[f"column {key.address}.{name}"] = comment
        view = View(
            key=key,
            address=address,
            definition=row["definition"],
            comments=comments,
            access=access_of(row, f"table {key.address}", "r"),
            materialized=row["materialized"],
            columns=tuple((name, type_name) for name, type_name, _ in row["columns"] or ()),
            options=row["options"],
        )
        objects.add(view, place(row), ("pg_type", row["row_type"], 0), ("pg_rewrite", row["rule_oid"], 0))


def add_indexes(objects: Objects, rows: Sequence[Row]) -> None:
    """Indexes that belong to no constraint."""
    for row in rows:
        address = f"index {row['schema']}.{row['name']}"
        table = Key("table", row["schema"], row["relation"])
        parent = table if table in objects.objects else Key("view", row["schema"], row["relation"])
        index = Index(
            key=Key("index", row["schema"], row["relation"], row["name"]),
            address=address,
            parent=parent,
            definition=row["definition"],
            comments=comment_of(row, address),
            inherited=row["inherited"],
        )
        objects.add(index, place(row))


def add_sequences(objects: Objects, rows: Sequence[Row]) -> None:
    """Sequences, and the columns that they go with."""
    for row in rows:
        key = Key("sequence", row["schema"], row["name"])
        address = f"sequence {key.address}"
        owner = objects.places.get(("pg_class", row["owner_oid"] or 0, row["owner_position"] or 0))
        options = (
            f"as {row['type']}",
            f"start with {row['start']}",
            f"increment by {row['increment']}",
            f"minvalue {row['minimum']}",
            f"maxvalue {row['maximum']}",
            f"cache {row['cache']}",
            "cycle" if row["cycle"] else "no cycle",
        )
        sequence = NumberSequence(
            key=key,
            address=address,
            comments=comment_of(row, address),
            access=access_of(row, address, "s"),
            options=options,
        )
        objects.add(sequence, place(row))
        if owner is not None:
            owned = SequenceOwner(
                key=Key("sequence owner", row["schema"], row["name"]),
                address=address,
                parent=key,
                column=owner,
            )
            objects.add(owned, needs=(owner,))
