"""Stripe, through its official library. Amounts are integer cents; the client secret is never stored."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

import httpx
import stripe

from _shared.core.clock import Clock
from _shared.core.errors import ShopError, unavailable

_TIMEOUT = httpx.Timeout(20.0)
_TOLERANCE_SECONDS = 300
# Stripe sends one v1 for each secret that is valid, two while a secret is being replaced, and v0 for its own tests.
_LONGEST_SIGNATURE = 2000
# https://docs.stripe.com/api/disputes/object: the statuses in which a dispute stays
_DECIDED = ("won", "lost", "warning_closed", "prevented")
# https://docs.stripe.com/api/refunds/object: the money is the shop's again
_NOT_RETURNED = ("failed", "canceled")
_CAPTURES = "payment_intent.succeeded"
_MONEY_EVENTS = (
    _CAPTURES,
    "charge.refunded",
    "refund.created",
    "refund.updated",
    "refund.failed",
    "charge.dispute.created",
    "charge.dispute.updated",
    "charge.dispute.closed",
    "charge.dispute.funds_withdrawn",
    "charge.dispute.funds_reinstated",
)
_SIGNED_TIME = re.compile(r"[0-9]{1,12}")


@dataclass(frozen=True)
class Intent:
    """A PaymentIntent, as far as the shop cares. `order_id` comes from its metadata."""

    id: str
    status: str
    amount: int
    amount_received: int
    currency: str
    client_secret: str
    order_id: str


@dataclass(frozen=True)
class Dispute:
    """`due_by` is when evidence must be there, ISO 8601; empty where none is asked for."""

    id: str
    status: str
    cents: int
    due_by: str


@dataclass(frozen=True)
class Returned:
    """The money that went back of an intent, as Stripe says now. `cents` is without failed and cancelled refunds."""

    cents: int
    refund_id: str
    failed_refunds: tuple[str, ...]
    disputes: tuple[Dispute, ...]

    @property
    def is_disputed(self) -> bool:
        """Tell whether a bank has still to decide. A status that is new to us counts: then a person looks."""
        return any(one.status not in _DECIDED for one in self.disputes)

    @property
    def lost_cents(self) -> int:
        return sum(one.cents for one in self.disputes if one.status == "lost")


@dataclass(frozen=True)
class MoneyEvent:
    """`captured` are the cents that a payment brought; None where money went back, or may."""

    id: str
    created: int
    intent_id: str
    captured: int | None


@dataclass(frozen=True)
class MoneyEvents:
    """A page, newest first. `has_more` says whether older ones follow."""

    events: tuple[MoneyEvent, ...]
    has_more: bool


class _OverHttpx(stripe.HTTPClient):
    """Each attempt is an outgoing call, and `clock` waits between them."""

    name = "httpx"

    def __init__(self, transport: httpx.BaseTransport | None, clock: Clock) -> None:
        super().__init__()
        self._http = httpx.Client(transport=transport, timeout=_TIMEOUT)
        self._clock = clock

    def request(  # type: ignore[override] # as the library's own clients have it
        self, method: str, url: str, headers: Mapping[str, str] | None, post_data: Any = None
    ) -> tuple[bytes, int, Mapping[str, str]]:
        """As the library calls it."""
        try:
            response = self._http.request(method, url, headers=headers, content=post_data)
        except httpx.HTTPError as error:
            raise stripe.APIConnectionError(str(error), should_retry=True) from error  # type: ignore[no-untyped-call]
        return response.content, response.status_code, response.headers

    def close(self) -> None:
        self._http.close()

    def _sleep_time_seconds(self, num_retries: int) -> float:
        self._clock.sleep(super()._sleep_time_seconds(num_retries))
        return 0.0


class Stripe:
    """Intents, refunds, disputes and event signatures. Network failures are retried under the same idempotency key."""

    def __init__(
        self,
        secret_key: str,
        api_base: str,
        webhook_secret: str = "",
        *,
        previous_webhook_secret: str = "",
        transport: httpx.BaseTransport | None = None,
        clock: Clock | None = None,
    ) -> None:
        # the previous one's events come until its endpoint is gone
        self._webhook_secrets = [secret for secret in (webhook_secret, previous_webhook_secret) if secret]
        self._clock = clock or Clock()
        self._client = stripe.StripeClient(
            secret_key,
            base_addresses={"api": api_base},
            max_network_retries=2,
            http_client=_OverHttpx(transport, self._clock),
        )

    def create_intent(self, *, order_id: str, amount: int, currency: str, description: str) -> Intent:
        # Without `shipping` on purpose: what a secret key sets, the browser's confirmation may not change.
        try:
            intent = self._client.v1.payment_intents.create(
                {
                    "amount": amount,
                    "currency": currency,
                    "automatic_payment_methods": {"enabled": True, "allow_redirects": "never"},
                    "description": description,
                    "metadata": {"order_id": order_id},
                },
                {"idempotency_key": f"teesmith-order-{order_id}"},
            )
        except stripe.StripeError as error:
            raise _problem(error) from error
        return _intent(intent)

    def intent(self, intent_id: str) -> Intent:
        try:
            return _intent(self._client.v1.payment_intents.retrieve(intent_id))
        except stripe.StripeError as error:
            raise _problem(error) from error

    def cancel_intent(self, intent_id: str) -> Intent:
        """The intent afterwards: canceled, or what it became before we came (paid, perhaps)."""
        try:
            return _intent(
                self._client.v1.payment_intents.cancel(
                    intent_id,
                    {"cancellation_reason": "abandoned"},
                    {"idempotency_key": f"teesmith-cancel-{intent_id}"},
                )
            )
        except stripe.InvalidRequestError:
            return self.intent(intent_id)
        except stripe.StripeError as error:
            raise _problem(error) from error

    def refund(self, intent_id: str, *, order_id: str, key: str) -> str:
        """Gives back what has not been given back yet; the refund's status. A second call returns the same refund."""
        try:
            refund = self._client.v1.refunds.create(
                {
                    "payment_intent": intent_id,
                    "reason": "requested_by_customer",
                    "metadata": {"order_id": order_id},
                },
                {"idempotency_key": f"teesmith-refund-{key}"},
            )
        except stripe.InvalidRequestError as error:
            if error.code == "charge_already_refunded":  # by hand, or so long ago that the key has expired
                return "succeeded"
            if error.code == "charge_disputed":
                raise ShopError(
                    409, "payment_disputed", "The bank has to decide about this payment first.", cause=error
                ) from error
            raise _problem(error) from error
        except stripe.StripeError as error:
            raise _problem(error) from error
        return refund.status or ""

    def returned(self, intent_id: str) -> Returned:
        """Return what has gone back for the intent in all, by whichever way, and what is disputed of it."""
        try:
            refunds = list(
                self._client.v1.refunds.list({"payment_intent": intent_id, "limit": 100}).auto_paging_iter()
            )
            disputes = self._client.v1.disputes.list({"payment_intent": intent_id, "limit": 100}).data
        except stripe.StripeError as error:
            raise _problem(error) from error
        counted = [one for one in refunds if one.status not in _NOT_RETURNED]
        return Returned(
            cents=sum(one.amount for one in counted),
            refund_id=counted[0].id if counted else "",
            failed_refunds=tuple(one.id for one in refunds if one.status in _NOT_RETURNED),
            disputes=tuple(map(_dispute, disputes)),
        )

    def money_events(self, since: int, after: str, most: int) -> MoneyEvents | None:
        """Events of money of Stripe's second `since` or later, of the last thirty days, behind the event `after`.

        None when there is no event `after` any more.
        """
        try:
            listed = self._client.v1.events.list(
                {
                    "types": list(_MONEY_EVENTS),
                    "created": {"gte": since},
                    "limit": most,
                    **({"starting_after": after} if after else {}),
                }
            )
        except stripe.InvalidRequestError as error:
            if error.code == "resource_missing":
                return None
            raise _problem(error) from error
        except stripe.StripeError as error:
            raise _problem(error) from error
        return MoneyEvents(tuple(map(_money_event, listed.data)), bool(listed.has_more))

    def check_signature(self, body: bytes, header: str) -> None:
        """400 unless Stripe signed these very bytes within five minutes, past or to come."""
        signed_at = _signed_at(header)
        problems = [_problem_of_signature(body, header, secret) for secret in self._webhook_secrets]
        if all(problems):
            raise _unsigned("; ".join(map(str, problems)) or "no signing secret is set")
        # One that is signed ahead of time could be sent again until then.
        if abs(signed_at - self._clock.time()) > _TOLERANCE_SECONDS:
            raise _unsigned(f"t={signed_at}")


def _problem_of_signature(body: bytes, header: str, secret: str) -> Exception | None:
    try:
        stripe.WebhookSignature.verify_header(body, header, secret)
    except (stripe.SignatureVerificationError, UnicodeDecodeError) as error:
        return error
    return None


def _signed_at(header: str) -> int:
    """The header's one time, in seconds since the epoch; 400 for a header that Stripe would not write.

    Of two times Stripe's library takes the first, another reader the last: such a header is refused before either
    reads it, and so is what makes the library fail in other ways (letters that are not ASCII, thousands of parts).
    """
    if len(header) > _LONGEST_SIGNATURE or not header.isascii():
        raise _unsigned("malformed header")
    parts = [part.partition("=") for part in header.split(",")]
    times = [value for scheme, _, value in parts if scheme.strip() == "t"]
    if len(times) != 1 or not _SIGNED_TIME.fullmatch(times[0]):
        raise _unsigned(f"{len(times)} times in the header, or none that is a number")
    return int(times[0])


def _unsigned(cause: object) -> ShopError:
    return ShopError(400, "invalid_signature", "This is not signed by Stripe.", cause=cause)


def _id_of(reference: object) -> str:
    """References are ids unless a request expands them, and none here does."""
    return reference if isinstance(reference, str) else ""


def _money_event(event: stripe.Event) -> MoneyEvent:
    subject = event.data.object
    if event.type == _CAPTURES:
        return MoneyEvent(event.id, event.created, subject["id"], int(subject["amount_received"]))
    return MoneyEvent(event.id, event.created, _id_of(subject["payment_intent"]), None)


def _dispute(dispute: stripe.Dispute) -> Dispute:
    due = dispute.evidence_details.due_by
    return Dispute(
        id=dispute.id,
        status=dispute.status,
        cents=dispute.amount,
        due_by=datetime.fromtimestamp(due, UTC).isoformat() if due else "",
    )


def _intent(intent: stripe.PaymentIntent) -> Intent:
    metadata = intent.metadata
    return Intent(
        id=intent.id,
        status=intent.status,
        amount=intent.amount,
        amount_received=intent.amount_received or 0,
        currency=intent.currency,
        client_secret=intent.client_secret or "",
        order_id=str(metadata["order_id"]) if metadata and "order_id" in metadata else "",
    )


def _problem(error: stripe.StripeError) -> ShopError:
    """Only a card error's text is meant for shoppers (Stripe's API errors page)."""
    if isinstance(error, stripe.CardError):
        return ShopError(402, "payment_refused", error.user_message or "Your card was declined.", cause=error)
    if isinstance(error, stripe.InvalidRequestError):
        return ShopError(422, "payment_not_possible", "This payment cannot be made.", cause=error)
    return unavailable(
        "payment_unavailable", "We could not reach the card company. You were not charged.", error
    )
