"""Telephone numbers as people write them: tests/data/phone_numbers.json, which the form's test reads too.

Its columns: country, chosen code, the number as written, the number of the order (`null`: refused), and where the row
comes from (`plan`: numbering plans, and what regulators set aside for films; `findings`: reports; `library`: the
library's own examples). phone_differences.json holds the rows that one of the two libraries alone would have judged
otherwise, and why we do.
"""

from __future__ import annotations

import json
from collections import Counter

import phonenumbers
import pytest
from _shared.shipping.addresses import Address, ShippingAddress
from _shared.shipping.contact import parse_phone
from _shared.shipping.countries import country_of_phone_code
from pydantic import ValidationError

from tests.shop.unit.functions.samples import ADDRESS
from tests.support.stacks import ROOT

DATA = ROOT / "tests" / "data"
ROWS: list[tuple[str, str, str, str | None, str]] = json.loads((DATA / "phone_numbers.json").read_text())
DIFFERENCES = json.loads((DATA / "phone_differences.json").read_text())


def of_order(code: str, written: str) -> str | None:
    """The number that an order gets; `None` if it is refused."""
    try:
        return ShippingAddress.model_validate(ADDRESS | {"phone_country_code": code, "phone": written}).phone
    except ValidationError as refused:
        assert [(error["loc"], error["msg"]) for error in refused.errors()] == [
            (("phone",), "Value error, This doesn't look like a phone number")
        ]
        return None


def of_library(code: str, written: str) -> str | None:
    """Return what phonenumbers alone makes of it."""
    try:
        number = phonenumbers.parse(written, country_of_phone_code(code))
    except phonenumbers.NumberParseException:
        return None
    if not phonenumbers.is_valid_number(number):
        return None
    dialled = phonenumbers.format_number(number, phonenumbers.PhoneNumberFormat.E164)
    return f"{dialled} ext. {number.extension}" if number.extension else str(dialled)


def test_table_covers_every_country_and_is_written_from_the_plans() -> None:
    countries = {
        row["code"] for row in json.loads((ROOT / "functions/_shared/shipping/countries.json").read_text())
    }
    assert {row[0] for row in ROWS if row[3]} == {row[0] for row in ROWS if not row[3]} == countries
    sources = Counter(row[4] for row in ROWS)
    assert len(ROWS) >= 300
    assert sources["plan"] + sources["findings"] >= 150
    assert len({(code, written) for _, code, written, _, _ in ROWS}) == len(ROWS)


def test_every_number_of_the_table_becomes_the_expected_one() -> None:
    wrong = [row for row in ROWS if of_order(row[1], row[2]) != row[3]]
    assert wrong == []


def test_every_difference_from_the_library_is_decided() -> None:
    decided = [(code, written, theirs) for group in DIFFERENCES for code, written, theirs, _ in group["rows"]]
    found = [(code, written, of_library(code, written)) for _, code, written, expected, _ in ROWS]
    expected = {(code, written): number for _, code, written, number, _ in ROWS}
    differing = {row for row in found if row[2] != expected[row[:2]]}
    assert differing == {row for row in decided if row[2] != expected[row[:2]]}
    assert {row[:2] for row in decided} <= set(expected)
    assert all(group["decision"] for group in DIFFERENCES)


@pytest.mark.parametrize(
    ("code", "phone", "dialled"),
    [
        ("+1", "+12125550100 ext. 42", "+12125550100"),
        ("+1", "+12125550100", "+12125550100"),
        # orders from before numbers were parsed
        ("+1", "(212) 555-0100", "+1(212) 555-0100"),
        ("+1", "+1 (212) 555-0100", "+1 (212) 555-0100"),
        ("+49", "0", "+490"),
        ("", "5551234", "5551234"),
    ],
)
def test_printer_gets_the_number_without_its_extension(code: str, phone: str, dialled: str) -> None:
    order = Address.model_validate(ADDRESS | {"phone_country_code": code, "phone": phone})
    assert order.to_printify()["phone"] == order.full_phone == dialled


def test_number_with_its_own_code_needs_no_chosen_one() -> None:
    assert parse_phone("+49 30 23125 123", "") == "+493023125123"
    with pytest.raises(ValueError, match="phone number"):
        parse_phone("030 23125 123", "")
    # a country that is not shipped to
    assert parse_phone("044 123 4567", "+380") == "+380441234567"


def test_order_keeps_a_number_that_it_has_parsed() -> None:
    for _, code, written, number, _ in ROWS:
        if number:
            assert of_order(code, number) == number, written
