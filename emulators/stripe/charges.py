"""Charges: one for each time a card was tried."""

from __future__ import annotations

from typing import Any

from emulators.core.store import Document
from emulators.stripe.account import Account, new_id, now
from emulators.stripe.cards import Behaviour, Decline

_DETAILS = ("brand", "country", "exp_month", "exp_year", "fingerprint", "funding", "last4", "wallet")


def _outcome(decline: Decline | None, behaviour: Behaviour) -> dict[str, Any]:
    if decline is None:
        return {
            "advice_code": None, "network_advice_code": None, "network_decline_code": None,
            "network_status": "approved_by_network", "reason": None, "risk_level": "normal", "risk_score": 12,
            "seller_message": "Payment complete.", "type": "authorized",
        }  # fmt: skip
    if behaviour.blocked:
        return {
            "network_status": "not_sent_to_network", "reason": "highest_risk_level", "risk_level": "highest",
            "risk_score": 90, "seller_message": "Stripe blocked this payment as too risky.",
            "type": "blocked",
        }  # fmt: skip
    return {
        "network_status": "declined_by_network", "reason": decline.decline_code or decline.code,
        "risk_level": "normal", "risk_score": 20,
        "seller_message": "The bank did not return any further details with this decline.",
        "type": "issuer_declined",
    }  # fmt: skip


def charge(
    account: Account, intent: Document, method: Document, behaviour: Behaviour, decline: Decline | None
) -> Document:
    """Tries the card: a paid charge, or a failed one when `decline` says so."""
    paid = decline is None
    checks = {
        **method["card"]["checks"],
        "cvc_check": "fail" if decline and decline.code == "incorrect_cvc" else "pass",
    }
    details = {key: method["card"][key] for key in _DETAILS}
    return account.save(
        {
            "id": new_id("ch"),
            "object": "charge",
            "amount": intent["amount"],
            "amount_captured": intent["amount"] if paid else 0,
            "amount_refunded": 0,
            "balance_transaction": new_id("txn") if paid else None,
            "billing_details": method["billing_details"],
            "calculated_statement_descriptor": "TEESMITH",
            "captured": paid,
            "created": now(),
            "currency": intent["currency"],
            "customer": intent["customer"],
            "description": intent["description"],
            "disputed": False,
            "failure_code": decline.code if decline else None,
            "failure_message": decline.message if decline else None,
            "fraud_details": {},
            "livemode": False,
            "metadata": intent["metadata"],
            "outcome": _outcome(decline, behaviour),
            "paid": paid,
            "payment_intent": intent["id"],
            "payment_method": method["id"],
            "payment_method_details": {
                "card": {**details, "checks": checks, "network": details["brand"]},
                "type": "card",
            },
            "receipt_email": intent["receipt_email"],
            "receipt_number": None,
            "receipt_url": f"{account.base_url}/receipts/{intent['id']}" if paid else None,
            "refunded": False,
            "shipping": intent["shipping"],
            "statement_descriptor": intent["statement_descriptor"],
            "status": "succeeded" if paid else "failed",
        }
    )
