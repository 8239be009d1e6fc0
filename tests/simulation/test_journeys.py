"""An order's fate in the usual cases: a rule that forbids losses does not see what is merely left undone."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.simulation.ground import ground
from tests.simulation.rules import violations
from tests.simulation.walks import Step, walk
from tests.simulation.world import World, world

PAID = ("place", "pay", "finish checkout")
IN_PRODUCTION = (*PAID, "wait a minute", "sweep", "wait a minute", "sweep")
SHIPPED = (*IN_PRODUCTION, "wait a day", "sweep")


@pytest.fixture(scope="module")
def url() -> Iterator[str]:
    with ground() as made:
        yield made


@pytest.mark.parametrize(
    ("letters", "end"),
    [
        (("place", "place again"), "cancelled -0  |  | 0 | 0 mails"),
        (("place", "declined", "place again", "pay"), "delivered paid -0  | fulfilled | 0 | 2 mails"),
        (
            ("place", "pay, the bank asks", "bank check passed"),
            "delivered paid -0  | fulfilled | 0 | 2 mails",
        ),
        (PAID, "delivered paid -0  | fulfilled | 0 | 2 mails"),
        ((*PAID, "cancel"), "cancelled paid -1990  | canceled | 0 | 2 mails"),
        ((*PAID, "owner cancels"), "cancelled paid -1990  | canceled | 0 | 2 mails"),
        ((*PAID, "owner refunds"), "cancelled paid -1990  | canceled | 0 | 2 mails"),
        ((*IN_PRODUCTION, "owner refunds"), "delivered paid -1990  | fulfilled | 0 | 3 mails"),
        ((*IN_PRODUCTION, "cancel"), "delivered paid -0  | fulfilled | 0 | 2 mails"),
        (
            (*IN_PRODUCTION, "printer ships a part", "parcel arrives"),
            "delivered paid -0  | fulfilled | 0 | 2 mails",
        ),
        ((*SHIPPED, "part refund at Stripe"), "delivered paid -500  | fulfilled | 0 | 3 mails"),
        (
            (*IN_PRODUCTION, "refund at Stripe"),
            "delivered paid -1990  !money_returned | fulfilled | 0 | 4 mails",
        ),
        (
            (*PAID, "part refund at Stripe", "dispute", "the bank decides against us"),
            "cancelled paid -1990  !disputed,returned_twice | canceled | 0 | 4 mails",
        ),
        (
            (*PAID, "dispute", "the bank decides for us"),
            "delivered paid -0  !disputed | fulfilled | 0 | 3 mails",
        ),
        (
            ("place", "paid by another intent", "pay", "dispute", "the bank decides for us"),
            "delivered paid -0  !disputed,paid_twice | fulfilled | 0 | 4 mails",
        ),
        (
            ("place", "paid by another intent", "pay", "inquiry", "the bank decides against us"),
            "delivered paid -0  !disputed,paid_twice | fulfilled | 0 | 4 mails",
        ),
        ((*PAID, "paid by another intent"), "delivered paid -0  !paid_twice | fulfilled | 0 | 3 mails"),
    ],
    ids=lambda value: ", ".join(value[-2:]) if isinstance(value, tuple) else "",
)
def test_usual_journey_ends_as_expected(url: str, letters: tuple[str, ...], end: str) -> None:
    made = walk(url, [Step(letter) for letter in letters])
    assert made.problems == ()
    assert made.happened == len(letters)
    assert made.trace[-1] == f"calm: {end}"


def test_payment_without_any_event_is_settled_by_its_job(url: str) -> None:
    letters = ("place", "pay", "events are lost", "wait a minute", "wait a minute", "sweep")
    made = walk(url, [Step(letter) for letter in letters])
    assert made.problems == ()
    assert made.trace[-2].startswith("sweep: paid paid -0 ")


def test_failed_refund_of_another_payment_calls_a_person(url: str) -> None:
    def refund_fails(made: World) -> bool:
        made.vendors.set_refund_status(made.vendors.store.list("stripe.refund")[0], "failed")
        return True

    # the shop returns the second payment itself
    letters = (*PAID, "paid by another intent", *("deliver the oldest",) * 6, "refund fails")
    made = walk(url, [Step(letter) for letter in letters], letters={"refund fails": refund_fails})
    assert made.problems == ()
    assert "!paid_twice,refund_failed" in made.trace[-1]


def test_confirmation_that_failed_is_sent_by_the_next_request(url: str, tmp_path: Path) -> None:
    with world(url, tmp_path, 0) as made:
        order = made.place()
        made.confirm(order)
        made.mailbox.is_away = True
        made.ask("update-order-status", {"order_id": order, "status": "paid"})
        made.mailbox.is_away = False
        made.ask("send-order-webhook", {"order_id": order})
        assert len(made.mailbox.taken) == 1


def test_sweep_compares_every_total(url: str, tmp_path: Path) -> None:
    with world(url, tmp_path, 0) as made:
        # Any shard: the one of a session goes by its process id, so no number is free for certain.
        made.database.run("""
            insert into private.totals (shard, paid_orders) values (127, 1)
            on conflict (shard) do update set paid_orders = totals.paid_orders + 1
        """)
        assert violations(made, made.look()) != []
        kinds = made.database.run("select kind from private.total_checks")
        assert sum(made.shop().sweep.run()["wrong_totals"] for _ in kinds) == 1
