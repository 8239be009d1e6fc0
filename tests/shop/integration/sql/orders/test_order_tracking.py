"""The view of an order's signed address: its progress, and nothing else of the customer."""

from __future__ import annotations

import json
from typing import Any

import pytest

Db = Any
TRACKED = "select public.get_tracked_order(%s, %s, %s) as result"
ADDRESS = {
    "first_name": "Ann", "last_name": "Lee", "email": "ann@example.com", "phone": "3105551234", "country": "CA",
    "region": "ON", "address1": "1 King St", "city": "Toronto", "zip": "M5H 1A1",
}  # fmt: skip


def tracked(db: Db, order: str, version: int = 1, days: int = 365) -> Any:
    (row,) = db.as_("service", TRACKED, order, version, days)
    return row["result"]


def shipped(db: Db) -> str:
    order = str(db.order())
    db.run("update public.orders set shipping_address = %s where id = %s", json.dumps(ADDRESS), order)
    db.as_("service", "select public.settle_order(%s, 'pi_secret', 4570, 'usd')", order)
    db.as_("service", "select public.finish_printing(%s, 'po_secret')", order)
    db.as_(
        "service",
        "select public.record_progress(%s, 'shipped', 'USPS', '940011', 'https://track.example/940011')",
        order,
    )
    return order


def test_tracked_order_has_its_steps_and_no_more_of_the_address_than_city_and_country(db: Db) -> None:
    order = shipped(db)
    tracked_order = tracked(db, order)
    assert {name: value is not None for name, value in tracked_order.pop("steps").items()} == {
        "pending": True, "paid": True, "processing": True, "shipped": True, "delivered": False, "cancelled": False,
    }  # fmt: skip
    (item,) = tracked_order.pop("items")
    assert item == {
        "name": "Surfing cat", "color": "Black", "size": "XL", "quantity": 2, "unit_price_cents": 1990,
        "image_url": None,
    }  # fmt: skip
    assert tracked_order == {
        "order_id": order, "status": "shipped", "has_problem": False, "shipping_cents": 590, "total_cents": 4570,
        "refunded_cents": 0, "refunded_at": None, "lost_cents": 0,
        "is_held": False, "carrier": "USPS", "tracking_number": "940011",
        "tracking_url": "https://track.example/940011", "first_name": "Ann", "city": "Toronto", "country": "CA",
    }  # fmt: skip


def test_problem_is_shown_while_its_flag_is_open_and_for_the_printers_alone(db: Db) -> None:
    order = db.order(status="paid")
    db.as_("service", "select public.flag_order(%s, 'disputed', '')", order)
    assert tracked(db, order)["has_problem"] is False
    db.as_("service", "select public.flag_order(%s, 'printer_problem', '')", order)
    assert tracked(db, order)["has_problem"] is True
    open_flags = "array(select id from public.order_flags where order_id = %s)"
    db.as_("admin", f"select public.resolve_order_flags(%s, {open_flags}, 'OK')", order, order)
    assert tracked(db, order)["has_problem"] is False


def test_address_ends_a_while_after_the_last_change(db: Db) -> None:
    order = db.order(status="paid")
    db.run("alter table public.orders disable trigger touch_updated_at")
    db.run("update public.orders set updated_at = now() - interval '365 days' where id = %s", order)
    assert tracked(db, order) is None
    db.run("update public.orders set updated_at = now() - interval '364 days' where id = %s", order)
    assert tracked(db, order)["order_id"] == order


def test_revoked_address_ends_and_the_next_version_is_valid(db: Db) -> None:
    order = db.order(status="paid")
    db.as_("admin", "select public.revoke_order_link(%s)", order)
    assert tracked(db, order) is None
    assert tracked(db, order, 2)["order_id"] == order
    assert db.run(
        "select actor::text from public.order_events where order_id = %s and kind = 'link_revoked'", order
    ) == [{"actor": db.ids["admin"]}]
    missing = "select public.revoke_order_link('00000000-0000-4000-8000-000000000000')"
    assert db.rejected("admin", missing) == "P0002"


@pytest.mark.parametrize("persona", ["anon", "owner", "stranger", "admin"])
def test_people_do_not_read_tracked_orders_themselves(db: Db, persona: str) -> None:
    assert db.rejected(persona, TRACKED, db.order(), 1, 365) == "42501"


def test_steps_of_an_order_are_for_its_owner_alone(db: Db) -> None:
    order = shipped(db)
    progress = "select public.get_order_progress(%s) as result"
    expected = {"steps": tracked(db, order)["steps"], "has_problem": False}
    assert db.as_("owner", progress, order) == [{"result": expected}]
    for persona in ("stranger", "admin"):
        assert db.as_(persona, progress, order) == [{"result": None}]
    assert db.rejected("anon", progress, order) == "42501"
