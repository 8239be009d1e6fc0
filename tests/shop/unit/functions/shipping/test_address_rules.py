"""The rules of addresses by themselves, and the checkout form's copy of them."""

from __future__ import annotations

import gzip

import pytest
import zipcodes
from _shared.shipping.address_rules import rules_of
from _shared.shipping.countries import US_TERRITORIES, shipped_to, us_territory

from tools.address_rules import FOLDER, files

_LARGEST_FILE = 15_000


def test_forms_files_are_as_the_rules_give_them() -> None:
    written = dict(files())
    assert set(FOLDER.glob("**/*.json")) == set(written)
    for path, text in written.items():
        assert path.read_text(encoding="utf-8") == text, "run: python -m tools.address_rules"


def test_file_of_a_country_is_small() -> None:
    sizes = {path.name: len(gzip.compress(text.encode())) for path, text in files()}
    assert max(sizes.values()) <= _LARGEST_FILE, sizes


@pytest.mark.parametrize("country", shipped_to())
def test_rules_of_a_country_agree_with_themselves(country: str) -> None:
    rules = rules_of(country)
    assert rules.normal_zip(rules.zip_example) == rules.zip_example
    assert rules.is_zip(rules.zip_example)
    for region in rules.regions:
        assert [rules.find_region(text) for text in (region.code, region.name)] == [region, region]
        assert region.code.isprintable()
        assert len(region.code) <= 100


@pytest.mark.parametrize(
    ("country", "zip_label", "region_label", "city_label"),
    [
        ("US", "ZIP code", "State", "City"), ("CA", "Postal code", "Province", "City"),
        ("GB", "Postcode", "Region", "Town or city"), ("JP", "Postal code", "Prefecture", "City"),
        ("HK", "Postal code", "Area", "District"), ("IE", "Eircode", "County", "City"),
        ("IN", "PIN code", "State", "City"), ("AU", "Postcode", "State", "Suburb"),
        ("DE", "Postal code", "Region", "City"), ("PR", "ZIP code", "Region", "City"),
    ],
)  # fmt: skip
def test_labels_follow_the_country(country: str, zip_label: str, region_label: str, city_label: str) -> None:
    rules = rules_of(country)
    assert (rules.zip_label, rules.region_label, rules.city_label) == (zip_label, region_label, city_label)


def test_postal_code_is_needed_where_there_is_one_and_people_have_to_know_it() -> None:
    optional = {country for country in shipped_to() if not rules_of(country).zip_needed}
    assert optional == {"AE", "BS", "HK", "IE", "JM", "PA", "QA", "TT"}


def test_region_is_needed_where_the_printer_refuses_without() -> None:
    assert {country for country in shipped_to() if rules_of(country).region_needed} == {"AU", "CA", "US"}


def test_every_us_zip_code_in_use_fits_its_state_or_its_territory() -> None:
    abroad = {"FM", "MH", "PW"}
    us = rules_of("US")
    misfits = {
        (entry["state"], entry["zip_code"])
        for entry in zipcodes.list_all()  # type: ignore[no-untyped-call]
        if entry["state"] not in abroad
        and entry["state"] not in {region.code for region in us.regions_of_zip(entry["zip_code"])}
        and entry["state"] != us_territory("", entry["zip_code"])
        # a base abroad, filed under the state that runs it, and the letters to Santa Claus
        and not (entry["state"] == "NJ" and entry["zip_code"].startswith("099"))
        and entry["zip_code"] != "88888"
    }
    assert misfits == set()


def test_territories_of_the_us_are_none_of_its_regions() -> None:
    codes = {region.code for region in rules_of("US").regions}
    assert codes.isdisjoint({*US_TERRITORIES, "FM", "MH", "PW"})
    assert len(codes) == 50 + 1 + 3
    for country in US_TERRITORIES:
        zip_code = rules_of(country).zip_example
        assert us_territory("", zip_code) == us_territory(country.lower(), "x") == country
        assert rules_of("US").regions_of_zip(zip_code) == []


def test_long_text_is_no_postal_code_and_costs_nothing() -> None:
    assert rules_of("US").normal_zip("9" * 1_000_000) == "9" * 1_000_000
    assert rules_of("US").find_region("x" * 1_000_000) is None
