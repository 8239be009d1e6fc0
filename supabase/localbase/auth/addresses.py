"""E-mail addresses and telephone numbers."""

from __future__ import annotations

import re

from localbase.auth.errors import validation_failed

# By upstream's rule: a telephone library refuses numbers that upstream takes.
_E164 = re.compile(r"[1-9][0-9]{1,14}")


def parse_email(text: str) -> str:
    """The address in lower case. Raises 400 in upstream's words."""
    if not text:
        raise validation_failed("An email address is required")
    if len(text) > 255:
        raise validation_failed("An email address is too long")
    # Here: its tables of characters take their time, and most starts meet no address.
    from email_validator import EmailNotValidError, validate_email

    try:
        validated = validate_email(text.strip(), check_deliverability=False, test_environment=True)
    except EmailNotValidError as error:
        raise validation_failed("Unable to validate email address: invalid format") from error
    return validated.normalized.lower()


def parse_phone(text: str) -> str:
    """The number without `+` and spaces, by upstream's rule. Raises 400 in upstream's words."""
    number = plain_number(text)
    if not _E164.fullmatch(number):
        raise validation_failed("Invalid phone number format (E.164 required)")
    return number


def plain_number(text: str) -> str:
    """The number without `+` and spaces."""
    return text.removeprefix("+").replace(" ", "")
