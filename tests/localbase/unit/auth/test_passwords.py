"""auth.passwords: which passwords a project's rules reject, and why."""

from __future__ import annotations

import asyncio

import pytest
from localbase.auth.users.passwords import OF_NO_USER, hash_password, matches, weakness_of
from localbase.core.auth_settings import AuthSettings

_LETTERS_DIGITS = AuthSettings(password_requirements="letters_digits")
_ALL = AuthSettings(minimum_password_length=8, password_requirements="lower_upper_letters_digits_symbols")


@pytest.mark.parametrize(
    ("auth", "password", "reasons"),
    [
        (AuthSettings(), "12345", ["length"]),
        (AuthSettings(), "123456", None),
        (_LETTERS_DIGITS, "abcdef", ["characters"]),
        (_LETTERS_DIGITS, "12345", ["length", "characters"]),
        (_LETTERS_DIGITS, "abcde1", None),
        (_ALL, "Abcdefg1", ["characters"]),
        (_ALL, "Abcdefg1!", None),
        (_ALL, "äöüÄÖÜ1!", ["characters"]),
    ],
)
def test_weak_password_is_rejected_with_all_reasons(
    auth: AuthSettings, password: str, reasons: list[str] | None
) -> None:
    weakness = weakness_of(password, auth)
    actual_reasons = weakness.extra["weak_password"]["reasons"] if weakness else None
    assert actual_reasons == reasons
    assert weakness is None or (weakness.status, weakness.code) == (422, "weak_password")


def test_weak_password_error_names_what_it_lacks() -> None:
    weakness = weakness_of("12345", _LETTERS_DIGITS)
    assert weakness is not None
    assert weakness.message == (
        "Password should be at least 6 characters. Password should contain at least one character of each: "
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ, 0123456789."
    )


def test_password_beyond_bcrypts_length_is_rejected_and_never_matches() -> None:
    weakness = weakness_of("x" * 73, AuthSettings())
    assert weakness is not None
    assert (weakness.status, weakness.code) == (400, "validation_failed")
    stored = asyncio.run(hash_password("x" * 72))
    assert asyncio.run(matches("x" * 72, stored))
    assert not asyncio.run(matches("x" * 73, stored))


@pytest.mark.parametrize("stored", ["", None, "$argon2id$v=19$m=16,t=2,p=1$c2FsdA$aGFzaA", "plain"])
def test_user_without_a_bcrypt_hash_has_no_password(stored: str | None) -> None:
    assert not asyncio.run(matches("plain", stored))


def test_hash_of_no_user_takes_as_long_as_that_of_one() -> None:
    """The part before the salt says how often bcrypt repeats itself."""
    hashed = asyncio.run(hash_password("correct horse"))
    assert OF_NO_USER.decode()[:7] == hashed[:7]
    assert len(OF_NO_USER) == len(hashed)
    assert not asyncio.run(matches("no user", None))
