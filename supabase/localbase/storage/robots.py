"""`X-Robots-Tag`: what an uploader may say to search engines of an object (rules: Google's and MDN's lists)."""

from __future__ import annotations

import re

from localbase.storage.errors import StorageError

_PLAIN = frozenset(
    ("all", "noindex", "nofollow", "none", "nosnippet", "indexifembedded", "notranslate", "noimageindex")
)
_LIMIT = re.compile(r"-1|\d{1,9}", re.ASCII)
_AGENT = re.compile(r"[A-Za-z0-9_.*-]{1,100}")
_LONGEST = 1000


def checked_robots(value: str | None) -> str | None:
    """The header's value as it came. Raises 400 for a rule that is none. `unavailable_after` takes any text."""
    if value is None:
        return None
    if not value.strip() or len(value) > _LONGEST:
        raise _invalid("X-Robots-Tag header value must be a non-empty string")
    for rule in re.split(r",(?![^:,]*\d{4})", value):
        _check_rule(rule.strip())
    return value


def _check_rule(rule: str) -> None:
    name, colon, rest = rule.partition(":")
    value = rest.strip()
    if not colon:
        if rule not in _PLAIN:
            raise _invalid(f'Invalid X-Robots-Tag rule: "{rule}"')
    elif name in ("max-snippet", "max-video-preview"):
        if not _LIMIT.fullmatch(value):
            raise _invalid(f'X-Robots-Tag "{name}" value must be an integer >= -1, got: "{value}"')
    elif name == "max-image-preview":
        if value not in ("none", "standard", "large"):
            raise _invalid(
                f'X-Robots-Tag "max-image-preview" value must be one of: none, standard, large, got: "{value}"'
            )
    elif name == "unavailable_after":
        if not re.search(r"\d{4}", value):
            raise _invalid(f'X-Robots-Tag "unavailable_after" value must be a valid date, got: "{value}"')
    elif not value or not _AGENT.fullmatch(name):
        raise _invalid(f'X-Robots-Tag user agent "{name}" has no rules specified')
    else:
        _check_rule(value)


def _invalid(message: str) -> StorageError:
    return StorageError(
        400, "InvalidRequest", f"Invalid X-Robots-Tag header: {message}", error="invalid_x_robots_tag"
    )
