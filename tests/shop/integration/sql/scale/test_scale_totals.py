"""Totals against the rows that they count, after every kind of change and by every role."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any
from uuid import uuid4

import pytest

Db = Any
KINDS = (
    "shop",
    "likes",
    "designs of users",
    "orders of users",
    "sessions of users",
    "names of public designs",
)


def wrong(db: Db) -> list[tuple[str, Any]]:
    """Return what every kind of total holds falsely."""
    return [(kind, row) for kind in KINDS for row in db.run("select * from private.wrong_totals(%s)", kind)]


def random_change(db: Db, random: Random) -> None:
    """One of the changes that the shop makes, by the role that makes it."""
    owner = random.choice(("owner", "stranger"))
    designs = [str(row["id"]) for row in db.run(
        "select id from public.designs where user_id = any (%s::uuid[]) order by id", list(db.ids.values())
    )]  # fmt: skip
    design = random.choice(designs) if designs else None
    orders = [row["id"] for row in db.run(
        "select id from public.orders where user_id = any (%s::uuid[]) order by id", list(db.ids.values())
    )]  # fmt: skip
    order = random.choice(orders) if orders else None
    me = db.ids[owner]

    def like() -> None:
        db.run(
            "insert into public.design_likes (design_id, user_id) "
            "select p.design_id, u.id from public.public_designs p, unnest(%s::uuid[]) u (id) "
            "where p.user_id = any (%s::uuid[]) and random() < 0.6 on conflict do nothing",
            list(db.ids.values()),
            list(db.ids.values()),
        )

    def publish() -> None:
        db.run(
            "insert into public.public_designs (design_id, user_id) select id, user_id from public.designs d "
            "where d.id = %s on conflict do nothing",
            design,
        )

    def move() -> None:
        steps = {"pending": "paid", "paid": "processing", "processing": "shipped", "shipped": "delivered"}
        for row in db.run("select status from public.orders where id = %s", order):
            step = "cancelled" if random.random() < 0.2 else steps.get(row["status"])
            if (
                step
                and row["status"] not in ("cancelled", "delivered")
                and (step != "cancelled" or row["status"] != "shipped")
            ):
                db.run("update public.orders set status = %s where id = %s", step, order)

    changes: list[Callable[[], object]] = [
        lambda: db.design(owner, public=random.random() < 0.6),
        lambda: db.run("delete from public.designs where id = %s", design),
        lambda: db.run("update public.designs set name = 'New name' where id = %s", design),
        lambda: db.run("update public.designs set printify_product_id = 'p' where id = %s", design),
        lambda: db.run("update public.designs set printify_product_id = null where id = %s", design),
        publish,
        lambda: db.as_(owner, "delete from public.public_designs where user_id = %s", me),
        like,
        like,
        lambda: db.as_(owner, "delete from public.design_likes where user_id = %s", me),
        lambda: db.run("delete from public.design_likes where design_id = %s", design),
        lambda: db.as_(owner, "insert into public.user_sessions (user_id) values (%s)", me),
        lambda: db.run("delete from public.user_sessions where user_id = %s", me),
        lambda: db.order(owner, cart_key=str(uuid4())),
        move,
        move,
        lambda: db.run(
            "select public.record_money(o.id, o.money_version, null, %s) from public.orders o"
            " where o.id = %s and o.paid_at is not null",
            random.randint(1, 4000),
            order,
        ),
        lambda: db.run("delete from public.orders where id = %s", order) if random.random() < 0.3 else None,
    ]
    random.choice(changes)()


@pytest.mark.parametrize("seed", range(6))
def test_totals_hold_after_any_changes(db: Db, seed: int) -> None:
    random = Random(seed)
    db.run("select private.recount()")
    for step in range(60):
        random_change(db, random)
        if step % 10 == 9:
            assert wrong(db) == []
    for design in db.run("select p.design_id, public.like_count(p) as likes from public.public_designs p"):
        counted = db.run("select count(*) from public.design_likes where design_id = %s", design["design_id"])
        assert counted == [{"count": design["likes"]}]


def test_totals_hold_after_users_are_deleted(db: Db) -> None:
    db.run("select private.recount()")
    design = db.design(public=True)
    for persona in ("stranger", "admin", "owner"):
        like = "insert into public.design_likes (design_id, user_id) values (%s, %s)"
        db.as_(persona, like, design, db.ids[persona])
    db.as_("stranger", "insert into public.user_sessions (user_id) values (%s)", db.ids["stranger"])
    db.design("stranger")
    db.run("delete from auth.users where id = %s", db.ids["stranger"])
    assert wrong(db) == []
    db.run("delete from auth.users where id = %s", db.ids["owner"])
    assert wrong(db) == []


def test_everybody_reads_the_number_of_likes_beyond_the_row_limit(db: Db) -> None:
    design = db.design(public=True)
    db.run(
        """
        with people as (
          insert into auth.users (id, aud, role, email, raw_user_meta_data)
          select gen_random_uuid(), 'authenticated', 'authenticated', 'fan' || n || '@teesmith.example', '{}'
          from generate_series(1, 1234) n returning id
        )
        insert into public.design_likes (design_id, user_id) select %s, id from people
        """,
        design,
    )
    query = "select public.like_count(p) as likes from public.public_designs p where p.design_id = %s"
    personas = ("anon", "owner", "stranger", "admin", "service")
    read = {persona: db.as_(persona, query, design) for persona in personas}
    assert read == {persona: [{"likes": 1234}] for persona in personas}


@pytest.mark.parametrize("table", ["totals", "user_totals", "design_like_totals", "total_checks"])
@pytest.mark.parametrize("persona", ["anon", "owner", "admin", "service"])
def test_totals_are_behind_the_api(db: Db, persona: str, table: str) -> None:
    assert db.rejected(persona, f"select * from private.{table}") == "42501"


@pytest.mark.parametrize("persona", ["anon", "owner", "admin"])
def test_only_the_service_checks_totals(db: Db, persona: str) -> None:
    assert db.rejected(persona, "select * from public.check_next_total()") == "42501"
    assert db.rejected(persona, "select public.finish_total_check('shop')") == "42501"


def test_check_goes_through_every_kind_once_a_night(db: Db) -> None:
    db.run("select private.recount()")
    db.run("update private.total_checks set next_at = 'epoch'")
    seen = []
    while rows := db.as_("service", "select * from public.check_next_total()"):
        (row,) = rows
        assert row == {"kind": row["kind"], "wrong_rows": 0, "of_row": None, "held": None, "counted": None}
        seen.append(row["kind"])
        db.as_("service", "select public.finish_total_check(%s)", row["kind"])
    assert sorted(seen) == sorted(KINDS)
    (again,) = db.run(
        "select min(next_at at time zone 'utc')::text as first, max(next_at at time zone 'utc')::text as last, "
        "(date_trunc('day', now() at time zone 'utc') + interval '27 hours')::text as three from private.total_checks"
    )
    assert again["first"] == again["last"] == again["three"]


def test_check_that_was_not_reported_comes_again_after_an_hour(db: Db) -> None:
    db.run("update private.total_checks set next_at = 'infinity'")
    db.run("update private.total_checks set next_at = now() where kind = 'likes'")
    assert [row["kind"] for row in db.as_("service", "select kind from public.check_next_total()")] == [
        "likes"
    ]
    assert db.as_("service", "select kind from public.check_next_total()") == []
    assert db.run(
        "select next_at = now() + interval '1 hour' as later from private.total_checks where kind = 'likes'"
    ) == [{"later": True}]


def test_drift_is_found_and_counting_anew_mends_it(db: Db) -> None:
    db.run("select private.recount()")
    design = db.design(public=True)
    db.as_(
        "owner",
        "insert into public.design_likes (design_id, user_id) values (%s, %s)",
        design,
        db.ids["owner"],
    )
    db.run("update private.design_like_totals set likes = likes + 2 where design_id = %s", design)
    db.run(
        "update private.totals set designs = designs - 1 where shard = (select min(shard) from private.totals)"
    )
    db.run("update private.user_totals set sessions = 5 where user_id = %s", db.ids["owner"])
    db.run("update public.public_designs set name = 'Other' where design_id = %s", design)
    (designs,) = db.run("select count(*) from public.designs")
    assert wrong(db) == [
        ("shop", {"of_row": "designs", "held": str(designs["count"] - 1), "counted": str(designs["count"])}),
        ("likes", {"of_row": design, "held": "3", "counted": "1"}),
        ("sessions of users", {"of_row": db.ids["owner"], "held": "5", "counted": "0"}),
        ("names of public designs", {"of_row": design, "held": "Other", "counted": "Surfing cat"}),
    ]
    db.run("update private.total_checks set next_at = 'infinity'")
    db.run("update private.total_checks set next_at = now() where kind = 'likes'")
    assert db.as_("service", "select * from public.check_next_total()") == [
        {"kind": "likes", "wrong_rows": 1, "of_row": design, "held": "3", "counted": "1"}
    ]
    db.run("select private.recount()")
    assert wrong(db) == []
