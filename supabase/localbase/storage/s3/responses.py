"""Responses of the S3 protocol: documents, errors, and the headers of an object."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from starlette.responses import Response

from localbase.core.errors import ApiError
from localbase.storage.aws.documents import Value, write_document

_XML = "application/xml; charset=utf-8"
# A header's value as RFC 9110 has it, in the characters that reach the client unchanged.
_VALUE = re.compile(r"[\t\x20-\x7e]*")
_NAME = re.compile(r"[!#$%&'*+.^_`|~0-9a-z-]+")


def xml_response(root: str, content: Mapping[str, Value] | str, status: int = 200) -> Response:
    """A document."""
    return Response(write_document(root, content), status, media_type=_XML)


def error_response(error: ApiError, resource: str, *, of_head: bool) -> Response:
    """S3's error; of a HEAD only its status."""
    headers = dict(error.headers)
    if of_head:
        return Response(status_code=error.status, headers=headers)
    content = {"Resource": resource, "Code": error.code, "Message": error.message}
    return Response(write_document("Error", content), error.status, headers, media_type=_XML)


def metadata_headers(metadata: Mapping[str, Any] | None) -> dict[str, str]:
    """`x-amz-meta-*`; how many cannot be sent as headers is in `x-amz-missing-meta`."""
    headers: dict[str, str] = {}
    missing = 0
    for name, value in (metadata or {}).items():
        lower = name.lower()
        if isinstance(value, str) and _NAME.fullmatch(lower) and _VALUE.fullmatch(value):
            headers[f"x-amz-meta-{lower}"] = value
        else:
            missing += 1
    if missing:
        headers["x-amz-missing-meta"] = str(missing)
    return headers


def is_header_value(text: str) -> bool:
    """Tell whether a text can be sent as a header's value."""
    return _VALUE.fullmatch(text) is not None
