"""Orders that need a person: what admins read of them, and how a flag is resolved; nothing for others."""

from __future__ import annotations

from typing import Any

import pytest

Db = Any
LIST = "select public.list_flagged_orders(%s) as result"
RECORD = "select public.get_order_record(%s) as result"
RESOLVE = "select public.resolve_order_flags(%s, %s::uuid[], %s) as result"
OTHERS = ("anon", "owner", "stranger", "service")


def scalar(db: Db, persona: str, sql: str, *values: object) -> Any:
    (row,) = db.as_(persona, sql, *values)
    return row["result"]


def flag(db: Db, order: str, reason: str, details: str = "", minutes_ago: int = 0) -> str:
    """Raises a flag, some minutes ago; its id."""
    db.as_("service", "select public.flag_order(%s, %s, %s)", order, reason, details)
    (row,) = db.run(
        "update public.order_flags set created_at = now() - make_interval(mins => %s) "
        "where order_id = %s and reason = %s and resolved_at is null returning id",
        minutes_ago,
        order,
        reason,
    )
    return str(row["id"])


def listed(db: Db, orders: set[str], most: int = 500) -> list[dict[str, Any]]:
    """These orders among those that the admin's list has."""
    return [row for row in scalar(db, "admin", LIST, most)["orders"] if row["id"] in orders]


def test_flagged_orders_are_listed_once_each_and_longest_waiting_first(db: Db) -> None:
    late, early, calm = (db.order(status="paid", cart_key=key) for key in ("late", "early", "calm"))
    before = scalar(db, "admin", LIST, 500)["total"]
    flag(db, late, "disputed", minutes_ago=5)
    flag(db, early, "print_failed", minutes_ago=9)
    flag(db, early, "message_failed", minutes_ago=1)
    rows = listed(db, {late, early, calm})
    assert [(row["id"], row["reasons"]) for row in rows] == [
        (early, ["print_failed", "message_failed"]),
        (late, ["disputed"]),
    ]
    assert set(rows[0]) == {"id", "since", "status", "total", "customer", "reasons"}
    assert (rows[0]["status"], rows[0]["total"]) == ("paid", 45.7)
    assert scalar(db, "admin", LIST, 1)["total"] == before + 2
    assert len(scalar(db, "admin", LIST, 1)["orders"]) == 1


@pytest.mark.parametrize("persona", OTHERS)
def test_only_admins_read_and_resolve_flagged_orders(db: Db, persona: str) -> None:
    order = db.order(status="paid")
    identity = flag(db, order, "disputed")
    assert db.rejected(persona, LIST, 50) == "42501"
    assert db.rejected(persona, RECORD, order) == "42501"
    assert db.rejected(persona, RESOLVE, order, [identity], "mine now") == "42501"
    assert db.rejected(persona, "select public.revoke_order_link(%s)", order) == "42501"
    assert len(listed(db, {order})) == 1


def test_record_has_flags_jobs_messages_and_the_trail_in_order(db: Db) -> None:
    order = db.order()
    db.as_("service", "select public.settle_order(%s, 'pi_record', 4570, 'usd')", order)
    db.as_("service", "select public.claim_job(60, %s, 'print')", order)
    db.as_("service", "select public.fail_job(%s, 'print', 'printer_refused: 400', 1)", order)
    record = scalar(db, "admin", RECORD, order)
    assert (record["id"], record["payment_intent_id"], record["printify_order_id"]) == (
        order,
        "pi_record",
        None,
    )
    assert [(each["reason"], each["details"], each["resolved_at"]) for each in record["flags"]] == [
        ("print_failed", "printer_refused: 400", None)
    ]
    assert {each["kind"]: each["gave_up_at"] is not None for each in record["jobs"]} == {
        "settle": False,
        "print": True,
    }
    (printing,) = [each for each in record["jobs"] if each["kind"] == "print"]
    assert (printing["attempts"], printing["last_error"]) == (1, "printer_refused: 400")
    assert {each["kind"] for each in record["messages"]} == {
        *("confirmation", "order.confirmed", "notice_print_failed", "problem")
    }
    # one transaction's clock stands still: the rows have one time, so only their set is certain here
    assert sorted(each["kind"] for each in record["events"]) == ["flagged", "placed", "status"]
    assert {each["kind"]: each["actor"] for each in record["events"]}["placed"] == "the customer"


def test_record_of_no_order_is_null(db: Db) -> None:
    assert scalar(db, "admin", RECORD, "00000000-0000-4000-8000-000000000000") is None


def test_resolving_notes_the_admin_and_leaves_newer_flags_open(db: Db) -> None:
    order = db.order(status="paid")
    seen = flag(db, order, "disputed")
    flag(db, order, "message_failed")
    assert scalar(db, "admin", RESOLVE, order, [seen], "  Called\u202e the bank  ") == 1
    assert scalar(db, "admin", RESOLVE, order, [seen], "twice") == 0
    assert [row["reasons"] for row in listed(db, {order})] == [["message_failed"]]
    events = db.run(
        "select actor::text, details from public.order_events where order_id = %s and kind = 'flags_resolved'",
        order,
    )
    assert events == [
        {"actor": db.ids["admin"], "details": {"reasons": ["disputed"], "note": "Called the bank"}}
    ]


@pytest.mark.parametrize("note", [None, "", "   ", "\u200b", "x" * 501])
def test_resolving_needs_a_note_that_is_seen(db: Db, note: str | None) -> None:
    order = db.order(status="paid")
    identity = flag(db, order, "disputed")
    assert db.rejected("admin", RESOLVE, order, [identity], note) == "23514"
    assert len(listed(db, {order})) == 1


def test_flag_of_another_order_is_not_resolved_along(db: Db) -> None:
    mine, other = db.order(status="paid", cart_key="a"), db.order(status="paid", cart_key="b")
    identity = flag(db, other, "disputed")
    assert scalar(db, "admin", RESOLVE, mine, [identity], "wrong one") == 0
    assert len(listed(db, {other})) == 1
