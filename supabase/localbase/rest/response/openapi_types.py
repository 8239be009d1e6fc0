"""Columns and types as OpenAPI's schemas have them, with the notes on keys that clients look for."""

from __future__ import annotations

import json
from typing import Any

from localbase.postgres.schema_cache.cache import Column, Relation
from localbase.rest.relationships import MANY_TO_ONE, ONE_TO_ONE, Relationship

Json = dict[str, Any]

_TYPES = {
    **dict.fromkeys(("character varying", "character", "text"), "string"),
    "boolean": "boolean",
    **dict.fromkeys(("smallint", "integer", "bigint"), "integer"),
    **dict.fromkeys(("numeric", "real", "double precision"), "number"),
    **dict.fromkeys(("json", "jsonb"), None),
}
_FORMATS = {"smallint": "int32", "integer": "int32", "bigint": "int64"}


def typed(type_: str) -> Json:
    """A Postgres type as JSON Schema has it."""
    typed: Json = {"format": _FORMATS.get(type_, type_)}
    if type_.endswith("[]"):
        item = _TYPES.get(type_[:-2], "string")
        return typed | {"type": "array", "items": {"type": item} if item else {}}
    kind = _TYPES.get(type_, "string")
    return typed | {"type": kind} if kind else typed


def definition_of(relation: Relation, relationships: tuple[Relationship, ...]) -> Json:
    """A relation's row."""
    definition: Json = {
        "type": "object",
        "properties": {
            column.name: _property(relation, column, relationships) for column in relation.columns.values()
        },
    }
    required = [column.name for column in relation.columns.values() if not column.nullable]
    if required:
        definition["required"] = required
    if relation.description:
        definition["description"] = relation.description
    return definition


def _property(relation: Relation, column: Column, relationships: tuple[Relationship, ...]) -> Json:
    notes = []
    if column.name in relation.primary_key:
        notes.append("This is a Primary Key.<pk/>")
    for item in sorted(relationships, key=lambda relationship: relationship.foreign_is_view):
        single = item.cardinality == MANY_TO_ONE or (item.cardinality == ONE_TO_ONE and not item.is_parent)
        if single and [own for own, _ in item.columns] == [column.name]:
            table, target = item.foreign[1], item.columns[0][1]
            notes.append(
                f"This is a Foreign Key to `{table}.{target}`.<fk table='{table}' column='{target}'/>"
            )
            break
    schema = typed(column.type)
    description = column.description
    if notes:
        description = (f"{description}\n\n" if description else "") + "\n".join(["Note:", *notes])
    if description:
        schema["description"] = description
    if column.enum:
        schema["enum"] = list(column.enum)
    if column.max_length:
        schema["maxLength"] = column.max_length
    default = _default(column)
    if default is not None:
        schema["default"] = default
    return schema


def _default(column: Column) -> Any:
    """A default as JSON: a plain text without its cast, an expression as it is written."""
    if column.default is None:
        return None
    if _TYPES.get(column.type, "string") == "string" and not column.type.endswith("[]"):
        plain = column.default.removesuffix(f"::{column.type}")
        return plain.strip("'") if plain != column.default else column.default
    try:
        return json.loads(column.default)
    except ValueError:
        return None
