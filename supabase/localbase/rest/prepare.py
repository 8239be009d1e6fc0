"""From what is asked to a statement that only waits to be run: plan and SQL, kept by the request's shape."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from localbase.core.kept import Kept
from localbase.postgres.session import Statement
from localbase.rest.context import Settings, function_settings, hoisted_settings, isolation_of
from localbase.rest.plan.make import World, make_plan
from localbase.rest.plan.nodes import Plan
from localbase.rest.request import Ask
from localbase.rest.response import Rendering, rendering_of
from localbase.rest.sql.statement import Compiled, to_sql


@dataclass(frozen=True, slots=True)
class Ready:
    """A planned request: its statement's text, as what it runs, and how to render what comes back."""

    compiled: Compiled
    rendering: Rendering
    schema: str
    read_only: bool
    rollback: bool
    extra: Settings
    isolation: str | None
    plan: Plan
    # What a read's address begins with; its canonical query follows.
    location: str | None


class Bound(NamedTuple):
    """One request's own: its statement with values, the one that gives an estimate, and its canonical address."""

    statement: Statement
    explain: Statement | None
    location: str | None


def bind(ready: Ready, values: Sequence[bytes | None], location: str) -> Bound:
    """A planned request with its values. `location` counts for a read only."""
    compiled = ready.compiled
    explain = compiled.explain
    return Bound(
        Statement(compiled.sql, compiled.bind(values)),
        Statement(explain.sql, explain.bind(values)) if explain else None,
        location if ready.location is not None else None,
    )


def prepare(ask: Ask, world: World, compiled: Kept[object, tuple[Plan, Compiled]]) -> Ready:
    """Plans what is asked, or takes the plan of an earlier request of the same shape."""
    found = compiled.get(ask.shape)
    if found is None:
        plan = make_plan(ask, world)
        estimated = ask.action == "read" and ask.preferences.count in ("planned", "estimated")
        found = plan, to_sql(plan, with_estimate=estimated)
        compiled.put(ask.shape, found)
    return _ready(ask, world, *found)


def _ready(ask: Ask, world: World, plan: Plan, sql: Compiled) -> Ready:
    function = plan.call.function if plan.call else None
    calls_safely = function is not None and (ask.method != "POST" or function.volatility != "v")
    timezone = ask.preferences.timezone
    options = world.options
    tx = ask.preferences.tx
    return Ready(
        compiled=sql,
        rendering=rendering_of(ask, plan),
        schema=ask.schema,
        read_only=ask.action == "read" or calls_safely,
        rollback=tx == "rollback" or (options.tx_rollback_all and tx != "commit"),
        extra=((("timezone", timezone),) if timezone else ())
        + hoisted_settings(function, options.hoisted_tx_settings),
        isolation=isolation_of(function_settings(function)),
        plan=plan,
        location=f"/{ask.target}{'?' if ask.canonical else ''}" if ask.action == "read" else None,
    )
