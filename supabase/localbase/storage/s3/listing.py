"""Lists of objects, version 1 by marker and version 2 by continuation token, of what the caller's policies show."""

from __future__ import annotations

import base64
import binascii
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any
from urllib.parse import quote

from starlette.responses import Response

from localbase.storage.aws import errors
from localbase.storage.aws.documents import Value
from localbase.storage.rows import find_bucket, iso_time
from localbase.storage.s3.request import S3Request
from localbase.storage.s3.responses import xml_response

_MOST = 1000
# Behind every name that begins with the same text.
LAST = chr(0x10FFFF)
_ENCODE_URI_COMPONENT = "-_.!~*'()"


Encode = Callable[[str | None], str | None]


@dataclass(frozen=True, slots=True)
class Page:
    """Names in order; a common prefix has no `metadata`. `last` is where the next page begins, None at the end."""

    rows: list[dict[str, Any]]
    last: str | None


async def list_objects_v2(request: S3Request) -> Response:
    """ListObjectsV2."""
    token, start_after = request.parameters.get("continuation-token"), request.parameters.get("start-after")
    place = read_token(token, "continuation-token") if token else start_after or ""
    return await _page_response(
        request,
        place,
        lambda page, text: {
            "KeyCount": len(page.rows),
            "ContinuationToken": token,
            "StartAfter": text(start_after),
            "NextContinuationToken": write_token(page.last) if page.last else None,
        },
    )


async def list_objects(request: S3Request) -> Response:
    """ListObjects, the first version. With a delimiter the next marker is answered, else it is the last key."""
    marker, delimiter = request.parameters.get("marker", ""), request.parameters.get("delimiter")
    # A marker that is a common prefix: all names below it have been listed.
    place = marker + LAST if delimiter and marker.endswith(delimiter) else marker
    return await _page_response(
        request,
        place,
        lambda page, text: {
            "Marker": text(marker),
            "NextMarker": text(page.last.removesuffix(LAST)) if page.last and delimiter else None,
        },
    )


async def _page_response(
    request: S3Request, place: str, own: Callable[[Page, Encode], dict[str, Value]]
) -> Response:
    """One page behind `place`; `own` are the elements that only one of the two versions has."""
    parameters = request.parameters
    prefix, delimiter = parameters.get("prefix", ""), parameters.get("delimiter") or None
    text = encoder(request)
    max_keys = request.number("max-keys", 0, _MOST)
    limit = _MOST if max_keys is None else max_keys
    async with request.call.begin_as_service() as cursor:
        await find_bucket(cursor, request.bucket)
    page = await _page(request, prefix, delimiter, place, limit)
    contents = [row for row in page.rows if row["metadata"] is not None]
    content: dict[str, Value] = {
        "Name": request.bucket,
        "Prefix": text(prefix),
        "Delimiter": text(delimiter),
        "MaxKeys": limit,
        "EncodingType": parameters.get("encoding-type"),
        "IsTruncated": page.last is not None,
        **own(page, text),
        "Contents": [
            {
                "Key": text(row["name"]),
                "LastModified": iso_time(row["updated_at"]),
                "ETag": str(row["metadata"].get("eTag") or ""),
                "Size": int(row["metadata"].get("size") or 0),
                "StorageClass": "STANDARD",
            }
            for row in contents
        ],
        "CommonPrefixes": [{"Prefix": text(row["name"])} for row in page.rows if row["metadata"] is None],
    }
    return xml_response("ListBucketResult", content)


async def _page(request: S3Request, prefix: str, delimiter: str | None, place: str, limit: int) -> Page:
    if limit == 0:
        return Page([], None)
    async with request.call.begin() as cursor:
        if delimiter is None:
            await cursor.execute(
                """
                select name, coalesce(metadata, '{}') as metadata, updated_at from storage.objects
                where bucket_id = %(bucket)s and name collate "C" >= %(prefix)s
                  and name collate "C" < %(prefix)s || %(last)s and name collate "C" > %(place)s
                order by name collate "C" limit %(limit)s
                """,
                {
                    "bucket": request.bucket,
                    "prefix": prefix,
                    "place": place,
                    "last": LAST,
                    "limit": limit + 1,
                },
            )
        else:
            await cursor.execute(
                """
                select case when id is null then name || %s else name end as name,
                  case when id is not null then coalesce(metadata, '{}') end as metadata, updated_at
                from storage.list_objects_with_delimiter(%s, %s, %s, %s, %s)
                """,
                [delimiter, request.bucket, prefix, delimiter, limit + 1, place],
            )
        rows = await cursor.fetchall()
    if len(rows) <= limit:
        return Page(rows, None)
    end = rows[limit - 1]
    return Page(rows[:limit], end["name"] if end["metadata"] is not None else end["name"] + LAST)


def encoder(request: S3Request) -> Encode:
    """Return what names are written with: as they are, or (`encoding-type=url`) as in an address."""
    kind = request.parameters.get("encoding-type")
    if kind not in (None, "", "url"):
        raise errors.invalid_parameter("encoding-type")

    def encoded(text: str | None) -> str | None:
        return quote(text, safe=_ENCODE_URI_COMPONENT) if text and kind == "url" else text

    return encoded


def write_token(place: str) -> str:
    """A place in a list, as a token."""
    return base64.b64encode(f"l:{place}".encode()).decode()


def read_token(token: str, name: str) -> str:
    """The place in a token. Raises 400 for a token that is none."""
    try:
        text = base64.b64decode(token, validate=True).decode()
    except (binascii.Error, ValueError) as error:
        raise errors.invalid_parameter(name) from error
    if not text.startswith("l:"):
        raise errors.invalid_parameter(name)
    return text[2:]
