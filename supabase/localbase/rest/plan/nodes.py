"""The values of a plan. Places (`int`) count in the request's values; nothing here holds an operand."""

from __future__ import annotations

from typing import NamedTuple

from localbase.postgres.schema_cache.cache import Function, Name, Parameter, Relation
from localbase.rest.api_request.grammar.terms import Field, Filter, OrderTerm
from localbase.rest.api_request.media_type import Media
from localbase.rest.relationships import Relationship


class Output(NamedTuple):
    """A selected field. `name` is what it is called in the answer, None where Postgres's own name will do."""

    field: Field
    name: str | None = None
    cast: str | None = None
    aggregate: str | None = None
    aggregate_cast: str | None = None
    # The row as a whole, for a count that an outer level does.
    whole_row: bool = False


class SpreadOutput(NamedTuple):
    """A column of a spread embedding, as the level above shows it."""

    column: str
    name: str | None = None
    aggregate: str | None = None
    aggregate_cast: str | None = None


class NullEmbed(NamedTuple):
    """`embedding=is.null`: selects rows by whether they have an embedded row."""

    alias: str
    wants_null: bool


class PlannedLogic(NamedTuple):
    """Conditions under `and` or `or`."""

    operator: str
    terms: tuple[PlannedCondition, ...]
    negated: bool


PlannedCondition = Filter | NullEmbed | PlannedLogic


class PlannedOrder(NamedTuple):
    """An order term; `embed` is the alias of the to-one embedding that has the column."""

    term: OrderTerm
    embed: str | None = None


class Embed(NamedTuple):
    """A relation joined to each row. `form` is object, array, spread-one or spread-many."""

    node: ReadNode
    name: str
    alias: str
    form: str
    inner: bool
    hidden: bool
    spread: tuple[SpreadOutput, ...] = ()


class ReadNode(NamedTuple):
    """One level of a read. `from_result` reads what a write or call gave, instead of the relation itself."""

    source: Name
    alias: str
    relation: Relation | None
    from_result: bool
    outputs: tuple[Output, ...]
    conditions: tuple[PlannedCondition, ...]
    order: tuple[PlannedOrder, ...]
    limit: int | None
    offset: int | None
    max_rows: int | None
    embeds: tuple[Embed, ...]
    relationship: Relationship | None = None
    parent: str = ""
    # The columns of the parent's row, where that is a result: what a function takes must be put together from them.
    parent_row: tuple[str, ...] = ()

    @property
    def aggregates(self) -> bool:
        """Tell whether rows are put together in groups here."""
        return any(output.aggregate for output in self.outputs) or any(
            output.aggregate for embed in self.embeds for output in embed.spread
        )


class WriteColumn(NamedTuple):
    """A column to write: its type in the payload's record, and its default for values that are missing."""

    name: str
    type: str
    default: str | None
    # The function that reads a domain's value from JSON, quoted for SQL. The record's type is then json.
    reads: str | None = None


class Write(NamedTuple):
    """The change. `conflict` are the columns of `on conflict`, empty for none; `returning` empty returns nothing."""

    action: str
    relation: Relation
    columns: tuple[WriteColumn, ...]
    is_object: bool
    apply_defaults: bool
    conditions: tuple[PlannedCondition, ...]
    conflict: tuple[str, ...]
    ignore_conflicts: bool
    # Whether it says how many of its rows are new.
    counts_inserted: bool
    returning: tuple[str, ...]
    location: tuple[str, ...]

    @property
    def meets_every_row(self) -> bool:
        """Tell whether nothing limits an update or delete. One that sets nothing is none."""
        changes = self.action == "delete" or (self.action == "update" and bool(self.columns))
        return changes and not self.conditions


class Argument(NamedTuple):
    """A parameter with the places of its values: several for a variadic one, none when they come in the body."""

    parameter: Parameter
    places: tuple[int, ...]


class Call(NamedTuple):
    """The call of a function. `whole_body` passes the body as its one nameless argument."""

    function: Function
    arguments: tuple[Argument, ...]
    in_body: bool
    body_is_object: bool
    whole_body: bool
    returning: tuple[str, ...]


class Plan(NamedTuple):
    """All of a request: the change or call, if any, and how what it gives is read and shaped."""

    action: str
    read: ReadNode
    media: Media
    shapes_body: bool
    write: Write | None = None
    call: Call | None = None
    # Of a read or call: whether rows are counted exactly, and whether the window leaves any out.
    counted: bool = False
    windowed: bool = False
    # An estimate counts exactly up to this many rows.
    count_limit: int | None = None
    # Which numbers of rows a change, or a call that may change something, is committed with.
    one_row: bool = False
    most_rows: int | None = None
    # Embeddings with an alias that the query addresses by their relation's name: (relation, alias).
    legacy_target_names: tuple[tuple[str, str], ...] = ()

    @property
    def guarded(self) -> bool:
        """Tell whether a wrong number of rows undoes the whole."""
        return self.one_row or self.most_rows is not None
