"""A payment's fate at the Stripe emulator: refunds, disputes, and the lists that tell of them."""

from __future__ import annotations

from typing import Any
from uuid import uuid4

import httpx
import pytest
import stripe
from stripe import StripeClient

from tests.shop.integration.emulators.conftest import Served

Json = dict[str, Any]


@pytest.fixture(scope="module")
def client(emulators: Served) -> StripeClient:
    return StripeClient(
        "sk_test_emulator", base_addresses={"api": f"{emulators.url}/stripe"}, max_network_retries=0
    )


def pay(client: StripeClient, card: str = "pm_card_visa", customer: str = "") -> stripe.PaymentIntent:
    return client.v1.payment_intents.create(
        {"amount": 3000, "currency": "usd", "payment_method": card, "confirm": True, "customer": customer}
    )


def charge_of(client: StripeClient, intent: stripe.PaymentIntent) -> stripe.Charge:
    (charge,) = client.v1.charges.list({"payment_intent": intent.id}).data
    return charge


def at_dashboard(emulators: Served, path: str, **form: str) -> Json:
    response = httpx.post(
        f"{emulators.url}/stripe/dashboard/{path}", data=form, auth=("sk_test_emulator", "")
    )
    assert response.status_code == 200, response.text
    body: Json = response.json()
    return body


def events_about(client: StripeClient, id: str) -> list[str]:
    events = client.v1.events.list({"limit": 100}).data
    return [event.type for event in reversed(events) if event.data.object["id"] == id]


def test_refund_that_waits_goes_through_later(client: StripeClient) -> None:
    intent = pay(client, "pm_card_pendingRefund")
    refund = client.v1.refunds.create({"payment_intent": intent.id, "amount": 1000})
    assert refund.status == "pending"
    assert client.v1.refunds.retrieve(refund.id).status == "succeeded"
    assert charge_of(client, intent).amount_refunded == 1000
    assert events_about(client, refund.id) == ["refund.created", "charge.refund.updated", "refund.updated"]


def test_failed_refund_is_the_shops_money_again(client: StripeClient) -> None:
    intent = pay(client, "pm_card_refundFail")
    refund = client.v1.refunds.create({"payment_intent": intent.id})
    assert refund.status == "succeeded"
    failed = client.v1.refunds.retrieve(refund.id)
    assert (failed.status, failed.failure_reason) == ("failed", "expired_or_canceled_card")
    charge = charge_of(client, intent)
    assert (charge.amount_refunded, charge.refunded) == (0, False)
    assert events_about(client, refund.id)[-1] == "refund.failed"


def test_only_a_refund_that_waits_for_the_customer_is_cancelled(
    client: StripeClient, emulators: Served
) -> None:
    intent = pay(client)
    refund = client.v1.refunds.create({"payment_intent": intent.id})
    with pytest.raises(stripe.InvalidRequestError, match="cannot be canceled"):
        client.v1.refunds.cancel(refund.id)
    at_dashboard(emulators, f"refunds/{refund.id}/status", status="requires_action")
    assert client.v1.refunds.cancel(refund.id).status == "canceled"
    assert charge_of(client, intent).amount_refunded == 0
    noted = client.v1.refunds.update(refund.id, {"metadata": {"by": "hand"}})
    assert noted.metadata is not None
    assert noted.metadata["by"] == "hand"


def test_dispute_withholds_refunds_and_its_loss_takes_the_money(client: StripeClient) -> None:
    intent = pay(client, "pm_card_createDispute")
    (dispute,) = client.v1.disputes.list({"payment_intent": intent.id}).data
    assert (dispute.status, dispute.amount, dispute.is_charge_refundable) == ("needs_response", 3000, False)
    with pytest.raises(stripe.InvalidRequestError) as caught:
        client.v1.refunds.create({"payment_intent": intent.id})
    assert caught.value.code == "charge_disputed"
    lost = client.v1.disputes.update(
        dispute.id, {"evidence": {"uncategorized_text": "losing_evidence"}, "submit": True}
    )
    assert lost.status == "lost"
    assert [one.amount for one in lost.balance_transactions] == [-3000]
    assert events_about(client, dispute.id) == [
        "charge.dispute.created",
        "charge.dispute.funds_withdrawn",
        "charge.dispute.updated",
        "charge.dispute.closed",
    ]
    with pytest.raises(stripe.InvalidRequestError) as caught:
        client.v1.refunds.create({"payment_intent": intent.id})
    assert caught.value.code == "charge_already_refunded"


def test_won_dispute_brings_the_money_back(client: StripeClient) -> None:
    intent = pay(client, "pm_card_createDispute")
    (dispute,) = client.v1.disputes.list({"payment_intent": intent.id}).data
    won = client.v1.disputes.update(dispute.id, {"evidence": {"uncategorized_text": "winning_evidence"}})
    assert (won.status, [one.amount for one in won.balance_transactions]) == ("won", [-3000, 3000])
    assert events_about(client, dispute.id)[-2:] == [
        "charge.dispute.closed",
        "charge.dispute.funds_reinstated",
    ]
    with pytest.raises(stripe.InvalidRequestError, match="already closed"):
        client.v1.disputes.close(dispute.id)


def test_inquiry_takes_no_money_and_the_payment_can_be_refunded(client: StripeClient) -> None:
    intent = pay(client, "pm_card_createDisputeInquiry")
    (inquiry,) = client.v1.disputes.list({"payment_intent": intent.id}).data
    assert (inquiry.status, inquiry.balance_transactions) == ("warning_needs_response", [])
    assert client.v1.refunds.create({"payment_intent": intent.id}).amount == 3000
    answered = client.v1.disputes.update(inquiry.id, {"evidence": {"product_description": "A shirt"}})
    assert (answered.status, answered.evidence_details.submission_count) == ("warning_under_review", 1)
    assert client.v1.disputes.close(inquiry.id).status == "warning_closed"


@pytest.mark.parametrize(("outcome", "status"), [("prevented", "prevented"), ("lost", "lost")])
def test_bank_disputes_a_part_and_decides(
    client: StripeClient, emulators: Served, outcome: str, status: str
) -> None:
    charge = charge_of(client, pay(client))
    dispute = at_dashboard(emulators, f"charges/{charge.id}/dispute", amount="1200")
    assert (dispute["amount"], dispute["evidence_details"]["has_evidence"]) == (1200, False)
    decided = at_dashboard(emulators, f"disputes/{dispute['id']}/decide", outcome=outcome)
    assert decided["status"] == status


def test_pages_go_both_ways_and_name_what_they_do_not_know(client: StripeClient) -> None:
    customer = f"cus_{uuid4().hex}"
    ids = [pay(client, customer=customer).id for _ in range(5)][::-1]
    lists = client.v1.payment_intents
    first = lists.list({"customer": customer, "limit": 2})
    assert ([one.id for one in first.data], first.has_more) == (ids[:2], True)
    last = lists.list({"customer": customer, "limit": 3, "starting_after": ids[1]})
    assert ([one.id for one in last.data], last.has_more) == (ids[2:], False)
    back = lists.list({"customer": customer, "limit": 2, "ending_before": ids[3]})
    assert ([one.id for one in back.data], back.has_more) == (ids[1:3], True)
    assert [one.id for one in lists.list({"customer": customer, "limit": 2}).auto_paging_iter()] == ids
    made = lists.retrieve(ids[0]).created
    assert len(lists.list({"customer": customer, "created": {"gt": made}}).data) == 0
    for params in (
        {"starting_after": "pi_none"},
        {"starting_after": ids[1], "ending_before": ids[2]},
        {"limit": 101},
    ):
        with pytest.raises(stripe.InvalidRequestError) as caught:
            lists.list(params)  # type: ignore[arg-type] # a table of wrong ones
        assert caught.value.http_status == 400


def test_events_are_listed_by_type_and_by_whether_they_arrived(client: StripeClient) -> None:
    endpoint = client.v1.webhook_endpoints.create(
        {"url": "http://127.0.0.1:9/nobody", "enabled_events": ["payment_intent.succeeded"]}
    )
    intent = pay(client)
    client.v1.webhook_endpoints.delete(endpoint.id)

    def intents(**params: Any) -> list[str]:
        listed = client.v1.events.list({"limit": 100, **params})  # type: ignore[arg-type] # by the test's words
        return [event.data.object["id"] for event in listed.data]

    assert intents(types=["payment_intent.succeeded", "charge.refunded"])[0] == intent.id
    assert intent.id in intents(type="payment_intent.created")
    assert intents(delivery_success="false")[0] == intent.id
    assert intents(delivery_success="true", type="payment_intent.succeeded").count(intent.id) == 0
    with pytest.raises(stripe.InvalidRequestError, match="at most 20"):
        intents(types=["a"] * 21)
