"""/render/image: the routes, which find the object as the download does and answer with a rendered copy of it."""

from __future__ import annotations

from functools import partial

from starlette.requests import Request
from starlette.responses import Response

from localbase.storage import errors
from localbase.storage.conditions import is_unchanged
from localbase.storage.context import Context
from localbase.storage.endpoints.download import (
    Find,
    disposition,
    find_public,
    find_readable,
    find_signed,
    shown_headers,
    unchanged_headers,
)
from localbase.storage.endpoints.signing import read_token, token_in
from localbase.storage.images import options as image_options
from localbase.storage.images.options import Transformation
from localbase.storage.names import place_in
from localbase.storage.reading import with_bytes
from localbase.storage.rows import StoredObject


async def render_public(context: Context, request: Request) -> Response:
    """GET /render/image/public/{bucket}/{key}."""
    options = image_options.from_query(request.query_params)
    return await _rendered(context, request, find_public, options)


async def render_authenticated(context: Context, request: Request) -> Response:
    """GET /render/image/authenticated/{bucket}/{key}."""
    context.call(request)
    options = image_options.from_query(request.query_params)
    return await _rendered(context, request, find_readable, options)


async def render_signed(context: Context, request: Request) -> Response:
    """GET /render/image/sign/{bucket}/{key}?token=…: as the token says, and in no other way."""
    bucket, key = place_in(request)
    claims = read_token(context, token_in(request), f"{bucket}/{key}", "download")
    transformations = claims.get("transformations")
    if not isinstance(transformations, str) or not transformations:
        raise errors.invalid_signature("Token is not signed for an image")
    if image_options.names_in(request.query_params):
        raise errors.invalid_request(
            "A signed image is shown as its token says: the address takes no options"
        )
    options = image_options.from_claim(transformations)
    return await _rendered(context, request, find_signed, options, claims["exp"])


async def _rendered(
    context: Context, request: Request, find: Find, options: Transformation, expires: float | None = None
) -> Response:
    if not context.settings.storage.image_transformation.enabled:
        raise errors.StorageError(
            409, "FeatureNotEnabled", "The feature imageTransformation is not enabled for this resource"
        )
    respond = partial(_response, context, request, options, expires)
    return await with_bytes(partial(find, context, request), respond)


async def _response(
    context: Context,
    request: Request,
    options: Transformation,
    expires: float | None,
    stored: StoredObject,
) -> Response:
    takes_webp = "image/webp" in request.headers.get("accept", "")
    picture = await context.renderer.render(stored, options, takes_webp=takes_webp)
    etag = f'"{picture.key[:32]}"'
    headers = shown_headers(stored, expires) | {
        "content-type": picture.mime,
        "etag": etag,
        # Without a format of its own the response depends on what the client takes.
        "vary": "Accept",
        **({"x-transformations": options.header()} if options.claim() else {}),
    }
    headers |= disposition(request)
    del headers["accept-ranges"]
    if is_unchanged(request.headers, etag, stored.updated_at):
        return Response(status_code=304, headers=unchanged_headers(headers))
    return Response(picture.data, headers=headers)
