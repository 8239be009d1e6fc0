"""Stripe, through its official library. Amounts are integer cents; the client secret is never kept."""

from __future__ import annotations

from dataclasses import dataclass

import stripe

from _shared.errors import ShopError, unavailable


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


class Stripe:
    """PaymentIntents. Network failures are retried by the library, under the same idempotency key."""

    def __init__(self, secret_key: str, api_base: str) -> None:
        self._client = stripe.StripeClient(
            secret_key,
            base_addresses={"api": api_base},
            max_network_retries=2,
            http_client=stripe.RequestsClient(timeout=20),
        )

    def create_intent(self, *, order_id: str, amount: int, currency: str, description: str) -> Intent:
        # Without `shipping` on purpose: what a secret key sets, the browser's confirmation may not change.
        try:
            made = self._client.v1.payment_intents.create(
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
        return _intent(made)

    def intent(self, intent_id: str) -> Intent:
        try:
            return _intent(self._client.v1.payment_intents.retrieve(intent_id))
        except stripe.StripeError as error:
            raise _problem(error) from error


def _intent(found: stripe.PaymentIntent) -> Intent:
    metadata = found.metadata
    return Intent(
        id=found.id,
        status=found.status,
        amount=found.amount,
        amount_received=found.amount_received or 0,
        currency=found.currency,
        client_secret=found.client_secret or "",
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
