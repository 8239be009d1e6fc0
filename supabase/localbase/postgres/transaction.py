"""A data request for Postgres: one statement in one transaction with its role and settings, one round trip.

A request goes out in a single write: Bind/Execute of a prepared `set_config` statement (role, claims, settings), of the
pre-request function's call where there is one, of the prepared query, and Sync. To Postgres that is one implicit
transaction: role and settings end with it, an error rolls it back, and the connection stays usable. `set_config('role',
…)` is a statement of its own, for privileges and policies of a statement are resolved before it runs.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from localbase.core.cache import BoundedCache
from localbase.postgres.pipeline import Command


class Statement(NamedTuple):
    """SQL with `$1`… and its parameters in text form (None is NULL). Keep `sql` stable: its text is the plan's key."""

    sql: str
    params: Sequence[bytes | None] = ()


@dataclass(frozen=True)
class TransactionContext:
    """As whom, and under which settings, a statement runs. `role` None is the login role.

    `settings` are transaction-local (`search_path`, `request.method`, …). `rollback` undoes the work at the end;
    `isolation` is a level other than Postgres's own default.
    """

    role: str | None
    claims: bytes = b"{}"
    settings: tuple[tuple[str, str], ...] = ()
    read_only: bool = False
    rollback: bool = False
    # A statement that runs before the request's own, under the same role and settings: it may refuse, or set more.
    before: str | None = None
    isolation: str | None = None
    # Whether statements are prepared and cached.
    prepared: bool = True

    @property
    def variant(self) -> str | None:
        """Return which of a statement's plans it runs by. Policies make a plan belong to a role."""
        return (self.role or "") if self.prepared else None

    def command(self, sql: str, *params: bytes | None) -> Command:
        """A statement that is the same for every role."""
        return Command(sql, params, "" if self.prepared else None)

    @property
    def explicit(self) -> bool:
        """Tell whether the transaction is begun and ended by commands of its own."""
        return self.rollback or self.isolation is not None

    @cached_property
    def commands(self) -> list[Command]:
        """Return what makes a transaction run under it."""
        # A level must be there before the first statement takes its snapshot: it cannot be set like the rest.
        level = f"begin isolation level {self.isolation}" if self.isolation else "begin"
        return [*([self.command(level)] if self.explicit else []), *_context_commands(self)]

    @cached_property
    def ending(self) -> list[Command]:
        """Return what ends an explicit transaction."""
        if self.rollback:
            # Deferred constraints speak now or never: that error is the request's.
            return [self.command("set constraints all immediate"), self.command("rollback")]
        return [self.command("commit")] if self.explicit else []

    @cached_property
    def rollback_command(self) -> Command | None:
        """Return what ends an explicit transaction in which a statement has failed."""
        return self.command("rollback") if self.explicit else None


class Batch(NamedTuple):
    """A statement with all that goes out with it. `answering` is its place.

    `rollback` ends an explicit transaction that an error has left open.
    """

    commands: list[Command]
    answering: int
    rollback: Command | None = None


def batch_of(statement: Statement, context: TransactionContext) -> Batch:
    """Return what runs `statement` under `context`."""
    first = context.commands
    command = Command(statement.sql, statement.params, context.variant)
    return Batch([*first, command, *context.ending], len(first), context.rollback_command)


_context_sql: BoundedCache[tuple[str, ...], str] = BoundedCache(1024)


def _context_commands(context: TransactionContext) -> list[Command]:
    pairs = list(context.settings)
    if context.read_only:
        pairs.append(("transaction_read_only", "on"))
    if context.role is not None:
        pairs.append(("request.jwt.claims", ""))
        pairs.append(("role", context.role))
    first = [Command(context.before, (), context.variant)] if context.before is not None else []
    if not pairs:
        return first
    names = tuple([name for name, _ in pairs])
    sql = _context_sql.get(names)
    if sql is None:
        calls = [
            f"pg_catalog.set_config({_name(name)}, ${place}, true)" for place, name in enumerate(names, 1)
        ]
        # A row without columns: what was set need not come back. A function takes a hundred arguments at most.
        lots = [", ".join(calls[at : at + 50]) for at in range(0, len(calls), 50)]
        sql = f"select where {' + '.join(f'pg_catalog.num_nulls({lot})' for lot in lots)} = 0"
        _context_sql.put(names, sql)
    params = [context.claims if name == "request.jwt.claims" else value.encode() for name, value in pairs]
    return [context.command(sql, *params), *first]


def _name(setting: str) -> str:
    """A setting's name as a constant that reads the same with `standard_conforming_strings` on or off."""
    text = setting.replace("'", "''")
    if "\\" not in text:
        return f"'{text}'"
    doubled = text.replace("\\", "\\\\")
    return f"E'{doubled}'"
