"""The comparison of Stripe's payments with the books, where events of the webhook never come."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from _shared.clients.smtp import Email
from _shared.core.errors import ShopError, unavailable
from _shared.orders.money_check import MoneyCheck
from _shared.orders.orders import Order

from tests.simulation.ground import ground
from tests.simulation.shop import SimulatedShop
from tests.simulation.world import World, world

TOTAL = 1990
NEVER = 10**9


@pytest.fixture(scope="module")
def url() -> Iterator[str]:
    with ground() as made:
        yield made


@pytest.fixture
def made(url: str, tmp_path: Path) -> Iterator[World]:
    with world(url, tmp_path, 0) as fresh:
        yield fresh


def shop_of(made: World) -> SimulatedShop:
    return made.shop()


def check_of(
    made: World, *, sync: Callable[[str], Order] | None = None, pages: int = 10, page: int = 100
) -> MoneyCheck:
    shop = shop_of(made)
    return MoneyCheck(
        shop.data, shop.stripe, sync or shop.payments.sync, shop.mailer, shop.clock,
        notice_email="owner@teesmith.example", lease_seconds=120, pages=pages, page=page,
    )  # fmt: skip


def run(made: World, check: MoneyCheck | None = None) -> int:
    """Reads Stripe's events, lets a minute pass, in which a webhook may still come, and compares."""
    check = check or check_of(made)
    check.run(NEVER)
    made.clock.sleep(61)
    return check.run(NEVER)


def lose_events(made: World) -> None:
    """The webhook's endpoint is off."""
    for vendor, message in made.vendors.waiting():
        made.vendors.drop(vendor, message)


def paid(made: World, cart: int = 1, card: str = "visa") -> str:
    """An order that Stripe has been paid for, and the books say so."""
    order = made.place(cart)
    made.confirm(order, card)
    assert made.ask("update-order-status", {"order_id": order, "status": "paid"})[0] == 200
    lose_events(made)
    return order


def refund(made: World, order: str, amount: int = TOTAL) -> None:
    refunded = made.vendors.stripe(
        "POST", "refunds", payment_intent=made.intents[order]["id"], amount=str(amount)
    )
    assert refunded["object"] == "refund"
    lose_events(made)


def books(made: World, order: str) -> tuple[int, int, bool]:
    (row,) = made.database.run("select * from public.orders where id = %s", order)
    return row["refunded_cents"], row["lost_cents"], row["held_at"] is not None


def checks(made: World) -> list[dict[str, Any]]:
    """Those that do not agree."""
    return made.database.run("select * from private.money_checks where agreed_at is null order by intent_id")


def notices(made: World) -> list[Email]:
    return [email for _, email in made.mailbox.taken if email.subject.startswith("Teesmith payment differs")]


def requests(made: World) -> list[str]:
    """The paths that Stripe is asked for from now on."""
    heard: list[str] = []
    made.heard.append(lambda request, _: heard.append(request.url.path))
    return heard


def test_books_that_agree_cost_one_request_and_are_not_read_again_at_once(made: World) -> None:
    paid(made)
    heard = requests(made)
    assert run(made) == 0
    assert heard == ["/stripe/v1/events"]
    assert (checks(made), notices(made)) == ([], [])
    made.clock.sleep(301)
    run(made)
    assert heard == ["/stripe/v1/events"] * 2


def test_payment_without_its_event_is_settled(made: World) -> None:
    order = made.place()
    made.confirm(order)
    lose_events(made)
    assert run(made) == 1
    (row,) = made.database.run("select status, paid_at from public.orders where id = %s", order)
    assert (row["status"], row["paid_at"] is not None) == ("paid", True)
    assert run(made) == 0


@pytest.mark.parametrize("days", [0, 400])
def test_refund_at_the_dashboard_of_a_new_or_an_old_order_comes_into_the_books(
    made: World, days: int
) -> None:
    order = paid(made)
    run(made)
    made.clock.sleep(days * 86_400 + 600)
    refund(made, order, 500)
    assert run(made) == 1
    assert (books(made, order), checks(made), notices(made)) == ((500, 0, False), [], [])


def test_refund_that_fails_days_later_is_out_of_the_books_again(made: World) -> None:
    order = paid(made)
    refund(made, order)
    run(made)
    assert books(made, order) == (TOTAL, 0, False)
    made.clock.sleep(5 * 86_400)
    (refunded,) = made.vendors.store.list("stripe.refund")
    made.vendors.set_refund_status(refunded, "failed")
    lose_events(made)
    assert run(made) == 1
    assert books(made, order) == (0, 0, False)


@pytest.mark.parametrize(("outcome", "lost"), [("lost", TOTAL), ("won", 0)])
def test_dispute_that_is_decided_while_the_endpoint_is_off(made: World, outcome: Any, lost: int) -> None:
    order = paid(made)
    charge = made.charge()
    assert charge is not None
    made.vendors.dispute(charge)
    lose_events(made)
    assert run(made) == 1
    assert books(made, order) == (0, 0, True)
    made.clock.sleep(20 * 86_400)
    made.vendors.decide(made.vendors.open_disputes()[0], outcome)
    lose_events(made)
    assert run(made) == 1
    assert books(made, order) == (lost, lost, False)


def test_events_of_one_second_are_read_by_pages_over_several_sweeps(made: World) -> None:
    orders = [paid(made, number) for number in range(8)]
    for order in orders:
        refund(made, order)
    check, heard = check_of(made, pages=2, page=3), requests(made)
    for _ in range(30):
        before = heard.count("/stripe/v1/events")
        check.run(NEVER)
        assert heard.count("/stripe/v1/events") - before <= 2
        made.clock.sleep(61)
        if made.database.run("select from private.money_reads where read_until > 0 and resume_after is null"):
            break
    check.run(NEVER)
    assert [books(made, order) for order in orders] == [(TOTAL, 0, False)] * 8
    assert checks(made) == []


def test_refund_during_the_reading_of_a_long_list_is_read_afterwards(made: World) -> None:
    orders = [paid(made, number) for number in range(4)]
    for order in orders[:3]:
        refund(made, order)
    check = check_of(made, pages=1, page=2)
    check.run(NEVER)
    refund(made, orders[3])  # in the same second, above what was read
    for _ in range(30):
        made.clock.sleep(61)
        check.run(NEVER)
    assert [books(made, order) for order in orders] == [(TOTAL, 0, False)] * 4


def test_event_that_the_list_shows_late_is_read(made: World) -> None:
    order, other = paid(made), paid(made, 2)
    refund(made, order)
    late = {event["id"]: event for event in made.vendors.store.list("stripe.event")}
    for event in late.values():
        if event["type"] in ("charge.refunded", "refund.created"):
            made.vendors.store.delete("stripe.event", event["id"])
    made.clock.sleep(240)
    refund(made, other)
    run(made)
    assert books(made, order) == (0, 0, False)
    for event in late.values():
        made.vendors.store.put("stripe.event", event)
    made.clock.sleep(301)
    run(made)
    assert books(made, order) == (TOTAL, 0, False)


def test_list_is_read_anew_where_its_place_is_gone(made: World) -> None:
    orders = [paid(made, number) for number in range(3)]
    for order in orders:
        refund(made, order)
    check = check_of(made, pages=1, page=2)
    check.run(NEVER)
    (read,) = made.database.run("select resume_after from private.money_reads")
    made.vendors.store.delete("stripe.event", read["resume_after"])
    for _ in range(30):
        made.clock.sleep(61)
        check.run(NEVER)
    assert [books(made, order) for order in orders] == [(TOTAL, 0, False)] * 3


def test_payment_that_cannot_be_synced_holds_no_other_and_is_mailed_once(made: World) -> None:
    stuck, other = paid(made), paid(made, 2)
    refund(made, stuck)
    refund(made, other)
    sync, is_away = shop_of(made).payments.sync, [True]

    def fails_for_one(intent_id: str) -> Order:
        if is_away[0] and intent_id == made.intents[stuck]["id"]:
            raise unavailable("payment_unavailable", "Away.", ShopError(503, "away", "gone"))
        return sync(intent_id)

    check = check_of(made, sync=fails_for_one)
    assert run(made, check) == 1
    assert (books(made, other), books(made, stuck)) == ((TOTAL, 0, False), (0, 0, False))
    for _ in range(20):
        made.clock.sleep(3601)
        check.run(NEVER)
    (notice,) = notices(made)
    assert "It could not be compared: payment_unavailable" in notice.text
    is_away[0] = False
    made.clock.sleep(3601)
    assert check.run(NEVER) == 1
    assert (books(made, stuck), checks(made)) == ((TOTAL, 0, False), [])


def unknown_payment(made: World, **metadata: str) -> str:
    sent = {
        "amount": "900", "currency": "usd", "payment_method": "pm_card_visa", "confirm": "true",
        "metadata[order_id]": "00000000-0000-4000-8000-00000000beef", **metadata,
    }  # fmt: skip
    intent = made.vendors.stripe("POST", "payment_intents", browser=False, **sent)
    lose_events(made)
    return str(intent["id"])


def test_payment_of_no_order_is_mailed_once_and_forgotten_when_it_is_returned(made: World) -> None:
    intent = unknown_payment(made)
    for _ in range(3):
        run(made)
        made.clock.sleep(600)
    (notice,) = notices(made)
    assert (notice.to, notice.subject) == ("owner@teesmith.example", f"Teesmith payment differs: {intent}")
    assert "At Stripe, in cents: 900 captured. In the books: 0 captured." in notice.text
    assert "It belongs to no order of the shop." in notice.text
    made.vendors.stripe("POST", "refunds", payment_intent=intent)
    run(made)
    assert (checks(made), len(notices(made))) == ([], 1)


def test_payment_that_names_no_order_is_not_the_shops(made: World) -> None:
    unknown_payment(made, **{"metadata[order_id]": ""})
    assert run(made) == 0
    assert (checks(made), notices(made)) == ([], [])


def test_mail_that_cannot_be_sent_is_sent_later(made: World) -> None:
    unknown_payment(made)
    shop = shop_of(made)

    class Away:
        def send(self, email: Email, key: str = "") -> None:
            raise unavailable("mail_unavailable", "Away.", ShopError(503, "away", email.to + key))

    check = MoneyCheck(
        shop.data, shop.stripe, shop.payments.sync, Away(), shop.clock,
        notice_email="owner@teesmith.example", lease_seconds=120,
    )  # fmt: skip
    run(made, check)
    assert notices(made) == []
    made.clock.sleep(10)
    check_of(made).run(NEVER)
    assert len(notices(made)) == 1


def test_two_sweeps_share_and_an_overtaken_reader_writes_nothing(made: World) -> None:
    refund(made, paid(made))
    data, heard = shop_of(made).data, requests(made)
    (first,) = data.call("begin_money_read", {"lease_seconds": 120})
    check_of(made).run(NEVER)
    assert heard == []
    made.clock.sleep(121)  # it died
    check_of(made).run(NEVER)
    assert heard == ["/stripe/v1/events"]
    late = {
        "read_version": first["version"], "events": [], "newest_event": 1,
        "last_event": "evt_late", "is_end": False, "next_seconds": 0,
    }  # fmt: skip
    assert data.value("save_money_page", late) is False
    assert made.database.run("select resume_after from private.money_reads") == [{"resume_after": None}]
    assert [row["intent_id"] for row in checks(made)] == [made.intents[made.order]["id"]]


def test_event_that_is_read_again_is_not_compared_again(made: World) -> None:
    refund(made, paid(made))
    run(made)
    made.clock.sleep(301)
    heard = requests(made)
    assert run(made) == 0
    assert heard == ["/stripe/v1/events"]
    made.clock.sleep(2 * 86_400)
    run(made)
    assert (
        made.database.run("select from private.money_checks where agreed_at < now() - interval '1 day'") == []
    )


def test_news_that_comes_while_a_payment_is_compared_is_compared_too(made: World) -> None:
    order = paid(made)
    refund(made, order, 500)
    sync = shop_of(made).payments.sync

    def and_more_goes_back(intent_id: str) -> Order:
        shop_of(made).data.value("request_money_checks", {"intents": [intent_id]})
        return sync(intent_id)

    check = check_of(made, sync=and_more_goes_back)
    check.run(NEVER)
    made.clock.sleep(61)
    heard = requests(made)
    check.run(NEVER)
    assert heard.count(f"/stripe/v1/payment_intents/{made.intents[order]['id']}") == 3
    assert (books(made, order), checks(made)) == ((500, 0, False), [])


def test_sweep_reports_how_many_payments_differed(made: World) -> None:
    unknown_payment(made)
    assert shop_of(made).sweep.run()["wrong_payments"] == 0
    made.clock.sleep(61)
    assert shop_of(made).sweep.run()["wrong_payments"] == 1
    (row,) = made.database.run("select figures from private.sweep_runs")
    assert row["figures"]["wrong_payments"] == 1
