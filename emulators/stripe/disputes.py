"""Disputes: https://docs.stripe.com/api/disputes. One is opened by paying with the test card that says so."""

from __future__ import annotations

from emulators.store import Document
from emulators.stripe.account import Account, new_id, now

_DAYS_TO_ANSWER = 9 * 86_400


def open_dispute(account: Account, paid: Document) -> Document:
    """The cardholder's bank takes a charge back."""
    dispute = account.save(
        {
            "id": new_id("du"),
            "object": "dispute",
            "amount": paid["amount"],
            "balance_transactions": [],
            "charge": paid["id"],
            "created": now(),
            "currency": paid["currency"],
            "evidence": {},
            "evidence_details": {
                "due_by": now() + _DAYS_TO_ANSWER,
                "has_evidence": False,
                "past_due": False,
                "submission_count": 0,
            },
            "is_charge_refundable": False,
            "livemode": False,
            "metadata": {},
            "payment_intent": paid["payment_intent"],
            "payment_method_details": {
                "card": {"brand": "visa", "network_reason_code": "83"},
                "type": "card",
            },
            "reason": "fraudulent",
            "status": "needs_response",
        }
    )
    paid["disputed"] = True
    account.save(paid)
    account.emit("charge.dispute.created", dispute)
    return dispute
