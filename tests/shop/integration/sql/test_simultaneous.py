"""What two people do at the same moment: the second waits for the first one's commit, and finds what it has left."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import psycopg
import pytest
from psycopg.rows import dict_row

from tests.shop.integration.sql.conftest import Database
from tests.shop.integration.sql.orders.order_steps import jobs, state

CHECK = "23514"
DECIDE = "select public.decide_design(%s, %s, %s) as result"
CLOSE = "select public.close_account(%s) as result"
SETTLE = "select public.settle_order(%s, 'pi_1', 4570, 'usd') as result"
PUBLISH = "insert into public.public_designs (design_id, user_id) values (%s, %s)"
PLACE = "select id from public.place_order(%s, 'second cart', '{\"country\": \"CA\"}', 3980, 590, %s)"


class Pair:
    """Two connections to one database, and the users of both."""

    def __init__(self, url: str) -> None:
        self._connections = [psycopg.connect(url, row_factory=dict_row) for _ in range(2)]
        self._watcher = psycopg.connect(url, autocommit=True)
        self.first = Database(self._connections[0])
        self.first.run(
            "update private.profiles set public_name = 'Inky' where id = %s", self.first.ids["owner"]
        )
        self.second = Database(self._connections[1], self.first.ids)
        self.first.commit()

    def waiting(self, act: Callable[[], Any]) -> Any:
        """What `act`, a statement of the second, comes to after it has waited for the first one's commit."""
        holds, waits = (connection.info.backend_pid for connection in self._connections)
        with ThreadPoolExecutor(1) as threads:
            later = threads.submit(act)
            while self._watcher.execute("select pg_blocking_pids(%s)", [waits]).fetchone() != ([holds],):
                assert not later.done()
            self.first.commit()
            result = later.result()
        self.second.commit()
        return result

    def close(self) -> None:
        """Deletes what was committed, and the users."""
        for connection in self._connections:
            connection.close()
        people = list(self.first.ids.values())
        with self._watcher as watcher:
            watcher.execute(
                "delete from public.orders o using public.order_items i, public.designs d "
                "where i.order_id = o.id and d.id = i.design_id and d.user_id = any (%s)",
                [people],
            )
            watcher.execute("delete from auth.users where id = any (%s)", [people])


@pytest.fixture
def pair(postgres_17: str) -> Iterator[Pair]:
    """In a database that no sweep works on."""
    made = Pair(postgres_17)
    yield made
    made.close()


@pytest.mark.parametrize("decision", ["keep", "take_down", "restore"])
def test_second_admin_finds_the_case_closed(pair: Pair, decision: str) -> None:
    design = pair.first.design(public=True)
    pair.first.run("insert into private.design_reports (design_id, reason) values (%s, 'hate')", design)
    if decision == "restore":
        pair.first.as_("admin", DECIDE, design, "take_down", "hate")
    pair.first.commit()
    call = ("admin", DECIDE, design, decision, "hate" if decision == "take_down" else None)
    assert pair.first.as_(*call) == [{"result": 1}]
    assert pair.waiting(lambda: pair.second.as_(*call)) == [{"result": 0}]
    trail = "select decision from private.design_takedowns where design_id = %s and decision = %s"
    assert pair.first.run(trail, design, decision) == [{"decision": decision}]


@pytest.mark.parametrize("act", ["publish", "order", "pay"])
def test_takedown_is_seen_by_what_waited_for_it(pair: Pair, act: str) -> None:
    order = pair.first.order()
    (item,) = pair.first.run("select design_id from public.order_items where order_id = %s", order)
    design, owner = item["design_id"], pair.first.ids["owner"]
    cart = pair.first.cart(str(design))
    pair.first.commit()
    assert pair.first.as_("admin", DECIDE, design, "take_down", "hate") == [{"result": 1}]
    if act == "pay":  # an order that is being cancelled: its money goes back
        assert pair.waiting(lambda: pair.second.as_("service", SETTLE, order)) == [{"result": "paid"}]
        assert "cancel" in jobs(pair.first, order)
        return
    persona, statement, values = (
        ("owner", PUBLISH, (design, owner)) if act == "publish" else ("service", PLACE, (owner, cart))
    )
    assert pair.waiting(lambda: pair.second.rejected(persona, statement, *values)) == CHECK


def test_takedown_waits_for_an_order_that_is_being_placed_and_ends_it(pair: Pair) -> None:
    design = pair.first.design()
    pair.first.run("update public.designs set printify_product_id = 'product' where id = %s", design)
    pair.first.commit()
    (placed,) = pair.first.as_("service", PLACE, pair.first.ids["owner"], pair.first.cart(design))
    taken = ("admin", DECIDE, design, "take_down", "hate")
    assert pair.waiting(lambda: pair.second.as_(*taken)) == [{"result": 1}]
    assert "cancel" in jobs(pair.first, placed["id"])


def test_account_that_is_closing_orders_nothing_any_more(pair: Pair) -> None:
    design, owner = pair.first.design(), pair.first.ids["owner"]
    pair.first.run("update public.designs set printify_product_id = 'product' where id = %s", design)
    cart = pair.first.cart(design)
    pair.first.commit()
    assert pair.first.as_("service", CLOSE, owner) == [{"result": "closing"}]
    assert pair.waiting(lambda: pair.second.rejected("service", PLACE, owner, cart)) == CHECK
    assert pair.first.run("select 1 from public.orders where user_id = %s", owner) == []


def test_account_waits_for_an_order_that_is_being_placed_and_stays(pair: Pair) -> None:
    design, owner = pair.first.design(), pair.first.ids["owner"]
    pair.first.run("update public.designs set printify_product_id = 'product' where id = %s", design)
    pair.first.commit()
    pair.first.as_("service", PLACE, owner, pair.first.cart(design))
    assert pair.waiting(lambda: pair.second.as_("service", CLOSE, owner)) == [{"result": "orders"}]
    assert pair.first.run("select closing_at from private.profiles where id = %s", owner) == [
        {"closing_at": None}
    ]


def test_payment_of_an_order_whose_account_is_closing_goes_back(pair: Pair) -> None:
    order, owner = pair.first.order(), pair.first.ids["owner"]
    pair.first.as_("service", "select public.cancel_unpaid_order(%s, 'account deleted')", order)
    pair.first.commit()
    assert pair.first.as_("service", CLOSE, owner) == [{"result": "closing"}]
    assert pair.waiting(lambda: pair.second.as_("service", SETTLE, order)) == [{"result": "cancelled"}]
    assert state(pair.first, order)["user_id"] is None
    assert jobs(pair.first, order) == {"refund"}


def test_account_waits_for_a_payment_that_arrives_and_its_money_goes_back(pair: Pair) -> None:
    order, owner = pair.first.order(), pair.first.ids["owner"]
    pair.first.as_("service", "select public.cancel_unpaid_order(%s, 'account deleted')", order)
    pair.first.commit()
    assert pair.first.as_("service", SETTLE, order) == [{"result": "cancelled"}]
    assert pair.waiting(lambda: pair.second.as_("service", CLOSE, owner)) == [{"result": "closing"}]
    after = state(pair.first, order)
    assert (after["user_id"], after["paid_at"] is None) == (None, False)
    assert jobs(pair.first, order) == {"refund"}
