"""Disputes: https://docs.stripe.com/api/disputes and https://docs.stripe.com/disputes/how-disputes-work.

One is opened by paying with the test card that says so, or as a cardholder's bank does; an inquiry takes no money. It
is decided by the words of the evidence, as in Stripe's test mode, by its acceptance (`close`), or by the bank.
"""

from __future__ import annotations

from typing import Literal, get_args

from emulators.core.store import Document
from emulators.stripe import forms
from emulators.stripe.account import Account, new_id, now
from emulators.stripe.errors import StripeError

Outcome = Literal["won", "lost", "warning_closed", "prevented"]
OUTCOMES: tuple[Outcome, ...] = get_args(Outcome)
_DAYS_TO_ANSWER = 9 * 86_400
_OPEN = ("needs_response", "under_review", "warning_needs_response", "warning_under_review")
# https://docs.stripe.com/testing#evidence
_DECIDES: dict[str, Outcome] = {"winning_evidence": "won", "losing_evidence": "lost"}


def open_dispute(
    account: Account, paid: Document, amount: int | None = None, *, inquiry: bool = False
) -> Document:
    """The cardholder's bank takes a charge back, or asks about it."""
    dispute = account.save(
        {
            "id": new_id("du"),
            "object": "dispute",
            "amount": amount or paid["amount"],
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
            "is_charge_refundable": inquiry,
            "livemode": False,
            "metadata": {},
            "payment_intent": paid["payment_intent"],
            "payment_method_details": {
                "card": {"brand": "visa", "network_reason_code": "83"},
                "type": "card",
            },
            "reason": "fraudulent",
            "status": "warning_needs_response" if inquiry else "needs_response",
        }
    )
    paid["disputed"] = True
    account.save(paid)
    account.emit("charge.dispute.created", dispute)
    return dispute if inquiry else _move_funds(account, dispute, -dispute["amount"])


def update(account: Account, id: str, params: forms.Params) -> Document:
    """Stores the evidence, and submits it unless `submit` is false."""
    forms.only(params, "evidence", "metadata", "submit", "expand")
    dispute = still_open(account, id)
    evidence = forms.mapping(params, "evidence") or {}
    dispute["metadata"] = forms.merge_metadata(dispute["metadata"], params)
    dispute["evidence"] = {**dispute["evidence"], **evidence}
    dispute["evidence_details"] = {**dispute["evidence_details"], "has_evidence": bool(dispute["evidence"])}
    if evidence and ("submit" not in params or forms.boolean(params, "submit")):
        details = dispute["evidence_details"]
        dispute["evidence_details"] = {**details, "submission_count": details["submission_count"] + 1}
        dispute["status"] = dispute["status"].replace("needs_response", "under_review")
    account.save(dispute)
    account.emit("charge.dispute.updated", dispute)
    outcome = _DECIDES.get(str(evidence.get("uncategorized_text", "")))
    return decide(account, dispute, outcome) if outcome else dispute


def close(account: Account, id: str, params: forms.Params) -> Document:
    """The shop accepts the dispute: it is lost."""
    forms.only(params, "expand")
    return decide(account, still_open(account, id), "lost")


def decide(account: Account, dispute: Document, outcome: Outcome) -> Document:
    """Return what the bank says in the end. An inquiry that ends without a dispute is closed."""
    is_inquiry = dispute["status"].startswith("warning_")
    dispute = account.save(
        {**dispute, "status": "warning_closed" if is_inquiry else outcome, "is_charge_refundable": False}
    )
    account.emit("charge.dispute.closed", dispute)
    if outcome == "won" and not is_inquiry:
        dispute = _move_funds(account, dispute, dispute["amount"])
    return dispute


def is_open(dispute: Document) -> bool:
    return dispute["status"] in _OPEN


def still_open(account: Account, id: str) -> Document:
    """The dispute, or the refusal of a closed one."""
    dispute = dict(account.get("dispute", id, "dispute"))
    if not is_open(dispute):
        raise StripeError.invalid("This dispute is already closed.")
    return dispute


def _move_funds(account: Account, dispute: Document, cents: int) -> Document:
    transaction = {
        "id": new_id("txn"),
        "object": "balance_transaction",
        "amount": cents,
        "created": now(),
        "currency": dispute["currency"],
        "source": dispute["id"],
        "type": "adjustment",
    }
    moved = account.save({**dispute, "balance_transactions": [*dispute["balance_transactions"], transaction]})
    account.emit("charge.dispute.funds_withdrawn" if cents < 0 else "charge.dispute.funds_reinstated", moved)
    return moved
