"""The scheduled sweep: finishes what a crash, a closed page or a vendor's outage has interrupted.

Takes due jobs one after the other under a lease, does each through the same rules as the browser's functions and the
webhooks, then sends what waits in the outbox, compares Stripe's payments with the books, and at night the shop's totals
with their rows. Several sweeps at once share the work.
"""

from __future__ import annotations

from typing import assert_never, get_args

from _shared.core.clock import Clock
from _shared.core.errors import ShopError
from _shared.core.logs import log_context, log_trouble
from _shared.core.outcomes import one_of
from _shared.orders.cancellation import Cancellation
from _shared.orders.fulfilment import Fulfilment
from _shared.orders.money_check import MoneyCheck
from _shared.orders.notifications import Notifications
from _shared.orders.order_rpc import Job, JobKind, OrderRpc
from _shared.orders.orders import Order, Orders
from _shared.orders.payments import Payments
from _shared.orders.total_checks import TotalChecks

_JOB_KINDS: tuple[JobKind, ...] = get_args(JobKind)
_FIGURES = ("jobs", "failed_jobs", "messages", "failed_messages", "wrong_payments", "wrong_totals")
_BUDGET_SECONDS = 40.0
_HOUR = 3600
_DAY = 86_400.0
# With pauses from five seconds to an hour: half a day for a vendor that is down, minutes for one that refuses.
_MOST_ATTEMPTS = 14
_MOST_REFUSALS = 4
_REFUSALS = ("printer_refused", "payment_not_possible")


class Sweep:
    """One run."""

    def __init__(
        self,
        orders: Orders,
        order_rpc: OrderRpc,
        payments: Payments,
        fulfilment: Fulfilment,
        cancellation: Cancellation,
        notifications: Notifications,
        money_check: MoneyCheck,
        total_checks: TotalChecks,
        clock: Clock,
    ) -> None:
        self._orders = orders
        self._rpc = order_rpc
        self._payments = payments
        self._fulfilment = fulfilment
        self._cancellation = cancellation
        self._notifications = notifications
        self._money_check = money_check
        self._total_checks = total_checks
        self._clock = clock

    def run(self) -> dict[str, int]:
        """Figures: jobs done, jobs failed, messages sent, messages failed, payments and totals found wrong."""
        figures = dict.fromkeys(_FIGURES, 0)
        end = self._clock.monotonic() + _BUDGET_SECONDS
        while self._clock.monotonic() < end:
            job = self._rpc.claim_job()
            if job is None:
                break
            figures["jobs" if self._do(job) else "failed_jobs"] += 1
        while self._clock.monotonic() < end:
            sent = self._notifications.deliver_next()
            if sent is None:
                break
            figures["messages" if sent else "failed_messages"] += 1
        if self._clock.monotonic() < end:
            figures["wrong_payments"] = self._money_check.run(end)
        if self._clock.monotonic() < end:
            figures["wrong_totals"] = self._total_checks.check_next()
        self._rpc.record_sweep(figures)
        return figures

    def _do(self, job: Job) -> bool:
        with log_context(order=job.order_id, job=job.kind):
            return self._try(job)

    def _try(self, job: Job) -> bool:
        try:
            order = self._orders.get(job.order_id)
            again = self._work(one_of(_JOB_KINDS, job.kind), order)
            self._rpc.finish_job(job, again)
        except ShopError as problem:
            log_trouble(
                f"{job.kind} failed", problem.cause or problem, attempt=job.attempts, code=problem.code
            )
            most = _MOST_REFUSALS if problem.code in _REFUSALS else _MOST_ATTEMPTS
            self._rpc.fail_job(job, f"{problem.code}: {problem.cause or problem}", most)
            return False
        return True

    def _work(self, kind: JobKind, order: Order) -> int | None:
        """The seconds until the job is due again; None when it is done."""
        match kind:
            case "settle":
                return self._settle(order)
            case "print":
                self._print(order)
                return None
            case "track":
                return self._fulfilment.sync_status(order)
            case "cancel":
                self._cancel(order)
                return None
            case "stop_print":
                return self._cancellation.stop_printing(order)
            case "refund":
                return self._refund(order)
            case "dispute":
                return _HOUR if self._payments.sync(order.payment_intent_id).is_held else None
            case _:
                assert_never(kind)

    def _settle(self, order: Order) -> int | None:
        """A pending order: settles it if it was paid, and cancels it after a day."""
        if order.status != "pending":
            return None
        age = (self._clock.now() - order.created_at).total_seconds()
        if age > _DAY:
            order = self._payments.close(order)
            if order.status == "pending":  # no intent was ever made
                self._rpc.cancel_unpaid(order.id, "abandoned")
            return None
        try:
            self._payments.settle(order)
        except ShopError as problem:
            if problem.code != "payment_not_completed":
                raise
        if self._orders.get(order.id).status == "pending":
            return int(min(3600, max(120, age)))
        return None

    def _refund(self, order: Order) -> int | None:
        """Stripe returns no disputed payment: the bank may do so itself, and then nothing is owed any more."""
        try:
            self._payments.refund(order)
        except ShopError as problem:
            if problem.code != "payment_disputed":
                raise
            return _HOUR
        return None

    def _print(self, order: Order) -> None:
        try:
            self._fulfilment.submit(order)
        except ShopError as problem:
            # outcomes, not failures: what holds or cancels an order asks for its print again, or never
            if problem.code not in ("order_held", "order_cancelled"):
                raise

    def _cancel(self, order: Order) -> None:
        try:
            self._cancellation.finish_cancelling(order.id)
        except ShopError as problem:
            if problem.code != "too_late_to_cancel":  # an outcome, not a failure
                raise
