"""Every call that the web makes, repeated with its Idempotency-Key: at once, late, and torn in the middle."""

from __future__ import annotations

import re
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Any
from uuid import uuid4

import httpx
import pytest

from tests.shop.integration.functions.conftest import ADDRESS, Functions, Json, Shopper, png
from tests.shop.integration.functions.killed_jobs import Jobs
from tests.shop.integration.functions.prints.test_print_check import glowing, layer
from tests.shop.integration.functions.test_designs import WORDS, photo
from tests.shop.integration.functions.test_order_status import token_in
from tests.shop.integration.functions.test_scenes import EMPTY, artwork, done, lettering, save
from tests.support.mailbox import find_mails, wait_for_mail
from tests.support.stacks import ROOT, Stack
from tests.support.users import Person, Users

WEB = [
    path.read_text() for path in sorted((ROOT / "web" / "src").rglob("*.ts*")) if ".test." not in path.name
]
CALLED_BY_THE_WEB = sorted(
    {slug for text in WEB for slug in re.findall(r'\binvokeFunction\(\{\s*slug: "([a-z-]+)"', text)}
)
# Whoever asks for these a second time after a torn call gets a second mail or post: admins try them out with them.
SENT_AGAIN_WHEN_TORN = {"send-tracking-webhook", "test-webhook"}
# So does whoever begins a design or brings a picture: what is there twice is shown nowhere, and counts for its limit.
SENT_AGAIN_WHEN_TORN |= {"begin-design", "add-artwork", "mend-picture"}

# These only read; after a deletion there is nobody who could ask again (test_accounts.py, prints/test_print_check.py).
NOT_REPEATED = {"delete-account", "export-account", "check-print", "list-print-files"}


def new_key() -> str:
    return f'"{uuid4()}"'


def answer_of(response: httpx.Response) -> tuple[int, Json]:
    return response.status_code, response.json()


@dataclass
class Sent:
    """A call and its first answer."""

    slug: str
    body: Json
    token: str | None
    key: str
    answer: tuple[int, Json]


@dataclass
class Journey:
    """Makes calls with keys of their own, each at once a second time, with other content, and as if torn."""

    functions: Functions
    sent: list[Sent] = field(default_factory=list)

    def call(self, slug: str, body: Json, token: str | None = None) -> Json:
        one = Sent(slug, body, token, new_key(), (0, {}))
        before = time.time()
        one.answer = self.again(one)
        assert one.answer[0] == 200, one.answer
        made = self.functions.predictions()
        assert self.again(one) == one.answer
        other = self.functions.call(slug, body | {"x": 1}, token, key=one.key)
        assert (other.status_code, other.json()["code"]) == (422, "idempotency_key_reused")
        if slug not in SENT_AGAIN_WHEN_TORN:
            self._tear(before)
            assert self.again(one) == one.answer
        assert self.functions.predictions() == made
        self.sent.append(one)
        return one.answer[1]

    def again(self, one: Sent) -> tuple[int, Json]:
        return answer_of(self.functions.call(one.slug, one.body, one.token, key=one.key))

    def _tear(self, since: float) -> None:
        """As after the death of a process between its work and its answer, once the lease has ended."""
        torn = self.functions.sql(
            "update private.keyed_calls set answer = null, lease = gen_random_uuid(), "
            "leased_until = clock_timestamp() where created_at >= to_timestamp(%s) returning 1",
            since,
        )
        assert len(torn) == 1


def paid_at_stripe(functions: Functions, intent: str) -> None:
    confirmed = functions.stripe(f"payment_intents/{intent}/confirm", payment_method="pm_card_visa")
    assert confirmed.json()["status"] == "succeeded"


def test_whole_journey_repeated_has_one_effect_and_one_answer(
    functions: Functions,
    stack: Stack,
    shopper: Shopper,
    admin: Person,
    users: Users,
    save_design: Callable[..., str],
) -> None:
    person, journey = users.new("presser"), Journey(functions)
    black = shopper.variants["Black - S"]["id"]

    assert journey.call("lookup-zip-code", {"zipCode": "90210"})["state"] == "CA"
    journey.call("check-admin-access", {}, person.token)
    journey.call("generate-design-image", WORDS, person.token)
    style = {"style": "Line art", "background_color_name": "Black", "background_color_hex": "#1A1A1A"}
    journey.call("edit-design-image", {"image": photo(), **style}, person.token)
    design = save_design(person)
    product = {"designId": design, "imageBase64": png(), "selectedColors": [black]}
    product_id = journey.call("create-printify-product", product, person.token)["printifyProductId"]
    copy = journey.call("import-design", {"originalDesignId": shopper.design_id}, person.token)["designId"]

    report = {"designId": design, "reason": "other", "words": "Only a test"}
    journey.call("report-design", report)

    empty = journey.call("begin-design", {"selectedColors": [black]}, person.token)["designId"]
    picture = journey.call("add-artwork", artwork(glowing()), person.token)["artwork"]["id"]
    revision = save(person, empty, EMPTY | {"back": [layer(picture)]}, 1)
    mend = {"designId": empty, "revision": revision, "layer": "p", "mend": "harden"}
    journey.call("mend-picture", mend, person.token)
    revision = save(person, empty, EMPTY | {"front": [lettering("Again")]}, revision)
    journey.call("finish-scene", done(empty, revision), person.token)

    buyer = Shopper(person, design, product_id, shopper.variants)
    address = ADDRESS | {"email": person.email}
    placed = journey.call("create-payment-intent", buyer.cart(shipping_address=address), person.token)
    order, intent = placed["order_id"], placed["payment_intent_id"]
    again = journey.call("finish-payment", {"order_id": order}, person.token)
    assert again == placed | {"payment_status": "requires_payment_method"}
    paid_at_stripe(functions, intent)
    journey.call("update-order-status", {"order_id": order, "status": "paid"}, person.token)
    printing = {"orderId": order, "shippingAddress": {}, "lineItems": []}
    printed = journey.call("create-printify-order", printing, person.token)["printify_order_id"]
    journey.call("send-order-webhook", {"order_id": order}, person.token)
    token = token_in(wait_for_mail(stack, person.email, "confirmed"))
    journey.call("get-order-status", {"token": token})
    functions.sql("update public.orders set status = 'shipped', carrier = 'USPS' where id = %s", order)
    functions.sweep()  # or the stack's own sends it
    wait_for_mail(stack, person.email, "shipped")
    journey.call("send-tracking-webhook", {"printify_order_id": printed}, admin.token)
    journey.call("refund-order", {"order_id": order, "reason": "misprint"}, admin.token)
    elsewhere = address | {"address1": "2 Main St"}
    second = journey.call("create-payment-intent", buyer.cart(shipping_address=elsewhere), person.token)
    journey.call("cancel-order", {"order_id": second["order_id"]}, person.token)

    made = functions.predictions()
    # late: other calls lie between, and the answers are those of then
    for one in journey.sent:
        assert journey.again(one) == one.answer, one.slug

    # Posts to private addresses are refused here: the one call of the web whose answer is a refusal.
    refused = Sent(
        "test-webhook", {"url": "http://127.0.0.1/", "payload": {}}, admin.token, new_key(), (0, {})
    )
    answers = [journey.again(refused) for _ in range(2)]
    assert answers[0] == answers[1]
    assert 400 <= answers[0][0] < 500
    called = {one.slug for one in journey.sent} | {"test-webhook"} | NOT_REPEATED
    assert sorted(called) == CALLED_BY_THE_WEB

    assert functions.predictions() == made
    assert {
        row["id"]
        for row in functions.sql("select id::text from public.designs where user_id = %s", person.id)
    } == {*(design, copy, empty)}
    orders = functions.sql(
        "select id::text, status, refunded_cents from public.orders where user_id = %s order by created_at",
        person.id,
    )
    assert orders == [
        {"id": order, "status": "shipped", "refunded_cents": 5970},
        {"id": second["order_id"], "status": "cancelled", "refunded_cents": 0},
    ]
    assert len(functions.get_stripe("refunds", payment_intent=intent)["data"]) == 1
    assert len(find_mails(stack, person.email, "confirmed")) == 1
    assert len(find_mails(stack, person.email, "shipped")) == 2, "the shop's own, and the admin's once more"
    uses = functions.sql(
        "select kind, count(*) as n from private.usage_events where user_id = %s and kind in ('order', 'picture') "
        "and completed_at is not null group by kind order by kind",
        person.id,
    )
    assert uses == [{"kind": "order", "n": 2}, {"kind": "picture", "n": 2}]


def test_every_call_of_the_web_names_its_function() -> None:
    calls = [call for text in WEB for call in re.findall(r"\binvokeFunction\(\S*\s*\S*", text)]
    assert [call for call in calls if not re.fullmatch(r"invokeFunction\(\{\s*slug:", call)] == []
    assert "functions.invoke" not in "".join(text for text in WEB if "function invokeFunction" not in text)


def test_process_that_dies_in_the_middle_leaves_a_call_that_can_be_repeated(
    functions: Functions, stack: Stack, shopper: Shopper
) -> None:
    jobs, key = Jobs(stack, functions), new_key()
    cart = shopper.cart(shipping_address=ADDRESS | {"address1": "Torn in the middle"})

    def call() -> httpx.Response:
        return functions.call("create-payment-intent", cart, shopper.token, key=key)

    # Stripe has the intent; the order does not know it yet
    torn = jobs.kill_at("orders", "new.payment_intent_id is not null", call)
    assert torn.status_code >= 500
    running = call()
    assert (running.status_code, running.json()["code"]) == (409, "call_in_progress")
    assert 1 <= int(running.headers["retry-after"]) <= 3
    functions.sql("update private.keyed_calls set leased_until = clock_timestamp() where lease is not null")
    placed = call()
    assert placed.status_code == 200
    assert answer_of(call()) == answer_of(placed)
    orders = functions.sql(
        "select payment_intent_id from public.orders where shipping_address like %s", "%Torn in the middle%"
    )
    assert orders == [{"payment_intent_id": placed.json()["payment_intent_id"]}]


def test_connection_that_is_cut_costs_nothing(functions: Functions, shopper: Shopper) -> None:
    key, cart = new_key(), shopper.cart(shipping_address=ADDRESS | {"address1": "Cut off"})
    with pytest.raises(httpx.ReadTimeout):
        functions.call(
            "create-payment-intent", cart, shopper.token, key=key, timeout=httpx.Timeout(30, read=0.001)
        )
    answer = functions.call("create-payment-intent", cart, shopper.token, key=key)
    deadline = time.monotonic() + 30
    while answer.status_code == 409 and time.monotonic() < deadline:
        assert answer.json()["code"] == "call_in_progress"
        time.sleep(0.1)
        answer = functions.call("create-payment-intent", cart, shopper.token, key=key)
    assert answer.status_code == 200
    rows = functions.sql("select id::text from public.orders where shipping_address like '%%Cut off%%'")
    assert rows == [{"id": answer.json()["order_id"]}]


def test_many_at_once_are_worked_on_once(functions: Functions, shopper: Shopper) -> None:
    key, cart = new_key(), shopper.cart(shipping_address=ADDRESS | {"address1": "At once"})

    def call(_: int) -> tuple[int, Json]:
        return answer_of(functions.call("create-payment-intent", cart, shopper.token, key=key))

    with ThreadPoolExecutor(8) as threads:
        answers = list(threads.map(call, range(8)))
    placed = [body for status, body in answers if status == 200]
    assert placed
    assert placed == [placed[0]] * len(placed)
    assert {body["code"] for status, body in answers if status != 200} <= {"call_in_progress"}
    assert call(0) == (200, placed[0])


@pytest.mark.parametrize("key", ["", '""', "two words", '"open', "k" * 300])
def test_malformed_key_is_refused(functions: Functions, key: str) -> None:
    response = functions.call("lookup-zip-code", {"zipCode": "90210"}, key=key)
    assert (response.status_code, response.json()["code"]) == (400, "invalid_idempotency_key")


def test_key_is_anothers_for_another_caller(
    functions: Functions, shopper: Shopper, stranger: Person, placed: Json
) -> None:
    key, body = new_key(), {"order_id": placed["order_id"]}
    assert (
        functions.call("finish-payment", body, shopper.token, key=key).json()["order_id"] == body["order_id"]
    )
    response = functions.call("finish-payment", body, stranger.token, key=key)
    assert (response.status_code, response.json()["code"]) == (404, "order_not_found")


def test_without_sign_in_no_answer_is_given_again(
    functions: Functions, shopper: Shopper, placed: Json
) -> None:
    key, body = new_key(), {"order_id": placed["order_id"]}
    assert functions.call("finish-payment", body, shopper.token, key=key).status_code == 200
    assert functions.call("finish-payment", body, key=key).status_code == 401


def test_browsers_may_send_the_header(stack: Stack) -> None:
    preflight = httpx.options(
        f"{stack.api_url}/functions/v1/cancel-order",
        headers={
            "origin": "http://shop.example",
            "access-control-request-method": "POST",
            "access-control-request-headers": "authorization, content-type, idempotency-key",
        },
    )
    assert "idempotency-key" in preflight.headers["access-control-allow-headers"]


def test_table_tells_nothing_of_a_client_secret(functions: Functions, shopper: Shopper, placed: Json) -> None:
    key = new_key()
    functions.call("finish-payment", {"order_id": placed["order_id"]}, shopper.token, key=key)
    table: Any = functions.sql("select k::text as row from private.keyed_calls k")
    told = repr(table)
    for secret in (placed["client_secret"], placed["order_id"], shopper.person.id, key.strip('"')):
        assert secret not in told
        assert secret.encode().hex() not in told
