"""Makes an order of each state of sql/orders.toml, and each event happen to it: SQL as its callers call it."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from typing import Any

import psycopg
from _shared.clients.printify import PrintOrder
from _shared.clients.stripe_api import Dispute, Returned
from _shared.core.callers import Caller
from _shared.core.errors import ShopError
from _shared.orders.cancellation import Cancellation
from _shared.orders.fulfilment import Fulfilment
from _shared.orders.order_rpc import OrderRpc
from _shared.orders.orders import Order, Orders
from _shared.orders.refunds import Refunds

from tests.shop.integration.sql.orders.order_steps import money, pay, state, step
from tests.shop.unit.functions.samples import ADDRESS
from tests.simulation.crossings import Crossings
from tests.simulation.database import SimulatedData
from tools.order_table import Event, State, table

Db = Any
_TOTAL = 4570


def make(db: Db, wanted: State) -> str:
    """An order in this state, by the transitions that lead there, without open flags."""
    order = str(db.order())
    db.run("update public.orders set shipping_address = %s where id = %s", json.dumps(ADDRESS), order)
    if wanted.status == "pending" or "unpaid" in wanted.facts:
        if "cancelling" in wanted.facts:
            step(db, "request_cancellation", order, None, "x")
        if "unpaid" in wanted.facts:
            step(db, "cancel_unpaid_order", order, "x")
        return order
    pay(db, order)
    if "ordered" in wanted.facts or wanted.status in ("processing", "shipped", "delivered"):
        step(db, "begin_printing", order)
        step(db, "finish_printing", order, "po_1")
    if wanted.status in ("processing", "shipped", "delivered"):
        step(db, "record_progress", order, wanted.status)
    if wanted.status == "cancelled":
        step(db, "cancel_order", order, True)
    if "held" in wanted.facts:
        money(db, order, 0, dispute="needs_response")
    if "returned" in wanted.facts:
        money(db, order, _TOTAL, dispute="needs_response" if "held" in wanted.facts else "")
    if wanted.status == "paid" and "cancelling" in wanted.facts:
        step(db, "request_cancellation", order, None, "x")
    elif wanted.status == "paid":
        step(db, "withdraw_cancellation", order, "x")
    db.run("update public.order_flags set resolved_at = now() where order_id = %s", order)
    return order


def seen(db: Db, order: str) -> State:
    """The order's state as its row says."""
    row = state(db, order)
    facts = {
        "ordered": row["printify_order_id"],
        "held": row["held_at"],
        "cancelling": row["cancel_requested_at"],
        "returned": row["paid_at"] and row["refunded_cents"] == row["total_cents"],
        "unpaid": not row["paid_at"],
    }
    return table().state(row["status"], {fact for fact, holds in facts.items() if holds})


def happenings(event: Event) -> Iterator[Event]:
    """The event once for each status of a vendor that it stands for."""
    does = event.does
    if "printer" in does:
        for status in does["printer"]:
            yield Event(event.name, event.group, event.means, {"printer": status}, event.rows)
    elif isinstance(does.get("money", {}).get("dispute"), list):
        for status in does["money"]["dispute"]:
            told = {**does, "money": {"dispute": status}}
            yield Event(event.name, event.group, event.means, told, event.rows)
    else:
        yield event


def happen(db: Db, order: str, event: Event) -> tuple[str, str | None]:
    """The code with which it is refused, empty if it is not, and what SQL answers."""
    try:
        return "", _do(db, order, event.does)
    except psycopg.Error as error:
        return str(error.sqlstate), None
    except ShopError as problem:
        return problem.code, None


def door_code(db: Db, order: str, event: Event) -> str:
    """The code with which the event's function refuses it, before it calls any vendor; empty if it does not."""
    data = _data(db)
    nobody: Any = None
    rpc, orders = OrderRpc(data, 60), Orders(data, nobody, nobody, "")
    fulfilment = Fulfilment(nobody, orders, rpc, nobody, sends_to_production=True)
    cancellation = Cancellation(orders, rpc, nobody, fulfilment)
    doors: dict[str, Callable[[Order], object]] = {
        "cancel-order": lambda known: cancellation.cancel(known, Caller(), "x"),
        "refund-order": lambda known: Refunds(rpc, nobody, cancellation).refund(known, Caller(), "x"),
        "create-printify-order": fulfilment.submit,
    }
    try:
        doors[event.does["door"]](orders.get(order))
    except ShopError as problem:
        return problem.code
    return ""


def _do(db: Db, order: str, does: dict[str, Any]) -> str | None:
    if "call" in does:
        call = does["call"].replace(":order", "%(order)s")
        (row,) = db.as_named(does.get("as", "service"), f"select public.{call} as answer", {"order": order})
        return None if row["answer"] in (None, "") else str(row["answer"])
    if "money" in does:
        return _tell_money(db, order, **does["money"])
    if "by_hand" in does:
        db.as_("admin", "update public.orders set status = %s where id = %s", does["by_hand"], order)
    if "printer" in does:
        _hear_printer(db, order, does["printer"])
    if "fails" in does:
        for job in db.run(
            "select kind from public.order_jobs where order_id = %s and done_at is null", order
        ):
            assert step(db, "fail_job", order, job["kind"], "no answer", 0) is True
    return None


def _tell_money(
    db: Db, order: str, refunded: int = 0, dispute: str = "", *, failed: bool = False, overtaken: bool = False
) -> str:
    """Return what Stripe says after the event, of all of the order's money; the books must say it too."""
    row = state(db, order)
    before = row["refunded_cents"] - row["lost_cents"]
    still = dispute or ("needs_response" if row["held_at"] else "")
    returned = Returned(
        cents=0 if failed else min(before + refunded, _TOTAL),
        refund_id="re_1" if before or refunded else "",
        failed_refunds=("re_1",) if failed else (),
        disputes=(Dispute("du_1", still, _TOTAL, ""),) if still else (),
    )
    version = row["money_version"] - overtaken
    answer = OrderRpc(_data(db), 60).record_money(order, version, returned)
    if answer == "recorded":
        after = state(db, order)
        gone = min(returned.cents + returned.lost_cents, _TOTAL)
        assert (after["refunded_cents"], after["lost_cents"]) == (gone, min(returned.lost_cents, gone))
    return answer


class _Printer:
    """Printify with the one print order, in a status of its own words."""

    def __init__(self, order: str, status: str) -> None:
        parcel = "with a parcel" in status
        word = status.partition(" with")[0]
        self._print_order = PrintOrder(
            "po_1", order, word, parcel, status.endswith(", delivered"), "USPS" if parcel else "", "", ""
        )

    def order(self, _print_order_id: str) -> PrintOrder | None:
        return None if self._print_order.status == "missing" else self._print_order

    def send_to_production(self, _print_order_id: str) -> bool:
        return True

    def cancel_order(self, _print_order_id: str) -> bool:
        raise AssertionError("no event of the printer cancels")

    def create_order(self, **_sent: Any) -> str:
        raise AssertionError("no event of the printer makes a print order")


def _hear_printer(db: Db, order: str, status: str) -> None:
    """The webhook's work: the print order is looked up, and its status copied. Stripe has nothing new."""
    data = _data(db)
    nobody: Any = None
    orders = Orders(data, nobody, nobody, "")
    fulfilment = Fulfilment(
        _Printer(order, status),
        orders,
        OrderRpc(data, 60),
        lambda known: orders.get(known.id),
        sends_to_production=True,
    )
    fulfilment.handle_update("po_1")


class _Through:
    """The test's transaction, as `SimulatedData` reads and calls it."""

    def __init__(self, db: Db) -> None:
        self._db = db

    def as_service(self, query: str, values: list[object]) -> Any:
        return self._db.as_("service", query, *values)

    def documents_of(self, function: str) -> set[str]:
        return {"record_money": {"disputes"}, "note_order_event": {"about"}}.get(function, set())


def _data(db: Db) -> SimulatedData:
    through: Any = _Through(db)
    return SimulatedData(through, Crossings())
