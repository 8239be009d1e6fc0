"""Refunds: https://docs.stripe.com/api/refunds."""

from __future__ import annotations

from typing import Literal, get_args

from emulators.core.store import Document
from emulators.stripe import forms
from emulators.stripe.account import Account, new_id, now
from emulators.stripe.cards import behaviour_of
from emulators.stripe.disputes import is_open
from emulators.stripe.errors import StripeError

Status = Literal["pending", "requires_action", "succeeded", "failed", "canceled"]
STATUSES: tuple[Status, ...] = get_args(Status)
# the money is the shop's again
_NOT_RETURNED = ("failed", "canceled")
_REASONS = ("duplicate", "fraudulent", "requested_by_customer")


def create(account: Account, params: forms.Params) -> Document:
    forms.only(params, "payment_intent", "charge", "amount", "reason", "metadata", "expand")
    paid = _charge(account, params)
    reason = forms.choice(params, "reason", _REASONS)
    if any(
        is_open(one) and not one["is_charge_refundable"]
        for one in account.store.each("stripe.dispute")
        if one["charge"] == paid["id"]
    ):
        raise StripeError.invalid(
            f"Charge {paid['id']} has been charged back; cannot issue a refund.", code="charge_disputed"
        )
    left = paid["amount_captured"] - paid["amount_refunded"] - _lost(account, paid)
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
    behaviour = behaviour_of(account.get("payment_method", paid["payment_method"])["_number"])
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
            "status": "pending" if behaviour.refund_waits else "succeeded",
            "transfer_reversal": None,
        }
    )
    _count(account, paid, amount)
    account.emit("refund.created", refund)
    account.emit("charge.refunded", account.get("charge", paid["id"]))
    # the answer is as it was made; what follows comes later
    if behaviour.refund_fails:
        set_status(account, refund, "failed")
    elif behaviour.refund_waits:
        set_status(account, refund, "succeeded")
    return refund


def update(account: Account, id: str, params: forms.Params) -> Document:
    """Only the metadata can be changed."""
    forms.only(params, "metadata", "expand")
    refund = account.get("refund", id)
    changed = account.save({**refund, "metadata": forms.merge_metadata(refund["metadata"], params)})
    _tell(account, changed)
    return changed


def cancel(account: Account, id: str, params: forms.Params) -> Document:
    """One that waits for the customer; a card's cannot be cancelled."""
    forms.only(params, "expand")
    refund = account.get("refund", id)
    if refund["status"] != "requires_action":
        raise StripeError.invalid(f"This refund ({id}) cannot be canceled: its status is {refund['status']}.")
    return set_status(account, refund, "canceled")


def set_status(account: Account, refund: Document, status: Status) -> Document:
    """Return what becomes of a refund in time.

    It may look well for days before the cardholder's bank sends the money back.
    """
    was_back, is_back = (one in _NOT_RETURNED for one in (refund["status"], status))
    changed = account.save({**refund, "status": status, **_reasons(status)})
    if was_back != is_back:
        cents = -refund["amount"] if is_back else refund["amount"]
        _count(account, account.get("charge", refund["charge"]), cents)
    _tell(account, changed)
    if status == "failed":
        account.emit("refund.failed", changed)
    return changed


def _reasons(status: Status) -> Document:
    if status == "failed":
        return {"failure_reason": "expired_or_canceled_card", "failure_balance_transaction": new_id("txn")}
    if status == "requires_action":
        return {
            "next_action": {"type": "display_details", "display_details": {"expires_at": now() + 30 * 86_400}}
        }
    return {}


def _tell(account: Account, refund: Document) -> None:
    for type in ("charge.refund.updated", "refund.updated"):
        account.emit(type, refund)


def _count(account: Account, paid: Document, cents: int) -> None:
    refunded = paid["amount_refunded"] + cents
    account.save({**paid, "amount_refunded": refunded, "refunded": refunded == paid["amount"]})


def _lost(account: Account, paid: Document) -> int:
    """Return what the bank has taken for good."""
    return sum(
        one["amount"]
        for one in account.store.each("stripe.dispute")
        if one["charge"] == paid["id"] and one["status"] == "lost"
    )


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
