"""The S3 protocol's endpoint: signature, then caller, then command, and errors in S3's XML."""

from __future__ import annotations

from collections.abc import AsyncIterator

import psycopg
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route as StarletteRoute

from localbase.core.authenticator import Caller
from localbase.core.errors import ApiError
from localbase.core.tokens.jwt import TokenError
from localbase.postgres.pool import PoolExhausted
from localbase.storage.aws import errors
from localbase.storage.aws.canonical import ReceivedRequest
from localbase.storage.context import TOKEN_MESSAGES, Context, call_of
from localbase.storage.errors import to_storage_error
from localbase.storage.s3 import post_form
from localbase.storage.s3.request import S3Request, target_of
from localbase.storage.s3.responses import error_response
from localbase.storage.s3.router import POST_FORM, find_route
from localbase.storage.s3.signature import Credentials, FindCredentials, verify

PATH = "/s3"
_METHODS = ["GET", "HEAD", "POST", "PUT", "DELETE", "PATCH"]
# The access key that goes with a session token: the tenant's name, as the official CLI starts the Storage API.
_TENANT = "stub"


def s3_routes(context: Context) -> list[StarletteRoute]:
    """The routes of the protocol; none where `[storage.s3_protocol]` is not enabled."""
    if not context.settings.storage.s3_protocol.enabled:
        return []

    async def endpoint(request: Request) -> Response:
        return await serve(context, request)

    paths = (PATH, PATH + "/{rest:path}")
    return [StarletteRoute(path, endpoint, methods=_METHODS) for path in paths]


class _Body:
    """A body that knows whether its reading has begun."""

    def __init__(self, request: Request) -> None:
        self._request = request
        self.begun = False

    async def __aiter__(self) -> AsyncIterator[bytes]:
        self.begun = True
        async for chunk in self._request.stream():
            yield chunk


async def serve(context: Context, request: Request) -> Response:
    """Answers one request of the protocol."""
    body = _Body(request)
    response = await _respond(context, request, body)
    if "expect" in request.headers and not body.begun:
        # The client has not sent its body, and the gateway closes the connection: it must not use it again.
        response.headers["connection"] = "close"
    response.headers["x-amz-request-id"] = str(request.scope.get("localbase.request_id", ""))
    return response


async def _respond(context: Context, request: Request, body: _Body) -> Response:
    received, path = received_of(request)
    try:
        return await _run_command(context, request, received, path, body)
    except ApiError as error:
        api_error = error
    except PoolExhausted:
        api_error = errors.slow_down()
    except psycopg.Error as error:
        api_error = to_storage_error(error)
    return error_response(api_error, path.strip("/"), of_head=request.method == "HEAD")


def received_of(request: Request) -> tuple[ReceivedRequest, str]:
    """The request as it came, and the raw path below the protocol's own."""
    raw = request.scope.get("raw_path") or request.scope["path"].encode()
    path = raw.partition(b"?")[0].decode("latin-1")
    headers = [
        (name.decode("latin-1").lower(), value.decode("latin-1")) for name, value in request.headers.raw
    ]
    query = request.scope["query_string"].decode("latin-1")
    below = path.removeprefix(request.scope.get("root_path", "") + PATH)
    return ReceivedRequest(request.method, path, query, headers), below


async def _run_command(
    context: Context, request: Request, received: ReceivedRequest, path: str, body: _Body
) -> Response:
    target = target_of(path)
    find = find_credentials(context)
    if post_form.is_form(received, target):
        body.begun = True
        request.state.operation = POST_FORM.operation
        return await post_form.upload(
            context, request, target, find, lambda keys: caller_of_keys(context, keys)
        )
    verified = verify(received, find, context.clock)
    parameters = received.parameters()
    names = {name for name, _ in received.headers}
    route = find_route(received.method, target.level, parameters, names)
    request.state.operation = route.operation
    call = call_of(context, request, caller_of_keys(context, verified.credentials))
    return await route.run(S3Request(received, verified, call, target, parameters, aiter(body)))


def find_credentials(context: Context) -> FindCredentials:
    """The configured pair of keys; with a session token the anonymous key, for the token says who it is."""
    settings = context.settings
    protocol = settings.storage.s3_protocol

    def find(access_key: str, token: str | None) -> Credentials:
        if token is not None:
            if access_key not in (_TENANT, settings.project_id):
                raise errors.access_denied("Invalid Access Key")
            return Credentials(access_key, settings.keys.anon, protocol.region, token)
        if settings.s3_keys is None:
            raise errors.access_denied(
                "Missing S3 Protocol Access Key ID or Secret Key Environment variables"
            )
        configured, secret = settings.s3_keys
        if access_key != configured:
            raise errors.access_denied("Invalid Access Key")
        return Credentials(access_key, secret, protocol.region)

    return find


def caller_of_keys(context: Context, credentials: Credentials) -> Caller:
    """The service role, or the caller of the session token. Raises 403 for a bad token."""
    token = credentials.token if credentials.token is not None else context.settings.keys.service_role
    try:
        return context.authenticator.verify(token)
    except TokenError as error:
        raise errors.access_denied(TOKEN_MESSAGES.get(error.kind, "Invalid Compact JWS")) from error
