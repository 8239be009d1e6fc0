"""The admin's figures against slow ones that count every row."""

from __future__ import annotations

import json
from random import Random
from typing import Any

import pytest

Db = Any
_COLUMNS = "user_id, total_orders, total_spent, total_designs, total_sessions, avg_session_duration_minutes, last_login"
_SLOW = """
  with logins as (
    select s.user_id, s.login_at, lead(s.login_at) over (partition by s.user_id order by s.login_at) as next_login_at
    from public.user_sessions s
  ),
  deeds as (
    select d.user_id, d.created_at as done_at from public.designs d
    union all select p.user_id, p.created_at from public.public_designs p
    union all select l.user_id, l.created_at from public.design_likes l
    union all select o.user_id, coalesce(o.paid_at, o.created_at) from public.orders o
  ),
  sessions as (
    select l.user_id, l.login_at, coalesce(extract(epoch from max(d.done_at) - l.login_at), 0) / 60 as minutes
    from logins l
    left join deeds d on d.user_id = l.user_id and d.done_at >= l.login_at
      and d.done_at < least(l.next_login_at, l.login_at + interval '1 day')
    group by l.user_id, l.login_at
  ),
  visits as (
    select s.user_id, count(*) as total, avg(s.minutes) as minutes, max(s.login_at) as last_login
    from sessions s group by s.user_id
  ),
  purchases as (
    select o.user_id, count(*) as total, sum(o.total - o.refunded_cents / 100.0) as spent
    from public.orders o where o.status not in ('pending', 'cancelled') group by o.user_id
  ),
  works as (select d.user_id, count(*) as total from public.designs d group by d.user_id)
  select p.id as user_id, coalesce(b.total, 0) as total_orders, coalesce(b.spent, 0) as total_spent,
    coalesce(w.total, 0) as total_designs, coalesce(v.total, 0) as total_sessions,
    round(coalesce(v.minutes, 0), 1) as avg_session_duration_minutes, v.last_login,
    coalesce(nullif(btrim(p.name), ''), nullif(btrim(p.username), ''), 'No name') as shown,
    p.is_admin, coalesce(p.name, '') || ' ' || coalesce(p.username, '') as names, p.created_at
  from private.profiles p
  left join purchases b on b.user_id = p.id
  left join works w on w.user_id = p.id
  left join visits v on v.user_id = p.id
"""
_SORTS = {
    "created_at": "created_at desc, user_id",
    "created_at_asc": "created_at, user_id desc",
    "name": "lower(shown), user_id",
    "name_desc": "lower(shown) desc, user_id desc",
    "total_orders": "total_orders desc, user_id",
    "total_spent": "total_spent desc, user_id",
    "total_designs": "total_designs desc, user_id",
    "total_sessions": "total_sessions desc, user_id",
}


@pytest.fixture
def busy(db: Db) -> Db:
    """Some dozen people with deeds at random moments of the last days."""
    random = Random(7)
    users = db.run(
        """
        insert into auth.users (id, aud, role, email, raw_user_meta_data, created_at)
        select gen_random_uuid(), 'authenticated', 'authenticated', 'p' || n || '@teesmith.example',
          case n %% 3 when 0 then '{}'::jsonb else jsonb_build_object('full_name', 'Person ' || chr(64 + n)) end,
          now() - (n / 2) * interval '5 days'
        from generate_series(1, 24) n returning id
        """
    )
    logins: list[dict[str, object]] = []
    designs: list[dict[str, object]] = []
    for place, person in enumerate(users):
        db.ids[f"person{place}"] = user = str(person["id"])
        for deeds, most in ((logins, 8), (designs, 6)):
            times = random.randint(0, most)
            deeds += [{"user_id": user, "ago": random.uniform(0, 6 * 86_400)} for _ in range(times)]
        if random.random() < 0.5:
            status = random.choice(("pending", "paid", "shipped", "delivered"))
            order = db.order(f"person{place}", status=status)
            if status != "pending" and random.random() < 0.5:
                db.run("select public.record_money(%s, 0, null, 700)", order)
    ago = "now() - ago * interval '1 second' from jsonb_to_recordset(%s) deed (user_id uuid, ago float)"
    db.run(f"insert into public.user_sessions (user_id, login_at) select user_id, {ago}", json.dumps(logins))
    db.run(
        f"insert into public.designs (user_id, name, created_at) select user_id, 'X', {ago}",
        json.dumps(designs),
    )
    db.run(
        "insert into public.public_designs (design_id, user_id, created_at) "
        "select id, user_id, created_at + interval '3 hours' from public.designs where name = 'X' and random() < 0.5"
    )
    db.run(
        "insert into public.design_likes (design_id, user_id, created_at) "
        "select d.id, u.id, now() - random() * interval '6 days' from public.designs d, private.profiles u "
        "where d.name = 'X' and random() < 0.2"
    )
    db.run("select private.recount()")
    return db


def analytics(db: Db, sort: str, role: str = "all", search: str = "", page_size: int = 1000) -> list[Any]:
    rows: list[Any] = db.as_(
        "admin",
        f"select {_COLUMNS} from public.get_user_analytics(%s, %s, %s, %s)",
        sort,
        role,
        search,
        page_size,
    )
    return rows


def test_every_sort_gives_the_rows_of_counting_everything(busy: Db) -> None:
    wrong = []
    for sort, order in _SORTS.items():
        expected = busy.run(f"select {_COLUMNS} from ({_SLOW}) s order by {order}")
        for page_size in (1000, 5):
            if analytics(busy, sort, page_size=page_size) != expected[:page_size]:
                wrong.append((sort, page_size))
    assert wrong == []


def test_role_filter_gives_admins_or_users(busy: Db) -> None:
    for role, is_admin in (("admin", True), ("user", False)):
        expected = busy.run(
            f"select {_COLUMNS} from ({_SLOW}) s where is_admin = %s order by total_spent desc, user_id",
            is_admin,
        )
        assert expected
        assert analytics(busy, "total_spent", role) == expected, role


def test_search_looks_into_names_and_user_names(busy: Db) -> None:
    wrong = []
    for words in ("p", "erson c", "PERSON", "p1", "%", "nobody at all"):
        expected = busy.run(
            f"select {_COLUMNS} from ({_SLOW}) s where position(lower(%s) in lower(names)) > 0 "
            "order by lower(shown), user_id",
            words,
        )
        if analytics(busy, "name", search=words) != expected:
            wrong.append(words)
    assert wrong == []


def test_call_of_the_specification_gives_the_newest_users_up_to_the_row_limit(busy: Db) -> None:
    busy.run(
        "insert into auth.users (id, aud, role, email, raw_user_meta_data, created_at) select gen_random_uuid(), "
        "'authenticated', 'authenticated', 'crowd' || n || '@teesmith.example', '{}', now() - interval '1 year' "
        "from generate_series(1, 1100) n"
    )
    expected = busy.run("select id as user_id from private.profiles order by created_at desc, id limit 1000")
    assert busy.as_("admin", "select user_id from public.get_user_analytics()") == expected


def test_unknown_sort_or_role_is_refused(db: Db) -> None:
    for call in ("get_user_analytics('surname')", "get_user_analytics(role => 'king')"):
        assert db.rejected("admin", f"select * from public.{call}") == "22023"


def test_figures_above_the_lists_are_those_of_counting_everything(busy: Db) -> None:
    week = "count(*) filter (where created_at >= now() - interval '7 days') as new_this_week"
    paid = "status not in ('pending', 'cancelled')"
    assert busy.as_("admin", "select * from public.get_user_stats()") == busy.run(
        f"select count(*) as users, count(*) filter (where is_admin) as admins, {week}, (select "
        f"sum(total_cents - refunded_cents) from public.orders where {paid}) as spent_cents from private.profiles"
    )
    assert busy.as_("admin", "select * from public.get_order_stats()") == busy.run(
        f"select sum(total_cents - refunded_cents) filter (where {paid}) as revenue_cents, "
        f"count(*) filter (where {paid}) as paid_orders, "
        f"{week} from public.orders"
    )
    assert busy.as_("admin", "select * from public.get_design_stats()") == busy.run(
        f"select count(*) as total, count(printify_product_id) as printable, {week} from public.designs"
    )


@pytest.mark.parametrize("figures", ["get_user_stats", "get_order_stats", "get_design_stats"])
@pytest.mark.parametrize("persona", ["owner", "anon"])
def test_figures_are_for_admins_only(db: Db, persona: str, figures: str) -> None:
    assert db.rejected(persona, f"select * from public.{figures}()") == "42501"
    assert len(db.as_("service", f"select * from public.{figures}()")) == 1
