"""Money fails closed: what makes an order paid, and what never does."""

from dataclasses import replace
from typing import Any

import pytest
from _shared.catalog.catalog import Catalog
from _shared.clients.stripe_api import Intent, Returned
from _shared.core.callers import Caller
from _shared.core.errors import ShopError
from _shared.designs.designs import Designs
from _shared.orders.checkout import PaymentRequest
from _shared.orders.order_rpc import OrderRpc
from _shared.orders.orders import Order, Orders
from _shared.orders.payments import Payments

from tests.shop.unit.functions.fakes import FakeDatabase
from tests.shop.unit.functions.samples import BLACK_L, BLACK_M, DESIGN, body

BUYER = Caller("buyer", "ann@example.com")


class FakeIntents:
    """Intents in memory; `error` is raised instead of the next response."""

    def __init__(self) -> None:
        self.intents: dict[str, Intent] = {}
        self.refunds: list[tuple[str, str]] = []
        self.error: ShopError | None = None
        self.readings = 0
        self.overtakes: dict[str, Any] | None = None

    def create_intent(self, *, order_id: str, amount: int, currency: str, description: str) -> Intent:
        assert description.startswith("Teesmith order #")
        if self.error:
            raise self.error
        made = Intent(
            f"pi_{order_id}",
            "requires_payment_method",
            amount,
            0,
            currency,
            f"pi_{order_id}_secret",
            order_id,
        )
        return self.intents.setdefault(made.id, made)

    def intent(self, intent_id: str) -> Intent:
        return self.intents[intent_id]

    def cancel_intent(self, intent_id: str) -> Intent:
        if self.intents[intent_id].status not in ("succeeded", "processing"):
            self.becomes(self.intents[intent_id], status="canceled")
        return self.intents[intent_id]

    def refund(self, intent_id: str, *, order_id: str, key: str) -> str:
        assert self.intents[intent_id].order_id == order_id
        if (intent_id, key) not in self.refunds:
            self.refunds.append((intent_id, key))
        return "succeeded"

    def returned(self, intent_id: str) -> Returned:
        self.readings += 1
        if self.overtakes and self.readings == 1:  # another process writes meanwhile
            self.overtakes["money_version"] += 1
        counted = [key for refunded, key in self.refunds if refunded == intent_id]
        cents = self.intents[intent_id].amount_received * len(counted)
        return Returned(cents, f"re_{counted[0]}" if counted else "", (), ())

    def becomes(self, intent: Intent, **changes: Any) -> None:
        self.intents[intent.id] = replace(intent, **changes)


class Checkout:
    def __init__(self) -> None:
        variants = [
            {"id": BLACK_M, "name": "Black - M", "printify_variant_id": 12125, "is_available": True},
            {"id": BLACK_L, "name": "Black - L", "printify_variant_id": 12124, "is_available": True},
        ]
        design: dict[str, Any] = {
            "id": DESIGN.id,
            "user_id": "buyer",
            "name": "Surfing cat",
            "image_data": "aGk=",
            "image_url": None,
            "printify_product_id": "product-1",
            "selected_colors": [],
            "current_version": None,
            "has_back": False,
        }
        self.data = FakeDatabase(product_variants=variants, designs=[design])
        self.orders = Orders(self.data, Designs(self.data), Catalog(self.data), "http://mockups")
        self.stripe = FakeIntents()
        self.payments = Payments(self.stripe, self.orders, OrderRpc(self.data, 60))

    def place(self, **changes: Any) -> Order:
        return self.orders.place(self.orders.cart(BUYER, PaymentRequest.model_validate(body(**changes))))

    def again(self, order: Order) -> Order:
        return self.orders.visible(BUYER, order.id)


@pytest.fixture
def checkout() -> Checkout:
    return Checkout()


def code_of(caught: pytest.ExceptionInfo[ShopError]) -> tuple[int, str]:
    return caught.value.status, caught.value.code


def test_order_is_placed_pending_with_what_it_costs(checkout: Checkout) -> None:
    order = checkout.place()
    assert (order.status, order.total_cents, order.is_paid) == ("pending", 5970, False)
    intent = checkout.payments.intent_for(order)
    assert (intent.amount, intent.currency, intent.order_id) == (5970, "usd", order.id)
    assert checkout.again(order).payment_intent_id == intent.id


def test_wrong_amount_places_nothing(checkout: Checkout) -> None:
    with pytest.raises(ShopError) as caught:
        checkout.place(amount=1)
    assert code_of(caught) == (409, "amount_mismatch")
    assert checkout.data.tables["orders"] == []
    assert checkout.stripe.intents == {}


def test_design_of_another_user_cannot_be_ordered(checkout: Checkout) -> None:
    with pytest.raises(ShopError) as caught:
        checkout.orders.cart(Caller("stranger"), PaymentRequest.model_validate(body()))
    assert code_of(caught) == (404, "design_not_found")


def test_retry_after_a_declined_card_uses_the_same_order_and_intent(checkout: Checkout) -> None:
    first = checkout.place()
    intent = checkout.payments.intent_for(first)
    second = checkout.place()
    assert second.id == first.id
    assert checkout.payments.intent_for(second) == intent
    assert len(checkout.data.tables["orders"]) == len(checkout.stripe.intents) == 1


def test_succeeded_intent_makes_the_order_paid(checkout: Checkout) -> None:
    order = checkout.place()
    intent = checkout.payments.intent_for(order)
    checkout.stripe.becomes(intent, status="succeeded", amount_received=5970)
    assert checkout.payments.settle(checkout.again(order)).status == "paid"
    assert checkout.payments.settle(checkout.again(order)).status == "paid"


@pytest.mark.parametrize(
    "changes",
    [
        {"status": "requires_payment_method"},
        {"status": "processing"},
        {"status": "requires_capture", "amount_received": 5970},
        {"status": "succeeded", "amount_received": 5969},
        {"status": "succeeded", "amount_received": 5970, "order_id": "another order"},
        {"status": "succeeded", "amount_received": 5970, "currency": "idr"},
    ],
)
def test_other_intent_does_not_make_the_order_paid(checkout: Checkout, changes: dict[str, Any]) -> None:
    order = checkout.place()
    checkout.stripe.becomes(checkout.payments.intent_for(order), **changes)
    with pytest.raises(ShopError) as caught:
        checkout.payments.settle(checkout.again(order))
    assert code_of(caught) == (409, "payment_not_completed")
    assert checkout.again(order).status == "pending"


def test_order_without_an_intent_is_not_paid(checkout: Checkout) -> None:
    with pytest.raises(ShopError) as caught:
        checkout.payments.settle(checkout.place())
    assert code_of(caught) == (409, "payment_not_completed")


def test_paid_cart_is_not_charged_again(checkout: Checkout) -> None:
    order = checkout.place()
    checkout.stripe.becomes(checkout.payments.intent_for(order), status="succeeded", amount_received=5970)
    with pytest.raises(ShopError) as caught:
        checkout.payments.intent_for(checkout.place())
    assert code_of(caught) == (409, "already_paid")
    assert checkout.again(order).status == "paid"


def test_cancelled_intent_cancels_its_order_and_the_next_try_is_new(checkout: Checkout) -> None:
    order = checkout.place()
    checkout.stripe.becomes(checkout.payments.intent_for(order), status="canceled")
    with pytest.raises(ShopError) as caught:
        checkout.payments.intent_for(checkout.place())
    assert code_of(caught) == (409, "payment_expired")
    assert checkout.again(order).status == "cancelled"
    assert checkout.place().id != order.id


def test_intent_refused_by_stripe_cancels_the_order(checkout: Checkout) -> None:
    checkout.stripe.error = ShopError(422, "payment_not_possible", "This payment cannot be made.")
    order = checkout.place()
    with pytest.raises(ShopError):
        checkout.payments.intent_for(order)
    assert checkout.again(order).status == "cancelled"


def test_order_stays_pending_while_stripe_is_down(checkout: Checkout) -> None:
    checkout.stripe.error = ShopError(502, "payment_unavailable", "We could not reach the card company.")
    order = checkout.place()
    with pytest.raises(ShopError):
        checkout.payments.intent_for(order)
    checkout.stripe.error = None
    assert checkout.place().id == order.id
    assert checkout.payments.intent_for(checkout.again(order)).order_id == order.id


def test_settling_an_intent_is_repeatable(checkout: Checkout) -> None:
    order = checkout.place()
    intent = checkout.payments.intent_for(order)
    with pytest.raises(ShopError) as caught:
        checkout.payments.sync(intent.id)
    assert code_of(caught) == (409, "payment_not_completed")
    checkout.stripe.becomes(intent, status="succeeded", amount_received=5970)
    for _ in range(2):
        assert checkout.payments.sync(intent.id).status == "paid"


def test_intent_without_an_order_is_not_found(checkout: Checkout) -> None:
    intent = checkout.payments.intent_for(checkout.place())
    checkout.stripe.becomes(intent, status="succeeded", amount_received=5970, order_id="unheard of")
    with pytest.raises(ShopError) as caught:
        checkout.payments.sync(intent.id)
    assert code_of(caught) == (404, "order_not_found")
    checkout.stripe.becomes(intent, order_id="")
    with pytest.raises(ShopError) as caught:
        checkout.payments.sync(intent.id)
    assert code_of(caught) == (404, "order_not_found")


def test_second_payment_of_an_order_is_refunded(checkout: Checkout) -> None:
    order = checkout.place()
    intent = checkout.payments.intent_for(order)
    checkout.stripe.becomes(intent, status="succeeded", amount_received=5970)
    checkout.payments.settle(checkout.again(order))
    second = replace(checkout.stripe.intents[intent.id], id="pi_second")
    checkout.stripe.intents["pi_second"] = second
    checkout.payments.sync("pi_second")
    assert checkout.stripe.refunds == [("pi_second", "pi_second")]
    assert checkout.again(order).payment_intent_id == intent.id


def test_closing_a_payment_cancels_its_intent_or_finds_it_paid(checkout: Checkout) -> None:
    order = checkout.place()
    checkout.payments.intent_for(order)
    assert checkout.payments.close(checkout.again(order)).status == "cancelled"
    paid = checkout.place()
    checkout.stripe.becomes(checkout.payments.intent_for(paid), status="succeeded", amount_received=5970)
    assert checkout.payments.close(checkout.again(paid)).status == "paid"
    busy = checkout.place()
    checkout.stripe.becomes(checkout.payments.intent_for(busy), status="processing")
    with pytest.raises(ShopError) as caught:
        checkout.payments.close(checkout.again(busy))
    assert code_of(caught) == (409, "payment_processing")


def test_refund_is_recorded_with_its_amount(checkout: Checkout) -> None:
    order = checkout.place()
    checkout.stripe.becomes(checkout.payments.intent_for(order), status="succeeded", amount_received=5970)
    paid = checkout.payments.settle(checkout.again(order))
    checkout.payments.refund(paid)
    checkout.payments.refund(paid)
    assert checkout.stripe.refunds == [(paid.payment_intent_id, paid.id)]
    assert (checkout.again(order).refund_id, checkout.again(order).refunded_cents) == (f"re_{paid.id}", 5970)


def test_overtaken_stripe_answer_is_read_again(checkout: Checkout) -> None:
    order = checkout.place()
    intent = checkout.payments.intent_for(order)
    checkout.stripe.becomes(intent, status="succeeded", amount_received=5970)
    checkout.payments.settle(checkout.again(order))
    checkout.stripe.overtakes = checkout.data.tables["orders"][0]
    assert checkout.payments.sync(intent.id).money_version == 1
    assert checkout.stripe.readings == 2
