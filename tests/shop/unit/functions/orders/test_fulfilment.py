"""Print orders: submitted for paid orders under the order's id, synchronized, cancelled before production."""

from typing import Any

import pytest
from _shared.clients.stripe_api import Dispute, Returned
from _shared.core.errors import ShopError

from tests.shop.unit.functions.fakes import AWAY, REFUSED, FakeShop
from tests.shop.unit.functions.samples import ORDER


def code_of(caught: pytest.ExceptionInfo[ShopError]) -> tuple[int, str]:
    return caught.value.status, caught.value.code


def test_paid_order_is_submitted_under_its_own_id() -> None:
    shop = FakeShop(printify_order_id=None)
    assert shop.fulfilment.submit(shop.order) == "po"
    assert shop.printify.made == [
        {
            "external_id": ORDER.id,
            "label": "6ABCDE",
            "line_items": [{"product_id": "product", "variant_id": 12125, "quantity": 2}],
        }
    ]
    assert shop.fulfilment.submit(shop.order) == "po"
    assert len(shop.printify.made) == 1


def test_slower_process_returns_the_print_order_of_the_faster() -> None:
    shop = FakeShop(printify_order_id=None)
    seen_before = shop.order
    shop.data.tables["orders"][0]["printify_order_id"] = "po_of_another"
    assert shop.fulfilment.submit(seen_before) == "po_of_another"
    assert shop.printify.made == []


@pytest.mark.parametrize(
    ("row", "code"),
    [
        ({"status": "pending"}, "order_not_paid"),
        ({"status": "cancelled"}, "order_cancelled"),
        ({"cancel_requested_at": "now"}, "order_cancelled"),
        ({"held_at": "now"}, "order_held"),
        ({"design_held_at": "now"}, "order_held"),
    ],
)
def test_unpaid_or_cancelled_order_is_not_submitted(row: dict[str, Any], code: str) -> None:
    shop = FakeShop(printify_order_id=None, **row)
    with pytest.raises(ShopError) as caught:
        shop.fulfilment.submit(shop.order)
    assert code_of(caught) == (409, code)
    assert shop.printify.made == []


def test_print_order_on_hold_is_sent_to_production() -> None:
    shop = FakeShop()
    assert shop.fulfilment.sync_status(shop.order) == 60
    assert shop.printify.calls == ["send"]
    assert shop.order.status == "paid"


@pytest.mark.parametrize(
    ("gone", "again"),
    [
        (Returned(4570, "re_1", (), ()), 60),
        (Returned(0, "", (), (Dispute("du_1", "needs_response", 4570, ""),)), 3600),
        (Returned(0, "", (), (Dispute("du_1", "a status of tomorrow", 4570, ""),)), 3600),
    ],
    ids=["returned", "disputed", "unknown"],
)
def test_money_that_stripe_does_not_hold_is_not_produced(gone: Returned, again: int) -> None:
    shop = FakeShop()
    shop.stripe.gone = gone
    assert shop.fulfilment.sync_status(shop.order) == again
    assert shop.printify.calls == []


def test_nothing_is_produced_while_stripe_is_away() -> None:
    shop = FakeShop()
    shop.stripe.is_away = True
    with pytest.raises(ShopError):
        shop.fulfilment.sync_status(shop.order)
    assert shop.printify.calls == []


def test_sending_to_production_can_be_turned_off() -> None:
    shop = FakeShop(sends_to_production=False)
    assert shop.fulfilment.sync_status(shop.order) == 300
    assert shop.printify.calls == []


def test_order_being_cancelled_is_not_sent_to_production() -> None:
    shop = FakeShop()
    seen_before = shop.order
    shop.data.tables["orders"][0]["cancel_requested_at"] = "now"
    assert shop.fulfilment.sync_status(seen_before) == 60
    shop.data.tables["orders"][0]["status"] = "cancelled"
    assert shop.fulfilment.sync_status(seen_before) is None
    assert shop.printify.calls == []


@pytest.mark.parametrize(
    ("status", "becomes", "again"),
    [
        ("pending", "paid", 10),
        ("cost-calculation", "paid", 10),
        ("sending-to-production", "paid", 300),
        ("some-status-of-tomorrow", "paid", 300),
        ("in-production", "processing", 300),
        ("partially-fulfilled", "processing", 300),
    ],
)
def test_order_follows_its_print_order(status: str, becomes: str, again: int) -> None:
    shop = FakeShop()
    shop.printify.status = status
    assert shop.fulfilment.sync_status(shop.order) == again
    assert (shop.order.status, shop.flags) == (becomes, [])


def test_status_sync_ends_with_the_delivery() -> None:
    shop = FakeShop()
    shop.printify.status, shop.printify.parcel = "fulfilled", ("USPS", "9400", "https://t/9400")
    assert shop.fulfilment.sync_status(shop.order) == 6 * 3600
    assert (shop.order.status, shop.order.tracking_number) == ("shipped", "9400")
    shop.printify.is_delivered = True
    assert shop.fulfilment.sync_status(shop.order) is None
    assert shop.order.status == "delivered"


@pytest.mark.parametrize(
    ("status", "flag"),
    [
        ("has-issues", "printer_problem"),
        ("payment-not-received", "printer_problem"),
        ("canceled", "print_cancelled"),
    ],
)
def test_printer_problem_is_flagged(status: str, flag: str) -> None:
    shop = FakeShop()
    shop.printify.status = status
    shop.fulfilment.sync_status(shop.order)
    assert shop.flags == [flag]


def test_missing_print_order_is_flagged() -> None:
    shop = FakeShop()
    shop.printify.exists = False
    assert shop.fulfilment.sync_status(shop.order) is None
    assert shop.flags == ["print_order_missing"]


def test_update_finds_the_order_by_its_external_id() -> None:
    shop = FakeShop(printify_order_id=None)
    assert shop.fulfilment.handle_update("po").id == ORDER.id
    assert shop.order.printify_order_id == "po"


def test_database_error_is_not_taken_for_an_unknown_order() -> None:
    shop = FakeShop()
    shop.data.row_failures.append(ShopError(502, "database_unavailable", "away"))
    with pytest.raises(ShopError) as caught:
        shop.fulfilment.handle_update("po")
    assert code_of(caught) == (502, "database_unavailable")


@pytest.mark.parametrize(
    ("status", "allows", "outcome", "calls"),
    [
        ("on-hold", True, "cancelled", ["cancel"]),
        ("on-hold", False, "too_late", ["cancel"]),
        ("payment-not-received", True, "cancelled", ["cancel"]),
        ("canceled", True, "cancelled", []),
        ("pending", True, "not_yet", []),
        ("cost-calculation", True, "not_yet", []),
        ("sending-to-production", True, "too_late", []),
        ("in-production", True, "too_late", []),
        ("fulfilled", True, "too_late", []),
    ],
)
def test_print_order_is_cancelled_only_before_production(
    status: str, allows: bool, outcome: str, calls: list[str]
) -> None:
    shop = FakeShop()
    shop.printify.status, shop.printify.allows = status, allows
    assert shop.fulfilment.cancel(shop.order) == outcome
    assert shop.printify.calls == calls


def test_order_without_print_order_is_cancelled_without_a_call() -> None:
    shop = FakeShop(printify_order_id=None)
    shop.printify.problem = AWAY
    assert shop.fulfilment.cancel(shop.order) == "cancelled"


def test_print_order_without_a_response_is_found_and_cancelled() -> None:
    shop = FakeShop(printify_order_id=None, print_requested_at="now")
    assert shop.fulfilment.cancel(shop.order) == "cancelled"
    assert (len(shop.printify.made), shop.printify.calls, shop.order.printify_order_id) == (
        1,
        ["cancel"],
        "po",
    )


def test_print_order_that_the_printer_refused_counts_as_cancelled() -> None:
    shop = FakeShop(printify_order_id=None, print_requested_at="now")
    shop.printify.problem = REFUSED
    assert shop.fulfilment.cancel(shop.order) == "cancelled"
    shop.printify.problem = AWAY
    with pytest.raises(ShopError):
        shop.fulfilment.cancel(shop.order)
