"""Print files in Storage: they go with designs that were never ordered, and stay for what was."""

from __future__ import annotations

from typing import Any

import pytest

Db = Any


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
