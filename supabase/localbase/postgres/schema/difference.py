"""The SQL that makes one database's schema another's."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping

from localbase.postgres.schema.model import Key, SchemaModel, SchemaObject, Statement, comment_statements
from localbase.postgres.schema.plan import make_plan, ordered, reaches
from localbase.postgres.schema.privileges import (
    access_statements,
    default_statements,
    initial_privileges,
)
from localbase.postgres.schema.tables import Column, Constraint, Table
from localbase.postgres.schema.types import CustomType


def difference(before: SchemaModel, after: SchemaModel) -> list[Statement]:
    """The statements, in their order, that make `before` equal to `after`. None for equal ones."""
    return list(_Writer(before, after).statements())


class _Writer:
    def __init__(self, before: SchemaModel, after: SchemaModel) -> None:
        self._before, self._after = before, after
        self._plan = make_plan(before, after)
        # Objects that are made in one statement with another: columns with their table.
        self._parts: dict[Key, list[SchemaObject]] = defaultdict(list)

    def statements(self) -> Iterator[Statement]:
        plan, old = self._plan, self._before.objects
        yield from self._drops(plan.first)
        for key in sorted(plan.altered):
            if isinstance(column := old[key], Column):
                yield from map(Statement, column.clear(self._after.objects[key]))
        for key in sorted(plan.aside):
            if isinstance(item := old[key], CustomType):
                yield from map(Statement, item.move_aside())
        yield from self._makes()
        yield from map(Statement, self._rights())
        yield from self._drops(plan.last)
        for key in reversed(ordered(plan.aside, self._before.depends)):
            if isinstance(item := old[key], CustomType):
                yield from map(Statement, item.drop_aside())

    def _drops(self, keys: set[Key]) -> Iterator[Statement]:
        """Users before what they use. What goes with its table needs no statement."""
        old = self._before.objects
        owners = {key: self._dropped_owner(key, keys) for key in keys}
        needs: dict[Key, set[Key]] = defaultdict(set)
        for key in keys:
            needs[owners[key]].update(owners.get(need, need) for need in self._before.depends.get(key, ()))
        for key in reversed(ordered(set(owners.values()), needs)):
            item = old[key]
            loss = f"{item.address} and what is in it" if item.loses_data() else ""
            yield from (Statement(text, loss) for text in item.drop())

    def _dropped_owner(self, key: Key, keys: set[Key]) -> Key:
        """The object whose DROP takes `key` away: itself, or its table."""
        item = self._before.objects[key]
        if isinstance(item, Constraint) and item.foreign in keys and item.foreign != item.parent:
            return key  # the table that it refers to could go first
        if item.parent in keys and item.parent is not None:
            return self._dropped_owner(item.parent, keys)
        return key

    def _makes(self) -> Iterator[Statement]:
        plan, new, old = self._plan, self._after.objects, self._before.objects
        needs = self._fold(plan.made)
        folded = {part.key for parts in self._parts.values() for part in parts}
        keys = ordered((plan.made | plan.altered | plan.retyped) - folded, needs)
        schemas = [key for key in keys if key.kind == "schema"]
        for key in schemas:
            yield from self._one(key)
        present = [key.name for key in new if key.kind == "schema"]
        yield from map(
            Statement, default_statements(self._before.default_access, self._after.default_access, present)
        )
        for key in keys:
            if key.kind != "schema":
                yield from self._one(key)
        for key in ordered(plan.made | plan.altered, {}):
            if isinstance(table := new[key], Table) and table.replica_identity.startswith("using"):
                same = (
                    isinstance(was := old.get(key), Table) and was.replica_identity == table.replica_identity
                )
                if not same or key in plan.made:
                    text = f"alter table {key.address} replica identity {table.replica_identity}"
                    yield Statement(text)

    def _one(self, key: Key) -> Iterator[Statement]:
        plan, item = self._plan, self._after.objects[key]
        was = self._before.objects.get(key)
        parts = self._parts.get(key, [])
        if key in plan.made or was is None:
            texts = item.create(parts) if isinstance(item, Column | Table) else item.create()
            comments: Mapping[str, str] = {}
        else:
            retyped = key in plan.retyped and isinstance(item, Column) and isinstance(was, Column)
            texts = was.alter(item) or []
            if retyped and isinstance(item, Column) and isinstance(was, Column) and not was.disturbs(item):
                texts = [*was.retype(item), *texts]
            comments = was.comments
        yield from map(Statement, texts)
        yield from map(Statement, comment_statements(comments, item.comments))
        for part in parts:
            yield from map(Statement, comment_statements({}, part.comments))

    def _fold(self, made: set[Key]) -> Mapping[Key, Iterable[Key]]:
        """Has columns, defaults and constraints made with their table. Returns what each object needs then."""
        after = self._after
        needs: dict[Key, set[Key]] = {key: set(value) for key, value in after.depends.items()}
        for key, item in after.objects.items():
            table = self._folds_into(key, item, made)
            if table is None:
                continue
            own = {need for need in needs[key] if need not in (table, item.parent)}
            # A default that calls a function on the table's own rows can only come after both.
            rest = {need for need in own if not _within(need, table, after.objects)}
            if not isinstance(item, Column) and reaches(rest, table, lambda need: needs.get(need, ())):
                continue
            self._parts[table].append(item)
            needs.setdefault(table, set()).update(rest)
        owners = {part.key: table for table, parts in self._parts.items() for part in parts}
        return {key: {owners.get(need, need) for need in value} for key, value in needs.items()}

    def _folds_into(self, key: Key, item: SchemaObject, made: set[Key]) -> Key | None:
        if key not in made or item.parent is None:
            return None
        if key.kind == "default" and item.parent in made:
            table = Key("table", key.schema, key.name)
            return table if table in made else item.parent
        if key.kind == "column" and item.parent in made:
            return item.parent
        if isinstance(item, Constraint) and item.type != "f" and item.parent in made:
            table_item = self._after.objects[item.parent]
            # A partition's own constraints cannot be said where it is made.
            return None if isinstance(table_item, Table) and table_item.bound else item.parent
        return None

    def _rights(self) -> Iterator[str]:
        """GRANT and REVOKE, when everything that they name is there."""
        plan, old, new = self._plan, self._before.objects, self._after.objects
        columns = {(key.schema, key.name, key.part) for key in new if key.kind == "column"}
        for key in ordered(new, {}):
            access = new[key].access
            if access is None:
                continue
            was = old.get(key)
            if key in plan.made or was is None or was.access is None:
                before = initial_privileges(self._after.default_access, access.type, key.schema)
            else:
                before = frozenset(
                    right
                    for right in was.access.privileges
                    if not right.column
                    or key.kind != "table"
                    or (
                        (key.schema, key.name, right.column) in columns
                        and Key("column", key.schema, key.name, right.column) not in plan.made
                    )
                )
            yield from access_statements(before, access)


def _within(key: Key, table: Key, objects: Mapping[Key, SchemaObject]) -> bool:
    item = objects.get(key)
    return item is not None and item.parent == table


def to_sql(statements: Iterable[Statement]) -> str:
    """A script: a blank line after each statement that has several lines, and one before."""
    lines: list[str] = []
    for statement in statements:
        text = f"{statement.sql};"
        if "\n" in text and lines and lines[-1]:
            lines.append("")
        lines.append(text)
        if "\n" in text:
            lines.append("")
    return "\n".join(lines).rstrip("\n") + "\n" if lines else ""
