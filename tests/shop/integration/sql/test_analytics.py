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


@pytest.mark.parametrize("persona", ["owner", "stranger", "anon", "service_role"])
def test_address_of_an_account_is_for_admins_only(db: Db, persona: str) -> None:
    # not even one's own: Auth tells that
    assert db.rejected(persona, "select public.get_user_email(%s)", db.ids["owner"]) == "42501"


def test_admin_reads_the_address_of_an_account(db: Db) -> None:
    (known,) = db.run("select email from auth.users where id = %s", db.ids["stranger"])
    (told,) = db.as_("admin", "select public.get_user_email(%s) as email", db.ids["stranger"])
    assert told == known
    (nobody,) = db.as_("admin", "select public.get_user_email(gen_random_uuid()) as email")
    assert nobody == {"email": None}


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
    db.run("select public.record_money(%s, 0, 're_1', 1990)", order)
    (row,) = db.as_("admin", FIGURES, db.ids["owner"])
    assert (row["total_orders"], row["total_spent"]) == (1, Decimal("25.80"))
