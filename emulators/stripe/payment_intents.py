"""PaymentIntents: https://docs.stripe.com/api/payment_intents and their life cycle."""

from __future__ import annotations

from typing import Any

from emulators.core.store import Document
from emulators.stripe import forms, payment_methods
from emulators.stripe.account import Account, new_id, now, public_copy
from emulators.stripe.cards import AUTHENTICATION_FAILED, Behaviour, Decline, behaviour_of
from emulators.stripe.charges import charge
from emulators.stripe.disputes import open_dispute
from emulators.stripe.errors import StripeError

_LARGEST = 99_999_999
_SMALLEST = {"usd": 50}
_EDITABLE = (
    "amount", "currency", "description", "metadata", "shipping", "receipt_email", "payment_method",
    "payment_method_types", "payment_method_options", "setup_future_usage", "statement_descriptor",
    "statement_descriptor_suffix", "customer", "expand",
)  # fmt: skip
_CREATION = (
    *_EDITABLE, "automatic_payment_methods", "capture_method", "confirm", "confirmation_method",
    "off_session",
    "payment_method_data", "return_url", "error_on_requires_action", "use_stripe_sdk",
)  # fmt: skip
_CONFIRMATION = (
    "payment_method", "payment_method_data", "payment_method_options", "payment_method_types",
    "receipt_email",
    "return_url", "shipping", "setup_future_usage", "off_session", "error_on_requires_action",
    "use_stripe_sdk",
    "client_secret", "expected_payment_method_type", "expand", *payment_methods.BROWSER_PARAMS,
)  # fmt: skip
_CANCELLATION_REASONS = ("duplicate", "fraudulent", "requested_by_customer", "abandoned")
_OPEN = ("requires_payment_method", "requires_confirmation", "requires_action")


def create(account: Account, params: forms.Params) -> Document:
    forms.only(params, *_CREATION)
    amount, currency = _amount(params), forms.required(params, "currency").lower()
    _check_amount(amount, currency)
    automatic = forms.mapping(params, "automatic_payment_methods")
    types = forms.strings(params, "payment_method_types")
    if automatic is not None and types:
        raise StripeError.invalid(
            "You may only specify one of these parameters: automatic_payment_methods, payment_method_types.",
            param="automatic_payment_methods",
        )
    id = new_id("pi")
    intent: Document = {
        "id": id,
        "object": "payment_intent",
        "amount": amount,
        "amount_capturable": 0,
        "amount_details": {"tip": {}},
        "amount_received": 0,
        "application": None,
        "application_fee_amount": None,
        "automatic_payment_methods": None if types else _automatic(automatic),
        "canceled_at": None,
        "cancellation_reason": None,
        "capture_method": forms.choice(params, "capture_method", ("automatic", "automatic_async", "manual"))
        or "automatic_async",
        "client_secret": f"{id}_secret_{new_id('', 25)[1:]}",
        "confirmation_method": forms.choice(params, "confirmation_method", ("automatic", "manual"))
        or "automatic",
        "created": now(),
        "currency": currency,
        "customer": forms.text(params, "customer"),
        "description": None,
        "last_payment_error": None,
        "latest_charge": None,
        "livemode": False,
        "metadata": {},
        "next_action": None,
        "on_behalf_of": None,
        "payment_method": None,
        "payment_method_options": forms.mapping(params, "payment_method_options")
        or {"card": {"request_three_d_secure": "automatic"}},
        "payment_method_types": types or ["card"],
        "processing": None,
        "receipt_email": None,
        "review": None,
        "setup_future_usage": forms.text(params, "setup_future_usage"),
        "shipping": None,
        "source": None,
        "statement_descriptor": None,
        "statement_descriptor_suffix": None,
        "status": "requires_payment_method",
        "transfer_data": None,
        "transfer_group": None,
    }
    _edit(account, intent, params)
    account.save(intent)
    account.emit("payment_intent.created", intent)
    return _confirm(account, intent, params) if forms.boolean(params, "confirm") else intent


def retrieve(account: Account, id: str) -> Document:
    return account.get("payment_intent", id, "intent")


def update(account: Account, id: str, params: forms.Params) -> Document:
    forms.only(params, *_EDITABLE)
    intent = retrieve(account, id)
    if "amount" in params:
        if intent["status"] not in _OPEN:
            raise _unexpected_state(
                intent,
                "This PaymentIntent's amount could not be updated because it has a status of "
                f"{intent['status']}.",
            )
        intent["amount"] = _amount(params)
        _check_amount(intent["amount"], intent["currency"])
    _edit(account, intent, params)
    return account.save(intent)


def confirm(account: Account, id: str, params: forms.Params) -> Document:
    forms.only(params, *_CONFIRMATION)
    intent = retrieve(account, id)
    if intent["status"] == "succeeded":
        raise _unexpected_state(
            intent,
            "You cannot confirm this PaymentIntent because it has already succeeded after being "
            "previously confirmed.",
        )
    if intent["status"] not in _OPEN:
        raise _unexpected_state(
            intent, f"This PaymentIntent's status is {intent['status']}, so it could not be confirmed."
        )
    _edit(account, intent, {key: params[key] for key in ("shipping", "receipt_email") if key in params})
    return _confirm(account, intent, params)


def cancel(account: Account, id: str, params: forms.Params) -> Document:
    forms.only(params, "cancellation_reason", "expand")
    intent = retrieve(account, id)
    reason = forms.choice(params, "cancellation_reason", _CANCELLATION_REASONS)
    if intent["status"] not in (*_OPEN, "requires_capture", "processing"):
        raise _unexpected_state(
            intent,
            f"You cannot cancel this PaymentIntent because it has a status of {intent['status']}. "
            "Only a PaymentIntent "
            "with one of the following statuses may be canceled: requires_payment_method, requires_capture, "
            "requires_confirmation, requires_action, processing.",
        )
    intent.update(status="canceled", canceled_at=now(), cancellation_reason=reason, next_action=None)
    account.save(intent)
    account.emit("payment_intent.canceled", intent)
    return intent


def finish_challenge(account: Account, id: str, *, authenticated: bool) -> Document:
    """The shopper answered the bank's page: the payment goes on, or fails."""
    intent = retrieve(account, id)
    if intent["status"] != "requires_action":
        return intent
    method = account.get("payment_method", intent["payment_method"])
    intent["next_action"] = None
    behaviour = behaviour_of(method["_number"])
    if not authenticated:
        _fail(account, intent, method, AUTHENTICATION_FAILED, None)
    elif behaviour.decline is not None:
        _fail(
            account,
            intent,
            method,
            behaviour.decline,
            charge(account, intent, method, behaviour, behaviour.decline),
        )
    else:
        _succeed(account, intent, method, behaviour)
    return account.save(intent)


def _amount(params: forms.Params) -> int:
    forms.required(params, "amount")
    return forms.integer(params, "amount") or 0


def _check_amount(amount: int, currency: str) -> None:
    if amount < 1:
        raise StripeError.invalid(
            "This value must be greater than or equal to 1.", code="parameter_invalid_integer", param="amount"
        )
    if amount < _SMALLEST.get(currency, 1):
        raise StripeError.invalid(
            "Amount must be at least $0.50 usd", code="amount_too_small", param="amount"
        )
    if amount > _LARGEST:
        raise StripeError.invalid(
            "Amount must be no more than $999,999.99", code="amount_too_large", param="amount"
        )


def _automatic(options: dict[str, Any] | None) -> dict[str, Any]:
    options = options or {"enabled": "true"}
    return {
        "allow_redirects": options.get("allow_redirects", "always"),
        "enabled": options.get("enabled") == "true",
    }


def _edit(account: Account, intent: Document, params: forms.Params) -> None:
    for name in ("description", "receipt_email", "statement_descriptor", "statement_descriptor_suffix"):
        if name in params:
            intent[name] = forms.text(params, name)
    intent["metadata"] = forms.merge_metadata(intent["metadata"], params)
    if "shipping" in params:
        intent["shipping"] = _shipping(params)
    if forms.text(params, "payment_method"):
        intent["payment_method"] = payment_methods.resolve(account, str(params["payment_method"]))["id"]
        intent["status"] = "requires_confirmation"


def _shipping(params: forms.Params) -> dict[str, Any] | None:
    shipping = forms.mapping(params, "shipping")
    if shipping is None:
        return None
    address = shipping.get("address")
    if not shipping.get("name"):
        raise StripeError.invalid(
            "Missing required param: shipping[name].", code="parameter_missing", param="shipping[name]"
        )
    if not isinstance(address, dict):
        raise StripeError.invalid(
            "Missing required param: shipping[address].", code="parameter_missing", param="shipping[address]"
        )
    lines = ("city", "country", "line1", "line2", "postal_code", "state")
    return {
        "address": {line: address.get(line) or None for line in lines},
        "carrier": shipping.get("carrier") or None,
        "name": shipping["name"],
        "phone": shipping.get("phone") or None,
        "tracking_number": shipping.get("tracking_number") or None,
    }


def _confirm(account: Account, intent: Document, params: forms.Params) -> Document:
    data = forms.mapping(params, "payment_method_data")
    if data is not None:
        intent["payment_method"] = payment_methods.create(
            account, data, from_browser="client_secret" in params
        )["id"]
    elif forms.text(params, "payment_method"):
        intent["payment_method"] = payment_methods.resolve(account, str(params["payment_method"]))["id"]
    if intent["payment_method"] is None:
        raise StripeError.invalid(
            "You cannot confirm this PaymentIntent because it's missing a payment method. You can "
            "either update the "
            "PaymentIntent with a payment method and then confirm it again, or confirm it again "
            "directly with a "
            "payment method or ConfirmationToken.",
            code="payment_intent_unexpected_state",
        )
    method = account.get("payment_method", intent["payment_method"])
    behaviour = behaviour_of(method["_number"])
    if behaviour.challenge:
        _ask_challenge(account, intent, forms.text(params, "return_url"))
        return account.save(intent)
    if behaviour.decline is not None:
        tried = charge(account, intent, method, behaviour, behaviour.decline)
        _fail(account, intent, method, behaviour.decline, tried)
        account.save(intent)
        raise StripeError(402, **intent["last_payment_error"], payment_intent=public_copy(intent))
    _succeed(account, intent, method, behaviour)
    return account.save(intent)


def _ask_challenge(account: Account, intent: Document, return_url: str | None) -> None:
    page = f"{account.base_url}/challenge/{intent['id']}?client_secret={intent['client_secret']}"
    intent["status"] = "requires_action"
    if return_url:
        intent["next_action"] = {
            "type": "redirect_to_url",
            "redirect_to_url": {"return_url": return_url, "url": f"{page}&return_url={return_url}"},
        }
    else:
        intent["next_action"] = {
            "type": "use_stripe_sdk",
            "use_stripe_sdk": {"type": "three_d_secure_redirect", "stripe_js": page, "source": new_id("src")},
        }
    account.emit("payment_intent.requires_action", intent)


def _succeed(account: Account, intent: Document, method: Document, behaviour: Behaviour) -> None:
    paid = charge(account, intent, method, behaviour, None)
    intent.update(
        status="succeeded",
        amount_received=intent["amount"],
        latest_charge=paid["id"],
        last_payment_error=None,
        next_action=None,
    )
    account.save(intent)
    account.emit("charge.succeeded", paid)
    account.emit("payment_intent.succeeded", intent)
    if behaviour.disputed or behaviour.inquired:
        open_dispute(account, paid, inquiry=behaviour.inquired)


def _fail(
    account: Account, intent: Document, method: Document, decline: Decline, tried: Document | None
) -> None:
    error = StripeError(
        402, "card_error" if tried else "invalid_request_error", decline.message,
        code=decline.code, decline_code=decline.decline_code, payment_method=public_copy(method),
    ).error  # fmt: skip
    if tried is not None:
        error["charge"] = tried["id"]
        intent["latest_charge"] = tried["id"]
        account.emit("charge.failed", tried)
    intent.update(
        status="requires_payment_method", payment_method=None, last_payment_error=error, next_action=None
    )
    account.save(intent)
    account.emit("payment_intent.payment_failed", intent)


def _unexpected_state(intent: Document, message: str) -> StripeError:
    return StripeError(
        400,
        "invalid_request_error",
        message,
        code="payment_intent_unexpected_state",
        payment_intent=public_copy(intent),
    )
