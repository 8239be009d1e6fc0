"""The outbox: every message is sent once, also after an outage of the mail server; admins can repeat one."""

import json
from collections.abc import Mapping
from typing import Any

import pytest
from _shared.catalog.catalog import Catalog
from _shared.clients.smtp import Email
from _shared.core.errors import ShopError
from _shared.designs.designs import Designs
from _shared.orders.notifications import Notifications
from _shared.orders.order_links import OrderLink
from _shared.orders.order_rpc import OrderRpc
from _shared.orders.orders import Order, Orders

from tests.shop.unit.functions.fakes import ORDER_ROW, FakeDatabase
from tests.shop.unit.functions.samples import ADDRESS, LINKS, ORDER

ROW = ORDER_ROW | {
    "id": ORDER.id, "user_id": "buyer", "status": "paid", "subtotal_cents": 3980, "shipping_cents": 590,
    "total_cents": 4570, "shipping_address": json.dumps(ADDRESS), "order_items": [],
}  # fmt: skip


TRACK_LINK = LINKS.address(OrderLink(ORDER.id, 1))


class FakeMailer:
    def __init__(self) -> None:
        self.emails: list[Email] = []
        self.keys: list[str] = []
        self.is_away = False

    def send(self, email: Email, key: str = "") -> None:
        if self.is_away:
            raise ShopError(502, "mail_unavailable", "The e-mail could not be sent.")
        self.emails.append(email)
        self.keys.append(key)


class FakeWebhookSender:
    def __init__(self) -> None:
        self.events: list[tuple[str, str, Mapping[str, object]]] = []

    def send(self, event: str, key: str, data: Mapping[str, object]) -> None:
        self.events.append((event, key, data))


class FakeShop:
    """A paid order with pending messages."""

    def __init__(self, status: str = "paid") -> None:
        self.data = FakeDatabase(orders=[ROW | {"status": status}])
        self.mailer, self.webhook_sender = FakeMailer(), FakeWebhookSender()
        self.pauses: list[float] = []
        self.orders = Orders(self.data, Designs(self.data), Catalog(self.data), "")
        self.notifications = Notifications(
            self.mailer, self.webhook_sender, self.orders, OrderRpc(self.data, 60), LINKS,
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


def test_confirmation_is_sent_once_under_its_own_key() -> None:
    shop = FakeShop()
    shop.waits("confirmation")
    shop.waits("order.confirmed", "automation")
    for _ in range(2):
        shop.notifications.confirm(shop.order)
    assert [email.subject for email in shop.mailer.emails] == ["Your Teesmith order #6ABCDE is confirmed"]
    assert shop.mailer.keys == ["m-confirmation"]
    ((event, key, data),) = shop.webhook_sender.events
    assert (event, key, data["total_cents"]) == ("order.confirmed", ORDER.id, 4570)
    assert shop.data.calls == ["finish_message", "finish_message"]


def test_admin_can_send_the_confirmation_again() -> None:
    shop = FakeShop()
    shop.notifications.confirm(shop.order, again=True)
    assert len(shop.mailer.emails) == 1


def test_confirmation_needs_a_payment_and_shipping_notice_a_shipment() -> None:
    shop = FakeShop("pending")
    for confirm in (shop.notifications.confirm, shop.notifications.confirm_shipment):
        with pytest.raises(ShopError) as caught:
            confirm(shop.order, again=True)
        assert caught.value.status == 409
    assert shop.mailer.emails == []


def test_message_waits_for_the_sweep_while_the_mail_server_is_down() -> None:
    shop = FakeShop()
    shop.waits("confirmation")
    shop.mailer.is_away = True
    shop.notifications.confirm(shop.order)
    assert shop.data.calls == ["fail_message"]


def test_sent_message_is_marked_after_database_errors() -> None:
    shop = FakeShop()
    shop.waits("confirmation")
    shop.data.value_failures += [ShopError(502, "database_unavailable", "away")] * 3
    assert shop.notifications.deliver_next() is True
    assert shop.pauses == [0.1, 0.2, 0.5]
    assert len(shop.mailer.emails) == 1


@pytest.mark.parametrize(
    ("kind", "subject"),
    [
        ("shipped", "Your Teesmith order #6ABCDE has been shipped"),
        ("problem", "Your Teesmith order #6ABCDE takes a little longer"),
        ("cancelled", "Your Teesmith order #6ABCDE is cancelled"),
        ("refunded", "Your refund for Teesmith order #6ABCDE"),
    ],
)
def test_every_kind_of_message_has_its_email(kind: str, subject: str) -> None:
    shop = FakeShop("shipped")
    shop.waits(kind)
    assert shop.notifications.deliver_next() is True
    assert shop.notifications.deliver_next() is None
    (email,) = shop.mailer.emails
    assert (email.to, email.subject) == ("ann@example.com", subject)
    for address in (TRACK_LINK, f"https://shop/order-details/{ORDER.id}"):
        assert address in email.text
        assert f'href="{address}"' in email.html


def test_flag_is_reported_to_the_admin_with_its_details() -> None:
    shop = FakeShop()
    shop.waits("notice_print_failed", details="printer_refused: Printify 400")
    shop.notifications.deliver_next()
    (email,) = shop.mailer.emails
    assert email.to == "boss@example.com"
    assert email.subject == "Teesmith order #6ABCDE needs a person: the printer does not take it"
    assert "printer_refused: Printify 400" in email.text
    assert ORDER.id in email.text
