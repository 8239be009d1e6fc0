"""HTTP as plain values: what a service is given and what it answers. Only `app` knows ASGI."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True, slots=True)
class Request:
    """One request. `path` is decoded and lies below the service's mount; `query` is the raw query string."""

    method: str
    path: str
    query: bytes
    headers: dict[str, str]
    body: bytes = b""
    peer: str = ""
    id: str = ""
    # The path as it came over the wire, below the mount.
    raw_path: str = ""


@dataclass(frozen=True, slots=True)
class Response:
    """One finished answer: `body` is sent as it is."""

    status: int
    headers: list[tuple[str, str]] = field(default_factory=list)
    body: bytes = b""


def text_of(header: str) -> str:
    """A header's value as the UTF-8 text that it may be: a server hands its bytes over as Latin-1."""
    return header if header.isascii() else header.encode("latin-1").decode("utf-8", "replace")


def header_of(text: str) -> str:
    """A text as a header's value: its UTF-8 bytes as Latin-1, on one line."""
    if text.isascii() and text.isprintable():
        return text
    return (
        text.encode(errors="replace")
        .decode("latin-1")
        .replace("\r", " ")
        .replace("\n", " ")
        .replace("\0", " ")
    )


def json_response(status: int, value: Any, headers: list[tuple[str, str]] | None = None) -> Response:
    """`value` as compact UTF-8 JSON."""
    body = json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode()
    return Response(status, [("content-type", "application/json; charset=utf-8"), *(headers or [])], body)
