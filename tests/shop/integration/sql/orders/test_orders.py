"""Orders and addresses: read by their owner and admins, written by functions, changed by legal transitions only."""

import json
from decimal import Decimal
from typing import Any

import pytest

Db = Any
DENIED, CHECK, NOT_NULL = "42501", "23514", "23502"
STATUS = "select status from public.orders where id = %s"
SET_STATUS = "update public.orders set status = %s where id = %s"


@pytest.mark.parametrize(("persona", "sees"), [("owner", 1), ("admin", 1), ("service", 1), ("stranger", 0)])
def test_order_and_items_are_visible_to_owner_and_admins(db: Db, persona: str, sees: int) -> None:
    order = db.order()
    assert len(db.as_(persona, STATUS, order)) == sees
    assert len(db.as_(persona, "select 1 from public.order_items where order_id = %s", order)) == sees


def test_visitors_cannot_read_orders(db: Db) -> None:
    for table in ("orders", "order_items", "user_addresses"):
        assert db.rejected("anon", f"select 1 from public.{table}") == DENIED


def test_order_shows_its_cents_in_dollars(db: Db) -> None:
    order = db.order()
    assert db.as_("owner", "select total, total_cents, status from public.orders where id = %s", order) == [
        {"total": Decimal("45.70"), "total_cents": 4570, "status": "pending"}
    ]
    assert db.as_(
        "owner", "select unit_price, quantity from public.order_items where order_id = %s", order
    ) == [{"unit_price": Decimal("19.90"), "quantity": 2}]


@pytest.mark.parametrize("persona", ["owner", "admin"])
def test_users_cannot_create_or_delete_orders(db: Db, persona: str) -> None:
    order = db.order()
    assert db.rejected(persona, "delete from public.orders where id = %s", order) == DENIED
    assert db.rejected(persona, "insert into public.orders (user_id) values (%s)", db.ids[persona]) == DENIED
    assert db.rejected(persona, "insert into public.order_items (order_id) values (%s)", order) == DENIED
    assert (
        db.rejected(persona, "update public.order_items set quantity = 1 where order_id = %s", order)
        == DENIED
    )
    place = "select public.place_order(%s, 'k', '{}', 1990, 0, '[]')"
    assert db.rejected(persona, place, db.ids[persona]) == DENIED


@pytest.mark.parametrize(
    "change",
    [
        "total_cents = 1", "subtotal_cents = 1", "shipping_cents = 0", "user_id = auth.uid()", "paid_at = now()",
        "payment_intent_id = 'x'", "printify_order_id = 'x'", "shipping_address = '{}'", "cart_key = 'x'",
    ],
)  # fmt: skip
def test_admins_cannot_change_money_or_address(db: Db, change: str) -> None:
    order = db.order(status="paid")
    for persona in ("owner", "admin"):
        assert db.rejected(persona, f"update public.orders set {change} where id = %s", order) == DENIED


def test_owner_cannot_change_the_status_of_an_order(db: Db) -> None:
    order = db.order()
    assert db.touched("owner", SET_STATUS, "cancelled", order) == 0
    assert db.run(STATUS, order) == [{"status": "pending"}]


def test_admin_ships_a_paid_order_with_tracking(db: Db) -> None:
    order = db.order(status="paid")
    ship = (
        "update public.orders set status = 'shipped', tracking_number = '9400', "
        "tracking_url = 'https://track/9400', carrier = 'USPS' where id = %s"
    )
    assert db.touched("admin", ship, order) == 1
    assert db.touched("admin", ship, order) == 1  # the test button pressed twice
    assert db.as_("owner", STATUS, order) == [{"status": "shipped"}]


def test_users_cannot_mark_an_order_paid(db: Db) -> None:
    assert db.rejected("admin", SET_STATUS, "paid", db.order()) == DENIED


LEGAL = {
    "pending": {"paid", "cancelled"},
    "paid": {"processing", "shipped", "cancelled"},
    "processing": {"shipped", "cancelled"},
    "shipped": {"delivered"},
    "delivered": set[str](),
}


@pytest.mark.parametrize("start", LEGAL)
def test_order_status_follows_legal_transitions_only(db: Db, start: str) -> None:
    for target in ("pending", "paid", "processing", "shipped", "delivered", "cancelled"):
        order = db.order(status=start, cart_key=f"{start}-{target}")
        if target == start or target in LEGAL[start]:
            assert db.touched("service", SET_STATUS, target, order) == 1
        else:
            assert db.rejected("service", SET_STATUS, target, order) == CHECK


def test_cancelled_order_stays_cancelled(db: Db) -> None:
    order = db.order()
    db.as_("service", SET_STATUS, "cancelled", order)
    assert db.rejected("service", SET_STATUS, "paid", order) == CHECK


def test_payment_time_is_recorded(db: Db) -> None:
    order = db.order(status="paid")
    assert db.run("select paid_at is not null as dated from public.orders where id = %s", order) == [
        {"dated": True}
    ]


def test_price_of_an_order_is_immutable(db: Db) -> None:
    order = db.order()
    sql = "update public.orders set subtotal_cents = 1, total_cents = 591 where id = %s"
    assert db.rejected("service", sql, order) == CHECK


def test_unpaid_order_cannot_have_a_print_order(db: Db) -> None:
    sql = "update public.orders set printify_order_id = 'po' where id = %s"
    assert db.rejected("service", sql, db.order()) == CHECK
    assert db.touched("service", sql, db.order(status="paid", cart_key="other")) == 1


def test_repeated_cart_is_the_same_pending_order(db: Db) -> None:
    first = db.order()
    assert db.order() == first
    assert db.run("select count(*) from public.order_items where order_id = %s", first) == [{"count": 1}]


def test_paid_cart_cannot_be_ordered_again_for_ten_minutes(db: Db) -> None:
    first = db.order()
    db.as_("service", SET_STATUS, "paid", first)
    with pytest.raises(ValueError, match="not enough values"):
        db.order()
    assert db.run("select count(*) from public.orders where user_id = %s", db.ids["owner"]) == [{"count": 1}]
    db.run("update public.orders set paid_at = now() - interval '11 minutes' where id = %s", first)
    assert db.order() != first


def test_order_with_a_wrong_sum_is_rejected(db: Db) -> None:
    item = json.dumps([{"quantity": 1, "unit_price_cents": 1990}])
    place = "select public.place_order(%s, 'k2', '{}', 3980, 0, %s)"
    assert db.rejected("service", place, db.ids["owner"], item) in (CHECK, NOT_NULL)
    assert db.rejected("service", place, db.ids["owner"], "[]") == CHECK
    assert db.run("select 1 from public.orders where cart_key = 'k2'") == []


def test_order_remains_when_its_design_is_deleted(db: Db) -> None:
    order = db.order(status="paid")
    db.as_("owner", "delete from public.designs where user_id = %s", db.ids["owner"])
    assert db.as_(
        "owner", "select product_name, design_id from public.order_items where order_id = %s", order
    ) == [{"product_name": "Surfing cat", "design_id": None}]


def test_account_with_orders_cannot_be_deleted(db: Db) -> None:
    db.order()
    # as the operator: a key rejects it, no policy
    with pytest.raises(Exception, match="orders_user_id_fkey"):
        db.run("delete from auth.users where id = %s", db.ids["owner"])


ADDRESS = (
    "insert into public.user_addresses (user_id, first_name, last_name, email, phone_country_code, phone, country, "
    "address1, city, zip, is_default) values (%s, 'Ann', 'Lee', 'a@b.c', '+1', '555', %s, '1 Main', 'LA', '90210', %s) "
    "returning id"
)


def test_addresses_belong_to_their_owner_alone(db: Db) -> None:
    (row,) = db.as_("owner", ADDRESS, db.ids["owner"], "US", False)
    read = "select id from public.user_addresses where id = %s"
    assert [len(db.as_(persona, read, row["id"])) for persona in ("owner", "stranger", "admin")] == [1, 0, 0]
    assert db.rejected("stranger", ADDRESS, db.ids["owner"], "US", False) == DENIED
    assert db.rejected("owner", ADDRESS, db.ids["owner"], "usa", False) == CHECK


def test_default_address_is_unique(db: Db) -> None:
    db.as_("owner", ADDRESS, db.ids["owner"], "US", True)
    assert db.rejected("owner", ADDRESS, db.ids["owner"], "US", True) == "23505"


@pytest.mark.parametrize(
    "sign", ["\x07", "\n", "\x7f", "\u0085", "\xad", "\u200b", "\u202e", "\u2066", "\ufeff", "\U000e0041"]
)
@pytest.mark.parametrize("field", ["first_name", "address2", "zip"])
def test_saved_address_has_only_visible_characters(db: Db, field: str, sign: str) -> None:
    address = {
        "first_name": "Ann", "last_name": "Lee", "email": "a@b.c", "phone_country_code": "+1", "phone": "5",
        "country": "US", "region": None, "address1": "1 Main", "address2": None, "city": "LA", "zip": "90210",
    }  # fmt: skip
    columns, marks = ", ".join(address), ", ".join(["%s"] * len(address))
    insert = f"insert into public.user_addresses ({columns}) values ({marks})"
    assert db.rejected("owner", insert, *(address | {field: f"A{sign}b"}).values()) == CHECK
    db.as_("owner", insert, *(address | {"first_name": "می\u200cخواهم", "city": "München"}).values())
