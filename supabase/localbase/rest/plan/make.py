"""From the request to the plan: looks up the target, settles the answer's form, plans change and read."""

from __future__ import annotations

from dataclasses import dataclass, replace

from localbase.postgres.schema_cache.cache import Catalog, Function, Name, Relation
from localbase.rest import errors
from localbase.rest.api_request.grammar.terms import Field
from localbase.rest.api_request.media_type import ANY, JSON, Media, made_media
from localbase.rest.api_request.request import LIMIT, OFFSET, ApiRequest
from localbase.rest.config import Config
from localbase.rest.plan.call import find_function, plan_call
from localbase.rest.plan.nodes import Call, Output, Plan, ReadNode, Write
from localbase.rest.plan.read import Reader, Scope
from localbase.rest.plan.write import needed_columns, plan_write
from localbase.rest.relationships import Relationships
from localbase.rest.suggestions import closest_match

_MOST_TABLES_FOR_HINTS = 500


@dataclass(frozen=True, slots=True)
class SchemaCache:
    """The basis of plans: one reading of the database and what follows from it."""

    catalog: Catalog
    relationships: Relationships
    options: Config


def make_plan(api_request: ApiRequest, schema_cache: SchemaCache) -> Plan:
    """The plan of a read, write or call. Raises `RestError` for what cannot be planned."""
    plan = (
        _plan_call(api_request, schema_cache)
        if api_request.action == "call"
        else _plan_relation(api_request, schema_cache)
    )
    if api_request.preferences.strict and api_request.preferences.invalid:
        raise errors.invalid_preferences(api_request.preferences.invalid)
    if schema_cache.options.safe_update and plan.write is not None and plan.write.meets_every_row:
        raise errors.no_where_clause(plan.write.action)
    return plan


def find_relation(schema_cache: SchemaCache, schema: str, name: str) -> Relation:
    """The relation of that name. Raises PGRST205 with the nearest name."""
    relation = schema_cache.catalog.relations.get((schema, name))
    if relation is None:
        names = [table for other, table in schema_cache.catalog.relations if other == schema]
        likely = closest_match(name, names, 0.75) if len(names) < _MOST_TABLES_FOR_HINTS else None
        raise errors.table_not_found(schema, name, likely)
    return relation


def _plan_relation(api_request: ApiRequest, schema_cache: SchemaCache) -> Plan:
    relation = find_relation(schema_cache, api_request.schema, api_request.target)
    reader, read = _read(api_request, schema_cache, (relation.schema, relation.name))
    write = plan_write(api_request, relation, read) if api_request.writes else None
    media = negotiate(api_request.accepted, schema_cache, read)
    shapes = api_request.preferences.returning == "representation" if write else api_request.method != "HEAD"
    return _plan(api_request, schema_cache.options, reader, read, media, shapes_body=shapes, write=write)


def _plan_call(api_request: ApiRequest, schema_cache: SchemaCache) -> Plan:
    function = find_function(schema_cache.catalog.functions, api_request)
    result = function.return_type if function.is_composite else function.name
    reader, read = _read(api_request, schema_cache, (function.schema, result))
    returning = needed_columns(read, ()) if read.relation else ("*",)
    if api_request.preferences.affected_limit is not None and not function.is_set:
        raise errors.max_affected_needs_set()
    media = negotiate(api_request.accepted, schema_cache, read, _own_media(function))
    call = plan_call(function, api_request, returning)
    shapes = api_request.method != "HEAD"
    return _plan(api_request, schema_cache.options, reader, read, media, shapes_body=shapes, call=call)


def _read(api_request: ApiRequest, schema_cache: SchemaCache, source: Name) -> tuple[Reader, ReadNode]:
    query = api_request.query
    conditions = query.conditions
    limits, offsets = query.limits, query.offsets
    if api_request.writes:
        # A change's own filters are the change's; limits below it are not applied, as upstream has it.
        conditions = tuple((path, item) for path, item in conditions if path)
        limits, offsets = (), ()
        max_rows = most = None
    else:
        # The window is what the query says of the outermost level.
        window = api_request.window
        max_rows, most = schema_cache.options.max_rows, window.constant_limit
        if window.limit is not None and most is None:
            limits = (((), LIMIT), *limits)
        if window.offset:
            offsets = (((), OFFSET), *offsets)
    reader = Reader(schema_cache.catalog, schema_cache.relationships, schema_cache.options, max_rows=max_rows)
    scope = Scope(conditions, query.orders, limits, offsets)
    return reader, reader.root(source, query, scope, from_result=api_request.action != "read", max_rows=most)


def _plan(
    api_request: ApiRequest,
    options: Config,
    reader: Reader,
    read: ReadNode,
    media: Media,
    *,
    shapes_body: bool,
    write: Write | None = None,
    call: Call | None = None,
) -> Plan:
    """The plan of these parts, with what is counted."""
    count_preference = api_request.preferences.count
    estimated = count_preference == "estimated" and options.max_rows is not None
    may_change = write is not None or api_request.calls_by_post
    limited = api_request.action in ("update", "delete", "call")
    return Plan(
        api_request.action,
        read,
        media,
        shapes_body,
        write,
        call,
        one_row=may_change and (api_request.action == "put" or media.form == "object"),
        most_rows=api_request.preferences.affected_limit if may_change and limited else None,
        counted=count_preference in ("exact", "estimated"),
        windowed=not api_request.window.is_whole,
        count_limit=options.max_rows + 1 if estimated and options.max_rows is not None else None,
        legacy_target_names=tuple(reader.legacy_target_names),
    )


def _own_media(function: Function) -> tuple[str, Media] | None:
    """A function that returns a domain named like a media type makes that type's body: its name, and how."""
    own = (function.return_domain or "").lower()
    if function.is_set or function.is_composite or "/" not in own:
        return None
    return own, made_media(own, function.output)


def negotiate(
    accepted: tuple[Media, ...],
    schema_cache: SchemaCache,
    read: ReadNode,
    own: tuple[str, Media] | None = None,
) -> Media:
    """The first accepted media type that can be made of what is read. Raises PGRST107.

    The vendor types of PostgREST come first: no handler takes their place, not even one for any type.
    """
    for media in accepted:
        if media.form == "plan":
            target = media.plan_of if schema_cache.options.plan_enabled else None
            made = _made(target, schema_cache.catalog, read, own) if target else None
            if made is not None:
                return replace(media, plan_of=made)
            continue
        made = _made(media, schema_cache.catalog, read, own)
        if made is not None:
            return made
    raise errors.media_type([media.name for media in accepted])


def _made(media: Media, catalog: Catalog, read: ReadNode, own: tuple[str, Media] | None) -> Media | None:
    """Return how a body of this type is made; None if it cannot be."""
    if media.form in ("object", "array"):
        return media
    if own is not None and _takes_whole_rows(read) and own[0] in (ANY.name, media.name.lower()):
        return own[1]
    handled = _handled(media, catalog, read)
    if handled is not None:
        return handled
    if media == ANY:
        return JSON
    return media if media.form in ("json", "csv", "geojson") else None


def _takes_whole_rows(read: ReadNode) -> bool:
    return read.outputs == (Output(Field("*")),) and not read.embeds


def _handled(media: Media, catalog: Catalog, read: ReadNode) -> Media | None:
    """The type as one of the database's aggregates makes it. A relation's own takes whole rows only."""
    handlers = catalog.media_handlers
    if not handlers:
        return None
    name = media.name.lower()
    handler = handlers.get((None, name))
    if _takes_whole_rows(read):
        handler = handlers.get((read.source, ANY.name)) or handlers.get((read.source, name)) or handler
    if handler is None:
        return None
    return made_media(handler.media, handler.output, handler.function, handler.target)


def allowed_methods(api_request: ApiRequest, schema_cache: SchemaCache) -> str:
    """The methods that OPTIONS lists for a relation, a function or the root."""
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
