"""Signs users in without the form, and inserts designs and orders into the database."""

from __future__ import annotations

import base64
import json
import time
import uuid
from typing import Any

import httpx
from playwright.sync_api import Page, Route

from tests.e2e.steps import query
from tests.support.stacks import ROOT, Stack
from tests.support.users import PASSWORD, Person

# The demo shopper's oldest design.
_OF_SHOPPER = (
    ROOT / "sql/seed/designs/5eed0000-0000-4000-8000-000000000001/81095952-9650-54f4-92aa-fe87a8cbebe5"
)
SESSION_KEY = "teesmith-session"
# Of a response that a test gives in the place of another origin.
CORS = {"access-control-allow-origin": "*"}
ADDRESS = {
    "first_name": "Vera",
    "last_name": "Visitor",
    "email": "vera@example.com",
    "phone_country_code": "+1",
    "phone": "3105550100",
    "country": "US",
    "region": "CA",
    "address1": "9465 Wilshire Blvd",
    "address2": "",
    "city": "Beverly Hills",
    "zip": "90210",
}


def session_of(stack: Stack, email: str, password: str = PASSWORD) -> str:
    """A new session, as the web client stores it."""
    response = httpx.post(
        f"{stack.api_url}/auth/v1/token",
        params={"grant_type": "password"},
        headers={"apikey": stack.publishable_key},
        json={"email": email, "password": password},
    )
    response.raise_for_status()
    session = response.json()
    session["expires_at"] = int(time.time()) + int(session["expires_in"])
    return json.dumps(session)


def enter(
    page: Page, stack: Stack, person: Person | str, password: str = PASSWORD, *, site: str = ""
) -> None:
    """Signs the user in on this page's browser, for the next page that it opens; `site` is another origin's shop."""
    email = person if isinstance(person, str) else person.email
    # A page of the shop's origin without a program. (One that Playwright answers would keep the cache out of use.)
    page.goto(f"{site}/robots.txt")
    page.evaluate(
        "([key, session]) => localStorage.setItem(key, session)",
        [SESSION_KEY, session_of(stack, email, password)],
    )


def give_design(stack: Stack, person: Person, name: str, *, ready: bool = True, age: int = 0) -> str:
    """A copy of a design of the demo shopper under `name`, `age` minutes old; its id. The row holds the picture."""
    (row,) = query(
        stack,
        """
        insert into designs
          (user_id, name, image_data, thumbnail_data, printify_product_id, selected_colors, created_at)
        select %s, %s, %s, %s, case when %s then printify_product_id end, selected_colors,
          now() - make_interval(mins => %s)
        from designs where id = %s and printify_product_id is not null
        returning id
        """,
        person.id,
        name,
        *(
            base64.b64encode((_OF_SHOPPER / file).read_bytes()).decode()
            for file in ("picture.png", "thumbnail.jpg")
        ),
        ready,
        age,
        _OF_SHOPPER.name,
    )
    return str(row["id"])


def give_order(stack: Stack, person: Person, status: str, **changes: Any) -> str:
    """An order of two shirts that has come as far as `status`; its id."""
    columns = {
        "user_id": person.id,
        "status": status,
        "subtotal_cents": 3980,
        "shipping_cents": 0,
        "total_cents": 3980,
        "shipping_address": json.dumps(ADDRESS),
        "cart_key": uuid.uuid4().hex,
        "paid_at": None if status == "pending" else "2026-11-01T10:00:00Z",
        **changes,
    }
    names = ", ".join(columns)
    places = ", ".join(["%s"] * len(columns))
    (order,) = query(stack, f"insert into orders ({names}) values ({places}) returning id", *columns.values())
    query(
        stack,
        """
        insert into order_items (order_id, quantity, unit_price_cents, product_name, product_size, product_color,
          printify_product_id, printify_variant_id)
        values (%s, 2, 1990, 'A fox on a bicycle', 'M', 'Navy', 'p', 11987) returning id
        """,
        order["id"],
    )
    return str(order["id"])


def make_products_at_once(page: Page, stack: Stack, person: Person) -> None:
    """Takes the printer's place for this page: the person's design has a product of the shop's at once, undrawn."""
    product = "select printify_product_id from designs where printify_product_id is not null limit 1"

    def make(route: Route) -> None:
        (row,) = query(
            stack,
            f"update designs set printify_product_id = ({product}) where user_id = %s "
            "returning printify_product_id as id",
            person.id,
        )
        route.fulfill(headers=CORS, json={"success": True, "printifyProductId": row["id"]})

    page.route("**/functions/v1/create-printify-product", make)
