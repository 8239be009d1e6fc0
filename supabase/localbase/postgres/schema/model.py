"""The schema model: a frozen object for each thing that DDL names, and their dependencies.

Names are quoted where they are read, by Postgres itself, so that SQL is only put together here.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

Kind = Literal[
    "schema",
    "extension",
    "server",
    "type",
    "sequence",
    "table",
    "column",
    "default",
    "function",
    "constraint",
    "index",
    "view",
    "sequence owner",
    "statistics",
    "rule",
    "trigger",
    "policy",
    "publication",
    "publication member",
    "event trigger",
]


@dataclass(frozen=True, slots=True, order=True)
class Key:
    """The identity of an object. `part` is a name within the relation `name`: a column, a trigger, a policy."""

    kind: Kind
    schema: str
    name: str
    part: str = ""

    @property
    def address(self) -> str:
        """The qualified name that DDL uses; for a part, of its relation."""
        return f"{self.schema}.{self.name}" if self.schema else self.name


@dataclass(frozen=True, slots=True, order=True)
class Privilege:
    """One right of one role ("" is PUBLIC) on an object, or on one of its columns."""

    grantee: str
    name: str
    grantable: bool = False
    column: str = ""


@dataclass(frozen=True, slots=True)
class Access:
    """The rights on an object, without its owner's. `target` is what GRANT names, `type` pg_default_acl's letter."""

    target: str
    type: str
    privileges: frozenset[Privilege]


@dataclass(frozen=True, slots=True, kw_only=True)
class SchemaObject:
    """An object with what creates it. Kinds that can be altered in place have classes of their own."""

    key: Key
    # How DROP and COMMENT name it: `policy p on public.t`.
    address: str
    definition: str = ""
    # Dropped with this one, without a statement of its own.
    parent: Key | None = None
    comments: Mapping[str, str] = field(default_factory=dict)
    access: Access | None = None
    # A partition has it from its parent: made, altered and dropped there.
    inherited: bool = False

    def create(self) -> list[str]:
        """The statements that make it."""
        return [self.definition]

    def drop(self) -> list[str]:
        """The statements that take it away."""
        return [f"drop {self.address}"]

    def alter(self, after: SchemaObject) -> list[str] | None:
        """The statements that make it `after`; None where it has to be made anew."""
        return [] if self.definition == after.definition else None

    def disturbs(self, after: SchemaObject) -> bool:
        """Tell whether Postgres refuses to alter it while other objects use it."""
        del after
        return False

    def loses_data(self) -> bool:
        """Tell whether dropping it loses rows or values."""
        return False

    def claims(self) -> frozenset[str]:
        """The names of relations and types that it occupies."""
        return frozenset()


@dataclass(frozen=True, slots=True)
class SchemaModel:
    """A database's schema. `depends` holds, for each object, those that must be there before it."""

    objects: Mapping[Key, SchemaObject]
    depends: Mapping[Key, frozenset[Key]]
    # pg_default_acl without the roles' own rights: (role, schema or "", object type) → rights.
    default_access: Mapping[tuple[str, str, str], frozenset[Privilege]]
    # Objects of kinds that this comparison does not cover.
    uncovered: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Statement:
    """One statement of the difference. `loss` says which rows or values it takes away, "" for none."""

    sql: str
    loss: str = ""


def literal(text: str) -> str:
    """`text` as an SQL string, whatever `standard_conforming_strings` is."""
    quoted = "'" + text.replace("'", "''") + "'"
    return "E" + quoted.replace("\\", "\\\\") if "\\" in text else quoted


def comment_statements(before: Mapping[str, str], after: Mapping[str, str]) -> list[str]:
    """Return what makes comments equal, by what they are on."""
    return [
        f"comment on {target} is {literal(after[target]) if target in after else 'null'}"
        for target in sorted({*before, *after})
        if before.get(target) != after.get(target)
    ]
