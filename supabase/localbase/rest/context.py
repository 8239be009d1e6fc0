"""As whom a statement runs, and what its SQL may read of the request: search path, `request.*`, role settings.

Upstream: https://docs.postgrest.org/en/stable/references/transactions.html#transaction-scoped-settings
"""

from __future__ import annotations

import json
from http.cookies import CookieError, SimpleCookie

from localbase.core.authenticator import Caller
from localbase.core.web.http import Request, text_of
from localbase.postgres.schema_cache.cache import Function
from localbase.postgres.transaction import TransactionContext
from localbase.rest.plan.make import SchemaCache
from localbase.rest.sql.text import function_name, identifier

Settings = tuple[tuple[str, str], ...]

_ISOLATION = "default_transaction_isolation"

_encode = json.JSONEncoder(separators=(",", ":")).encode


def standing_settings(schema_cache: SchemaCache, role: str, schema: str) -> Settings:
    """Return what every request of a role in a schema runs under."""
    path = ", ".join(map(identifier, (schema, *schema_cache.options.extra_search_path)))
    settings = schema_cache.catalog.role_settings.get(role, ())
    return (("search_path", path), *(pair for pair in settings if pair[0] != _ISOLATION))


def isolation_of(settings: Settings) -> str | None:
    """The isolation level that a role or function sets; None for Postgres's own, read committed."""
    level = dict(settings).get(_ISOLATION, "").lower()
    return level if level in ("repeatable read", "serializable") else None


def function_settings(function: Function | None) -> Settings:
    """A function's own `set` clauses."""
    pairs = (setting.partition("=") for setting in (function.settings if function else ()))
    return tuple((name, value) for name, _, value in pairs)


def pre_request_sql(schema_cache: SchemaCache) -> str | None:
    """The call of the operator's pre-request function. A name without a schema is looked up by the search path."""
    name = schema_cache.options.pre_request
    if name is None:
        return None
    return f"SELECT {function_name(name)}()"


def hoisted_settings(function: Function | None, hoisted: tuple[str, ...]) -> Settings:
    """The settings of a function that hold for its whole transaction: inside it they would come too late."""
    return tuple(pair for pair in function_settings(function) if pair[0] in hoisted and pair[0] != _ISOLATION)


def transaction_context(
    request: Request,
    caller: Caller,
    standing: Settings,
    *,
    extra: Settings = (),
    read_only: bool,
    rollback: bool = False,
    before: str | None = None,
    isolation: str | None = None,
    prepared: bool = True,
) -> TransactionContext:
    """The caller with the request's settings. `before` runs first: the pre-request function's call."""
    headers = {name: text_of(value) for name, value in request.headers.items()}
    cookies = _encode(_cookies(headers.pop("cookie"))) if "cookie" in headers else "{}"
    settings = (
        *standing,
        ("request.method", request.method),
        ("request.path", request.raw_path or request.path),
        ("request.headers", _encode(headers)),
        ("request.cookies", cookies),
        *extra,
    )
    return TransactionContext(
        caller.role, caller.claims_json, settings, read_only, rollback, before, isolation, prepared
    )


def _cookies(header: str) -> dict[str, str]:
    try:
        return {name: morsel.value for name, morsel in SimpleCookie(header).items()}
    except CookieError:
        # What is no cookie to the standard library is none to SQL either; it does not fail the request.
        return {}
