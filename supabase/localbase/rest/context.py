"""As whom a statement runs, and what its SQL may read of the request: search path, `request.*`, role settings.

Upstream: https://docs.postgrest.org/en/stable/references/transactions.html#transaction-scoped-settings
"""

from __future__ import annotations

import json
from http.cookies import CookieError, SimpleCookie

from localbase.core.http import Request
from localbase.core.identity import Caller
from localbase.postgres.catalog import Function
from localbase.postgres.session import Identity
from localbase.rest.plan.make import World
from localbase.rest.sql.text import identifier

Settings = tuple[tuple[str, str], ...]

# Of a function's own `set` clauses these hold for the whole transaction: they would come too late inside it.
_HOISTED = ("statement_timeout", "plan_filter.statement_cost_limit")

_encode = json.JSONEncoder(separators=(",", ":")).encode


def standing_settings(world: World, role: str, schema: str) -> Settings:
    """What every request of a role in a schema runs under."""
    path = ", ".join(map(identifier, (schema, *world.options.extra_search_path)))
    return (("search_path", path), *world.catalog.role_settings.get(role, ()))


def pre_request_sql(world: World) -> str | None:
    """The call of the operator's pre-request function. A name without a schema is looked up by the search path."""
    name = world.options.pre_request
    if name is None:
        return None
    schema, dot, function = name.partition(".")
    return f"SELECT {identifier(schema)}.{identifier(function)}()" if dot else f"SELECT {identifier(name)}()"


def hoisted_settings(function: Function | None) -> Settings:
    """The settings of a function that hold for its whole transaction."""
    if function is None or not function.settings:
        return ()
    pairs = (setting.partition("=") for setting in function.settings)
    return tuple((name, value) for name, _, value in pairs if name in _HOISTED)


def identity_of(
    request: Request,
    caller: Caller,
    standing: Settings,
    *,
    extra: Settings = (),
    read_only: bool,
    rollback: bool = False,
    before: str | None = None,
) -> Identity:
    """The caller with the request's settings. `before` runs first: the pre-request function's call."""
    headers, cookies = request.headers, "{}"
    if "cookie" in headers:
        cookies = _encode(_cookies(headers["cookie"]))
        headers = {name: value for name, value in headers.items() if name != "cookie"}
    settings = (
        *standing,
        ("request.method", request.method),
        ("request.path", request.path),
        ("request.headers", _encode(headers)),
        ("request.cookies", cookies),
        *extra,
    )
    return Identity(caller.role, caller.claims_json, settings, read_only, rollback, before)


def _cookies(header: str) -> dict[str, str]:
    try:
        return {name: morsel.value for name, morsel in SimpleCookie(header).items()}
    except CookieError:
        # What is no cookie to the standard library is none to SQL either; it does not fail the request.
        return {}
