"""The published test cards and what each does, https://docs.stripe.com/testing."""

from __future__ import annotations

import datetime
from dataclasses import dataclass
from typing import Any

from emulators.core.inputs import read_number
from emulators.stripe.errors import StripeError


@dataclass(frozen=True)
class Decline:
    """An issuer's refusal."""

    code: str
    message: str
    decline_code: str | None = None


@dataclass(frozen=True)
class Behaviour:
    """A test card's behaviour at confirmation."""

    decline: Decline | None = None
    challenge: bool = False
    blocked: bool = False
    disputed: bool = False
    inquired: bool = False
    refund_fails: bool = False
    refund_waits: bool = False


_DECLINED = "card_declined"
GENERIC = Decline(_DECLINED, "Your card was declined.", "generic_decline")
INSUFFICIENT = Decline(_DECLINED, "Your card has insufficient funds.", "insufficient_funds")
EXPIRED = Decline("expired_card", "Your card has expired.", "expired_card")
WRONG_CVC = Decline("incorrect_cvc", "Your card's security code is incorrect.", "incorrect_cvc")
PROCESSING = Decline(
    "processing_error",
    "An error occurred while processing your card. Try again in a little bit.",
    "processing_error",
)
AUTHENTICATION_FAILED = Decline(
    "payment_intent_authentication_failure",
    "We are unable to authenticate your payment method. "
    "Please choose a different payment method and try again.",
)

_BEHAVIOURS = {
    "4000000000000002": Behaviour(GENERIC),
    "4000000000009995": Behaviour(INSUFFICIENT),
    "4000000000009987": Behaviour(Decline(_DECLINED, "Your card was declined.", "lost_card")),
    "4000000000009979": Behaviour(Decline(_DECLINED, "Your card was declined.", "stolen_card")),
    "4000000000000069": Behaviour(EXPIRED),
    "4000000000000127": Behaviour(WRONG_CVC),
    "4000000000000119": Behaviour(PROCESSING),
    "4000000000006975": Behaviour(Decline(_DECLINED, "Your card was declined.", "card_velocity_exceeded")),
    "4000000000000341": Behaviour(GENERIC),
    "4100000000000019": Behaviour(Decline(_DECLINED, "Your card was declined.", "fraudulent"), blocked=True),
    "4000000000000259": Behaviour(disputed=True),
    "4000000000001976": Behaviour(inquired=True),
    "4000000000005126": Behaviour(refund_fails=True),
    "4000000000007726": Behaviour(refund_waits=True),
    "4000002500003155": Behaviour(challenge=True),
    "4000002760003184": Behaviour(challenge=True),
    "4000000000003220": Behaviour(challenge=True),
    "4000008260003178": Behaviour(INSUFFICIENT, challenge=True),
    "4000008400001629": Behaviour(GENERIC, challenge=True),
}

_TOKENS = {
    "visa": "4242424242424242",
    "visa_debit": "4000056655665556",
    "mastercard": "5555555555554444",
    "mastercard_debit": "5200828282828210",
    "amex": "378282246310005",
    "discover": "6011111111111117",
    "diners": "3056930009020004",
    "jcb": "3566002020360505",
    "unionpay": "6200000000000005",
    "chargeDeclined": "4000000000000002",
    "visa_chargeDeclined": "4000000000000002",
    "chargeDeclinedInsufficientFunds": "4000000000009995",
    "visa_chargeDeclinedInsufficientFunds": "4000000000009995",
    "visa_chargeDeclinedLostCard": "4000000000009987",
    "visa_chargeDeclinedStolenCard": "4000000000009979",
    "chargeDeclinedExpiredCard": "4000000000000069",
    "chargeDeclinedIncorrectCvc": "4000000000000127",
    "chargeDeclinedProcessingError": "4000000000000119",
    "chargeCustomerFail": "4000000000000341",
    "createDispute": "4000000000000259",
    "createDisputeInquiry": "4000000000001976",
    "refundFail": "4000000000005126",
    "pendingRefund": "4000000000007726",
    "authenticationRequired": "4000002760003184",
    "authenticationRequiredOnSetup": "4000002500003155",
    "threeDSecure2Required": "4000000000003220",
    "authenticationRequiredChargeDeclinedInsufficientFunds": "4000008260003178",
}

_BRANDS = (
    ("visa", ("4",)),
    ("mastercard", ("51", "52", "53", "54", "55", "22", "23", "24", "25", "26", "27")),
    ("amex", ("34", "37")),
    ("discover", ("6011", "64", "65")),
    ("diners", ("30", "36", "38", "39")),
    ("jcb", ("35",)),
    ("unionpay", ("62",)),
)


def brand_of(number: str) -> str:
    return next((brand for brand, starts in _BRANDS if number.startswith(starts)), "unknown")


def behaviour_of(number: str) -> Behaviour:
    return _BEHAVIOURS.get(number, Behaviour())


def number_of_token(token: str) -> str | None:
    """The card behind `pm_card_visa`, `tok_visa` and their like."""
    for prefix in ("pm_card_", "tok_"):
        if token.startswith(prefix):
            return _TOKENS.get(token[len(prefix) :])
    return None


def passes_luhn(number: str) -> bool:
    digits = [int(digit) for digit in reversed(number)]
    doubled = [digit * 2 - 9 if digit > 4 else digit * 2 for digit in digits[1::2]]
    return (sum(digits[0::2]) + sum(doubled)) % 10 == 0


def check_card(card: dict[str, Any]) -> tuple[str, int, int]:
    """(number, month, year) of well-formed card details, or the card error that Stripe gives."""

    def card_error(code: str, message: str, param: str) -> StripeError:
        return StripeError(402, "card_error", message, code=code, param=f"card[{param}]")

    number = str(card.get("number", "")).replace(" ", "")
    if read_number(number, 1) is None or not 12 <= len(number) <= 19 or not passes_luhn(number):
        raise card_error("incorrect_number", "Your card number is incorrect.", "number")
    month = read_number(str(card.get("exp_month", "")), 13)
    year = read_number(str(card.get("exp_year", "")), 9999)
    if month is None or not 1 <= month <= 12:
        raise card_error("invalid_expiry_month", "Your card's expiration month is invalid.", "exp_month")
    if year is None:
        raise card_error("invalid_expiry_year", "Your card's expiration year is invalid.", "exp_year")
    full_year = year + 2000 if year < 100 else year
    today = datetime.datetime.now(datetime.UTC).date()
    if (full_year, month) < (today.year, today.month) or full_year > today.year + 50:
        raise card_error("invalid_expiry_year", "Your card's expiration year is invalid.", "exp_year")
    cvc = card.get("cvc")
    if cvc not in (None, "") and (read_number(str(cvc), 1) is None or len(str(cvc)) not in (3, 4)):
        raise card_error("invalid_cvc", "Your card's security code is invalid.", "cvc")
    return number, month, full_year
