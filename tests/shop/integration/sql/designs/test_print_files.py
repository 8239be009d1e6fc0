"""Print files in Storage: they go where nobody ordered, with the design or after a while, and stay for what was."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import psycopg
import pytest

from tests.support.stacks import Stack

Db = Any
PRODUCT = "product"
# with rows of Storage, whose tables are the platform's
with_storage = pytest.mark.parametrize("db", ["localbase"], indirect=True)


def removals(db: Db, design: str) -> int:
    (row,) = db.run(
        "select count(*) as tasks from private.object_tasks where bucket = 'print-files' and name = %s",
        f"{design}.png",
    )
    return int(row["tasks"])


def ordered_design(db: Db, status: str) -> str:
    order = db.order(status="pending" if status == "cancelled" else status)
    (row,) = db.run("select design_id::text as id from public.order_items where order_id = %s", order)
    if status == "cancelled":
        db.run("update public.orders set status = 'cancelled' where id = %s", order)
    return str(row["id"])


def test_print_file_goes_with_a_design_that_was_never_ordered(db: Db) -> None:
    design = db.design("owner")
    db.run("update public.designs set printify_product_id = 'product' where id = %s", design)
    db.as_("owner", "delete from public.designs where id = %s", design)
    assert removals(db, design) == 2


def test_design_without_a_print_product_has_no_print_file_to_remove(db: Db) -> None:
    design = db.design("owner")
    db.as_("owner", "delete from public.designs where id = %s", design)
    assert removals(db, design) == 0


@pytest.mark.parametrize(
    ("status", "tasks"), [("cancelled", 2), ("pending", 0), ("paid", 0), ("delivered", 0)]
)
def test_print_file_of_an_order_stays_unless_it_was_cancelled(db: Db, status: str, tasks: int) -> None:
    design = ordered_design(db, status)
    db.run("delete from public.designs where id = %s", design)
    assert removals(db, design) == tasks


def design_with_file(db: Db, days: int = 100) -> str:
    """A design with its print product, and a print file of that age."""
    design = str(db.design("owner"))
    db.run("update public.designs set printify_product_id = %s where id = %s", PRODUCT, design)
    db.run(
        "insert into storage.objects (bucket_id, name, created_at, updated_at) "
        "select 'print-files', %s, t, t from (select now() - make_interval(days => %s) as t) t",
        *(f"{design}.png", days),
    )
    return design


def retire(db: Db) -> int:
    db.run("update private.print_file_walk set after_name = '', due_at = now()")
    (row,) = db.as_("service", "select public.retire_print_files(90, 1000) as files")
    return int(row["files"])


def made_anew(db: Db) -> list[str]:
    return [row["name"] for row in db.as_("service", "select name from public.claim_print_file(60)")]


def print_order(db: Db, order: str) -> None:
    assert db.as_("service", "select public.begin_printing(%s) as outcome", order) == [{"outcome": "go"}]


@with_storage
def test_old_unordered_file_is_removed_and_made_anew_for_the_first_order(db: Db) -> None:
    design = design_with_file(db)
    assert (retire(db), removals(db, design)) == (1, 1)
    (row,) = db.run("select due_at > now() as rests from private.print_file_walk")
    assert row["rests"]  # all have been looked at
    # the order is of another design with the product: a copy, in another's collection
    for count in (1, 0):
        order = db.order(status="paid", cart_key=f"cart {count}")
        (copy,) = db.run("select design_id::text as id from public.order_items where order_id = %s", order)
        assert made_anew(db) == []
        print_order(db, order)
        assert made_anew(db) == [f"{copy['id']}-2.png"] * count
    assert removals(db, f"{copy['id']}-2") == 0


def unpaid(db: Db) -> None:
    db.order()


def paid_and_cancelled(db: Db) -> None:
    order = db.order(status="paid")
    db.as_("service", "select public.request_cancellation(%s, null, 'changed my mind')", order)
    db.as_("service", "select public.cancel_order(%s, true)", order)


def without_product(db: Db) -> None:
    db.run("update public.designs set printify_product_id = null")


def without_picture(db: Db) -> None:
    db.run("update public.designs set image_data = null where printify_product_id = %s", PRODUCT)


@with_storage
@pytest.mark.parametrize("state", [unpaid, paid_and_cancelled, without_product, without_picture])
def test_file_stays_where_it_was_ordered_or_cannot_be_made_again(db: Db, state: Callable[[Db], None]) -> None:
    design = design_with_file(db)
    state(db)
    assert (retire(db), removals(db, design)) == (0, 0)


@with_storage
def test_file_stays_while_it_is_young_and_goes_when_the_order_was_given_up_unpaid(db: Db) -> None:
    young = design_with_file(db, days=89)
    assert (retire(db), removals(db, young)) == (0, 0)
    db.run("update public.orders set status = 'cancelled' where id = %s", db.order())
    old = design_with_file(db)
    assert (retire(db), removals(db, old)) == (1, 1)


@with_storage
def test_deleted_designs_file_stays_where_a_copy_was_ordered_else_the_copys_order_makes_it(db: Db) -> None:
    original = design_with_file(db)
    with db.undone():
        db.order(status="paid")
        db.run("delete from public.designs where id = %s", original)
        assert removals(db, original) == 0
    order = db.order(status="pending", cart_key="given up")
    db.run("update public.orders set status = 'cancelled' where id = %s", order)  # leaves a copy
    db.run("delete from public.designs where id = %s", original)
    assert removals(db, original) == 2
    print_order(db, db.order(status="paid"))
    (name,) = made_anew(db)
    assert name.endswith("-2.png")


@with_storage
def test_removal_and_an_order_that_goes_to_print_take_turns(db: Db, stack: Stack) -> None:
    design_with_file(db)
    free = "select pg_try_advisory_xact_lock(private.print_file_lock(%s))"
    with psycopg.connect(stack.db_url) as other:
        assert other.execute(free, (PRODUCT,)).fetchone() == (True,)
        assert retire(db) == 0  # an order of it is just going to print
        other.rollback()
        with db.undone():
            assert retire(db) == 1
            assert other.execute(free, (PRODUCT,)).fetchone() == (False,)
        print_order(db, db.order(status="paid"))
        other.rollback()
        assert other.execute(free, (PRODUCT,)).fetchone() == (False,)
