"""Contact data for a parcel: a deliverable e-mail address and a phone number."""

from __future__ import annotations

import re

_COUNTRY_CODE = re.compile(r"\+[1-9][0-9]{0,3}")
_PHONE = re.compile(r"\+?[0-9 ().\-/\u00a0\u2010-\u2013]*")
_EXTENSION = re.compile(r"\s*(?:ext\.?|x|#)\s*[0-9]{1,6}$", re.IGNORECASE)
_NOT_A_DIGIT = re.compile(r"[^0-9]")
_FEWEST_DIGITS = 5
# ITU-T E.164, the country's code included
_MOST_DIGITS = 15


def parse_email(text: str) -> str:
    """The address with its domain in small letters. Raises ValueError."""
    # here: reading orders takes this module too, and only placing one the library
    from email_validator import EmailNotValidError, validate_email

    try:
        # a name before the @ that is not ASCII is refused by many mail servers, and by the form's own check
        return validate_email(text, check_deliverability=False, allow_smtputf8=False).normalized
    except EmailNotValidError as error:
        raise ValueError("This doesn't look like an email address") from error


def check_country_code(text: str) -> str:
    """`+49`. Raises ValueError."""
    if not _COUNTRY_CODE.fullmatch(text):
        raise ValueError("A country code is a plus sign and digits")
    return text


def check_phone(text: str, country_code: str) -> str:
    """A number as people write it, with an extension or without. Raises ValueError."""
    number = _EXTENSION.sub("", text)
    digits = len(_NOT_A_DIGIT.sub("", number))
    # one that repeats its country's code counts by itself
    prefix = 0 if number.startswith("+") else len(_NOT_A_DIGIT.sub("", country_code))
    if not _PHONE.fullmatch(number) or digits < _FEWEST_DIGITS or digits + prefix > _MOST_DIGITS:
        raise ValueError("This doesn't look like a phone number")
    return text
