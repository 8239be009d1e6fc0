"""Destinations of new orders: countries, US regions that fit their ZIP codes, and signs that a parcel can carry."""

from __future__ import annotations

import json
from typing import Any

import pytest
from _shared.core.visible_text import has_hidden_characters
from _shared.shipping.address_rules import rules_of
from _shared.shipping.addresses import Address, ShippingAddress
from _shared.shipping.countries import country_name, is_shipped_to
from pydantic import ValidationError

from emulators.printify.orders import DESTINATIONS
from tests.shop.unit.functions.samples import ADDRESS
from tests.support.stacks import ROOT

SHARED = ROOT / "functions" / "_shared"
COUNTRIES: list[dict[str, str]] = json.loads((SHARED / "shipping" / "countries.json").read_text())
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
    assert all(set(country) - {"us_zips"} == {"code", "name", "phone_code"} for country in COUNTRIES)


@pytest.mark.parametrize("code", [*NOT_SHIPPED_TO, "ZZ", "XX", "UK", "EU"])
def test_country_the_printer_does_not_ship_to_is_refused(code: str) -> None:
    assert not is_shipped_to(code)
    assert fault(country=code, region="") == ("country", "We don't ship to this country")


def test_web_client_reads_the_same_lists() -> None:
    web = SHARED.parents[1] / "web" / "src"
    assert "functions/_shared/shipping/countries.json" in (web / "shop/orders/countries.ts").read_text()
    assert "functions/_shared/shipping/parcel_label.json" in (web / "shop/orders/parcel-label.ts").read_text()


@pytest.mark.parametrize("region", ["CA", "ca", "California", "CALIFORNIA", " ca "])
def test_state_is_known_by_code_and_by_name(region: str) -> None:
    assert address(region=region).region == "CA"


@pytest.mark.parametrize(("zip_code", "region"), [("90210", "CA"), ("09012", "AE"), ("34001", "AA")])
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
        ({"region": "XX"}, ("region", "We don't know this state: please write it in full")),
        # Palau has ZIP codes, but is a country that is not shipped to
        ({"region": "PW", "zip": "96940"}, ("region", "We don't know this state: please write it in full")),
        ({"region": "PR", "zip": "00901"}, ("region", "Please choose Puerto Rico as your country")),
        (
            {"region": "", "zip": "00901"},
            ("zip", "This ZIP code is in Puerto Rico: please choose it as your country"),
        ),
        ({"zip": ""}, ("zip", "Please fill in your ZIP code")),
        ({"zip": "9021"}, ("zip", "ZIP codes here look like 95014")),
        ({"zip": "90210-12"}, ("zip", "ZIP codes here look like 95014")),
        ({"country": "GB", "region": "", "zip": "90210"}, ("zip", "Postcodes here look like EC1Y 8SY")),
        (
            {"country": "CA", "region": "BC", "zip": "M5H 1A1"},
            ("zip", "This postal code is not in British Columbia"),
        ),
        (
            {"country": "CA", "region": "Texas", "zip": "M5H 1A1"},
            ("region", "We don't know this province: please write it in full"),
        ),
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


@pytest.mark.parametrize(
    "sign",
    [
        "\x00",
        "\x07",
        "\n",
        "\x1b",
        "\x7f",
        "\x85",
        "\u2028",
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
    "mark", ["\xad", "\u061c", "\u180e", "\u200b", "\u200d", "\u200e", "\u202e", "\u2066", "\u2060", "\ufeff"]
)
def test_marks_that_copying_brings_are_taken_out_of_every_field(mark: str) -> None:
    marked = {name: mark.join(["", *text, ""]) for name, text in ADDRESS.items()}
    assert address(**marked) == address()
    assert fault(first_name=mark * 3) == ("first_name", "String should have at least 1 character")


@pytest.mark.parametrize("blank", ["\u00a0", "\u202f", "\u2007", "\u2009", "\u3000", "\t"])
def test_blanks_of_every_kind_become_ordinary_ones(blank: str) -> None:
    read = address(address1=f"{blank}1{blank}Main St{blank}", region=f"{blank}CA")
    assert (read.address1, read.region) == ("1 Main St", "CA")


@pytest.mark.parametrize(
    "text",
    ["Ann-Sofie O'Neill", "Đặng", "Zoë", "Łódź", "D’Arcy", "Kapiʻolani", "1º", "Jr. & Sons, No. 5/7 #2"],
)
def test_latin_letters_of_all_languages_are_printed(text: str) -> None:
    assert not has_hidden_characters(text)
    assert address(first_name=text).to_printify()["first_name"] == text


@pytest.mark.parametrize(
    ("text", "sign"),
    [
        ("東京", "東"),
        ("मोहन", "म"),
        ("نرگس", "ن"),
        ("Юлия", "Ю"),
        ("Ann 😀", "😀"),
        ("김", "김"),
        ("A≈B", "≈"),
    ],
)
@pytest.mark.parametrize("field", ["first_name", "last_name", "address1", "address2", "city"])
def test_letters_that_the_printer_does_not_print_are_refused_with_the_field_named(
    field: str, text: str, sign: str
) -> None:
    assert fault(**{field: text}) == (field, f"The printer can't print “{sign}”: please use Latin letters")


def test_region_in_letters_of_the_country_is_understood() -> None:
    tokyo = {"country": "JP", "region": "東京都", "zip": "〒１００−０００１", "city": "Chiyoda-ku"}
    printed = address(**tokyo).to_printify()
    assert (printed["region"], printed["zip"]) == ("Tokyo", "100-0001")


def test_region_of_a_country_without_a_list_is_taken_as_it_is() -> None:
    assert address(country="GB", region="Greater London", zip="sw1a1aa").region == "Greater London"


@pytest.mark.parametrize("country", ["PR", "GU", "VI", "AS", "MP"])
def test_territory_has_its_own_code_as_country_and_state_at_the_printer(country: str) -> None:
    zip_code = rules_of(country).zip_example
    new = address(country=country, region="", zip=zip_code)
    # of before territories were countries
    old = [
        Address.model_validate(ADDRESS | {"region": region, "zip": zip_code})
        for region in (country, country_name(country), "")
    ]
    for each in (new, *old):
        printed = each.to_printify()
        assert (printed["country"], printed["region"], printed["zip"]) == (country, country, zip_code)


def test_printer_gets_a_postal_code_where_there_is_none_and_the_order_keeps_none() -> None:
    hong_kong = address(country="HK", region="Kowloon", city="Yau Ma Tei", zip="")
    assert (hong_kong.zip, hong_kong.to_printify()["zip"]) == ("", "00000")
    without = {name: value for name, value in ADDRESS.items() if name != "zip"}
    assert ShippingAddress.model_validate(without | {"country": "HK", "region": None}).zip == ""


@pytest.mark.parametrize(
    ("field", "longest"), [("first_name", 100), ("address1", 200), ("city", 100), ("zip", 20)]
)
def test_address_fields_have_length_limits(field: str, longest: int) -> None:
    changes = {"country": "HK", "region": ""}
    assert address(**changes, **{field: "x" * longest})
    assert fault(**changes, **{field: "x" * (longest + 1)})[0] == field


@pytest.mark.parametrize(
    "text",
    ["\u3164", "\u2800", "\ufe0f", "\u034f", "\u115f", "\u1160", "\uffa0", " \ufe0f "],
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
