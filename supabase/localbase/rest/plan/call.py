"""The plan of a function's call: which overload is meant, and where its arguments come from."""

from __future__ import annotations

from collections.abc import Mapping

from localbase.postgres.schema_cache.cache import Function, Name
from localbase.rest.api_request.media_type import Media
from localbase.rest.api_request.request import ApiRequest
from localbase.rest.errors import RestError
from localbase.rest.plan.nodes import Argument, Call
from localbase.rest.suggestions import closest_match

Functions = Mapping[Name, tuple[Function, ...]]

_WHOLE_BODY_TYPES = {
    "application/json": ("json", "jsonb"),
    "text/plain": ("text",),
    "text/xml": ("xml",),
    "application/octet-stream": ("bytea",),
}
_RAW = ("text/plain", "text/xml", "application/octet-stream")


def find_function(functions: Functions, api_request: ApiRequest) -> Function:
    """The overload that takes exactly the given names. Raises PGRST202 or PGRST203."""
    posted = api_request.calls_by_post
    names = frozenset(
        api_request.payload.columns
        if posted and api_request.payload
        else (n for n, _ in api_request.query.arguments)
    )
    overloads = functions.get((api_request.schema, api_request.target), ())
    fitting = [item for item in overloads if _takes(item, names, api_request.content if posted else None)]
    if not fitting and posted:
        fitting = [item for item in overloads if _takes_whole_body(item, api_request.content)]
    if len(fitting) == 1:
        return fitting[0]
    if fitting:
        raise _ambiguous(fitting)
    raise _not_found(functions, overloads, api_request, sorted(names))


def plan_call(function: Function, api_request: ApiRequest, returning: tuple[str, ...]) -> Call:
    """The call with its arguments: one by one from the URL or a form, or all from the body."""
    posted = api_request.calls_by_post
    payload = api_request.payload
    in_body = posted and payload is not None and payload.arguments is None
    argument_names = set(payload.columns) if payload else {name for name, _ in api_request.query.arguments}
    parameters = function.parameters
    nameless = len(parameters) == 1 and not parameters[0].name
    return Call(
        function=function,
        arguments=tuple(
            Argument(item, _places(item.name, item.variadic, api_request))
            for item in parameters
            if item.name in argument_names
        ),
        in_body=in_body,
        body_is_object=bool(payload and payload.is_object),
        whole_body=nameless and in_body,
        returning=returning,
    )


def _places(name: str, variadic: bool, api_request: ApiRequest) -> tuple[int, ...]:
    """Of a repeated argument the last counts, unless it is variadic: then all do."""
    places = tuple(place for argument_name, place in api_request.query.arguments if argument_name == name)
    return places if variadic else places[-1:]


def _takes(function: Function, names: frozenset[str], content: Media | None) -> bool:
    parameters = function.parameters
    if not parameters:
        return not names and not (content and content.name in _RAW)
    required = {item.name for item in parameters if item.required}
    return required <= names <= {item.name for item in parameters}


def _takes_whole_body(function: Function, content: Media) -> bool:
    parameters = function.parameters
    if len(parameters) != 1 or parameters[0].name:
        return False
    return parameters[0].type in _WHOLE_BODY_TYPES.get(content.name, ())


def _ambiguous(candidates: list[Function]) -> RestError:
    listed = ", ".join(
        f"{item.schema}.{item.name}({', '.join(f'{p.name} => {p.type}' for p in item.parameters)})"
        for item in candidates
    )
    return RestError(
        300,
        "PGRST203",
        f"Could not choose the best candidate function between: {listed}",
        hint="Try renaming the parameters or the function itself in the database so function overloading "
        "can be resolved",
    )


def _not_found(
    functions: Functions, overloads: tuple[Function, ...], api_request: ApiRequest, names: list[str]
) -> RestError:
    name = f"{api_request.schema}.{api_request.target}"
    raw = api_request.calls_by_post and api_request.content.name in _RAW
    listed = ", ".join(names)
    called = name if raw else f"{name}({listed})" if names else f"{name} without parameters"
    plural = "s" if len(names) > 1 else ""
    searched = f"{name} with parameter{plural} {listed}" if names else f"{name} without parameters"
    if raw:
        searched = f"{name} with a single unnamed {_WHOLE_BODY_TYPES[api_request.content.name][0]} parameter"
    elif api_request.calls_by_post and api_request.content.form == "json":
        searched += " or with a single unnamed json/jsonb parameter"
    return RestError(
        404,
        "PGRST202",
        f"Could not find the function {called} in the schema cache",
        details=f"Searched for the function {searched}, but no matches were found in the schema cache.",
        hint=None if raw else _hint(functions, overloads, api_request, listed),
    )


def _hint(
    functions: Functions, overloads: tuple[Function, ...], api_request: ApiRequest, listed: str
) -> str | None:
    if overloads:
        signatures = (f"({', '.join(sorted(p.name for p in item.parameters))})" for item in overloads)
        likely = closest_match(f"({listed})", signatures)
        suggestion = likely and api_request.target + likely
    else:
        suggestion = closest_match(
            api_request.target, (n for schema, n in functions if schema == api_request.schema), 0.75
        )
    return f"Perhaps you meant to call the function {api_request.schema}.{suggestion}" if suggestion else None
