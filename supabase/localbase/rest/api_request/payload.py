"""Request bodies: JSON as it came, or CSV and forms turned into it, with the columns that it names."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Collection
from dataclasses import dataclass
from typing import Any, NoReturn
from urllib.parse import parse_qsl

from localbase.rest import errors
from localbase.rest.api_request.media_type import Media

_BLANK = b" \t\r\n"
# Postgres has at most 1,664 columns in a list; an object that goes to a function whole may have more keys.
_MOST_COLUMNS = 10_000


@dataclass(frozen=True, slots=True)
class Payload:
    """The body as one parameter of the statement. `columns` are sorted; `is_object`: one row, no list."""

    raw: bytes
    columns: tuple[str, ...]
    is_object: bool
    arguments: tuple[tuple[str, str], ...] | None = None


def parse_payload(
    body: bytes, content: Media, columns: tuple[str, ...] | None, *, for_function: bool
) -> Payload:
    """Reads the body of a write or of a function's call. Raises PGRST102."""
    if content.form == "json":
        return _from_json(body, columns, for_function)
    if content.form == "csv":
        return _from_csv(body)
    if content.name == "application/x-www-form-urlencoded":
        return _from_form(body, for_function)
    if for_function and content.name == "application/octet-stream":
        # Parameters are text: this is how Postgres writes bytes in it.
        return Payload(b"\\x" + body.hex().encode(), (), False)
    if for_function and content.name in ("text/plain", "text/xml"):
        if b"\0" in body:
            raise errors.nul_in_text()
        return Payload(body, (), False)
    raise errors.invalid_body(f"Content-Type not acceptable: {content.name}")


def _from_json(body: bytes, columns: tuple[str, ...] | None, for_function: bool) -> Payload:
    if b"\0" in body:
        raise errors.invalid_body("Empty or invalid json")
    if columns is not None:
        # With the columns named only Postgres reads the body.
        return Payload(body or b"null", tuple(sorted(columns)), is_json_object(body))
    if not body and for_function:
        return Payload(b"{}", (), True)
    return _described(body, decode_json(body))


def decode_json(body: bytes) -> Any:
    """The body's value. Raises PGRST102."""
    try:
        return _decode(body.decode())
    except (ValueError, RecursionError) as error:
        raise errors.invalid_body("Empty or invalid json") from error


def is_json_object(body: bytes) -> bool:
    """Tell whether a body, if it is JSON at all, is one object."""
    return body.lstrip(_BLANK)[:1] == b"{"


def keys_of(value: Any) -> Collection[str] | None:
    """The keys of an object, or those that all objects of a list have; None for all other values."""
    if isinstance(value, dict):
        return value.keys()
    if not isinstance(value, list) or not value or not isinstance(value[0], dict):
        return None
    keys = value[0].keys()
    return None if any(not isinstance(item, dict) or item.keys() != keys for item in value) else keys


def _described(raw: bytes, value: Any) -> Payload:
    """A body with its keys. A value that is neither object nor list counts as an empty list, as upstream."""
    if not isinstance(value, dict | list) or value == []:
        return Payload(b"[]", (), False)
    keys = keys_of(value)
    if keys is None:
        raise errors.invalid_body("All object keys must match")
    return Payload(raw, columns_of(keys), isinstance(value, dict))


def columns_of(keys: Collection[str]) -> tuple[str, ...]:
    """Sorted. A key with half of a surrogate pair names no column, so it need not stay what it is."""
    if len(keys) > _MOST_COLUMNS:
        raise errors.too_many_columns(_MOST_COLUMNS)
    return tuple(sorted(key if key.isascii() else key.encode(errors="replace").decode() for key in keys))


def _reject_constant(name: str) -> NoReturn:
    """Python reads NaN and Infinity, JSON has neither."""
    raise ValueError(name)


_decode = json.JSONDecoder(parse_constant=_reject_constant).decode


def _from_csv(body: bytes) -> Payload:
    """Lines under a header; the word NULL is null."""
    try:
        lines = list(csv.reader(io.StringIO(body.decode()), strict=True))
    except (UnicodeDecodeError, csv.Error) as error:
        raise errors.invalid_body(f"parse error ({error})") from error
    lines = [line for line in lines if line]
    if not lines:
        raise errors.invalid_body("parse error (not enough input)")
    header, rows = lines[0], lines[1:]
    if any(len(row) != len(header) for row in rows):
        raise errors.invalid_body("All lines must have same number of fields")
    values = [{k: None if v == "NULL" else v for k, v in zip(header, row, strict=True)} for row in rows]
    return _described(json.dumps(values, ensure_ascii=False).encode(), values)


def _from_form(body: bytes, for_function: bool) -> Payload:
    pairs = parse_qsl(body.decode("utf-8", "replace"), keep_blank_values=True)
    if any("\0" in name or "\0" in value for name, value in pairs):
        raise errors.nul_in_text()
    if for_function and len(pairs) > _MOST_COLUMNS:
        # A call has all of them as arguments, repeated names too.
        raise errors.too_many_columns(_MOST_COLUMNS)
    values = dict(pairs)
    columns = columns_of(values)
    raw = json.dumps(values, ensure_ascii=False).encode()
    return Payload(raw, columns, True, tuple(pairs) if for_function else None)
