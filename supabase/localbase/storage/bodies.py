"""The bodies of requests: JSON of at most a megabyte, and uploads, raw or as a form, which are never held whole."""

from __future__ import annotations

import base64
import binascii
import json
from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from typing import Any

import python_multipart
from python_multipart.exceptions import MultipartParseError
from python_multipart.multipart import parse_options_header
from starlette.requests import Request

from localbase.core.json_text import MOST_MARKS, read_json
from localbase.storage import errors

_MOST_JSON = 1 << 20
_MOST_METADATA = 1 << 20
# Of JSON in JSON: what reads a row with it has to go deeper, and Python recurses a thousand times.
_MOST_LEVELS = 200
_MOST_FIELDS = 10
# RFC 2046, 5.1.1.
_LONGEST_BOUNDARY = 70
_BYTES = "application/octet-stream"
_USER_METADATA = ("metadata", "userMetadata")


@dataclass(frozen=True, slots=True)
class IncomingFile:
    """A file whose bytes have not been read yet. `size` is the request's, in bytes: that of a form is longer."""

    mime: str
    cache_control: str
    user_metadata: dict[str, Any] | None
    size: int | None
    chunks: AsyncIterator[bytes]


async def read_object(request: Request) -> dict[str, Any]:
    """The JSON object in the body. Raises 413 over a megabyte, 400 for anything else than an object."""
    announced = announced_size(request)
    if announced is not None and announced > _MOST_JSON:
        raise errors.too_large("body")
    parts, size = [], 0
    async for chunk in request.stream():
        size += len(chunk)
        if size > _MOST_JSON:
            raise errors.too_large("body")
        parts.append(chunk)
    try:
        value = read_json(b"".join(parts), MOST_MARKS)
    except ValueError as error:
        raise errors.invalid_request(
            "Body is not valid JSON but content-type is set to 'application/json'"
        ) from error
    if not isinstance(value, dict):
        raise errors.invalid_request("body must be object")
    return value


def announced_size(request: Request) -> int | None:
    """`Content-Length`; None where the body is chunked."""
    text = request.headers.get("content-length", "")
    return int(text) if text.isascii() and text.isdecimal() and len(text) < 19 else None


async def incoming_file(request: Request) -> IncomingFile:
    """The upload in a request's body. Of a form only what comes before the file is read.

    Raises 400 for a form without a file, 413 for metadata of more than a megabyte.
    """
    kind = request.headers.get("content-type") or _BYTES
    if kind.lower().startswith("multipart/form-data"):
        return await _from_form(request, kind)
    return IncomingFile(
        kind,
        request.headers.get("cache-control") or "no-cache",
        user_metadata_of(request.headers.get("x-metadata")),
        announced_size(request),
        request.stream(),
    )


def user_metadata_of(header: str | None) -> dict[str, Any] | None:
    """`x-metadata`: a JSON object in base64. What is none counts as no metadata, as upstream has it."""
    if not header:
        return None
    try:
        return metadata_object(base64.b64decode(header + "=" * (-len(header) % 4)))
    except (binascii.Error, ValueError):
        return None


def metadata_object(text: bytes) -> dict[str, Any] | None:
    """User metadata in JSON; None for anything else than an object. Raises 413 over a megabyte."""
    if len(text) > _MOST_METADATA:
        raise errors.too_large("user_metadata")
    try:
        value = read_json(text, MOST_MARKS)
    except ValueError:
        return None
    if not isinstance(value, dict) or _levels(value) > _MOST_LEVELS:
        return None
    # Postgres's JSON has no NUL.
    return value if "\\u0000" not in json.dumps(value) else None


def _levels(value: Any) -> int:
    """How deeply a value is nested."""
    levels, present = 0, [value]
    while present:
        levels += 1
        parts = [
            part.values() if isinstance(part, dict) else part
            for part in present
            if isinstance(part, dict | list)
        ]
        present = [value for part in parts for value in part]
    return levels


async def _from_form(request: Request, kind: str) -> IncomingFile:
    form = Form(request, kind)
    while not form.in_file:
        if not await form.advance():
            raise errors.no_content()
    fields = form.fields
    seconds = fields.get("cacheControl", b"").decode(errors="replace").strip()
    metadata = next((fields[name] for name in _USER_METADATA if name in fields), None)
    return IncomingFile(
        fields.get("contentType", b"").decode("latin-1") or form.mime or _BYTES,
        f"max-age={seconds}" if seconds.isascii() and seconds.isdecimal() else "no-cache",
        metadata_object(metadata) if metadata else None,
        announced_size(request),
        form.file(),
    )


@dataclass(slots=True)
class _Part:
    """A part of a form, as its header says."""

    headers: dict[bytes, bytes] = field(default_factory=dict)
    name: str = ""
    header_name: bytes = b""
    header_value: bytes = b""


class Form:
    """A multipart body (RFC 7578) up to the end of its first file, parsed as it comes."""

    def __init__(
        self,
        request: Request,
        kind: str,
        *,
        most_fields: int = _MOST_FIELDS,
        longest_field: int = _MOST_METADATA,
    ) -> None:
        boundary = parse_options_header(kind)[1].get(b"boundary")
        if not boundary or len(boundary) > _LONGEST_BOUNDARY:
            raise errors.no_content("Multipart: Boundary not found")
        self._most_fields, self._longest_field = most_fields, longest_field
        # Of the body, in bytes: before the file's part begins, no policy has been asked.
        self._before_file = 0
        self.fields: dict[str, bytes] = {}
        self._begun = 0
        self.mime = ""
        self.in_file = False
        self._file_ended = False
        self._body = request.stream()
        self._part = _Part()
        # Of the file: what has been parsed and not been taken yet. One chunk of the body at most.
        self._pending: list[bytes] = []
        self._parser = python_multipart.MultipartParser(
            boundary,
            {
                "on_part_begin": self._begin_part,
                "on_part_data": self._take_data,
                "on_part_end": self._end_part,
                "on_header_field": self._take_header_name,
                "on_header_value": self._take_header_value,
                "on_header_end": self._end_header,
                "on_headers_finished": self._end_headers,
            },
        )

    async def advance(self) -> bool:
        """Parses the next chunk of the body; False at its end.

        Raises 400 for what is no form, 413 where more comes before the file than two of the longest fields.
        """
        try:
            chunk = await anext(self._body, b"")
            if not chunk:
                return False
            self._parser.write(chunk)
        except MultipartParseError as error:
            raise errors.no_content(str(error)) from error
        if not self.in_file:
            self._before_file += len(chunk)
            if self._before_file > 2 * self._longest_field:
                raise errors.too_large("form")
        return True

    async def file(self) -> AsyncIterator[bytes]:
        """The file's bytes. Raises 400 where the body ends within it."""
        while True:
            pending, self._pending = self._pending, []
            for data in pending:
                yield data
            if self._file_ended:
                return
            if not await self.advance():
                raise errors.no_content("Unexpected end of form")

    def _begin_part(self) -> None:
        self._part = _Part()

    def _take_header_name(self, data: bytes, start: int, end: int) -> None:
        self._part.header_name += data[start:end]

    def _take_header_value(self, data: bytes, start: int, end: int) -> None:
        self._part.header_value += data[start:end]

    def _end_header(self) -> None:
        part = self._part
        part.headers[part.header_name.lower()] = part.header_value
        part.header_name = part.header_value = b""

    def _end_headers(self) -> None:
        _, options = parse_options_header(self._part.headers.get(b"content-disposition", b""))
        self._part.name = options.get(b"name", b"").decode(errors="replace")
        mime = self._part.headers.get(b"content-type", b"").decode("latin-1")
        # A blob without a name of its own is sent with one; a field never has one.
        if not self.in_file and (b"filename" in options or b"filename*" in options or mime == _BYTES):
            self.in_file, self.mime = True, mime
        elif not self.in_file:
            # One that comes twice is two.
            self._begun += 1
            if self._begun > self._most_fields:
                raise errors.no_content("reach fields limit")

    def _take_data(self, data: bytes, start: int, end: int) -> None:
        if self._file_ended:
            return
        if self.in_file:
            self._pending.append(data[start:end])
            return
        value = self.fields.get(self._part.name, b"") + data[start:end]
        if len(value) > self._longest_field:
            raise errors.too_large("user_metadata")
        self.fields[self._part.name] = value

    def _end_part(self) -> None:
        if self.in_file:
            self._file_ended = True
