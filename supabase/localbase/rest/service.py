"""The Data API: a request goes `parse → plan → sql → run → render`, and only `run` waits.

What the first three stages give is kept twice: under the request without its operands, for one that comes again with
others, and by its shape, for one that is written otherwise. Both belong to one reading of the catalog and go with it.
"""

from __future__ import annotations

import asyncio
import json
import logging
from dataclasses import dataclass, field

from localbase.core.http import Request, Response
from localbase.core.identity import Caller, Identities
from localbase.core.settings import Settings
from localbase.postgres.catalog import read_catalog
from localbase.postgres.pipeline import ConnectionLost, ConnectionRefused
from localbase.postgres.session import Database, Identity, PoolExhausted, PostgresError, Result, Statement
from localbase.rest import errors, openapi
from localbase.rest.context import Settings as TransactionSettings
from localbase.rest.context import identity_of, isolation_of, pre_request_sql, standing_settings
from localbase.rest.failures import from_postgres, wrong_rows
from localbase.rest.options import Options, options_of, overruled
from localbase.rest.plan.call import find_function
from localbase.rest.plan.make import World, find_relation
from localbase.rest.plan.nodes import Plan
from localbase.rest.prepare import Bound, Kept, Ready, bind, prepare
from localbase.rest.relationships import relationships_of
from localbase.rest.request import Ask, parse_request
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
    templates: Kept[Template] = field(default_factory=Kept)
    # Requests that must be parsed each time.
    untemplated: Kept[bool] = field(default_factory=Kept)
    compiled: Kept[tuple[Plan, Compiled]] = field(default_factory=Kept)
    standing: dict[tuple[str, str], TransactionSettings] = field(default_factory=dict)
    identities: Kept[Identity] = field(default_factory=lambda: Kept(1024))
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
    ) -> None:
        self._database = database
        self._identities = identities or Identities(settings.keys)
        self._api_url = settings.api_url
        self._options = options or options_of(settings.api)
        self._era: Era | None = None
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
            try:
                self._era = await self._read_era()
            except (PostgresError, ConnectionLost, PoolExhausted) as error:
                # A reading can meet a change half way. What is known stays good enough until the next notice.
                if self._era is None:
                    raise
                _log.warning("the catalog could not be read again: %s", error)
            else:
                self._loaded = covered

    async def _read_era(self) -> Era:
        options = self._options
        catalog = await read_catalog(self._database, options.schemas, options.extra_search_path)
        chosen = overruled(options, catalog.server_settings)
        if (chosen.schemas, chosen.extra_search_path) != (options.schemas, options.extra_search_path):
            catalog = await read_catalog(self._database, chosen.schemas, chosen.extra_search_path)
        known = await asyncio.to_thread(relationships_of, catalog, chosen.schemas)
        world = World(catalog, known, chosen)
        return Era(world, before=pre_request_sql(world), judge=self._judge_by(chosen))

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
        except errors.RestError as error:
            failure = error
        except PostgresError as error:
            anonymous = era is None or caller.role == era.world.options.anon_role
            failure = from_postgres(error, anonymous=anonymous)
        except PoolExhausted:
            failure = errors.pool_exhausted()
        except ConnectionRefused as error:
            failure = errors.connection_refused(str(error))
        except ConnectionLost as error:
            failure = errors.database_unreachable(str(error))
        verbose = era is None or era.world.options.client_error_verbosity == "verbose"
        return errors.render_error(failure, with_body=request.method != "HEAD", verbose=verbose)

    async def _answer(self, era: Era, request: Request, caller: Caller, laps: Laps | None) -> Response:
        taken = cut(request)
        if taken is not None:
            template = era.templates.get(taken.key)
            if template is not None:
                return await self._run(era, template.ready, template.fill(taken), request, caller, laps)
        ask = parse_request(request, era.world.options)
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

    def _identity(self, era: Era, ready: Ready, request: Request, caller: Caller) -> Identity:
        """As whom it runs. Kept: a client asks the same target under the same headers again and again."""
        key = (
            *(caller.claims_json, request.method, request.path, ready.schema),
            *(ready.extra, ready.isolation, ready.read_only, ready.rollback, *request.headers.items()),
        )
        found = era.identities.get(key)
        if found is None:
            found = identity_of(
                request,
                caller,
                self._standing(era, caller.role, ready.schema),
                extra=ready.extra,
                read_only=ready.read_only,
                rollback=ready.rollback,
                before=era.before,
                isolation=ready.isolation
                or isolation_of(era.world.catalog.role_settings.get(caller.role, ())),
            )
            era.identities.put(key, found)
        return found

    async def _estimate(self, era: Era, explain: Statement, result: Result, identity: Identity) -> int | None:
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
        identity = identity_of(request, caller, standing, read_only=True, before=era.before)
        return await openapi.describe(self._database, era.world, ask, identity, self._api_url)

    def _standing(self, era: Era, role: str, schema: str) -> TransactionSettings:
        found = era.standing.get((role, schema))
        if found is None:
            found = era.standing[role, schema] = standing_settings(era.world, role, schema)
        return found


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
