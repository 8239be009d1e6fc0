"""The command of a request: by method, level of the path, parameters and headers (upstream's `routes/s3/router.ts`).

Upstream takes a subresource that it does not know for none: `PUT key?tagging` would replace the object by its tags.
Here those of S3's that no command serves are refused.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import Literal

from localbase.storage.aws import errors

Level = Literal["service", "bucket", "object"]

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

    command: str
    operation: str
    method: str
    level: Level
    parameters: frozenset[str] = frozenset()
    list_type: str | None = None
    header: str | None = None

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
    command: str, operation: str, method: str, level: Level, *parameters: str, header: str | None = None
) -> Route:
    return Route(command, f"storage.s3.{operation}", method, level, frozenset(parameters), header=header)


_COPY = "x-amz-copy-source"

# The more specific ones first.
ROUTES: tuple[Route, ...] = (
    _route("list_buckets", "bucket.list", "GET", "service"),
    _route("create_bucket", "bucket.create", "PUT", "bucket"),
    _route("delete_bucket", "bucket.delete", "DELETE", "bucket"),
    _route("head_bucket", "bucket.head", "HEAD", "bucket"),
    _route("get_bucket_location", "bucket.get_location", "GET", "bucket", "location"),
    _route("get_bucket_versioning", "bucket.get_versioning", "GET", "bucket", "versioning"),
    _route("list_multipart_uploads", "upload.list_multipart", "GET", "bucket", "uploads"),
    Route("list_objects_v2", "storage.s3.object.list", "GET", "bucket", list_type="2"),
    _route("list_objects", "object.list", "GET", "bucket"),
    _route("delete_objects", "object.delete_many", "POST", "bucket", "delete"),
    _route("upload_part_copy", "upload.part_copy", "PUT", "object", "partNumber", "uploadId", header=_COPY),
    _route("copy_object", "object.copy", "PUT", "object", header=_COPY),
    _route("upload_part", "upload.part", "PUT", "object", "partNumber", "uploadId"),
    _route("put_object", "upload", "PUT", "object"),
    _route("complete_multipart_upload", "upload.complete_multipart", "POST", "object", "uploadId"),
    _route("create_multipart_upload", "upload.create_multipart", "POST", "object", "uploads"),
    _route("abort_multipart_upload", "upload.abort_multipart", "DELETE", "object", "uploadId"),
    _route("delete_object", "object.delete", "DELETE", "object"),
    _route("head_object", "object.info", "HEAD", "object"),
    _route("list_parts", "upload.list_parts", "GET", "object", "uploadId"),
    _route("get_object_tagging", "object.get_tagging", "GET", "object", "tagging"),
    _route("get_object", "object.get", "GET", "object"),
)

POST_FORM = _route("post_form", "upload", "POST", "bucket")


def find_route(method: str, level: Level, parameters: dict[str, str], headers: Collection[str]) -> Route:
    """The command that is meant. Raises 405 where there is none, 501 for a subresource that is not served."""
    for route in ROUTES:
        if route.matches(method, level, parameters, headers):
            unserved = (parameters.keys() & _SUBRESOURCES) - route.parameters
            if unserved:
                raise errors.not_implemented(min(unserved))
            return route
    raise errors.method_not_allowed()
