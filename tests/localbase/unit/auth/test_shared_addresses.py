"""auth.addresses: e-mail addresses and telephone numbers."""

from __future__ import annotations

import pytest
from localbase.auth.channels import parse_email, parse_phone
from localbase.auth.errors import AuthError


def test_email_addresses_are_lower_cased() -> None:
    assert parse_email("Some.One@Example.COM") == "some.one@example.com"


@pytest.mark.parametrize("text", ["nobody", "a b@example.com", "x" * 256, "@example.com"])
def test_invalid_email_addresses_are_rejected(text: str) -> None:
    with pytest.raises(AuthError) as caught:
        parse_email(text)
    assert caught.value.code == "validation_failed"


@pytest.mark.parametrize("text", ["15550100", "+15550100", "+1 555 01 00", "1 5550100"])
def test_numbers_are_digits_alone(text: str) -> None:
    assert parse_phone(text) == "15550100"


@pytest.mark.parametrize(
    "text", ["", "+", "0155501", "1", "1234567890123456", "+1-555-0100", "++15550100", "１５５５"]
)
def test_bad_numbers_are_refused(text: str) -> None:
    with pytest.raises(AuthError) as caught:
        parse_phone(text)
    assert (caught.value.status, caught.value.code, caught.value.message) == (
        400,
        "validation_failed",
        "Invalid phone number format (E.164 required)",
    )
