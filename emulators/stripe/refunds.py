"""Refunds: https://docs.stripe.com/api/refunds."""

from __future__ import annotations

from emulators.store import Document
from emulators.stripe import forms
from emulators.stripe.account import Account, new_id, now
from emulators.stripe.cards import behaviour_of
from emulators.stripe.errors import StripeError

_REASONS = ("duplicate", "fraudulent", "requested_by_customer")


def create(account: Account, params: forms.Params) -> Document:
    forms.only(params, "payment_intent", "charge", "amount", "reason", "metadata", "expand")
    paid = _charge(account, params)
    reason = forms.choice(params, "reason", _REASONS)
    left = paid["amount_captured"] - paid["amount_refunded"]
    if left <= 0:
        raise StripeError.invalid(
            f"Charge {paid['id']} has already been refunded.", code="charge_already_refunded"
        )
    requested = forms.integer(params, "amount")
    amount = left if requested is None else requested
    if amount < 1:
        raise StripeError.invalid(
            "This value must be greater than or equal to 1.", code="parameter_invalid_integer", param="amount"
        )
    if amount > left:
        raise StripeError.invalid(
            f"Refund amount (${amount / 100:,.2f}) is greater than unrefunded amount on charge "
            f"(${left / 100:,.2f})",
            param="amount",
        )
    refund = account.save(
        {
            "id": new_id("re"),
            "object": "refund",
            "amount": amount,
            "balance_transaction": new_id("txn"),
            "charge": paid["id"],
            "created": now(),
            "currency": paid["currency"],
            "destination_details": {
                "card": {
                    "reference_status": "pending",
                    "reference_type": "acquirer_reference_number",
                    "type": "refund",
                },
                "type": "card",
            },
            "metadata": forms.merge_metadata({}, params),
            "payment_intent": paid["payment_intent"],
            "reason": reason,
            "receipt_number": None,
            "source_transfer_reversal": None,
            "status": "succeeded",
            "transfer_reversal": None,
        }
    )
    if behaviour_of(account.get("payment_method", paid["payment_method"])["_number"]).refund_fails:
        return _fail_later(account, refund)
    paid["amount_refunded"] += amount
    paid["refunded"] = paid["amount_refunded"] == paid["amount"]
    account.save(paid)
    account.emit("refund.created", refund)
    account.emit("charge.refunded", paid)
    return refund


def _fail_later(account: Account, refund: Document) -> Document:
    """It looks well at first; then the cardholder's bank sends the money back."""
    account.emit("refund.created", refund)
    failed = account.save({**refund, "status": "failed", "failure_reason": "expired_or_canceled_card"})
    account.emit("refund.failed", failed)
    return refund


def _charge(account: Account, params: forms.Params) -> Document:
    id = forms.text(params, "charge")
    if id is not None:
        return account.get("charge", id, "charge")
    intent_id = forms.text(params, "payment_intent")
    if intent_id is None:
        raise StripeError.invalid(
            "One of the following params should be provided for this request: payment_intent or charge."
        )
    intent = account.get("payment_intent", intent_id, "payment_intent")
    if intent["status"] != "succeeded":
        raise StripeError.invalid(
            f"This PaymentIntent ({intent_id}) does not have a successful charge to refund.",
            param="payment_intent",
        )
    return account.get("charge", intent["latest_charge"], "charge")
