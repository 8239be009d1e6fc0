"""Signed addresses of orders: only ours open something, secrets can be replaced, and all failures look alike."""

from __future__ import annotations

import base64
import hashlib
import hmac
from collections.abc import Mapping
from typing import Any

import pytest
from _shared.core.errors import ShopError
from _shared.core.failure_limit import FailureLimit
from _shared.core.settings import read_settings
from _shared.orders.order_links import OrderLink, OrderLinks
from _shared.orders.tracking import VALID_DAYS, Tracking

from tests.shop.unit.functions.fakes import FakeDatabase
from tests.shop.unit.functions.samples import LINKS, ORDER

LINK = OrderLink(ORDER.id, 7)
TOKEN = LINKS.token(LINK)
ROW: Mapping[str, Any] = {
    "order_id": ORDER.id, "status": "shipped", "steps": {"pending": "2026-11-01T10:00:00+00:00"}, "has_problem": False,
    "items": [
        {"name": "Cat", "color": "Black", "size": "M", "quantity": 1, "unit_price_cents": 1990,
         "image_url": "javascript:x"},
        {"name": "Dog", "color": "Black", "size": "M", "quantity": 1, "unit_price_cents": 1990,
         "image_url": "https://images.example/mockup/1/2/3"},
    ],
    "shipping_cents": 590, "total_cents": 4570, "refunded_cents": 0, "refunded_at": None, "lost_cents": 0,
    "is_held": False, "carrier": "USPS",
    "tracking_number": "940011", "tracking_url": "data:text/html,x", "first_name": "Ann",
    "city": "Toronto", "country": "CA",
}  # fmt: skip


class Orders(FakeDatabase):
    """Knows one order's page and notes its requests."""

    def __init__(self) -> None:
        super().__init__()
        self.lookups: list[Mapping[str, Any]] = []

    def value(self, function: str, arguments: Mapping[str, Any]) -> object:
        assert function == "get_tracked_order"
        self.lookups.append(arguments)
        return ROW if (arguments["of_order"], arguments["version"]) == (ORDER.id, 7) else None


class Clock:
    now = 1000.0

    def __call__(self) -> float:
        return self.now


def tracking(clock: Clock | None = None, most: int = 3) -> tuple[Tracking, Orders]:
    orders = Orders()
    return Tracking(orders, LINKS, FailureLimit(most, 60, clock=clock or Clock())), orders


def failure(part: Tracking, token: str, address: str = "192.0.2.1") -> tuple[int, str, str]:
    with pytest.raises(ShopError) as caught:
        part.status(token, address)
    return caught.value.status, caught.value.code, caught.value.error


def changed(token: str, place: int) -> str:
    """The token with one bit of one byte turned."""
    signed = bytearray(base64.urlsafe_b64decode(token))
    signed[place] ^= 1
    return base64.urlsafe_b64encode(signed).decode()


def test_address_has_its_token_in_the_fragment() -> None:
    assert LINKS.address(LINK) == f"https://shop/track#{TOKEN}"
    assert len(TOKEN) == 68
    assert LINKS.verify(TOKEN) == LINK


@pytest.mark.parametrize("place", range(51))
def test_token_with_any_byte_changed_is_refused(place: int) -> None:
    assert LINKS.verify(changed(TOKEN, place)) is None


@pytest.mark.parametrize(
    "token",
    [
        "",
        TOKEN[:-1],
        TOKEN[:25],
        TOKEN + "A",
        TOKEN + "\n",
        " " + TOKEN,
        TOKEN.replace(TOKEN[0], "+", 1),
        "é" * 68,
        "=" * 68,
    ],
)
def test_token_of_another_form_is_refused(token: str) -> None:
    assert LINKS.verify(token) is None


def test_signature_of_one_order_does_not_open_another() -> None:
    other = LINKS.token(OrderLink("99999999-2222-4333-8444-5555556abcde", 7))
    payload, mac = base64.urlsafe_b64decode(TOKEN)[:19], base64.urlsafe_b64decode(other)[19:]
    assert LINKS.verify(base64.urlsafe_b64encode(payload + mac).decode()) is None


def test_secret_used_elsewhere_signs_nothing_here() -> None:
    """The service key signs tokens of sign-in too: an HMAC by the bare secret is no signature of an order."""
    payload = base64.urlsafe_b64decode(TOKEN)[:19]
    mac = hmac.digest(b"a secret of the shop", payload, hashlib.sha256)
    assert LINKS.verify(base64.urlsafe_b64encode(payload + mac).decode()) is None


def test_replaced_secret_is_accepted_while_it_is_the_previous_one() -> None:
    during, after = (
        OrderLinks(["new", "a secret of the shop"], "https://shop"),
        OrderLinks(["new"], "https://shop"),
    )
    assert during.verify(TOKEN) == LINK
    assert after.verify(TOKEN) is None
    assert after.verify(during.token(LINK)) == LINK
    assert LINKS.verify(during.token(LINK)) is None


def test_service_key_signs_until_there_is_a_secret() -> None:
    base = {"SUPABASE_URL": "http://api", "SUPABASE_SERVICE_ROLE_KEY": "service"}
    assert read_settings(base, []).order_link_secrets == ("service", "")
    own = base | {"ORDER_LINK_SECRET": "own", "ORDER_LINK_SECRET_PREVIOUS": "old"}
    assert read_settings(own, []).order_link_secrets == ("own", "old")
    with pytest.raises(ValueError, match="needs a secret"):
        OrderLinks(["", ""], "https://shop")


def test_status_has_a_number_a_country_and_web_addresses_alone() -> None:
    part, orders = tracking()
    status = part.status(TOKEN, "192.0.2.1")
    assert status["number"] == "#6ABCDE"
    assert status["country"] == "Canada"
    assert status["tracking"] == {"carrier": "USPS", "number": "940011", "url": None}
    images = [item["image_url"] for item in status["items"]]  # type: ignore[attr-defined]
    assert images == [None, "https://images.example/mockup/1/2/3"]
    assert orders.lookups == [{"of_order": ORDER.id, "version": 7, "valid_days": VALID_DAYS}]


def test_every_failure_is_the_same_and_costs_the_same() -> None:
    part, orders = tracking()
    revoked = LINKS.token(OrderLink(ORDER.id, 6))
    deleted = LINKS.token(OrderLink("99999999-2222-4333-8444-5555556abcde", 1))
    failures = {
        failure(part, token, f"192.0.2.{n}")
        for n, token in enumerate((TOKEN[:-1], changed(TOKEN, 40), revoked, deleted))
    }
    assert failures == {(404, "order_not_found", "Order not found.")}
    assert len(orders.lookups) == 4
    assert {tuple(sorted(each)) for each in orders.lookups} == {("of_order", "valid_days", "version")}


def test_guessing_address_is_stopped_and_a_valid_token_is_not() -> None:
    clock = Clock()
    part, orders = tracking(clock)
    for _ in range(3):
        assert failure(part, "guess")[0] == 404
    assert failure(part, "guess")[:2] == (429, "too_many_attempts")
    assert len(orders.lookups) == 3
    assert part.status(TOKEN, "192.0.2.1")["number"] == "#6ABCDE"
    assert failure(part, "guess", "192.0.2.2")[0] == 404
    clock.now += 60
    assert failure(part, "guess")[0] == 404


def test_limit_remembers_a_bounded_number_of_addresses() -> None:
    limit = FailureLimit(1, 60, most_addresses=2, clock=Clock())
    for address in ("a", "b", "c"):
        limit.record(address)
    limit.check("a")
    for address in ("b", "c"):
        with pytest.raises(ShopError):
            limit.check(address)
