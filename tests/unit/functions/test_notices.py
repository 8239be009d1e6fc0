"""Confirmations: once per paid order, again only for admins, never lost to a mail server that was away."""

from collections.abc import Mapping
from dataclasses import replace

import pytest
from _shared.catalog import Catalog
from _shared.clients.smtp import Letter
from _shared.designs import Designs
from _shared.errors import ShopError
from _shared.notices import Notices
from _shared.orders import Orders

from tests.unit.functions.memory import MemoryData
from tests.unit.functions.samples import ORDER


class Outbox:
    def __init__(self) -> None:
        self.letters: list[Letter] = []
        self.is_away = False

    def send(self, letter: Letter) -> None:
        if self.is_away:
            raise ShopError(502, "mail_unavailable", "The e-mail could not be sent.")
        self.letters.append(letter)


class Ear:
    def __init__(self) -> None:
        self.heard: list[tuple[str, str, Mapping[str, object]]] = []

    is_away = False

    def tell(self, event: str, key: str, data: Mapping[str, object]) -> None:
        if self.is_away:
            raise ShopError(502, "automation_unavailable", "The automation address did not answer.")
        self.heard.append((event, key, data))


@pytest.fixture
def outbox() -> Outbox:
    return Outbox()


@pytest.fixture
def ear() -> Ear:
    return Ear()


@pytest.fixture
def notices(outbox: Outbox, ear: Ear) -> Notices:
    data = MemoryData(orders=[{"id": ORDER.id, "confirmation_sent_at": None}])
    return Notices(outbox, ear, Orders(data, Designs(data), Catalog(data), ""), "https://shop")


def test_a_confirmation_goes_out_once(notices: Notices, outbox: Outbox, ear: Ear) -> None:
    notices.confirm(ORDER, again=False)
    notices.confirm(ORDER, again=False)
    assert [letter.to for letter in outbox.letters] == ["ann@example.com"]
    ((event, key, data),) = ear.heard
    assert (event, key, data["total_cents"]) == ("order.confirmed", ORDER.id, 4570)


def test_an_admin_may_send_it_again(notices: Notices, outbox: Outbox) -> None:
    notices.confirm(ORDER, again=False)
    notices.confirm(ORDER, again=True)
    assert len(outbox.letters) == 2


def test_an_unpaid_order_is_not_confirmed(notices: Notices, outbox: Outbox) -> None:
    with pytest.raises(ShopError) as caught:
        notices.confirm(replace(ORDER, status="pending"), again=True)
    assert (caught.value.status, caught.value.code) == (409, "order_not_paid")
    assert outbox.letters == []


def test_a_mail_server_that_was_away_is_tried_again(notices: Notices, outbox: Outbox) -> None:
    outbox.is_away = True
    with pytest.raises(ShopError):
        notices.confirm(ORDER, again=False)
    outbox.is_away = False
    notices.confirm(ORDER, again=False)
    assert len(outbox.letters) == 1


def test_an_automation_that_is_away_costs_no_second_mail(notices: Notices, outbox: Outbox, ear: Ear) -> None:
    ear.is_away = True
    with pytest.raises(ShopError) as caught:
        notices.confirm(ORDER, again=False)
    assert caught.value.code == "automation_unavailable"
    notices.confirm(ORDER, again=False)
    assert len(outbox.letters) == 1


def test_a_parcel_is_told_to_customer_and_automation(notices: Notices, outbox: Outbox, ear: Ear) -> None:
    notices.parcel(replace(ORDER, status="shipped", tracking_number="940011", carrier="USPS"))
    assert outbox.letters[0].subject == "Your Teesmith order #6ABCDE has been shipped"
    assert ear.heard[0][0] == "order.shipped"
