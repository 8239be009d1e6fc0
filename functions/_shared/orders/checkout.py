"""From a browser's cart to an order for sale: computed server-side, from the database.

The browser's amount, ids and names are claims. Prices, variants, the design's owner and shipping come from
us, and a claim that differs is refused before anything is created.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Annotated, Any, Literal
from uuid import UUID

from pydantic import BaseModel, ConfigDict, Field

from _shared.catalog.catalog import Variant
from _shared.catalog.pricing import MOST_PER_SIZE, Price, dollars, price_of, shirt_cents
from _shared.core.errors import ShopError
from _shared.designs.designs import Design
from _shared.shipping.addresses import Address, ShippingAddress

_FRONT_VIEW = 102048


class _RequestModel(BaseModel):
    model_config = ConfigDict(frozen=True, extra="ignore")


class DesignInfo(_RequestModel):
    """Of `design_info` only the id counts; name, picture and product are read from the database."""

    id: UUID


class CartLine(_RequestModel):
    """One of `order_items`; names and pictures in it are ignored."""

    id: UUID
    quantity: Annotated[int, Field(strict=True, ge=1, le=MOST_PER_SIZE)]
    printify_variant_id: int | None = None
    product_id: str | None = None


class PaymentRequest(_RequestModel):
    """create-payment-intent's body. `amount` is in cents, the other figures of the body are for show."""

    amount: Annotated[int, Field(strict=True, gt=0)]
    currency: Literal["usd"]
    shipping_address: ShippingAddress
    design_info: DesignInfo
    order_items: Annotated[list[CartLine], Field(min_length=1, max_length=50)]

    @property
    def variant_ids(self) -> list[str]:
        return [str(line.id) for line in self.order_items]


@dataclass(frozen=True)
class NewItem:
    """A row of `order_items`, as place_order takes it."""

    design_id: str
    product_variant_id: str
    quantity: int
    unit_price_cents: int
    product_name: str
    product_image_url: str
    product_size: str
    product_color: str
    printify_product_id: str
    printify_variant_id: int


@dataclass(frozen=True)
class Cart:
    """A cart, computed from the database."""

    buyer_id: str
    address: Address
    items: tuple[NewItem, ...]
    price: Price

    @property
    def key(self) -> str:
        """The same for a repetition of the cart at the same price, in any order of its lines."""
        content = {
            "address": self.address.model_dump(),
            "total_cents": self.price.total_cents,
            "items": sorted((item.design_id, item.product_variant_id, item.quantity) for item in self.items),
        }
        return hashlib.sha256(json.dumps(content, sort_keys=True).encode()).hexdigest()

    def to_rpc(self) -> dict[str, Any]:
        """place_order's arguments."""
        return {
            "buyer": self.buyer_id,
            "cart_key": self.key,
            "shipping_address": json.dumps(self.address.model_dump(), ensure_ascii=False),
            "subtotal_cents": self.price.subtotal_cents,
            "shipping_cents": self.price.shipping_cents,
            "items": [asdict(item) for item in self.items],
        }


def plan_cart(
    request: PaymentRequest, design: Design, variants: Mapping[str, Variant], mockup_base: str
) -> Cart:
    """The cart of a request. 409 wherever the browser and the shop disagree."""
    if not design.printify_product_id:
        raise ShopError(409, "design_not_ready", "Design does not have a product associated")
    if len(set(request.variant_ids)) != len(request.variant_ids):
        raise ShopError(400, "invalid_request", "order_items: the same size stands there twice.")
    items = tuple(_item(line, design, variants, mockup_base) for line in request.order_items)
    price = price_of(
        sum(item.quantity for item in items), request.shipping_address.country, has_back=design.has_back
    )
    if request.amount != price.total_cents:
        raise ShopError(
            409,
            "amount_mismatch",
            f"The price is {dollars(price.total_cents)}, not what you were shown. Please reload the page.",
        )
    return Cart(design.user_id, request.shipping_address, items, price)


def _item(line: CartLine, design: Design, variants: Mapping[str, Variant], mockup_base: str) -> NewItem:
    variant = variants.get(str(line.id))
    if variant is None:
        raise ShopError(
            409, "variant_unavailable", "A size that you chose is not sold any more. Please reload the page."
        )
    if line.printify_variant_id not in (None, variant.printify_variant_id) or line.product_id not in (
        None,
        design.printify_product_id,
    ):
        raise ShopError(409, "item_mismatch", "The design or the shirt has changed. Please reload the page.")
    product, number = design.printify_product_id, variant.printify_variant_id
    return NewItem(
        design_id=design.id,
        product_variant_id=variant.id,
        quantity=line.quantity,
        unit_price_cents=shirt_cents(has_back=design.has_back),
        product_name=design.name,
        product_image_url=f"{mockup_base}/mockup/{product}/{number}/{_FRONT_VIEW}/mockup.jpg?s=800",
        product_size=variant.size,
        product_color=variant.color,
        printify_product_id=product,
        printify_variant_id=number,
    )
