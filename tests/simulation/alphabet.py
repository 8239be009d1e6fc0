"""Events of an order: the letters of which the searches make words."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from emulators.stripe.disputes import Outcome
from emulators.stripe.refunds import Status
from tests.simulation.shop import ADMIN, SHOPPER
from tests.simulation.world import World

_MINUTE, _DAY = 60.0, 86_400.0
Letter = Callable[[World], bool]
"""Lets it happen; False where it cannot happen now."""

# Shoppers


def _place(world: World) -> bool:
    return bool(world.place(len(world.intents) + 1))


def _place_again(world: World) -> bool:
    return bool(world.order) and bool(world.place(len(world.intents)))


def _place_at_another_price(world: World) -> bool:
    if world.place(len(world.intents) + 1, cents=199):
        world.wrong.append("an order was placed at the browser's price")
    return True


def _pay(card: str) -> Letter:
    def pay(world: World) -> bool:
        return bool(world.order) and world.is_open() and bool(world.confirm(world.order, card))

    return pay


def _bank_check(outcome: str) -> Letter:
    def answer(world: World) -> bool:
        intent = world.intent()
        if intent is None or intent["status"] != "requires_action":
            return False
        world.vendors.answer_challenge(intent, outcome)
        return True

    return answer


def _finish_checkout(world: World) -> bool:
    return bool(world.order) and bool(world.finish_checkout(world.order))


def _cancel(who: str) -> Letter:
    return lambda world: bool(world.order) and bool(world.cancel(world.order, who))


# The owner


def _owner_refunds(world: World) -> bool:
    return bool(world.order) and bool(world.refund(world.order))


def _is_flagged(world: World) -> bool:
    return world.order in world.look().orders and world.look().orders[world.order]["is_flagged"]


def _take_up_again(world: World) -> bool:
    if not _is_flagged(world):
        return False
    world.take_up_again(world.order)
    return True


def _resolve(world: World) -> bool:
    if not _is_flagged(world):
        return False
    world.resolve_flags(world.order)
    return True


# Stripe, its dashboard, and the banks


def _another_amount(world: World) -> bool:
    """Somebody changes the intent at the dashboard."""
    intent = world.intent()
    if intent is None or not world.is_open():
        return False
    return "id" in world.vendors.stripe("POST", f"payment_intents/{intent['id']}", amount="1000")


def _pay_otherwise(world: World) -> bool:
    order = world.look().orders.get(world.order)
    if order is None or order["status"] == "cancelled":
        return False
    world.vendors.pay_otherwise(world.order, order["total_cents"])
    return True


def _stripe_refunds(cents: int | None) -> Letter:
    def refund(world: World) -> bool:
        charge = world.charge()
        if charge is None:
            return False
        kept = world.vendors.kept(charge["id"])
        if kept < (cents or 1):
            return False
        amount = str(cents or kept)
        return "id" in world.vendors.stripe("POST", "refunds", charge=charge["id"], amount=amount)

    return refund


def _refund_becomes(before: Status, after: Status) -> Letter:
    """The newest refund of the newest order; a bank may send one back days after it looked well."""

    def change(world: World) -> bool:
        charge = world.charge()
        refunds = [
            one
            for one in world.vendors.store.list("stripe.refund")
            if charge and one["charge"] == charge["id"] and one["status"] == before
        ]
        if not refunds:
            return False
        world.vendors.set_refund_status(refunds[0], after)
        return True

    return change


def _dispute(*, cents: int | None = None, inquiry: bool = False) -> Letter:
    def dispute(world: World) -> bool:
        charge = world.charge()
        if charge is None or charge["disputed"]:
            return False
        world.vendors.dispute(charge, cents=cents, inquiry=inquiry)
        return True

    return dispute


def _decide(outcome: Outcome) -> Letter:
    def decide(world: World) -> bool:
        disputes = world.vendors.open_disputes()
        for one in disputes:
            world.vendors.decide(one, outcome)
        return bool(disputes)

    return decide


def _answer_dispute(path: str, **sent: str) -> Letter:
    """At the dashboard."""

    def answer(world: World) -> bool:
        disputes = world.vendors.open_disputes()
        for one in disputes[:1]:
            world.vendors.stripe("POST", f"disputes/{one['id']}{path}", browser=False, **sent)
        return bool(disputes)

    return answer


# The printer

_PRODUCING = ("sending-to-production", "in-production")


def _printer_cancels(world: World) -> bool:
    made = world.print_order()
    if made is None or made["status"] in ("canceled", "partially-fulfilled", "fulfilled"):
        return False
    world.vendors.enter(made, "canceled")
    return True


def _printer_says(status: str, before: tuple[str, ...]) -> Letter:
    def say(world: World) -> bool:
        made = world.print_order()
        if made is None or made["status"] not in before:
            return False
        world.vendors.enter(made, status)
        return True

    return say


def printer_goes_on(world: World) -> bool:
    """Trouble with the newest order's is over."""
    made = world.print_order()
    if made is None or made["status"] not in TROUBLE:
        return False
    world.vendors.enter(made, "in-production" if made["sent_to_production_at"] else "on-hold")
    return True


def _ships_a_part(world: World) -> bool:
    made = world.print_order()
    if made is None or made["status"] != "in-production":
        return False
    world.vendors.ship_part(made)
    return True


def _parcel_arrives(world: World) -> bool:
    made = world.print_order()
    if made is None or all(parcel["delivered_at"] for parcel in made["shipments"]):
        return False
    world.vendors.arrive(made)
    return True


def _stock(is_there: bool) -> Letter:
    def change(world: World) -> bool:
        world.vendors.set_stock(is_there)
        return True

    return change


TROUBLE = ("has-issues", "payment-not-received", "quality-declined", "source-check-failed", "unfulfillable")

# Deliveries, time, and what is away


def _deliver(place: int, *, again: bool = False) -> Letter:
    def deliver(world: World) -> bool:
        waiting = world.vendors.waiting()
        if not waiting or (place == -1 and len(waiting) == 1):
            return False
        world.deliver(*waiting[place], again=again)
        return True

    return deliver


def _deliver_falsely(*, late: float = 0, ahead: float = 0) -> Letter:
    def deliver(world: World) -> bool:
        waiting = world.vendors.waiting()
        # the printer signs no time
        if not waiting or (late and waiting[0][0] == "printify"):
            return False
        world.deliver_falsely(*waiting[0], late=late, ahead=ahead)
        return True

    return deliver


def _lose(world: World) -> bool:
    waiting = world.vendors.waiting()
    if not waiting:
        return False
    world.lose(*waiting[0])
    return True


def _lose_all(world: World) -> bool:
    waiting = world.vendors.waiting()
    for vendor, message in waiting:
        world.lose(vendor, message)
    return bool(waiting)


def _mail_fails(world: World) -> bool:
    world.mailbox.is_away = not world.mailbox.is_away
    return True


def _sweep(world: World) -> bool:
    return bool(world.sweep())


def _wait(seconds: float) -> Letter:
    def wait(world: World) -> bool:
        world.clock.sleep(seconds)
        world.vendors.move_print_orders()
        if seconds >= _DAY:
            world.vendors.forget_keys()
        return True

    return wait


ALPHABET: Mapping[str, Letter] = {
    "place": _place,
    "place again": _place_again,
    "place at another price": _place_at_another_price,
    "pay": _pay("visa"),
    "declined": _pay("chargeDeclined"),
    "pay, the bank asks": _pay("authenticationRequired"),
    "bank check passed": _bank_check("complete"),
    "bank check failed": _bank_check("fail"),
    "pay, refund fails": _pay("refundFail"),
    "pay, refund waits": _pay("pendingRefund"),
    "pay, disputed at once": _pay("createDispute"),
    "pay, inquiry at once": _pay("createDisputeInquiry"),
    "finish checkout": _finish_checkout,
    "cancel": _cancel(SHOPPER),
    "owner cancels": _cancel(ADMIN),
    "owner refunds": _owner_refunds,
    "owner takes it up again": _take_up_again,
    "owner resolves": _resolve,
    "another amount at Stripe": _another_amount,
    "paid by another intent": _pay_otherwise,
    "refund at Stripe": _stripe_refunds(None),
    "part refund at Stripe": _stripe_refunds(500),
    "refund fails later": _refund_becomes("succeeded", "failed"),
    "refund waits for the customer": _refund_becomes("succeeded", "requires_action"),
    "refund is cancelled": _refund_becomes("requires_action", "canceled"),
    "dispute": _dispute(),
    "part dispute": _dispute(cents=700),
    "inquiry": _dispute(inquiry=True),
    "evidence": _answer_dispute("", **{"evidence[product_description]": "a shirt"}),
    "dispute accepted": _answer_dispute("/close"),
    "the bank decides for us": _decide("won"),
    "the bank decides against us": _decide("lost"),
    "printer cancels": _printer_cancels,
    "printer has issues": _printer_says("has-issues", ("on-hold", *_PRODUCING)),
    "printer is not paid": _printer_says("payment-not-received", ("on-hold", "sending-to-production")),
    "printer declines the quality": _printer_says("quality-declined", ("on-hold", *_PRODUCING)),
    "printer declines the source": _printer_says("source-check-failed", ("pending", "cost-calculation", "on-hold")),
    "printer has no stock": _printer_says("unfulfillable", ("on-hold", *_PRODUCING)),
    "printer goes on": printer_goes_on,
    "printer ships a part": _ships_a_part,
    "printer ships the rest": _printer_says("fulfilled", ("partially-fulfilled",)),
    "parcel arrives": _parcel_arrives,
    "out of stock": _stock(False),
    "in stock": _stock(True),
    "deliver the oldest": _deliver(0),
    "deliver the newest": _deliver(-1),
    "deliver, and again later": _deliver(0, again=True),
    "deliver with an old signature": _deliver_falsely(late=400),
    "deliver from the future": _deliver_falsely(ahead=400),
    "delivery is lost": _lose,
    "events are lost": _lose_all,
    "mail goes or comes": _mail_fails,
    "sweep": _sweep,
    "wait a minute": _wait(_MINUTE),
    "wait an hour": _wait(60 * _MINUTE),
    "wait a day": _wait(_DAY),
}  # fmt: skip
# Letters that come oftener in random walks than the others: without them an order does not get far.
OFTEN = {
    "place": 2, "pay": 4, "finish checkout": 3, "deliver the oldest": 5, "deliver the newest": 4, "sweep": 5,
    "wait a minute": 4, "in stock": 2,
}  # fmt: skip
# None of these is for the time of a request: a process lives for minutes.
ALONE = ("wait an hour", "wait a day", "deliver with an old signature")
# Every short word of these is walked, from every stage.
CORE = (
    "pay", "finish checkout", "deliver the oldest", "deliver the newest", "refund at Stripe", "part refund at Stripe",
    "dispute", "the bank decides against us", "cancel", "owner refunds", "sweep", "wait a minute", "wait a day",
)  # fmt: skip
# What is disturbed at each of its calls, and what may come between two of them.
REQUESTS = (
    "place again", "finish checkout", "deliver the oldest", "deliver the newest", "cancel", "owner refunds", "sweep",
)  # fmt: skip
MEANWHILE = (
    *REQUESTS, "pay", "refund at Stripe", "dispute", "the bank decides against us", "printer cancels", "wait a minute",
)  # fmt: skip
# How an order usually came so far.
STAGES: Mapping[str, tuple[str, ...]] = {
    "placed": ("place",),
    "charged": ("place", "pay"),
    "paid": ("place", "pay", "finish checkout"),
    "on hold": ("place", "pay", "finish checkout", "wait a minute"),
    "in production": ("place", "pay", "finish checkout", "wait a minute", "sweep", "wait a minute", "sweep"),
    "disputed": ("place", "pay", "finish checkout", "dispute", "deliver the newest"),
    "delivered": ("place", "pay", "finish checkout", "wait a minute", "sweep", "wait a day", "sweep"),
    "cancelled": ("place", "pay", "finish checkout", "cancel"),
}
