"""A cart and an order that several tests talk about."""

from datetime import UTC, datetime
from typing import Any

from _shared.catalog.catalog import Variant
from _shared.designs.designs import Design
from _shared.orders.order_links import OrderLinks
from _shared.orders.orders import Item, Order
from _shared.shipping.addresses import Address

BLACK_M, BLACK_L = "00000000-0000-4000-8000-00000000000a", "00000000-0000-4000-8000-00000000000b"
VARIANTS = {
    BLACK_M: Variant(BLACK_M, "Black - M", 12125),
    BLACK_L: Variant(BLACK_L, "Black - L", 12124),
}
DESIGN = Design("00000000-0000-4000-8000-0000000000d1", "buyer", "Surfing cat", "aGk=", "product-1")
ADDRESS = {
    "first_name": "Ann", "last_name": "Lee", "email": "ann@example.com", "phone_country_code": "+1",
    "phone": "+13105550134", "country": "US", "region": "CA", "address1": "1 Main St", "address2": "",
    "city": "Beverly Hills", "zip": "90210",
}  # fmt: skip


def body(**changes: Any) -> dict[str, Any]:
    content: dict[str, Any] = {
        "amount": 5970,
        "currency": "usd",
        "shipping_address": ADDRESS,
        "order_details": {"total_quantity": 3, "product_price": 19.9, "shipping_cost": 0},
        "design_info": {"id": DESIGN.id, "name": "x", "image_data": "y", "printify_product_id": "product-1"},
        "order_items": [
            {"id": BLACK_M, "quantity": 1, "printify_variant_id": 12125, "product_id": "product-1"},
            {"id": BLACK_L, "quantity": 2, "printify_variant_id": 12124, "product_id": "product-1"},
        ],
    }
    return content | changes


ORDER = Order(
    id="11111111-2222-4333-8444-5555556abcde",
    user_id="buyer",
    status="paid",
    subtotal_cents=3980,
    shipping_cents=590,
    total_cents=4570,
    currency="usd",
    address=Address(
        first_name="Ann",
        last_name="Lee",
        email="ann@example.com",
        phone="1",
        country="CA",
        region="ON",
        address1="1 King St",
        city="Toronto",
        zip="M5H 1A1",
    ),
    items=(Item("Cat & <b>dog</b>", "", "M", "Black", 2, 1990, "product", 12125),),
    payment_intent_id="pi",
    printify_order_id="po",
    tracking_url="",
    tracking_number="",
    carrier="",
    created_at=datetime(2026, 11, 20, 10, tzinfo=UTC),
    paid_at=datetime(2026, 11, 20, 11, tzinfo=UTC),
    print_is_requested=True,
    cancel_is_requested=False,
    refund_id="",
    refunded_cents=0,
    lost_cents=0,
    is_held=False,
    is_design_held=False,
    money_version=0,
    link_version=1,
)
LINKS = OrderLinks(["a secret of the shop"], "https://shop")
