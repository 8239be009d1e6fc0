"""Stripe and the printer: the emulators' own code in this process, called without a network, a loop or a thread."""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable, Coroutine
from pathlib import Path
from typing import Any

import httpx
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route
from starlette.types import ASGIApp, Message

from emulators.app import Emulators
from emulators.core.settings import Settings
from emulators.core.store import Document
from emulators.core.system import system
from emulators.printify import timeline
from emulators.printify import webhooks as printify_webhooks
from emulators.printify.paging import moment
from emulators.printify.webhooks import Webhooks
from emulators.stripe import account as stripe_account
from emulators.stripe.disputes import Outcome, is_open
from emulators.stripe.refunds import Status
from tests.simulation.crossings import ConnectionBroke, Crossings
from tests.support.stacks import ROOT

FUNCTIONS = "http://shop.invalid/functions/v1"
ADDRESS = "http://127.0.0.1:1"
_SIGNERS = {"stripe": stripe_account.sign, "printify": printify_webhooks.sign}


class InProcess(httpx.BaseTransport):
    """Calls an ASGI app that awaits nothing but its own body."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        body, sent = request.read(), list[Message]()

        async def receive() -> Message:
            return {"type": "http.request", "body": body, "more_body": False}

        async def send(message: Message) -> None:
            sent.append(message)

        path = request.url.path
        scope = {
            "type": "http", "asgi": {"version": "3.0"}, "http_version": "1.1", "method": request.method,
            "scheme": "http", "path": path, "raw_path": path.encode(), "root_path": "",
            "query_string": request.url.query, "client": ("127.0.0.1", 1), "server": ("127.0.0.1", 1),
            "headers": [(name.lower(), value) for name, value in request.headers.raw],
        }  # fmt: skip
        _run_at_once(self._app(scope, receive, send))
        content = b"".join(message.get("body", b"") for message in sent[1:])
        return httpx.Response(sent[0]["status"], headers=sent[0]["headers"], content=content)


def _run_at_once(work: Awaitable[None]) -> None:
    assert isinstance(work, Coroutine)
    try:
        work.send(None)
    except StopIteration:
        return
    raise AssertionError("A stand-in waits for something outside of the simulation.")


class Network(httpx.BaseTransport):
    """The transport of one process's clients. `hear` is told of every request that was answered."""

    def __init__(
        self, vendors: Vendors, crossings: Crossings, hear: Callable[[httpx.Request, httpx.Response], None]
    ) -> None:
        self._vendors = vendors
        self._crossings = crossings
        self._hear = hear

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        name = f"{request.method} {request.url.path.split('/')[1]}"
        try:
            return self._crossings.cross(name, lambda: self._answer(request))
        except ConnectionBroke as error:
            raise httpx.ReadError(str(error), request=request) from error

    def _answer(self, request: httpx.Request) -> httpx.Response:
        response = self._vendors.transport.handle_request(request)
        self._hear(request, response)
        return response


class Vendors:
    """Both vendors and what they have still to deliver."""

    def __init__(self, folder: Path) -> None:
        settings = Settings(
            1, folder, ROOT / "node_modules", vendors=("stripe", "printify"), functions_url=FUNCTIONS
        )
        emulators = Emulators(settings)
        self.store = emulators.store
        automation = Route("/automation", self._hear_automation, methods=["POST"])
        self.transport = InProcess(Starlette(routes=[*emulators.mounts, automation]))
        self._browser = httpx.Client(base_url=ADDRESS, transport=self.transport)
        self._printer_webhooks = Webhooks(emulators.store, emulators.faults)
        self._events: dict[str, dict[str, Any]] = {}

    def copy(self) -> list[tuple[str, Document]]:
        return list(self.store.export(()))

    def restore(self, documents: list[tuple[str, Document]]) -> None:
        self.store.replace_all(documents, ())
        self._events.clear()  # chance goes back too, and gives other messages the same ids

    async def _hear_automation(self, request: Request) -> Response:
        """The owner's own address."""
        self.store.put("automation.post", {"id": request.headers["idempotency-key"]})
        return Response()

    # Stripe

    def stripe(self, method: str, path: str, *, browser: bool = False, **data: str) -> dict[str, Any]:
        """By the browser's key, or by the owner's as the dashboard does."""
        key = "pk_test_emulator" if browser else "sk_test_emulator"
        headers = {"authorization": f"Bearer {key}"}
        prefix = "" if path.startswith("dashboard/") else "v1/"
        response = self._browser.request(
            method, f"/stripe/{prefix}{path}", data=data or None, headers=headers
        )
        answered: dict[str, Any] = response.json()
        return answered

    def answer_challenge(self, intent: dict[str, Any], outcome: str) -> None:
        self._browser.post(
            f"/stripe/challenge/{intent['id']}",
            params={"client_secret": intent["client_secret"]},
            content=f"outcome={outcome}",
        )

    def dispute(self, charge: Document, *, cents: int | None = None, inquiry: bool = False) -> None:
        amount = str(cents or charge["amount"])
        self.stripe(
            "POST", f"dashboard/charges/{charge['id']}/dispute", amount=amount, inquiry=str(inquiry).lower()
        )

    def decide(self, dispute: Document, outcome: Outcome) -> None:
        self.stripe("POST", f"dashboard/disputes/{dispute['id']}/decide", outcome=outcome)

    def open_disputes(self) -> list[Document]:
        return [one for one in self.store.list("stripe.dispute") if is_open(one)]

    def set_refund_status(self, refund: Document, status: Status) -> None:
        self.stripe("POST", f"dashboard/refunds/{refund['id']}/status", status=status)

    def pay_otherwise(self, order: str, cents: int) -> None:
        """By an intent that names the order and is not its own, as one whose making was never answered."""
        self.stripe(
            "POST",
            "payment_intents",
            amount=str(cents),
            currency="usd",
            confirm="true",
            payment_method="pm_card_visa",
            browser=False,
            **{"metadata[order_id]": order},
        )

    def kept(self, charge_id: str) -> int:
        """Return what the shop has of a charge: neither refunded nor lost to the bank."""
        (charge,) = (one for one in self.charges() if one["id"] == charge_id)
        lost = sum(
            one["amount"]
            for one in self.store.list("stripe.dispute")
            if one["charge"] == charge_id and one["status"] == "lost"
        )
        return int(charge["amount"] - charge["amount_refunded"] - lost)

    def charges(self) -> list[Document]:
        return [charge for charge in reversed(self.store.list("stripe.charge")) if charge["paid"]]

    def forget_keys(self) -> None:
        """Stripe keeps idempotency keys for a day."""
        for one in self.store.list("stripe.idempotency"):
            self.store.delete("stripe.idempotency", one["id"])

    # the printer

    def print_orders(self) -> list[Document]:
        return list(reversed(self.store.list("printify.order")))

    def move_print_orders(self) -> None:
        """Up to now."""
        self._browser.get("/printify/v1/shops/1/orders.json", headers=_PRINTER)

    def cancel_print_order(self, id: str) -> int:
        return self._browser.post(
            f"/printify/v1/shops/1/orders/{id}/cancel.json", headers=_PRINTER
        ).status_code

    def enter(self, print_order: Document, status: str) -> None:
        """The printer's own people, or its stock, have moved it."""
        before = print_order["shipments"]
        changes = timeline.enter(print_order, status, system.time())
        if status == "fulfilled" and before:
            print_order["shipments"] = [*before, *print_order["shipments"]]
        self._printer_said(print_order, changes)

    def ship_part(self, print_order: Document) -> None:
        """The first of two parcels."""
        self.enter(print_order, "fulfilled")
        self.enter(print_order, "partially-fulfilled")

    def arrive(self, print_order: Document) -> None:
        """The parcels that are underway."""
        for parcel in print_order["shipments"]:
            parcel["delivered_at"] = parcel["delivered_at"] or moment(system.time())
        self._printer_said(print_order, [timeline.Change("order:shipment:delivered", {})])

    def set_stock(self, is_there: bool) -> None:
        for product in self.store.list("printify.product"):
            variants = [{**row, "is_enabled": is_there} for row in product["variants"]]
            self.store.put("printify.product", {**product, "variants": variants})

    def _printer_said(self, print_order: Document, changes: list[timeline.Change]) -> None:
        self.store.put("printify.order", print_order)
        for change in changes:
            self._printer_webhooks.emit(change.topic, print_order["id"], "order", change.data)

    # deliveries

    def waiting(self) -> list[tuple[str, Document]]:
        """Deliveries not made yet, oldest event first, with their vendor."""
        return [
            (vendor, message)
            for vendor in _SIGNERS
            for message in reversed(self.store.list(f"{vendor}.delivery"))
        ]

    def drop(self, vendor: str, message: Document) -> None:
        self.store.delete(f"{vendor}.delivery", message["id"])

    def event_of(self, message: Document) -> dict[str, Any]:
        if message["id"] not in self._events:
            self._events[message["id"]] = json.loads(message["body"])
        return self._events[message["id"]]

    @staticmethod
    def signed(vendor: str, message: Document) -> dict[str, str]:
        return _SIGNERS[vendor](message)


_PRINTER = {"authorization": "Bearer printify_emulator_token", "user-agent": "simulation"}
