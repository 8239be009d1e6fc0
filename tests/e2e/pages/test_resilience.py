"""Without a network, after a reload: the journey goes on, and what was typed stays."""

from __future__ import annotations

import re

from playwright.sync_api import expect

from tests.e2e.accounts.users_in_browser import enter, give_design
from tests.e2e.conftest import Visit
from tests.e2e.steps import BEVERLY_HILLS, fill_address, fill_card, orders_of, printed_orders, query
from tests.support.stacks import Stack
from tests.support.users import Users


def test_idea_survives_a_reload_and_a_lost_network(visit: Visit, stack: Stack, users: Users) -> None:
    page = visit.page
    visit.expected.append("ERR_INTERNET_DISCONNECTED")
    enter(page, stack, users.new("traveller"))
    page.goto("/design/ai-generator")
    page.get_by_label("Your idea").fill("A snail on a train")
    page.get_by_role("button", name="Watercolor").click()
    page.get_by_role("button", name="Navy").click()
    page.reload()
    expect(page.get_by_label("Your idea")).to_have_value("A snail on a train")
    expect(page.get_by_role("button", name="Watercolor")).to_have_attribute("aria-pressed", "true")
    expect(page.get_by_role("button", name="Navy")).to_have_attribute("aria-pressed", "true")

    visit.context.set_offline(True)
    expect(page.get_by_text("You're offline.")).to_be_visible()
    page.get_by_role("button", name="Next: Generate Image").click()
    expect(page.get_by_role("heading", name="Generation Failed")).to_be_visible()
    expect(page.get_by_role("alert").get_by_text("We couldn't reach the shop.")).to_be_visible()
    visit.context.set_offline(False)
    expect(page.get_by_text("You're offline.")).not_to_be_visible()
    page.get_by_role("button", name="Try Again").click()
    expect(page.get_by_text("Your Design is Ready!")).to_be_visible()


def test_address_survives_a_reload(visit: Visit, stack: Stack, users: Users) -> None:
    page = visit.page
    person = users.new("mover")
    design = give_design(stack, person, "A moving van")
    enter(page, stack, person)
    page.goto(f"/order?design={design}")
    page.get_by_role("button", name="Increase L quantity").click()
    fill_address(page, BEVERLY_HILLS)
    expect(page.get_by_label("City")).to_have_value("Beverly Hills")
    page.reload()
    expect(page.get_by_label("Address", exact=True)).to_have_value(BEVERLY_HILLS.street)
    expect(page.get_by_label("City")).to_have_value("Beverly Hills")
    expect(page.get_by_label("L quantity", exact=True)).to_have_text("1")


def test_reload_after_the_charge_ends_in_the_confirmation(visit: Visit, stack: Stack, users: Users) -> None:
    page = visit.page
    person = users.new("reloader")
    design = give_design(stack, person, "A boomerang")
    enter(page, stack, person)
    page.goto(f"/order?design={design}")
    page.get_by_role("button", name="Increase L quantity").click()
    fill_address(page, BEVERLY_HILLS)
    expect(page.get_by_label("City")).to_have_value("Beverly Hills")
    fill_card(page, "4242 4242 4242 4242")
    # The card is charged; what follows never gets out of the browser.
    page.route("**/functions/v1/update-order-status", lambda _route: None)
    with page.expect_request("**/functions/v1/update-order-status"):
        page.get_by_role("button", name="Pay $19.90").click()
    page.unroute_all()
    page.reload()
    expect(page.get_by_role("heading", name="✨ Amazing! Your unique design is printing!")).to_be_visible()
    (order,) = query(stack, "select status, printify_order_id from orders where user_id = %s", person.id)
    assert order["status"] in ("paid", "processing")
    assert order["printify_order_id"]


def test_declined_card_is_said_at_the_card_orders_nothing_and_can_be_tried_again(
    visit: Visit, stack: Stack, users: Users
) -> None:
    page, person = visit.page, users.new("declined")
    # The browser itself notes the provider's 402 on its console.
    visit.expected.append("402 (Payment Required)")
    enter(page, stack, person)
    page.goto(f"/order?design={give_design(stack, person, 'A kite')}")
    page.get_by_role("button", name="Increase L quantity").click()
    fill_address(page, BEVERLY_HILLS)
    expect(page.get_by_label("City")).to_have_value("Beverly Hills")
    fill_card(page, "4000 0000 0000 0002")
    page.get_by_role("button", name="Pay $19.90").click()
    said = page.get_by_role("group", name="Card details").get_by_role("alert")
    expect(said).to_contain_text("declined")
    expect(page.get_by_text("Payment Failed")).to_be_visible()
    expect(page.get_by_text("Your card was declined.").first).to_be_visible()
    # Nothing typed is lost.
    expect(page.get_by_label("Address", exact=True)).to_have_value(BEVERLY_HILLS.street)
    (order,) = orders_of(stack, person.email)
    assert (order["status"], order["printify_order_id"]) == ("pending", None)
    assert printed_orders(stack, str(order["id"])) == []

    # What is said at the card stays when the toast has gone.
    expect(page.get_by_text("Payment Failed")).not_to_be_visible()
    expect(said).to_contain_text("declined")
    page.frame_locator("iframe[title='Secure card payment input frame']").locator("[name=cvc]").fill("9")
    expect(said).not_to_contain_text("declined")
    fill_card(page, "4242 4242 4242 4242")
    page.get_by_role("button", name="Pay $19.90").click()
    expect(page.get_by_role("heading", name="✨ Amazing! Your unique design is printing!")).to_be_visible()
    (order,) = orders_of(stack, person.email)
    assert order["status"] == "paid"
    assert len(printed_orders(stack, str(order["id"]))) == 1


def test_confirmation_is_found_again_by_reload_and_on_the_way_back(
    visit: Visit, stack: Stack, users: Users
) -> None:
    page, person = visit.page, users.new("backwards")
    design = give_design(stack, person, "A yo-yo")
    enter(page, stack, person)
    page.goto(f"/mockup?design={design}")
    page.get_by_role("link", name="Order Now").click()
    page.get_by_role("button", name="Increase L quantity").click()
    fill_address(page, BEVERLY_HILLS)
    expect(page.get_by_label("City")).to_have_value("Beverly Hills")
    fill_card(page, "4242 4242 4242 4242")
    page.get_by_role("button", name="Pay $19.90").click()
    amazing = page.get_by_role("heading", name="✨ Amazing! Your unique design is printing!")
    expect(amazing).to_be_visible()
    page.reload()
    expect(amazing).to_be_visible()
    expect(page.get_by_text("White - L")).to_be_visible()
    page.get_by_role("link", name="Back to Dashboard").click()
    expect(page.get_by_role("heading", name="Your Orders")).to_be_visible()
    page.go_back()
    expect(amazing).to_be_visible()
    # The form that was paid is nowhere on the way back, and the next order begins empty.
    page.go_back()
    page.get_by_role("link", name="Order Now").click()
    expect(page.get_by_label("L quantity", exact=True)).to_have_text("0")
    assert query(stack, "select count(*) as n from orders where user_id = %s", person.id) == [{"n": 1}]


def test_page_stays_and_offers_a_retry_when_the_server_is_down(
    visit: Visit, stack: Stack, users: Users
) -> None:
    page = visit.page
    visit.expected.append("502 (Bad Gateway)")
    page.route(re.compile("/rest/v1/public_designs"), lambda route: route.fulfill(status=502, body="gone"))
    page.goto("/discover")
    expect(
        page.get_by_text("We couldn't reach the shop. Check your connection and try again.")
    ).to_be_visible()
    page.unroute_all()
    page.get_by_role("button", name="Try Again").click()
    expect(page.get_by_role("button", name=re.compile("^Like: ")).first).to_be_visible()


def test_page_that_fails_to_load_shows_an_error(visit: Visit) -> None:
    page = visit.page
    visit.expected.extend(["discover-page", "Failed to fetch dynamically imported module"])
    page.route(re.compile(r"/assets/discover-page"), lambda route: route.abort())
    page.goto("/auth")
    page.get_by_role("link", name="Discover").first.click()
    expect(page.get_by_role("heading", name="Something smudged")).to_be_visible()
    page.unroute_all()
    page.get_by_role("button", name="Load again").click()
    expect(page.get_by_role("heading", name="Discover Designs")).to_be_visible()
