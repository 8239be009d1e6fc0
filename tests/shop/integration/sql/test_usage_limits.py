"""Spending limits of a user and of the whole shop, counted under a lock."""

from __future__ import annotations

import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier
from typing import Any
from uuid import uuid4

import psycopg
import pytest
from psycopg.rows import dict_row

Db = Any
Row = dict[str, Any]
RESERVE = "select * from public.reserve_usage(%s, %s, %s, %s, %s, 600)"
MANY = 1000


@pytest.fixture
def usage(db: Db) -> Db:
    """Deletes all uses; rolled back with the rest of the transaction."""
    db.run("delete from private.usage_events")
    return db


def reserve(
    db: Db,
    persona: str | None = "owner",
    kind: str = "picture",
    hour: int = MANY,
    day: int = MANY,
    shop: int = MANY,
) -> Row:
    (row,) = db.as_("service", RESERVE, db.ids[persona] if persona else None, kind, hour, day, shop)
    return dict(row)


def completed(db: Db, *, ago: str, persona: str = "owner") -> None:
    """A picture that was made some time ago."""
    db.run(
        "insert into private.usage_events (user_id, kind, reserved_at, expires_at, completed_at) "
        "values (%s, 'picture', clock_timestamp() - %s::interval, clock_timestamp(), clock_timestamp())",
        db.ids[persona],
        ago,
    )


def opens_in(db: Db, row: Row) -> int:
    """Minutes until a limit is open again, rounded."""
    (limit,) = db.run(
        "select extract(epoch from %s::timestamptz - clock_timestamp()) / 60 as minutes", row["open_at"]
    )
    minutes: float = limit["minutes"]
    return round(minutes)


def test_reservation_counts_until_it_is_released(usage: Db) -> None:
    first = reserve(usage, hour=1)
    assert (first["reached"], first["open_at"]) == (None, None)
    rejected = reserve(usage, hour=1)
    assert (rejected["reservation"], rejected["reached"], opens_in(usage, rejected)) == (None, "hour", 60)
    usage.as_("service", "select public.release_usage(%s)", first["reservation"])
    assert reserve(usage, hour=1)["reached"] is None


def test_completed_reservation_cannot_be_released(usage: Db) -> None:
    made = reserve(usage, hour=1)["reservation"]
    usage.as_("service", "select public.complete_usage(%s)", made)
    usage.as_("service", "select public.release_usage(%s)", made)
    assert reserve(usage, hour=1)["reached"] == "hour"


def test_reservation_whose_process_died_expires(usage: Db) -> None:
    reserve(usage, hour=1)
    usage.run(
        "update private.usage_events set reserved_at = clock_timestamp() - interval '11 minutes', "
        "expires_at = clock_timestamp() - interval '1 minute'"
    )
    assert reserve(usage, hour=1)["reached"] is None


def test_hourly_limit_reopens_when_the_oldest_use_expires(usage: Db) -> None:
    for ago in ("65 minutes", "50 minutes", "20 minutes"):
        completed(usage, ago=ago)
    assert reserve(usage, hour=3)["reached"] is None
    rejected = reserve(usage, hour=3)
    assert (rejected["reached"], opens_in(usage, rejected)) == ("hour", 10)


def test_lowered_limit_reopens_when_enough_uses_expire(usage: Db) -> None:
    for ago in ("50 minutes", "40 minutes", "10 minutes"):
        completed(usage, ago=ago)
    assert opens_in(usage, reserve(usage, hour=1)) == 50


def test_limit_that_opens_last_is_named(usage: Db) -> None:
    for ago in ("20 hours", "30 minutes"):
        completed(usage, ago=ago)
    rejected = reserve(usage, hour=1, day=2)
    assert (rejected["reached"], opens_in(usage, rejected)) == ("day", 4 * 60)


def test_limit_of_a_user_does_not_affect_others(usage: Db) -> None:
    completed(usage, ago="1 minute")
    assert reserve(usage, "stranger", hour=1)["reached"] is None
    assert reserve(usage, "owner", hour=1)["reached"] == "hour"


def test_shop_limit_counts_all_users_and_the_service(usage: Db) -> None:
    completed(usage, ago="23 hours")
    completed(usage, ago="1 hour", persona="stranger")
    for persona in ("admin", None):
        rejected = reserve(usage, persona, shop=2)
        assert (rejected["reached"], opens_in(usage, rejected)) == ("shop", 60)
    assert reserve(usage, None, hour=1, day=1)["reached"] is None
    assert reserve(usage, None, hour=1, day=1)["reached"] is None


def test_kinds_are_counted_apart(usage: Db) -> None:
    completed(usage, ago="1 minute")
    assert reserve(usage, kind="print_product", hour=1)["reached"] is None


@pytest.mark.parametrize("closed", ["hour", "day", "shop"])
def test_limit_of_zero_allows_no_use(usage: Db, closed: str) -> None:
    hour, day, shop = (0 if closed == name else MANY for name in ("hour", "day", "shop"))
    assert reserve(usage, hour=hour, day=day, shop=shop) == {
        "reservation": None,
        "reached": "closed",
        "open_at": None,
    }


def test_uses_older_than_a_day_are_deleted(usage: Db) -> None:
    completed(usage, ago="25 hours")
    reserve(usage)
    assert usage.run("select count(*) from private.usage_events") == [{"count": 1}]


def test_uses_of_a_deleted_account_still_count_for_the_shop(usage: Db) -> None:
    completed(usage, ago="1 hour")
    usage.run("delete from auth.users where id = %s", usage.ids["owner"])
    assert reserve(usage, "stranger", shop=1)["reached"] == "shop"


@pytest.mark.parametrize("persona", ["anon", "owner", "admin"])
def test_only_the_service_reserves_completes_and_releases(usage: Db, persona: str) -> None:
    assert usage.rejected(persona, RESERVE, usage.ids["owner"], "picture", 1, 1, 1) == "42501"
    for verb in ("complete", "release"):
        assert usage.rejected(persona, f"select public.{verb}_usage(%s)", str(uuid4())) == "42501"
    assert usage.rejected(persona, "select * from private.usage_events") == "42501"


@pytest.fixture
def person(stack: Any) -> Iterator[str]:
    """An account that other connections see as well."""
    user_id = str(uuid4())
    with psycopg.connect(stack.db_url, autocommit=True) as connection:
        connection.execute(
            "insert into auth.users (id, aud, role, email, raw_user_meta_data) "
            "values (%s, 'authenticated', 'authenticated', %s, '{}')",
            (user_id, f"{user_id[:8]}@teesmith.example"),
        )
        yield user_id
        connection.execute("delete from private.usage_events where user_id = %s", (user_id,))
        connection.execute("delete from auth.users where id = %s", (user_id,))


def reached(connection: psycopg.Connection[Row], person: str, hour: int) -> str | None:
    row = connection.execute(RESERVE, (person, "print_product", hour, MANY, MANY)).fetchone()
    assert row is not None
    return None if row["reached"] is None else str(row["reached"])


def test_parallel_requests_do_not_pass_a_limit_together(stack: Any, person: str) -> None:
    """Twenty at once, each in a transaction of its own, with room for seven."""
    start = Barrier(20)

    def attempt(_number: int) -> str | None:
        with psycopg.connect(stack.db_url, row_factory=dict_row) as own:
            start.wait(30)
            return reached(own, person, hour=7)

    with ThreadPoolExecutor(20) as threads:
        outcomes = list(threads.map(attempt, range(20)))
    assert sorted(outcomes, key=str) == [None] * 7 + ["hour"] * 13


def test_reservation_waits_for_one_that_is_not_committed(stack: Any, person: str) -> None:
    waiting = "select 1 from pg_stat_activity where pid = %s and wait_event = 'advisory'"
    with (
        psycopg.connect(stack.db_url, row_factory=dict_row) as first,
        psycopg.connect(stack.db_url, row_factory=dict_row) as second,
        psycopg.connect(stack.db_url, autocommit=True) as watch,
        ThreadPoolExecutor(1) as thread,
    ):
        assert reached(first, person, hour=1) is None
        outcome = thread.submit(reached, second, person, 1)
        deadline = time.monotonic() + 10
        while not watch.execute(waiting, (second.info.backend_pid,)).fetchone():
            assert not outcome.done(), "it did not wait"
            assert time.monotonic() < deadline
        first.commit()
        assert outcome.result() == "hour"


@pytest.mark.parametrize(("steps", "left"), [('{"picture 1": {"begun": 1}}', [{"made": True}]), ("{}", [])])
@pytest.mark.parametrize("deleted", ["public.designs where id", "auth.users where id"])
def test_job_that_is_deleted_while_it_runs_counts_what_was_begun(
    usage: Db, deleted: str, steps: str, left: list[Row]
) -> None:
    design = usage.design("owner")
    reservation = reserve(usage, kind="print_product")["reservation"]
    usage.run(
        "insert into public.design_jobs "
        "(id, user_id, kind, design_id, request, seed, steps, usage_event, leased_until) "
        "values (gen_random_uuid(), %s, 'print_product', %s, '{}', 1, %s, %s, now())",
        usage.ids["owner"],
        design,
        steps,
        reservation,
    )
    usage.run(f"delete from {deleted} = %s", design if "designs" in deleted else usage.ids["owner"])
    events = usage.run("select completed_at is not null as made from private.usage_events")
    assert [dict(row) for row in events] == left
