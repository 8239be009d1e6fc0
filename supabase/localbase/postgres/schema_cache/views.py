"""The origins of a view's columns, read from the rule that Postgres stores for it (a pg_node_tree).

A view that shows a table's keys takes the table's place in the Data API's relationships; only the rule shows it.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

Name = tuple[str, str]
"""A schema and a name in it."""


@dataclass(frozen=True, slots=True)
class ViewDependencies:
    """A view's columns by the table's columns they show: (table's oid, column's position) → the view's column names."""

    view: Name
    columns: Mapping[tuple[int, int], tuple[str, ...]]


# In a rule's text (a pg_node_tree) braces hold nodes and parentheses lists; a backslash takes the sign after it.
_RULE_TOKEN = re.compile(r"\\.|[(){}]|:targetList |:(resno|resorigtbl|resorigcol) (\d+)", re.DOTALL)


def targets_of_rule(rule: str) -> dict[int, tuple[int, int]]:
    """The outermost query's columns that show a relation's column: position → (relation's oid, its position)."""
    depth = 0
    listing = False
    entry: dict[str, int] = {}
    targets: dict[int, tuple[int, int]] = {}
    for token in _RULE_TOKEN.finditer(rule):
        text = token[0]
        if text in ("(", "{"):
            depth += 1
        elif text in (")", "}"):
            depth -= 1
            if listing and depth == 2:
                listing = False
            if depth == 3 and entry:
                if entry.get("resorigtbl") and entry.get("resorigcol"):
                    targets[entry["resno"]] = (entry["resorigtbl"], entry["resorigcol"])
                entry = {}
        elif depth == 2 and text == ":targetList ":
            listing = True
        elif listing and depth == 4 and token[1]:
            entry[token[1]] = int(token[2])
    return targets


def view_dependencies_of(views: list[dict[str, Any]]) -> tuple[ViewDependencies, ...]:
    """The origins of views that are given with their schema, name, oid, rule and columns by position."""
    targets = {view["oid"]: targets_of_rule(view["rule"]) for view in views}

    def base(target: tuple[int, int], seen: frozenset[int]) -> list[tuple[int, int]]:
        """The target itself and, where it is a view's column, what that column shows."""
        oid, position = target
        below = targets.get(oid, {}).get(position)
        return [target, *(base(below, seen | {oid}) if below and oid not in seen else [])]

    result = []
    for view in views:
        columns: dict[tuple[int, int], tuple[str, ...]] = {}
        for position, target in targets[view["oid"]].items():
            name = (view["columns"] or {}).get(str(position))
            if name is not None:
                for origin in base(target, frozenset({view["oid"]})):
                    columns[origin] = (*columns.get(origin, ()), name)
        result.append(ViewDependencies((view["schema"], view["name"]), MappingProxyType(columns)))
    return tuple(result)
