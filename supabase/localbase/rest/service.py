"""The Data API: a request is found or prepared, bound, submitted and rendered. Only `submit` waits, for Postgres.

What has not been prepared goes `parse → plan → SQL`, in `rest/prepared`. Some requests are never prepared: they are
parsed each time, and then take the same way.
"""

from __future__ import annotations

import asyncio
import json
import logging

from localbase.core.authenticator import Authenticator, Caller
from localbase.core.settings import Settings
from localbase.core.web.http import FastResponse, HeaderBlock, Request, Response
from localbase.postgres.pipeline import ConnectionLost, PostgresError, Result
from localbase.postgres.pool import Database, PendingQuery, PoolExhausted
from localbase.postgres.schema_cache.cache import read_catalog
from localbase.rest import errors
from localbase.rest.api_request.large_bodies import LargeBodies, is_large
from localbase.rest.api_request.payload import Payload
from localbase.rest.api_request.request import ApiRequest, parse_request, payload_columns
from localbase.rest.config import PRE_CONFIG, Config, config_of, setting_names, with_settings
from localbase.rest.fast_path import PendingResponse
from localbase.rest.generation import SchemaGeneration
from localbase.rest.plan.make import SchemaCache, allowed_methods
from localbase.rest.preconfig import settings_of_function
from localbase.rest.prepared.cache import PreparedRequestCache
from localbase.rest.prepared.request import BoundRequest, PreparedRequest
from localbase.rest.prepared.split import MOUNT, is_for_fast_path, split_request
from localbase.rest.relationships import relationships_of
from localbase.rest.response import openapi
from localbase.rest.response.postgres_errors import response_to
from localbase.rest.response.render import render, render_options
from localbase.rest.response.server_timing import ServerTiming
from localbase.rest.sql import statement as columns

_log = logging.getLogger("localbase.rest")
_UNREAD = Payload(b"[]", (), False)


class RestService:
    """`/rest/v1` over one database. `load_catalog` must have run once; it may run again at any time."""

    def __init__(
        self,
        database: Database,
        settings: Settings,
        options: Config | None = None,
        authenticator: Authenticator | None = None,
        *,
        cached: bool = True,
    ) -> None:
        """Without `cached` every request is parsed, planned and given its settings anew."""
        self._cached = cached
        self._database = database
        self._authenticator = authenticator or Authenticator(settings.keys)
        self._api_url = settings.api_url
        self._options = options or config_of(settings.api)
        self._prepared: PreparedRequestCache | None = None
        self._large_bodies = LargeBodies()
        self._loading = asyncio.Lock()
        self._requested = 0
        self._loaded = 0

    async def load_catalog(self) -> None:
        """Reads the catalog anew. Requests see the old one until the new one is whole."""
        self._requested += 1
        mine = self._requested
        async with self._loading:
            if self._loaded >= mine:
                # A read that began after this call covers it: a migration's many notices cost few reads.
                return
            covered = self._requested
            first = self._prepared is None
            try:
                self._prepared = PreparedRequestCache(await self._read_generation())
            except (PostgresError, ConnectionLost, PoolExhausted) as error:
                # A reading can meet a change half way. What is known stays good enough until the next notice.
                if self._prepared is None:
                    raise
                _log.warning("the catalog could not be read again: %s", error)
            else:
                self._loaded = covered
                if not first:
                    # As upstream: what database and roles are set to now reaches sessions through new connections only.
                    self._database.flush()

    async def _read_generation(self) -> SchemaGeneration:
        options = self._options
        catalog = await read_catalog(self._database, options.schemas, options.extra_search_path)
        settings = catalog.server_settings
        function = settings.get(PRE_CONFIG)
        if function:
            settings = await settings_of_function(self._database, function, setting_names()) | dict(settings)
        chosen = with_settings(options, settings)
        if (chosen.schemas, chosen.extra_search_path) != (options.schemas, options.extra_search_path):
            catalog = await read_catalog(self._database, chosen.schemas, chosen.extra_search_path)
        relationships = await asyncio.to_thread(relationships_of, catalog, chosen.schemas)
        return SchemaGeneration(
            SchemaCache(catalog, relationships, chosen), self._authenticator, cached=self._cached
        )

    def authenticator(self) -> Authenticator:
        """The verifier of this API's tokens."""
        return self._prepared.generation.authenticator if self._prepared else self._authenticator

    async def handle(self, request: Request, caller: Caller) -> Response:
        """Responds to one request. `request.path` lies below `/rest/v1`. Rejections are responses too."""
        prepared = self._prepared
        response = await self._respond(prepared, request, caller)
        traced = prepared.generation.options.server_trace_header if prepared else None
        value = request.headers.get(traced.lower()) if traced else None
        if traced is None or value is None:
            return response
        return Response(response.status, [*response.headers, (traced, value)], response.body)

    async def _respond(
        self, prepared: PreparedRequestCache | None, request: Request, caller: Caller
    ) -> Response:
        if prepared is None:
            return errors.render_error(errors.catalog_not_loaded(), with_body=request.method != "HEAD")
        generation = prepared.generation
        bound: BoundRequest | None = None
        try:
            timing = ServerTiming() if generation.options.server_timing_enabled else None
            caller = generation.caller(caller)
            if timing is not None:
                timing.end("jwt")
            bound_or_response = self._find_or_prepare(prepared, request, caller) or await self._parse(
                generation, request, caller, timing
            )
            if isinstance(bound_or_response, Response):
                response = bound_or_response
            else:
                bound = bound_or_response
                response = await self._run(generation, bound, timing)
        except Exception as error:  # noqa: BLE001 - raised again, unless it is one to be rendered
            template = bound.prepared.template if bound else None
            with_body = request.method != "HEAD"
            return response_to(error, generation.options, caller.role, template, with_body=with_body)
        if timing is None:
            return response
        timing.end("response")
        return Response(response.status, [*response.headers, timing.header], response.body)

    def submit(
        self, line: bytes, block: HeaderBlock, body: bytes, response: FastResponse
    ) -> PendingQuery | None:
        """Responds to a request of the fast path; None if that is not eligible."""
        prepared = self._prepared
        parts = split_request(line, body)
        if prepared is None or parts is None or not prepared.serves_fast_path:
            return None
        prepared_request = prepared.find(parts, block)
        if prepared_request is None and is_for_fast_path(line):
            prepared_request = prepared.find_or_prepare(parts, block)
        if not prepared_request or not prepared_request.is_single:
            return None
        bound = prepared_request.bind(parts.operands, body)
        if bound is None:
            return None
        pending = PendingResponse(bound, response, prepared.generation.options)
        return self._database.submit(bound.batch, pending)

    def _find_or_prepare(
        self, prepared: PreparedRequestCache, request: Request, caller: Caller
    ) -> BoundRequest | None:
        """A request of the ASGI path, bound; None if it has to be parsed."""
        if not self._cached or is_large(request.body) or not request.raw_path:
            return None
        # SQL can read the id, so it is one of the headers; it comes once, and so would what is cached under them.
        if "x-request-id" in request.headers:
            return None
        path = request.raw_path.encode("latin-1")
        line = b"%b %b%b?%b HTTP/1.1" % (request.method.encode(), MOUNT, path, request.query)
        parts = split_request(line, request.body)
        block = prepared.block_for(request, caller) if parts else None
        prepared_request = prepared.find_or_prepare(parts, block) if parts and block else None
        return prepared_request.bind(parts.operands, request.body) if prepared_request and parts else None

    async def _parse(
        self, generation: SchemaGeneration, request: Request, caller: Caller, timing: ServerTiming | None
    ) -> BoundRequest | Response:
        """A request that is not prepared, or the response to one that asks for a description."""
        api_request = await self._parse_request(request, generation.options)
        if timing is not None:
            timing.end("parse")
        if api_request.action == "root":
            context = generation.root_context(api_request, request, caller)
            return await openapi.describe(
                self._database, generation.schema_cache, api_request, context, self._api_url
            )
        if api_request.action.endswith("-options"):
            return render_options(allowed_methods(api_request, generation.schema_cache))
        bound = PreparedRequest(api_request, request, caller, generation).bind((), None)
        assert bound is not None, "a request without operands is always bound"
        return bound

    async def _parse_request(self, request: Request, options: Config) -> ApiRequest:
        if not is_large(request.body):
            return parse_request(request, options)
        api_request = parse_request(request, options, _UNREAD)
        if api_request.payload is None:
            return api_request
        names = payload_columns(api_request.action, api_request.query)
        payload = await self._large_bodies.read(
            request.body, api_request.content, names, for_function=api_request.calls_by_post
        )
        return parse_request(request, options, payload)

    async def _run(
        self, generation: SchemaGeneration, bound: BoundRequest, timing: ServerTiming | None
    ) -> Response:
        if timing is not None:
            timing.end("plan")
        result = await self._database.run_batch(bound.batch)
        if timing is not None:
            timing.end("transaction")
        estimate = await self._estimate(generation, bound, result) if bound.explain else None
        location = bound.location.decode("latin-1") if bound.location else None
        return render(bound.prepared.template, result, location, estimate)

    async def _estimate(
        self, generation: SchemaGeneration, bound: BoundRequest, result: Result
    ) -> int | None:
        """The planner's count, unless an exact one within the maximum of rows is known."""
        counted = result.rows[0][columns.TOTAL] if result.rows else None
        exact = int(counted) if counted is not None else None
        most = generation.options.max_rows
        if bound.explain is None or (exact is not None and most is not None and exact <= most):
            return exact
        explained = await self._database.run(bound.explain, bound.prepared.context)
        planned = int(json.loads(explained.rows[0][0] or b"[]")[0]["Plan"]["Plan Rows"])
        return planned if exact is None else max(exact, planned)
