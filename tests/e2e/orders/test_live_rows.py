"""Pages that change without a reload: an order that moves on, a design that gets ready."""

from __future__ import annotations

from playwright.sync_api import Page, WebSocketRoute, expect

from tests.e2e.accounts.users_in_browser import enter, give_design, give_order
from tests.e2e.conftest import Visit
from tests.e2e.steps import query
from tests.support.stacks import Stack
from tests.support.users import Users

# Well below the 15 s after which a page without Realtime asks by itself.
AT_ONCE = 5_000


def open_subscribed(page: Page, path: str, subscriptions: int = 1) -> None:
    """Opens a page, and waits until changes will reach all its subscriptions."""
    counted = 0

    def subscribed(frame: str | bytes) -> bool:
        nonlocal counted
        counted += "Subscribed to PostgreSQL" in str(frame)
        return counted >= subscriptions

    with page.expect_websocket(lambda socket: "/realtime/v1/websocket" in socket.url) as opened:
        page.goto(path)
    opened.value.wait_for_event("framereceived", subscribed)


def test_order_moves_on_without_a_reload(visit: Visit, stack: Stack, users: Users) -> None:
    page = visit.page
    person = users.new("follower")
    order = give_order(stack, person, "paid")
    give_order(stack, users.new("stranger"), "paid")
    enter(page, stack, person)
    open_subscribed(page, f"/order-details/{order}")
    expect(page.get_by_text("Paid", exact=True).first).to_be_visible()
    query(
        stack,
        "update orders set status = 'shipped', carrier = 'USPS', tracking_number = '94001' where id = %s returning id",
        order,
    )
    expect(page.get_by_text("Shipped", exact=True).first).to_be_visible(timeout=AT_ONCE)
    expect(page.get_by_text("94001")).to_be_visible()

    # The dashboard follows designs and orders, each through a channel of its own.
    open_subscribed(page, "/dashboard", 2)
    expect(page.get_by_role("table").get_by_text("Shipped")).to_be_visible()
    query(stack, "update orders set status = 'delivered' where id = %s returning id", order)
    expect(page.get_by_role("table").get_by_text("Delivered")).to_be_visible(timeout=AT_ONCE)


def test_design_gets_ready_without_a_reload(visit: Visit, stack: Stack, users: Users) -> None:
    page = visit.page
    person = users.new("waiter")
    listed = give_design(stack, person, "A patient fox", ready=False)
    shown = give_design(stack, person, "A patient owl", ready=False)
    product = "select printify_product_id from designs where printify_product_id is not null limit 1"
    get_ready = f"update designs set printify_product_id = ({product}) where id = %s returning id"
    enter(page, stack, person)
    open_subscribed(page, "/dashboard", 2)
    item = page.get_by_role("listitem").filter(has=page.get_by_role("link", name="A patient fox", exact=True))
    expect(item.get_by_text("Processing")).to_be_visible()
    query(stack, get_ready, listed)
    expect(item.get_by_text("Ready for order")).to_be_visible(timeout=AT_ONCE)

    open_subscribed(page, f"/mockup?design={shown}")
    expect(page.get_by_role("button", name="Processing...")).to_be_disabled()
    query(stack, get_ready, shown)
    expect(page.get_by_text("Ready for order")).to_be_visible(timeout=AT_ONCE)
    expect(page.get_by_role("link", name="Order Now")).to_be_visible()


def test_page_without_realtime_asks_by_itself(visit: Visit, stack: Stack, users: Users) -> None:
    page = visit.page
    person = users.new("poller")
    order = give_order(stack, person, "paid")

    def reject(socket: WebSocketRoute) -> None:
        socket.close()

    page.route_web_socket("**/realtime/v1/websocket*", reject)
    enter(page, stack, person)
    page.goto(f"/order-details/{order}")
    expect(page.get_by_text("Paid", exact=True).first).to_be_visible()
    query(stack, "update orders set status = 'shipped' where id = %s returning id", order)
    expect(page.get_by_text("Shipped", exact=True).first).to_be_visible(timeout=25_000)
