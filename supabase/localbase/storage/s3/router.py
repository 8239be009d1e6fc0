"""The command of a request: by method, level of the path, parameters and headers (upstream's `routes/s3/router.ts`).

Upstream takes a subresource that it does not know for none: `PUT key?tagging` would replace the object by its tags.
Here those of S3's that no command serves are refused.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Collection
from dataclasses import dataclass

from starlette.responses import Response

from localbase.storage.aws import errors
from localbase.storage.s3 import buckets, listing, multipart, multipart_lists, objects, post_form
from localbase.storage.s3.request import Level

Command = Callable[..., Awaitable[Response]]
"""Takes an `S3Request`; PostObject, which is a form, its parts."""

_SUBRESOURCES = frozenset(
    (
        *(
            "accelerate",
            "acl",
            "analytics",
            "attributes",
            "cors",
            "delete",
            "encryption",
            "intelligent-tiering",
        ),
        *("inventory", "legal-hold", "lifecycle", "location", "logging", "metadataTable", "metrics"),
        *("notification", "object-lock", "ownershipControls", "partNumber", "policy", "policyStatus"),
        *(
            "publicAccessBlock",
            "renameObject",
            "replication",
            "requestPayment",
            "restore",
            "retention",
            "select",
        ),
        *(
            "session",
            "tagging",
            "torrent",
            "uploadId",
            "uploads",
            "versionId",
            "versioning",
            "versions",
            "website",
        ),
    )
)


@dataclass(frozen=True, slots=True)
class Route:
    """The conditions of a command. `parameters` are the names that must be there, `header` one as well."""

    run: Command
    operation: str
    method: str
    level: Level
    parameters: frozenset[str] = frozenset()
    list_type: str | None = None
    header: str | None = None

    @property
    def command(self) -> str:
        """The command's name."""
        return self.run.__name__

    def matches(
        self, method: str, level: Level, parameters: dict[str, str], headers: Collection[str]
    ) -> bool:
        """Tell whether a request means this command."""
        return (
            (method, level) == (self.method, self.level)
            and self.parameters <= parameters.keys()
            and (self.list_type is None or parameters.get("list-type") == self.list_type)
            and (self.header is None or self.header in headers)
        )


def _route(
    run: Command, operation: str, method: str, level: Level, *parameters: str, header: str | None = None
) -> Route:
    return Route(run, f"storage.s3.{operation}", method, level, frozenset(parameters), header=header)


_COPY = "x-amz-copy-source"

# The more specific ones first.
ROUTES: tuple[Route, ...] = (
    _route(buckets.list_buckets, "bucket.list", "GET", "service"),
    _route(buckets.create_bucket, "bucket.create", "PUT", "bucket"),
    _route(buckets.delete_bucket, "bucket.delete", "DELETE", "bucket"),
    _route(buckets.head_bucket, "bucket.head", "HEAD", "bucket"),
    _route(buckets.get_bucket_location, "bucket.get_location", "GET", "bucket", "location"),
    _route(buckets.get_bucket_versioning, "bucket.get_versioning", "GET", "bucket", "versioning"),
    _route(multipart_lists.list_multipart_uploads, "upload.list_multipart", "GET", "bucket", "uploads"),
    Route(listing.list_objects_v2, "storage.s3.object.list", "GET", "bucket", list_type="2"),
    _route(listing.list_objects, "object.list", "GET", "bucket"),
    _route(objects.delete_objects, "object.delete_many", "POST", "bucket", "delete"),
    _route(
        multipart.upload_part_copy,
        "upload.part_copy",
        "PUT",
        "object",
        "partNumber",
        "uploadId",
        header=_COPY,
    ),
    _route(objects.copy_object, "object.copy", "PUT", "object", header=_COPY),
    _route(multipart.upload_part, "upload.part", "PUT", "object", "partNumber", "uploadId"),
    _route(objects.put_object, "upload", "PUT", "object"),
    _route(multipart.complete_multipart_upload, "upload.complete_multipart", "POST", "object", "uploadId"),
    _route(multipart.create_multipart_upload, "upload.create_multipart", "POST", "object", "uploads"),
    _route(multipart.abort_multipart_upload, "upload.abort_multipart", "DELETE", "object", "uploadId"),
    _route(objects.delete_object, "object.delete", "DELETE", "object"),
    _route(objects.head_object, "object.info", "HEAD", "object"),
    _route(multipart_lists.list_parts, "upload.list_parts", "GET", "object", "uploadId"),
    _route(objects.get_object_tagging, "object.get_tagging", "GET", "object", "tagging"),
    _route(objects.get_object, "object.get", "GET", "object"),
)


POST_FORM = _route(post_form.upload, "upload", "POST", "bucket")


def find_route(method: str, level: Level, parameters: dict[str, str], headers: Collection[str]) -> Route:
    """The command that is meant. Raises 405 where there is none, 501 for a subresource that is not served."""
    for route in ROUTES:
        if route.matches(method, level, parameters, headers):
            unserved = (parameters.keys() & _SUBRESOURCES) - route.parameters
            if unserved:
                raise errors.not_implemented(min(unserved))
            return route
    raise errors.method_not_allowed()
