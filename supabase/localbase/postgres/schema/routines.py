"""Functions, views, triggers and publications: what Postgres gives the text of."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from localbase.postgres.schema.model import SchemaObject


@dataclass(frozen=True, slots=True, kw_only=True)
class Function(SchemaObject):
    """A function, procedure or aggregate, by its name and its parameters' types."""

    # What CREATE OR REPLACE cannot change.
    kind: str
    result: str
    parameters: tuple[str, ...]
    defaults: int

    def alter(self, after: SchemaObject) -> list[str] | None:
        if not isinstance(after, Function):
            return None
        if self.definition == after.definition:
            return []
        renamed = any(
            old and old != new for old, new in zip(self.parameters, after.parameters, strict=False)
        ) or len(self.parameters) != len(after.parameters)
        if "a" in (self.kind, after.kind) or (self.kind, self.result) != (after.kind, after.result):
            return None
        return None if renamed or after.defaults < self.defaults else [after.definition]


@dataclass(frozen=True, slots=True, kw_only=True)
class View(SchemaObject):
    """A view or materialised view; `columns` are name and type, in order."""

    materialized: bool
    columns: tuple[tuple[str, str], ...]
    options: Mapping[str, str] = field(default_factory=dict)

    def create(self) -> list[str]:
        return [self._text("materialized view" if self.materialized else "view")]

    def alter(self, after: SchemaObject) -> list[str] | None:
        if not isinstance(after, View) or self.materialized != after.materialized:
            return None
        if (self.definition, self.options) == (after.definition, after.options):
            return []
        if self.materialized or after.columns[: len(self.columns)] != self.columns:
            return None
        return [after._text("or replace view")]

    def claims(self) -> frozenset[str]:
        return frozenset({self.key.address})

    def _text(self, words: str) -> str:
        options = ", ".join(f"{key}={value}" for key, value in self.options.items())
        options = f" with ({options})" if options else ""
        return f"create {words} {self.key.address}{options} as\n{self.definition.rstrip().removesuffix(';')}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Trigger(SchemaObject):
    """A trigger; `state` is how it is enabled: "enable", "disable", "enable replica", "enable always"."""

    name: str
    state: str

    def create(self) -> list[str]:
        return [self.definition, *([self._set_state()] if self.state != "enable" else [])]

    def alter(self, after: SchemaObject) -> list[str] | None:
        if not isinstance(after, Trigger) or self.definition != after.definition:
            return None
        return [after._set_state()] if self.state != after.state else []

    def _set_state(self) -> str:
        return f"alter table {self.key.address} {self.state} trigger {self.name}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Index(SchemaObject):
    """An index that belongs to no constraint."""

    def claims(self) -> frozenset[str]:
        return frozenset({f"{self.key.schema}.{self.key.part}"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Publication(SchemaObject):
    """A publication without its tables; `options` is what it publishes."""

    all_tables: bool
    options: str

    def create(self) -> list[str]:
        scope = " for all tables" if self.all_tables else ""
        return [f"create publication {self.key.name}{scope} with ({self.options})"]

    def alter(self, after: SchemaObject) -> list[str] | None:
        if not isinstance(after, Publication) or self.all_tables != after.all_tables:
            return None
        changed = self.options != after.options
        return [f"alter publication {self.key.name} set ({after.options})"] if changed else []


@dataclass(frozen=True, slots=True, kw_only=True)
class PublicationMember(SchemaObject):
    """A table, or all tables of a schema, in a publication."""

    publication: str
    member: str

    def create(self) -> list[str]:
        return [f"alter publication {self.publication} add {self.member}{self.definition}"]

    def drop(self) -> list[str]:
        return [f"alter publication {self.publication} drop {self.member}"]
