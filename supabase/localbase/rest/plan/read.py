"""The plan of what is read: columns, conditions, order and limits of each level, and how levels are joined."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import count
from typing import NamedTuple

from localbase.postgres.schema_cache.cache import Catalog, Name, Relation
from localbase.rest import errors
from localbase.rest.api_request.grammar.query import Query
from localbase.rest.api_request.grammar.terms import (
    Condition,
    Field,
    Filter,
    Logic,
    OrderTerm,
    Path,
    SelectField,
    SelectItem,
    SelectRelation,
)
from localbase.rest.config import Config
from localbase.rest.plan.nodes import (
    Embed,
    NullEmbed,
    Output,
    PlannedCondition,
    PlannedLogic,
    PlannedOrder,
    ReadNode,
    SpreadOutput,
)
from localbase.rest.relationships import Relationship, Relationships, find_relationship

_LONGEST_ALIAS = 58  # of Postgres's 63 bytes, with room for the depth


class Scope(NamedTuple):
    """The parts of a query that concern one level and those below it."""

    conditions: tuple[tuple[Path, Condition], ...]
    orders: tuple[tuple[Path, tuple[OrderTerm, ...]], ...]
    limits: tuple[tuple[Path, int], ...]
    offsets: tuple[tuple[Path, int], ...]

    def heads(self) -> dict[str, None]:
        """The names of embedded resources that something here is said about."""
        parts: tuple[tuple[Path, object], ...] = (
            *self.conditions,
            *self.orders,
            *self.limits,
            *self.offsets,
        )
        return dict.fromkeys([path[0] for path, _ in parts if path])

    def below(self, names: set[str]) -> Scope:
        """Return what concerns the embedded resource known as `names`."""
        if not names:
            return _NOTHING
        return Scope(
            tuple((path[1:], item) for path, item in self.conditions if path and path[0] in names),
            tuple((path[1:], item) for path, item in self.orders if path and path[0] in names),
            tuple((path[1:], item) for path, item in self.limits if path and path[0] in names),
            tuple((path[1:], item) for path, item in self.offsets if path and path[0] in names),
        )


_NOTHING = Scope((), (), (), ())


class Reader:
    """Makes the read plan of one request."""

    def __init__(
        self, catalog: Catalog, relationships: Relationships, options: Config, *, max_rows: int | None
    ) -> None:
        self._catalog = catalog
        self._relationships = relationships
        self._max_rows = max_rows
        self._aggregates = options.aggregates_enabled
        self._by_relation_too = options.url_use_legacy_target_names
        self._aliases = count(1)
        self.legacy_target_names: list[tuple[str, str]] = []

    def root(
        self, source: Name, query: Query, scope: Scope, *, from_result: bool, max_rows: int | None
    ) -> ReadNode:
        """The outermost level, with a maximum of its own."""
        origin = _Origin(source, source[1], None, "", frozenset(), max_rows, spread=False)
        return self._node(origin, query.select, scope, from_result)[0]

    def _node(
        self, origin: _Origin, items: Sequence[SelectItem], scope: Scope, from_result: bool
    ) -> tuple[ReadNode, tuple[SpreadOutput, ...]]:
        """A level with all below it, and what it shows to a level that it is spread into."""
        relation = self._catalog.relations.get(origin.source)
        fields = [item for item in items if isinstance(item, SelectField)]
        relations = [item for item in items if isinstance(item, SelectRelation)]
        aggregated = bool([field for field in fields if field.aggregate])
        if aggregated and not self._aggregates:
            raise errors.aggregates_not_allowed()
        outputs = tuple([_output(field) for field in fields])
        # Groups and lists need every column by its name, here and in embeddings that are spread into them.
        by_name = origin.by_name or aggregated or (origin.spread and not origin.to_one)
        row = tuple(relation.columns) if from_result and relation else ()
        embeds, spreads = (
            self._embeds(origin._replace(by_name=by_name), relations, scope, row)
            if relations or scope.heads()
            else ((), ())
        )
        if not items:
            # An embedding of nothing is there for its filters; a request for nothing means everything.
            outputs = () if origin.relationship else (Output(Field("*")),)
        if by_name or _aggregates(spreads) or (relation and relation.is_represented):
            outputs = _without_star(outputs, relation)
        exposed: tuple[SpreadOutput, ...] = ()
        if origin.spread:
            outputs, own = _exposed(outputs)
            exposed = own + tuple(
                SpreadOutput(o.name or o.column, o.name, o.aggregate, o.aggregate_cast) for o in spreads
            )
            exposed += tuple(SpreadOutput(e.name) for e in embeds if not e.spread and not e.hidden)
            if origin.to_one:
                # Groups are made where the spread ends, so the aggregates move up and leave their columns here.
                embeds = tuple(e._replace(spread=tuple(_raw(o) for o in e.spread)) for e in embeds)
        own_scope = _own(scope)
        node = ReadNode(
            source=origin.source,
            alias=origin.alias,
            relation=relation,
            from_result=from_result,
            outputs=outputs,
            conditions=tuple([_condition(item, embeds) for item in own_scope.conditions]),
            order=tuple([_order(term, origin, embeds) for term in own_scope.order]),
            limit=own_scope.limit,
            offset=own_scope.offset,
            max_rows=origin.max_rows,
            embeds=embeds,
            relationship=origin.relationship,
            parent=origin.parent,
            parent_row=origin.parent_row,
        )
        return node, exposed

    def _embeds(
        self, origin: _Origin, relations: Sequence[SelectRelation], scope: Scope, row: tuple[str, ...]
    ) -> tuple[tuple[Embed, ...], tuple[SpreadOutput, ...]]:
        names = _addressed(relations, scope, by_relation_too=self._by_relation_too)
        for item, heads in zip(relations, names, strict=True):
            if item.alias and item.target in heads and item.alias != item.target:
                self.legacy_target_names.append((item.target, item.alias))
        embeds: list[Embed] = []
        spreads: tuple[SpreadOutput, ...] = ()
        for place, item in enumerate(relations):
            relationship = find_relationship(self._relationships, origin.source, item.target, item.hint)
            alias = _alias_of(relationship.foreign[1], origin)
            # A to-one join finds one row anyway; a limit would only keep Postgres from joining as it likes best.
            max_rows = None if relationship.to_one else self._max_rows
            below = _Origin(
                *(relationship.foreign, alias, relationship, origin.alias, origin.used_aliases | {alias}),
                max_rows,
                spread=item.spread,
                by_name=origin.by_name,
                parent_row=row,
            )
            node, exposed = self._node(below, item.items, scope.below(names[place]), from_result=False)
            if item.spread:
                form = "spread-one" if relationship.to_one else "spread-many"
                if form == "spread-many" and _aggregates(exposed):
                    raise errors.not_implemented(
                        "Aggregates are not implemented for one-to-many or many-to-many spreads."
                    )
                spreads += exposed
            else:
                form = "object" if relationship.to_one else "array"
            embeds.append(
                Embed(
                    node=node,
                    name=item.name,
                    alias=f"pgrst_e{next(self._aliases)}",
                    form=form,
                    inner=item.join == "inner",
                    hidden=_is_hidden(node),
                    spread=exposed,
                )
            )
        return tuple(embeds), spreads


class _Origin(NamedTuple):
    """A level: its relation, its SQL alias, the join to its parent."""

    source: Name
    alias: str
    relationship: Relationship | None
    parent: str
    used_aliases: frozenset[str]
    max_rows: int | None
    spread: bool
    by_name: bool = False
    parent_row: tuple[str, ...] = ()

    @property
    def to_one(self) -> bool:
        return self.relationship is not None and self.relationship.to_one

    @property
    def depth(self) -> int:
        return len(self.used_aliases)


class _Own(NamedTuple):
    conditions: tuple[Condition, ...]
    order: tuple[OrderTerm, ...]
    limit: int | None
    offset: int | None


def _own(scope: Scope) -> _Own:
    """Return what is said about this level itself. Of several orders the first counts."""
    if scope is _NOTHING:
        return _Own((), (), None, None)
    return _Own(
        tuple([item for path, item in scope.conditions if not path]),
        next((terms for path, terms in scope.orders if not path), ()),
        next((place for path, place in scope.limits if not path), None),
        next((place for path, place in scope.offsets if not path), None),
    )


def _addressed(relations: Sequence[SelectRelation], scope: Scope, *, by_relation_too: bool) -> list[set[str]]:
    """For each embedding the names it is addressed by: its own, or its relation's where nothing else has that."""
    names: list[set[str]] = [set() for _ in relations]
    for head in scope.heads():
        exact = (place for place, item in enumerate(relations) if item.name == head)
        loose = (place for place, item in enumerate(relations) if item.target == head)
        likely = next(loose, None)
        place = next(exact, likely if by_relation_too else None)
        if place is None:
            raise errors.not_embedded(head, relations[likely].alias if likely is not None else None)
        names[place].add(head)
    return names


def _alias_of(table: str, origin: _Origin) -> str:
    """Upstream's alias, which shows in Postgres's messages: the relation and its depth."""
    base = table.encode()[:_LONGEST_ALIAS].decode(errors="ignore")
    alias = f"{base}_{origin.depth + 1}"
    while alias in origin.used_aliases or alias == origin.alias:
        alias += "_"
    return alias


def _output(item: SelectField) -> Output:
    name = item.alias
    if name is None and item.field.path and not item.aggregate:
        keys = [step.key for step in item.field.path if not step.is_index]
        name = keys[-1] if keys else item.field.name
    return Output(item.field, name, item.cast, item.aggregate, item.aggregate_cast)


def _without_star(outputs: tuple[Output, ...], relation: Relation | None) -> tuple[Output, ...]:
    """The columns of `*` by their names."""
    if relation is None:
        return outputs
    columns = tuple(Output(Field(name)) for name in relation.columns)
    parts = ((columns if o.field.name == "*" and not o.aggregate else (o,)) for o in outputs)
    return tuple(output for part in parts for output in part)


def _exposed(outputs: tuple[Output, ...]) -> tuple[tuple[Output, ...], tuple[SpreadOutput, ...]]:
    """A spread level's columns without their aggregates, and what the level above makes of them."""
    plain, exposed = [], []
    for output in outputs:
        if output.aggregate:
            name = output.name or output.aggregate
            whole = output.field.name == "*"
            plain.append(output._replace(name=name, aggregate=None, aggregate_cast=None, whole_row=whole))
            exposed.append(SpreadOutput(name, name, output.aggregate, output.aggregate_cast))
        else:
            plain.append(output)
            exposed.append(SpreadOutput(output.name or output.field.name))
    return tuple(plain), tuple(exposed)


def _aggregates(outputs: Sequence[SpreadOutput]) -> bool:
    return any(output.aggregate for output in outputs)


def _raw(output: SpreadOutput) -> SpreadOutput:
    return SpreadOutput(output.column, output.name)


def _is_hidden(node: ReadNode) -> bool:
    return not node.outputs and all(embed.hidden for embed in node.embeds)


def _condition(item: Condition, embeds: tuple[Embed, ...]) -> PlannedCondition:
    if isinstance(item, Logic):
        return PlannedLogic(item.operator, tuple(_condition(t, embeds) for t in item.terms), item.negated)
    return _null_embed(item, embeds) or item


def _null_embed(item: Filter, embeds: tuple[Embed, ...]) -> NullEmbed | None:
    operation = item.operation
    if item.field.path or operation.keyword not in ("NULL", "NOT NULL"):
        return None
    for embed in embeds:
        if embed.name == item.field.name:
            return NullEmbed(embed.alias, (operation.keyword == "NULL") != operation.negated)
    return None


def _order(term: OrderTerm, origin: _Origin, embeds: tuple[Embed, ...]) -> PlannedOrder:
    if term.relation is None:
        return PlannedOrder(term)
    for embed in embeds:
        if embed.name == term.relation:
            if embed.form not in ("object", "spread-one"):
                raise errors.related_order(origin.source[1], embed.name)
            return PlannedOrder(term, embed.alias)
    raise errors.not_embedded(term.relation)
