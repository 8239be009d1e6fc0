"""Print orders: made for paid orders under our own id, released, followed, stopped in time or not at all."""

from collections.abc import Mapping
from typing import Any

import pytest
from _shared.errors import ShopError

from tests.unit.functions.samples import ORDER
from tests.unit.functions.world import AWAY, REFUSED, World


def code_of(caught: pytest.ExceptionInfo[ShopError]) -> tuple[int, str]:
    return caught.value.status, caught.value.code


def test_a_paid_order_is_printed_under_its_own_id_with_what_was_bought() -> None:
    world = World(printify_order_id=None)
    assert world.printing.fulfil(world.order) == "po"
    assert world.press.made == [
        {
            "external_id": ORDER.id,
            "label": "6ABCDE",
            "line_items": [{"product_id": "product", "variant_id": 12125, "quantity": 2}],
        }
    ]
    assert world.printing.fulfil(world.order) == "po"
    assert len(world.press.made) == 1


def test_who_is_slower_gets_the_id_of_who_was_faster() -> None:
    world = World(printify_order_id=None)
    seen_before = world.order
    world.data.tables["orders"][0]["printify_order_id"] = "po_of_another"
    assert world.printing.fulfil(seen_before) == "po_of_another"
    assert world.press.made == []


@pytest.mark.parametrize(
    ("row", "code"),
    [
        ({"status": "pending"}, "order_not_paid"),
        ({"status": "cancelled"}, "order_cancelled"),
        ({"cancel_requested_at": "now"}, "order_cancelled"),
    ],
)
def test_nothing_else_is_printed(row: dict[str, Any], code: str) -> None:
    world = World(printify_order_id=None, **row)
    with pytest.raises(ShopError) as caught:
        world.printing.fulfil(world.order)
    assert code_of(caught) == (409, code)
    assert world.press.made == []


def test_an_order_on_hold_is_released() -> None:
    world = World()
    assert world.printing.follow(world.order) == 60
    assert world.press.calls == ["send"]
    assert world.order.status == "paid"


def test_releasing_may_be_left_to_a_person() -> None:
    world = World(releases=False)
    assert world.printing.follow(world.order) == 300
    assert world.press.calls == []


def test_what_is_being_cancelled_is_never_released() -> None:
    world = World()
    seen_before = world.order
    world.data.tables["orders"][0]["cancel_requested_at"] = "now"
    assert world.printing.follow(seen_before) == 60
    world.data.tables["orders"][0]["status"] = "cancelled"
    assert world.printing.follow(seen_before) is None
    assert world.press.calls == []


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
def test_an_order_follows_its_print_order(status: str, becomes: str, again: int) -> None:
    world = World()
    world.press.status = status
    assert world.printing.follow(world.order) == again
    assert (world.order.status, world.flags) == (becomes, [])


def test_a_parcel_is_followed_to_the_doorstep() -> None:
    world = World()
    world.press.status, world.press.parcel = "fulfilled", ("USPS", "9400", "https://t/9400")
    assert world.printing.follow(world.order) == 6 * 3600
    assert (world.order.status, world.order.tracking_number) == ("shipped", "9400")
    world.press.is_delivered = True
    assert world.printing.follow(world.order) is None
    assert world.order.status == "delivered"


@pytest.mark.parametrize(
    ("status", "flag"),
    [
        ("has-issues", "printer_problem"),
        ("payment-not-received", "printer_problem"),
        ("canceled", "print_cancelled"),
    ],
)
def test_trouble_at_the_printer_calls_a_person(status: str, flag: str) -> None:
    world = World()
    world.press.status = status
    world.printing.follow(world.order)
    assert world.flags == [flag]


def test_a_print_order_that_is_gone_calls_a_person() -> None:
    world = World()
    world.press.exists = False
    assert world.printing.follow(world.order) is None
    assert world.flags == ["print_order_missing"]


def test_an_event_about_a_print_order_whose_id_we_lost_finds_its_order() -> None:
    world = World(printify_order_id=None)
    assert world.printing.heard("po").id == ORDER.id
    assert world.order.printify_order_id == "po"


def test_a_database_that_is_away_is_not_taken_for_an_unknown_order() -> None:
    world = World()

    def away(table: str, columns: str, where: Mapping[str, object]) -> Any:
        raise ShopError(502, "database_unavailable", "away")

    world.data.row = away  # type: ignore[method-assign]
    with pytest.raises(ShopError) as caught:
        world.printing.heard("po")
    assert code_of(caught) == (502, "database_unavailable")


@pytest.mark.parametrize(
    ("status", "allows", "ending", "calls"),
    [
        ("on-hold", True, "stopped", ["cancel"]),
        ("on-hold", False, "too_late", ["cancel"]),
        ("payment-not-received", True, "stopped", ["cancel"]),
        ("canceled", True, "stopped", []),
        ("pending", True, "later", []),
        ("cost-calculation", True, "later", []),
        ("sending-to-production", True, "too_late", []),
        ("in-production", True, "too_late", []),
        ("fulfilled", True, "too_late", []),
    ],
)
def test_a_print_order_is_stopped_only_before_production(
    status: str, allows: bool, ending: str, calls: list[str]
) -> None:
    world = World()
    world.press.status, world.press.allows = status, allows
    assert world.printing.stop(world.order) == ending
    assert world.press.calls == calls


def test_what_was_never_asked_for_is_stopped_without_asking() -> None:
    world = World(printify_order_id=None)
    world.press.problem = AWAY
    assert world.printing.stop(world.order) == "stopped"


def test_a_print_order_whose_answer_was_lost_is_found_and_stopped() -> None:
    world = World(printify_order_id=None, print_requested_at="now")
    assert world.printing.stop(world.order) == "stopped"
    assert (len(world.press.made), world.press.calls, world.order.printify_order_id) == (1, ["cancel"], "po")


def test_what_the_printer_never_took_is_stopped() -> None:
    world = World(printify_order_id=None, print_requested_at="now")
    world.press.problem = REFUSED
    assert world.printing.stop(world.order) == "stopped"
    world.press.problem = AWAY
    with pytest.raises(ShopError):
        world.printing.stop(world.order)
