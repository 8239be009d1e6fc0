"""Orders from cart to print and e-mail, and what must be refused on the way."""

import json
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from decimal import Decimal
from typing import Any

import pytest

from tests.shop.integration.functions.conftest import ADDRESS, Functions, Json, Shopper, address_of
from tests.support.mailbox import find_mails, wait_for_mail
from tests.support.stacks import Stack
from tests.support.users import Person

ORDER = (
    "select status, total, total_cents, shipping_cents, payment_intent_id, printify_order_id, confirmation_sent_at, "
    "user_id::text from public.orders where id = %s"
)


def test_shopper_buys_three_shirts(functions: Functions, shopper: Shopper, stack: Stack) -> None:
    address = ADDRESS | {"email": f"buyer-{shopper.person.id[:8]}@example.com"}
    placed = functions.body_of("create-payment-intent", shopper.cart(shipping_address=address), shopper.token)
    assert placed["client_secret"].startswith(placed["payment_intent_id"] + "_secret_")
    (order,) = functions.sql(ORDER, placed["order_id"])
    assert (order["status"], order["total"], order["payment_intent_id"]) == (
        "pending",
        Decimal("59.70"),
        placed["payment_intent_id"],
    )

    functions.stripe(f"payment_intents/{placed['payment_intent_id']}/confirm", payment_method="pm_card_visa")
    by_id = {"order_id": placed["order_id"]}
    functions.body_of("update-order-status", by_id | {"status": "paid"}, shopper.token)
    # what the browser says here is ignored: the stored order is what gets printed
    printing = {
        "orderId": placed["order_id"],
        "shippingAddress": ADDRESS | {"first_name": "Eve", "address1": "Elsewhere"},
        "lineItems": [{"product_id": "x", "variant_id": 1, "quantity": 99}],
    }
    printed = functions.body_of("create-printify-order", printing, shopper.token)
    assert functions.body_of("create-printify-order", printing, shopper.token) == printed
    assert functions.body_of("send-order-webhook", by_id, shopper.token) == {"success": True}
    assert functions.body_of("send-order-webhook", by_id, shopper.token) == {"success": True}

    (order,) = functions.sql(ORDER, placed["order_id"])
    assert (order["status"], order["printify_order_id"]) == ("paid", printed["printify_order_id"])
    sent = functions.printify(f"orders/{printed['printify_order_id']}.json")
    assert sent["metadata"]["shop_order_id"] == placed["order_id"]
    assert {(line["product_id"], line["variant_id"], line["quantity"]) for line in sent["line_items"]} == {
        (shopper.product_id, 12125, 1),
        (shopper.product_id, 12124, 2),
    }
    assert (sent["address_to"]["first_name"], sent["address_to"]["phone"]) == ("Ann", "+13105551234")
    assert sent["address_to"]["address1"] == "1 Main St"
    mail = wait_for_mail(stack, address["email"])
    assert mail["Subject"] == f"Your Teesmith order #{placed['order_id'][-6:].upper()} is confirmed"
    assert "2 x Red dot, Black, L: $39.80" in mail["Text"]
    assert "Total: $59.70" in mail["Text"]
    assert len(find_mails(stack, address["email"])) == 1


def test_abroad_shipping_is_charged(functions: Functions, shopper: Shopper) -> None:
    canada = ADDRESS | {"country": "CA", "region": "ON", "city": "Toronto", "zip": "M5H 1A1"}
    body = shopper.cart(shipping_address=canada)
    assert functions.error_of("create-payment-intent", body, shopper.token) == (409, "amount_mismatch")
    placed = functions.body_of("create-payment-intent", body | {"amount": 6560}, shopper.token)
    (order,) = functions.sql(ORDER, placed["order_id"])
    assert (order["total_cents"], order["shipping_cents"]) == (6560, 590)


def test_wrong_amount_places_no_order(functions: Functions, shopper: Shopper) -> None:
    before = functions.sql("select count(*) from public.orders")
    for amount in (1, 5969, 5971, 100):
        rejected = functions.error_of("create-payment-intent", shopper.cart(amount=amount), shopper.token)
        assert rejected == (409, "amount_mismatch")
    assert functions.sql("select count(*) from public.orders") == before


def test_declined_card_orders_nothing_and_can_be_retried(
    functions: Functions, shopper: Shopper, placed: Json, request: pytest.FixtureRequest
) -> None:
    declined = functions.stripe(
        f"payment_intents/{placed['payment_intent_id']}/confirm", payment_method="pm_card_chargeDeclined"
    )
    assert declined.status_code == 402
    by_id = {"order_id": placed["order_id"]}
    claim = by_id | {"status": "paid"}
    assert functions.error_of("update-order-status", claim, shopper.token) == (409, "payment_not_completed")
    printing = {"orderId": placed["order_id"], "shippingAddress": {}, "lineItems": []}
    assert functions.error_of("create-printify-order", printing, shopper.token) == (409, "order_not_paid")
    assert functions.error_of("send-order-webhook", by_id, shopper.token) == (409, "order_not_paid")
    (order,) = functions.sql(ORDER, placed["order_id"])
    assert (order["status"], order["printify_order_id"], order["confirmation_sent_at"]) == (
        "pending",
        None,
        None,
    )

    again = shopper.cart(shipping_address=address_of(shopper, request))
    assert functions.body_of("create-payment-intent", again, shopper.token) == placed


def test_paid_cart_tried_again_is_not_charged_twice(
    functions: Functions, shopper: Shopper, placed: Json, request: pytest.FixtureRequest
) -> None:
    functions.stripe(f"payment_intents/{placed['payment_intent_id']}/confirm", payment_method="pm_card_visa")
    again = shopper.cart(shipping_address=address_of(shopper, request))
    assert functions.error_of("create-payment-intent", again, shopper.token) == (409, "already_paid")
    assert functions.sql(ORDER, placed["order_id"])[0]["status"] == "paid"


def test_cancelled_intent_takes_its_order_along(functions: Functions, shopper: Shopper, placed: Json) -> None:
    functions.stripe(f"payment_intents/{placed['payment_intent_id']}/cancel")
    request = {"order_id": placed["order_id"], "status": "paid"}
    assert functions.error_of("update-order-status", request, shopper.token) == (409, "payment_not_completed")
    assert functions.sql(ORDER, placed["order_id"])[0]["status"] == "cancelled"


def test_lost_print_order_id_is_found_not_made_again(
    functions: Functions, shopper: Shopper, paid: Json
) -> None:
    printing = {"orderId": paid["order_id"], "shippingAddress": {}, "lineItems": []}
    first = functions.body_of("create-printify-order", printing, shopper.token)
    # as if the process had died between the printer's response and our record of it
    functions.sql("update public.orders set printify_order_id = null where id = %s", paid["order_id"])
    assert functions.body_of("create-printify-order", printing, shopper.token) == first
    assert functions.sql(ORDER, paid["order_id"])[0]["printify_order_id"] == first["printify_order_id"]


def test_many_tabs_at_once_make_one_order_one_intent_and_one_print(
    functions: Functions, shopper: Shopper, request: pytest.FixtureRequest
) -> None:
    cart = shopper.cart(shipping_address=address_of(shopper, request))
    with ThreadPoolExecutor(4) as tabs:
        placed = list(
            tabs.map(lambda _: functions.body_of("create-payment-intent", cart, shopper.token), range(4))
        )
        assert placed == [placed[0]] * 4
        functions.stripe(
            f"payment_intents/{placed[0]['payment_intent_id']}/confirm", payment_method="pm_card_visa"
        )
        order = placed[0]["order_id"]
        functions.body_of("update-order-status", {"order_id": order, "status": "paid"}, shopper.token)
        printing = {"orderId": order, "shippingAddress": {}, "lineItems": []}
        printed = list(
            tabs.map(lambda _: functions.body_of("create-printify-order", printing, shopper.token), range(4))
        )
    assert printed == [printed[0]] * 4


def test_stranger_cannot_use_another_users_order(functions: Functions, stranger: Person, paid: Json) -> None:
    order = paid["order_id"]
    for slug, body in (
        ("update-order-status", {"order_id": order, "status": "paid"}),
        ("create-printify-order", {"orderId": order, "shippingAddress": {}, "lineItems": []}),
        ("send-order-webhook", {"order_id": order}),
    ):
        assert functions.error_of(slug, body, stranger.token) == (404, "order_not_found")


def test_stranger_cannot_buy_another_users_design(
    functions: Functions, shopper: Shopper, stranger: Person
) -> None:
    assert functions.error_of("create-payment-intent", shopper.cart(), stranger.token) == (
        404,
        "design_not_found",
    )


@pytest.mark.parametrize("status", ["pending", "shipped", "delivered", "cancelled", "PAID", 1])
def test_browser_can_request_the_paid_status_alone(
    functions: Functions, shopper: Shopper, placed: Json, status: Any
) -> None:
    request = {"order_id": placed["order_id"], "status": status}
    assert functions.error_of("update-order-status", request, shopper.token) == (400, "invalid_request")


def test_items_with_false_ids_are_refused(functions: Functions, shopper: Shopper) -> None:
    line = shopper.cart()["order_items"][0] | {"quantity": 3}
    for change, code in (
        ({"printify_variant_id": 12126}, (409, "item_mismatch")),
        ({"product_id": "another"}, (409, "item_mismatch")),
        ({"id": "00000000-0000-4000-8000-000000000000"}, (409, "variant_unavailable")),
        ({"quantity": 11}, (400, "invalid_request")),
        ({"quantity": 1.5}, (400, "invalid_request")),
    ):
        body = shopper.cart(order_items=[line | change])
        assert functions.error_of("create-payment-intent", body, shopper.token) == code


def test_design_without_a_product_cannot_be_ordered(
    functions: Functions, shopper: Shopper, save_design: Callable[..., str]
) -> None:
    body = shopper.cart(design_info={"id": save_design(shopper.person)})
    assert functions.error_of("create-payment-intent", body, shopper.token) == (409, "design_not_ready")


def test_shipment_by_an_admin_is_mailed_to_the_customer(
    functions: Functions, shopper: Shopper, admin: Person, stack: Stack, paid: Json
) -> None:
    printing = {"orderId": paid["order_id"], "shippingAddress": {}, "lineItems": []}
    printed = functions.body_of("create-printify-order", printing, shopper.token)["printify_order_id"]
    shipped = {
        "status": "shipped",
        "tracking_number": "9400111",
        "tracking_url": "https://track.example/9400111",
        "carrier": "USPS",
    }
    moved: Any = admin.client.table("orders").update(shipped).eq("id", paid["order_id"]).execute()
    assert moved.data[0]["status"] == "shipped"
    request = {"printify_order_id": printed}
    assert functions.error_of("send-tracking-webhook", request, shopper.token) == (403, "forbidden")
    # The sweep may have sent it already; neither call of the service sends it again.
    for _ in range(2):
        assert functions.body_of("send-tracking-webhook", request, stack.service_role_key) == {
            "success": True
        }
    about = f"{paid['order_id'][-6:].upper()} has been shipped"
    mails = find_mails(stack, shopper.person.email, about)
    assert len(mails) == 1
    # an admin can send the e-mail again as a test
    assert functions.body_of("send-tracking-webhook", request, admin.token) == {"success": True}
    assert len(find_mails(stack, shopper.person.email, about)) == 2
    assert "with USPS 9400111" in mails[0]["Text"]
    assert functions.error_of("send-tracking-webhook", {"printify_order_id": "x"}, admin.token) == (
        404,
        "order_not_found",
    )


def test_admin_can_repeat_the_confirmation(functions: Functions, admin: Person, paid: Json) -> None:
    for _ in range(2):
        assert functions.body_of("send-order-webhook", {"order_id": paid["order_id"]}, admin.token) == {
            "success": True
        }


@pytest.mark.parametrize(
    ("changes", "error"),
    [
        ({"country": "ZZ"}, "shipping_address.country: We don't ship to this country."),
        ({"country": "RU"}, "shipping_address.country: We don't ship to this country."),
        ({"region": "NY"}, "shipping_address.zip: This ZIP code is not in New York."),
        (
            {"region": "Bavaria"},
            "shipping_address.region: We don't know this state: please write it in full.",
        ),
        (
            {"first_name": "An\x1bn"},
            "shipping_address.first_name: This holds signs that can't be seen. Please type it again.",
        ),
        ({"phone": "555-0100"}, "shipping_address.phone: This doesn't look like a phone number."),
    ],
)
def test_order_to_an_unserved_address_is_neither_placed_nor_charged(
    functions: Functions, shopper: Shopper, changes: Json, error: str
) -> None:
    orders = functions.sql("select count(*) from public.orders where user_id = %s", shopper.person.id)
    intents = [intent["id"] for intent in functions.get_stripe("payment_intents", limit="100")["data"]]
    body = shopper.cart(shipping_address=ADDRESS | changes)
    if changes.get("country"):
        body["amount"] = 5970 + 590
    response = functions.call("create-payment-intent", body, shopper.token)
    assert (response.status_code, response.json()) == (400, {"error": error, "code": "invalid_request"})
    assert functions.sql("select count(*) from public.orders where user_id = %s", shopper.person.id) == orders
    assert [
        intent["id"] for intent in functions.get_stripe("payment_intents", limit="100")["data"]
    ] == intents


def test_state_is_printed_by_its_code(functions: Functions, shopper: Shopper) -> None:
    for region in ("california", ""):
        address = ADDRESS | {"region": region, "address1": f"{len(region)} Region St"}
        placed = functions.body_of(
            "create-payment-intent", shopper.cart(shipping_address=address), shopper.token
        )
        (row,) = functions.sql("select shipping_address from public.orders where id = %s", placed["order_id"])
        assert json.loads(row["shipping_address"])["region"] == "CA"


def test_owner_gets_the_payment_of_an_unpaid_order_again(
    functions: Functions, shopper: Shopper, admin: Person, placed: Json
) -> None:
    request = {"order_id": placed["order_id"]}
    left = {
        "pm_card_chargeDeclined": "requires_payment_method",
        "pm_card_authenticationRequired": "requires_action",
    }
    for card, status in left.items():
        functions.stripe(f"payment_intents/{placed['payment_intent_id']}/confirm", payment_method=card)
        answer = functions.body_of("finish-payment", request, shopper.token)
        assert answer == placed | {"payment_status": status}
    # an admin sees the order, and still does not pay for it
    assert functions.error_of("finish-payment", request, admin.token) == (404, "order_not_found")


def test_payment_that_was_made_meanwhile_is_found(
    functions: Functions, shopper: Shopper, placed: Json
) -> None:
    functions.stripe(f"payment_intents/{placed['payment_intent_id']}/confirm", payment_method="pm_card_visa")
    request = {"order_id": placed["order_id"]}
    for _ in range(2):
        assert functions.error_of("finish-payment", request, shopper.token) == (409, "already_paid")
        assert functions.sql(ORDER, placed["order_id"])[0]["status"] == "paid"


@pytest.mark.parametrize("ended", ["at Stripe", "by the shopper"])
def test_payment_of_an_order_that_is_over_is_not_opened(
    functions: Functions, shopper: Shopper, placed: Json, ended: str
) -> None:
    request = {"order_id": placed["order_id"]}
    if ended == "at Stripe":
        functions.stripe(f"payment_intents/{placed['payment_intent_id']}/cancel")
    else:
        functions.body_of("cancel-order", request, shopper.token)
    for _ in range(2):
        assert functions.error_of("finish-payment", request, shopper.token) == (409, "payment_expired")
        assert functions.sql(ORDER, placed["order_id"])[0]["status"] == "cancelled"
