"""Contact data for a parcel: a deliverable e-mail address and a telephone number (E.164).

A number is taken if its length and its first digits fit the numbering plan of its country. Whether its range is in use
is not asked (docs/decisions/0022). The form has the same rules: web/src/features/checkout/address/contact.ts.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator

from _shared.shipping.countries import country_of_phone_code

_COUNTRY_CODE = re.compile(r"\+[1-9][0-9]{0,3}")
_BEFORE_NUMBER = re.compile(r"[^+\uff0b(\uff080-9]*")
_EXTENSION = re.compile(
    r"[\s,;]*(?:(?:ext[a-z]*|anexo|int|\u0434\u043e\u0431)[.:=\s]*([0-9]{1,10})"
    r"|(?:x{1,3}|[\uff58\uff03\uff5e#~;]|,,?)[.:\s]*([0-9]{1,6}))$",
    re.IGNORECASE,
)
_WORD = re.compile(r"[a-z]{3,}", re.IGNORECASE)
_KEYPAD = str.maketrans("abcdefghijklmnopqrstuvwxyz", "22233344455566677778889999")
_SEPARATOR = re.compile(r"[\s()\[\]./\\\-\u00b7\u2010-\u2015\u2022\u2212\u30fc\uff08\uff09\uff0d-\uff0f]")
_NUMBER = re.compile(r"(?:([+\uff0b]+)(?:00)?)?([0-9]+)")
_FEWEST_DIGITS = 5
_MOST_DIGITS = 15


def parse_email(text: str) -> str:
    """The address with its domain in small letters. Raises ValueError."""
    # here: reading orders takes this module too, and only placing one the library
    from email_validator import EmailNotValidError, validate_email

    try:
        # a name before the @ that is not ASCII or over 64 characters is refused by many mail servers
        return validate_email(text, check_deliverability=False, allow_smtputf8=False, strict=True).normalized
    except EmailNotValidError as error:
        raise ValueError("This doesn't look like an email address") from error


def check_country_code(text: str) -> str:
    """`+49`. Raises ValueError."""
    if not _COUNTRY_CODE.fullmatch(text):
        raise ValueError("A country code is a plus sign and digits")
    return text


def parse_phone(text: str, country_code: str) -> str:
    """`+12125550100`, or `+12125550100 ext. 42`, of a number as people write it. Raises ValueError."""
    import phonenumbers

    region = country_of_phone_code(country_code) or phonenumbers.region_code_for_country_code(
        int(country_code or 0)
    )
    written = _BEFORE_NUMBER.sub("", "".join(str(unicodedata.decimal(sign, sign)) for sign in text), count=1)
    found = _EXTENSION.search(written)
    extension = f" ext. {found[1] or found[2]}" if found else ""
    for reading in _readings(written[: found.start()] if found else written, country_code):
        try:
            number = phonenumbers.parse(reading, region)
        except phonenumbers.NumberParseException:
            continue
        code, digits = number.country_code or 0, phonenumbers.national_significant_number(number)
        if _fits_plan(code, digits) and _FEWEST_DIGITS <= len(digits) <= _MOST_DIGITS - len(str(code)):
            return f"+{code}{digits}{extension}"
    raise ValueError("This doesn't look like a phone number")


def dialled_number(text: str) -> str:
    """Return what `parse_phone` gave, without the extension."""
    return text.partition(" ext. ")[0]


def _readings(written: str, country_code: str) -> Iterator[str]:
    """The number as it may be meant, the likeliest first: within its country, from abroad, after the code.

    Only plus and digits are left of it, for the two libraries drop other signs each in its own way, and a zero that was
    written as the letter O must not vanish. Words are those of a telephone's keys: `1-800-FLOWERS`.
    """
    dialled = _WORD.sub(lambda word: word[0].lower().translate(_KEYPAD), written)
    number = _NUMBER.fullmatch(_SEPARATOR.sub("", dialled))
    if number is None:
        return
    digits = number[2]
    if number[1]:
        yield f"+{digits}"
        return
    yield digits
    # what is dialled before a country's code: in most countries, and in North America
    for prefix in ("00", "011"):
        if digits.startswith(prefix):
            yield f"+{digits.removeprefix(prefix)}"
    # the codes of the Caribbean hold an area's (+1809), and numbers within it may be written without
    yield country_code + digits


def _fits_plan(country_code: int, digits: str) -> bool:
    """Length and first digits, by the plan of the code's main country."""
    from phonenumbers import PhoneMetadata, region_code_for_country_code

    plan = PhoneMetadata.metadata_for_region_or_calling_code(
        country_code, region_code_for_country_code(country_code)
    )
    shape = plan.general_desc if plan else None
    if shape is None or shape.national_number_pattern is None:
        return False
    return (
        len(digits) in shape.possible_length
        and re.fullmatch(shape.national_number_pattern, digits) is not None
    )
