"""The Data API: a request goes `parse → plan → sql → run → render`, and only `run` waits.

What the first three stages give is kept twice: under the request without its operands, for one that comes again with
others, and by its shape, for one that is written otherwise. Both belong to one reading of the catalog and go with it.
"""

from __future__ import annotations

import asyncio
import json
import logging
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from localbase.core.cache import BoundedCache
from localbase.core.http import HeaderBlock, QuickAnswer, QuickAsk, Request, Response
from localbase.core.identity import Caller, Identities
from localbase.core.settings import Settings
from localbase.postgres.catalog import read_catalog
from localbase.postgres.pipeline import ConnectionLost, ConnectionRefused
from localbase.postgres.session import (
    Database,
    PendingQuery,
    PoolExhausted,
    PostgresError,
    Result,
    Statement,
    TransactionContext,
)
from localbase.rest import errors, openapi
from localbase.rest.context import Settings as TransactionSettings
from localbase.rest.context import isolation_of, pre_request_sql, standing_settings, transaction_context
from localbase.rest.failures import from_postgres, wrong_rows
from localbase.rest.large_bodies import LargeBodies, is_large
from localbase.rest.memory import Judgement, Memory
from localbase.rest.options import PRE_CONFIG, Options, options_of, overruled, setting_names
from localbase.rest.payload import Payload
from localbase.rest.plan.call import find_function
from localbase.rest.plan.make import SchemaCache, find_relation
from localbase.rest.plan.nodes import Plan
from localbase.rest.preconfig import settings_of_function
from localbase.rest.prepare import Bound, Ready, bind, prepare
from localbase.rest.quick import Pending, entry_of
from localbase.rest.relationships import relationships_of
from localbase.rest.request import ApiRequest, parse_request, payload_columns
from localbase.rest.response import render, render_options
from localbase.rest.sql import statement as columns
from localbase.rest.sql.statement import CompiledSql
from localbase.rest.templates import Template, cut, make_template
from localbase.rest.timing import ServerTiming
from localbase.rest.tokens import caller_for, identities_by

_log = logging.getLogger("localbase.rest")


@dataclass(frozen=True, slots=True)
class Era:
    """One reading of the catalog, with what is kept under it."""

    schema_cache: SchemaCache
    templates: BoundedCache[object, Template] = field(default_factory=BoundedCache)
    # Requests that must be parsed each time.
    untemplated: BoundedCache[object, bool] = field(default_factory=BoundedCache)
    compiled: BoundedCache[object, tuple[Plan, CompiledSql]] = field(default_factory=BoundedCache)
    standing: BoundedCache[tuple[str, str], TransactionSettings] = field(default_factory=BoundedCache)
    identities: BoundedCache[object, TransactionContext] = field(default_factory=lambda: BoundedCache(1024))
    # What is answered without a task.
    memory: Memory = field(default_factory=Memory)
    # What runs before every request: the call of the operator's pre-request function.
    before: str | None = None
    judge: Identities | None = None


class RestService:
    """`/rest/v1` over one database. `load_catalog` must have run once; it may run again at any time."""

    def __init__(
        self,
        database: Database,
        settings: Settings,
        options: Options | None = None,
        identities: Identities | None = None,
        *,
        cached: bool = True,
    ) -> None:
        """Without `cached` every request is parsed, planned and given its settings anew."""
        self._cached = cached
        self._database = database
        self._identities = identities or Identities(settings.keys)
        self._api_url = settings.api_url
        self._options = options or options_of(settings.api)
        self._era: Era | None = None
        self._large_bodies = LargeBodies()
        self._loading = asyncio.Lock()
        self._wanted = 0
        self._loaded = 0

    async def load_catalog(self) -> None:
        """Reads the catalog anew. Requests see the old one until the new one is whole."""
        self._wanted += 1
        mine = self._wanted
        async with self._loading:
            if self._loaded >= mine:
                # A reading that began after this wish has granted it: a migration's many notices cost few readings.
                return
            covered = self._wanted
            first = self._era is None
            try:
                self._era = await self._read_era()
            except (PostgresError, ConnectionLost, PoolExhausted) as error:
                # A reading can meet a change half way. What is known stays good enough until the next notice.
                if self._era is None:
                    raise
                _log.warning("the catalog could not be read again: %s", error)
            else:
                self._loaded = covered
                if not first:
                    # As upstream: what database and roles are set to now reaches sessions through new connections only.
                    self._database.flush()

    async def _read_era(self) -> Era:
        options = self._options
        catalog = await read_catalog(self._database, options.schemas, options.extra_search_path)
        settings = catalog.server_settings
        function = settings.get(PRE_CONFIG)
        if function:
            settings = await settings_of_function(self._database, function, setting_names()) | dict(settings)
        chosen = overruled(options, settings)
        if (chosen.schemas, chosen.extra_search_path) != (options.schemas, options.extra_search_path):
            catalog = await read_catalog(self._database, chosen.schemas, chosen.extra_search_path)
        known = await asyncio.to_thread(relationships_of, catalog, chosen.schemas)
        schema_cache = SchemaCache(catalog, known, chosen)
        before, judge = pre_request_sql(schema_cache), self._judge_by(chosen)
        if self._cached:
            return Era(schema_cache, before=before, judge=judge)
        nothing = BoundedCache[Any, Any](0)
        return Era(schema_cache, nothing, nothing, nothing, nothing, nothing, Memory(), before, judge)

    def _judge_by(self, options: Options) -> Identities:
        try:
            return identities_by(options, self._identities)
        except ValueError as error:
            _log.error("pgrst.jwt_secret is not understood: %s", error)
            return self._identities

    def judge(self) -> Identities:
        """Who tells good tokens from bad ones for this API."""
        return (self._era and self._era.judge) or self._identities

    async def handle(self, request: Request, caller: Caller) -> Response:
        """Answers one request. `request.path` lies below `/rest/v1`. Refusals are answers too."""
        era = self._era
        response = await self._respond(era, request, caller)
        traced = era.schema_cache.options.server_trace_header if era else None
        value = request.headers.get(traced.lower()) if traced else None
        if traced is None or value is None:
            return response
        return Response(response.status, [*response.headers, (traced, value)], response.body)

    async def _respond(self, era: Era | None, request: Request, caller: Caller) -> Response:
        try:
            if era is None:
                raise errors.catalog_not_loaded()
            options = era.schema_cache.options
            timing = ServerTiming() if options.server_timing_enabled else None
            if not options.trusts_roles or "role" not in caller.claims:
                caller = caller_for(caller, options)
            if timing is None:
                return await self._answer(era, request, caller, None)
            timing.end("jwt")
            response = await self._answer(era, request, caller, timing)
            timing.end("response")
            return Response(response.status, [*response.headers, timing.header], response.body)
        except _REFUSED as error:
            return _refusal(error, era, caller, with_body=request.method != "HEAD")

    def repeat(self, line: bytes, head: HeaderBlock, body: bytes, answer: QuickAnswer) -> PendingQuery | None:
        """Answers a request that has come before, or leaves it to `begin`."""
        shot = self._era.memory.repeated(line, head, body) if self._era else None
        return self._database.submit(shot.batch, Pending(shot, answer)) if shot else None

    def begin(self, api_request: QuickAsk, head: HeaderBlock, answer: QuickAnswer) -> PendingQuery | None:
        """Answers a request whose template is known without a task, or leaves it to `handle`."""
        era = self._era
        if era is None:
            return None
        shot = era.memory.varied(api_request, head, lambda: self._entry(era, api_request, head))
        return self._database.submit(shot.batch, Pending(shot, answer)) if shot else None

    def _entry(self, era: Era, api_request: QuickAsk, head: HeaderBlock) -> Judgement:
        """What `handle` would do with a request of this kind; None if it cannot be told yet, False if it never can."""
        options, caller = era.schema_cache.options, head.caller
        text = api_request.path.decode()
        request = Request(
            api_request.method.decode(),
            text,
            api_request.query,
            head.headers,
            api_request.body,
            raw_path=text,
        )
        taken = cut(request)
        if taken is None or caller is None or options.adds_headers:
            return False
        template = era.templates.get(taken.key)
        if template is None:
            return False if era.untemplated.get(taken.key) else None
        try:
            if not options.trusts_roles or "role" not in caller.claims:
                caller = caller_for(caller, options)
        except errors.RestError:
            return False
        identity = self._identity(era, template.ready, request, caller)
        return entry_of(template, identity, partial(_refusal_of, era, template, caller)) or False

    async def _answer(
        self, era: Era, request: Request, caller: Caller, timing: ServerTiming | None
    ) -> Response:
        large = is_large(request.body)
        taken = None if large else cut(request)
        if taken is not None:
            template = era.templates.get(taken.key)
            if template is not None:
                return await self._run(era, template.ready, template.fill(taken), request, caller, timing)
        options = era.schema_cache.options
        api_request = await self._parse_large(request, options) if large else parse_request(request, options)
        if timing is not None:
            timing.end("parse")
        if api_request.action == "root":
            return await self._describe(era, api_request, request, caller)
        if api_request.action.endswith("-options"):
            return render_options(_allowed_methods(api_request, era.schema_cache))
        ready = prepare(api_request, era.schema_cache, era.compiled)
        if taken is not None and not era.untemplated.get(taken.key):
            template = make_template(request, taken, api_request, ready, era.schema_cache.options)
            if template is None:
                era.untemplated.put(taken.key, True)
            else:
                era.templates.put(taken.key, template)
        bound = bind(ready, api_request.values, f"{ready.location}{api_request.canonical}")
        return await self._run(era, ready, bound, request, caller, timing)

    async def _parse_large(self, request: Request, options: Options) -> ApiRequest:
        api_request = parse_request(request, options, _UNREAD)
        if api_request.payload is None:
            return api_request
        columns = payload_columns(api_request.action, api_request.query)
        payload = await self._large_bodies.read(
            request.body, api_request.content, columns, for_function=api_request.calls_by_post
        )
        return parse_request(request, options, payload)

    async def _run(
        self,
        era: Era,
        ready: Ready,
        bound: Bound,
        request: Request,
        caller: Caller,
        timing: ServerTiming | None,
    ) -> Response:
        if timing is not None:
            timing.end("plan")
        identity = self._identity(era, ready, request, caller)
        try:
            result = await self._database.run(bound.statement, identity)
        except PostgresError as error:
            refusal = wrong_rows(error, ready.plan)
            if refusal is None:
                raise
            raise refusal from error
        if timing is not None:
            timing.end("transaction")
        if bound.explain is None:
            return render(ready.template, result, bound.location)
        estimate = await self._estimate(era, bound.explain, result, identity)
        return render(ready.template, result, bound.location, estimate)

    def _identity(self, era: Era, ready: Ready, request: Request, caller: Caller) -> TransactionContext:
        """As whom it runs. Kept: a client asks the same target under the same headers again and again."""
        key = (
            *(caller.role, caller.claims_json, request.method, request.path, request.raw_path, ready.schema),
            *(ready.extra, ready.isolation, ready.read_only, ready.rollback, *request.headers.items()),
        )
        found = era.identities.get(key)
        if found is None:
            found = transaction_context(
                request,
                caller,
                self._standing(era, caller.role, ready.schema),
                extra=ready.extra,
                read_only=ready.read_only,
                rollback=ready.rollback,
                before=era.before,
                isolation=ready.isolation
                or isolation_of(era.schema_cache.catalog.role_settings.get(caller.role, ())),
                prepared=era.schema_cache.options.prepared_statements,
            )
            era.identities.put(key, found)
        return found

    async def _estimate(
        self, era: Era, explain: Statement, result: Result, identity: TransactionContext
    ) -> int | None:
        """The planner's count, unless an exact one within the maximum of rows is known."""
        counted = result.rows[0][columns.TOTAL] if result.rows else None
        exact = int(counted) if counted is not None else None
        most = era.schema_cache.options.max_rows
        if exact is not None and most is not None and exact <= most:
            return exact
        explained = await self._database.run(explain, identity)
        planned = int(json.loads(explained.rows[0][0] or b"[]")[0]["Plan"]["Plan Rows"])
        return planned if exact is None else max(exact, planned)

    async def _describe(
        self, era: Era, api_request: ApiRequest, request: Request, caller: Caller
    ) -> Response:
        """The OpenAPI document of what the caller may use."""
        standing = self._standing(era, caller.role, api_request.schema)
        identity = transaction_context(request, caller, standing, read_only=True, before=era.before)
        return await openapi.describe(self._database, era.schema_cache, api_request, identity, self._api_url)

    def _standing(self, era: Era, role: str, schema: str) -> TransactionSettings:
        found = era.standing.get((role, schema))
        if found is None:
            found = standing_settings(era.schema_cache, role, schema)
            era.standing.put((role, schema), found)
        return found


_UNREAD = Payload(b"[]", (), False)
_REFUSED = (errors.RestError, PostgresError, PoolExhausted, ConnectionLost)


def _refusal(error: Exception, era: Era | None, caller: Caller, *, with_body: bool = True) -> Response:
    """The answer that an error makes. Raises what is no refusal."""
    if isinstance(error, errors.RestError):
        failure = error
    elif isinstance(error, PostgresError):
        anonymous = era is None or caller.role == era.schema_cache.options.anon_role
        failure = from_postgres(error, anonymous=anonymous)
    elif isinstance(error, PoolExhausted):
        failure = errors.pool_exhausted()
    elif isinstance(error, ConnectionRefused):
        failure = errors.connection_refused(str(error))
    elif isinstance(error, ConnectionLost):
        failure = errors.database_unreachable(str(error))
    else:
        raise error
    verbose = era is None or era.schema_cache.options.client_error_verbosity == "verbose"
    return errors.render_error(failure, with_body=with_body, verbose=verbose)


def _refusal_of(era: Era, template: Template, caller: Caller, error: Exception) -> Response:
    """The same for a request that was answered without a task."""
    refusal = wrong_rows(error, template.ready.plan) if isinstance(error, PostgresError) else None
    return _refusal(refusal or error, era, caller)


def _allowed_methods(api_request: ApiRequest, schema_cache: SchemaCache) -> str:
    """What OPTIONS answers for a relation, a function or the root."""
    if api_request.action == "root-options":
        return "OPTIONS,GET,HEAD"
    if api_request.action == "routine-options":
        volatile = find_function(schema_cache.catalog.functions, api_request).volatility == "v"
        return "OPTIONS,POST" if volatile else "OPTIONS,GET,HEAD,POST"
    relation = find_relation(schema_cache, api_request.schema, api_request.target)
    both = relation.insertable and relation.updatable and bool(relation.primary_key)
    methods = ["OPTIONS,GET,HEAD"]
    methods += ["POST"] if relation.insertable else []
    methods += ["PUT"] if both else []
    methods += ["PATCH"] if relation.updatable else []
    methods += ["DELETE"] if relation.deletable else []
    return ",".join(methods)
