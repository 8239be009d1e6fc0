"""The Stripe.js stand-in in a real browser: card details typed into the frame, payments confirmed with them."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import httpx
import pytest
from playwright.sync_api import Browser, FrameLocator, Page, expect, sync_playwright

from tests.shop.integration.emulators.conftest import Served
from tests.support.browser import FLAGS, find_browser

PAGE = """<!doctype html><meta charset="utf-8"><title>Shop</title>
<div id="card" style="width:420px;padding:12px;border:1px solid #999"></div>
<script src="{emulator}/stripe/js/v3"></script>
<script>
  const stripe = Stripe("pk_test_emulator");
  const elements = stripe.elements();
  const card = elements.create("card", {{ style: {{ base: {{ fontSize: "18px", color: "#123456" }} }} }});
  window.changes = [];
  card.on("change", (event) => window.changes.push(event));
  card.mount("#card");
  window.pay = (secret) => stripe.confirmCardPayment(secret, {{
    payment_method: {{ card, billing_details: {{ name: "Sam Shopper" }} }},
  }});
</script>"""


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    program = find_browser()
    assert program is not None, "run `make test`: it installs a browser"
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program, args=list(FLAGS))
        yield browser
        browser.close()


@pytest.fixture(scope="module")
def shop(emulators: Served) -> Iterator[str]:
    """A page on an origin of its own. A served one: what a test intercepts may not load scripts from this machine."""
    content = PAGE.format(emulator=emulators.url).encode()

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(200)
            self.send_header("content-type", "text/html")
            self.end_headers()
            self.wfile.write(content)

        def log_message(self, *_: object) -> None:
            return

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}/"
    server.shutdown()
    server.server_close()
    thread.join()


@pytest.fixture
def page(browser: Browser, shop: str) -> Iterator[Page]:
    context = browser.new_context()
    page = context.new_page()
    page.set_default_timeout(10_000)
    errors: list[str] = []
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.goto(shop)
    yield page
    context.close()
    assert errors == []


def card_frame(page: Page) -> FrameLocator:
    return page.frame_locator('iframe[title="Secure card payment input frame"]')


def type_card(page: Page, number: str, expiry: str = "1234", cvc: str = "123") -> None:
    frame = card_frame(page)
    frame.get_by_label("Card number").press_sequentially(number)
    frame.locator('[name="exp-date"]').press_sequentially(expiry)
    frame.locator('[name="cvc"]').press_sequentially(cvc)


def last_change(page: Page) -> dict[str, Any]:
    change: dict[str, Any] = page.evaluate("window.changes.at(-1)")
    return change


def new_secret(emulators: Served) -> str:
    response = httpx.post(
        f"{emulators.url}/stripe/v1/payment_intents",
        data={"amount": "3980", "currency": "usd"},
        auth=("sk_test_emulator", ""),
    )
    return str(response.json()["client_secret"])


def test_good_card_completes_and_pays(page: Page, emulators: Served) -> None:
    type_card(page, "4242424242424242")
    expect(card_frame(page).locator('[name="cardnumber"]')).to_have_value("4242 4242 4242 4242")
    expect(card_frame(page).locator('[name="exp-date"]')).to_have_value("12 / 34")
    page.wait_for_function("() => window.changes.at(-1)?.complete === true")
    change = last_change(page)
    assert (change["elementType"], change["brand"], change["empty"], change.get("error")) == (
        "card", "visa", False, None,
    )  # fmt: skip
    result = page.evaluate("(secret) => window.pay(secret)", new_secret(emulators))
    assert result["paymentIntent"]["status"] == "succeeded"


def test_declined_card_shows_the_banks_message(page: Page, emulators: Served) -> None:
    type_card(page, "4000000000000002")
    result = page.evaluate("(secret) => window.pay(secret)", new_secret(emulators))
    error = result["error"]
    assert (error["type"], error["code"], error["decline_code"], error["message"]) == (
        "card_error", "card_declined", "generic_decline", "Your card was declined.",
    )  # fmt: skip


def test_card_number_with_a_bad_checksum_shows_an_error_while_typing(page: Page) -> None:
    type_card(page, "4242424242424241")
    page.wait_for_function("() => window.changes.at(-1)?.error?.code === 'invalid_number'")
    assert last_change(page)["error"]["message"] == "Your card number is invalid."
    assert last_change(page)["complete"] is False


def test_expiry_in_the_past_is_rejected(page: Page) -> None:
    type_card(page, "4242424242424242", "0120")
    page.wait_for_function("() => window.changes.at(-1)?.error?.code === 'invalid_expiry_year_past'")


def test_paying_with_an_unfinished_card_sends_nothing(page: Page, emulators: Served) -> None:
    card_frame(page).get_by_label("Card number").press_sequentially("4242")
    result = page.evaluate("(secret) => window.pay(secret)", new_secret(emulators))
    assert result["error"]["code"] == "incomplete_number"
    assert result["error"]["type"] == "validation_error"


def test_american_express_takes_fifteen_digits_and_four_of_cvc(page: Page) -> None:
    type_card(page, "378282246310005", "1234", "1234")
    page.wait_for_function("() => window.changes.at(-1)?.complete === true")
    assert last_change(page)["brand"] == "amex"
    expect(card_frame(page).locator('[name="cardnumber"]')).to_have_value("3782 822463 10005")


def test_frame_has_the_shops_style_and_hides_the_digits_from_the_page(page: Page) -> None:
    field = card_frame(page).locator('[name="cardnumber"]')
    expect(field).to_have_css("font-size", "18px")
    expect(field).to_have_css("color", "rgb(18, 52, 86)")
    type_card(page, "4242424242424242")
    page.wait_for_function("() => window.changes.at(-1)?.complete === true")
    assert "4242" not in page.evaluate("JSON.stringify(window.changes)")


@pytest.mark.parametrize(
    ("number", "button", "expected"),
    [
        ("4000000000003220", "Complete authentication", {"status": "succeeded"}),
        ("4000000000003220", "Fail authentication", {"code": "payment_intent_authentication_failure"}),
        ("4000002500003155", "Complete authentication", {"status": "succeeded"}),
        ("4000002760003184", "Complete authentication", {"status": "succeeded"}),
        ("4000008260003178", "Complete authentication", {"decline_code": "insufficient_funds"}),
        ("4000008400001629", "Complete authentication", {"decline_code": "generic_decline"}),
    ],
)
def test_bank_page_decides_the_payment(
    page: Page, emulators: Served, number: str, button: str, expected: dict[str, str]
) -> None:
    type_card(page, number)
    page.evaluate("(secret) => { window.result = window.pay(secret) }", new_secret(emulators))
    page.frame_locator('iframe[title="3D Secure authentication"]').get_by_role("button", name=button).click()
    result = page.evaluate("window.result")
    outcome = result.get("paymentIntent") or result["error"]
    assert {name: outcome[name] for name in expected} == expected
