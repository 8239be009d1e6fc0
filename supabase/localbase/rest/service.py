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

from localbase.core.http import HeaderBlock, QuickAnswer, QuickAsk, Request, Response
from localbase.core.identity import Caller, Identities
from localbase.core.kept import Kept
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
from localbase.rest.plan.make import World, find_relation
from localbase.rest.plan.nodes import Plan
from localbase.rest.preconfig import settings_of_function
from localbase.rest.prepare import Bound, Ready, bind, prepare
from localbase.rest.quick import Pending, entry_of
from localbase.rest.relationships import relationships_of
from localbase.rest.request import Ask, parse_request, payload_columns
from localbase.rest.response import render, render_options
from localbase.rest.sql import statement as columns
from localbase.rest.sql.statement import Compiled
from localbase.rest.templates import Template, cut, make_template
from localbase.rest.timing import Laps
from localbase.rest.tokens import caller_for, identities_by

_log = logging.getLogger("localbase.rest")


@dataclass(frozen=True, slots=True)
class Era:
    """One reading of the catalog, with what is kept under it."""

    world: World
    templates: Kept[object, Template] = field(default_factory=Kept)
    # Requests that must be parsed each time.
    untemplated: Kept[object, bool] = field(default_factory=Kept)
    compiled: Kept[object, tuple[Plan, Compiled]] = field(default_factory=Kept)
    standing: Kept[tuple[str, str], TransactionSettings] = field(default_factory=Kept)
    identities: Kept[object, TransactionContext] = field(default_factory=lambda: Kept(1024))
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
        world = World(catalog, known, chosen)
        before, judge = pre_request_sql(world), self._judge_by(chosen)
        if self._cached:
            return Era(world, before=before, judge=judge)
        nothing = Kept[Any, Any](0)
        return Era(world, nothing, nothing, nothing, nothing, nothing, Memory(), before, judge)

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
        traced = era.world.options.server_trace_header if era else None
        value = request.headers.get(traced.lower()) if traced else None
        if traced is None or value is None:
            return response
        return Response(response.status, [*response.headers, (traced, value)], response.body)

    async def _respond(self, era: Era | None, request: Request, caller: Caller) -> Response:
        try:
            if era is None:
                raise errors.catalog_not_loaded()
            options = era.world.options
            laps = Laps() if options.server_timing_enabled else None
            if not options.trusts_roles or "role" not in caller.claims:
                caller = caller_for(caller, options)
            if laps is None:
                return await self._answer(era, request, caller, None)
            laps.end("jwt")
            response = await self._answer(era, request, caller, laps)
            laps.end("response")
            return Response(response.status, [*response.headers, laps.header], response.body)
        except _REFUSED as error:
            return _refusal(error, era, caller, with_body=request.method != "HEAD")

    def repeat(self, line: bytes, head: HeaderBlock, body: bytes, answer: QuickAnswer) -> PendingQuery | None:
        """Answers a request that has come before, or leaves it to `begin`."""
        shot = self._era.memory.repeated(line, head, body) if self._era else None
        return self._database.submit(shot.batch, Pending(shot, answer)) if shot else None

    def begin(self, ask: QuickAsk, head: HeaderBlock, answer: QuickAnswer) -> PendingQuery | None:
        """Answers a request whose template is known without a task, or leaves it to `handle`."""
        era = self._era
        if era is None:
            return None
        shot = era.memory.varied(ask, head, lambda: self._entry(era, ask, head))
        return self._database.submit(shot.batch, Pending(shot, answer)) if shot else None

    def _entry(self, era: Era, ask: QuickAsk, head: HeaderBlock) -> Judgement:
        """What `handle` would do with a request of this kind; None if it cannot be told yet, False if it never can."""
        options, caller = era.world.options, head.caller
        text = ask.path.decode()
        request = Request(ask.method.decode(), text, ask.query, head.headers, ask.body, raw_path=text)
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

    async def _answer(self, era: Era, request: Request, caller: Caller, laps: Laps | None) -> Response:
        large = is_large(request.body)
        taken = None if large else cut(request)
        if taken is not None:
            template = era.templates.get(taken.key)
            if template is not None:
                return await self._run(era, template.ready, template.fill(taken), request, caller, laps)
        options = era.world.options
        ask = await self._parse_large(request, options) if large else parse_request(request, options)
        if laps is not None:
            laps.end("parse")
        if ask.action == "root":
            return await self._describe(era, ask, request, caller)
        if ask.action.endswith("-options"):
            return render_options(_allowed_methods(ask, era.world))
        ready = prepare(ask, era.world, era.compiled)
        if taken is not None and not era.untemplated.get(taken.key):
            template = make_template(request, taken, ask, ready, era.world.options)
            if template is None:
                era.untemplated.put(taken.key, True)
            else:
                era.templates.put(taken.key, template)
        bound = bind(ready, ask.values, f"{ready.location}{ask.canonical}")
        return await self._run(era, ready, bound, request, caller, laps)

    async def _parse_large(self, request: Request, options: Options) -> Ask:
        ask = parse_request(request, options, _UNREAD)
        if ask.payload is None:
            return ask
        columns = payload_columns(ask.action, ask.query)
        payload = await self._large_bodies.read(
            request.body, ask.content, columns, for_function=ask.calls_by_post
        )
        return parse_request(request, options, payload)

    async def _run(
        self, era: Era, ready: Ready, bound: Bound, request: Request, caller: Caller, laps: Laps | None
    ) -> Response:
        if laps is not None:
            laps.end("plan")
        identity = self._identity(era, ready, request, caller)
        try:
            result = await self._database.run(bound.statement, identity)
        except PostgresError as error:
            refusal = wrong_rows(error, ready.plan)
            if refusal is None:
                raise
            raise refusal from error
        if laps is not None:
            laps.end("transaction")
        if bound.explain is None:
            return render(ready.rendering, result, bound.location)
        estimate = await self._estimate(era, bound.explain, result, identity)
        return render(ready.rendering, result, bound.location, estimate)

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
                or isolation_of(era.world.catalog.role_settings.get(caller.role, ())),
                prepared=era.world.options.prepared_statements,
            )
            era.identities.put(key, found)
        return found

    async def _estimate(
        self, era: Era, explain: Statement, result: Result, identity: TransactionContext
    ) -> int | None:
        """The planner's count, unless an exact one within the maximum of rows is known."""
        counted = result.rows[0][columns.TOTAL] if result.rows else None
        exact = int(counted) if counted is not None else None
        most = era.world.options.max_rows
        if exact is not None and most is not None and exact <= most:
            return exact
        explained = await self._database.run(explain, identity)
        planned = int(json.loads(explained.rows[0][0] or b"[]")[0]["Plan"]["Plan Rows"])
        return planned if exact is None else max(exact, planned)

    async def _describe(self, era: Era, ask: Ask, request: Request, caller: Caller) -> Response:
        """The OpenAPI document of what the caller may use."""
        standing = self._standing(era, caller.role, ask.schema)
        identity = transaction_context(request, caller, standing, read_only=True, before=era.before)
        return await openapi.describe(self._database, era.world, ask, identity, self._api_url)

    def _standing(self, era: Era, role: str, schema: str) -> TransactionSettings:
        found = era.standing.get((role, schema))
        if found is None:
            found = standing_settings(era.world, role, schema)
            era.standing.put((role, schema), found)
        return found


_UNREAD = Payload(b"[]", (), False)
_REFUSED = (errors.RestError, PostgresError, PoolExhausted, ConnectionLost)


def _refusal(error: Exception, era: Era | None, caller: Caller, *, with_body: bool = True) -> Response:
    """The answer that an error makes. Raises what is no refusal."""
    if isinstance(error, errors.RestError):
        failure = error
    elif isinstance(error, PostgresError):
        anonymous = era is None or caller.role == era.world.options.anon_role
        failure = from_postgres(error, anonymous=anonymous)
    elif isinstance(error, PoolExhausted):
        failure = errors.pool_exhausted()
    elif isinstance(error, ConnectionRefused):
        failure = errors.connection_refused(str(error))
    elif isinstance(error, ConnectionLost):
        failure = errors.database_unreachable(str(error))
    else:
        raise error
    verbose = era is None or era.world.options.client_error_verbosity == "verbose"
    return errors.render_error(failure, with_body=with_body, verbose=verbose)


def _refusal_of(era: Era, template: Template, caller: Caller, error: Exception) -> Response:
    """The same for a request that was answered without a task."""
    refusal = wrong_rows(error, template.ready.plan) if isinstance(error, PostgresError) else None
    return _refusal(refusal or error, era, caller)


def _allowed_methods(ask: Ask, world: World) -> str:
    """What OPTIONS answers for a relation, a function or the root."""
    if ask.action == "root-options":
        return "OPTIONS,GET,HEAD"
    if ask.action == "routine-options":
        volatile = find_function(world.catalog.functions, ask).volatility == "v"
        return "OPTIONS,POST" if volatile else "OPTIONS,GET,HEAD,POST"
    relation = find_relation(world, ask.schema, ask.target)
    both = relation.insertable and relation.updatable and bool(relation.primary_key)
    methods = ["OPTIONS,GET,HEAD"]
    methods += ["POST"] if relation.insertable else []
    methods += ["PUT"] if both else []
    methods += ["PATCH"] if relation.updatable else []
    methods += ["DELETE"] if relation.deletable else []
    return ",".join(methods)
