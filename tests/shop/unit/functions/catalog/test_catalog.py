"""The catalog: what the printer withdrew is known, but not for sale."""

from __future__ import annotations

import pytest
from _shared.catalog.catalog import Catalog, Variant

from tests.shop.unit.functions.fakes import FakeDatabase


@pytest.fixture
def catalog() -> Catalog:
    rows = [
        {"id": "1", "name": "Black - S", "printify_variant_id": 11, "is_available": False},
        {"id": "2", "name": "Black - M", "printify_variant_id": 12, "is_available": True},
        {"id": "3", "name": "Red - M", "printify_variant_id": 13, "is_available": False},
    ]
    return Catalog(FakeDatabase(product_variants=rows))


def test_catalog_sells_only_what_is_available(catalog: Catalog) -> None:
    black = Variant("2", "Black - M", 12)
    assert catalog.all() == [black]
    assert catalog.by_ids(["1", "2", "3"]) == {"2": black}


@pytest.mark.parametrize(
    ("ids", "sold"),
    [
        (["2"], True),
        (["1"], True),
        (["1", "2", "1"], True),
        (["3"], False),
        (["2", "3"], False),
        (["4"], False),
    ],
)
def test_catalog_sells_a_colour_while_one_of_its_sizes_is_available(
    catalog: Catalog, ids: list[str], sold: bool
) -> None:
    assert catalog.sells_colors(ids) is sold
