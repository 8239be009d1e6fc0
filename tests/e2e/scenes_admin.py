"""More states of tests/e2e/texts.json: the admin panel."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tests.e2e.scenes import FAILURE, Scene, scene
from tests.e2e.stage import ORDER_ID, OTHER_ID, Stage, design_row, order_row

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


def _admin(call: str = _ANALYTICS, body: Any = None, status: int = 200) -> Scene:
    def play(stage: Stage, go: Callable[[], None]) -> None:
        stage.profile(is_admin=True)
        stage.answer(call, [_PERSON] if body is None else body, status=status)
        go()

    return play


scene("admin")(_admin())
scene("admin, no users")(_admin(body=[]))
scene("admin, no orders")(_admin("GET /rest/v1/orders", []))
scene("admin, orders fail")(_admin("GET /rest/v1/orders", FAILURE, 400))
scene("admin, no designs")(_admin("GET /rest/v1/designs", []))
scene("admin, designs fail")(_admin("GET /rest/v1/designs", FAILURE, 400))


@scene("admin, users fail")
def _(stage: Stage, go: Callable[[], None]) -> None:
    # The two further tries come seconds later: this page's clock runs ahead.
    stage.page.clock.install()
    _admin(body=FAILURE, status=400)(stage, go)
    for _try in range(3):
        stage.page.clock.run_for(4000)
        stage.page.wait_for_load_state("networkidle")


@scene("admin, designs")
def _(stage: Stage, go: Callable[[], None]) -> None:
    rows = [design_row(), design_row(id=ORDER_ID, printify_product_id=None)]
    stage.answer("GET /rest/v1/profiles", [], only="id=in")
    _admin("GET /rest/v1/designs", rows)(stage, go)


def _role(body: Any, status: int) -> Scene:
    def play(stage: Stage, go: Callable[[], None]) -> None:
        stage.answer("PATCH /rest/v1/profiles", body, status=status)
        _admin(body=[_PERSON, _PERSON | {"user_id": ORDER_ID, "name": "Ada", "is_admin": True}])(stage, go)
        stage.page.get_by_role("button", name="Make Admin: Bob").click()

    return play


scene("admin changes a role")(_role([{"id": OTHER_ID}], 200))
scene("admin cannot change a role")(_role(FAILURE, 400))


def _webhook(body: Any, status: int = 200) -> Scene:
    def play(stage: Stage, go: Callable[[], None]) -> None:
        stage.answer("POST /functions/v1/test-webhook", body, status=status)
        _admin()(stage, go)
        stage.page.get_by_label("Webhook URL").fill("https://example.com/hook")
        stage.page.get_by_role("button", name="Test Webhook", exact=True).click()

    return play


scene("webhook test: Successful")(_webhook({"status": 200, "ok": True, "body": "thanks"}))
scene("webhook test: Failed")(_webhook({"status": 500, "ok": False, "body": "oops"}))
scene("webhook test: Error")(_webhook({"error": "That address is private.", "code": "no"}, 400))


def _latest(button: str, orders: list[dict[str, Any]], status: int = 200) -> Scene:
    def play(stage: Stage, go: Callable[[], None]) -> None:
        stage.answer("GET /rest/v1/orders", orders)
        stage.answer("PATCH /rest/v1/orders", [{"id": ORDER_ID}])
        stage.answer("POST /functions/v1/send-order-webhook", {"success": True}, status=status)
        stage.answer("POST /functions/v1/send-tracking-webhook", {"success": True}, status=status)
        _admin()(stage, go)
        stage.page.get_by_role("button", name=button).click()

    return play


_ORDER, _SHIPPED = "Test Order Webhook", "Test Shipped Webhook"
scene("webhook test without orders")(_latest(_ORDER, []))
scene("order webhook test: Successful")(_latest(_ORDER, [order_row()]))
scene("order webhook test: Failed")(_latest(_ORDER, [order_row()], 500))
scene("shipped webhook test: Successful")(_latest(_SHIPPED, [order_row()]))
scene("shipped webhook test: Failed")(_latest(_SHIPPED, [order_row()], 500))
