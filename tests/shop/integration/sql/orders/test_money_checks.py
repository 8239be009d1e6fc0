"""Payments as Stripe has them against the books, and the queue of those that are compared."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.shop.integration.sql.orders.order_steps import Db, money, pay, step

TOTAL = 4570
NOBODY = "00000000-0000-4000-8000-00000000beef"


def compared(db: Db, **payment: Any) -> list[tuple[str, str]]:
    """At Stripe and in the books, where these differ."""
    whole = {"named_order": "", "captured": TOTAL, "refunded": 0, "lost": 0, "disputed": False} | payment
    rows = db.as_("service", "select * from public.compare_payments(%s)", json.dumps([whole]))
    return [(row["at_stripe"], row["in_books"]) for row in rows]


@pytest.fixture
def order(db: Db) -> str:
    made = str(db.order())
    pay(db, made, "pi_own")
    return made


@pytest.mark.parametrize(
    ("payment", "words"),
    [
        ({}, None),
        ({"refunded": 500}, "4570 captured, 500 refunded"),
        ({"lost": TOTAL}, "4570 captured, 4570 lost"),
        ({"disputed": True}, "4570 captured, disputed"),
        ({"captured": 0}, "0 captured"),
        ({"captured": 4571}, "4571 captured"),
    ],
)
def test_paid_order_agrees_with_its_whole_payment_alone(
    db: Db, order: str, payment: dict[str, Any], words: str | None
) -> None:
    assert compared(db, intent="pi_own", **payment) == ([(words, "4570 captured")] if words else [])


@pytest.mark.parametrize(
    ("payment", "agrees"),
    [
        ({"refunded": 500, "lost": 300}, True),
        ({"refunded": 800}, False),
        ({"refunded": 500}, False),
        ({"refunded": 500, "lost": 300, "disputed": True}, False),
        ({}, False),
    ],
)
def test_returned_money_agrees_by_the_way_that_it_went(
    db: Db, order: str, payment: dict[str, Any], agrees: bool
) -> None:
    money(db, order, 500, lost=300, dispute="lost")
    assert (compared(db, intent="pi_own", **payment) == []) is agrees


def test_disputed_payment_agrees_while_its_order_is_held(db: Db, order: str) -> None:
    money(db, order, 0, dispute="needs_response")
    assert compared(db, intent="pi_own", disputed=True) == []
    assert compared(db, intent="pi_own") == [("4570 captured", "4570 captured, disputed")]


def test_money_that_went_back_twice_agrees_at_the_total(db: Db, order: str) -> None:
    money(db, order, TOTAL, lost=TOTAL, dispute="lost")
    assert compared(db, intent="pi_own", refunded=TOTAL, lost=TOTAL) == []


@pytest.mark.parametrize("name", [NOBODY, "no id at all"])
def test_payment_of_no_order_differs_until_it_went_back(db: Db, name: str) -> None:
    assert compared(db, intent="pi_1", named_order=name) == [("4570 captured", "0 captured")]
    assert compared(db, intent="pi_1", named_order=name, refunded=4000, lost=570) == []
    assert compared(db, intent="pi_1", named_order=name, captured=0) == []


def test_payment_that_names_no_order_is_of_others(db: Db) -> None:
    assert compared(db, intent="pi_1") == []


def test_unpaid_orders_own_payment_differs_even_without_its_name(db: Db) -> None:
    made = db.order()
    db.run("update public.orders set payment_intent_id = 'pi_open' where id = %s", made)
    assert compared(db, intent="pi_open") == [("4570 captured", "0 captured")]


def test_second_payment_of_a_paid_order_differs(db: Db, order: str) -> None:
    assert compared(db, intent="pi_second", named_order=order) == [("4570 captured", "0 captured")]


def test_page_asks_only_for_what_the_books_do_not_have(db: Db, order: str) -> None:
    db.run("update private.money_reads set next_at = 'epoch'")
    (begun,) = db.as_("service", "select * from public.begin_money_read(120)")
    events = [
        {"event": "evt_1", "intent": "pi_own", "captured": TOTAL},
        {"event": "evt_2", "intent": "pi_less", "captured": TOTAL},
        {"event": "evt_3", "intent": "pi_back", "captured": None},
        {"event": "evt_4", "intent": "pi_back", "captured": None},
    ]
    assert step(db, "save_money_page", begun["version"], json.dumps(events), 7, "evt_4", False, 0) is True
    rows = db.run(
        "select intent_id, requests from private.money_checks where intent_id = any (%s) order by 1",
        ["pi_own", "pi_less", "pi_back"],
    )
    assert [(row["intent_id"], row["requests"]) for row in rows] == [("pi_back", 1), ("pi_less", 1)]
    assert (
        step(db, "save_money_page", begun["version"], json.dumps(events[:0]), None, None, True, 300) is True
    )
    (row,) = db.run(
        "select read_until, newest, resume_after, next_at > now() as later from private.money_reads"
    )
    assert row["read_until"] >= 7
    assert (row["newest"], row["resume_after"], row["later"]) == (None, None, True)


@pytest.mark.parametrize("persona", ["anon", "owner", "admin", "service"])
@pytest.mark.parametrize("table", ["money_reads", "money_checks"])
def test_tables_of_the_comparison_are_granted_to_no_role(db: Db, persona: str, table: str) -> None:
    assert db.rejected(persona, f"select * from private.{table}") == "42501"
