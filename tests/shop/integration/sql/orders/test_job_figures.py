"""get_job_figures: what is due, for how long, what was given up and what needs a person."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.shop.integration.sql.orders.order_steps import pay, step

Db = Any


@pytest.fixture(autouse=True)
def _no_work(db: Db) -> None:
    """Other tests of the stack left work behind, which becomes due, or is leased, at any moment."""
    for table in (
        "public.order_jobs",
        "public.order_messages",
        "public.order_flags",
        "public.design_jobs",
        "private.object_tasks",  # last: a deleted job leaves some
        "private.sweep_runs",
    ):
        db.run(f"delete from {table}")


def figures(db: Db) -> Any:
    return step(db, "get_job_figures")


def queue(counts: Any, name: str, kind: str) -> tuple[int, int, int]:
    """Due, the oldest's whole seconds, given up."""
    (one,) = [each for each in counts["queues"] if (each["queue"], each["kind"]) == (name, kind)]
    return one["due"], int(one["oldest_seconds"]), one["gave_up"]


def test_figures_name_every_kind_of_work_even_where_there_is_none(db: Db) -> None:
    counts = figures(db)
    kinds = {(each["queue"], each["kind"]) for each in counts["queues"]}
    (checked,) = db.run(
        "select pg_get_constraintdef(oid) as def from pg_constraint where conname = 'order_jobs_kind_check'"
    )
    for kind in ("settle", "print", "track", "cancel", "stop_print", "refund", "dispute"):
        assert f"'{kind}'" in checked["def"]
        assert ("order_jobs", kind) in kinds
    assert checked["def"].count("'::text") == 7
    assert kinds >= {("messages", "mail"), ("messages", "automation")}
    assert kinds >= {("object_tasks", kind) for kind in ("remove", "publish", "make")}
    assert kinds >= {("design_jobs", kind) for kind in ("text_picture", "photo_picture", "print_product")}
    assert all(
        (each["due"], each["oldest_seconds"], each["gave_up"]) == (0, 0, 0) for each in counts["queues"]
    )
    assert (counts["open_flags"], counts["last_sweep_seconds"]) == ({}, None)


def test_work_is_counted_when_it_is_due_and_not_before(db: Db) -> None:
    order = str(db.order())
    assert queue(figures(db), "order_jobs", "settle")[0] == 0
    db.run("update public.order_jobs set due_at = now() - interval '90 seconds' where order_id = %s", order)
    due, oldest, _ = queue(figures(db), "order_jobs", "settle")
    assert (due, oldest >= 90) == (1, True)
    db.run("update public.order_jobs set done_at = now() where order_id = %s", order)
    assert queue(figures(db), "order_jobs", "settle")[0] == 0


def test_picture_is_due_once_its_process_has_lost_its_lease(db: Db) -> None:
    db.run(
        "insert into public.design_jobs (id, user_id, kind, request, seed, leased_until) "
        "values (gen_random_uuid(), %s, 'text_picture', '{}', 1, now() + interval '1 minute')",
        db.ids["owner"],
    )
    assert queue(figures(db), "design_jobs", "text_picture")[0] == 0
    db.run("update public.design_jobs set leased_until = now() - interval '70 seconds'")
    due, oldest, _ = queue(figures(db), "design_jobs", "text_picture")
    assert (due, oldest >= 70) == (1, True)


def test_paid_orders_messages_are_counted_by_channel(db: Db) -> None:
    order = str(db.order())
    pay(db, order)
    db.run(
        "update public.order_messages set due_at = now() - interval '5 seconds' where order_id = %s", order
    )
    due, oldest, _ = queue(figures(db), "messages", "mail")
    assert (due, oldest >= 5) == (1, True)


def test_work_given_up_is_counted_until_it_is_taken_up_again(db: Db) -> None:
    order = str(db.order())
    pay(db, order)
    step(db, "fail_job", order, "print", "no answer", 0)
    counts = figures(db)
    assert queue(counts, "order_jobs", "print")[2] == 1
    assert counts["open_flags"] == {"print_failed": 1}
    db.as_("admin", "select public.retry_order(%s)", order)
    after = figures(db)
    assert queue(after, "order_jobs", "print")[2] == 0
    assert after["open_flags"] == {}


def test_last_sweeps_age_is_by_the_databases_clock(db: Db) -> None:
    db.run("lock table private.sweep_runs in exclusive mode")  # the stack's own sweep runs meanwhile
    step(db, "record_sweep", json.dumps({}))
    db.run("update private.sweep_runs set finished_at = finished_at - interval '200 seconds'")
    assert int(figures(db)["last_sweep_seconds"]) == 200


def test_figures_are_the_services_alone(db: Db) -> None:
    for persona in ("anonymous", "owner", "admin"):
        assert db.rejected(persona, "select public.get_job_figures()") == "42501"
