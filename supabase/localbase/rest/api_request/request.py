"""From an HTTP request to what is asked: action, target, query, preferences, window, body. Nothing here does I/O.

`ApiRequest.shape` is everything that decides the plan; `ApiRequest.values` is what varies under one plan. The first
values have fixed places: the body, the top level's limit and its offset.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from localbase.core.web.http import Request, text_of
from localbase.rest import errors
from localbase.rest.api_request.grammar.filter import Values
from localbase.rest.api_request.grammar.query import (
    ParsedQuery,
    Query,
    canonical_query,
    parse_query,
    split_query,
)
from localbase.rest.api_request.media_type import ANY, JSON, Media, parse_accept, parse_media
from localbase.rest.api_request.payload import Payload, parse_payload
from localbase.rest.api_request.preferences import Preferences, parse_prefer
from localbase.rest.api_request.range import Window, window_of
from localbase.rest.config import Config

BODY, LIMIT, OFFSET = 0, 1, 2
"""Places of the values that every request has."""

API_KEYS = ("eyJ", "sb_")
"""How API keys begin."""

RELATION_ACTIONS = {
    "GET": "read",
    "HEAD": "read",
    "POST": "insert",
    "PATCH": "update",
    "PUT": "put",
    "DELETE": "delete",
    "OPTIONS": "relation-options",
}
ROUTINE_ACTIONS = {"GET": "call", "HEAD": "call", "POST": "call", "OPTIONS": "routine-options"}
ROOT_ACTIONS = {"GET": "root", "HEAD": "root", "OPTIONS": "root-options"}
_WITH_BODY = ("insert", "update", "put")
_NO_WINDOW = Window()


class ApiRequest(NamedTuple):
    """A request, understood. `target` is a relation's or function's name, empty at the root."""

    method: str
    action: str
    target: str
    schema: str
    schema_negotiated: bool
    query: Query
    canonical: str
    preferences: Preferences
    accepted: tuple[Media, ...]
    content: Media
    payload: Payload | None
    window: Window
    shape: tuple[object, ...]
    values: tuple[bytes | None, ...]

    @property
    def writes(self) -> bool:
        """Tell whether it changes a relation's rows."""
        return self.action in ("insert", "update", "put", "delete")

    @property
    def calls_by_post(self) -> bool:
        """Tell whether arguments come in the body."""
        return self.action == "call" and self.method == "POST"


def parse_request(request: Request, options: Config, payload: Payload | None = None) -> ApiRequest:
    """The request, with its body unless that is read already (`payload`).

    Raises `RestError` for all that upstream rejects before it looks at the database.
    """
    method, headers = request.method, request.headers
    prefer, accept = headers.get("prefer", ""), headers.get("accept")
    preferences = parse_prefer(prefer, allow_tx=options.tx_allow_override)
    kind, target = _resource(request.path, options)
    schema, negotiated = _schema(method, headers, options)
    action = _action(kind, method)
    if "\0" in request.path or b"%00" in request.query:
        raise errors.nul_in_text()
    values = Values([None, None, None])
    pairs = [pair for pair in split_query(request.query) if not _is_api_key(*pair)]
    reads_by_call = action == "call" and method != "POST"
    parsed = parse_query(pairs, values, arguments_allowed=reads_by_call)
    window = _window(method, action, headers, parsed)
    content = parse_media(headers["content-type"]) if headers.get("content-type") else JSON
    payload = _payload(request, action, content, parsed.query, payload)
    window = window if action in _WITH_BODY or action == "delete" else window.at_most(options.max_rows)
    values.items[BODY] = payload.raw if payload else None
    values.items[LIMIT] = None if window.limit is None else str(window.limit).encode()
    values.items[OFFSET] = str(window.offset).encode()
    accepted = parse_accept(accept) if accept else (ANY,)
    form: tuple[object, ...] = () if payload is None else (content.name, payload.columns, payload.is_object)
    query = parsed.query
    if payload and payload.arguments is not None:
        query = query._replace(arguments=tuple((name, values.add(text)) for name, text in payload.arguments))
        form += tuple(name for name, _ in query.arguments)
    return ApiRequest(
        method=method,
        action=action,
        target=target,
        schema=schema,
        schema_negotiated=negotiated,
        query=query,
        canonical=canonical_query(pairs),
        preferences=preferences,
        accepted=accepted,
        content=content,
        payload=payload,
        window=window,
        # The two headers as texts: hashed often, and each reads as one list of preferences or types only.
        shape=(method, kind, target, schema, prefer, accept or "", form, window.shape, *parsed.shape),
        values=tuple(values.items),
    )


def _is_api_key(name: str, value: str) -> bool:
    """The gateway takes a key from the URL as well; to the Data API it is no filter."""
    return name == "apikey" and value.startswith(API_KEYS)


def _resource(path: str, options: Config) -> tuple[str, str]:
    """The resource, where the operator may have put a function in the root's place."""
    kind, target = resource_of(path)
    if kind != "root":
        return kind, target
    if options.openapi_mode == "disabled":
        raise errors.openapi_disabled()
    return ("routine", options.root_spec.rpartition(".")[2]) if options.root_spec else (kind, target)


def resource_of(path: str) -> tuple[str, str]:
    """`relation`, `routine` or `root`, and its name. Raises PGRST125 for any other path."""
    parts = [part for part in path.split("/") if part]
    if not parts:
        return "root", ""
    if len(parts) == 1:
        return "relation", parts[0]
    if len(parts) == 2 and parts[0] == "rpc":
        return "routine", parts[1]
    raise errors.invalid_path()


def _action(kind: str, method: str) -> str:
    if kind == "routine":
        if method not in ROUTINE_ACTIONS:
            raise errors.rpc_method(method)
        return ROUTINE_ACTIONS[method]
    actions = RELATION_ACTIONS if kind == "relation" else ROOT_ACTIONS
    if method not in actions:
        raise errors.unsupported_method(method)
    return actions[method]


def _schema(method: str, headers: Mapping[str, str], options: Config) -> tuple[str, bool]:
    """The schema, and whether the answer names it: with several exposed even the default counts as chosen."""
    writing = method in ("POST", "PATCH", "PUT", "DELETE")
    header = headers.get("content-profile" if writing else "accept-profile")
    if header is None:
        return options.schemas[0], len(options.schemas) != 1
    profile = text_of(header)
    if profile not in options.schemas:
        raise errors.unacceptable_schema(profile, options.schemas)
    return profile, True


def _window(method: str, action: str, headers: Mapping[str, str], parsed: ParsedQuery) -> Window:
    header = headers.get("range") if method == "GET" else None
    if header is None and parsed.limit is None and parsed.offset is None:
        return _NO_WINDOW
    window = window_of(header, parsed.limit, parsed.offset)
    if action == "put" and not window.is_whole:
        raise errors.put_with_limit()
    return window


def payload_columns(action: str, query: Query) -> tuple[str, ...] | None:
    """The columns that the request names, where they count."""
    return None if action == "put" else query.columns


def _payload(
    request: Request, action: str, content: Media, query: Query, payload: Payload | None
) -> Payload | None:
    posted_call = action == "call" and request.method == "POST"
    if action not in _WITH_BODY and not posted_call:
        return None
    if payload is not None:
        return payload
    return parse_payload(request.body, content, payload_columns(action, query), for_function=posted_call)
