"""Common parts of the catalog's rows, and the objects by their oids."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from localbase.postgres.schema.model import Access, Key, Privilege, SchemaObject

Row = Mapping[str, Any]
# A pg_depend address: catalog, oid, column.
Place = tuple[str, int, int]
# Only Postgres 17 and later have it: it comes with "all" and says nothing of a project.
NEWER_RIGHT = "maintain"


class Objects:
    """The objects that have been read, and which of them each of pg_depend's addresses is."""

    def __init__(self) -> None:
        self.objects: dict[Key, SchemaObject] = {}
        self.places: dict[Place, Key] = {}
        self.depends: dict[Key, set[Key]] = {}

    def add(self, item: SchemaObject, *places: Place, needs: tuple[Key, ...] = ()) -> None:
        """Records an object, the addresses that mean it, and what it needs beyond pg_depend."""
        self.objects[item.key] = item
        for place in places:
            self.places[place] = item.key
        parents = () if item.parent is None else (item.parent,)
        self.depends.setdefault(item.key, set()).update(parents, needs)


def place(row: Row) -> Place:
    """Return where pg_depend has the row's object."""
    return (row["class"], row["oid"], 0)


def comment_of(row: Row, address: str) -> dict[str, str]:
    """The object's comment, by what COMMENT ON calls it."""
    return {address: row["comment"]} if row["comment"] is not None else {}


def access_of(row: Row, target: str, letter: str) -> Access:
    """The rights on the object and on its columns."""
    rights = [*row["access"], *(row.get("column_access") or ())]
    return Access(target, letter, frozenset(Privilege(*each) for each in rights if each[1] != NEWER_RIGHT))
