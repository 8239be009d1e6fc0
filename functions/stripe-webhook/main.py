"""Stripe announces a change of a payment: the order is settled, printed and confirmed even when the browser is gone.

Called by Stripe, which signs the raw body; register `{SUPABASE_URL}/functions/v1/stripe-webhook` for payment_intent.*,
charge.refunded, refund.failed and charge.dispute.created.
"""

from __future__ import annotations

from collections.abc import Mapping

from _shared.endpoint import ResponseBody, webhook
from _shared.shop import Shop


@webhook(needs=("stripe", "stripe_events", "printify", "mail"))
def stripe_webhook(body: bytes, headers: Mapping[str, str], shop: Shop) -> ResponseBody:
    shop.stripe_events.receive(body, headers.get("stripe-signature", ""))
    return {"received": True}
