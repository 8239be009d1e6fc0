"""`python -m deploy catalog`: the printer's variants become the shop's, and none that was ordered is lost."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import psycopg
import pytest

from tests.shop.integration.deploy.owner import CommandOutput, Owner
from tests.shop.integration.deploy.vendor import Vendor

Row = dict[str, Any]
Sql = psycopg.Connection[Row]
_VARIANTS = "/v1/catalog/blueprints/6/print_providers/29/variants.json"
_COLUMNS = "id::text, name, color_hex, printify_variant_id, is_available, front_width, back_height"


def read(sql: Sql) -> list[Row]:
    return sql.execute(f"select {_COLUMNS} from product_variants order by name").fetchall()


def available(sql: Sql) -> dict[str, int]:
    return {row["name"]: row["printify_variant_id"] for row in read(sql) if row["is_available"]}


@pytest.fixture(autouse=True)
def catalog(sql: Sql) -> Iterator[list[Row]]:
    """The stack's catalog, which is the same again after the test."""
    before = read(sql)
    yield before
    sql.execute("delete from product_variants where id::text <> all (%s)", [[row["id"] for row in before]])
    sql.execute("update product_variants set printify_variant_id = printify_variant_id + 500000000")
    for row in before:
        sql.execute(
            "update product_variants set name = %(name)s, color_hex = %(color_hex)s, is_available = %(is_available)s,"
            " printify_variant_id = %(printify_variant_id)s where id = %(id)s::uuid",
            row,
        )
    assert read(sql) == before


def offer(number: int, colour: str, size: str) -> Row:
    return {"id": number, "title": f"{colour} / {size}", "options": {"color": colour, "size": size}}


def fill(owner: Owner, vendor: Vendor, offers: list[Row], settings: Path, text: str) -> CommandOutput:
    vendor.responses[f"GET {_VARIANTS}"] = {"id": 29, "title": "Printer", "variants": offers}
    settings.write_text(text, encoding="utf-8")
    return owner.run("catalog", "--settings", str(settings), environ={"PRINTIFY_API_BASE": vendor.url})


CHOICE = """
[prices]
shirt_cents = 1990
regular_shirt_cents = 2690
shipping_cents = 590
free_shipping_countries = ["US"]
most_per_size = 10
[catalog]
sizes = ["S", "M"]
[catalog.colours]
"Black" = "#101010"
"Teal" = "#008080"
"""


def test_catalog_of_the_emulated_printer_is_the_seeded_one_and_needs_no_change(
    owner: Owner, catalog: list[Row], sql: Sql
) -> None:
    response = owner.run("catalog")
    assert (response.code, response.err) == (0, "")
    assert (
        response.out
        == "catalog: 112 variants, nothing to change\nprices: $19.90 a shirt, nothing to change\n"
    )
    assert read(sql) == catalog


def test_catalog_is_filled_from_an_empty_table(owner: Owner, sql: Sql) -> None:
    sql.execute("update product_variants set is_available = false, name = 'Old ' || name,"
                " printify_variant_id = printify_variant_id + 100000000")  # fmt: skip
    response = owner.run("catalog")
    assert (response.code, response.err) == (0, "")
    assert response.out.startswith("catalog: 112 variants; 112 added, 0 changed, 0 marked unavailable\n")
    assert len(available(sql)) == 112
    assert available(sql)["Black - XL"] == 12127


def test_catalog_marks_what_the_printer_withdrew_and_deletes_nothing(
    owner: Owner, vendor: Vendor, catalog: list[Row], sql: Sql, tmp_path: Path
) -> None:
    offers = [offer(12126, "Black", "S"), offer(777, "Teal", "M"), offer(778, "Teal", "5XL")]
    first = fill(owner, vendor, offers, tmp_path / "shop.toml", CHOICE)
    assert (first.code, first.err) == (0, "")
    assert first.out.splitlines()[0] == ("catalog: 2 variants; 1 added, 1 changed, 111 marked unavailable")
    assert "  unavailable from now on: Black - 2XL, Black - 3XL, " in first.out
    assert available(sql) == {"Black - S": 12126, "Teal - M": 777}
    assert len(read(sql)) == len(catalog) + 1

    second = fill(owner, vendor, offers, tmp_path / "shop.toml", CHOICE)
    assert second.out == "catalog: 2 variants, nothing to change\nprices: $19.90 a shirt, nothing to change\n"


def test_catalog_follows_a_new_number_a_new_name_and_a_return(
    owner: Owner, vendor: Vendor, sql: Sql, tmp_path: Path
) -> None:
    ids = {row["name"]: row["id"] for row in read(sql)}
    fill(owner, vendor, [offer(12126, "Black", "S")], tmp_path / "shop.toml", CHOICE)
    offers = [offer(999, "Black", "S"), offer(12125, "Black", "M"), offer(12101, "Teal", "S")]
    response = fill(owner, vendor, offers, tmp_path / "shop.toml", CHOICE)
    assert response.out.splitlines()[0] == "catalog: 3 variants; 0 added, 3 changed, 0 marked unavailable"
    rows = {row["id"]: row for row in read(sql)}
    assert rows[ids["Black - S"]]["printify_variant_id"] == 999
    assert rows[ids["Black - M"]] == {
        "id": ids["Black - M"], "name": "Black - M", "color_hex": "#101010",
        "printify_variant_id": 12125, "is_available": True, "front_width": 3909, "back_height": 4431,
    }  # fmt: skip
    assert rows[ids["White - M"]]["name"] == "Teal - S"


def test_catalog_gives_the_database_the_prices_that_orders_are_checked_against(
    owner: Owner, vendor: Vendor, sql: Sql, tmp_path: Path
) -> None:
    offers = [offer(12126, "Black", "S")]
    text = CHOICE.replace('["US"]', '["US", "CA"]').replace("shipping_cents = 590", "shipping_cents = 690")
    first = fill(owner, vendor, offers, tmp_path / "shop.toml", text)
    stored = sql.execute("select public.get_pricing() as prices").fetchone()
    second = fill(owner, vendor, offers, tmp_path / "shop.toml", CHOICE)
    assert first.out.splitlines()[-1] == (
        "prices: changed free_shipping_countries, shipping_cents; now build the web client again"
    )
    assert stored == {
        "prices": {
            "shirt_cents": 1990, "regular_shirt_cents": 2690, "shipping_cents": 690,
            "free_shipping_countries": ["US", "CA"], "most_per_size": 10, "second_side_cents": 0,
        }
    }  # fmt: skip
    assert second.out.splitlines()[-1].startswith("prices: changed free_shipping_countries, shipping_cents;")


def test_catalog_without_a_price_changes_no_price(
    owner: Owner, vendor: Vendor, sql: Sql, tmp_path: Path
) -> None:
    text = CHOICE.replace("shirt_cents = 1990\n", "", 1)
    response = fill(owner, vendor, [offer(12126, "Black", "S")], tmp_path / "shop.toml", text)
    assert (response.code, response.err) == (1, "error: shop.toml: [prices] lacks shirt_cents\n")
    stored = sql.execute("select public.get_pricing() ->> 'shirt_cents' as cents").fetchone()
    assert stored == {"cents": "1990"}


def test_catalog_names_colours_that_the_printer_lacks(owner: Owner, vendor: Vendor, tmp_path: Path) -> None:
    response = fill(owner, vendor, [offer(12126, "Black", "S")], tmp_path / "shop.toml", CHOICE)
    assert response.code == 0
    assert "  the printer does not have: Teal\n" in response.out


def test_catalog_with_nothing_in_common_changes_nothing(
    owner: Owner, vendor: Vendor, catalog: list[Row], sql: Sql, tmp_path: Path
) -> None:
    response = fill(owner, vendor, [offer(1, "Ochre", "S")], tmp_path / "shop.toml", CHOICE)
    assert (response.code, response.out) == (1, "")
    assert response.err == (
        "error: The printer has none of the colours and sizes in shop.toml's [catalog].\n"
    )
    assert read(sql) == catalog


def test_catalog_refuses_a_colour_that_is_no_colour(owner: Owner, vendor: Vendor, tmp_path: Path) -> None:
    text = CHOICE.replace("#008080", "teal")
    response = fill(owner, vendor, [offer(12126, "Black", "S")], tmp_path / "shop.toml", text)
    assert (response.code, response.err) == (
        1, "error: shop.toml: a colour is written '#RRGGBB'; these are not: Teal\n",
    )  # fmt: skip


def test_catalog_reports_a_printer_that_refuses_without_its_token(
    owner: Owner, catalog: list[Row], sql: Sql
) -> None:
    response = owner.run("catalog", environ={"PRINTIFY_API_TOKEN": "expired-token"})
    assert response.code == 1
    assert response.err.startswith("error: Printify refused GET /catalog/blueprints/6/")
    assert "401" in response.err
    assert "expired-token" not in response.err
    assert read(sql) == catalog


@pytest.mark.parametrize("missing", ["SUPABASE_URL", "PRINTIFY_API_TOKEN"])
def test_catalog_names_the_variable_that_is_missing(owner: Owner, missing: str) -> None:
    response = owner.run("catalog", environ={missing: ""})
    assert (response.code, response.out) == (1, "")
    assert response.err == f"error: Set {missing} in the environment or in .env (see .env.example).\n"
