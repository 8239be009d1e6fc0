"""The addresses that a browser may be sent back to, and what is added to them.

Upstream: supabase/auth, `internal/utilities/request.go`. Stricter than that: what browsers read otherwise than it is
written (backslashes, control characters, user info) is refused before parsing.
"""

from __future__ import annotations

import ipaddress
import re
from functools import lru_cache
from typing import Any
from urllib.parse import SplitResult, parse_qsl, urlencode, urlsplit, urlunsplit

from starlette.requests import Request

from localbase.auth.errors import AuthError, OAuthError
from localbase.core.auth_settings import AuthSettings

_MOST = 8192
UNSAFE = re.compile(r"[\x00-\x20\x7f-\x9f\\]")
_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:")
# They run or show what the address itself holds.
SCRIPTS = ("javascript", "data", "vbscript", "blob", "file", "filesystem", "about", "view-source")
_HOST = re.compile(r"[A-Za-z0-9]([A-Za-z0-9.-]*[A-Za-z0-9])?")
# The last label decides: browsers take `127.1`, `0x7f.1` and `2130706433` for IPv4 addresses.
_NUMERIC = re.compile(r"(.*\.)?([0-9]+|0[xX][0-9A-Fa-f]*)\.?")
_ANY_PORT = ("localhost", "127.0.0.1", "::1", "0.0.0.0", "::")  # noqa: S104
# The error of RFC 6749, section 4.1.2.1, for a status; other statuses have none.
_OAUTH_ERRORS = {
    400: "invalid_request",
    401: "unauthorized_client",
    403: "access_denied",
    500: "server_error",
    503: "temporarily_unavailable",
}
_DENIED = ("signup_disabled", "user_banned", "provider_email_needs_verification")


def redirect_of(request: Request, auth: AuthSettings) -> str:
    """Return where the request wants the browser to go: its `redirect_to`, else where it came from, else the site."""
    redirect_to = request.headers.get("redirect_to") or request.query_params.get("redirect_to")
    return parse_redirect(redirect_to, auth, request.headers.get("referer"))


def parse_redirect(redirect_to: str | None, auth: AuthSettings, referer: str | None = None) -> str:
    """The first of both that the project allows, else the site's address."""
    return next(
        (each for each in (redirect_to, referer) if each and is_allowed(each, auth)),
        auth.site_url,
    )


def is_allowed(redirect_to: str, auth: AuthSettings) -> bool:
    """Tell whether this is the site, a loopback address, or one of the project's `additional_redirect_urls`."""
    if len(redirect_to) > _MOST or UNSAFE.search(redirect_to) or not _SCHEME.match(redirect_to):
        return False
    try:
        parts = urlsplit(redirect_to)
        port = parts.port
    except ValueError:
        return False
    if parts.scheme in SCRIPTS or "@" in parts.netloc or "%" in parts.netloc:
        return False
    host = _host(parts)
    site = urlsplit(auth.site_url)
    if parts.scheme == site.scheme and host == _host(site) and (port == site.port or host in _ANY_PORT):
        return True
    address = _ip(host)
    if address is not None:
        return _is_loopback(address)
    is_http = parts.scheme in ("http", "https")
    if _NUMERIC.fullmatch(host) or (is_http and not _HOST.fullmatch(host)):
        return False
    text = redirect_to.partition("#")[0]
    if is_http and not parts.path:
        # The host ends here, as browsers have it: a pattern's `*` must not reach over it into the query.
        text = text.replace("?", "/?", 1)
    return any(glob(entry).fullmatch(text) for entry in auth.additional_redirect_urls)


def with_query(url: str, values: dict[str, str]) -> str:
    """`url` with `values` set in its query."""
    parts = urlsplit(url)
    other_pairs = [pair for pair in parse_qsl(parts.query, keep_blank_values=True) if pair[0] not in values]
    return urlunsplit(
        (parts.scheme, parts.netloc, parts.path, urlencode([*other_pairs, *values.items()]), parts.fragment)
    )


def with_fragment(url: str, values: dict[str, str]) -> str:
    """`url` with `values` as its fragment, where no server sees them, and `sb`, by which clients know whose it is."""
    parts = urlsplit(url)
    fragment = urlencode(values | {"sb": ""})
    return urlunsplit((parts.scheme, parts.netloc, parts.path, parts.query, fragment))


def tokens_of(session: dict[str, Any]) -> dict[str, str]:
    """A token response as it is written into an address of the implicit flow."""
    names = ("access_token", "expires_at", "expires_in", "refresh_token", "token_type")
    return {name: str(session[name]) for name in names}


def with_message(url: str, text: str, *, pkce: bool) -> str:
    """`url` with a message in its fragment; in the PKCE flow in its query too."""
    values = {"message": text}
    return with_fragment(with_query(url, values) if pkce else url, values)


def with_error(url: str, error: AuthError, *, pkce: bool) -> str:
    """`url` with the error in its fragment; in the PKCE flow in its query too."""
    name = _OAUTH_ERRORS.get(error.status)
    values = {
        **({"error": name} if name else {}),
        "error_code": error.code,
        "error_description": error.message,
    }
    return with_fragment(with_query(url, values) if pkce else url, values)


def with_callback_error(url: str, error: AuthError) -> str:
    """`url` with an error of a sign-in at a provider: in query and fragment in either flow, always with an `error`."""
    if isinstance(error, OAuthError):
        values = {"error": error.code, **({"error_description": error.message} if error.message else {})}
        return with_fragment(with_query(url, values), values)
    is_denied = error.code in _DENIED
    name = "access_denied" if is_denied else _OAUTH_ERRORS.get(error.status, "server_error")
    values = {"error": name, "error_code": error.code, "error_description": error.message}
    return with_fragment(with_query(url, values), values)


def _host(parts: SplitResult) -> str:
    """As it is written, without port and brackets: upstream compares capitals too."""
    host = parts.netloc.rpartition("@")[2]
    if host.startswith("["):
        return host[1:].partition("]")[0]
    return host.partition(":")[0]


def _ip(host: str) -> ipaddress.IPv4Address | ipaddress.IPv6Address | None:
    try:
        return ipaddress.ip_address(host)
    except ValueError:
        return None


def _is_loopback(address: ipaddress.IPv4Address | ipaddress.IPv6Address) -> bool:
    mapped = getattr(address, "ipv4_mapped", None)
    return (mapped or address).is_loopback


@lru_cache(maxsize=256)
def glob(entry: str) -> re.Pattern[str]:
    """A pattern of the list: `*` is anything but `.` and `/`, `**` anything, `?` one character but those two.

    `[ab]`, `[a-z]`, `[!a]` are one character, `{a,b}` one of several patterns, `\\` takes a character as it is.
    """
    pattern, position, depth = "", 0, 0
    while position < len(entry):
        letter = entry[position]
        following = entry[position + 1 : position + 2]
        closing = entry.find("]", position + 2)
        step = 1
        if letter == "\\" and following:
            pattern, step = pattern + re.escape(following), 2
        elif letter == "*":
            pattern, step = (pattern + ".*", 2) if following == "*" else (pattern + "[^./]*", 1)
        elif letter == "?":
            pattern += "[^./]"
        elif letter == "[" and closing > 0:
            pattern += _characters(entry[position + 1 : closing])
            step = closing - position + 1
        elif letter == "{":
            pattern, depth = pattern + "(?:", depth + 1
        elif letter == "}" and depth:
            pattern, depth = pattern + ")", depth - 1
        elif letter == "," and depth:
            pattern += "|"
        else:
            pattern += re.escape(letter)
        position += step
    return re.compile(pattern + ")" * depth)


def _characters(text: str) -> str:
    negated = "^" if text.startswith("!") else ""
    listed = text.removeprefix("!")
    if re.fullmatch(r".-.", listed) and listed[0] <= listed[2]:
        return f"[{negated}{re.escape(listed[0])}-{re.escape(listed[2])}]"
    return f"[{negated}{re.escape(listed)}]"
