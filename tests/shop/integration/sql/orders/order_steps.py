"""An order's transitions, called as the service, and what they have left behind."""

from __future__ import annotations

import json
from typing import Any

Db = Any
ORDER = "select * from public.orders where id = %s"


def step(db: Db, name: str, *arguments: object) -> Any:
    """Calls a transition as the service. Returns its result."""
    slots = ", ".join(["%s"] * len(arguments))
    (row,) = db.as_("service", f"select public.{name}({slots}) as result", *arguments)
    return row["result"]


def column(db: Db, sql: str, *values: object) -> list[Any]:
    return [next(iter(row.values())) for row in db.run(sql, *values)]


def jobs(db: Db, order: str) -> set[str]:
    """The jobs that are still to be done."""
    return set(
        column(db, "select kind from public.order_jobs where order_id = %s and done_at is null", order)
    )


def mails(db: Db, order: str) -> list[str]:
    return column(
        db,
        "select kind from public.order_messages where order_id = %s and channel = 'mail' order by kind",
        order,
    )


def flags(db: Db, order: str) -> list[str]:
    return column(db, "select reason from public.order_flags where order_id = %s order by reason", order)


def state(db: Db, order: str) -> Any:
    (row,) = db.run(ORDER, order)
    return row


PAUSE = "select due_at - now() as pause from public.order_jobs where kind = 'print' and order_id = %s"


def pay(db: Db, order: str, intent: str = "pi_1", cents: int = 4570, currency: str = "usd") -> str:
    return str(step(db, "settle_order", order, intent, cents, currency))


def money(
    db: Db, order: str, refunded: int, *, failed: tuple[str, ...] = (), lost: int = 0, dispute: str = ""
) -> str:
    """Return what Stripe says now; `dispute` is the status of one about all of it."""
    (row,) = db.run("select money_version, total_cents from public.orders where id = %s", order)
    disputes = [{"id": "du_1", "status": dispute, "cents": row["total_cents"], "due_by": None}]
    return str(
        step(
            db, "record_money", order, row["money_version"], "re_1" if refunded else None, refunded, list(failed),
            json.dumps(disputes if dispute else []), lost, dispute == "needs_response",
        )
    )  # fmt: skip


def printed(db: Db, cart_key: str = "cart") -> str:
    order = str(db.order(cart_key=cart_key))
    pay(db, order, f"pi_{cart_key}")
    assert step(db, "begin_printing", order) == "go"
    step(db, "finish_printing", order, f"po_{cart_key}")
    return order
