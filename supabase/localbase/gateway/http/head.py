"""The head of a request as bytes: what is wrong with it, and what is taken out before a parser sees it."""

from __future__ import annotations

import re

END = b"\r\n\r\n"
# A key of Storage may have 1,024 characters of twelve bytes each, as they are escaped.
_LONGEST_PATH = 16 * 1024
_VERSIONS = (b"1.0", b"1.1")
_REQUEST_LINE = re.compile(rb"[A-Z-]+ ([\x21-\x7e\x80-\xff]+) HTTP/([0-9.]{1,9})\r\n")
_UPGRADE = re.compile(rb"\r\nupgrade:[^\r]*", re.IGNORECASE)
_SOCKET_UPGRADE = re.compile(rb"\r\nupgrade:[ \t]*websocket[ \t]*\r\n", re.IGNORECASE)
_HOST = re.compile(rb"\r\nhost:([^\r]*)", re.IGNORECASE)
# A name or address with a port (RFC 3986, 3.2.2), or nothing.
_HOST_VALUE = re.compile(rb"[ \t]*[A-Za-z0-9._~!$&'()*+;=%:\[\]-]*[ \t]*")
_EMPTY_LINES = re.compile(rb"\A(?:\r\n)+")


def fault_of(head: bytes, most_bytes: int) -> int | None:
    """The status that rejects a head, whole or not; None if it may be, or become, a good one."""
    if not (b"A" <= head[:1] <= b"Z" or head == b"\r") or _is_malformed(head):
        return 400
    if len(head) > most_bytes:
        return 431
    if b"\n" not in head:
        return None
    line = _REQUEST_LINE.match(head)
    if line is None:
        return 400
    if line[2] not in _VERSIONS:
        return 505
    if len(line[1].partition(b"?")[0]) > _LONGEST_PATH:
        return 414
    return 400 if head.endswith(END) and not names_one_host(head, line[2]) else None


def names_one_host(head: bytes, version: bytes) -> bool:
    """Tell whether a head says once for whom it is (RFC 9112, 3.2). HTTP/1.0 has no need to."""
    hosts = _HOST.findall(head)
    if not hosts:
        return version == b"1.0"
    return len(hosts) == 1 and _HOST_VALUE.fullmatch(hosts[0]) is not None


def _is_malformed(head: bytes) -> bool:
    """Tell whether there are NULs, a CR or LF by itself, or folded lines (RFC 9112, 2.2 and 5.2).

    A CR at the end may be half a line's end.
    """
    ends = head.count(b"\r\n")
    return (
        head.count(b"\n") != ends
        or head.count(b"\r") - head.endswith(b"\r") != ends
        or b"\0" in head
        or b"\r\n " in head
        or b"\r\n\t" in head
    )


def without_empty_lines(data: bytes) -> bytes:
    """Empty lines before a request are no part of it (RFC 9112, 2.2)."""
    return _EMPTY_LINES.sub(b"", data)


def without_upgrade(head: bytes) -> bytes:
    """The head without an offer to upgrade, which is not taken (RFC 9110, 7.8).

    llhttp would take the body for the beginning of another protocol, and then for another request.
    """
    return _UPGRADE.sub(b"", head) if b"\r\nupgrade" in head.lower() else head


def opens_socket(head: bytes, prefixes: tuple[bytes, ...]) -> bool:
    """Tell whether a whole head is a request for a WebSocket at or below one of the paths `prefixes`."""
    if not head.startswith(b"GET ") or not prefixes or b"\r\nupgrade" not in head.lower():
        return False
    return is_below(head, prefixes) and _SOCKET_UPGRADE.search(head) is not None


def is_below(head: bytes, prefixes: tuple[bytes, ...]) -> bool:
    """Tell whether a request, with a whole head, is for one of the paths `prefixes`, or for one below them."""
    path = head.partition(b"\r\n")[0].partition(b" ")[2].partition(b" ")[0].partition(b"?")[0]
    return any(path == prefix or path.startswith(prefix + b"/") for prefix in prefixes)
