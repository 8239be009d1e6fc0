"""Where new orders may go: countries, US regions that fit their ZIP codes, and signs that a parcel can carry."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
import zipcodes
from _shared.core.visible_text import has_hidden_characters
from _shared.orders.addresses import Address, ShippingAddress
from _shared.orders.countries import is_shipped_to
from _shared.orders.us_regions import regions_of_zip
from pydantic import ValidationError

from emulators.printify.destinations import DESTINATIONS
from tests.unit.functions.samples import ADDRESS

SHARED = Path(__file__).resolve().parents[3] / "functions" / "_shared"
COUNTRIES: list[dict[str, str]] = json.loads((SHARED / "orders" / "countries.json").read_text())
# sanctioned, or on the printer's own list
NOT_SHIPPED_TO = ("AF", "BY", "CU", "EC", "IR", "KP", "MM", "RU", "SD", "SY", "UA", "VE")


def address(**changes: Any) -> ShippingAddress:
    return ShippingAddress.model_validate(ADDRESS | changes)


def fault(**changes: Any) -> tuple[str, str]:
    with pytest.raises(ValidationError) as caught:
        address(**changes)
    (error,) = caught.value.errors()
    return str(error["loc"][0]), error["msg"].removeprefix("Value error, ")


def test_list_holds_about_eighty_countries_of_iso_3166() -> None:
    codes = [country["code"] for country in COUNTRIES]
    assert len(codes) == len(set(codes))
    assert 80 <= len(codes) <= 90
    assert set(codes) <= DESTINATIONS
    assert codes[0] == "US"
    assert all(set(country) == {"code", "name", "phone_code"} for country in COUNTRIES)


@pytest.mark.parametrize("code", [*NOT_SHIPPED_TO, "ZZ", "XX", "UK", "EU"])
def test_country_the_printer_does_not_ship_to_is_refused(code: str) -> None:
    assert not is_shipped_to(code)
    assert fault(country=code, region="") == ("country", "We don't ship to this country")


def test_every_country_of_the_list_is_shipped_to() -> None:
    for country in COUNTRIES[1:]:
        assert address(country=country["code"].lower(), region="X", zip="1").country == country["code"]


def test_web_client_reads_the_same_lists() -> None:
    web = SHARED.parents[1] / "web" / "src"
    assert "functions/_shared/orders/countries.json" in (web / "shop/countries.ts").read_text()
    assert "functions/_shared/orders/us_regions.json" in (web / "shop/us-regions.ts").read_text()


@pytest.mark.parametrize("region", ["CA", "ca", "California", "CALIFORNIA", " ca "])
def test_state_is_known_by_code_and_by_name(region: str) -> None:
    assert address(region=region).region == "CA"


@pytest.mark.parametrize(
    ("zip_code", "region"), [("90210", "CA"), ("09012", "AE"), ("34001", "AA"), ("00901", "PR")]
)
def test_state_that_was_left_empty_is_that_of_the_zip_code(zip_code: str, region: str) -> None:
    for empty in ("", " ", None):
        assert address(region=empty, zip=zip_code).region == region
    assert (
        ShippingAddress.model_validate(
            {name: value for name, value in ADDRESS.items() if name != "region"} | {"zip": zip_code}
        ).region
        == region
    )


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        ({"region": "NY"}, ("zip", "This ZIP code is not in New York")),
        ({"region": "XX"}, ("region", "This is not a US state that we ship to")),
        ({"region": "Ontario"}, ("region", "This is not a US state that we ship to")),
        # Palau has ZIP codes, but is a country that is not shipped to
        ({"region": "PW", "zip": "96940"}, ("region", "This is not a US state that we ship to")),
        ({"zip": "9021"}, ("zip", "A US ZIP code has five digits")),
        ({"zip": "90210-12"}, ("zip", "A US ZIP code has five digits")),
        ({"zip": "９０２１０"}, ("zip", "A US ZIP code has five digits")),
        ({"zip": "00000"}, ("zip", "There is no such ZIP code")),
        ({"zip": "00000", "region": ""}, ("zip", "There is no such ZIP code")),
        (
            {"zip": "06390", "region": ""},
            ("zip", "This ZIP code lies in several states: please fill in yours"),
        ),
        ({"country": "CA", "region": "", "zip": "M5H 1A1"}, ("region", "Please fill in your province")),
        ({"country": "AU", "region": None, "zip": "2000"}, ("region", "Please fill in your state")),
    ],
)
def test_address_error_names_its_field_and_the_remedy(
    changes: dict[str, Any], expected: tuple[str, str]
) -> None:
    assert fault(**changes) == expected


def test_every_zip_code_in_use_fits_its_state() -> None:
    abroad = {"FM", "MH", "PW"}
    # a federal building's own code, and a base abroad, are filed under the state that runs them
    odd = {("DC", "888"), ("NJ", "099")}
    misfits = {
        (entry["state"], entry["zip_code"][:3])
        for entry in zipcodes.list_all()  # type: ignore[no-untyped-call]
        if entry["state"] not in abroad and entry["state"] not in regions_of_zip(entry["zip_code"])
    }
    assert misfits <= odd


@pytest.mark.parametrize(
    "sign",
    [
        "\x00",
        "\x07",
        "\n",
        "\x1b",
        "\x7f",
        "\x85",
        "\xad",
        "\u061c",
        "\u200b",
        "\u200d",
        "\u200e",
        "\u202e",
        "\u2028",
        "\u2066",
        "\u2060",
        "\ufeff",
        "\u034f",
        "\u115f",
        "\u2800",
        "\u3164",
        "\uffa0",
        "\ue000",
        "\U000e0041",
        "\ud800",
    ],
)
@pytest.mark.parametrize("field", ["first_name", "last_name", "address1", "address2", "city"])
def test_hidden_characters_are_refused_with_the_field_named(field: str, sign: str) -> None:
    where, message = fault(**{field: f"An{sign}n"})
    assert where == field
    assert message in (
        "This holds signs that can't be seen. Please type it again",
        # a lone surrogate is no text at all
        "Input should be a valid string, unable to parse raw data as a unicode string",
    )


@pytest.mark.parametrize(
    "text",
    [
        "Ann-Sofie O'Neill",
        "Đặng",
        "Zoë",
        "東京",
        "मोहन",
        "نرگس",
        "می\u200cخواهم",
        "श्री\u200dमान",
        "Jr. & Sons, No. 5/7 #2",
    ],
)
def test_address_in_any_script_is_accepted(text: str) -> None:
    assert not has_hidden_characters(text)
    assert address(first_name=text).first_name == text


@pytest.mark.parametrize(
    ("field", "longest"), [("first_name", 100), ("address1", 200), ("city", 100), ("zip", 20)]
)
def test_address_fields_have_length_limits(field: str, longest: int) -> None:
    changes = {"country": "GB"}
    assert address(**changes, **{field: "x" * longest})
    assert fault(**changes, **{field: "x" * (longest + 1)})[0] == field


@pytest.mark.parametrize(
    "text",
    ["\u3164", "\u2800", "\ufe0f", "\u034f", "\u115f", "\u1160", "\uffa0", "\u200b", "\u200d", " \ufe0f "],
)
@pytest.mark.parametrize("field", ["first_name", "last_name", "address1", "city", "phone"])
def test_address_field_of_unseen_characters_is_refused(field: str, text: str) -> None:
    where, message = fault(**{field: text})
    assert where == field
    assert message in (
        "Please fill this in",
        "This holds signs that can't be seen. Please type it again",
        "This doesn't look like a phone number",
    )


@pytest.mark.parametrize(
    ("email", "read_as"),
    [
        ("ann@example.com", "ann@example.com"), ("Ann.Lee+shirts@Example.COM", "Ann.Lee+shirts@example.com"),
        ("o'neill@sub.example.co.uk", "o'neill@sub.example.co.uk"), (" a@b.co ", "a@b.co"),
        ("a@m\u00fcller.de", "a@m\u00fcller.de"), ("a_b-c@x-y.museum", "a_b-c@x-y.museum"),
    ],
)  # fmt: skip
def test_email_address_that_servers_take_is_accepted(email: str, read_as: str) -> None:
    assert address(email=email).email == read_as


@pytest.mark.parametrize(
    "email",
    [
        "a@b", "a@b..c", "a..b@c.de", ".a@b.co", "a.@b.co", "a b@c.de", "a@b c.de", "a@-b.de", "a@b-.de", "a@b.c1",
        "a@@b.de", "@b.de", "a@", "a@[127.0.0.1]", "a@127.0.0.1", "a@localhost", "a@b.local", "a@b.test", '"a b"@c.de',
        "a@b.de,c@d.de", "<a@b.de>", "a@b.de>", "Ann <a@b.de>", "j\u00f6rg@b.de", "a@b_c.de", "a" * 250 + "@b.de",
        "a@" + "b" * 64 + ".de", "mailto:a@b.de", "a@b.de?cc=x@y.de", "a;b@c@d.de",
    ],
)  # fmt: skip
def test_email_address_that_no_server_takes_is_refused(email: str) -> None:
    assert fault(email=email)[0] == "email"


@pytest.mark.parametrize(
    "phone",
    [
        "5551234", "310-555-1234", "(310) 555 1234", "310.555.1234", "310/555 1234", "+1 310 555 1234", "0171 2345678",
        "3105551234 x12", "3105551234 ext. 12", "3105551234#5", "555\u00a01234", "555\u20131234", "12345",
    ],
)  # fmt: skip
def test_phone_number_as_people_write_it_is_accepted(phone: str) -> None:
    assert address(phone=phone).phone == phone


@pytest.mark.parametrize(
    "phone",
    [
        "1234", "555", "abc", "x", "call me", "-----", "()", "+", "++15551234", "555+1234", "5551234 call",
        "555 1234 x",
        "5" * 15, "+" + "5" * 16, "\u0665\u0665\u0665\u0661\u0662\u0663\u0664", "\u00b2\u00b2\u00b2\u00b2\u00b2",
        "555;1234567", "555,1234567", "x12345678",
    ],
)  # fmt: skip
def test_phone_number_that_cannot_be_dialled_is_refused(phone: str) -> None:
    assert fault(phone=phone) == ("phone", "This doesn't look like a phone number")


@pytest.mark.parametrize("code", ["1", "+", "+0", "+12345", "+1a", "++1", "+\u0661"])
def test_country_code_is_a_plus_sign_and_digits(code: str) -> None:
    assert fault(phone_country_code=code) == (
        "phone_country_code",
        "A country code is a plus sign and digits",
    )


def test_every_country_code_of_the_list_is_taken() -> None:
    for country in COUNTRIES:
        assert address(phone_country_code=country["phone_code"]).phone_country_code == country["phone_code"]


def test_stored_address_is_read_without_todays_rules() -> None:
    assert (
        Address.model_validate(ADDRESS | {"country": "VE", "region": "", "city": "Cara\u200bcas"}).country
        == "VE"
    )


def test_zips_of_the_list_are_prefixes() -> None:
    regions: dict[str, dict[str, str]] = json.loads((SHARED / "orders" / "us_regions.json").read_text())
    assert all(
        re.fullmatch(r"(\d{3}(-\d{3})?)( \d{3}(-\d{3})?)*", region["zips"]) for region in regions.values()
    )
    assert len(regions) == 50 + 1 + 5 + 3
