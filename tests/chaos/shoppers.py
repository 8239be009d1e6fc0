"""Shoppers with the requests of the shop's own web client, who press the button again or close the page."""

from __future__ import annotations

import random
import threading
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import httpx

from tests.chaos.plan import Checkout
from tests.support.stacks import Stack

Json = dict[str, Any]
_CARDS = {
    "good": "pm_card_visa",
    "declined": "pm_card_chargeDeclined",
    "challenge": "pm_card_authenticationRequired",
    "challenge_failed": "pm_card_authenticationRequired",
}
_PATIENCE = 12


@dataclass(frozen=True)
class Goods:
    """A purchase: a design's product in one size, by a signed-in person."""

    token: str
    design_id: str
    product_id: str
    variant: Json


@dataclass
class Visit:
    """The shopper's view. `charged` is the amount on their card statement."""

    checkout: Checkout
    order_ids: set[str] = field(default_factory=set)
    intent_id: str = ""
    confirmed: bool = False
    gave_up: bool = False
    was_limited: bool = False
    requested_cancellation: bool = False
    was_returned: bool = False
    problems: int = 0


class Shop:
    """The browser's side of the wire. `goods` are each shopper's, `patience` is how often a button is pressed."""

    def __init__(self, stack: Stack, goods: Sequence[Goods], seed: int, patience: int = _PATIENCE) -> None:
        self._stack = stack
        self._goods = goods
        self._seed = seed
        self._patience = patience
        self._http = httpx.Client(timeout=30)
        self._lock = threading.Lock()

    def email(self, checkout: Checkout) -> str:
        return f"chaos-{self._seed}-{checkout.number}@example.com"

    def visit(self, checkout: Checkout) -> Visit:
        """A whole visit. It never raises: an error counts as a problem of the visit."""
        visit = Visit(checkout)
        seeded = random.Random(f"{self._seed}:{checkout.number}")
        placed = self._press_until_response(visit, lambda: self._place(visit), seeded)
        if placed is None:
            visit.gave_up = True
            return visit
        visit.intent_id = placed["payment_intent_id"]
        self._pay(visit, placed, seeded)
        if visit.confirmed:
            if checkout.is_returned:
                visit.was_returned = bool(
                    self._press_until_response(visit, lambda: self._return(visit.intent_id), seeded)
                )
            self._finish_checkout(visit, placed["order_id"], seeded)
        return visit

    def _place(self, visit: Visit) -> Json | None:
        body = self._body(visit.checkout)
        if not visit.checkout.double_click:
            return self._call(visit, "create-payment-intent", body)
        with ThreadPoolExecutor(2) as fingers:
            responses = list(
                fingers.map(lambda _: self._call(visit, "create-payment-intent", body), range(2))
            )
        return next((response for response in responses if response), None)

    def _pay(self, visit: Visit, placed: Json, seeded: random.Random) -> None:
        card = visit.checkout.card
        if card == "declined_then_good":
            self._press_until_response(visit, lambda: self._confirm(placed, "declined"), seeded)
            card = "good"
        response = self._press_until_response(visit, lambda: self._confirm(placed, card), seeded)
        if response and response["status"] == "requires_action":
            outcome = "complete" if card == "challenge" else "fail"
            response = self._press_until_response(
                visit, lambda: self._finish_challenge(placed, outcome), seeded
            )
        visit.confirmed = bool(response and response["status"] == "succeeded")

    def _finish_checkout(self, visit: Visit, order_id: str, seeded: random.Random) -> None:
        steps: list[tuple[str, Json]] = [
            ("update-order-status", {"order_id": order_id, "status": "paid"}),
            ("create-printify-order", {"orderId": order_id, "shippingAddress": {}, "lineItems": []}),
            ("send-order-webhook", {"order_id": order_id}),
        ]
        for slug, body in steps[: visit.checkout.leaves]:
            self._press_until_response(visit, partial(self._call, visit, slug, body), seeded, most=2)
        if visit.checkout.cancels:
            visit.requested_cancellation = True
            self._press_until_response(
                visit, lambda: self._call(visit, "cancel-order", {"order_id": order_id}), seeded, most=3
            )

    def _press_until_response(
        self, visit: Visit, press: Callable[[], Json | None], seeded: random.Random, most: int = 0
    ) -> Json | None:
        """Presses the button until there is a response."""
        for _ in range(most or self._patience):
            try:
                response = press()
            except (httpx.HTTPError, ValueError):
                response = None
            if response is not None:
                return response
            visit.problems += 1
            time.sleep(seeded.uniform(0.1, 0.6))
        return None

    def _call(self, visit: Visit, slug: str, body: Json) -> Json | None:
        response = self._http.post(
            f"{self._stack.api_url}/functions/v1/{slug}",
            json=body,
            headers={
                "apikey": self._stack.publishable_key,
                "authorization": f"Bearer {self._goods[visit.checkout.shopper].token}",
            },
        )
        placed: Json = response.json()
        visit.was_limited |= response.status_code == 429
        if response.status_code != 200:
            return {} if response.status_code == 409 and slug != "create-payment-intent" else None
        if "order_id" in placed:
            with self._lock:
                visit.order_ids.add(placed["order_id"])
        return placed

    def _confirm(self, placed: Json, card: str) -> Json | None:
        """Stripe.js's confirmation. Returns its result, declined cards included, or None without a response."""
        secret = placed["client_secret"]
        response = self._http.post(
            f"{self._stack.emulators_url}/stripe/v1/payment_intents/{placed['payment_intent_id']}/confirm",
            data={"key": "pk_test_emulator", "client_secret": secret, "payment_method": _CARDS[card]},
        )
        body: Json = response.json()
        if response.status_code == 200:
            return body
        if response.status_code == 402:
            return {"status": "declined"}
        intent: Json = body["error"].get("payment_intent") or {}
        return intent if intent.get("status") in ("succeeded", "canceled") else None

    def _finish_challenge(self, placed: Json, outcome: str) -> Json | None:
        """The bank's page in its frame, and then Stripe.js's look at what came of it."""
        base, intent = f"{self._stack.emulators_url}/stripe", placed["payment_intent_id"]
        secret = {"client_secret": placed["client_secret"]}
        self._http.post(f"{base}/challenge/{intent}", params=secret, content=f"outcome={outcome}")
        response = self._http.get(
            f"{base}/v1/payment_intents/{intent}", params={"key": "pk_test_emulator", **secret}
        )
        body: Json = response.json()
        return body if body.get("status") in ("succeeded", "requires_payment_method") else None

    def _return(self, intent: str) -> Json | None:
        """The owner's whole refund in Stripe's dashboard."""
        response = self._http.post(
            f"{self._stack.emulators_url}/stripe/v1/refunds",
            data={"payment_intent": intent},
            headers={"idempotency-key": f"dashboard-{intent}"},
            auth=("sk_test_emulator", ""),
        )
        body: Json = response.json()
        return body if response.status_code == 200 else None

    def _body(self, checkout: Checkout) -> Json:
        home = checkout.country == "US"
        goods = self._goods[checkout.shopper]
        return {
            "amount": checkout.cents,
            "currency": "usd",
            "shipping_address": {
                "first_name": "Ann", "last_name": "Lee", "email": self.email(checkout),
                "phone_country_code": "+1", "phone": "3105551234", "country": checkout.country,
                "region": "CA" if home else "ON", "address1": f"{checkout.number} Main St", "address2": "",
                "city": "Beverly Hills" if home else "Toronto", "zip": "90210" if home else "M5H 1A1",
            },
            "order_details": {"total_quantity": checkout.quantity, "product_price": 19.9, "shipping_cost": 0},
            "design_info": {"id": goods.design_id},
            "order_items": [
                {"id": goods.variant["id"], "quantity": checkout.quantity, "product_id": goods.product_id}
            ],
        }  # fmt: skip
