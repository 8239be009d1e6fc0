"""The relationships by which relations can be embedded: from foreign keys, through views, over junctions, by functions.

Upstream: https://docs.postgrest.org/en/stable/references/api/resource_embedding.html
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import product

from localbase.postgres.schema_cache.cache import Catalog, Key, Name, ViewDependencies
from localbase.rest.errors import RestError
from localbase.rest.suggestions import closest_match, ranked

MANY_TO_ONE = "many-to-one"
ONE_TO_MANY = "one-to-many"
ONE_TO_ONE = "one-to-one"
MANY_TO_MANY = "many-to-many"
COMPUTED = "computed"
_CARDINALITIES = (ONE_TO_MANY, MANY_TO_ONE, ONE_TO_ONE, MANY_TO_MANY, COMPUTED)

Pairs = tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class Junction:
    """The relation in the middle of a many-to-many. Pairs lead from the source, or target, to the junction."""

    table: Name
    source_constraint: str
    target_constraint: str
    source_columns: Pairs
    target_columns: Pairs


@dataclass(frozen=True, slots=True)
class Relationship:
    """The relationship of `table` to `foreign`. `columns` pair the table's columns with the foreign ones."""

    table: Name
    foreign: Name
    cardinality: str
    constraint: str = ""
    columns: Pairs = ()
    junction: Junction | None = None
    function: Name | None = None
    to_one: bool = False
    table_is_view: bool = False
    foreign_is_view: bool = False
    # Of a one-to-one: whether `table` is the side that the key refers to.
    is_parent: bool = False

    @property
    def is_self(self) -> bool:
        """Tell whether a relation refers to itself."""
        return self.table == self.foreign


Relationships = Mapping[Name, tuple[Relationship, ...]]


def relationships_of(catalog: Catalog, schemas: Sequence[str]) -> Relationships:
    """All relationships between exposed relations, by the relation that they start from."""
    direct = key_relationships(catalog)
    everything = direct + [_inverse(item) for item in direct] + _over_junctions(direct, catalog)
    computed = [
        Relationship(
            item.table,
            item.foreign_table,
            COMPUTED,
            function=item.function,
            to_one=item.to_one,
        )
        for item in catalog.computed
    ]
    # A function named like a related relation replaces the relationship to it.
    computed_targets = {(item.table, item.function) for item in computed}
    by_table: dict[Name, list[Relationship]] = {}
    for item in [
        *computed,
        *(item for item in everything if (item.table, item.foreign) not in computed_targets),
    ]:
        if item.table[0] in schemas and item.foreign[0] in schemas:
            # Over a junction that is not exposed there is no way, yet its ends count as related for the hints.
            relationships = by_table.setdefault(item.table, [])
            if item.junction is None or item.junction.table[0] in schemas:
                relationships.append(item)
    return {name: tuple(sorted(items, key=_order)) for name, items in by_table.items()}


def key_relationships(catalog: Catalog) -> list[Relationship]:
    """Foreign keys in their own direction, those that views show included."""
    direct = _from_foreign_keys(catalog.keys)
    return direct + _through_views(direct, catalog.keys, catalog.origins)


def _order(item: Relationship) -> tuple[object, ...]:
    """Upstream's order, which shows in its list of ambiguous relationships."""
    junction = item.junction
    way = (junction.table, junction.source_constraint, junction.target_constraint) if junction else ()
    return (
        item.foreign,
        item.is_self,
        _CARDINALITIES.index(item.cardinality),
        item.constraint,
        item.columns,
        way,
    )


def _from_foreign_keys(keys: Iterable[Key]) -> list[Relationship]:
    keys = tuple(keys)
    unique = {(key.oid, frozenset(key.positions)) for key in keys if key.kind in ("p", "u")}
    relationships = []
    for key in keys:
        if key.kind == "f":
            single = (key.oid, frozenset(key.positions)) in unique
            pairs = tuple(zip(key.columns, key.foreign_columns, strict=True))
            cardinality = ONE_TO_ONE if single else MANY_TO_ONE
            relationships.append(
                Relationship(key.table, key.foreign_table, cardinality, key.name, pairs, to_one=True)
            )
    return relationships


def _through_views(
    direct: list[Relationship], keys: Iterable[Key], origins: tuple[ViewDependencies, ...]
) -> list[Relationship]:
    """A view that shows all columns of one side of a key takes the place of that side's table."""
    shown: dict[tuple[int, int], list[tuple[Name, tuple[str, ...]]]] = {}
    for origin in origins:
        for place, columns in origin.columns.items():
            shown.setdefault(place, []).append((origin.view, columns))
    by_constraint = {(key.table, key.name): key for key in keys if key.kind == "f"}
    relationships = []
    for item in direct:
        key = by_constraint[item.table, item.constraint]
        sources = list(_showing(shown, key.oid, key.positions))
        targets = list(_showing(shown, key.foreign_oid, key.foreign_positions))
        own, foreign = [c for c, _ in item.columns], [c for _, c in item.columns]
        for view, columns in sources:
            pairs = tuple(zip(columns, foreign, strict=True))
            relationships.append(replace(item, table=view, columns=pairs, table_is_view=True))
        for view, columns in targets:
            pairs = tuple(zip(own, columns, strict=True))
            relationships.append(replace(item, foreign=view, columns=pairs, foreign_is_view=True))
        for (view, columns), (other, others) in product(sources, targets):
            pairs = tuple(zip(columns, others, strict=True))
            relationships.append(
                replace(
                    item, table=view, foreign=other, columns=pairs, table_is_view=True, foreign_is_view=True
                )
            )
    return relationships


def _showing(
    shown: Mapping[tuple[int, int], list[tuple[Name, tuple[str, ...]]]], oid: int, positions: tuple[int, ...]
) -> Iterable[tuple[Name, tuple[str, ...]]]:
    """Views that show all of a table's columns at `positions`, with each choice of their own columns for them."""
    by_position = [dict(shown.get((oid, position), ())) for position in positions]
    for view in by_position[0]:
        if all(view in views for views in by_position):
            for columns in product(*(views[view] for views in by_position)):
                yield view, columns


def _inverse(item: Relationship) -> Relationship:
    single = item.cardinality == ONE_TO_ONE
    return Relationship(
        item.foreign,
        item.table,
        ONE_TO_ONE if single else ONE_TO_MANY,
        item.constraint,
        tuple((b, a) for a, b in item.columns),
        to_one=single,
        table_is_view=item.foreign_is_view,
        foreign_is_view=item.table_is_view,
        is_parent=single,
    )


def _over_junctions(direct: list[Relationship], catalog: Catalog) -> list[Relationship]:
    """Two many-to-one keys of one relation, both within its primary key, join what they refer to."""
    primary = {key.table: frozenset(key.columns) for key in catalog.keys if key.kind == "p"}
    primary |= {name: frozenset(item.primary_key) for name, item in catalog.relations.items() if item.is_view}
    outgoing: dict[Name, list[Relationship]] = {}
    for item in direct:
        if item.cardinality == MANY_TO_ONE:
            outgoing.setdefault(item.table, []).append(item)
    relationships = []
    for table, items in outgoing.items():
        key = primary.get(table, frozenset())
        for source, target in product(items, items):
            used = {column for column, _ in (*source.columns, *target.columns)}
            if source.constraint == target.constraint or not used <= key:
                continue
            junction = Junction(
                table,
                source.constraint,
                target.constraint,
                tuple((b, a) for a, b in source.columns),
                tuple((b, a) for a, b in target.columns),
            )
            relationships.append(
                Relationship(
                    source.foreign,
                    target.foreign,
                    MANY_TO_MANY,
                    junction=junction,
                    table_is_view=source.foreign_is_view,
                    foreign_is_view=target.foreign_is_view,
                )
            )
    return relationships


def find_relationship(
    relationships: Relationships, origin: Name, target: str, hint: str | None
) -> Relationship:
    """The one relationship that `origin?select=target!hint(…)` means. Raises PGRST200 or PGRST201."""
    schema = origin[0]
    candidates = [item for item in relationships.get(origin, ()) if item.foreign[0] == schema]
    matching = [item for item in candidates if _matches(item, target, hint)]
    if len(matching) == 1:
        return matching[0]
    if not matching:
        raise _no_relationship(relationships, origin, target, hint)
    raise _ambiguous(origin[1], target, matching)


def _matches(item: Relationship, target: str, hint: str | None) -> bool:
    if item.function:
        return target == item.function[1]
    own = item.columns[0][0] if len(item.columns) == 1 else None
    other = item.columns[0][1] if len(item.columns) == 1 else None
    if item.is_self:
        # One key gives two directions here: the relation's name means the many, the key's column means the one.
        if hint is None:
            by_name = target == item.foreign[1] and item.cardinality == ONE_TO_MANY
            return by_name or (target == own and item.cardinality == MANY_TO_ONE)
        return target == item.foreign[1] and item.cardinality == ONE_TO_MANY and hint == other
    if hint is None:
        by_key = item.constraint == target if item.constraint else False
        return target == item.foreign[1] or (not item.foreign_is_view and (by_key or target == own))
    if target != item.foreign[1]:
        return False
    if item.junction:
        return hint == item.junction.table[1]
    return hint in (item.constraint, own, other)


def _no_relationship(relationships: Relationships, origin: Name, target: str, hint: str | None) -> RestError:
    schema, name = origin
    suggestion = None
    if origin in relationships:
        children = [item.foreign[1] for item in relationships[origin] if item.foreign[0] == schema]
        near = [child for likeness, child in ranked(target, children) if likeness < 1]
        if near:
            suggestion = f"Perhaps you meant '{near[0]}' instead of '{target}'."
    else:
        parent = closest_match(name, (table for s, table in relationships if s == schema))
        if parent:
            suggestion = f"Perhaps you meant '{parent}' instead of '{name}'."
    using = f"' using the hint '{hint}" if hint else ""
    return RestError(
        400,
        "PGRST200",
        f"Could not find a relationship between '{name}' and '{target}' in the schema cache",
        details=f"Searched for a foreign key relationship between '{name}' and '{target}{using}' in the "
        f"schema '{schema}', but no matches were found.",
        hint=suggestion,
    )


def _ambiguous(origin: str, target: str, matching: list[Relationship]) -> RestError:
    choices = ", ".join(
        f"'{item.foreign[1]}!{item.junction.table[1] if item.junction else item.constraint}'"
        for item in matching
    )
    return RestError(
        300,
        "PGRST201",
        f"Could not embed because more than one relationship was found for '{origin}' and '{target}'",
        hint=f"Try changing '{target}' to one of the following: {choices}. Find the desired relationship in "
        "the 'details' key.",
        structured=[_described(item) for item in matching],
    )


def _described(item: Relationship) -> dict[str, str]:
    embedding = f"{item.table[1]} with {item.foreign[1]}"
    if item.junction:
        source = ", ".join(column for _, column in item.junction.source_columns)
        target = ", ".join(column for _, column in item.junction.target_columns)
        used = (
            f"{item.junction.table[1]} using {item.junction.source_constraint}({source}) "
            f"and {item.junction.target_constraint}({target})"
        )
    else:
        own = ", ".join(column for column, _ in item.columns)
        other = ", ".join(column for _, column in item.columns)
        used = f"{item.constraint} using {item.table[1]}({own}) and {item.foreign[1]}({other})"
    return {"cardinality": item.cardinality, "embedding": embedding, "relationship": used}
