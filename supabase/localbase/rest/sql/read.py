"""A read plan as a query, and as the query that counts its rows."""

from __future__ import annotations

from localbase.rest.api_request.grammar.terms import Field
from localbase.rest.plan.nodes import Embed, NullEmbed, Output, ReadNode, SpreadOutput
from localbase.rest.sql.fields import (
    NullEmbedSql,
    aggregate_sql,
    column_sql,
    condition_sql,
    order_sql,
    output_sql,
)
from localbase.rest.sql.text import Parameters, identifier, qualified

RESULT = "pgrst_source"
"""The name of what a write or call gave."""

_ROWS = "pgrst_rows"


def read_sql(node: ReadNode, parameters: Parameters) -> str:
    """The rows of a level: its columns, then its embeddings."""
    outputs = _expanded(node)
    items = [(output_sql(node.alias, node.relation, output), bool(output.aggregate)) for output in outputs]
    for embed in node.embeds:
        items += _embed_items(embed)
    if not items and node.relationship:
        items = [("1 AS pgrst_one", False)]
    parts = [f"SELECT {', '.join([sql for sql, _ in items])}", f"FROM {_source(node)}"]
    parts += [_join(embed, parameters) for embed in node.embeds]
    null_embed = _null_embed(node)
    conditions = [
        condition_sql(node.alias, node.relation, item, parameters, null_embed) for item in node.conditions
    ]
    conditions += _join_conditions(node)
    if conditions:
        parts.append(f"WHERE {' AND '.join(conditions)}")
    if node.aggregates:
        groups = [str(place) for place, (_, aggregated) in enumerate(items, 1) if not aggregated]
        if groups:
            parts.append(f"GROUP BY {', '.join(groups)}")
    if node.order:
        parts.append(f"ORDER BY {', '.join([order_sql(node.alias, node.relation, o) for o in node.order])}")
    parts += _limit(node, parameters)
    return " ".join(parts)


def count_sql(node: ReadNode, parameters: Parameters) -> str:
    """One row for each row that the level has without limits. Inner embeddings filter, others do not matter."""
    by_alias = {embed.alias: embed for embed in node.embeds}

    def null_embed(item: NullEmbed) -> str:
        negation = "NOT " if item.wants_null else ""
        return f"{negation}EXISTS ({count_sql(by_alias[item.alias].node, parameters)})"

    conditions = [
        condition_sql(node.alias, node.relation, item, parameters, null_embed) for item in node.conditions
    ]
    conditions += _join_conditions(node)
    conditions += [f"EXISTS ({count_sql(e.node, parameters)})" for e in node.embeds if e.inner]
    where = f" WHERE {' AND '.join(conditions)}" if conditions else ""
    return f"SELECT 1 FROM {_source(node)}{where}"


def _expanded(node: ReadNode) -> tuple[Output, ...]:
    """A result that carries computed columns has more than `*` should show: then the columns are named."""
    if not (node.from_result and node.relation):
        return node.outputs
    catalog_columns = node.relation.columns
    names = [output.field.name for output in node.outputs]
    if "*" not in names or all(name == "*" or name in catalog_columns for name in names):
        return node.outputs
    columns = tuple(Output(Field(name)) for name in catalog_columns)
    parts = (columns if o.field.name == "*" and not o.aggregate else (o,) for o in node.outputs)
    return tuple(output for part in parts for output in part)


def _source(node: ReadNode) -> str:
    alias = identifier(node.alias)
    if node.from_result:
        return f"{RESULT} AS {alias}"
    relationship = node.relationship
    if relationship and relationship.function:
        row = identifier(node.parent)
        if node.parent_row:
            # The result of a write or call is an anonymous record, and may hold more than the row.
            row = f"ROW({', '.join(column_sql(node.parent, name) for name in node.parent_row)})"
        return f"{qualified(relationship.function)}({row}::{qualified(relationship.table)}) AS {alias}"
    source = f"{qualified(node.source)} AS {alias}"
    if relationship and relationship.junction:
        source += f", {qualified(relationship.junction.table)} AS {_junction_alias(node)}"
    return source


def _junction_alias(node: ReadNode) -> str:
    return identifier(f"pgrst_junction_of_{node.alias}"[:63])


def _join_conditions(node: ReadNode) -> list[str]:
    relationship = node.relationship
    if relationship is None or relationship.function:
        return []
    if relationship.junction:
        junction = _junction_alias(node)
        return [
            *(
                f"{column_sql(node.parent, own)} = {junction}.{identifier(joined)}"
                for own, joined in relationship.junction.source_columns
            ),
            *(
                f"{column_sql(node.alias, own)} = {junction}.{identifier(joined)}"
                for own, joined in relationship.junction.target_columns
            ),
        ]
    return [
        f"{column_sql(node.alias, foreign)} = {column_sql(node.parent, own)}"
        for own, foreign in relationship.columns
    ]


def _join(embed: Embed, parameters: Parameters) -> str:
    """An embedding as a lateral join: rows for a to-one, one row with a list for a to-many."""
    alias = identifier(embed.alias)
    query = read_sql(embed.node, parameters)
    kind = "INNER" if embed.inner else "LEFT"
    if embed.form in ("object", "spread-one"):
        return f"{kind} JOIN LATERAL ({query}) AS {alias} ON TRUE"
    if embed.form == "array":
        query = f"SELECT json_agg({alias})::jsonb AS {_ROWS} FROM ({query}) AS {alias}"
    else:
        lists = "".join(f", {_spread_list(embed.alias, output)}" for output in embed.spread)
        query = f"SELECT nullif(count(*), 0) AS {_ROWS}{lists} FROM ({query}) AS {alias}"
    condition = f"{alias}.{_ROWS} IS NOT NULL" if embed.inner else "TRUE"
    return f"{kind} JOIN LATERAL ({query}) AS {alias} ON {condition}"


def _spread_list(alias: str, output: SpreadOutput) -> str:
    column = column_sql(alias, output.column)
    return f"coalesce(json_agg({column}), '[]')::jsonb AS {identifier(output.column)}"


def _embed_items(embed: Embed) -> list[tuple[str, bool]]:
    """Return what an embedding adds to its level's columns, and whether that is an aggregate.

    It is jsonb, as upstream has it: rows can be grouped by it, and its keys come in jsonb's order.
    """
    alias = identifier(embed.alias)
    if embed.form == "object":
        return [] if embed.hidden else [(f"row_to_json({alias})::jsonb AS {identifier(embed.name)}", False)]
    if embed.form == "array":
        rows = f"coalesce({alias}.{_ROWS}, '[]')"
        return [] if embed.hidden else [(f"{rows} AS {identifier(embed.name)}", False)]
    items = []
    for output in embed.spread:
        sql = column_sql(embed.alias, output.column)
        sql = aggregate_sql(sql, output.aggregate, output.aggregate_cast)
        items.append((f"{sql} AS {identifier(output.name)}" if output.name else sql, bool(output.aggregate)))
    return items


def _null_embed(node: ReadNode) -> NullEmbedSql:
    by_alias = {embed.alias: embed for embed in node.embeds}

    def sql(item: NullEmbed) -> str:
        alias = identifier(item.alias)
        if by_alias[item.alias].form in ("object", "spread-one"):
            # Of a whole row, IS NULL means that every column is null; this means that there is no row.
            return f"({alias} IS {'NOT ' if item.wants_null else ''}DISTINCT FROM NULL)"
        return f"{alias}.{_ROWS} IS {'' if item.wants_null else 'NOT '}NULL"

    return sql


def _limit(node: ReadNode, parameters: Parameters) -> list[str]:
    limit = f"{parameters.use(node.limit)}::bigint" if node.limit is not None else ""
    if node.max_rows is not None:
        limit = f"least({limit}, {node.max_rows})" if limit else str(node.max_rows)
    parts = [f"LIMIT {limit}"] if limit else []
    if node.offset is not None:
        parts.append(f"OFFSET {parameters.use(node.offset)}::bigint")
    return parts
