"""Tables with their columns, defaults and constraints."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from localbase.postgres.schema.model import Key, SchemaObject


@dataclass(frozen=True, slots=True, kw_only=True)
class Column(SchemaObject):
    """A column without its default, which may need more than the column does."""

    name: str
    type: str
    collation: str = ""
    not_null: bool = False
    # The expression with its kind: `(a + b) stored`.
    generated: str = ""
    # "", "always", "by default", and the sequence's options.
    identity: str = ""
    identity_options: str = ""
    identity_sequence: str = ""
    foreign_options: str = ""

    def clause(self, default: str = "") -> str:
        """Its line in CREATE TABLE or after ADD COLUMN."""
        words = [self.name, self.type]
        if self.foreign_options:
            words.append(f"options ({self.foreign_options})")
        if self.collation:
            words.append(f"collate {self.collation}")
        if self.generated:
            words.append(f"generated always as {self.generated}")
        if self.identity:
            words.append(f"generated {self.identity} as identity{self._identity_clause()}")
        if default:
            words.append(f"default {default}")
        if self.not_null:
            words.append("not null")
        return " ".join(words)

    def create(self, parts: Sequence[SchemaObject] = ()) -> list[str]:
        """See `SchemaObject`. `parts` may be its default, which is made with it."""
        default = next((part.definition for part in parts), "")
        return [f"{self._table} add column {self.clause(default)}"]

    def drop(self) -> list[str]:
        return [f"{self._table} drop column {self.name}"]

    def alter(self, after: SchemaObject) -> list[str] | None:
        if not isinstance(after, Column) or (self.generated != after.generated and after.generated):
            return None
        if self.foreign_options != after.foreign_options:
            return None
        actions = []
        if self.generated and not after.generated:
            actions.append("drop expression")
        if self.disturbs(after):
            collate = f" collate {after.collation}" if after.collation else ""
            actions.append(f"type {after.type}{collate} using {self.cast(after.type)}")
        if self.not_null != after.not_null:
            actions.append("set not null" if after.not_null else "drop not null")
        if after.identity and not self.identity:
            actions.append(f"add generated {after.identity} as identity{after._identity_clause()}")
        elif self.identity and after.identity:
            if self.identity_sequence != after.identity_sequence:
                actions.append(f"add generated {after.identity} as identity{after._identity_clause()}")
            elif self.identity != after.identity or self.identity_options != after.identity_options:
                actions.append(f"set generated {after.identity}{_all_options(after.identity_options)}")
        return [f"{self._table} alter column {self.name} {words}" for words in actions]

    def clear(self, after: SchemaObject) -> list[str]:
        """Return what must be done first: another object may take the name of the identity's sequence."""
        changed = isinstance(after, Column) and self.identity_sequence != after.identity_sequence
        return [f"{self._table} alter column {self.name} drop identity"] if self.identity and changed else []

    def cast(self, type_name: str) -> str:
        """Its value as `type_name`."""
        # Enums and other types of the project have no casts between each other, but all of them have one to text.
        middle = "text[]" if type_name.endswith("[]") and self.type.endswith("[]") else "text"
        own = "." in type_name or "." in self.type
        return f"{self.name}::{middle}::{type_name}" if own else f"{self.name}::{type_name}"

    def retype(self, after: Column) -> list[str]:
        """Over to the type of the same name that has been made anew."""
        return [f"{self._table} alter column {self.name} type {after.type} using {self.cast(after.type)}"]

    def disturbs(self, after: SchemaObject) -> bool:
        return isinstance(after, Column) and (self.type, self.collation) != (after.type, after.collation)

    def loses_data(self) -> bool:
        return not self.generated

    def claims(self) -> frozenset[str]:
        return frozenset({self.identity_sequence} if self.identity else ())

    @property
    def _table(self) -> str:
        return f"alter table {self.key.address}"

    def _identity_clause(self) -> str:
        default = f"{self.key.schema}.{self.key.name}_{self.name}_seq"
        name = [f"sequence name {self.identity_sequence}"] if self.identity_sequence != default else []
        options = [*name, *(option for option in self.identity_options.split("\n") if option)]
        return f" ({' '.join(options)})" if options else ""


def _all_options(options: str) -> str:
    """Return what sets an identity's options, those that are not named too."""
    usual = {
        "increment": "increment by 1",
        "minvalue": "minvalue 1",
        "start": "start with 1",
        "maxvalue": "no maxvalue",
        "cache": "cache 1",
        "cycle": "no cycle",
    }
    named = {option.split()[0]: option for option in options.split("\n") if option}
    return "".join(f" set {option}" for option in {**usual, **named}.values())


@dataclass(frozen=True, slots=True, kw_only=True)
class Default(SchemaObject):
    """A column's default."""

    column: str

    def create(self) -> list[str]:
        return [f"alter table {self.key.address} alter column {self.column} set default {self.definition}"]

    def drop(self) -> list[str]:
        return [f"alter table {self.key.address} alter column {self.column} drop default"]

    def alter(self, after: SchemaObject) -> list[str] | None:
        return after.create()


@dataclass(frozen=True, slots=True, kw_only=True)
class Constraint(SchemaObject):
    """A key, a check, an exclusion or a foreign key; `type` is pg_constraint's letter."""

    name: str
    type: str
    # Of a foreign key, the table that it refers to.
    foreign: Key | None = None

    def clause(self) -> str:
        """Its line in CREATE TABLE."""
        return f"constraint {self.name} {self.definition}"

    def create(self) -> list[str]:
        return [f"alter table {self.key.address} add {self.clause()}"]

    def drop(self) -> list[str]:
        return [f"alter table {self.key.address} drop constraint {self.name}"]

    def alter(self, after: SchemaObject) -> list[str] | None:
        if self.definition == f"{after.definition} NOT VALID":
            return [f"alter table {self.key.address} validate constraint {self.name}"]
        return [] if self.definition == after.definition else None

    def claims(self) -> frozenset[str]:
        return frozenset({f"{self.key.schema}.{self.name}"} if self.type in "pux" else ())


@dataclass(frozen=True, slots=True, kw_only=True)
class Table(SchemaObject):
    """A table, partitioned, a partition, or foreign. Its columns are objects of their own."""

    unlogged: bool = False
    partition_key: str = ""
    # What it is a partition of, with the bound.
    partition_of: str = ""
    bound: str = ""
    inherits: tuple[str, ...] = ()
    # Of a foreign table: `server s options (…)`.
    foreign: str = ""
    options: Mapping[str, str] = field(default_factory=dict)
    row_security: bool = False
    forced_row_security: bool = False
    replica_identity: str = "default"

    def create(self, parts: Sequence[SchemaObject] = ()) -> list[str]:
        """See `SchemaObject`. `parts` are the columns, defaults and constraints that are made with it."""
        name = self.key.address
        defaults = {part.column: part.definition for part in parts if isinstance(part, Default)}
        lines = [part.clause(defaults.get(part.name, "")) for part in parts if isinstance(part, Column)]
        lines += [part.clause() for part in parts if isinstance(part, Constraint)]
        body = "(\n" + ",\n".join(f"  {line}" for line in lines) + "\n)" if lines else "()"
        words = "foreign table" if self.foreign else "unlogged table" if self.unlogged else "table"
        if self.bound:
            text = f"create {words} {name} partition of {self.partition_of} {self.bound}"
        else:
            text = f"create {words} {name} {body}"
        if self.inherits:
            text += f" inherits ({', '.join(self.inherits)})"
        if self.partition_key:
            text += f" partition by {self.partition_key}"
        if self.foreign:
            text += f" {self.foreign}"
        if self.options:
            text += f" with ({', '.join(f'{key}={value}' for key, value in self.options.items())})"
        return [text, *self._settings(Table(key=self.key, address=self.address))]

    def alter(self, after: SchemaObject) -> list[str] | None:
        if not isinstance(after, Table) or (self.partition_key, self.foreign) != (
            after.partition_key,
            after.foreign,
        ):
            return None
        name = self.key.address
        statements = []
        attachment = (self.partition_of, self.bound)
        if attachment != (after.partition_of, after.bound):
            if self.partition_of:
                statements.append(f"alter table {self.partition_of} detach partition {name}")
            if after.partition_of:
                statements.append(f"alter table {after.partition_of} attach partition {name} {after.bound}")
        statements += [
            f"alter table {name} no inherit {parent}"
            for parent in self.inherits
            if parent not in after.inherits
        ]
        statements += [
            f"alter table {name} inherit {parent}" for parent in after.inherits if parent not in self.inherits
        ]
        if self.unlogged != after.unlogged:
            statements.append(f"alter table {name} set {'unlogged' if after.unlogged else 'logged'}")
        if gone := [key for key in self.options if key not in after.options]:
            statements.append(f"alter table {name} reset ({', '.join(gone)})")
        if changed := [f"{k}={v}" for k, v in after.options.items() if self.options.get(k) != v]:
            statements.append(f"alter table {name} set ({', '.join(changed)})")
        return statements + after._settings(self)

    def loses_data(self) -> bool:
        return not self.foreign

    def claims(self) -> frozenset[str]:
        return frozenset({self.key.address})

    def _settings(self, before: Table) -> list[str]:
        name = self.key.address
        statements = []
        if self.row_security != before.row_security:
            statements.append(
                f"alter table {name} {'enable' if self.row_security else 'disable'} row level security"
            )
        if self.forced_row_security != before.forced_row_security:
            force = "force" if self.forced_row_security else "no force"
            statements.append(f"alter table {name} {force} row level security")
        if self.replica_identity != before.replica_identity and not self.replica_identity.startswith("using"):
            statements.append(f"alter table {name} replica identity {self.replica_identity}")
        return statements
