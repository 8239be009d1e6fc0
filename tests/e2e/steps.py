"""Steps that several journeys share, found by labels, roles and texts."""

from __future__ import annotations

import re
import uuid
from dataclasses import dataclass
from decimal import Decimal
from typing import Any
from urllib.parse import parse_qs, urlsplit

import httpx
import psycopg
from playwright.sync_api import Page, expect
from psycopg.rows import dict_row

from tests.support.mailbox import link_in, wait_for_mail
from tests.support.stacks import Stack

PASSWORD = "a long enough password"
PRINTER = {"authorization": "Bearer printify_emulator_token", "user-agent": "Teesmith tests"}


@dataclass(frozen=True, slots=True)
class Address:
    """The shopper's entries for the shipping address."""

    country: str
    zip: str
    street: str
    phone: str
    city: str = ""
    region: str = ""


BEVERLY_HILLS = Address("United States", "90210", "9465 Wilshire Blvd", "3105550100")


def sign_up(page: Page, stack: Stack) -> str:
    """A new visitor signs up and follows the link in the mailbox; the address. Ends on the dashboard."""
    email = f"visitor-{uuid.uuid4().hex[:10]}@example.com"
    page.goto("/")
    page.get_by_role("link", name="Start Designing for Free").first.click()
    expect(page.get_by_role("heading", name="Create your account")).to_be_visible()
    page.get_by_label("Email").fill(email)
    page.get_by_label("Password", exact=True).fill(PASSWORD)
    page.get_by_role("button", name="Sign up with email").click()
    expect(page.get_by_text("Verify your email to finish signing up.").first).to_be_visible()
    page.goto(link_in(wait_for_mail(stack, email)))
    expect(page).to_have_url(re.compile(r"/dashboard$"))
    return email


def design_from_text(page: Page, idea: str = "A fox riding a bicycle under the moon") -> str:
    """From the dashboard to the mockup of a design made from words."""
    page.get_by_role("link", name="Create New Design").first.click()
    page.get_by_role("link", name=re.compile("Create Your Own")).click()
    expect(page.get_by_role("heading", name="AI Design Generator")).to_be_visible()
    page.get_by_role("button", name="Vintage").click()
    page.get_by_role("button", name="bold").click()
    page.get_by_label("Your idea").fill(idea)
    page.get_by_label("Text on the shirt").fill("Night ride")
    page.get_by_role("button", name="Navy").click()
    page.get_by_role("button", name="Next: Generate Image").click()
    expect(page.get_by_text("Your Design is Ready!")).to_be_visible()
    return save_and_preview(page, "Save and Create Product")


def save_and_preview(page: Page, save: str) -> str:
    """Saves a finished design and waits for its mockup; the design's id."""
    page.get_by_role("button", name=save).click()
    expect(page.get_by_role("heading", name="Preview Your Creation")).to_be_visible()
    expect_ready(page)
    return parse_qs(urlsplit(page.url).query)["design"][0]


def expect_ready(page: Page) -> None:
    """Waits for the print product: its file and mockups are drawn, which other work on the machine slows down."""
    expect(page.get_by_text("Ready for order")).to_be_visible(timeout=90_000)


def fill_address(page: Page, address: Address) -> None:
    """Fills the shipping form; in the US, city and state come by themselves from the ZIP."""
    page.get_by_label("First name").fill("Vera")
    page.get_by_label("Last name").fill("Visitor")
    page.get_by_label("Country").select_option(label=address.country)
    page.get_by_label("Address", exact=True).fill(address.street)
    page.get_by_label(re.compile("ZIP code|Postal code")).fill(address.zip)
    if address.city:
        page.get_by_label("City").fill(address.city)
        page.get_by_label("Province").select_option(address.region)
    page.get_by_label("Phone", exact=True).fill(address.phone)


def fill_card(page: Page, number: str) -> None:
    """Types a card into the payment provider's own frame."""
    card = page.frame_locator("iframe[title='Secure card payment input frame']")
    card.locator("[name=cardnumber]").fill(number)
    card.locator("[name=exp-date]").fill("12/34")
    card.locator("[name=cvc]").fill("123")


def query(stack: Stack, sql: str, *params: object) -> list[dict[str, Any]]:
    """Rows of the shop's database."""
    with psycopg.connect(stack.db_url, row_factory=dict_row) as connection:
        return connection.execute(sql.encode(), params).fetchall()


def orders_of(stack: Stack, email: str) -> list[dict[str, Any]]:
    """A person's orders, with their items as `items`."""
    orders = query(
        stack,
        "select orders.* from orders join auth.users on users.id = orders.user_id where users.email = %s",
        email,
    )
    for order in orders:
        order["items"] = query(
            stack, "select * from order_items where order_id = %s order by product_size", order["id"]
        )
    return orders


def printed_orders(stack: Stack, external_id: str) -> list[dict[str, Any]]:
    """The print orders that the printer has for one of ours."""
    response = httpx.get(
        f"{stack.emulators_url}/printify/v1/shops/1/orders.json", headers=PRINTER, params={"limit": 50}
    )
    response.raise_for_status()
    return [one for one in response.json()["data"] if one["metadata"]["shop_order_id"] == external_id]


def dollars(text: str) -> Decimal:
    """An amount as the database holds it."""
    return Decimal(text)
