"""PaymentMethods and tokens: a card is stored by its behaviour, never by its number in the clear."""

from __future__ import annotations

import hashlib
from typing import Any

from emulators.core.store import Document
from emulators.stripe import forms
from emulators.stripe.account import Account, new_id, now
from emulators.stripe.cards import brand_of, check_card, number_of_token
from emulators.stripe.errors import StripeError

_PARAMS = ("type", "card", "billing_details", "metadata", "allow_redisplay")
# Stripe.js adds these to what it sends; they say nothing about the payment.
BROWSER_PARAMS = (
    "key", "guid", "muid", "sid", "payment_user_agent", "referrer", "time_on_page", "pasted_fields",
    "_stripe_version",
)  # fmt: skip


def create(account: Account, params: forms.Params, *, from_browser: bool) -> Document:
    forms.only(params, *_PARAMS, *BROWSER_PARAMS)
    kind = forms.required(params, "type")
    if kind != "card":
        raise StripeError.invalid(f"Invalid type: {kind}. This account accepts cards.", param="type")
    card = forms.mapping(params, "card")
    if card is None:
        raise StripeError.invalid("Missing required param: card.", code="parameter_missing", param="card")
    if "token" in card:
        return _from_token(account, str(card["token"]), params)
    if not from_browser:
        raise StripeError(
            402,
            "invalid_request_error",
            "Sending credit card numbers directly to the Stripe API is generally unsafe. To continue "
            "processing "
            "use Stripe.js, the Stripe mobile bindings, or Stripe Elements.",
        )
    return account.save(_payment_method(*check_card(card), params, has_cvc=bool(card.get("cvc"))))


def _from_token(account: Account, token: str, params: forms.Params) -> Document:
    stored = account.store.get("stripe.token", token)
    if stored is not None:
        method = account.get("payment_method", stored["_payment_method"])
        return account.save({**method, **_billing(params)})
    return resolve(account, token, params)


def resolve(account: Account, id: str, params: forms.Params | None = None) -> Document:
    """The stored payment method, or a new one for Stripe's test tokens (`pm_card_visa`)."""
    number = number_of_token(id)
    if number is None:
        stored = account.store.get("stripe.payment_method", id)
        if stored is None:
            raise StripeError(
                400,
                "invalid_request_error",
                f"No such PaymentMethod: '{id}'",
                code="resource_missing",
                param="payment_method",
            )
        return stored
    year = 2000 + (now() // 31_556_952 + 1970 - 2000) + 1
    return account.save(_payment_method(number, 12, year, params or {}, has_cvc=True))


def create_token(account: Account, params: forms.Params) -> Document:
    forms.only(params, "card", *BROWSER_PARAMS)
    card = forms.mapping(params, "card")
    if card is None:
        raise StripeError.invalid("Missing required param: card.", code="parameter_missing", param="card")
    method = account.save(_payment_method(*check_card(card), {}, has_cvc=bool(card.get("cvc"))))
    return account.save(
        {
            "id": new_id("tok"),
            "object": "token",
            "card": {**method["card"], "id": new_id("card"), "object": "card", "name": card.get("name")},
            "client_ip": "127.0.0.1",
            "created": now(),
            "livemode": False,
            "type": "card",
            "used": False,
            "_payment_method": method["id"],
        }
    )


def _billing(params: forms.Params) -> dict[str, Any]:
    details = forms.mapping(params, "billing_details") or {}
    address = details.get("address") if isinstance(details.get("address"), dict) else {}
    lines = ("city", "country", "line1", "line2", "postal_code", "state")
    return {
        "billing_details": {
            "address": {line: (address or {}).get(line) or None for line in lines},
            "email": details.get("email") or None,
            "name": details.get("name") or None,
            "phone": details.get("phone") or None,
            "tax_id": None,
        }
    }


def _payment_method(number: str, month: int, year: int, params: forms.Params, *, has_cvc: bool) -> Document:
    brand = brand_of(number)
    return {
        "id": new_id("pm"),
        "object": "payment_method",
        "allow_redisplay": forms.text(params, "allow_redisplay") or "unspecified",
        **_billing(params),
        "card": {
            "brand": brand,
            "checks": {
                "address_line1_check": None,
                "address_postal_code_check": None,
                "cvc_check": "unchecked" if has_cvc else None,
            },
            "country": "US",
            "display_brand": brand,
            "exp_month": month,
            "exp_year": year,
            "fingerprint": hashlib.sha256(number.encode()).hexdigest()[:16],
            "funding": "credit",
            "generated_from": None,
            "last4": number[-4:],
            "networks": {"available": [brand], "preferred": None},
            "regulated_status": "unregulated",
            "three_d_secure_usage": {"supported": True},
            "wallet": None,
        },
        "created": now(),
        "customer": None,
        "livemode": False,
        "metadata": forms.merge_metadata({}, params),
        "type": "card",
        # Published test numbers only decide how the emulator acts; a shopper's own card is never charged,
        # and its number is not stored.
        "_number": number if number.startswith(("4000", "4100", "4242")) else "",
    }
