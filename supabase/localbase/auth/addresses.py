"""E-mail addresses and the addresses that a user may be sent back to."""

from __future__ import annotations

import re
from urllib.parse import parse_qsl, urlencode, urlsplit, urlunsplit

from email_validator import EmailNotValidError, validate_email

from localbase.auth.errors import AuthError, validation_failed
from localbase.core.auth_settings import AuthSettings

_E164 = re.compile(r"[1-9][0-9]{1,14}")


def parse_email(text: str) -> str:
    """The address in lower case. Raises 400 in upstream's words."""
    if not text:
        raise validation_failed("An email address is required")
    if len(text) > 255:
        raise validation_failed("An email address is too long")
    try:
        found = validate_email(text.strip(), check_deliverability=False, test_environment=True)
    except EmailNotValidError as error:
        raise validation_failed("Unable to validate email address: invalid format") from error
    return found.normalized.lower()


def parse_phone(text: str) -> str:
    """The number without `+` and spaces, by upstream's rule. Raises 400 in upstream's words."""
    number = text.removeprefix("+").replace(" ", "")
    if not _E164.fullmatch(number):
        raise validation_failed("Invalid phone number format (E.164 required)")
    return number


def parse_redirect(wanted: str | None, auth: AuthSettings) -> str:
    """`wanted` if the project allows it (its own host, or a pattern of the allow list), else the site's address."""
    if wanted:
        parts = urlsplit(wanted)
        if parts.scheme in ("http", "https") and parts.hostname == urlsplit(auth.site_url).hostname:
            return wanted
        bare = urlunsplit((parts.scheme, parts.netloc, parts.path, parts.query, ""))
        if any(_pattern(entry).fullmatch(bare) for entry in auth.additional_redirect_urls):
            return wanted
    return auth.site_url


def with_query(url: str, values: dict[str, str]) -> str:
    """`url` with `values` added to its query."""
    parts = urlsplit(url)
    query = urlencode([*parse_qsl(parts.query, keep_blank_values=True), *values.items()])
    return urlunsplit((parts.scheme, parts.netloc, parts.path, query, parts.fragment))


def with_fragment(url: str, values: dict[str, str]) -> str:
    """`url` with `values` as its fragment, where no server sees them."""
    parts = urlsplit(url)
    return urlunsplit((parts.scheme, parts.netloc, parts.path, parts.query, urlencode(values)))


def with_error(url: str, error: AuthError) -> str:
    """`url` with the error in its query and its fragment: clients of either flow find it."""
    values = {
        "error": "access_denied" if error.status < 500 else "server_error",
        "error_code": error.code,
        "error_description": error.message,
    }
    return with_fragment(with_query(url, values), values)


def _pattern(entry: str) -> re.Pattern[str]:
    """GoTrue's globs: `*` is anything but `.` and `/`, `**` anything, `?` one character but those."""
    parts = re.split(r"(\*\*|\*|\?)", entry)
    tokens = {"**": ".*", "*": "[^./]*", "?": "[^./]"}
    return re.compile("".join(tokens.get(part, re.escape(part)) for part in parts))
