"""Password hashing: bcrypt at cost 10, as GoTrue's. Off the event loop, for one takes some 60 ms."""

from __future__ import annotations

import asyncio

import bcrypt

from localbase.auth.errors import AuthError, weak_password
from localbase.core.auth_settings import AuthSettings

_COST = 10
_MOST_BYTES = 72
# Compared against where there is no such user, so that an answer's time does not tell.
_NOBODY = bcrypt.hashpw(b"nobody", bcrypt.gensalt(_COST))


def require_length(password: str) -> None:
    """Raises 400 for a password that bcrypt would cut off."""
    if len(password.encode()) > _MOST_BYTES:
        raise AuthError(400, "validation_failed", f"Password cannot be longer than {_MOST_BYTES} characters")


def require_strength(password: str, auth: AuthSettings) -> None:
    """Raises 422 for a password that is too short, 400 for one that bcrypt would cut off."""
    require_length(password)
    if len(password) < auth.minimum_password_length:
        raise weak_password(auth.minimum_password_length)


async def hash_password(password: str) -> str:
    """The hash to store."""
    digest = await asyncio.to_thread(bcrypt.hashpw, password.encode(), bcrypt.gensalt(_COST))
    return digest.decode()


async def matches(password: str, stored: str | None) -> bool:
    """Whether `password` is the one that was hashed. Takes as long for a user who does not exist."""
    given = password.encode()
    if len(given) > _MOST_BYTES:
        return False
    right = await asyncio.to_thread(bcrypt.checkpw, given, stored.encode() if stored else _NOBODY)
    return right and bool(stored)
