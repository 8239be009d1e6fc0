"""Spending limits and our own list, through the gateway: what is refused before a vendor is paid, and what counts."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime
from typing import Any
from uuid import UUID

import pytest

from tests.shop.integration.functions.conftest import Functions, Json, Shopper, png
from tests.shop.integration.functions.test_designs import PHOTO, WORDS, photo
from tests.support.users import Person, Users

PER_HOUR = 30


@pytest.fixture
def spender(users: Users) -> Person:
    return users.new("spender")


def spend(functions: Functions, person: Person, count: int, kind: str = "picture") -> None:
    """Inserts `count` uses of half an hour ago."""
    functions.sql(
        "insert into private.usage_events (user_id, kind, reserved_at, expires_at, completed_at) "
        "select %s, %s, now() - interval '30 minutes', now(), now() from generate_series(1, %s)",
        person.id,
        kind,
        count,
    )


def counted(functions: Functions, person: Person) -> list[Json]:
    return functions.sql(
        "select kind, completed_at is not null as done from private.usage_events where user_id = %s",
        person.id,
    )


def test_usage_limit_says_when_it_opens_again(functions: Functions, spender: Person) -> None:
    spend(functions, spender, PER_HOUR)
    response = functions.call("generate-design-image", WORDS, spender.token)
    body: Any = response.json()
    assert response.status_code == 429
    assert body == {
        "error": "You've reached our limit for new designs: 30 an hour for one person.",
        "code": "usage_limit",
        "retry_at": body["retry_at"],
    }
    seconds = (datetime.fromisoformat(body["retry_at"]) - datetime.now(UTC)).total_seconds()
    assert body["retry_at"].endswith("+00:00")
    assert 29 * 60 < seconds <= 30 * 60 + 1
    assert abs(int(response.headers["retry-after"]) - seconds) < 5


def test_twenty_concurrent_requests_do_not_pass_the_limit(functions: Functions, spender: Person) -> None:
    spend(functions, spender, PER_HOUR - 2)
    body = WORDS | {"style": "Minimalist"}
    with ThreadPoolExecutor(20) as threads:
        outcomes = list(
            threads.map(
                lambda _: functions.call("generate-design-image", body, spender.token).status_code, range(20)
            )
        )
    assert sorted(outcomes) == [200] * 2 + [429] * 18
    assert len(counted(functions, spender)) == PER_HOUR


def test_pictures_from_words_and_from_photos_count_together(functions: Functions, spender: Person) -> None:
    spend(functions, spender, PER_HOUR - 1)
    functions.body_of("edit-design-image", PHOTO | {"image": photo((300, 200))}, spender.token)
    assert functions.call("generate-design-image", WORDS, spender.token).status_code == 429


def test_failed_or_refused_use_does_not_count(functions: Functions, spender: Person) -> None:
    rejected = WORDS | {"prompt": "a nud3 model"}
    assert functions.error_of("generate-design-image", rejected, spender.token) == (422, "prompt_refused")
    by_the_model = WORDS | {"prompt": "a garfield cat"}
    assert functions.error_of("generate-design-image", by_the_model, spender.token) == (422, "prompt_refused")
    broken = PHOTO | {"image": "aGVsbG8="}
    assert functions.error_of("edit-design-image", broken, spender.token) == (400, "not_an_image")
    assert counted(functions, spender) == []


def test_own_word_list_is_checked_before_a_vendor_is_called(functions: Functions, spender: Person) -> None:
    predictions = functions.predictions()
    for body in (WORDS | {"prompt": "p o r n"}, WORDS | {"background_color_name": "Nazi brown"}):
        assert functions.error_of("generate-design-image", body, spender.token) == (422, "prompt_refused")
    for field in ("style", "instructions", "typography"):
        body = PHOTO | {"image": photo((300, 200)), field: "H1tler"}
        assert functions.error_of("edit-design-image", body, spender.token) == (422, "prompt_refused")
    assert functions.predictions() == predictions


def test_print_products_have_a_limit_of_their_own(
    functions: Functions, spender: Person, shopper: Shopper, save_design: Callable[..., str]
) -> None:
    color = shopper.variants["Black - S"]["id"]
    first, second = save_design(spender), save_design(spender)
    spend(functions, spender, PER_HOUR)
    spend(functions, spender, PER_HOUR - 1, "print_product")

    def make(design: str) -> Any:
        body = {"designId": design, "imageBase64": png(), "selectedColors": [color]}
        return functions.call("create-printify-product", body, spender.token)

    assert make(first).status_code == 200
    rejected = make(second)
    assert (rejected.status_code, rejected.json()["code"]) == (429, "usage_limit")
    # a design that has its product costs nothing
    assert make(first).status_code == 200


def test_imports_have_a_limit_of_their_own(
    functions: Functions, spender: Person, shopper: Shopper, save_design: Callable[..., str]
) -> None:
    body = {"originalDesignId": shopper.design_id}
    spend(functions, spender, 59, "import")
    assert (
        functions.call("import-design", {"originalDesignId": str(UUID(int=1))}, spender.token).status_code
        == 404
    )
    assert functions.call("import-design", body, spender.token).status_code == 200
    rejected = functions.call("import-design", body, spender.token)
    assert rejected.status_code == 429
    assert rejected.json() == {
        "error": "You've reached our limit for imported designs: 60 an hour for one person.",
        "code": "usage_limit",
        "retry_at": rejected.json()["retry_at"],
    }
    own = "select count(*) from public.designs where user_id = %s"
    assert functions.sql(own, spender.id) == [{"count": 1}]


def test_new_orders_have_a_limit_before_anything_is_placed(
    functions: Functions, users: Users, shopper: Shopper
) -> None:
    buyer = users.new("buyer")
    copy = functions.body_of("import-design", {"originalDesignId": shopper.design_id}, buyer.token)[
        "designId"
    ]
    spend(functions, buyer, 999, "order")
    body = shopper.cart() | {"design_info": {"id": copy}}
    placed = functions.body_of("create-payment-intent", body, buyer.token)
    other = body | {"shipping_address": body["shipping_address"] | {"address2": "Flat 2"}}
    rejected = functions.call("create-payment-intent", other, buyer.token)
    assert rejected.status_code == 429
    assert rejected.json()["error"] == "You've reached our limit for new orders: 1000 an hour for one person."
    orders = functions.sql("select id::text from public.orders where user_id = %s", buyer.id)
    assert orders == [{"id": placed["order_id"]}]


def test_retried_cart_counts_once(functions: Functions, users: Users, shopper: Shopper) -> None:
    buyer = users.new("again")
    copy = functions.body_of("import-design", {"originalDesignId": shopper.design_id}, buyer.token)[
        "designId"
    ]
    body = shopper.cart() | {"design_info": {"id": copy}}
    first = functions.body_of("create-payment-intent", body, buyer.token)
    assert functions.body_of("create-payment-intent", body, buyer.token) == first
    assert [row for row in counted(functions, buyer) if row["kind"] == "order"] == [
        {"kind": "order", "done": True}
    ]


def test_pending_order_is_paid_with_another_card_at_the_limit_of_orders(
    functions: Functions, users: Users, shopper: Shopper
) -> None:
    buyer = users.new("declined")
    copy = functions.body_of("import-design", {"originalDesignId": shopper.design_id}, buyer.token)[
        "designId"
    ]
    body = shopper.cart() | {"design_info": {"id": copy}}
    spend(functions, buyer, 999, "order")
    placed = functions.body_of("create-payment-intent", body, buyer.token)
    declined = functions.stripe(
        f"payment_intents/{placed['payment_intent_id']}/confirm", payment_method="pm_card_chargeDeclined"
    )
    assert declined.status_code == 402
    assert functions.body_of("create-payment-intent", body, buyer.token) == placed
    # an order without an intent: Stripe was down the first time
    functions.sql("update public.orders set payment_intent_id = null where id = %s", placed["order_id"])
    assert functions.body_of("create-payment-intent", body, buyer.token) == placed
    assert len(counted(functions, buyer)) == 1001  # with the import


@pytest.mark.parametrize(
    "slug", ["lookup-zip-code", "generate-design-image", "import-design", "send-order-webhook"]
)
def test_large_body_is_refused_by_functions_without_pictures(
    functions: Functions, spender: Person, slug: str
) -> None:
    assert functions.error_of(slug, b" " * 65_537, spender.token) == (413, "payload_too_large")
