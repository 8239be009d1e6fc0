"""Two signing secrets at once, while one is being replaced."""

from __future__ import annotations

import hashlib
import hmac
import time
from functools import partial

from _shared.clients.printify import Printify
from _shared.clients.stripe_api import Stripe

from tests.shop.unit.functions.clients.test_clients import stripe_signature
from tests.shop.unit.functions.network import error_of


def test_events_signed_with_the_secret_of_before_are_taken_while_it_is_replaced() -> None:
    body, now = b'{"id":"evt_1"}', time.time()
    stripe = Stripe("sk_test_x", "http://stripe", "whsec_new", previous_webhook_secret="whsec_old")
    printer = Printify(
        "http://p",
        "t",
        "7",
        blueprint_id=6,
        print_provider_id=29,
        webhook_secret="new",
        previous_webhook_secret="old",
    )
    for word in ("new", "old"):
        stripe.check_signature(body, stripe_signature(body, now, f"whsec_{word}"))
        printer.check_signature(body, f"sha256={hmac.new(word.encode(), body, hashlib.sha256).hexdigest()}")
    refused = (400, "invalid_signature")
    assert (
        error_of(lambda: stripe.check_signature(body, stripe_signature(body, now, "whsec_other"))) == refused
    )
    assert error_of(lambda: stripe.check_signature(body, stripe_signature(body, now, ""))) == refused
    for word in ("other", ""):
        signature = f"sha256={hmac.new(word.encode(), body, hashlib.sha256).hexdigest()}"
        assert error_of(partial(printer.check_signature, body, signature)) == refused
