"""Types of a project's own, and sequences."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from localbase.postgres.schema.model import Key, SchemaObject, literal


@dataclass(frozen=True, slots=True, kw_only=True)
class CustomType(SchemaObject):
    """Any type; one that cannot be altered is moved aside, so that columns can go over to its successor."""

    def aside(self) -> str:
        """Its name while its successor is made."""
        name = self.key.name.strip('"')
        return f'"{name[:50]}__before"'

    def move_aside(self) -> list[str]:
        """Frees its name."""
        return [f"alter type {self.key.address} rename to {self.aside()}"]

    def drop_aside(self) -> list[str]:
        """Takes away what was moved aside."""
        return [f"drop type {self.key.schema}.{self.aside()}"]

    def claims(self) -> frozenset[str]:
        return frozenset({self.key.address})


@dataclass(frozen=True, slots=True, kw_only=True)
class Enum(CustomType):
    """An enumeration."""

    labels: tuple[str, ...]

    def create(self) -> list[str]:
        return [f"create type {self.key.address} as enum ({', '.join(map(literal, self.labels))})"]

    def added(self, after: SchemaObject) -> list[str]:
        """The labels that `after` has more."""
        return (
            [label for label in after.labels if label not in self.labels] if isinstance(after, Enum) else []
        )

    def alter(self, after: SchemaObject) -> list[str] | None:
        if not isinstance(after, Enum):
            return None
        if [label for label in after.labels if label in self.labels] != list(self.labels):
            return None  # one has gone, or the order is another
        statements = []
        for place, label in enumerate(after.labels):
            if label in self.labels:
                continue
            words = (
                f"after {literal(after.labels[place - 1])}" if place else f"before {literal(self.labels[0])}"
            )
            if not self.labels and not place:
                words = ""
            statements.append(f"alter type {self.key.address} add value {literal(label)} {words}".rstrip())
        return statements


@dataclass(frozen=True, slots=True, kw_only=True)
class Domain(CustomType):
    """A domain: a type with a default and checks."""

    base: str
    collation: str = ""
    default: str = ""
    not_null: bool = False
    checks: Mapping[str, str] = field(default_factory=dict)

    def create(self) -> list[str]:
        words = [f"create domain {self.key.address} as {self.base}"]
        words += [f"collate {self.collation}"] if self.collation else []
        words += [f"default {self.default}"] if self.default else []
        words += ["not null"] if self.not_null else []
        words += [f"constraint {name} {text}" for name, text in self.checks.items()]
        return [" ".join(words)]

    def alter(self, after: SchemaObject) -> list[str] | None:
        if not isinstance(after, Domain) or (self.base, self.collation) != (after.base, after.collation):
            return None
        actions = [
            f"drop constraint {name}" for name, text in self.checks.items() if after.checks.get(name) != text
        ]
        if self.default != after.default:
            actions.append(f"set default {after.default}" if after.default else "drop default")
        if self.not_null != after.not_null:
            actions.append("set not null" if after.not_null else "drop not null")
        actions += [
            f"add constraint {name} {text}"
            for name, text in after.checks.items()
            if self.checks.get(name) != text
        ]
        return [f"alter domain {self.key.address} {words}" for words in actions]

    def move_aside(self) -> list[str]:
        return [f"alter domain {self.key.address} rename to {self.aside()}"]

    def drop_aside(self) -> list[str]:
        return [f"drop domain {self.key.schema}.{self.aside()}"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Composite(CustomType):
    """A composite type; `attributes` are name and type, in order."""

    attributes: tuple[tuple[str, str], ...]

    def create(self) -> list[str]:
        fields = ", ".join(f"{name} {type_name}" for name, type_name in self.attributes)
        return [f"create type {self.key.address} as ({fields})"]

    def alter(self, after: SchemaObject) -> list[str] | None:
        if not isinstance(after, Composite):
            return None
        before, new_attributes = dict(self.attributes), dict(after.attributes)
        remaining = [name for name in before if name in new_attributes]
        if [name for name in new_attributes if name in before] != remaining or any(
            before[name] != new_attributes[name] for name in remaining
        ):
            return None
        added = [name for name in new_attributes if name not in before]
        if list(new_attributes) != remaining + added:
            return None  # attributes are added at the end only
        actions = [f"drop attribute {name}" for name in before if name not in new_attributes]
        actions += [f"add attribute {name} {new_attributes[name]}" for name in added]
        return [f"alter type {self.key.address} {words}" for words in actions]


@dataclass(frozen=True, slots=True, kw_only=True)
class NumberSequence(SchemaObject):
    """A sequence that is no identity column's. `options` are its lines in CREATE SEQUENCE."""

    options: tuple[str, ...]

    def create(self) -> list[str]:
        return [" ".join([f"create sequence {self.key.address}", *self.options])]

    def alter(self, after: SchemaObject) -> list[str] | None:
        if not isinstance(after, NumberSequence):
            return None
        if self.options == after.options:
            return []
        return [" ".join([f"alter sequence {self.key.address}", *after.options])]

    def claims(self) -> frozenset[str]:
        return frozenset({self.key.address})


@dataclass(frozen=True, slots=True, kw_only=True)
class SequenceOwner(SchemaObject):
    """The column that a sequence goes with."""

    column: Key

    def create(self) -> list[str]:
        return [
            f"alter sequence {self.key.address} owned by {self.column.address}.{self.column.part}",
        ]

    def drop(self) -> list[str]:
        return [f"alter sequence {self.key.address} owned by none"]

    def alter(self, after: SchemaObject) -> list[str] | None:
        return after.create()
