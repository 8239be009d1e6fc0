"""Conditional requests and byte ranges (RFC 9110, 13 and 14)."""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import UTC, datetime
from email.utils import format_datetime, parsedate_to_datetime
from typing import NamedTuple

_TAG = re.compile(r'(?:W/)?("[^"]*")|(\*)|([^\s,"]+)')
_RANGE = re.compile(r"bytes=\s*(\d*)\s*-\s*(\d*)\s*", re.IGNORECASE | re.ASCII)


class Span(NamedTuple):
    """Bytes from `start` on, `length` of them."""

    start: int
    length: int


class Unsatisfiable(Exception):
    """A range that begins behind the end."""


def http_date(moment: datetime) -> str:
    """A header's time."""
    return format_datetime(moment.astimezone(UTC), usegmt=True)


def is_unchanged(headers: Mapping[str, str], etag: str, modified: datetime | None) -> bool:
    """Tell whether the client has this already: 304. Tags are compared weakly; with tags the time does not count."""
    tags = headers.get("if-none-match")
    if tags is not None:
        return _names(tags, etag)
    since = _time_of(headers.get("if-modified-since"))
    return since is not None and modified is not None and modified.replace(microsecond=0) <= since


def has_changed(headers: Mapping[str, str], etag: str, modified: datetime | None) -> bool:
    """Tell whether the client means another state of it than this: 412."""
    tags = headers.get("if-match")
    if tags is not None:
        return not _names(tags, etag)
    since = _time_of(headers.get("if-unmodified-since"))
    return since is not None and modified is not None and modified.replace(microsecond=0) > since


def span_of(headers: Mapping[str, str], size: int, etag: str) -> Span | None:
    """The one range that is asked for; None for none, several, or one of another state (`If-Range`).

    Raises `Unsatisfiable`.
    """
    range_header = headers.get("range")
    if range_header is None or headers.get("if-range", etag) != etag:
        return None
    match = _RANGE.fullmatch(range_header.strip())
    if match is None or (not match[1] and not match[2]):
        return None
    if not match[1]:
        length = min(_number(match[2]), size)
        if length == 0:
            raise Unsatisfiable
        return Span(size - length, length)
    start, end = _number(match[1]), _number(match[2]) if match[2] else size - 1
    if end < start and match[2]:
        return None
    if start >= size:
        raise Unsatisfiable
    return Span(start, min(end, size - 1) - start + 1)


def _number(digits: str) -> int:
    # Longer numbers than any size has are all the same, and Python refuses very long ones.
    return int(digits) if len(digits) < 19 else 10**18


def _names(tags: str, etag: str) -> bool:
    return any(star or (quoted or f'"{bare}"') == etag for quoted, star, bare in _TAG.findall(tags))


def _time_of(text: str | None) -> datetime | None:
    if not text:
        return None
    try:
        moment = parsedate_to_datetime(text)
    except (ValueError, TypeError):
        return None
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)
