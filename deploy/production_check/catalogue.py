"""The catalog that sql/migrations make of an empty project, and the part of any project's that is the shop's.

`python -m tools.catalogue` writes it, for the two major versions that Supabase runs: whole for the newest, and for an
older one the objects that Postgres describes in other words there.
"""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

from localbase.postgres.schema import routines, tables, types
from localbase.postgres.schema.model import Key, SchemaModel, SchemaObject
from pydantic import TypeAdapter

FILE = Path(__file__).with_name("catalogue.json")
MAJORS = (17, 15)
SCHEMAS = ("public", "private")
# "" is PUBLIC. Other roles are the owner's own, or the platform's.
_ROLES = frozenset({"", "anon", "authenticated", "service_role"})
_ATTACHED = ("auth", "realtime", "storage")
CLASSES = {
    each.__name__: TypeAdapter(each)
    for each in (
        *(SchemaObject, tables.Table, tables.Column, tables.Default, tables.Constraint, routines.Function),
        *(routines.View, routines.Trigger, routines.Index, routines.PublicationMember, types.CustomType),
        *(types.Enum, types.Domain, types.Composite, types.NumberSequence, types.SequenceOwner),
    )
}


def shop_part(model: SchemaModel) -> SchemaModel:
    """The shop's schemas, its policies and triggers on the platform's tables, its tables in Realtime's publication.

    Without comments, other roles' rights, and the default rights that each platform gives in its own way.
    """
    objects = {key: _bare(item) for key, item in model.objects.items() if _is_of_shop(key, item)}
    depends = {key: model.depends.get(key, frozenset()) & objects.keys() for key in objects}
    return SchemaModel(objects, depends, {})


def _is_of_shop(key: Key, item: SchemaObject) -> bool:
    if key.kind == "schema":
        return key.name in SCHEMAS
    if key.kind == "extension":
        # Its functions would be the API's.
        return item.definition.rpartition(" ")[2] in SCHEMAS
    if key.kind == "publication member":
        return key.schema in SCHEMAS and key.part == "supabase_realtime"
    return key.schema in SCHEMAS or (key.schema in _ATTACHED and key.kind in ("policy", "trigger"))


def _bare(item: SchemaObject) -> SchemaObject:
    access = item.access
    if access is not None:
        rights = frozenset(right for right in access.privileges if right.grantee in _ROLES)
        access = replace(access, privileges=rights)
    return replace(item, comments={}, access=access)


def load_catalogue(major: int) -> SchemaModel:
    """The expected catalog on Postgres `major`; of a version between or after the known ones, the one below it."""
    saved = json.loads(FILE.read_text(encoding="utf-8"))
    objects: dict[Key, SchemaObject] = {}
    needs: dict[Key, list[str]] = {}
    for version in MAJORS:
        if version == MAJORS[0] or version <= major < MAJORS[0]:
            for line in saved[str(version)]:
                named = line.pop("needs", [])
                item = CLASSES[line.pop("class")].validate_python(line)
                objects[item.key], needs[item.key] = item, named
    keys = {name_of(key): key for key in objects}
    depends = {
        key: frozenset(
            (*(keys[name] for name in needs[key]), *((item.parent,) if item.parent in objects else ()))
        )
        for key, item in objects.items()
    }
    return SchemaModel(objects, depends, {})


def name_of(key: Key) -> str:
    """How the file names an object that another needs."""
    return " ".join(part for part in (key.kind, key.address, key.part) if part)
