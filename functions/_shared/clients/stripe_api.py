"""Stripe, through its official library. Amounts are integer cents; the client secret is never stored."""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

import stripe

from _shared.core.errors import ShopError, unavailable
from _shared.core.logs import current_request_id
from _shared.core.outgoing import call_name, observed

_TOLERANCE_SECONDS = 300
# Stripe sends one v1 for each secret that is valid, two while a secret is being replaced, and v0 for its own tests.
_LONGEST_SIGNATURE = 2000
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
class Refund:
    """`cents` is what went back for the intent in all, this refund included."""

    id: str
    status: str
    cents: int


@dataclass(frozen=True)
class Reversal:
    """A refund or dispute by itself, and the intent that it takes money back from."""

    id: str
    status: str
    intent_id: str


class _Requests(stripe.RequestsClient):
    """The library's own HTTP client: each attempt is an outgoing call."""

    def request(  # type: ignore[override] # as RequestsClient has it
        self, method: str, url: str, headers: Mapping[str, str] | None, post_data: Any = None
    ) -> tuple[bytes, int, Mapping[str, str]]:
        """As the library calls it."""
        sent = {**(headers or {})}
        if request_id := current_request_id():
            sent["x-request-id"] = request_id
        with observed("stripe", call_name("stripe", method.upper(), urlsplit(url).path)) as call:
            response = super().request(method, url, sent, post_data)
            call.status = response[1]
        return response


class Stripe:
    """Intents, refunds, disputes and event signatures. Network failures are retried under the same idempotency key."""

    def __init__(
        self,
        secret_key: str,
        api_base: str,
        webhook_secret: str = "",
        *,
        previous_webhook_secret: str = "",
        clock: Callable[[], float] = time.time,
    ) -> None:
        # the previous one's events come until its endpoint is gone
        self._webhook_secrets = [secret for secret in (webhook_secret, previous_webhook_secret) if secret]
        self._clock = clock
        self._client = stripe.StripeClient(
            secret_key,
            base_addresses={"api": api_base},
            max_network_retries=2,
            http_client=_Requests(timeout=20),
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

    def refund(self, intent_id: str, *, order_id: str, key: str) -> Refund:
        """Gives back what has not been given back yet; a second call returns the same refund."""
        try:
            refund = self._client.v1.refunds.create(
                {
                    "payment_intent": intent_id,
                    "reason": "requested_by_customer",
                    "metadata": {"order_id": order_id},
                },
                {"idempotency_key": f"teesmith-refund-{key}"},
            )
            refund_id, status = refund.id, refund.status or ""
        except stripe.InvalidRequestError as error:
            if error.code != "charge_already_refunded":  # by hand, or so long ago that the key has expired
                raise _problem(error) from error
            refund_id, status = "", "succeeded"
        except stripe.StripeError as error:
            raise _problem(error) from error
        return self._with_total(intent_id, refund_id, status)

    def refunded(self, intent_id: str) -> Refund:
        """What has gone back for the intent in all, by whichever way."""
        return self._with_total(intent_id, "", "succeeded")

    def find_refund(self, refund_id: str) -> Reversal:
        try:
            refund = self._client.v1.refunds.retrieve(refund_id)
        except stripe.StripeError as error:
            raise _problem(error) from error
        return Reversal(refund.id, refund.status or "", _id_of(refund.payment_intent))

    def find_dispute(self, dispute_id: str) -> Reversal:
        try:
            dispute = self._client.v1.disputes.retrieve(dispute_id)
        except stripe.StripeError as error:
            raise _problem(error) from error
        return Reversal(dispute.id, dispute.status, _id_of(dispute.payment_intent))

    def _with_total(self, intent_id: str, refund_id: str, status: str) -> Refund:
        try:
            refunds = self._client.v1.refunds.list({"payment_intent": intent_id, "limit": 100}).data
        except stripe.StripeError as error:
            raise _problem(error) from error
        counted = [one for one in refunds if one.status not in ("failed", "canceled")]
        newest = refund_id or (counted[0].id if counted else "")
        return Refund(id=newest, status=status, cents=sum(one.amount for one in counted))

    def check_signature(self, body: bytes, header: str) -> None:
        """400 unless Stripe signed these very bytes within five minutes, past or to come."""
        signed_at = _signed_at(header)
        problems = [_problem_of_signature(body, header, secret) for secret in self._webhook_secrets]
        if all(problems):
            raise _unsigned("; ".join(map(str, problems)) or "no signing secret is set")
        # The library looks at the past alone. An event that is signed ahead of time could be sent again until then.
        if signed_at > self._clock() + _TOLERANCE_SECONDS:
            raise _unsigned(f"t={signed_at}")


def _problem_of_signature(body: bytes, header: str, secret: str) -> Exception | None:
    try:
        stripe.WebhookSignature.verify_header(body, header, secret, _TOLERANCE_SECONDS)
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
