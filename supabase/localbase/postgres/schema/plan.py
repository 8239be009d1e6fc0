"""Decides what becomes of each object, and in which order.

Three rounds: what must be made anew goes first, with all that uses it; then everything is made or altered, each object
after those that it needs; what has no successor goes last. Objects that own no rows or values go in the first round:
nothing of the second needs them, and some of it collides with them.
"""

from __future__ import annotations

import heapq
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import get_args

from localbase.postgres.schema.model import Key, Kind, SchemaModel
from localbase.postgres.schema.tables import Column, Constraint
from localbase.postgres.schema.types import CustomType, Enum

_RANK = {kind: place for place, kind in enumerate(get_args(Kind))}
# They are dropped in the first round, even if nothing takes their place.
_LIGHT: frozenset[Kind] = frozenset(
    {
        *("default", "constraint", "index", "trigger", "policy", "rule", "publication member"),
        *("event trigger", "statistics", "sequence owner"),
    }
)
# Postgres carries these over itself when a column gets another type.
_FOLLOWS_TYPE: frozenset[Kind] = frozenset({"index", "statistics", "table", "sequence owner", "sequence"})


@dataclass(slots=True)
class Plan:
    """The keys of each round. `aside` are types that give way to their successors and go last."""

    first: set[Key] = field(default_factory=set)
    made: set[Key] = field(default_factory=set)
    altered: set[Key] = field(default_factory=set)
    last: set[Key] = field(default_factory=set)
    aside: set[Key] = field(default_factory=set)
    # Columns that go over to a type that was made anew.
    retyped: set[Key] = field(default_factory=set)


def make_plan(before: SchemaModel, after: SchemaModel) -> Plan:
    """The objects to drop, make and alter."""
    return _Planner(before, after).plan()


class _Planner:
    def __init__(self, before: SchemaModel, after: SchemaModel) -> None:
        self._before, self._after = before, after
        self._users: dict[Key, set[Key]] = defaultdict(set)
        for key, needs in before.depends.items():
            for need in needs:
                self._users[need].add(key)
        self._plan = Plan()
        # What the parent's own statements take away, with all that uses it.
        self._inherited: set[Key] = set()

    def plan(self) -> Plan:
        old, new, plan = self._before.objects, self._after.objects, self._plan
        gone = {key for key in old.keys() - new.keys() if not old[key].inherited}
        plan.last = {key for key in gone if key.kind not in _LIGHT}
        light = gone - plan.last
        common = {key for key in old.keys() & new.keys() if not new[key].inherited}
        plan.altered = {key for key in common if old[key] != new[key]}
        plan.made = {key for key in new.keys() - old.keys() if not new[key].inherited}
        for key in sorted(plan.altered):
            if old[key].alter(new[key]) is None:
                self._renew(key)
            elif old[key].disturbs(new[key]):
                self._renew_users_of_column(key)
        for key in sorted(light):
            self._drop(key)
        for key in sorted(plan.last):
            for user in self._users[key]:
                # A type that goes: a column of it must have got another one, so it is altered already.
                if user in new and user not in plan.altered:
                    self._renew(user)
        self._renew_labels()
        self._free_names()
        return plan

    def _renew(self, key: Key) -> None:
        """Has `key` dropped and made anew, and all that uses it."""
        if key in self._plan.first or key in self._plan.aside or key in self._inherited:
            return
        item = self._before.objects[key]
        self._plan.altered.discard(key)
        if not self._after.objects[key].inherited:
            self._plan.made.add(key)
        if isinstance(item, CustomType):
            self._plan.aside.add(key)
        else:
            self._drop_first(key)
        self._drop_users(key)

    def _drop(self, key: Key) -> None:
        """Has `key`, which has no successor, dropped in the first round, and all that uses it."""
        if key in self._plan.first or key in self._inherited:
            return
        self._plan.last.discard(key)
        self._drop_first(key)
        self._drop_users(key)

    def _drop_first(self, key: Key) -> None:
        (self._inherited if self._before.objects[key].inherited else self._plan.first).add(key)

    def _drop_users(self, key: Key) -> None:
        moved = key in self._plan.aside
        for user in sorted(self._users[key]):
            item = self._before.objects[user]
            if moved and isinstance(item, Column) and not item.generated:
                self._retype(user)
            elif user in self._after.objects:
                self._renew(user)
            elif not (moved and user.kind == "column"):
                self._drop(user)

    def _retype(self, key: Key) -> None:
        """Has a column go over to the successor of its type."""
        if key in self._after.objects and key not in self._plan.retyped and key not in self._plan.first:
            self._plan.retyped.add(key)
            self._renew_users_of_column(key)

    def _renew_users_of_column(self, key: Key) -> None:
        for user in sorted(self._users[key]):
            item = self._before.objects[user]
            if user.kind in _FOLLOWS_TYPE or (isinstance(item, Constraint) and item.type in "pu"):
                continue
            if user in self._after.objects:
                self._renew(user)
            else:
                self._drop(user)

    def _renew_labels(self) -> None:
        """A label that is added cannot be used in the same transaction, unless its type is made in it."""
        old, new = self._before.objects, self._after.objects
        for key in sorted(self._plan.altered):
            enum = old[key]
            if not isinstance(enum, Enum) or not (labels := enum.added(new[key])):
                continue
            changed = self._plan.made | self._plan.altered
            users = [
                new[user].definition
                for user, needs in self._after.depends.items()
                if key in needs and user in changed
            ]
            if any(f"'{label.replace(chr(39), chr(39) * 2)}'" in text for text in users for label in labels):
                self._renew(key)

    def _free_names(self) -> None:
        """Return what goes last may have a name that something new takes."""
        new, old = self._after.objects, self._before.objects
        while True:
            claimed = {name for key in self._plan.made for name in new[key].claims()}
            claimed |= {name for key in self._plan.altered for name in new[key].claims() - old[key].claims()}
            colliding = sorted(key for key in self._plan.last if old[key].claims() & claimed)
            if not colliding:
                return
            for key in colliding:
                self._drop(key)


def ordered(keys: Iterable[Key], needs: Mapping[Key, Iterable[Key]]) -> list[Key]:
    """`keys`, each after those that it needs; else by kind and name. What needs itself comes by kind and name too."""
    remaining = set(keys)
    open_needs = {
        key: {need for need in needs.get(key, ()) if need in remaining and need != key} for key in remaining
    }
    users: dict[Key, list[Key]] = defaultdict(list)
    for key, needed in open_needs.items():
        for need in needed:
            users[need].append(key)
    ready = [_sorted(key) for key, needed in open_needs.items() if not needed]
    heapq.heapify(ready)
    order: list[Key] = []
    while remaining:
        if not ready:
            ready.append(min(_sorted(key) for key in remaining))
        key = heapq.heappop(ready)[1]
        if key not in remaining:
            continue
        remaining.discard(key)
        order.append(key)
        for user in users[key]:
            open_needs[user].discard(key)
            if not open_needs[user] and user in remaining:
                heapq.heappush(ready, _sorted(user))
    return order


def reaches(start: Iterable[Key], goal: Key, needs: Callable[[Key], Iterable[Key]]) -> bool:
    """Tell whether one of `start` needs `goal`, directly or through others."""
    seen: set[Key] = set()
    waiting = list(start)
    while waiting:
        key = waiting.pop()
        if key == goal:
            return True
        if key not in seen:
            seen.add(key)
            waiting.extend(needs(key))
    return False


def _sorted(key: Key) -> tuple[int, Key]:
    return _RANK[key.kind], key
