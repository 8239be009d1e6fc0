"""Right and wrong addresses of every country, from UPU's and posts' forms, bug reports, and as people write them.

The form's judge passes the same table: web/src/features/checkout/address/addresses.test.ts.
"""

from __future__ import annotations

import csv
from collections import Counter

import pytest
from _shared.shipping.addresses import ShippingAddress
from _shared.shipping.countries import shipped_to
from pydantic import ValidationError

from tests.shop.unit.functions.samples import ADDRESS
from tests.support.stacks import ROOT

_TABLE = ROOT / "tests" / "data" / "addresses.tsv"
with _TABLE.open(encoding="utf-8", newline="") as _lines:
    ROWS = list(csv.DictReader(_lines, delimiter="\t", quoting=csv.QUOTE_NONE))
_FIELDS = ("country", "address1", "city", "region", "zip")


@pytest.mark.parametrize("row", ROWS, ids=lambda row: " ".join(row[name] for name in (*_FIELDS, "expected")))
def test_address_reaches_the_printer_as_the_post_writes_it_or_is_refused_at_its_field(
    row: dict[str, str],
) -> None:
    sent = ADDRESS | {name: row[name] for name in _FIELDS}
    if row["expected"] == "ok":
        printed = ShippingAddress.model_validate(sent).to_printify()
        assert (printed["zip"], printed["region"]) == (
            row["zip at the printer"],
            row["region at the printer"],
        )
        assert printed["country"] == row["country"]
    else:
        with pytest.raises(ValidationError) as caught:
            ShippingAddress.model_validate(sent)
        assert caught.value.errors()[0]["loc"][0] in row["expected"].split("/")


def test_table_has_right_and_wrong_addresses_of_every_country() -> None:
    kinds = Counter((row["country"], row["expected"] == "ok") for row in ROWS)
    assert set(kinds) == {(country, right) for country in shipped_to() for right in (True, False)}
    assert len(ROWS) >= 400
    assert len({tuple(row[name] for name in _FIELDS) for row in ROWS}) == len(ROWS)
    assert sum(row["source"] in ("upu", "post", "report") for row in ROWS) >= 140
