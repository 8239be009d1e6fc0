"""`make production-check`: whether the sweep compares Stripe's payments with the books, and what it cannot explain."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.shop.integration.deploy.deployed import Deployed


@pytest.fixture
def checked(deployed: Deployed) -> Iterator[Deployed]:
    """A shop whose books were compared a moment ago, and are not again while the test lasts."""
    deployed.sql.execute(
        "update private.money_reads set ended_at = now(), next_at = now() + interval '1 hour'"
    )
    yield deployed
    deployed.sql.execute("update private.money_reads set ended_at = now(), next_at = 'epoch'")


def test_books_that_are_compared_are_well(checked: Deployed) -> None:
    (finding,) = checked.check("books")
    assert finding["status"] == "ok"
    assert finding["detail"].startswith("compared with Stripe ")


@pytest.mark.parametrize(
    ("ended", "problem"),
    [
        ("now() - interval '1 hour'", "payments were for 36"),
        ("null", "payments were never compared with Stripe's events"),
    ],
)
def test_books_that_are_not_compared_fail(checked: Deployed, ended: str, problem: str) -> None:
    checked.sql.execute(f"update private.money_reads set ended_at = {ended}".encode())
    (finding,) = checked.check("books")
    assert finding["detail"].startswith(problem)
    assert (finding["status"], finding["mend"]) == (
        "failed", "let STRIPE_SECRET_KEY read events; the functions' log has the cause",
    )  # fmt: skip


def test_payments_without_an_explanation_are_noted(checked: Deployed) -> None:
    row = "('pi_check', 'infinity', now())"
    checked.sql.execute(
        f"insert into private.money_checks (intent_id, due_at, mailed_at) values {row}".encode()
    )
    try:
        (finding,) = checked.check("books")
    finally:
        checked.sql.execute("delete from private.money_checks where intent_id = 'pi_check'")
    assert (finding["status"], finding["detail"]) == (
        "note", "1 payments differ from Stripe: python -m deploy compare-payments",
    )  # fmt: skip
