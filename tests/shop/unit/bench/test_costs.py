"""docs/scale.md's section Money: tables that follow from counts and prices."""

from __future__ import annotations

from dataclasses import replace

import pytest

from bench.costs.__main__ import written_page
from bench.costs.money import month_cost, order_cost, read_counts, read_prices
from tests.support.stacks import ROOT

PRICES, COUNTS = read_prices(), read_counts()


def test_costs_page_is_what_counts_and_prices_give() -> None:
    page = (ROOT / "docs" / "scale.md").read_text(encoding="utf-8")
    assert written_page(page) == page, "run `python -m bench.costs`"


def test_order_pays_for_the_pictures_of_those_who_do_not_buy() -> None:
    cost = order_cost(PRICES, 19.90)
    frugal = order_cost({**PRICES, "month": {**PRICES["month"], "orders": 0.5}}, 19.90)
    assert cost.income == pytest.approx(1.3 * 19.90)
    assert cost.pictures == pytest.approx(10 * frugal.pictures)
    assert frugal.left - cost.left == pytest.approx(
        cost.pictures - frugal.pictures + cost.functions - frugal.functions
    )


def test_month_pays_for_what_is_beyond_the_plan_alone() -> None:
    small, large = (month_cost(PRICES, COUNTS, shoppers) for shoppers in (100, 10_000_000))
    assert small.supabase == PRICES["supabase"]["plan_month"] + 5  # a small machine, less the credit
    assert large.supabase > 0.00325 * 9_900_000
    assert large.requests_second == pytest.approx(100_000 * small.requests_second)


def test_machine_grows_with_the_requests() -> None:
    heavy = {**COUNTS, "visit": replace(COUNTS["visit"], requests={"rest": 100_000})}
    assert month_cost(PRICES, COUNTS, 1000).compute == "Small"
    assert month_cost(PRICES, heavy, 10_000_000).compute == "16XL"
