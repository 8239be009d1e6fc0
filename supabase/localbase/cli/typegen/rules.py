"""The columns of a view that can be null, read from the rule that Postgres stores for it (a pg_node_tree).

A column that shows a table's column through no outer join is as that column is. Everything else can be null.
"""

from __future__ import annotations

import re
from typing import Any

_TOKEN = re.compile(r"[(){}]|(?:\\.|[^\s(){}\\])+", re.DOTALL)
_RELATION = 0  # RTE_RELATION

Node = dict[str, Any]


def shown_columns(rule: str) -> dict[int, tuple[int, int]]:
    """The columns that are a table's as they are: position in the view → (relation's oid, position there)."""
    tree, _ = _value(_TOKEN.findall(rule), 0)
    query = tree[0] if isinstance(tree, list) and tree else {}
    columns = {}
    entries = query.get("rtable", [])
    for target in query.get("targetList", []):
        shown = target.get("expr")
        if not isinstance(shown, dict) or shown.get("") != "VAR" or shown.get("varlevelsup") != "0":
            continue
        # Before Postgres 16 a rule does not say which joins may null a column.
        if shown.get("varnullingrels", "") not in (["b"], "<>"):
            continue
        number = int(shown["varno"])
        entry = entries[number - 1] if 0 < number <= len(entries) else {}
        if entry.get("rtekind") == str(_RELATION):
            columns[int(target["resno"])] = (int(entry["relid"]), int(shown["varattno"]))
    return columns


def _value(tokens: list[str], at: int) -> tuple[Any, int]:
    """The value that begins at a token, and where the next one begins."""
    if tokens[at] == "{":
        return _node(tokens, at + 1)
    if tokens[at] == "(":
        items = []
        at += 1
        while tokens[at] != ")":
            item, at = _value(tokens, at)
            items.append(item)
        return items, at + 1
    return tokens[at], at + 1


def _node(tokens: list[str], at: int) -> tuple[Node, int]:
    """A node: its name under the empty key, and its fields. A field with several values has the first."""
    node: Node = {"": tokens[at]}
    at += 1
    field = ""
    while tokens[at] != "}":
        if tokens[at].startswith(":"):
            field = tokens[at][1:]
            at += 1
            continue
        item, at = _value(tokens, at)
        node.setdefault(field, item)
    return node, at + 1
