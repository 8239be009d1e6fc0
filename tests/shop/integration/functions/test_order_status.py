"""get-order-status: the signed address in an e-mail opens the order's page without an account, and nothing else."""

from __future__ import annotations

import base64
import re

import pytest

from tests.shop.integration.functions.conftest import Functions, Json, Shopper
from tests.support.mailbox import find_mails, wait_for_mail
from tests.support.stacks import Stack
from tests.support.users import Person

SLUG = "get-order-status"
NOT_FOUND = (404, {"error": "Order not found.", "code": "order_not_found"})
PRIVATE = ("Main St", "Lee", "90210", "@", "3105551234", "pi_", "pro_")


def token_in(mail: Json) -> str:
    match = re.search(r"/track#([A-Za-z0-9_-]+)", mail["Text"])
    assert match, mail["Text"]
    return match[1]


def response_of(functions: Functions, token: str) -> tuple[int, Json]:
    response = functions.call(SLUG, {"token": token})
    return response.status_code, response.json()


@pytest.fixture
def token(functions: Functions, shopper: Shopper, stack: Stack, paid: Json) -> str:
    """The one in the confirmation of a paid order."""
    functions.sweep()
    number = f"#{paid['order_id'][-6:].upper()}"
    return token_in(wait_for_mail(stack, shopper.person.email, f"order {number} is confirmed"))


def test_confirmations_token_opens_the_order_without_an_account(
    functions: Functions, token: str, paid: Json
) -> None:
    status, order = response_of(functions, token)
    assert status == 200
    steps = order.pop("steps")
    assert steps["pending"] and steps["paid"]
    assert [(item["name"], item["color"], item["size"], item["quantity"]) for item in order.pop("items")] == [
        ("Red dot", "Black", "L", 2),
        ("Red dot", "Black", "M", 1),
    ]
    assert order.pop("status") in ("paid", "processing")
    assert order == {
        "order_id": paid["order_id"], "number": f"#{paid['order_id'][-6:].upper()}", "has_problem": False,
        "account_number": f"#{paid['order_id'][-8:].upper()}",
        "shipping_cents": 0, "total_cents": 5970, "refunded_cents": 0, "refunded_at": None, "lost_cents": 0,
        "is_held": False,
        "tracking": {"carrier": None, "number": None, "url": None},
        "first_name": "Ann", "city": "Beverly Hills", "country": "United States",
    }  # fmt: skip


def test_response_has_neither_street_nor_contact_nor_vendors_ids(
    functions: Functions, token: str, paid: Json
) -> None:
    functions.sql("select public.finish_printing(%s, %s)", paid["order_id"], f"pro_{paid['order_id']}")
    text = functions.call(SLUG, {"token": token}).text
    # the picture's address names the print product, as every public mockup does
    assert [secret for secret in PRIVATE if secret in re.sub(r'"image_url":"[^"]*"', "", text)] == []


def test_token_of_the_first_mail_shows_the_parcel_and_the_refund(
    functions: Functions, admin: Person, stack: Stack, shopper: Shopper, token: str, paid: Json
) -> None:
    functions.sql(
        "select public.record_progress(%s, 'shipped', 'USPS', '9400', 'https://t/9400')", paid["order_id"]
    )
    assert response_of(functions, token)[1]["tracking"] == {
        "carrier": "USPS",
        "number": "9400",
        "url": "https://t/9400",
    }
    functions.body_of("refund-order", {"order_id": paid["order_id"], "reason": "Misprinted"}, admin.token)
    status, order = response_of(functions, token)
    assert (status, order["status"], order["refunded_cents"]) == (200, "shipped", 5970)
    assert order["refunded_at"]
    functions.sweep()
    number = f"#{paid['order_id'][-6:].upper()}"
    mails = find_mails(stack, shopper.person.email, number)
    assert len(mails) == 3
    assert {token_in(mail) for mail in mails} == {token}


def test_tokens_that_open_nothing_get_one_response(functions: Functions, token: str, paid: Json) -> None:
    signed = bytearray(base64.urlsafe_b64decode(token))
    signed[5] ^= 1
    forged = base64.urlsafe_b64encode(signed).decode()
    assert [response_of(functions, each) for each in (forged, token[:-4], "x")] == [NOT_FOUND] * 3
    functions.sql("update public.orders set link_version = 2 where id = %s", paid["order_id"])
    assert response_of(functions, token) == NOT_FOUND


def test_token_ends_with_its_order(functions: Functions, token: str, paid: Json) -> None:
    functions.sql("delete from public.orders where id = %s", paid["order_id"])
    assert response_of(functions, token) == NOT_FOUND


def test_reading_an_order_changes_nothing(functions: Functions, token: str, paid: Json) -> None:
    functions.until(
        "select 1 from public.orders where id = %s and printify_order_id is not null", paid["order_id"]
    )
    watched = (
        "select o.xmin::text, (select count(*) from public.order_events e where e.order_id = o.id) as events, "
        "(select count(*) from public.order_messages m where m.order_id = o.id) as messages "
        "from public.orders o where o.id = %s"
    )
    before = functions.sql(watched, paid["order_id"])
    assert response_of(functions, token)[0] == 200
    assert functions.sql(watched, paid["order_id"]) == before
    # a mail program's link scanner opens addresses by GET
    assert functions.get(SLUG).status_code == 405


def test_no_log_holds_a_token(functions: Functions, stack: Stack, token: str) -> None:
    assert response_of(functions, token)[0] == 200
    assert response_of(functions, token[:-1])[0] == 404
    logs = [path for path in stack.state.rglob("*.log") if path.is_file()]
    texts = {path.name: path.read_text(encoding="utf-8", errors="replace") for path in logs}
    assert any(SLUG in text for text in texts.values()), sorted(texts)
    assert [name for name, text in texts.items() if token[:-1] in text] == []
