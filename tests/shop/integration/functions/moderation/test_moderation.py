"""report-design, an admin's decision, and what Storage, import-design and the mailbox show of it."""

from __future__ import annotations

from collections.abc import Iterator

import psycopg
import pytest

from tests.shop.integration.functions.conftest import Functions, Shopper
from tests.shop.integration.functions.stored_designs import PICTURE, Pictures
from tests.support.mailbox import find_mails, wait_for_mail
from tests.support.stacks import Stack
from tests.support.users import Person, Users

SLUG = "report-design"
NOT_FOUND = (404, "design_not_found")


@pytest.fixture(scope="module")
def pictures(stack: Stack, functions: Functions) -> Pictures:
    return Pictures(stack, functions)


@pytest.fixture
def artist(users: Users, functions: Functions) -> Iterator[Person]:
    functions.sql("delete from private.report_senders")  # all tests share one address
    yield users.new("artist")
    functions.sql("delete from private.report_senders")


def test_visitor_reports_a_design_and_learns_nothing_else(
    pictures: Pictures, functions: Functions, stack: Stack, artist: Person
) -> None:
    functions.sql("delete from private.design_notices")  # another test's may have been this hour's
    saved = pictures.save(artist)
    body = {"designId": saved.id, "reason": "copyright", "words": "My own drawing\u202e of 2019"}
    assert functions.body_of(SLUG, body) == {"success": True}
    (stored,) = functions.sql(
        "select reason, words from private.design_reports where design_id = %s", saved.id
    )
    assert stored == {"reason": "copyright", "words": "My own drawing of 2019"}
    assert functions.error_of(SLUG, body | {"designId": artist.id}) == NOT_FOUND
    for change in ({"reason": "spam"}, {"words": "x" * 1001}, {"designId": "1"}):
        assert functions.error_of(SLUG, body | change) == (400, "invalid_request")
    functions.sweep()
    mail = wait_for_mail(stack, "orders@teesmith.example", "was reported")
    assert "it uses somebody else's work or brand." in mail["Text"]
    assert "/admin?tab=designs" in mail["Text"]
    assert "2019" not in mail["Text"]


def test_report_that_is_sent_again_with_its_key_counts_once(
    pictures: Pictures, functions: Functions, artist: Person
) -> None:
    saved = pictures.save(artist)
    for _ in range(2):
        sent = functions.call(SLUG, {"designId": saved.id, "reason": "other"}, key=f"report-{saved.id}")
        assert sent.json() == {"success": True}
    reports = "select count(*) from private.design_reports where design_id = %s"
    assert functions.sql(reports, saved.id) == [{"count": 1}]


def test_address_that_reports_too_often_may_come_back_later(
    pictures: Pictures, functions: Functions, artist: Person
) -> None:
    body = {"designId": pictures.save(artist).id, "reason": "other"}
    refused = next(response for _ in range(12) if (response := functions.call(SLUG, body)).status_code != 200)
    assert (refused.status_code, refused.json()["code"]) == (429, "too_many_reports")
    assert refused.json()["retry_at"]
    assert functions.sql("select count(*) from private.report_senders") == [{"count": 10}]


def test_design_that_is_taken_down_is_neither_signed_nor_imported_and_its_owner_gets_a_mail(
    pictures: Pictures, functions: Functions, stack: Stack, artist: Person, stranger: Person, admin: Person
) -> None:
    saved = pictures.save(artist)
    publication = pictures.publish(saved)
    decide = {
        "of_design": saved.id,
        "decision": "take_down",
        "reason": "copyright",
        "note": "It is <Disney's>.",
    }
    assert admin.client.rpc("decide_design", decide).execute().data == 1
    assert pictures.signed(saved.picture, stranger.token) is None
    assert pictures.signed(saved.picture, artist.token) == PICTURE
    for person in (stranger, artist, admin):
        imported = functions.error_of("import-design", {"originalDesignId": saved.id}, person.token)
        assert imported == NOT_FOUND
    figures = pictures.sweep()
    assert figures["failed_design_notices"] == 0
    assert pictures.shown(publication).status_code == 400
    mail = wait_for_mail(stack, artist.email, "We have taken down your design")
    assert "It is <Disney's>." in mail["Text"]
    assert "It is &lt;Disney" in mail["HTML"]
    functions.sweep()
    assert len(find_mails(stack, artist.email, "taken down")) == 1
    admin.client.rpc("decide_design", {"of_design": saved.id, "decision": "restore"}).execute()
    functions.sweep()
    assert wait_for_mail(stack, artist.email, "is back")
    assert pictures.signed(saved.picture, stranger.token) == PICTURE


def test_publication_at_the_time_of_a_take_down_waits_and_is_refused(
    pictures: Pictures, stack: Stack, artist: Person, admin: Person
) -> None:
    saved = pictures.save(artist)
    claims = "select set_config('request.jwt.claims', %s, true)"
    publish = "insert into public.public_designs (design_id, user_id) values (%s, %s)"
    with psycopg.connect(stack.db_url) as deciding, psycopg.connect(stack.db_url) as publishing:
        deciding.execute(claims, [f'{{"sub": "{admin.id}"}}'])
        deciding.execute("select public.decide_design(%s, 'take_down', 'other')", [saved.id])
        publishing.execute("set local lock_timeout = '100ms'")
        with pytest.raises(psycopg.errors.LockNotAvailable):
            publishing.execute(publish, [saved.id, artist.id])
        deciding.commit()
        publishing.rollback()
        with pytest.raises(psycopg.errors.CheckViolation, match="taken down"):
            publishing.execute(publish, [saved.id, artist.id])


def test_paid_order_of_a_taken_down_design_is_printed_only_when_it_is_released(
    functions: Functions, shopper: Shopper, admin: Person, paid: dict[str, str]
) -> None:
    order = paid["order_id"]
    decide = {"of_design": shopper.design_id, "decision": "take_down", "reason": "other"}
    admin.client.rpc("decide_design", decide).execute()
    print_order = {"orderId": order, "shippingAddress": {}, "lineItems": []}
    printed = "select printify_order_id from public.orders where id = %s"
    requested = "select print_requested_at is not null as is_requested from public.orders where id = %s"
    try:
        if functions.sql(requested, order)[0]["is_requested"]:
            # The sweep was faster than the admin; it may still be at the printer's.
            before = functions.until(f"{printed} and printify_order_id is not null", order)
        else:
            (before,) = functions.sql(printed, order)
            assert functions.error_of("create-printify-order", print_order, shopper.token) == (
                409,
                "order_held",
            )
        functions.sweep()
        assert functions.sql(printed, order) == [before]
        refused = functions.call("create-payment-intent", shopper.cart(), shopper.token)
        assert (refused.status_code, refused.json()["code"]) == (409, "design_taken_down")
    finally:
        admin.client.rpc("decide_design", {"of_design": shopper.design_id, "decision": "restore"}).execute()
    functions.sweep()
    (after,) = functions.sql(printed, order)
    assert after["printify_order_id"]
