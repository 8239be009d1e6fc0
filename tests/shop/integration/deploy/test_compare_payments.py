"""`python -m deploy compare-payments`: Stripe's payments of any span against the books, and what the owner does."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import uuid4

import httpx
import psycopg
import pytest

from tests.shop.integration.deploy.owner import Owner
from tests.shop.integration.functions.conftest import ADDRESS
from tests.support.stacks import Stack
from tests.support.users import Users

Sql = psycopg.Connection[dict[str, object]]
Json = dict[str, Any]
Call = Callable[..., Json]
# Not tomorrow, which comes while the tests of a night run.
NEXT_WEEK = (datetime.now(UTC) + timedelta(days=7)).date().isoformat()


@pytest.fixture
def stripe(stack: Stack) -> Call:
    """Stripe's API and its dashboard, with the owner's key."""
    client = httpx.Client(base_url=f"{stack.emulators_url}/stripe", auth=("sk_test_emulator", ""))

    def call(path: str, **form: str) -> Json:
        response = client.post(path, data=form)
        assert response.status_code == 200, response.text
        body: Json = response.json()
        return body

    return call


def place(stripe: Call, order: str, **form: str) -> Json:
    """A payment that waits to be confirmed."""
    return stripe(
        "/v1/payment_intents", amount="900", currency="usd", **{"metadata[order_id]": order}, **form
    )


def pay(stripe: Call, order: str) -> Json:
    return place(stripe, order, payment_method="pm_card_visa", confirm="true")


@pytest.fixture
def webhook_off(stack: Stack, stripe: Call) -> Iterator[None]:
    """Stripe sends the shop nothing, until the test is over."""
    listed = httpx.get(f"{stack.emulators_url}/stripe/v1/webhook_endpoints", auth=("sk_test_emulator", ""))
    (endpoint,) = listed.json()["data"]
    stripe(f"/v1/webhook_endpoints/{endpoint['id']}", disabled="true")
    yield
    stripe(f"/v1/webhook_endpoints/{endpoint['id']}", disabled="false")


@pytest.fixture
def paid_order(stripe: Call, sql: Sql, users: Users, webhook_off: None) -> Json:
    """An order that arrived, paid with 900 cents. The payment came after it: no event makes the shop look at it."""
    order = str(uuid4())
    intent = place(stripe, order)
    sql.execute(
        "insert into public.orders (id, user_id, status, subtotal_cents, shipping_cents, total_cents, shipping_address,"
        " cart_key, payment_intent_id, paid_at) values (%s, %s, 'delivered', 900, 0, 900, %s, %s, %s, now())",
        [order, users.new("compared").id, json.dumps(ADDRESS), order, intent["id"]],
    )
    stripe(f"/v1/payment_intents/{intent['id']}/confirm", payment_method="pm_card_visa")
    return {"order": order, "intent": intent["id"]}


def rows(out: str) -> dict[str, list[str]]:
    """The table's rows by payment."""
    cells = [re.split(r"\s{2,}", line) for line in out.splitlines() if line.startswith("pi_")]
    return {row[0]: row[1:] for row in cells}


def test_table_says_what_stripe_and_the_books_have(owner: Owner, stripe: Call) -> None:
    kept, part, whole, disputed, lost = (pay(stripe, str(uuid4())) for _ in range(5))
    stripe("/v1/refunds", payment_intent=part["id"], amount="400")
    stripe("/v1/refunds", payment_intent=whole["id"])
    again = stripe("/v1/refunds", payment_intent=kept["id"])
    stripe(f"/dashboard/refunds/{again['id']}/status", status="failed")
    stripe(f"/dashboard/charges/{disputed['latest_charge']}/dispute")
    taken = stripe(f"/dashboard/charges/{lost['latest_charge']}/dispute", amount="300")
    stripe(f"/dashboard/disputes/{taken['id']}/decide", outcome="lost")
    shown = owner.run("compare-payments")
    found = rows(shown.out)
    assert (shown.code, shown.err) == (1, "")
    assert found[kept["id"]] == ["none", "900 captured", "0 captured"]
    assert found[part["id"]] == ["none", "900 captured, 400 refunded", "0 captured"]
    assert found[disputed["id"]] == ["none", "900 captured, disputed", "0 captured"]
    assert found[lost["id"]] == ["none", "900 captured, 300 lost", "0 captured"]
    assert whole["id"] not in found
    assert (
        "next: `python -m deploy compare-payments --fix` lets the shop look at Stripe for these" in shown.out
    )


def test_books_that_differ_are_put_right_by_the_sweep(
    owner: Owner, stack: Stack, sql: Sql, paid_order: Json
) -> None:
    intent, order = paid_order["intent"], paid_order["order"]
    sql.execute("update public.orders set refunded_cents = 500 where id = %s", [order])
    shown = owner.run("compare-payments", "--since", datetime.now(UTC).date().isoformat(), "--fix")
    assert shown.code == 1
    assert rows(shown.out)[intent] == [
        f"#{order[-6:].upper()}", "900 captured", "900 captured, 500 refunded"
    ]  # fmt: skip
    assert "the next sweep looks at Stripe for these" in shown.out
    headers = {"apikey": stack.secret_key, "authorization": f"Bearer {stack.secret_key}"}
    swept = httpx.post(f"{stack.api_url}/functions/v1/sweep", json={}, headers=headers, timeout=60)
    assert swept.status_code == 200, swept.text
    assert intent not in rows(owner.run("compare-payments").out)
    assert sql.execute("select refunded_cents from public.orders where id = %s", [order]).fetchall() == [
        {"refunded_cents": 0}
    ]


def test_payment_that_stripe_does_not_have_is_shown(owner: Owner, sql: Sql, paid_order: Json) -> None:
    intent, order = f"pi_{uuid4().hex}", paid_order["order"]
    sql.execute("update public.orders set payment_intent_id = %s where id = %s", [intent, order])
    assert rows(owner.run("compare-payments").out)[intent][1:] == ["0 captured", "900 captured"]
    sql.execute(
        "update public.orders set payment_intent_id = %s where id = %s", [paid_order["intent"], order]
    )


def test_lists_of_several_pages_are_read_to_their_end(owner: Owner, stripe: Call) -> None:
    first = pay(stripe, str(uuid4()))
    for _ in range(101):
        pay(stripe, "")
    shown = owner.run("compare-payments")
    assert first["id"] in rows(shown.out)
    stripe("/v1/refunds", payment_intent=first["id"])


def test_nothing_since_a_day_to_come_differs(owner: Owner) -> None:
    shown = owner.run("compare-payments", "--since", NEXT_WEEK)
    assert (shown.code, shown.err) == (0, "")
    assert shown.out == f"payments: 0 since {NEXT_WEEK} compared, the books have all of them as Stripe does\n"


@pytest.mark.parametrize("wrong", ["yesterday", "2026-13-01"])
def test_since_is_a_date(owner: Owner, wrong: str) -> None:
    refused = owner.run("compare-payments", "--since", wrong)
    assert refused.code == 2
    assert "--since" in refused.err
