"""The admin's analytics: for admins alone, counting paid orders."""

from decimal import Decimal
from typing import Any

import pytest

Db = Any
FIGURES = (
    "select total_orders, total_spent, total_designs, total_sessions, avg_session_duration_minutes, is_admin, "
    "last_login = now() as seen_now from public.get_user_analytics() where user_id = %s"
)


@pytest.mark.parametrize("persona", ["owner", "stranger", "anon"])
def test_analytics_are_for_admins_only(db: Db, persona: str) -> None:
    assert db.rejected(persona, "select 1 from public.get_user_analytics()") == "42501"


def test_analytics_count_paid_orders(db: Db) -> None:
    db.order(status="paid", cart_key="a")
    db.order(status="delivered", cart_key="b")
    db.order(cart_key="never paid")
    # two sessions: one of 30 minutes until something was made, one in which nothing happened
    db.run(
        "insert into public.user_sessions (user_id, login_at) values (%s, now() - interval '30 minutes'), (%s, now())",
        db.ids["owner"],
        db.ids["owner"],
    )
    db.run(
        "update public.designs set created_at = now() - interval '1 second' where user_id = %s",
        db.ids["owner"],
    )
    db.run("delete from public.designs where user_id = %s", db.ids["stranger"])
    (row,) = db.as_("admin", FIGURES, db.ids["owner"])
    minutes = row.pop("avg_session_duration_minutes")
    assert row == {
        "total_orders": 2,
        "total_spent": Decimal("91.40"),
        "total_designs": 3,
        "total_sessions": 2,
        "is_admin": False,
        "seen_now": True,
    }
    assert minutes == Decimal("15.0")


def test_analytics_list_every_user(db: Db) -> None:
    (row,) = db.as_("admin", FIGURES, db.ids["stranger"])
    assert row == {
        "total_orders": 0,
        "total_spent": Decimal(0),
        "total_designs": 0,
        "total_sessions": 0,
        "avg_session_duration_minutes": Decimal("0.0"),
        "is_admin": False,
        "seen_now": None,
    }


def test_refunds_are_subtracted_from_spending(db: Db) -> None:
    order = db.order(status="shipped")
    db.run("select public.record_refund(%s, 're_1', 1990)", order)
    (row,) = db.as_("admin", FIGURES, db.ids["owner"])
    assert (row["total_orders"], row["total_spent"]) == (1, Decimal("25.80"))
