"""The plan of a change: which columns it writes, which rows it meets, what it gives back."""

from __future__ import annotations

from localbase.postgres.schema_cache.cache import Relation
from localbase.rest import errors
from localbase.rest.api_request.grammar.terms import Condition, Filter, Logic
from localbase.rest.api_request.request import ApiRequest
from localbase.rest.plan.nodes import PlannedCondition, PlannedLogic, ReadNode, Write, WriteColumn
from localbase.rest.relationships import Relationship


def plan_write(api_request: ApiRequest, relation: Relation, read: ReadNode) -> Write:
    """The change that `api_request` wants of `relation`, returning what `read` needs."""
    own = tuple(item for path, item in api_request.query.conditions if not path)
    if api_request.action == "put":
        _check_put(own, relation)
    preferences = api_request.preferences
    returns = preferences.returning in ("representation", "headers-only")
    inserting = api_request.action in ("insert", "put")
    conflict: tuple[str, ...] = ()
    if api_request.action == "put":
        conflict = relation.primary_key
    elif inserting and preferences.resolution:
        conflict = (
            api_request.query.on_conflict
            if api_request.query.on_conflict is not None
            else relation.primary_key
        )
    payload = api_request.payload
    return Write(
        action=api_request.action,
        relation=relation,
        columns=tuple(_column(relation, name) for name in payload.columns) if payload else (),
        is_object=bool(payload and payload.is_object),
        apply_defaults=api_request.action in ("insert", "update") and preferences.missing == "default",
        conditions=tuple(_planned(item) for item in own) if api_request.action != "insert" else (),
        conflict=conflict,
        ignore_conflicts=api_request.action == "insert" and preferences.resolution == "ignore-duplicates",
        counts_inserted=api_request.action == "put"
        or (api_request.action == "insert" and preferences.resolution == "merge-duplicates"),
        returning=needed_columns(read, relation.primary_key) if returns else (),
        location=relation.primary_key
        if api_request.action == "insert" and preferences.returning == "headers-only"
        else (),
    )


def needed_columns(read: ReadNode, keys: tuple[str, ...]) -> tuple[str, ...]:
    """Return what a change or call must give so that `read` can take its columns, joins, order and conditions from it.

    With `*` these are all columns, and beside them only what the relation computes.
    """
    names = [output.field.name for output in read.outputs if not output.whole_row]
    names += [planned.term.field.name for planned in read.order if not planned.embed]
    for condition in read.conditions:
        names += _filtered(condition)
    for embed in read.embeds:
        relationship = embed.node.relationship
        if relationship is not None:
            names += _joining(relationship)
    if "*" in names or any(output.whole_row for output in read.outputs):
        columns = read.relation.columns if read.relation else {}
        computed = (name for name in names if name != "*" and columns and name not in columns)
        return ("*", *dict.fromkeys(computed))
    return tuple(dict.fromkeys((*names, *keys)))


def _joining(relationship: Relationship) -> list[str]:
    """The columns that a join starts from. What a function needs cannot be known."""
    if relationship.function:
        return ["*"]
    if relationship.junction:
        return [column for column, _ in relationship.junction.source_columns]
    return [column for column, _ in relationship.columns]


def _filtered(condition: PlannedCondition) -> list[str]:
    if isinstance(condition, Filter):
        return [condition.field.name]
    if isinstance(condition, PlannedLogic):
        return [name for term in condition.terms for name in _filtered(term)]
    return []


def _planned(item: Condition) -> PlannedCondition:
    """A condition of the change itself: embeddings are not joined there."""
    if isinstance(item, Logic):
        return PlannedLogic(item.operator, tuple(_planned(term) for term in item.terms), item.negated)
    return item


def _column(relation: Relation, name: str) -> WriteColumn:
    column = relation.columns.get(name)
    if column is None:
        raise errors.column_not_found(relation.name, name)
    if column.from_json:
        return WriteColumn(name, "json", column.default, column.from_json)
    return WriteColumn(name, column.nominal, column.default)


def _check_put(conditions: tuple[Condition, ...], relation: Relation) -> None:
    """A PUT names one row by all columns of its primary key, and nothing else."""
    names = set()
    for item in conditions:
        if not isinstance(item, Filter) or item.field.path:
            raise errors.invalid_put_filters()
        operation = item.operation
        if operation.operator != "eq" or operation.negated or operation.quantifier:
            raise errors.invalid_put_filters()
        names.add(item.field.name)
    if not relation.primary_key or names != set(relation.primary_key):
        raise errors.invalid_put_filters()
