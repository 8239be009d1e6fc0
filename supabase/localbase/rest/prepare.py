"""From what is asked to a statement that only waits to be run: plan and SQL, kept by the request's shape."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from localbase.core.cache import BoundedCache
from localbase.postgres.session import Statement
from localbase.rest.context import Settings, function_settings, hoisted_settings, isolation_of
from localbase.rest.plan.make import SchemaCache, make_plan
from localbase.rest.plan.nodes import Plan
from localbase.rest.request import ApiRequest
from localbase.rest.response import ResponseTemplate, response_template
from localbase.rest.sql.statement import CompiledSql, to_sql


@dataclass(frozen=True, slots=True)
class Ready:
    """A planned request: its statement's text, as what it runs, and how to render what comes back."""

    compiled: CompiledSql
    template: ResponseTemplate
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


def prepare(
    api_request: ApiRequest,
    schema_cache: SchemaCache,
    compiled: BoundedCache[object, tuple[Plan, CompiledSql]],
) -> Ready:
    """Plans what is asked, or takes the plan of an earlier request of the same shape."""
    found = compiled.get(api_request.shape)
    if found is None:
        plan = make_plan(api_request, schema_cache)
        estimated = api_request.action == "read" and api_request.preferences.count in ("planned", "estimated")
        found = plan, to_sql(plan, with_estimate=estimated)
        compiled.put(api_request.shape, found)
    return _ready(api_request, schema_cache, *found)


def _ready(api_request: ApiRequest, schema_cache: SchemaCache, plan: Plan, sql: CompiledSql) -> Ready:
    function = plan.call.function if plan.call else None
    calls_safely = function is not None and (api_request.method != "POST" or function.volatility != "v")
    timezone = api_request.preferences.timezone
    options = schema_cache.options
    tx = api_request.preferences.tx
    return Ready(
        compiled=sql,
        template=response_template(api_request, plan),
        schema=api_request.schema,
        read_only=api_request.action == "read" or calls_safely,
        rollback=tx == "rollback" or (options.tx_rollback_all and tx != "commit"),
        extra=((("timezone", timezone),) if timezone else ())
        + hoisted_settings(function, options.hoisted_tx_settings),
        isolation=isolation_of(function_settings(function)),
        plan=plan,
        location=f"/{api_request.target}{'?' if api_request.canonical else ''}"
        if api_request.action == "read"
        else None,
    )
