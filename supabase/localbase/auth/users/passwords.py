"""Password rules, and hashing: bcrypt at cost 10, as GoTrue's.

One takes some 60 ms of a processor, so hashing has threads of its own, one for each processor, and a bounded queue:
more of it at once would only make each one slower.
"""

from __future__ import annotations

import asyncio
import logging
import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

import bcrypt

from localbase.auth.errors import AuthError, weak_password
from localbase.core.auth_settings import AuthSettings
from localbase.postgres.pool import PoolExhausted

_log = logging.getLogger("localbase.auth")
_COST = 10
_MOST_BYTES = 72
# Compared against for a user who does not exist, so that both take equally long: a hash at the same cost, written down
# because to make it would delay every start of the gateway by a tenth of a second.
OF_NO_USER = b"$2b$10$KvpHK3hhXZ1YJZIMJU0NSORBWI5Csn9HmYJ4igt7kjb.ybX9FkKkW"
_LOWER, _UPPER, _DIGITS = "abcdefghijklmnopqrstuvwxyz", "ABCDEFGHIJKLMNOPQRSTUVWXYZ", "0123456789"
_SYMBOLS = "!@#$%^&*()_+-=[]{};'\\:\"|<>?,./`~"
_REQUIRED = {
    "": (),
    "letters_digits": (_LOWER + _UPPER, _DIGITS),
    "lower_upper_letters_digits": (_LOWER, _UPPER, _DIGITS),
    "lower_upper_letters_digits_symbols": (_LOWER, _UPPER, _DIGITS, _SYMBOLS),
}
_LONGEST_QUEUE = 256
_Result = TypeVar("_Result")


class _Threads:
    def __init__(self) -> None:
        self._pool = ThreadPoolExecutor(os.cpu_count() or 1, "bcrypt")
        self._waiting = 0

    async def run(self, work: Callable[..., _Result], *arguments: bytes) -> _Result:
        if self._waiting >= _LONGEST_QUEUE:
            raise PoolExhausted
        self._waiting += 1
        try:
            return await asyncio.get_running_loop().run_in_executor(self._pool, work, *arguments)
        finally:
            self._waiting -= 1


_threads = _Threads()


def require_length(password: str) -> None:
    """Raises 400 for a password that bcrypt would cut off."""
    if len(password.encode()) > _MOST_BYTES:
        raise _too_long()


def require_strength(password: str, auth: AuthSettings) -> None:
    """Raises 422 `weak_password` with all reasons, and 400 for a password that bcrypt would cut off."""
    if weakness := weakness_of(password, auth):
        raise weakness


def weakness_of(password: str, auth: AuthSettings) -> AuthError | None:
    """The reason for which the project's rules reject the password; None for one that is good."""
    if len(password.encode()) > _MOST_BYTES:
        return _too_long()
    reasons, messages = [], []
    if len(password) < auth.minimum_password_length:
        reasons.append("length")
        messages.append(f"Password should be at least {auth.minimum_password_length} characters.")
    required = _REQUIRED[auth.password_requirements]
    if not all(set(characters) & set(password) for characters in required):
        reasons.append("characters")
        messages.append(f"Password should contain at least one character of each: {', '.join(required)}.")
    return weak_password(reasons, " ".join(messages)) if reasons else None


def _too_long() -> AuthError:
    return AuthError(400, "validation_failed", f"Password cannot be longer than {_MOST_BYTES} characters")


async def hash_password(password: str) -> str:
    """The hash to store. Raises `PoolExhausted` if too many wait already."""
    digest = await _threads.run(bcrypt.hashpw, password.encode(), bcrypt.gensalt(_COST))
    return digest.decode()


async def matches(password: str, stored: str | None) -> bool:
    """Tell whether `password` is the one that was hashed. Takes as long for a user who does not exist."""
    encoded = password.encode()
    if len(encoded) > _MOST_BYTES:
        return False
    try:
        right = await _threads.run(bcrypt.checkpw, encoded, stored.encode() if stored else OF_NO_USER)
    except ValueError:
        _log.warning("a user's password has no bcrypt hash, so it cannot be checked")
        return False
    return right and bool(stored)
