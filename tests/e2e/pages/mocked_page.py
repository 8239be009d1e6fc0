"""A page of the running shop with mocked services, by Playwright's request interception."""

from __future__ import annotations

import base64
import json
import re
from dataclasses import dataclass
from typing import Any

from playwright.sync_api import Page, Route

DESIGN_ID = "00000000-0000-4000-8000-00000000d001"
ORDER_ID = "00000000-0000-4000-8000-0000000abcde"
OTHER_ID = "00000000-0000-4000-8000-00000000d002"
PIXEL = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
_CORS = {"access-control-allow-origin": "*", "access-control-expose-headers": "content-range"}

# Enough of Stripe.js for its React bindings: a card field that is complete from the start, a payment that succeeds.
_STRIPE = """
const make = complete => {
  const heard = {};
  const element = {
    mount() {
      setTimeout(() => {
        heard.ready?.();
        if (complete) heard.change?.({complete: true, elementType: 'card'});
      }, 0);
    },
    unmount() {}, destroy() {}, update() {},
    on(name, listener) { heard[name] = listener; return element; },
    off() { return element; }, once() { return element; },
  };
  const elements = {create: () => element, getElement: () => element, update() {}};
  return {
    version: 'endive', elements: () => elements, createToken() {}, createPaymentMethod() {},
    registerAppInfo() {}, _registerWrapper() {},
    confirmCardPayment: async () => ({paymentIntent: {status: 'succeeded'}}),
  };
};
window.Stripe = Object.assign(() => make(COMPLETE), {version: 'endive'});
"""


@dataclass(slots=True)
class MockedPage:
    """The page and the id of its user (empty for a visitor)."""

    page: Page
    person_id: str = ""

    def respond(
        self,
        call: str,
        body: Any = None,
        *,
        status: int = 200,
        total: int | None = None,
        only: str = "",
    ) -> None:
        """Responds to `METHOD /path`; `only` names what the query must hold. A body of `...` is never sent."""
        method, path = call.split(" ")
        headers = dict(_CORS)
        if total is not None:
            headers["content-range"] = f"0-0/{total}"

        def handle(route: Route) -> None:
            if route.request.method != method or only not in route.request.url:
                route.fallback()
            elif body is not ...:
                text = "" if body is None else json.dumps(body)
                route.fulfill(status=status, headers=headers, content_type="application/json", body=text)

        self.page.route(re.compile(re.escape(path) + r"(\?|$)"), handle)

    def pictures(self, status: int = 200) -> None:
        """Stored pictures of designs that are not in the database."""
        self.page.route(
            re.compile(r"/rest/v1/rpc/design_(picture|thumbnail)\?"),
            lambda route: route.fulfill(
                status=status, content_type="image/png", body=base64.b64decode(PIXEL) if status == 200 else ""
            ),
        )

    def break_off(self, path: str) -> None:
        """No response at all, as without a network."""
        self.page.route(re.compile(re.escape(path) + r"(\?|$)"), lambda route: route.abort())

    def stripe(self, *, complete: bool = True) -> None:
        """Cards that need no typing."""
        script = _STRIPE.replace("COMPLETE", json.dumps(complete))
        self.page.route(
            re.compile(r"/stripe/js/v3|js\.stripe\.com"),
            lambda route: route.fulfill(content_type="text/javascript", body=script),
        )

    def profile(self, **changes: Any) -> None:
        """Return who the visitor is."""
        person = {
            "id": self.person_id,
            "username": "vera",
            "name": "Vera Visitor",
            "is_admin": False,
            "public_name": None,
        }
        self.respond("GET /rest/v1/profiles", person | changes, only="is_admin")

    def no_clipboard(self) -> None:
        """The opened page's browser forbids copying."""
        self.page.evaluate(
            "() => { navigator.clipboard.writeText = () => Promise.reject(new Error('denied')) }"
        )


def design_row(**changes: Any) -> dict[str, Any]:
    """A design as its page reads it."""
    return {
        "id": DESIGN_ID,
        "name": "A fox",
        "image_data": PIXEL,
        "thumbnail_data": None,
        "image_url": None,
        "thumbnail_url": None,
        "printify_product_id": "p1",
        "selected_colors": [],
        "user_id": OTHER_ID,
        "created_at": "2026-11-01T10:00:00Z",
        "updated_at": "2026-11-01T10:00:00Z",
        "public_designs": None,
    } | changes


def shared_design_row(**changes: Any) -> dict[str, Any]:
    """A stranger's private design as its share link shows it."""
    return {
        "id": DESIGN_ID,
        "name": "A fox",
        "image_data": PIXEL,
        "thumbnail_data": None,
        "image_url": None,
        "selected_colors": [],
        "created_at": "2026-11-01T10:00:00Z",
        "is_public": False,
        "published_at": None,
        "creator_name": None,
        "is_owner": False,
    } | changes


def order_row(**changes: Any) -> dict[str, Any]:
    """An order with one line, of the columns that the specification names alone."""
    item = {
        "id": "i1",
        "quantity": 2,
        "unit_price": 19.9,
        "product_name": "A fox",
        "product_image_url": None,
        "product_size": "M",
        "product_color": "Navy",
    }
    return {
        "id": ORDER_ID,
        "total": 39.8,
        "status": "paid",
        "created_at": "2026-11-01T10:00:00Z",
        "tracking_url": None,
        "tracking_number": None,
        "carrier": None,
        "shipping_address": '{"first_name": "Vera", "city": "Springfield", "country": "US"}',
        "printify_order_id": "p1",
        "order_items": [item],
    } | changes


def gallery_row(**changes: Any) -> dict[str, Any]:
    """A public design as the gallery reads it."""
    design: dict[str, Any] = {
        "id": DESIGN_ID,
        "name": "A fox",
        "has_thumbnail": False,
        "thumbnail_url": None,
        "printify_product_id": None,
        "selected_colors": [],
        "created_at": "2026-11-01T10:00:00Z",
    }
    return {
        "id": "00000000-0000-4000-8000-0000000000a1",
        "user_id": OTHER_ID,
        "created_at": "2026-11-05T10:00:00Z",
        "like_count": 0,
        "designs": design | changes,
    }
