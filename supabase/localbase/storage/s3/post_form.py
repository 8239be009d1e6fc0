"""PostObject: a form that a browser sends, within a policy that was signed beforehand.

Fields come before the file, as S3 has it, so that permission is checked before the file's bytes are read.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable

from starlette.requests import Request
from starlette.responses import Response

from localbase.core.authenticator import Caller
from localbase.storage.aws import errors
from localbase.storage.aws.canonical import ReceivedRequest
from localbase.storage.bodies import Form
from localbase.storage.context import Context, call_of
from localbase.storage.names import checked_key
from localbase.storage.s3.policy import check_policy, verify_form
from localbase.storage.s3.request import Target, metadata_in
from localbase.storage.s3.responses import xml_response
from localbase.storage.s3.signature import Credentials, FindCredentials
from localbase.storage.writing import NewObject, check_limits, check_permission, require_bucket, store

_MOST_FIELDS = 40
_LONGEST_FIELD = 64 * 1024
_MIME = "application/octet-stream"


def is_form(received: ReceivedRequest, target: Target) -> bool:
    """Tell whether a request is such a form: what else is posted to a bucket is signed by header or query."""
    kind = (received.header("content-type") or "").lower()
    return (received.method, target.level) == ("POST", "bucket") and kind.startswith("multipart/form-data")


async def upload(
    context: Context,
    request: Request,
    target: Target,
    find: FindCredentials,
    caller_of: Callable[[Credentials], Caller],
) -> Response:
    """Answers 200 (upstream's default), or 201 with a document or 204 where `success_action_status` says so."""
    form = Form(
        request, request.headers["content-type"], most_fields=_MOST_FIELDS, longest_field=_LONGEST_FIELD
    )
    while not form.in_file:
        if not await form.advance():
            raise errors.invalid_parameter("Missing file")
    fields = _lower(form.fields)
    verified = verify_form(fields, find, context.clock)
    lengths = check_policy(fields, target.bucket, context.clock)
    call = call_of(context, request, caller_of(verified.credentials))
    new = NewObject(
        bucket=target.bucket,
        key=checked_key(fields.get("key", "")),
        owner=call.owner,
        mime=fields.get("content-type") or form.mime or _MIME,
        cache_control=fields.get("cache-control") or "no-cache",
        upsert=True,
        user_metadata=metadata_in(fields),
    )
    limit = check_limits(context, await require_bucket(call, target.bucket), new)
    await check_permission(call, new)
    if lengths.largest is not None:
        limit = min(limit, lengths.largest)
    written = await store(call, new, _at_least(form.file(), lengths.smallest), limit)
    etag, place = written.etag, f"{new.bucket}/{new.key}"
    status = fields.get("success_action_status")
    if status == "201":
        content = {"Location": place, "Bucket": new.bucket, "Key": new.key, "ETag": etag}
        response = xml_response("PostResponse", content, 201)
    else:
        response = Response(status_code=204 if status == "204" else 200)
    response.headers["etag"] = etag
    return response


def _lower(fields: dict[str, bytes]) -> dict[str, str]:
    """The fields by their names in lower case. Raises 400 for a name that comes in two spellings, or no UTF-8."""
    lowered: dict[str, str] = {}
    for name, value in fields.items():
        if name.lower() in lowered:
            raise errors.invalid_signature("Duplicate form field in POST policy request")
        try:
            lowered[name.lower()] = value.decode()
        except UnicodeDecodeError as error:
            raise errors.invalid_parameter(name) from error
    return lowered


async def _at_least(chunks: AsyncIterator[bytes], smallest: int) -> AsyncIterator[bytes]:
    size = 0
    async for chunk in chunks:
        size += len(chunk)
        yield chunk
    if size < smallest:
        raise errors.entity_too_small()
