"""The scopes that a client may be allowed."""

from __future__ import annotations

SUPPORTED = ("openid", "profile", "email", "phone", "offline_access")
# Of a request that names none.
DEFAULT = "email"


def parse_scope(text: str | None) -> list[str]:
    """The scopes of a space-separated list, each once."""
    return list(dict.fromkeys(scope.strip() for scope in (text or "").split(" ") if scope.strip()))
