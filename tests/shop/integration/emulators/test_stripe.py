"""The Stripe emulator through the official SDK, and its wire where the SDK hides it."""

from __future__ import annotations

import json
from typing import Any

import httpx
import pytest
import stripe
from stripe import StripeClient

from tests.shop.integration.emulators.conftest import Listener, Served


@pytest.fixture(scope="session")
def client(emulators: Served) -> StripeClient:
    return StripeClient(
        "sk_test_emulator", base_addresses={"api": f"{emulators.url}/stripe"}, max_network_retries=0
    )


def test_payment_is_created_confirmed_and_has_its_charge(client: StripeClient) -> None:
    intent = client.v1.payment_intents.create(
        {
            "amount": 3980,
            "currency": "usd",
            "automatic_payment_methods": {"enabled": True},
            "metadata": {"order_id": "o-1"},
            "shipping": {"name": "Sam", "address": {"line1": "1 Main St", "city": "Ely", "country": "US"}},
        }
    )
    assert (intent.status, intent.amount_received, intent.latest_charge) == (
        "requires_payment_method",
        0,
        None,
    )
    assert intent.client_secret is not None
    assert intent.client_secret.startswith(f"{intent.id}_secret_")
    client.v1.payment_intents.confirm(intent.id, {"payment_method": "pm_card_visa"})
    paid = client.v1.payment_intents.retrieve(intent.id, {"expand": ["latest_charge"]})
    assert (paid.status, paid.amount_received, paid.metadata["order_id"]) == ("succeeded", 3980, "o-1")
    charge = paid.latest_charge
    assert isinstance(charge, stripe.Charge)
    assert (charge.status, charge.paid, charge.amount, charge.payment_intent) == (
        "succeeded",
        True,
        3980,
        intent.id,
    )


@pytest.mark.parametrize(
    ("token", "code", "decline", "message"),
    [
        ("pm_card_chargeDeclined", "card_declined", "generic_decline", "Your card was declined."),
        (
            "pm_card_chargeDeclinedInsufficientFunds",
            "card_declined",
            "insufficient_funds",
            "Your card has insufficient funds.",
        ),
        ("pm_card_chargeDeclinedExpiredCard", "expired_card", "expired_card", "Your card has expired."),
        (
            "pm_card_chargeDeclinedIncorrectCvc",
            "incorrect_cvc",
            "incorrect_cvc",
            "Your card's security code is incorrect.",
        ),
    ],
)
def test_declined_card_gives_a_reason_and_the_payment_can_be_retried(
    client: StripeClient, token: str, code: str, decline: str, message: str
) -> None:
    intent = client.v1.payment_intents.create({"amount": 1990, "currency": "usd"})
    with pytest.raises(stripe.CardError) as caught:
        client.v1.payment_intents.confirm(intent.id, {"payment_method": token})
    error = caught.value
    assert (error.http_status, error.code, error.user_message) == (402, code, message)
    assert error.error is not None
    assert error.error.decline_code == decline
    after = client.v1.payment_intents.retrieve(intent.id)
    assert (after.status, after.last_payment_error.code) == ("requires_payment_method", code)  # type: ignore[union-attr]
    again = client.v1.payment_intents.confirm(intent.id, {"payment_method": "pm_card_mastercard"})
    assert (again.status, again.last_payment_error) == ("succeeded", None)


def test_idempotency_key_repeats_the_response_and_rejects_other_parameters(client: StripeClient) -> None:
    order_params = {"amount": 1990, "currency": "usd", "metadata": {"order_id": "o-2"}}
    first = client.v1.payment_intents.create(order_params, {"idempotency_key": "order-2"})  # type: ignore[arg-type]
    second = client.v1.payment_intents.create(order_params, {"idempotency_key": "order-2"})  # type: ignore[arg-type]
    assert first.id == second.id
    assert second.last_response is not None
    assert second.last_response.headers["idempotent-replayed"] == "true"
    with pytest.raises(stripe.IdempotencyError) as caught:
        client.v1.payment_intents.create({"amount": 990, "currency": "usd"}, {"idempotency_key": "order-2"})
    assert caught.value.http_status == 400


@pytest.mark.parametrize(
    ("params", "code", "param"),
    [
        ({"currency": "usd"}, "parameter_missing", "amount"),
        ({"amount": "ten", "currency": "usd"}, "parameter_invalid_integer", "amount"),
        ({"amount": 49, "currency": "usd"}, "amount_too_small", "amount"),
        ({"amount": 100_000_000, "currency": "usd"}, "amount_too_large", "amount"),
        ({"amount": 100, "currency": "usd", "colour": "red"}, "parameter_unknown", "colour"),
    ],
)
def test_bad_parameters_are_named(
    client: StripeClient, params: dict[str, object], code: str, param: str
) -> None:
    with pytest.raises(stripe.InvalidRequestError) as caught:
        client.v1.payment_intents.create(params)  # type: ignore[arg-type]
    assert (caught.value.http_status, caught.value.code, caught.value.param) == (400, code, param)


def test_unknown_payment_and_wrong_key_are_rejected(client: StripeClient, emulators: Served) -> None:
    with pytest.raises(stripe.InvalidRequestError) as missing:
        client.v1.payment_intents.retrieve("pi_none")
    assert (missing.value.http_status, missing.value.code) == (404, "resource_missing")
    stranger = StripeClient("sk_live_other", base_addresses={"api": f"{emulators.url}/stripe"})
    with pytest.raises(stripe.AuthenticationError):
        stranger.v1.payment_intents.retrieve("pi_none")


def test_publishable_key_reads_a_payment_only_with_its_secret(
    client: StripeClient, emulators: Served
) -> None:
    intent = client.v1.payment_intents.create({"amount": 1990, "currency": "usd"})
    url = f"{emulators.url}/stripe/v1/payment_intents/{intent.id}"
    key = {"key": "pk_test_emulator"}
    with_secret = httpx.get(url, params={**key, "client_secret": intent.client_secret or ""})
    assert (with_secret.status_code, with_secret.headers["access-control-allow-origin"]) == (200, "*")
    assert httpx.get(url, params=key).status_code == 400
    assert httpx.get(url, params={**key, "client_secret": "pi_x_secret_y"}).status_code == 400
    rejected = httpx.post(f"{emulators.url}/stripe/v1/refunds", data={**key, "payment_intent": intent.id})
    assert (rejected.status_code, rejected.json()["error"]["code"]) == (403, "secret_key_required")


def test_payment_is_refunded_in_parts_and_never_twice(client: StripeClient) -> None:
    intent = client.v1.payment_intents.create(
        {"amount": 3000, "currency": "usd", "payment_method": "pm_card_visa", "confirm": True}
    )
    first = client.v1.refunds.create(
        {"payment_intent": intent.id, "amount": 1000, "reason": "requested_by_customer"}
    )
    assert (first.status, first.amount, first.reason) == ("succeeded", 1000, "requested_by_customer")
    assert client.v1.refunds.create({"payment_intent": intent.id}).amount == 2000
    with pytest.raises(stripe.InvalidRequestError) as caught:
        client.v1.refunds.create({"payment_intent": intent.id})
    assert caught.value.code == "charge_already_refunded"


def test_cancelled_payment_stays_cancelled(client: StripeClient) -> None:
    intent = client.v1.payment_intents.create({"amount": 3000, "currency": "usd"})
    cancelled = client.v1.payment_intents.cancel(intent.id, {"cancellation_reason": "abandoned"})
    assert (cancelled.status, cancelled.cancellation_reason) == ("canceled", "abandoned")
    with pytest.raises(stripe.InvalidRequestError) as caught:
        client.v1.payment_intents.confirm(intent.id, {"payment_method": "pm_card_visa"})
    assert caught.value.code == "payment_intent_unexpected_state"


def test_signed_events_are_delivered_after_the_receiver_was_down(
    client: StripeClient, listener: Listener
) -> None:
    listener.failures = 1
    endpoint = client.v1.webhook_endpoints.create(
        {"url": listener.url, "enabled_events": ["payment_intent.succeeded"]}
    )
    assert endpoint.secret == "whsec_emulator"
    intent = client.v1.payment_intents.create(
        {"amount": 1990, "currency": "usd", "payment_method": "pm_card_visa", "confirm": True}
    )
    body = listener.wait_for(lambda _, body: intent.id.encode() in body)
    headers = next(headers for headers, received in listener.received if received == body)
    event = stripe.Webhook.construct_event(body, headers["stripe-signature"], "whsec_emulator")
    assert event.type == "payment_intent.succeeded"
    assert event.data.object["id"] == intent.id
    assert {json.loads(received)["type"] for _, received in listener.received} == {"payment_intent.succeeded"}
    client.v1.webhook_endpoints.delete(endpoint.id)


def paid_with(client: StripeClient, card: str = "pm_card_visa") -> str:
    """The intent's id."""
    return client.v1.payment_intents.create(
        {
            "amount": 2000,
            "currency": "usd",
            "confirm": True,
            "payment_method": card,
            "automatic_payment_methods": {"enabled": True, "allow_redirects": "never"},
        }
    ).id


@pytest.mark.parametrize(
    ("card", "words", "ends"),
    [
        ("pm_card_createDispute", "winning_evidence", ["won", "withdrawn", "reinstated"]),
        ("pm_card_createDispute", "losing_evidence", ["lost", "withdrawn"]),
        ("pm_card_createDisputeInquiry", "winning_evidence", ["warning_closed"]),
    ],
)
def test_dispute_is_decided_by_the_words_of_its_evidence(
    client: StripeClient, card: str, words: str, ends: list[str]
) -> None:
    intent = paid_with(client, card)
    (opened,) = client.v1.disputes.list({"payment_intent": intent}).data
    assert opened.status.endswith("needs_response")
    if card == "pm_card_createDispute":
        with pytest.raises(stripe.InvalidRequestError) as caught:
            client.v1.refunds.create({"payment_intent": intent})
        assert caught.value.code == "charge_disputed"
    sent = client.v1.disputes.update(opened.id, {"evidence": {"uncategorized_text": words}})
    events = client.v1.events.list(
        {"types": ["charge.dispute.funds_withdrawn", "charge.dispute.funds_reinstated"]}
    )
    moves = [one.type.rpartition("_")[2] for one in events.data if one.data.object["id"] == opened.id]
    assert [sent.status, *reversed(moves)] == ends
    with pytest.raises(stripe.InvalidRequestError):
        client.v1.disputes.close(opened.id)


def test_accepted_dispute_is_lost(client: StripeClient) -> None:
    (opened,) = client.v1.disputes.list({"payment_intent": paid_with(client, "pm_card_createDispute")}).data
    assert client.v1.disputes.close(opened.id).status == "lost"


def test_failed_refund_is_out_of_the_charge_again(client: StripeClient) -> None:
    intent = paid_with(client, "pm_card_refundFail")
    made = client.v1.refunds.create({"payment_intent": intent})
    assert client.v1.refunds.retrieve(made.id).status == "failed"
    (charge,) = client.v1.charges.list({"payment_intent": intent}).data
    assert (charge.amount_refunded, charge.refunded) == (0, False)


def test_list_is_read_both_ways_and_by_its_creation(client: StripeClient) -> None:
    intent = paid_with(client)
    made = [client.v1.refunds.create({"payment_intent": intent, "amount": 100}) for _ in range(4)]
    newest_first = [one.id for one in reversed(made)]
    page = client.v1.refunds.list({"payment_intent": intent, "limit": 2})
    assert ([one.id for one in page.data], page.has_more) == (newest_first[:2], True)
    older = client.v1.refunds.list({"payment_intent": intent, "starting_after": newest_first[1]})
    assert ([one.id for one in older.data], older.has_more) == (newest_first[2:], False)
    newer = client.v1.refunds.list({"payment_intent": intent, "limit": 2, "ending_before": newest_first[3]})
    assert ([one.id for one in newer.data], newer.has_more) == (newest_first[1:3], True)
    for bounds, length in (
        ({"gte": made[0].created}, 4),
        ({"gt": made[-1].created}, 0),
        ({"lt": made[0].created}, 0),
    ):
        wanted: Any = {"payment_intent": intent, "created": bounds}
        found = client.v1.refunds.list(wanted)
        assert len(found.data) == length
