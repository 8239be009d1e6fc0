"""One reading of the schema, and what follows from it for every request: plans, settings, who verifies tokens."""

from __future__ import annotations

import logging
from typing import NamedTuple

from localbase.core.authenticator import Authenticator, Caller
from localbase.core.cache import BoundedCache
from localbase.core.web.http import Request
from localbase.postgres.pipeline import LONGEST_PREPARED
from localbase.postgres.transaction import TransactionContext
from localbase.rest.api_request.request import ApiRequest
from localbase.rest.context import (
    function_settings,
    hoisted_settings,
    isolation_of,
    pre_request_sql,
    standing_settings,
    transaction_context,
)
from localbase.rest.plan.make import SchemaCache, make_plan
from localbase.rest.plan.nodes import Plan
from localbase.rest.sql.statement import CompiledSql, to_sql
from localbase.rest.tokens import authenticator_by, caller_for

_log = logging.getLogger("localbase.rest")
_PLANS, _BYTES_OF_PLANS = 2048, 4 << 20
_CONTEXTS, _BYTES_OF_CONTEXTS = 512, 1 << 20
# A plan's objects take about this many times the bytes of its SQL, and so much for each part of its shape.
_BYTES_FOR_SQL, _BYTES_OF_PART = 8, 100
# What the objects of a context take, and those of each header, apart from their texts.
_BYTES_OF_CONTEXT, _BYTES_OF_HEADER = 3000, 200


class Planned(NamedTuple):
    """A plan with its statement, and whether it was made just now."""

    plan: Plan
    sql: CompiledSql
    is_new: bool


class SchemaGeneration:
    """The state that requests are answered by until the schema is read anew."""

    def __init__(self, schema_cache: SchemaCache, authenticator: Authenticator, *, cached: bool) -> None:
        self.schema_cache = schema_cache
        self.options = schema_cache.options
        self.authenticator = self._authenticator(authenticator)
        self.cached = cached
        # The call of the operator's function that runs before every request.
        self._pre_request = pre_request_sql(schema_cache)
        self._plans: BoundedCache[object, Planned] = BoundedCache(_PLANS if cached else 0, _BYTES_OF_PLANS)
        self._contexts: BoundedCache[object, TransactionContext] = BoundedCache(
            _CONTEXTS if cached else 0, _BYTES_OF_CONTEXTS
        )

    @property
    def size(self) -> int:
        """About how many bytes the plans and contexts take."""
        return self._plans.size + self._contexts.size

    def _authenticator(self, authenticator: Authenticator) -> Authenticator:
        try:
            return authenticator_by(self.options, authenticator)
        except ValueError as error:
            _log.error("pgrst.jwt_secret is not understood: %s", error)
            return authenticator

    def caller(self, caller: Caller) -> Caller:
        """The caller under the API's own configuration. Raises `RestError`."""
        if self.options.trusts_roles and "role" in caller.claims:
            return caller
        return caller_for(caller, self.options)

    def plan(self, api_request: ApiRequest) -> Planned:
        """The plan of a request and its statement: made now, or for an earlier request of the same shape."""
        planned = self._plans.get(api_request.shape)
        if planned is None:
            plan = make_plan(api_request, self.schema_cache)
            estimated = api_request.action == "read" and api_request.preferences.count in (
                "planned",
                "estimated",
            )
            sql = to_sql(plan, with_estimate=estimated)
            planned = Planned(plan, sql, is_new=True)
            if len(sql.sql) <= LONGEST_PREPARED:
                size = _BYTES_FOR_SQL * len(sql.sql) + _bytes_of_shape(api_request.shape)
                self._plans.put(api_request.shape, Planned(plan, sql, is_new=False), size)
        return planned

    def _context(
        self, api_request: ApiRequest, plan: Plan, request: Request, caller: Caller
    ) -> TransactionContext:
        options, preferences = self.options, api_request.preferences
        function = plan.call.function if plan.call else None
        calls_safely = function is not None and (api_request.method != "POST" or function.volatility != "v")
        timezone = (("timezone", preferences.timezone),) if preferences.timezone else ()
        return transaction_context(
            request,
            caller,
            standing_settings(self.schema_cache, caller.role, api_request.schema),
            extra=timezone + hoisted_settings(function, options.hoisted_tx_settings),
            read_only=api_request.action == "read" or calls_safely,
            rollback=preferences.tx == "rollback" or (options.tx_rollback_all and preferences.tx != "commit"),
            before=self._pre_request,
            isolation=isolation_of(function_settings(function))
            or isolation_of(self.schema_cache.catalog.role_settings.get(caller.role, ())),
            prepared=options.prepared_statements,
        )

    def context(
        self, api_request: ApiRequest, plan: Plan, request: Request, caller: Caller
    ) -> TransactionContext:
        """The role and the settings that a request runs under. Those of reads do not depend on the query."""
        if api_request.action != "read":
            return self._context(api_request, plan, request, caller)
        path, headers = request.raw_path or request.path, request.headers
        key = (request.method, path, caller.role, caller.claims_json, *headers.items())
        context = self._contexts.get(key)
        if context is None:
            context = self._context(api_request, plan, request, caller)
            texts = sum(len(name) + len(value) for name, value in headers.items()) + len(caller.claims_json)
            size = 4 * (len(path) + texts) + _BYTES_OF_CONTEXT + _BYTES_OF_HEADER * len(headers)
            self._contexts.put(key, context, size)
        return context

    def root_context(self, api_request: ApiRequest, request: Request, caller: Caller) -> TransactionContext:
        """The same for the API's description."""
        settings = standing_settings(self.schema_cache, caller.role, api_request.schema)
        return transaction_context(request, caller, settings, read_only=True, before=self._pre_request)


def _bytes_of_shape(part: object) -> int:
    """About how many bytes a shape, or a part of it, takes: a body may name thousands of keys."""
    if isinstance(part, tuple):
        return sum(map(_bytes_of_shape, part)) + _BYTES_OF_PART
    return _BYTES_OF_PART + (len(part) if isinstance(part, str) else 0)
