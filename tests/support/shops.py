"""Orders and designs of a running shop for tests that look at it from outside, as its owner does."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from typing import Any
from urllib.parse import quote

import httpx

from tests.shop.integration.functions.conftest import ADDRESS, Functions, Json, Shopper, png
from tests.shop.integration.functions.stored_designs import Pictures
from tests.support.stacks import Stack
from tests.support.users import Users

# What changes only by what people do; an order goes on by itself.
_TABLES = (
    "public.order_items", "public.designs", "public.public_designs", "public.design_likes", "public.user_addresses",
    "private.profiles",
)  # fmt: skip


@dataclass(frozen=True)
class RunningShop:
    """A stack with what tests do in it."""

    stack: Stack

    @property
    def functions(self) -> Functions:
        return Functions(self.stack)

    @property
    def users(self) -> Users:
        return Users(self.stack)

    @property
    def pictures(self) -> Pictures:
        return Pictures(self.stack, self.functions)

    def shopper(self, name: str) -> Shopper:
        """A new person with a design that can be ordered."""
        functions, person = self.functions, self.users.new(name)
        rows = functions.sql("select id::text, name, printify_variant_id from public.product_variants")
        variants = {row["name"]: row for row in rows}
        colours = [variants["Black - S"]["id"]]
        design: Any = (
            person.client.table("designs")
            .insert(
                {"user_id": person.id, "name": "Red dot", "image_data": png(), "selected_colors": colours}
            )
            .execute()
            .data
        )
        body = {"designId": design[0]["id"], "imageBase64": png(), "selectedColors": colours}
        made = functions.body_of("create-printify-product", body, person.token)
        return Shopper(person, design[0]["id"], made["printifyProductId"], variants)

    def place(self, shopper: Shopper, street: str) -> Json:
        """A pending order; another street makes another cart."""
        address = ADDRESS | {"address1": street, "email": shopper.person.email}
        return self.functions.body_of(
            "create-payment-intent", shopper.cart(shipping_address=address), shopper.token
        )

    def charge(self, placed: Json) -> None:
        """The card pays; the shop does not hear of it from the browser."""
        path = f"payment_intents/{placed['payment_intent_id']}/confirm"
        confirmed = self.functions.stripe(path, payment_method="pm_card_visa")
        assert confirmed.json()["status"] == "succeeded", confirmed.text

    def pay(self, shopper: Shopper, street: str) -> str:
        """The id of a paid order."""
        placed = self.place(shopper, street)
        self.charge(placed)
        self.claim(shopper, placed)
        return str(placed["order_id"])

    def claim(self, shopper: Shopper, placed: Json) -> None:
        """The browser says that it has paid; the order may be further on by then."""
        request = {"order_id": placed["order_id"], "status": "paid"}
        response = self.functions.body_of("update-order-status", request, shopper.token)
        assert response["order_id"] == placed["order_id"]
        assert response["status"] in ("paid", "processing", "shipped", "delivered")

    def order(self, id: str) -> Json:
        (row,) = self.functions.sql("select * from public.orders where id = %s", id)
        return row

    def print_orders(self, order: str) -> list[Json]:
        """The printer's orders for one of ours."""
        orders: list[Json] = self.functions.printify("orders.json")["data"]
        return [one for one in orders if one["metadata"]["shop_order_id"] == order]

    def rows(self) -> dict[str, list[Json]]:
        """The rows of people, designs and what was bought by table, each table in a fixed order."""
        read = self.functions.sql
        return {
            table: read(f"select to_jsonb(t) as row from {table} t order by t::text") for table in _TABLES
        }

    def objects(self) -> dict[str, tuple[str, str | None]]:
        """Bucket and name → SHA-256 of what Storage serves, and its type."""
        names = self.functions.sql("select bucket_id, name from storage.objects order by 1, 2")
        key = {"apikey": self.stack.secret_key, "authorization": f"Bearer {self.stack.secret_key}"}
        objects = {}
        with httpx.Client(base_url=self.stack.api_url, headers=key, timeout=60) as http:
            for row in names:
                name = f"{row['bucket_id']}/{row['name']}"
                response = http.get(f"/storage/v1/object/authenticated/{quote(name)}")
                assert response.status_code == 200, (name, response.text)
                response.headers.encoding = "latin-1"
                objects[name] = (
                    hashlib.sha256(response.content).hexdigest(),
                    response.headers.get("content-type"),
                )
        return objects
