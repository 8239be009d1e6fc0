"""More states of tests/e2e/texts.json: the admin panel."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tests.e2e.pages.mocked_page import ORDER_ID, OTHER_ID, MockedPage, design_row, order_row
from tests.e2e.pages.page_states import FAILURE, PageState, page_state

_ANALYTICS = "POST /rest/v1/rpc/get_user_analytics"
_PERSON = {
    "user_id": OTHER_ID,
    "name": "Bob",
    "username": "bob",
    "is_admin": False,
    "total_orders": 0,
    "total_spent": 0,
    "total_designs": 0,
    "total_sessions": 0,
    "avg_session_duration_minutes": 0,
    "last_login": None,
    "created_at": "2026-01-01T00:00:00Z",
}


def _admin(call: str = _ANALYTICS, body: Any = None, status: int = 200) -> PageState:
    def play(mocked: MockedPage, go: Callable[[], None]) -> None:
        mocked.profile(is_admin=True)
        mocked.respond(call, [_PERSON] if body is None else body, status=status)
        go()

    return play


page_state("admin")(_admin())
page_state("admin, no users")(_admin(body=[]))
page_state("admin, no orders")(_admin("GET /rest/v1/orders", []))
page_state("admin, orders fail")(_admin("GET /rest/v1/orders", FAILURE, 400))
page_state("admin, no designs")(_admin("GET /rest/v1/designs", []))
page_state("admin, designs fail")(_admin("GET /rest/v1/designs", FAILURE, 400))


@page_state("admin, users fail")
def _(mocked: MockedPage, go: Callable[[], None]) -> None:
    # The two further tries come seconds later: this page's clock runs ahead.
    mocked.page.clock.install()
    _admin(body=FAILURE, status=400)(mocked, go)
    for _try in range(3):
        mocked.page.clock.run_for(4000)
        mocked.page.wait_for_load_state("networkidle")


@page_state("admin, designs")
def _(mocked: MockedPage, go: Callable[[], None]) -> None:
    rows = [design_row(), design_row(id=ORDER_ID, printify_product_id=None)]
    mocked.respond("GET /rest/v1/profiles", [], only="id=in")
    _admin("GET /rest/v1/designs", rows)(mocked, go)


def _role(body: Any, status: int) -> PageState:
    def play(mocked: MockedPage, go: Callable[[], None]) -> None:
        mocked.respond("PATCH /rest/v1/profiles", body, status=status)
        _admin(body=[_PERSON, _PERSON | {"user_id": ORDER_ID, "name": "Ada", "is_admin": True}])(mocked, go)
        mocked.respond("POST /rest/v1/rpc/get_user_email", "bob@example.com")
        mocked.page.get_by_role("button", name="Make Admin: Bob").click()
        mocked.page.get_by_role("alertdialog").get_by_role("button", name="Make Admin").click()

    return play


page_state("admin changes a role")(_role([{"id": OTHER_ID}], 200))
page_state("admin cannot change a role")(_role(FAILURE, 400))


def _webhook(body: Any, status: int = 200) -> PageState:
    def play(mocked: MockedPage, go: Callable[[], None]) -> None:
        mocked.respond("POST /functions/v1/test-webhook", body, status=status)
        _admin()(mocked, go)
        mocked.page.get_by_label("Webhook URL").fill("https://example.com/hook")
        mocked.page.get_by_role("button", name="Test Webhook", exact=True).click()

    return play


page_state("webhook test: Successful")(_webhook({"status": 200, "ok": True, "body": "thanks"}))
page_state("webhook test: Failed")(_webhook({"status": 500, "ok": False, "body": "oops"}))
page_state("webhook test: Error")(_webhook({"error": "That address is private.", "code": "no"}, 400))


def _latest(button: str, orders: list[dict[str, Any]], status: int = 200) -> PageState:
    def play(mocked: MockedPage, go: Callable[[], None]) -> None:
        mocked.respond("GET /rest/v1/orders", orders)
        mocked.respond("PATCH /rest/v1/orders", [{"id": ORDER_ID}])
        mocked.respond("POST /functions/v1/send-order-webhook", {"success": True}, status=status)
        mocked.respond("POST /functions/v1/send-tracking-webhook", {"success": True}, status=status)
        _admin()(mocked, go)
        mocked.page.get_by_role("button", name=button).click()

    return play


_ORDER, _SHIPPED = "Test Order Webhook", "Test Shipped Webhook"
page_state("webhook test without orders")(_latest(_ORDER, []))
page_state("order webhook test: Successful")(_latest(_ORDER, [order_row()]))
page_state("order webhook test: Failed")(_latest(_ORDER, [order_row()], 500))
page_state("shipped webhook test: Successful")(_latest(_SHIPPED, [order_row()]))
page_state("shipped webhook test: Failed")(_latest(_SHIPPED, [order_row()], 500))
