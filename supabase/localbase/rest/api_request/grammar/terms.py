"""The terms of a query string, as plain values.

Operands are not in here. They are places in the request's list of values, so that requests which differ only
in their values are equal here, and share one plan and one prepared statement.
"""

from __future__ import annotations

from typing import NamedTuple

Path = tuple[str, ...]
"""Names of embedded resources from the outermost inwards; empty is the resource itself."""


class JsonStep(NamedTuple):
    """`->key` or `->>key`; an index is a number, from the end when negative."""

    arrow: str
    key: str
    is_index: bool


class Field(NamedTuple):
    """A column, with the way into its JSON or composite value."""

    name: str
    path: tuple[JsonStep, ...] = ()


class SelectField(NamedTuple):
    """`alias:field::cast.aggregate()::cast`; the name `*` is every column."""

    field: Field
    alias: str | None = None
    cast: str | None = None
    aggregate: str | None = None
    aggregate_cast: str | None = None


class SelectRelation(NamedTuple):
    """`alias:target!hint!inner(items)` or, spread, `...target(items)`."""

    target: str
    items: tuple[SelectField | SelectRelation, ...]
    alias: str | None = None
    hint: str | None = None
    join: str | None = None
    spread: bool = False

    @property
    def name(self) -> str:
        """Its name in the answer."""
        return self.alias or self.target


SelectItem = SelectField | SelectRelation


class Operation(NamedTuple):
    """`not.operator(modifier).operand`. `is` has its operand as a keyword: it can be no parameter in SQL.

    A short list of `in` has `items` operands from the place `operand` on; a longer one is one operand, an array.
    """

    operator: str
    operand: int
    negated: bool = False
    quantifier: str | None = None
    language: str | None = None
    keyword: str = ""
    items: int = 0


class Filter(NamedTuple):
    """A field and what must hold for it."""

    field: Field
    operation: Operation


class Logic(NamedTuple):
    """`not.and(…)` or `or(…)`."""

    operator: str
    terms: tuple[Filter | Logic, ...]
    negated: bool = False


Condition = Filter | Logic


class OrderTerm(NamedTuple):
    """`field.desc.nullslast`, or `relation(field)` for a column of a to-one embedding."""

    field: Field
    relation: str | None = None
    direction: str = ""
    nulls: str = ""
