"""The whole shop in one process and one thread: functions, vendors, mail server, shoppers, and Postgres by one step
at a time. Nothing happens in it but by a call of one of these methods."""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import httpx
from _shared.clients.smtp import Email
from _shared.core.errors import ShopError
from werkzeug.test import EnvironBuilder
from werkzeug.wrappers import Request

from emulators.core.store import Document
from emulators.core.system import system
from tests.simulation.clock import SimulatedClock
from tests.simulation.crossings import Crossings, Plan, ProcessDied
from tests.simulation.database import SimulatedDatabase
from tests.simulation.shop import ADMIN, SHOPPER, Mailbox, SimulatedShop, function
from tests.simulation.sight import Sight
from tests.simulation.turns import pause
from tests.simulation.vendors import Network, Vendors

_PRODUCT, _VARIANT = "5eed00000000000000000001", 12127
_LATER = "select extract(epoch from min(d.due) - now())::float as seconds from ({}) d"
_DUE = _LATER.format(
    "select greatest(due_at, leased_until) as due from public.order_jobs where done_at is null and gave_up_at is null"
    " union all select greatest(due_at, leased_until) from public.order_messages"
    " where sent_at is null and gave_up_at is null"
)
Hear = Callable[[httpx.Request, httpx.Response], None]


@dataclass(frozen=True)
class Mark:
    """A state of the world."""

    name: str
    elapsed: float
    documents: list[tuple[str, Document]]
    chance: Any
    intents: dict[str, dict[str, Any]]
    statuses: dict[str, str]
    unheard: frozenset[str]
    taken: frozenset[str]
    wrong: tuple[str, ...]
    mishaps: int
    mails: tuple[tuple[str, Email], ...]
    mail_is_away: bool


class World:
    """`folder` is for the vendors' state, whose time and chance are the clock's already."""

    def __init__(self, database: SimulatedDatabase, clock: SimulatedClock, folder: Path) -> None:
        self.database = database
        self.clock = clock
        self.vendors = Vendors(folder)
        self.mailbox = Mailbox()
        self.heard: list[Hear] = []
        """Told of every request to a vendor that was answered."""
        self.plan: Plan | None = None
        """What befalls the next request."""
        self.mishaps = 0
        """How many have befallen a request."""
        self.calls = 0
        """How many the shop's processes have made."""
        self.acknowledged: list[dict[str, Any]] = []
        """Events that were taken in the last step, for the first time."""
        self.taken: set[str] = set()
        """The ids of all that were."""
        self.wrong: list[str] = []
        """What may not happen, and has."""
        self.unheard: set[str] = set()
        """Orders of which an event was lost on its way."""
        self.intents: dict[str, dict[str, Any]] = {}
        """By order, as the browser was told."""
        self.statuses: dict[str, str] = {}
        """Of each order and print order, when the rules were looked at last."""
        self._open()

    # what there is

    @property
    def order(self) -> str:
        """The newest order; empty before one is placed."""
        return next(reversed(self.intents), "")

    def look(self) -> Sight:
        return Sight(self.database, self.vendors)

    def summary(self, sight: Sight) -> str:
        return sight.line(len(self.mailbox.taken))

    def is_open(self) -> bool:
        """Tell whether the order's intent can still be paid."""
        intent = self.intent()
        return intent is not None and str(intent["status"]).startswith("requires_")

    def intent(self) -> Document | None:
        """The newest order's."""
        placed = self.intents.get(self.order)
        return self.vendors.store.get("stripe.payment_intent", placed["id"]) if placed else None

    def charge(self) -> Document | None:
        """The order's payment."""
        intent = self.intent()
        paid = self.vendors.store.get("stripe.charge", str(intent["latest_charge"])) if intent else None
        return paid if paid and paid["paid"] else None

    def print_order(self) -> Document | None:
        """The newest order's."""
        return self.vendors.store.find("printify.order", "_external_id", self.order)

    def next_event(self) -> float | None:
        """Seconds until something is due; None when nothing is left to be done."""
        (row,) = self.database.run(_DUE)
        if self.vendors.waiting():
            return 1.0
        return None if row["seconds"] is None else max(1.0, float(row["seconds"]) + 0.001)

    def mark(self, name: str) -> Mark:
        """A place to go back to, as often as is wished, until the mark before it is gone back to."""
        self.database.mark(name)
        return Mark(
            name,
            self.clock.elapsed,
            self.vendors.copy(),
            system.random.getstate(),
            dict(self.intents),
            dict(self.statuses),
            frozenset(self.unheard),
            frozenset(self.taken),
            tuple(self.wrong),
            self.mishaps,
            tuple(self.mailbox.taken),
            self.mailbox.is_away,
        )

    def go_back(self, mark: Mark) -> None:
        self.database.go_back(mark.name)
        self.clock.elapsed = mark.elapsed
        self.vendors.restore(mark.documents)
        system.random.setstate(mark.chance)
        self.acknowledged.clear()
        self.intents, self.statuses = dict(mark.intents), dict(mark.statuses)
        self.unheard, self.taken = set(mark.unheard), set(mark.taken)
        self.wrong, self.mishaps = list(mark.wrong), mark.mishaps
        self.mailbox.taken, self.mailbox.is_away = list(mark.mails), mark.mail_is_away

    # the shop's door

    def call(self, slug: str, body: bytes, headers: dict[str, str]) -> tuple[int, dict[str, Any]]:
        """A new process takes one request. Status 0: it died before it answered."""
        builder = EnvironBuilder(method="POST", path=f"/{slug}", data=body, content_type="application/json")
        builder.headers.update(headers)
        environ = builder.get_environ()
        handle = getattr(function(slug), slug.replace("-", "_"))
        with self._process() as shop:
            response = handle(Request(environ), shop)
            return response.status_code, json.loads(response.get_data())
        return 0, {}

    def shop(self, crossings: Crossings | None = None) -> SimulatedShop:
        """As a new process has it."""
        crossings = crossings or Crossings()
        network = Network(self.vendors, crossings, self._hearing())
        return SimulatedShop(self.database, self.clock, network, self.mailbox, crossings)

    @contextmanager
    def _process(self) -> Iterator[SimulatedShop]:
        """A process, which may die inside."""
        plan, self.plan = self.plan, None
        crossings = Crossings(plan, pause)
        try:
            yield self.shop(crossings)
        except ProcessDied:
            pass
        finally:
            self.mishaps += crossings.has_befallen
            self.calls += crossings.count
            if crossings.is_endless:
                self.wrong.append("a request found no end")

    def ask(self, slug: str, body: dict[str, Any], who: str = SHOPPER) -> tuple[int, dict[str, Any]]:
        return self.call(slug, json.dumps(body).encode(), {"authorization": f"Bearer {who}"})

    # shoppers

    def place(self, cart: int = 1, cents: int = 1990) -> str:
        """The order's id; empty where there was no answer."""
        status, placed = self.ask("create-payment-intent", self._cart(cart, cents))
        if status != 200:
            return ""
        self.intents[placed["order_id"]] = {"id": placed["payment_intent_id"], **placed}
        return str(placed["order_id"])

    def confirm(self, order: str, card: str = "visa") -> str:
        """Stripe.js in the browser; the intent's status."""
        placed = self.intents[order]
        intent = self.vendors.stripe(
            "POST",
            f"payment_intents/{placed['id']}/confirm",
            browser=True,
            client_secret=placed["client_secret"],
            payment_method=f"pm_card_{card}",
        )
        return str(intent.get("status", "declined"))

    def finish_checkout(self, order: str) -> int:
        """Return what the page does once the card was taken."""
        status, _ = self.ask("update-order-status", {"order_id": order, "status": "paid"})
        if status == 200:
            body = {"orderId": order, "shippingAddress": {}, "lineItems": []}
            self.ask("create-printify-order", body)
            self.ask("send-order-webhook", {"order_id": order})
        return status

    def cancel(self, order: str, who: str = SHOPPER) -> int:
        return self.ask("cancel-order", {"order_id": order}, who)[0]

    # the owner

    def refund(self, order: str) -> int:
        return self.ask("refund-order", {"order_id": order, "reason": "owner"}, ADMIN)[0]

    def take_up_again(self, order: str) -> None:
        self.database.as_person(ADMIN, "select public.retry_order(%s)", [order])

    def resolve_flags(self, order: str) -> None:
        query = (
            "select public.resolve_order_flags(%s, array(select f.id from public.order_flags f"
            " where f.order_id = %s and f.resolved_at is null), 'Seen.')"
        )
        self.database.as_person(ADMIN, query, [order, order])

    def sweep(self) -> int:
        """The orders' part of it."""
        with self._process() as shop:
            try:
                shop.sweep.run()
            except ShopError as problem:
                return problem.status
            return 200
        return 0

    # vendors

    def deliver(self, vendor: str, message: Document, *, again: bool = False) -> int:
        """Sends a webhook; one that is taken is delivered, unless it is to come `again`."""
        headers = self.vendors.signed(vendor, message)
        event = self.vendors.event_of(message)
        # its work was done before by a process that died before it could say so: the answer tells nothing of now
        is_known = self._is_known(vendor, event["id"])
        status, _ = self.call(f"{vendor}-webhook", message["body"].encode(), headers)
        if status == 200:
            if event["id"] not in self.taken and not is_known:
                self.acknowledged.append({"vendor": vendor, **event})
            self.taken.add(event["id"])
            if not again:
                self.vendors.drop(vendor, message)
        return status

    def _is_known(self, vendor: str, event_id: str) -> bool:
        query = "select 1 from public.vendor_events where vendor = %s and id = %s"
        return bool(self.database.run(query, vendor, event_id))

    def lose(self, vendor: str, message: Document) -> None:
        """It never comes."""
        event = self.vendors.event_of(message)
        self.vendors.drop(vendor, message)
        if vendor == "stripe":
            self.unheard.add(self.look().order_of(event["data"]["object"]))

    def deliver_falsely(self, vendor: str, message: Document, *, late: float = 0, ahead: float = 0) -> None:
        """Signed too long ago, or made in the future: neither may be taken."""
        sent = message
        if ahead:
            event = json.loads(message["body"])
            event["created" if vendor == "stripe" else "created_at"] = self._moment(vendor, ahead)
            sent = {**message, "body": json.dumps(event)}
        headers = self.vendors.signed(vendor, sent)
        if late:
            self.clock.sleep(late)
        status, _ = self.call(f"{vendor}-webhook", sent["body"].encode(), headers)
        if status == 200:
            self.wrong.append(f"an old or a future event was taken: {self.vendors.event_of(message)['type']}")

    def _moment(self, vendor: str, ahead: float) -> int | str:
        moment = self.clock.time() + ahead
        return int(moment) if vendor == "stripe" else datetime.fromtimestamp(moment, UTC).isoformat()

    def _hearing(self) -> Hear:
        """Watches the requests of one process for a release to production of what is not paid.

        What Stripe has taken back after the process has looked there for the last time, it cannot know.
        """
        seen: dict[str, bool] = {}

        def hear(request: httpx.Request, response: httpx.Response) -> None:
            path = request.url.path
            if path == "/stripe/v1/refunds" and request.method == "GET":
                refund = {"object": "refund", "payment_intent": request.url.params["payment_intent"]}
                seen[self.look().order_of(refund)] = self._is_ours(refund["payment_intent"])
            elif path.endswith("/send_to_production.json") and response.status_code == 200:
                self._produced(path.split("/")[-2], seen)
            for tell in self.heard:
                tell(request, response)

        return hear

    def _produced(self, print_order_id: str, seen: dict[str, bool]) -> None:
        print_order = self.vendors.store.get("printify.order", print_order_id)
        assert print_order is not None
        order = str(print_order["_external_id"])
        if not seen.get(order) and not any(map(self._is_ours, self.look().intents_of(order))):
            self.wrong.append("production began for money that was returned or disputed")

    def _is_ours(self, intent: str) -> bool:
        money = self.look().money_of(intent)
        return money.kept > 0 and not money.is_disputed

    # what there is at the beginning

    def _open(self) -> None:
        run = self.database.run
        for person in (SHOPPER, ADMIN):
            run(
                "insert into auth.users (id, aud, role, email, raw_user_meta_data)"
                " values (%s, 'authenticated', 'authenticated', %s, '{}')",
                person,
                f"{person}@teesmith.example",
            )
        run("update public.profiles set is_admin = true where id = %s", ADMIN)
        (variant,) = run("select id from public.product_variants where printify_variant_id = %s", _VARIANT)
        self._variant = str(variant["id"])
        (design,) = run(
            "insert into public.designs (user_id, name, image_data, printify_product_id)"
            " values (%s, 'Surfing cat', 'aGk=', %s) returning id",
            SHOPPER,
            _PRODUCT,
        )
        self._design = str(design["id"])
        row = {
            "id": _VARIANT,
            "is_enabled": True,
            "cost": 900,
            "price": 1990,
            "title": "Black / XL",
            "sku": "1",
        }
        self.vendors.store.put(
            "printify.product", {"id": _PRODUCT, "title": "Surfing cat", "variants": [row]}
        )

    def _cart(self, number: int, cents: int) -> dict[str, Any]:
        return {
            "amount": cents, "currency": "usd",
            "shipping_address": {
                "first_name": "Ann", "last_name": "Lee", "email": "ann@teesmith.example",
                "phone_country_code": "+1", "phone": "3105551234", "country": "US", "region": "CA",
                "address1": f"{number} Main St", "address2": "", "city": "Beverly Hills", "zip": "90210",
            },
            "design_info": {"id": self._design},
            "order_items": [{"id": self._variant, "quantity": 1}],
        }  # fmt: skip


@contextmanager
def world(url: str, folder: Path, seed: int) -> Iterator[World]:
    """A fresh one; time and chance are the system's again afterwards."""
    database = SimulatedDatabase(url)
    clock = SimulatedClock(database.began, database.set_elapsed)
    try:
        with system.replaced(clock.time, random.Random(seed)):
            yield World(database, clock, folder)
    finally:
        database.close()
