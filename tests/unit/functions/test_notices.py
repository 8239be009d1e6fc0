"""The outbox: every message once, none lost to a mail server that was away, admins may have one again."""

import json
from collections.abc import Mapping
from typing import Any

import pytest
from _shared.catalog import Catalog
from _shared.clients.smtp import Letter
from _shared.designs import Designs
from _shared.errors import ShopError
from _shared.ledger import Ledger
from _shared.notices import Notices
from _shared.orders import Order, Orders

from tests.unit.functions.memory import ORDER_ROW, MemoryData
from tests.unit.functions.samples import ADDRESS, ORDER

ROW = ORDER_ROW | {
    "id": ORDER.id, "user_id": "buyer", "status": "paid", "subtotal_cents": 3980, "shipping_cents": 590,
    "total_cents": 4570, "shipping_address": json.dumps(ADDRESS), "order_items": [],
}  # fmt: skip


class Outbox:
    def __init__(self) -> None:
        self.letters: list[Letter] = []
        self.keys: list[str] = []
        self.is_away = False

    def send(self, letter: Letter, key: str = "") -> None:
        if self.is_away:
            raise ShopError(502, "mail_unavailable", "The e-mail could not be sent.")
        self.letters.append(letter)
        self.keys.append(key)


class Ear:
    def __init__(self) -> None:
        self.heard: list[tuple[str, str, Mapping[str, object]]] = []

    def tell(self, event: str, key: str, data: Mapping[str, object]) -> None:
        self.heard.append((event, key, data))


class World:
    """A paid order whose messages wait."""

    def __init__(self, status: str = "paid") -> None:
        self.data = MemoryData(orders=[ROW | {"status": status}])
        self.post, self.ear = Outbox(), Ear()
        self.pauses: list[float] = []
        self.orders = Orders(self.data, Designs(self.data), Catalog(self.data), "")
        self.notices = Notices(
            self.post, self.ear, self.orders, Ledger(self.data, 60),
            site_url="https://shop", notice_email="boss@example.com", pause=self.pauses.append,
        )  # fmt: skip

    def waits(self, kind: str, channel: str = "mail", details: str = "") -> dict[str, Any]:
        message = {
            "id": f"m-{kind}",
            "order_id": ORDER.id,
            "channel": channel,
            "kind": kind,
            "details": details,
        }
        self.data.messages.append(message)
        return message

    @property
    def order(self) -> Order:
        return self.orders.get(ORDER.id)


def test_a_confirmation_goes_out_once_under_its_own_key() -> None:
    world = World()
    world.waits("confirmation")
    world.waits("order.confirmed", "automation")
    for _ in range(2):
        world.notices.confirm(world.order)
    assert [letter.subject for letter in world.post.letters] == ["Your Teesmith order #6ABCDE is confirmed"]
    assert world.post.keys == ["m-confirmation"]
    ((event, key, data),) = world.ear.heard
    assert (event, key, data["total_cents"]) == ("order.confirmed", ORDER.id, 4570)
    assert world.data.told == ["finish_message", "finish_message"]


def test_an_admin_may_have_it_again() -> None:
    world = World()
    world.notices.confirm(world.order, again=True)
    assert len(world.post.letters) == 1


def test_an_unpaid_order_is_not_confirmed_and_an_unshipped_one_has_no_parcel() -> None:
    world = World("pending")
    for ask in (world.notices.confirm, world.notices.parcel):
        with pytest.raises(ShopError) as caught:
            ask(world.order, again=True)
        assert caught.value.status == 409
    assert world.post.letters == []


def test_a_mail_server_that_is_away_leaves_the_message_for_the_sweep() -> None:
    world = World()
    world.waits("confirmation")
    world.post.is_away = True
    world.notices.confirm(world.order)
    assert world.data.told == ["fail_message"]


def test_a_mail_that_left_is_marked_however_long_the_database_takes() -> None:
    world = World()
    world.waits("confirmation")
    failures = [ShopError(502, "database_unavailable", "away")] * 3
    value = world.data.value

    def away(function: str, arguments: Mapping[str, Any]) -> object:
        if failures:
            raise failures.pop()
        return value(function, arguments)

    world.data.value = away  # type: ignore[method-assign]
    assert world.notices.deliver_next() is True
    assert world.pauses == [0.1, 0.2, 0.5]
    assert len(world.post.letters) == 1


@pytest.mark.parametrize(
    ("kind", "subject"),
    [
        ("shipped", "Your Teesmith order #6ABCDE has been shipped"),
        ("problem", "Your Teesmith order #6ABCDE takes a little longer"),
        ("cancelled", "Your Teesmith order #6ABCDE is cancelled"),
        ("refunded", "Your refund for Teesmith order #6ABCDE"),
    ],
)
def test_every_kind_of_message_has_its_letter(kind: str, subject: str) -> None:
    world = World("shipped")
    world.waits(kind)
    assert world.notices.deliver_next() is True
    assert world.notices.deliver_next() is None
    (letter,) = world.post.letters
    assert (letter.to, letter.subject) == ("ann@example.com", subject)
    assert f"https://shop/order-details/{ORDER.id}" in letter.text + letter.html


def test_a_call_for_a_person_goes_to_the_admin_with_what_is_known() -> None:
    world = World()
    world.waits("notice_print_failed", details="printer_refused: Printify 400")
    world.notices.deliver_next()
    (letter,) = world.post.letters
    assert letter.to == "boss@example.com"
    assert letter.subject == "Teesmith order #6ABCDE needs a person: the printer does not take it"
    assert "printer_refused: Printify 400" in letter.text
    assert ORDER.id in letter.text
