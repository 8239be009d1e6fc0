"""From an idea to a paid order by the keyboard alone: everything is reached by Tab, and the focus is never lost."""

from __future__ import annotations

from playwright.sync_api import Page, expect

from tests.e2e.accounts.users_in_browser import CORS, enter, make_products_at_once
from tests.e2e.conftest import Visit
from tests.e2e.keyboard import FOCUSED, press, tab_to, type_into
from tests.e2e.pages.mocked_page import PIXEL
from tests.e2e.steps import expect_ready, query
from tests.support.stacks import Stack
from tests.support.users import Users

_FRAME = "iframe[title='Secure card payment input frame']"


def _type_card(page: Page, number: str, key: str) -> None:
    """Into the payment provider's own frame, entered at one end of it."""
    page.frame_locator(_FRAME).locator("[name=cardnumber]").wait_for()
    tab_to(page, "^IFRAME", key)
    (frame,) = (frame for frame in page.frames if "/elements/card" in frame.url)
    focused = "document.activeElement.name"
    for _ in range(3):
        if frame.evaluate(focused) != "cardnumber":
            page.keyboard.press(key)
    for name, text in (("cardnumber", number), ("exp-date", "1234"), ("cvc", "123")):
        # a full field hands the focus on
        assert frame.evaluate(focused) == name
        page.keyboard.press("Control+a")
        page.keyboard.type(text)
    # the frame says by a message that the card is whole
    expect(page.get_by_role("button", name="Pay")).to_be_enabled()


def test_shirt_is_designed_and_paid_for_by_the_keyboard(visit: Visit, stack: Stack, users: Users) -> None:
    page = visit.page
    visit.expected.append("402")
    person = users.new("keys")
    enter(page, stack, person)
    # What draws is not the subject.
    picture = {"image": PIXEL}
    page.route(
        "**/functions/v1/generate-design-image", lambda route: route.fulfill(headers=CORS, json=picture)
    )
    make_products_at_once(page, stack, person)
    page.goto("/dashboard")
    expect(page.get_by_role("link", name="Make your first design")).to_be_visible()
    press(page, "Create New Design")
    expect(page.get_by_role("heading", name="How would you like to begin?")).to_be_visible()
    assert page.evaluate(FOCUSED).startswith("MAIN")
    press(page, "Create Your Own")
    expect(page.get_by_role("heading", name="AI Design Generator")).to_be_visible()
    press(page, "Vintage", "Space")
    press(page, "(?i)bold")
    type_into(page, "Your idea", "A fox riding a bicycle under the moon")
    press(page, "Navy", "Space")
    press(page, "Next: Generate Image")
    expect(page.get_by_text("Your Design is Ready!")).to_be_visible()
    press(page, "Save and Create Product")
    expect(page.get_by_role("heading", name="Preview Your Creation")).to_be_visible()
    assert page.evaluate(FOCUSED).startswith("MAIN")
    expect_ready(page)
    page.unroute_all()
    press(page, "Order Now")
    expect(page.get_by_role("heading", name="Place Your Order")).to_be_visible()
    press(page, "Increase M quantity")
    type_into(page, "First name", "Vera")
    type_into(page, "Last name", "Visitor")
    type_into(page, "^INPUT Address", "9465 Wilshire Blvd")
    type_into(page, "ZIP code", "90210")
    expect(page.get_by_label("City")).to_have_value("Beverly Hills")
    type_into(page, "^INPUT Phone", "3105550100")
    _type_card(page, "4000000000000002", "Tab")
    press(page, "Pay")
    expect(page.get_by_role("alert").filter(has_text="declined")).to_be_visible()
    assert page.evaluate(FOCUSED) == "BUTTON Pay $19.90"
    _type_card(page, "4242424242424242", "Shift+Tab")
    press(page, "Pay")
    expect(page.get_by_role("heading", name="✨ Amazing! Your unique design is printing!")).to_be_focused()
    assert query(stack, "select status from orders where user_id = %s", person.id) == [{"status": "paid"}]
