"""A page of the running shop with mocked services, by the browser's own interception of requests."""

from __future__ import annotations

import base64
import json
from dataclasses import dataclass
from typing import Any

from playwright.sync_api import Page

DESIGN_ID = "00000000-0000-4000-8000-00000000d001"
ORDER_ID = "00000000-0000-4000-8000-0000000abcde"
OTHER_ID = "00000000-0000-4000-8000-00000000d002"
PIXEL = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
_CORS = {
    "access-control-allow-origin": "*",
    "access-control-expose-headers": "content-range",
    # the next state of the page has another response
    "cache-control": "no-store",
}

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


@dataclass(frozen=True, slots=True)
class _Mock:
    """A response to the requests of a method whose path ends so. Without a status it never comes, with 0 it fails."""

    method: str
    path: str
    only: str
    status: int | None
    headers: dict[str, str]
    body: bytes

    def concerns(self, method: str, url: str) -> bool:
        path = url.partition("?")[0]
        return self.method in ("", method) and path.endswith(self.path) and self.only in url


class MockedPage:
    """The page and the id of its user (empty for a visitor).

    The browser is asked to pause the mocked requests alone, and keeps its cache: with Playwright's own routes it pauses
    every request and loads each program anew, which doubles a page's processor time.
    """

    def __init__(self, page: Page, person_id: str = "") -> None:
        self.page, self.person_id = page, person_id
        self._mocks: list[_Mock] = []
        self._session = page.context.new_cdp_session(page)
        self._session.on("Fetch.requestPaused", self._answer)

    def close(self) -> None:
        """Lets all requests pass again."""
        self._session.detach()

    def _mock(self, mock: _Mock) -> None:
        self._mocks.append(mock)
        patterns = [{"urlPattern": f"*{each.path}*"} for each in self._mocks]
        self._session.send("Fetch.enable", {"patterns": patterns})

    def _answer(self, paused: dict[str, Any]) -> None:
        request, paused_id = paused["request"], {"requestId": paused["requestId"]}
        mocks = (each for each in reversed(self._mocks) if each.concerns(request["method"], request["url"]))
        if request["method"] == "OPTIONS":
            asked = {name.lower(): value for name, value in request["headers"].items()}
            allowed = {
                "access-control-allow-methods": asked.get("access-control-request-method", "*"),
                "access-control-allow-headers": asked.get("access-control-request-headers", "*"),
            }
            self._fulfill(paused_id, 204, _CORS | allowed, b"")
        elif (mock := next(mocks, None)) is None:
            self._session.send("Fetch.continueRequest", paused_id)
        elif mock.status == 0:
            self._session.send("Fetch.failRequest", paused_id | {"errorReason": "Failed"})
        elif mock.status is not None:
            self._fulfill(paused_id, mock.status, _CORS | mock.headers, mock.body)

    def _fulfill(self, paused_id: dict[str, str], status: int, headers: dict[str, str], body: bytes) -> None:
        response = {
            "responseCode": status,
            "responseHeaders": [{"name": name, "value": value} for name, value in headers.items()],
            "body": base64.b64encode(body).decode(),
        }
        self._session.send("Fetch.fulfillRequest", paused_id | response)

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
        headers = {"content-type": "application/json"}
        if total is not None:
            headers["content-range"] = f"0-0/{total}"
        text = "" if body is None or body is ... else json.dumps(body)
        self._mock(_Mock(method, path, only, None if body is ... else status, headers, text.encode()))

    def pictures(self, status: int = 200) -> None:
        """Stored pictures of designs that are not in the database."""
        pixel = base64.b64decode(PIXEL) if status == 200 else b""
        for kind in ("picture", "thumbnail"):
            path = f"/rest/v1/rpc/design_{kind}"
            self._mock(_Mock("", path, "", status, {"content-type": "image/png"}, pixel))

    def break_off(self, path: str) -> None:
        """No response at all, as without a network."""
        self._mock(_Mock("", path, "", 0, {}, b""))

    def stripe(self, *, complete: bool = True) -> None:
        """Cards that need no typing."""
        script = _STRIPE.replace("COMPLETE", json.dumps(complete))
        self._mock(_Mock("", "/stripe/js/v3", "", 200, {"content-type": "text/javascript"}, script.encode()))

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
        "user_id": OTHER_ID,
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
