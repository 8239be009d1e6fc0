"""Rules for every step, and for every order once the faults have ended."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

from tests.simulation.sight import Sight
from tests.simulation.world import World
from tools.order_table import table

_FLAG_OF = {"refund.failed": "refund_failed", "charge.dispute.created": "disputed"}
# As the order is where what the printer says has not come into the books.
_BEHIND = {"in-production": ("paid",), "fulfilled": ("paid", "processing")}
_PAID = ("paid", "processing", "shipped", "delivered")
# What a flag must speak of to excuse it.
_ANOTHER_PAYMENT = {"amount_mismatch", "paid_twice"}
_NOT_RETURNED = {"refund_failed"}
_NOT_PRINTED = {
    "print_failed", "printer_problem", "print_cancelled", "print_order_missing", "track_failed",
    "settle_failed", "cancel_failed", "dispute_failed",
}  # fmt: skip
_STILL_PRINTED = {"printed_although_cancelled", "stop_print_failed"}
_PRINTED_FOR_NOTHING = {"money_returned", "returned_twice"}


def violations(world: World, sight: Sight) -> list[str]:
    """Rules that are broken now."""
    found = [
        *world.wrong,
        *_forgotten(world, sight),
        *_books(world, sight),
        *_printed(sight),
        *_mailed(world),
        *_sent(world, sight),
        *_steps(world, sight),
        *_totals(sight),
    ]
    world.acknowledged.clear()
    return found


def _forgotten(world: World, sight: Sight) -> Iterator[str]:
    """Yield what an event says that was acknowledged is in the books at once."""
    for event in world.acknowledged:
        kind, subject = event["type"], event["data"]["object"] if event["vendor"] == "stripe" else {}
        order = sight.orders.get(sight.order_of(subject)) if subject else None
        if event["vendor"] == "printify":
            yield from _unheeded(event, world, sight)
        # a payment that is not the order's own was flagged, and a person sees to what becomes of it
        if order is None or (not order["is_paid"] and _ANOTHER_PAYMENT & {*order["flags"]}):
            continue
        if kind == "payment_intent.succeeded" and not order["is_paid"] and not order["flags"]:
            yield f"{kind} was acknowledged, and the order is not paid"
        if kind in _FLAG_OF and _FLAG_OF[kind] not in order["flags"]:
            yield f"{kind} was acknowledged, and nobody was told"
        # what has changed at Stripe since then has an event of its own
        if kind == "charge.refunded" and subject["payment_intent"] == order["payment_intent_id"]:
            said = min(subject["amount_refunded"], sight.money_of(subject["payment_intent"]).refunded)
            if said > order["refunded_cents"]:
                yield f"{kind} was acknowledged, and the books say {order['refunded_cents']} cents"


def _unheeded(event: dict[str, Any], world: World, sight: Sight) -> Iterator[str]:
    """Yield what the printer has told of an order, and says still."""
    said = next((one for one in sight.print_orders if one["id"] == event["resource"]["id"]), None)
    # what the printer has said since the process asked has an event or a look of its own
    if said is None or world.statuses.get(said["id"]) != said["status"]:
        return
    order = sight.orders.get(str(said["_external_id"]))
    if order and order["status"] in _BEHIND.get(said["status"], ()):
        yield f"{event['type']} was acknowledged, and the order is {order['status']}"


def _books(world: World, sight: Sight) -> Iterator[str]:
    """To the cent what Stripe says, unless an event is underway or was lost."""
    for order in sight.orders.values():
        if order["id"] in sight.underway or order["id"] in world.unheard:
            continue
        yield from _difference(order, sight)


def _difference(order: dict[str, Any], sight: Sight) -> Iterator[str]:
    money = sight.money_of(order["payment_intent_id"])
    books = order["total_cents"] - order["refunded_cents"] if order["is_paid"] else 0
    if books != max(0, money.kept) and not (_ANOTHER_PAYMENT & {*order["flags"]} and not order["is_paid"]):
        yield f"the books say {books} cents, Stripe {money.kept}"
    if order["is_paid"] and order["lost_cents"] != min(money.lost, order["total_cents"]):
        yield f"the books say {order['lost_cents']} cents lost, Stripe {money.lost}"
    if order["is_paid"] and order["is_held"] != money.is_disputed:
        yield "held without a dispute" if order["is_held"] else "disputed, and not held"


def _printed(sight: Sight) -> Iterator[str]:
    made = Counter(str(one["_external_id"]) for one in sight.print_orders if one["status"] != "canceled")
    for id, count in made.items():
        if count > 1:
            yield f"{count} print orders for one order"
        if id not in sight.orders:
            yield "a print order for no order"
    for one in sight.print_orders:
        order = sight.orders.get(str(one["_external_id"]))
        parcels = one["shipments"]
        is_there = one["status"] == "fulfilled" and all(parcel["delivered_at"] for parcel in parcels)
        if order and order["status"] == "delivered" and not is_there:
            yield f"delivered, and the printer says {one['status']}"


def _mailed(world: World) -> Iterator[str]:
    """Each letter once, whose copies (by Message-ID) are no more than processes that were disturbed."""
    letters = Counter((key, email.to, email.subject) for key, email in world.mailbox.taken)
    sent = Counter((to, subject) for _, to, subject in letters)
    for (_, subject), count in sent.items():
        if count > 1:
            yield f"mailed {count} times: {subject[:-8]}"
    if letters.total() - len(letters) > world.mishaps:
        yield "mailed again without a cause"


def _sent(world: World, sight: Sight) -> Iterator[str]:
    """Yield what the books call sent has come."""
    came = {
        "mail": {key for key, _ in world.mailbox.taken},
        "automation": {one["id"] for one in world.vendors.store.list("automation.post")},
    }
    for channel, keys in sight.sent.items():
        if not came[channel].issuperset(keys):
            yield f"a message is called sent by {channel}, and never came"


def _steps(world: World, sight: Sight) -> Iterator[str]:
    for id, order in sight.orders.items():
        before = world.statuses.get(id, "pending")
        if before != order["status"] and order["status"] not in table().later(before):
            yield f"an order went from {before} to {order['status']}"
        world.statuses[id] = order["status"]
    world.statuses.update({one["id"]: one["status"] for one in sight.print_orders})


def _totals(sight: Sight) -> Iterator[str]:
    paid = [order for order in sight.orders.values() if order["status"] in _PAID]
    spent = sum(order["total_cents"] - order["refunded_cents"] for order in paid)
    if sight.totals != {"shop": [len(paid), spent], "users": [len(paid), spent]}:
        yield f"the totals are {sight.totals}, the rows come to {len(paid)}, {spent}"


def unfinished(sight: Sight) -> list[str]:
    """Orders that are neither printed and paid, nor refunded, nor flagged for it, now that all is calm."""
    prints = {str(one["_external_id"]): one for one in sight.print_orders}
    return [
        problem
        for order in sight.orders.values()
        for problem in _unfinished(order, prints.get(order["id"]), sight)
    ]


def _unfinished(order: dict[str, Any], printed: dict[str, Any] | None, sight: Sight) -> Iterator[str]:
    flags = {*order["flags"]}
    yield from _difference(order, sight)
    kept = sum(max(0, sight.money_of(intent).kept) for intent in sight.intents_of(order["id"]))
    own = max(0, sight.money_of(order["payment_intent_id"]).kept) if order["is_paid"] else 0
    if kept != own and not flags & _ANOTHER_PAYMENT:
        yield f"{kept - own} cents of another payment are kept"
    status = order["status"]
    is_stopped = printed is None or printed["status"] == "canceled"
    if status == "cancelled":
        if own and not flags & _NOT_RETURNED:
            yield f"cancelled with {own} cents kept"
        if not is_stopped and not flags & _STILL_PRINTED:
            yield f"cancelled, and the print order is {printed and printed['status']}"
    elif status != "delivered":
        excuses = _NOT_PRINTED | (_ANOTHER_PAYMENT if status == "pending" else set())
        if not flags & excuses:
            yield f"left as {status}, print order {printed and printed['status']}"
    elif is_stopped:
        yield f"delivered, print order {printed and printed['status']}"
    elif not own and order["refund_reason"] is None and not flags & _PRINTED_FOR_NOTHING:
        yield "printed for money that was wholly returned, and nobody was told"
