"""Fields, conditions and order terms as SQL."""

from __future__ import annotations

from collections.abc import Callable

from localbase.postgres.schema_cache.cache import Relation
from localbase.rest.api_request.grammar.terms import Field, Filter, JsonStep, Operation
from localbase.rest.plan.nodes import NullEmbed, Output, PlannedCondition, PlannedLogic, PlannedOrder
from localbase.rest.sql.text import Parameters, identifier, literal, type_name

_COMPARISONS = {
    "eq": "=",
    "neq": "<>",
    "gt": ">",
    "gte": ">=",
    "lt": "<",
    "lte": "<=",
    "like": "like",
    "ilike": "ilike",
    "match": "~",
    "imatch": "~*",
    "cs": "@>",
    "cd": "<@",
    "ov": "&&",
    "sl": "<<",
    "sr": ">>",
    "nxr": "&<",
    "nxl": "&>",
    "adj": "-|-",
    "isdistinct": "IS DISTINCT FROM",
}
_SEARCHES = {
    "fts": "to_tsquery",
    "plfts": "plainto_tsquery",
    "phfts": "phraseto_tsquery",
    "wfts": "websearch_to_tsquery",
}
# Patterns are no values of a domain, so its representation does not read them. Nor does upstream for `isdistinct`.
_AS_IT_IS = ("like", "ilike", "isdistinct")
_DIRECTIONS = {"": "", "asc": " ASC", "desc": " DESC"}
_NULLS = {"": "", "nullsfirst": " NULLS FIRST", "nullslast": " NULLS LAST"}

NullEmbedSql = Callable[[NullEmbed], str]


def column_sql(alias: str, name: str) -> str:
    """A column, or all of them, of the relation with this alias."""
    return f"{identifier(alias)}.{'*' if name == '*' else identifier(name)}"


def field_sql(alias: str, relation: Relation | None, field: Field) -> str:
    """A column with its JSON path. What is no JSON, a composite or an array, becomes JSON for the path."""
    column = column_sql(alias, field.name)
    if not field.path:
        return column
    catalog_column = relation.columns.get(field.name) if relation else None
    if catalog_column is None or catalog_column.type not in ("json", "jsonb"):
        column = f"to_jsonb({column})"
    return column + "".join(_step_sql(step) for step in field.path)


def _step_sql(step: JsonStep) -> str:
    # An index stays a quoted constant with a cast, so that a number too great is Postgres's error and not ours.
    return f"{step.arrow}{literal(step.key)}{'::int' if step.is_index else ''}"


def output_sql(alias: str, relation: Relation | None, output: Output) -> str:
    """A selected field with casts, aggregate and name."""
    sql = identifier(alias) if output.whole_row else field_sql(alias, relation, output.field)
    name = output.name
    if output.aggregate == "count" and output.field.name == "*":
        sql = "*"
    column = relation.columns.get(output.field.name) if relation else None
    if column and column.to_json and not output.field.path:
        sql = f"{column.to_json}({sql})"
        name = name or (output.field.name if not output.aggregate else None)
    if output.cast:
        sql = cast_sql(sql, output.cast)
    sql = aggregate_sql(sql, output.aggregate, output.aggregate_cast)
    return f"{sql} AS {identifier(name)}" if name else sql


def cast_sql(sql: str, type_: str) -> str:
    """A client's cast."""
    return f"CAST({sql} AS {type_name(type_)})"


def aggregate_sql(sql: str, aggregate: str | None, cast: str | None) -> str:
    """`sql` under an aggregate; the grammar admits five names."""
    if not aggregate:
        return sql
    sql = f"{aggregate}({sql})"
    return cast_sql(sql, cast) if cast else sql


def condition_sql(
    alias: str,
    relation: Relation | None,
    condition: PlannedCondition,
    parameters: Parameters,
    null_embed: NullEmbedSql,
) -> str:
    """One condition, nested ones in brackets. `null_embed` is the SQL for an embedding's absence."""
    if isinstance(condition, NullEmbed):
        return null_embed(condition)
    if isinstance(condition, PlannedLogic):
        terms = [condition_sql(alias, relation, term, parameters, null_embed) for term in condition.terms]
        joined = f" {condition.operator.upper()} ".join(terms)
        return f"{'NOT ' if condition.negated else ''}({joined})"
    return _filter_sql(alias, relation, condition, parameters)


def _filter_sql(alias: str, relation: Relation | None, item: Filter, parameters: Parameters) -> str:
    operation = item.operation
    left = field_sql(alias, relation, item.field)
    negation = "NOT " if operation.negated else ""
    if operation.operator == "is":
        return f"{negation}{left} IS {operation.keyword}"
    if operation.operator in _SEARCHES:
        return negation + _search_sql(left, relation, item, parameters)
    column = relation.columns.get(item.field.name) if relation else None
    reads = column.from_text if column and operation.operator not in _AS_IT_IS else None
    if operation.items:
        places = range(operation.operand, operation.operand + operation.items)
        items = [parameters.use(place) for place in places]
        # Upstream asks for one array, which a column that holds arrays itself cannot be compared with.
        if column and column.type.endswith("[]") and not item.field.path:
            return f"{negation}{left} = ANY (ARRAY[{', '.join(items)}]::text[])"
        return f"{negation}{left} IN ({', '.join(f'{reads}({each})' if reads else each for each in items)})"
    value = parameters.use(operation.operand)
    if operation.operator == "in":
        values = f"SELECT {reads}(unnest({value}::text[]))" if reads else value
        return f"{negation}{left} = ANY ({values})"
    value = f"{reads}({value})" if reads else value
    return f"{negation}{left} {_COMPARISONS[operation.operator]} {_quantified(value, operation)}"


def _quantified(value: str, operation: Operation) -> str:
    return f"{operation.quantifier.upper()} ({value})" if operation.quantifier else value


def _search_sql(left: str, relation: Relation | None, item: Filter, parameters: Parameters) -> str:
    """Full text search; a value that is no document becomes one in the same language."""
    operation = item.operation
    language = f"{literal(operation.language)}, " if operation.language else ""
    column = relation.columns.get(item.field.name) if relation else None
    # What is no column is computed: its type is not known, so it is taken as it is.
    if column is not None and column.type != "tsvector":
        left = f"to_tsvector({language}{left})"
    return f"{left} @@ {_SEARCHES[operation.operator]}({language}{parameters.use(operation.operand)})"


def order_sql(alias: str, relation: Relation | None, planned: PlannedOrder) -> str:
    """One order term."""
    term = planned.term
    of_embed = planned.embed is not None
    sql = field_sql(planned.embed or alias, None if of_embed else relation, term.field)
    return f"{sql}{_DIRECTIONS[term.direction]}{_NULLS[term.nulls]}"
