"""Events at Stripe's dashboard or at a bank, where Stripe's API has no call for it.

With the account's secret key, like the API; tests and developers call it.
"""

from __future__ import annotations

from emulators.core.store import Document
from emulators.stripe import disputes, forms, refunds
from emulators.stripe.account import Account
from emulators.stripe.errors import StripeError


def dispute(account: Account, id: str, params: forms.Params) -> Document:
    """The cardholder's bank takes a charge back, or only asks about it (`inquiry`)."""
    forms.only(params, "amount", "inquiry")
    paid = account.get("charge", id)
    amount = forms.integer(params, "amount")
    if not paid["paid"] or (amount is not None and not 0 < amount <= paid["amount"]):
        raise StripeError.invalid("This charge has no such amount to dispute.", param="amount")
    return disputes.open_dispute(account, paid, amount, inquiry=forms.boolean(params, "inquiry"))


def decide_dispute(account: Account, id: str, params: forms.Params) -> Document:
    """The bank's word about an open dispute: `outcome`."""
    forms.only(params, "outcome")
    outcome = forms.required_choice(params, "outcome", disputes.OUTCOMES)
    return disputes.decide(account, disputes.still_open(account, id), outcome)


def set_refund_status(account: Account, id: str, params: forms.Params) -> Document:
    """A refund fails later, goes through or waits: `status`."""
    forms.only(params, "status")
    status = forms.required_choice(params, "status", refunds.STATUSES)
    return refunds.set_status(account, account.get("refund", id), status)
