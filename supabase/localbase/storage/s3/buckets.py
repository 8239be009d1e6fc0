"""Commands on buckets."""

from __future__ import annotations

from starlette.responses import Response

from localbase.storage.endpoints.buckets import drop_bucket, insert_bucket
from localbase.storage.names import checked_bucket
from localbase.storage.rows import find_bucket, iso_time
from localbase.storage.s3.request import S3Request
from localbase.storage.s3.responses import xml_response


async def list_buckets(request: S3Request) -> Response:
    """ListBuckets: those that the caller's policies show."""
    async with request.call.begin() as cursor:
        await cursor.execute("select name, created_at from storage.buckets order by name")
        rows = await cursor.fetchall()
    buckets = [{"Name": row["name"], "CreationDate": iso_time(row["created_at"])} for row in rows]
    return xml_response("ListAllMyBucketsResult", {"Buckets": {"Bucket": buckets}})


async def create_bucket(request: S3Request) -> Response:
    """CreateBucket, private or (`x-amz-acl: public-read`) public."""
    name, public = checked_bucket(request.bucket), request.header("x-amz-acl") == "public-read"
    await insert_bucket(request.call, name, name, public=public)
    return Response(headers={"location": f"/{name}"})


async def delete_bucket(request: S3Request) -> Response:
    """DeleteBucket: an empty one."""
    await drop_bucket(request.call, request.bucket)
    return Response(status_code=204)


async def head_bucket(request: S3Request) -> Response:
    """HeadBucket."""
    await _require(request)
    region = request.call.context.settings.storage.s3_protocol.region
    return Response(headers={"x-amz-bucket-region": region, "content-type": "application/xml"})


async def get_bucket_location(request: S3Request) -> Response:
    """GetBucketLocation."""
    await _require(request)
    return xml_response("LocationConstraint", request.call.context.settings.storage.s3_protocol.region)


async def get_bucket_versioning(request: S3Request) -> Response:
    """GetBucketVersioning: versions are not served."""
    await _require(request)
    return xml_response("VersioningConfiguration", {"Status": "Suspended", "MfaDelete": "Disabled"})


async def _require(request: S3Request) -> None:
    async with request.call.begin() as cursor:
        await find_bucket(cursor, request.bucket)
