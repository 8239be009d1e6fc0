"""Lists of multipart uploads under way, and of the parts of one."""

from __future__ import annotations

from starlette.responses import Response

from localbase.storage.rows import find_bucket, iso_time
from localbase.storage.s3 import uploads
from localbase.storage.s3.listing import LAST, encoder, read_token, write_token
from localbase.storage.s3.request import S3Request
from localbase.storage.s3.responses import xml_response

_MOST_PARTS = 10_000
_MOST_LISTED = 1000


async def list_parts(request: S3Request) -> Response:
    """ListParts, for the upload's owner."""
    marker = request.number("part-number-marker", 0, _MOST_PARTS) or 0
    limit = request.number("max-parts", 1, _MOST_LISTED) or _MOST_LISTED
    async with request.call.begin_as_service() as cursor:
        upload = await uploads.upload_of(request, cursor)
        parts = await uploads.list_parts(cursor, upload.id, after=marker, limit=limit + 1)
    page = parts[:limit]
    return xml_response(
        "ListPartsResult",
        {
            "Bucket": upload.bucket,
            "Key": upload.key,
            "UploadId": upload.id,
            "PartNumberMarker": marker,
            "NextPartNumberMarker": page[-1].number if len(parts) > limit else None,
            "MaxParts": limit,
            "IsTruncated": len(parts) > limit,
            "StorageClass": "STANDARD",
            "Part": [
                {
                    "PartNumber": part.number,
                    "LastModified": iso_time(part.created_at),
                    "ETag": part.etag,
                    "Size": part.size,
                }
                for part in page
            ],
        },
    )


async def list_multipart_uploads(request: S3Request) -> Response:
    """ListMultipartUploads: those that the caller's policies on `storage.s3_multipart_uploads` show."""
    parameters, text = request.parameters, encoder(request)
    prefix, delimiter = parameters.get("prefix", ""), parameters.get("delimiter", "")
    limit = request.number("max-uploads", 1, _MOST_LISTED) or _MOST_LISTED
    key_marker, id_marker = parameters.get("key-marker") or "", parameters.get("upload-id-marker") or ""
    async with request.call.begin_as_service() as cursor:
        await find_bucket(cursor, request.bucket)
    async with request.call.begin() as cursor:
        await cursor.execute(
            _LIST_UPLOADS,
            {
                "bucket": request.bucket,
                "prefix": prefix,
                "delimiter": delimiter,
                "limit": limit + 1,
                "key": read_token(key_marker, "key-marker") if key_marker else "",
                "id": read_token(id_marker, "upload-id-marker") if id_marker else LAST if key_marker else "",
            },
        )
        rows = await cursor.fetchall()
    page, more = rows[:limit], len(rows) > limit
    return xml_response(
        "ListMultipartUploadsResult",
        {
            "Bucket": request.bucket,
            "Prefix": text(prefix),
            "Delimiter": text(delimiter) or None,
            "EncodingType": parameters.get("encoding-type"),
            "KeyMarker": key_marker,
            "UploadIdMarker": id_marker,
            "NextKeyMarker": write_token(page[-1]["key"]) if more else None,
            "NextUploadIdMarker": write_token(page[-1]["id"]) if more else None,
            "MaxUploads": limit,
            "IsTruncated": more,
            "Upload": [
                {
                    "Key": text(row["key"]),
                    "UploadId": row["id"],
                    "Initiated": iso_time(row["created_at"]),
                    "StorageClass": "STANDARD",
                }
                for row in page
                if not row["is_prefix"]
            ],
            "CommonPrefixes": [{"Prefix": text(row["key"])} for row in page if row["is_prefix"]],
        },
    )


# In the order of keys, then of ids; a common prefix has the highest id of its uploads, so that the next page
# begins behind it.
_LIST_UPLOADS = b"""
with named as (
  select coalesce(storage.get_common_prefix(key, %(prefix)s, nullif(%(delimiter)s, '')), key) collate "C" as key,
    storage.get_common_prefix(key, %(prefix)s, nullif(%(delimiter)s, '')) is not null as is_prefix, id, created_at
  from storage.s3_multipart_uploads where bucket_id = %(bucket)s and starts_with(key, %(prefix)s)
)
select key, is_prefix, max(id collate "C") as id, max(created_at) as created_at from named
where (key, id collate "C") > (%(key)s collate "C", %(id)s)
group by key, is_prefix, case when is_prefix then '' else id end
order by key, id limit %(limit)s
"""
