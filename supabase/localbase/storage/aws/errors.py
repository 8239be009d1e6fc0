"""The S3 protocol's errors: the status in HTTP, a code and a message in XML.

Codes and texts are upstream's (supabase/storage, `src/internal/errors/codes.ts`); where upstream has none they are S3's
(https://docs.aws.amazon.com/AmazonS3/latest/API/ErrorResponses.html).
"""

from __future__ import annotations

from localbase.core.errors import ApiError


class S3Error(ApiError):
    """An error that reaches the client as S3's XML."""


def access_denied(message: str = "Access Denied") -> S3Error:
    """The key, the region, the service or a policy."""
    return S3Error(403, "AccessDenied", message)


def signature_does_not_match() -> S3Error:
    """Signed with another secret, or something changed on the way."""
    message = (
        "The request signature we calculated does not match the signature you provided. "
        "Check your key and signing method."
    )
    return S3Error(403, "SignatureDoesNotMatch", message)


def invalid_signature(message: str = "Invalid signature format") -> S3Error:
    """A signature that cannot be read, or does not say when it ends."""
    return S3Error(400, "InvalidSignature", message)


def expired() -> S3Error:
    """A presigned address or a POST policy past its end."""
    return S3Error(400, "ExpiredToken", "The provided token has expired.")


def request_time_too_skewed() -> S3Error:
    """Signed at a time that is far from the server's."""
    message = "The difference between the request time and the current time is too large."
    return S3Error(403, "RequestTimeTooSkewed", message)


def invalid_request(message: str) -> S3Error:
    """A request that no command takes."""
    return S3Error(400, "InvalidRequest", message)


def invalid_parameter(name: str) -> S3Error:
    """A value of a parameter that does not belong to it."""
    return S3Error(400, "InvalidParameter", f"Invalid Parameter {name}")


def missing_parameter(name: str) -> S3Error:
    """A parameter without which a command means nothing."""
    return S3Error(400, "MissingParameter", f"Missing Required Parameter {name}")


def missing_content_length() -> S3Error:
    """A body of a length that is not announced, where a limit is checked before it is read."""
    return S3Error(400, "MissingContentLength", "You must provide the Content-Length HTTP header.")


def incomplete_body() -> S3Error:
    """Fewer or more bytes than announced."""
    message = "You did not provide the number of bytes specified by the Content-Length HTTP header."
    return S3Error(400, "IncompleteBody", message)


def content_sha256_mismatch() -> S3Error:
    """The body is not the one that was signed."""
    message = "The provided 'x-amz-content-sha256' header does not match what was computed."
    return S3Error(400, "XAmzContentSHA256Mismatch", message)


def bad_digest(name: str) -> S3Error:
    """The body has another checksum than the header or trailer says."""
    return S3Error(400, "BadDigest", f"The {name} you specified did not match the calculated checksum.")


def invalid_digest(name: str) -> S3Error:
    """A checksum that cannot be one."""
    return S3Error(400, "InvalidDigest", f"The value of {name} is invalid.")


def malformed_trailer() -> S3Error:
    """Trailers that were not announced, are missing, or cannot be read."""
    message = "The request contained trailing data that was not well-formed or did not conform to our published schema."
    return S3Error(400, "MalformedTrailerError", message)


def malformed_xml(message: str) -> S3Error:
    """A body that is no XML, or not the command's."""
    return S3Error(400, "MalformedXML", f"Invalid XML payload: {message}")


def entity_too_large(entity: str = "object", limit: str = "the maximum allowed size") -> S3Error:
    """Over a limit in bytes."""
    return S3Error(413, "EntityTooLarge", f"The {entity} exceeded {limit}")


def entity_too_small() -> S3Error:
    """Below the smallest length that a POST policy allows."""
    return S3Error(400, "EntityTooSmall", "Your proposed upload is smaller than the minimum allowed size")


def invalid_range() -> S3Error:
    """A range of a copy's source that the source does not have."""
    return S3Error(400, "InvalidRange", "invalid range provided")


def range_not_satisfiable(size: int) -> S3Error:
    """A range that the object of `size` bytes does not have."""
    headers = (("content-range", f"bytes */{size}"),)
    return S3Error(416, "InvalidRange", "invalid range provided", headers=headers)


def precondition_failed() -> S3Error:
    """`If-Match`, `If-Unmodified-Since` or their copy-source twins."""
    message = "At least one of the pre-conditions you specified did not hold"
    return S3Error(412, "PreconditionFailed", message)


def no_such_upload() -> S3Error:
    """No such upload in progress, or not of this bucket and key."""
    return S3Error(404, "NoSuchUpload", "Upload not found")


def missing_part(number: int, upload: str) -> S3Error:
    """A part that is to be assembled, but was not uploaded."""
    return S3Error(400, "MissingPart", f"Part {number} is missing for upload id {upload}")


def invalid_part(number: int) -> S3Error:
    """A part with another entity tag."""
    return S3Error(400, "InvalidChecksum", f"Invalid ETag for part {number}")


def invalid_part_order() -> S3Error:
    """Parts to be assembled that do not ascend."""
    message = "The list of parts was not in ascending order. Parts must be ordered by part number."
    return S3Error(400, "InvalidPartOrder", message)


def method_not_allowed() -> S3Error:
    """A method or subresource that no command has."""
    return S3Error(405, "MethodNotAllowed", "The specified method is not allowed against this resource.")


def not_implemented(subresource: str) -> S3Error:
    """A part of S3 that neither upstream nor this has."""
    return S3Error(501, "NotImplemented", f"A parameter that you provided is not implemented: {subresource}")


def slow_down() -> S3Error:
    """No connection to the database came free in time. Clients try again by themselves."""
    return S3Error(429, "SlowDown", "Too many connections issued to the database")
