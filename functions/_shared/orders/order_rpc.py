"""Calls of the SQL functions that change an order: one transaction each, idempotent, safe under concurrency.

sql/migrations/…_order_transitions.sql and …_order_job_queue.sql say what each does; here they only get types.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, get_args

from _shared.core.data import Data, Row
from _shared.core.outcomes import one_of
from _shared.orders.orders import ORDER_STATUSES, OrderStatus

if TYPE_CHECKING:
    from _shared.clients.stripe_api import Returned  # most functions do without its library

SettleOutcome = Literal["paid", "cancelled", "mismatch", "paid_twice"]
PrintingOutcome = Literal["go", "printed", "cancelled", "unpaid", "held", "design_held"]
MoneyOutcome = Literal["recorded", "stale"]
RefundRequestOutcome = Literal["due", "refunded", "unpaid"]
JobKind = Literal["settle", "print", "track", "cancel", "stop_print", "refund", "dispute"]
Vendor = Literal["stripe", "printify"]
# what the functions flag; the SQL functions have reasons of their own
FlagReason = Literal[
    "print_order_missing",
    "printer_problem",
    "print_cancelled",
    "printed_although_cancelled",
    "refund_failed",
    "disputed",
]
_SETTLE_OUTCOMES: tuple[SettleOutcome, ...] = get_args(SettleOutcome)
_PRINTING_OUTCOMES: tuple[PrintingOutcome, ...] = get_args(PrintingOutcome)
_MONEY_OUTCOMES: tuple[MoneyOutcome, ...] = get_args(MoneyOutcome)
_REFUND_REQUEST_OUTCOMES: tuple[RefundRequestOutcome, ...] = get_args(RefundRequestOutcome)


@dataclass(frozen=True)
class Job:
    """A job of an order, leased to this process. `attempts` includes this one."""

    order_id: str
    kind: str
    attempts: int


@dataclass(frozen=True)
class Message:
    """A message about an order, leased to this process."""

    id: str
    order_id: str
    channel: str
    kind: str
    details: str


class OrderRpc:
    """Calls the functions as the service."""

    def __init__(self, data: Data, lease_seconds: int) -> None:
        self._data = data
        self._lease = lease_seconds

    # payment

    def settle(self, order_id: str, intent_id: str, cents: int, currency: str) -> SettleOutcome:
        outcome = self._call(
            "settle_order",
            of_order=order_id,
            intent=intent_id,
            received_cents=cents,
            received_currency=currency,
        )
        return one_of(_SETTLE_OUTCOMES, outcome)

    def cancel_unpaid(self, order_id: str, reason: str) -> None:
        self._call("cancel_unpaid_order", of_order=order_id, reason=reason)

    # printing

    def begin_printing(self, order_id: str) -> PrintingOutcome:
        return one_of(_PRINTING_OUTCOMES, self._call("begin_printing", of_order=order_id))

    def finish_printing(self, order_id: str, print_order_id: str) -> None:
        self._call("finish_printing", of_order=order_id, print_order=print_order_id)

    def record_progress(
        self,
        order_id: str,
        stage: Literal["processing", "shipped", "delivered"],
        *,
        carrier: str = "",
        number: str = "",
        url: str = "",
    ) -> None:
        self._call(
            "record_progress",
            of_order=order_id,
            stage=stage,
            parcel_carrier=carrier or None,
            parcel_number=number or None,
            parcel_url=url or None,
        )

    # cancelling and refunding

    def request_cancellation(self, order_id: str, actor_id: str, reason: str) -> OrderStatus:
        """The order's status: `pending` and `paid` orders can be cancelled from here on."""
        status = self._call(
            "request_cancellation", of_order=order_id, by_actor=actor_id or None, reason=reason
        )
        return one_of(ORDER_STATUSES, status)

    def withdraw_cancellation(self, order_id: str, reason: str) -> None:
        self._call("withdraw_cancellation", of_order=order_id, reason=reason)

    def cancel(self, order_id: str, *, print_is_stopped: bool) -> None:
        self._call("cancel_order", of_order=order_id, print_is_stopped=print_is_stopped)

    def request_refund(self, order_id: str, actor_id: str, reason: str) -> RefundRequestOutcome:
        outcome = self._call("request_refund", of_order=order_id, by_actor=actor_id or None, reason=reason)
        return one_of(_REFUND_REQUEST_OUTCOMES, outcome)

    def record_money(self, order_id: str, read_version: int, returned: Returned) -> MoneyOutcome:
        """`read_version` is the order's before Stripe was asked; `stale` when another answer was written since."""
        outcome = self._call(
            "record_money",
            of_order=order_id,
            read_version=read_version,
            refund=returned.refund_id or None,
            refunded=returned.cents,
            failed_refunds=list(returned.failed_refunds),
            disputes=[
                {"id": one.id, "status": one.status, "cents": one.cents, "due_by": one.due_by or None}
                for one in returned.disputes
            ],
            lost=returned.lost_cents,
            is_disputed=returned.is_disputed,
        )
        return one_of(_MONEY_OUTCOMES, outcome)

    # flags, the audit trail, vendors' events

    def flag(self, order_id: str, reason: FlagReason, details: str) -> None:
        self._call("flag_order", of_order=order_id, reason=reason, about=details)

    def note(self, order_id: str, kind: str, details: Mapping[str, object]) -> None:
        self._call("note_order_event", of_order=order_id, event_kind=kind, about=dict(details))

    def has_seen(self, vendor: Vendor, event_id: str) -> bool:
        return self._data.row("vendor_events", "id", {"vendor": vendor, "id": event_id}) is not None

    def mark_seen(self, vendor: Vendor, event_id: str, event_type: str, order_id: str) -> None:
        """Call it last: the vendor must repeat an event if its work failed."""
        self._call(
            "note_vendor_event",
            from_vendor=vendor,
            event_id=event_id,
            event_type=event_type,
            of_order=order_id or None,
        )

    # queues

    def claim_job(self) -> Job | None:
        """A due job that no other process has leased."""
        rows = self._data.call("claim_job", {"lease_seconds": self._lease})
        return _job(rows[0]) if rows else None

    def has_job(self, order_id: str, kind: JobKind) -> bool:
        """Tell whether the job is not done: due, or given up."""
        row = self._data.row("order_jobs", "kind", {"order_id": order_id, "kind": kind, "done_at": None})
        return row is not None

    def finish_job(self, job: Job, again_seconds: int | None = None) -> None:
        self._call("finish_job", of_order=job.order_id, job_kind=job.kind, again_seconds=again_seconds)

    def fail_job(self, job: Job, problem: str, most_attempts: int) -> None:
        self._call(
            "fail_job", of_order=job.order_id, job_kind=job.kind, problem=problem, most_attempts=most_attempts
        )

    def claim_message(self, order_id: str = "", kind: str = "") -> Message | None:
        """A due message that no other process has leased; or that one of the order's, if it is unsent."""
        named = {"of_order": order_id, "message_kind": kind} if order_id else {}
        rows = self._data.call("claim_message", {"lease_seconds": self._lease, **named})
        return _message(rows[0]) if rows else None

    def finish_message(self, message: Message) -> None:
        self._call("finish_message", message=message.id)

    def fail_message(self, message: Message, problem: str, most_attempts: int) -> None:
        self._call("fail_message", message=message.id, problem=problem, most_attempts=most_attempts)

    def record_sweep(self, figures: Mapping[str, int]) -> None:
        """A sweep has ended: the owner's check reads when that was."""
        self._call("record_sweep", figures=dict(figures))

    def _call(self, function: str, **arguments: object) -> object:
        return self._data.value(function, arguments)


def _job(row: Row) -> Job:
    return Job(order_id=str(row["order_id"]), kind=str(row["kind"]), attempts=int(row["attempts"]))


def _message(row: Row) -> Message:
    return Message(
        id=str(row["id"]),
        order_id=str(row["order_id"]),
        channel=str(row["channel"]),
        kind=str(row["kind"]),
        details=str(row["details"]),
    )
