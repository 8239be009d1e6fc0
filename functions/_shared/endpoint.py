"""The decorators that make HTTP handlers (for functions-framework) of typed functions.

Request → method → caller → size, JSON, body model → function → JSON. Every failure is `{"error", "code"}`, with
`retry_at` (ISO, UTC) where it is known when to try again; every request is one log line. The wire is what supabase-js
expects: POST, JSON, `Authorization: Bearer`; a `document` is a page, read by GET. A call with an `Idempotency-Key` is
worked on once (core/idempotency.py).
"""

from __future__ import annotations

import functools
import math
import os
import re
import time
import uuid
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from typing import Literal, TypeVar

from flask import Request, Response, json
from pydantic import BaseModel, ValidationError
from werkzeug.exceptions import HTTPException

from _shared.core.callers import Caller, CallerKind
from _shared.core.errors import ShopError
from _shared.core.idempotency import key_in
from _shared.core.logs import is_request_id, log_context, log_request
from _shared.core.settings import Group, MissingSettingsError, read_settings
from _shared.pages.page import Page
from _shared.shop import Shop

_TRACE = re.compile("[0-9a-f]{32}")

_LONGEST_PATH = 200
LARGEST_BODY = 64 * 1024
LARGEST_EVENT = 1024 * 1024
LARGEST_PICTURE_BODY = 20 * 1024 * 1024

# Seconds that a function waits for its vendors at most (deploy/function_limits.py).
PATIENCE = 120
PICTURE_PATIENCE = 390

Body = TypeVar("Body", bound=BaseModel)
ResponseBody = Mapping[str, object]


@dataclass(frozen=True)
class Download:
    """A file in place of JSON, sent part by part: `name` is what a browser stores it under."""

    name: str
    parts: Iterable[bytes]


Answer = ResponseBody | Download


def endpoint(
    *,
    body: type[Body],
    caller: CallerKind,
    needs: Iterable[Group] = (),
    largest: int = LARGEST_BODY,
    patience: int = PATIENCE,
    reads: bool = False,
    environ: Mapping[str, str] = os.environ,
) -> Callable[[Callable[[Body, Caller, Shop], Answer]], Callable[..., Response]]:
    """`caller` is who may call, `needs` the groups of settings beyond what checking the caller takes.

    `largest` is the most bytes that a body may have, `patience` how many seconds the work may take. What only `reads`
    does so again for a repeated Idempotency-Key. The settings are read from `environ`, at the first request.
    """
    groups: frozenset[Group] = frozenset(needs) | (
        frozenset() if caller == "anyone" else frozenset({"supabase"})
    )

    def decorate(function: Callable[[Body, Caller, Shop], Answer]) -> Callable[..., Response]:
        slug = _slug(function)

        def call_function(request: Request, shop: Shop) -> Answer:
            if caller == "anyone":
                who = Caller(address=_client_address(request))
            else:
                who = shop.callers.identify(_authorization(request), caller)
            key = key_in(request.headers.get("idempotency-key"))
            content = _read(request, largest)
            parsed = _parse(content, body)
            # what has no database only looks things up
            if key is None or reads or not shop.settings.supabase_url:
                return function(parsed, who, shop)
            call = shop.idempotency.call(slug, who, key, content)
            who = replace(who, call_id=call.uuid)
            return shop.idempotency.once(call, lambda: _body_of(function(parsed, who, shop)), patience)

        def respond(request: Request, shop: Shop) -> Response:
            answer = call_function(request, shop)
            return render_download(answer) if isinstance(answer, Download) else render(200, answer)

        return _served(function, groups, respond, environ)

    return decorate


def webhook(
    *, needs: Iterable[Group], environ: Mapping[str, str] = os.environ
) -> Callable[[Callable[[bytes, Mapping[str, str], Shop], ResponseBody]], Callable[..., Response]]:
    """For vendors, which send a signature in place of a token: the function gets the raw body and the headers."""
    groups: frozenset[Group] = frozenset(needs) | frozenset({"supabase"})

    def decorate(
        function: Callable[[bytes, Mapping[str, str], Shop], ResponseBody],
    ) -> Callable[..., Response]:
        def respond(request: Request, shop: Shop) -> Response:
            headers = {name.lower(): value for name, value in request.headers}
            return render(200, function(_read(request, LARGEST_EVENT), headers, shop))

        return _served(function, groups, respond, environ)

    return decorate


def _body_of(answer: Answer) -> ResponseBody:
    if isinstance(answer, Download):
        raise TypeError("A download is not stored: its function reads.")
    return answer


def document(
    *, needs: Iterable[Group], environ: Mapping[str, str] = os.environ
) -> Callable[[Callable[[str, str | None, Shop], Page]], Callable[..., Response]]:
    """For browsers and robots, which send GET and no token: the function gets the site's path, and the link's key.

    A host that keeps the path of what it leads here sends it as the path, all others as the parameter `path`.
    """

    def decorate(function: Callable[[str, str | None, Shop], Page]) -> Callable[..., Response]:
        def respond(request: Request, shop: Shop) -> Response:
            path, key = request.args.get("path", request.path), request.args.get("key")
            page = function(path[:_LONGEST_PATH], key and key[:_LONGEST_PATH], shop)
            response = Response(page.body, page.status, page.headers, content_type=page.media_type)
            response.set_etag(page.version, weak=True)
            # RFC 9110, 13.1.2: only what would be a success may be "not modified"
            if page.status == 200:
                response.make_conditional(request)
            return response

        return _served(function, frozenset(needs), respond, environ, method="GET")

    return decorate


def _served(
    function: Callable[..., Answer | Page],
    groups: frozenset[Group],
    respond: Callable[[Request, Shop], Response],
    environ: Mapping[str, str],
    method: Literal["POST", "GET"] = "POST",
) -> Callable[..., Response]:
    slug = _slug(function)

    @functools.cache
    def open_shop() -> Shop:
        """One for the process. Not cached while settings are missing."""
        return Shop(read_settings(environ, sorted(groups)))

    @functools.wraps(function)
    def handle(request: Request, shop: Shop | None = None) -> Response:
        """Return what functions-framework calls; tests hand in a `shop` of their own."""
        if request.method == "OPTIONS":
            return with_cors(Response(status=204), environ)
        started = time.perf_counter()
        code, cause = "ok", None
        fields = _trace_of(request, environ)
        with log_context(**fields):
            try:
                if request.method not in (method, "HEAD" if method == "GET" else method):
                    raise ShopError(405, "method_not_allowed", f"Please use {method}.")
                response = respond(request, shop or open_shop())
            except Exception as error:  # noqa: BLE001 - every failure becomes a response and a log line
                problem = _as_problem(error)
                response = render_problem(problem)
                code, cause = problem.code, problem.cause
            response.headers["x-request-id"] = fields["request_id"]
            milliseconds = (time.perf_counter() - started) * 1000
            log_request(request.method, slug, response.status_code, code, milliseconds, cause)
        return with_cors(response, environ)

    return handle


def _slug(function: Callable[..., Answer | Page]) -> str:
    return function.__name__.replace("_", "-")


def _trace_of(request: Request, environ: Mapping[str, str]) -> dict[str, str]:
    """Return what every line of a request's work has: its id, and Google Cloud's trace where that project is named."""
    request_id = request.headers.get("x-request-id", "")
    fields = {"request_id": request_id if is_request_id(request_id) else str(uuid.uuid4())}
    trace = request.headers.get("x-cloud-trace-context", "").partition("/")[0]
    project = environ.get("GOOGLE_CLOUD_PROJECT")
    if project and _TRACE.fullmatch(trace):
        fields["logging.googleapis.com/trace"] = f"projects/{project}/traces/{trace}"
    return fields


def _authorization(request: Request) -> str:
    return request.headers.get("authorization", "")


def _client_address(request: Request) -> str:
    """The address that the nearest proxy saw: it appends to what the client itself may have sent."""
    forwarded = request.headers.get("x-forwarded-for", "").rpartition(",")[2].strip()
    return forwarded[:100] or request.remote_addr or ""


def _parse(content: bytes, body: type[Body]) -> Body:
    try:
        sent = json.loads(content, parse_constant=_finite, parse_float=_finite)
    except (ValueError, RecursionError) as error:  # bad UTF-8 too, and thousands of brackets
        raise ShopError(400, "invalid_json", "The request's body is not JSON.") from error
    return body.model_validate(sent)


def _finite(text: str) -> float:
    """A JSON number. Python also reads NaN and Infinity, and 1e999 as infinite, none of which can be sent on."""
    number = float(text)
    if not math.isfinite(number):
        raise ValueError(f"{text} is not JSON")
    return number


def _read(request: Request, largest: int) -> bytes:
    # Not by Flask's max_content_length: functions-framework reads what is left of every body once the response is
    # made, and a limit that is still set then turns the response into a 500.
    if (request.content_length or 0) <= largest:
        content: bytes = request.stream.read(largest + 1)
        if len(content) <= largest:
            return content
    size = f"{largest // 1024**2} MB" if largest >= 1024**2 else f"{largest // 1024} kB"
    raise ShopError(413, "payload_too_large", f"The request is larger than {size}.")


def _as_problem(error: Exception) -> ShopError:
    """Any error as a `ShopError`, with a sentence for the user."""
    if isinstance(error, ShopError):
        return error
    if isinstance(error, ValidationError):
        return ShopError(400, "invalid_request", _first_fault(error))
    if isinstance(error, HTTPException):  # a body cut off on its way
        return ShopError(
            error.code or 400, "bad_request", error.description or "The request could not be read."
        )
    if isinstance(error, MissingSettingsError):
        return ShopError(500, "not_configured", "The shop is not set up for this yet.", cause=error)
    return ShopError(500, "internal_error", "Something went wrong on our side.", cause=error)


def _first_fault(error: ValidationError) -> str:
    """`shipping_address.zip: Field required.`; never the value itself, which may be a picture or private."""
    fault = error.errors(include_url=False, include_context=False, include_input=False)[0]
    where = ".".join(str(part) for part in fault["loc"]) or "body"
    return f"{where}: {fault['msg'].removeprefix('Value error, ')}."


def render(status: int, body: ResponseBody) -> Response:
    return Response(json.dumps(body), status=status, content_type="application/json")


def render_download(download: Download) -> Response:
    # supabase-js makes a Blob of this type, and text of most others
    response = Response(download.parts, content_type="application/octet-stream")
    response.headers["content-disposition"] = f'attachment; filename="{download.name}"'
    response.headers["cache-control"] = "no-store"
    return response


def render_problem(problem: ShopError) -> Response:
    body = {"error": problem.error, "code": problem.code}
    if problem.retry_at is None:
        return render(problem.status, body)
    # the next whole second: never before the time itself
    at = problem.retry_at.astimezone(UTC).replace(microsecond=0) + timedelta(seconds=1)
    response = render(problem.status, body | {"retry_at": at.isoformat()})
    response.headers["retry-after"] = str(max(1, math.ceil((at - datetime.now(UTC)).total_seconds())))
    return response


def with_cors(response: Response, environ: Mapping[str, str]) -> Response:
    """Only for functions without Supabase's gateway in front: it adds these itself; twice breaks browsers."""
    origin = environ.get("FUNCTIONS_CORS_ORIGIN")
    if origin:
        response.headers["access-control-allow-origin"] = origin
        response.headers["access-control-allow-methods"] = "POST, OPTIONS"
        response.headers["access-control-allow-headers"] = (
            "authorization, apikey, content-type, idempotency-key, x-client-info, x-request-id"
        )
        response.headers["access-control-expose-headers"] = "retry-after, x-request-id"
        response.headers["access-control-max-age"] = "86400"
        response.headers["vary"] = "Origin"
    return response
