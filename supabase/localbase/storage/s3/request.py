"""One command's request: verified, with its caller, its bucket and key, and a body that has not been read."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping
from dataclasses import dataclass, replace
from typing import Literal
from urllib.parse import unquote_to_bytes

from localbase.storage.aws import errors
from localbase.storage.aws.canonical import ReceivedRequest
from localbase.storage.aws.documents import LARGEST_DOCUMENT
from localbase.storage.context import Call
from localbase.storage.s3.body import BodyPlan, plan_body, read_body, read_whole
from localbase.storage.s3.signature import Verified

Level = Literal["service", "bucket", "object"]
_META = "x-amz-meta-"


@dataclass(frozen=True, slots=True)
class Target:
    """The bucket or object that a path names. `level` says which of the two texts are there."""

    level: Level
    bucket: str = ""
    key: str = ""


@dataclass(frozen=True, slots=True)
class S3Request:
    """A request as commands work with it."""

    received: ReceivedRequest
    verified: Verified
    call: Call
    target: Target
    parameters: dict[str, str]
    stream: AsyncIterator[bytes]

    @property
    def bucket(self) -> str:
        """The bucket's name."""
        return self.target.bucket

    @property
    def key(self) -> str:
        """The object's name."""
        return self.target.key

    def header(self, name: str) -> str | None:
        """A header's value; raises 400 if it came twice."""
        return self.received.header(name)

    def plan(self) -> BodyPlan:
        """The body as it was announced."""
        return plan_body(self.received, self.verified)

    def body(self, plan: BodyPlan) -> AsyncIterator[bytes]:
        """The decoded body, as it comes."""
        return read_body(self.stream, plan, self.verified)

    async def document(self, *, of_object: bool = False) -> bytes:
        """The body of a command in XML, whole. `of_object`: checksums in headers are not the body's."""
        plan = self.plan()
        return await read_whole(
            self.stream, replace(plan, expected={}) if of_object else plan, self.verified, LARGEST_DOCUMENT
        )

    def conditions(self, prefix: str = "") -> dict[str, str]:
        """The conditional headers and the range, by their names without `prefix`."""
        names = ("if-match", "if-none-match", "if-modified-since", "if-unmodified-since", "if-range", "range")
        headers = {name: self.header(prefix + name) for name in names}
        return {name: value for name, value in headers.items() if value is not None}

    def user_metadata(self) -> dict[str, str] | None:
        """`x-amz-meta-*`, without that prefix."""
        return metadata_in({name: self.header(name) or "" for name, _ in self.received.headers})

    def number(self, name: str, least: int, most: int) -> int | None:
        """A parameter's number. Raises 400 below `least` or for none at all; what is above `most` is `most`."""
        text = self.parameters.get(name)
        if text is None:
            return None
        if not text.isascii() or not text.isdecimal() or len(text) > 18 or int(text) < least:
            raise errors.invalid_parameter(name)
        return min(int(text), most)


def metadata_in(headers: Mapping[str, str]) -> dict[str, str] | None:
    """The user's metadata among headers or a form's fields."""
    metadata = {name[len(_META) :]: value for name, value in headers.items() if name.startswith(_META)}
    return metadata or None


def target_of(path: str) -> Target:
    """Return what the raw path below `/s3` names. Each part is decoded once, after the slashes have parted them."""
    bucket, _, key = path.removeprefix("/").partition("/")
    if not bucket:
        if key:
            raise errors.S3Error(400, "InvalidBucketName", "Bucket name invalid")
        return Target("service")
    if not key:
        return Target("bucket", _decoded(bucket))
    return Target("object", _decoded(bucket), _decoded(key))


def _decoded(text: str) -> str:
    try:
        return unquote_to_bytes(text).decode()
    except UnicodeDecodeError as error:
        raise errors.S3Error(400, "InvalidKey", f"Invalid key: {text}") from error
