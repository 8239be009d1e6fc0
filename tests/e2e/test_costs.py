"""The core journey in a real browser: from a visitor's idea to a shirt that is being printed, and what it costs.

The causes of cost in a visit, a design and an order are counted for docs/scale.md's section Money.

COUNTS=write stores what was counted in bench/costs/counts.json; `python -m bench.costs` then writes the page.
"""

from __future__ import annotations

import json
import os
import re
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict

import pytest
from playwright.sync_api import Page, Request, expect

from bench.costs.money import COUNTS, Count, Step, read_counts
from tests.e2e.conftest import Visit
from tests.e2e.steps import (
    BEVERLY_HILLS,
    design_from_text,
    dollars,
    fill_address,
    fill_card,
    orders_of,
    printed_orders,
    query,
    sign_up,
)
from tests.support.mailbox import wait_for_mail
from tests.support.random_cases import TIMES
from tests.support.stacks import ROOT, Stack, read_stack, run_spare_shop
from tests.support.traffic import read_traffic

_SERVICES = ("rest", "auth", "storage", "functions")
# A browser's timing moves a count by a little; each picture has another size.
_SPREAD, _FEW = 1.5, 10
_BYTES_SPREAD = 2.0
# At the pace of the shop as it is started, so that no parcel travels meanwhile.
_PACE = {"EMULATORS_SPEED": ""}


@pytest.fixture(scope="module")
def stack() -> Iterator[Stack]:
    """A shop in which nothing happens but what the test does: no order of an earlier one, no sweep.

    No seeded design has a print product: nobody orders one.
    """
    quiet = read_stack(ROOT, run_spare_shop("db reset", _PACE))
    yield quiet
    run_spare_shop("stop", _PACE)
    shutil.rmtree(quiet.state)


class Counter:
    """Counts what steps cause on a stack."""

    def __init__(self, stack: Stack) -> None:
        self._stack = stack
        self.counts: dict[Step, Count] = {}

    @contextmanager
    def step(self, name: Step, page: Page) -> Iterator[None]:
        pending: set[Request] = set()
        looks = 0

        def begin(request: Request) -> None:
            nonlocal looks
            pending.add(request)
            # at a job that is being worked on: as many as it takes
            looks += request.method == "GET" and "/rest/v1/design_jobs" in request.url

        page.on("request", begin)
        # Playwright marks the functions that it is given, which a set's own do not allow.
        page.on("requestfinished", lambda request: pending.discard(request))
        page.on("requestfailed", lambda request: pending.discard(request))
        before = read_traffic(self._stack)
        yield
        _wait_for_responses(page, pending)
        caused = read_traffic(self._stack).since(before)
        caused.requests["rest"] -= looks
        page.remove_listener("request", begin)
        self.counts[name] = Count(
            requests={service: caused.requests[service] for service in _SERVICES},
            bytes_out=caused.bytes_out,
            rows=caused.rows,
            row_bytes=caused.row_bytes,
            stored_bytes=caused.stored_bytes,
            vendor_calls=dict(sorted(caused.vendor_calls.items())),
        )


def _wait_for_responses(page: Page, pending: set[Request]) -> None:
    """Until the page waits for no response, and begins no request in ten pictures of the screen.

    The load state "networkidle" comes once for each document: what is loaded later does not count for it.
    """
    still = 0
    while still < 10:
        page.evaluate("() => new Promise(requestAnimationFrame)")
        still = 0 if pending else still + 1


@pytest.mark.skipif(TIMES == 1, reason="a shop of its own, for what costs: weekly (RANDOM_CASES)")
def test_new_visitor_orders_an_idea_at_the_costs_of_the_page(first_visit: Visit, stack: Stack) -> None:
    page, counter = first_visit.page, Counter(stack)
    with counter.step("visit", page):
        page.goto("/")
        page.get_by_role("link", name="Discover").first.click()
        expect(page.get_by_role("button", name="Load More Designs")).to_be_visible()
    with counter.step("gallery_page", page):
        page.get_by_role("button", name="Load More Designs").click()
        expect(page.get_by_role("main").get_by_role("listitem")).to_have_count(48)
    email = sign_up(page, stack)
    expect(page.get_by_role("heading", name="Welcome!")).to_be_visible()
    expect(page.get_by_text("You haven't created any designs yet.")).to_be_visible()
    expect(page.get_by_role("link", name="Make your first design")).to_be_visible()
    with counter.step("design", page):
        design = design_from_text(page)
    with counter.step("order", page):
        page.get_by_role("link", name="Order Now").click()
        expect(page.get_by_role("heading", name="Place Your Order")).to_be_visible()
        expect(page.get_by_text("Selected Color: Navy")).to_be_visible()
        page.get_by_role("button", name="Increase M quantity").click()
        fill_address(page, BEVERLY_HILLS)
        expect(page.get_by_label("City")).to_have_value("Beverly Hills")
        expect(page.get_by_label("State")).to_have_value("CA")
        expect(page.get_by_text("City and state updated for ZIP code 90210").first).to_be_visible()
        fill_card(page, "4242 4242 4242 4242")
        page.get_by_role("button", name="Pay $19.90").click()
        expect(
            page.get_by_role("heading", name="✨ Amazing! Your unique design is printing!")
        ).to_be_visible()
        mail = wait_for_mail(stack, email, "order")
        (order,) = orders_of(stack, email)
        (printed,) = printed_orders(stack, str(order["id"]))
    if os.environ.get("COUNTS") == "write":
        text = json.dumps({step: asdict(count) for step, count in counter.counts.items()}, indent=2)
        COUNTS.write_text(f"{text}\n", encoding="utf-8")
    assert _differences(counter.counts) == []

    expect(page.get_by_text("Confirmation Email Sent!")).to_be_visible()
    expect(page.get_by_text("$19.90").first).to_be_visible()
    assert "19.90" in mail["Text"]
    assert (order["status"], order["total"]) == ("paid", dollars("19.90"))
    (item,) = order["items"]
    assert (item["product_size"], item["product_color"], item["quantity"]) == ("M", "Navy", 1)
    address = json.loads(order["shipping_address"])
    assert (address["city"], address["region"], address["zip"]) == ("Beverly Hills", "CA", "90210")
    assert printed["id"] == order["printify_order_id"]
    (row,) = query(stack, "select printify_product_id from designs where id = %s", design)
    # Gildan 5000 in navy: M is 11987 in the printer's catalog.
    assert [(line["product_id"], line["variant_id"], line["quantity"]) for line in printed["line_items"]] == [
        (row["printify_product_id"], 11987, 1)
    ]
    assert printed["address_to"]["zip"] == "90210"
    saved = query(
        stack, "select city, is_default from user_addresses where user_id = %s", str(order["user_id"])
    )
    assert saved == [{"city": "Beverly Hills", "is_default": False}]

    page.get_by_role("link", name="Back to Dashboard").click()
    page.get_by_text(f"#{str(order['id'])[-6:].upper()}").click()
    expect(page).to_have_url(re.compile(f"/order-details/{order['id']}$"))
    expect(page.get_by_text(str(order["id"])[-8:].upper())).to_be_visible()
    expect(page.get_by_text("Paid", exact=True).first).to_be_visible()


def _differences(counts: dict[Step, Count]) -> list[str]:
    written = read_counts()
    assert counts.keys() == written.keys()
    # A picture is loaded in one step or the next.
    sent, sent_before = (
        sum(count.bytes_out for count in each.values()) // 1000 for each in (counts, written)
    )
    differences = (
        [] if _near(sent, sent_before, _BYTES_SPREAD) else [f"kB sent are {sent}, {sent_before} before"]
    )
    for step, count in counts.items():
        now, before = _figures(count), _figures(written[step])
        differences += [
            f"{step}: {name} is {now.get(name, 0):,}, {before.get(name, 0):,} in counts.json"
            for name in sorted(now.keys() | before.keys())
            if not _near(now.get(name, 0), before.get(name, 0), _BYTES_SPREAD if "kB" in name else _SPREAD)
        ]
    return differences


def _figures(count: Count) -> dict[str, int]:
    return {
        "requests": sum(count.requests.values()),
        "rows": count.rows,
        "kB stored": count.stored_bytes // 1000,
        **{f"calls of {vendor}": calls for vendor, calls in count.vendor_calls.items()},
    }


def _near(now: int, before: int, spread: float) -> bool:
    return before / spread - _FEW <= now <= before * spread + _FEW
