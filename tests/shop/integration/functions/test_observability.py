"""A journey in the owner's eyes: one request id through all logs, nothing private in them, and counts of it all."""

from __future__ import annotations

import json
import uuid
from collections import Counter
from typing import Any

import httpx
import pytest
from prometheus_client.parser import text_string_to_metric_families

from tests.localbase.integration.small_project import until
from tests.shop.integration.functions.conftest import ADDRESS, Functions, Shopper, address_of
from tests.shop.integration.functions.test_designs import WORDS
from tests.shop.integration.functions.test_order_status import token_in
from tests.support.logs import log_lines, records
from tests.support.mailbox import wait_for_mail
from tests.support.stacks import Stack
from tests.support.users import PASSWORD, Person

PRIVATE = {
    "email": "very.private@example.com",
    "first_name": "Hildegunst",
    "last_name": "Mythenmetz",
    "address1": "47 Secret Lane",
    "address2": "Backyard door",
    "phone": "3105559876",
}


def lines_of(stack: Stack, request_id: str) -> list[dict[str, Any]]:
    """Every line of the stack's logs that has this id."""
    names = ("gateway", "functions", "emulators")
    return [
        record
        for name in names
        for record in records(stack.state, name)
        if record.get("request_id") == request_id
    ]


def test_request_id_leads_from_the_browsers_call_to_the_vendor(
    functions: Functions, shopper: Shopper, stack: Stack, request: pytest.FixtureRequest
) -> None:
    cart = shopper.cart(shipping_address=address_of(shopper, request))
    response = functions.call("create-payment-intent", cart, shopper.token)
    request_id = response.headers["x-request-id"]
    assert (response.status_code, len(request_id)) == (200, 32)

    def by_service() -> dict[str, list[dict[str, Any]]]:
        request_lines = lines_of(stack, request_id)
        return {
            name: [line for line in request_lines if line["service"] == name]
            for name in ("gateway", "functions", "emulators")
        }

    path = "/functions/v1/create-payment-intent"
    assert until(lambda: any(line.get("path") == path for line in by_service()["gateway"]), 10)
    assert until(lambda: any(line["message"] == "answered" for line in by_service()["functions"]), 10)
    lines = by_service()
    # the browser's request, and the function's own to Supabase
    paths = {line["path"] for line in lines["gateway"]}
    assert {path, "/auth/v1/user", "/rest/v1/rpc/place_order", "/rest/v1/orders"} <= paths
    (call,) = [line for line in lines["functions"] if line.get("vendor")]
    assert (call["slug"], call["vendor"], call["call"], call["outcome"]) == (
        *("create-payment-intent", "stripe"),
        *("create_payment_intent", "ok"),
    )
    (answered,) = [line for line in lines["functions"] if "code" in line]
    assert (answered["severity"], answered["status"], answered["code"]) == ("INFO", 200, "ok")
    assert answered["httpRequest"]["requestUrl"] == "/create-payment-intent"
    (seen,) = lines["emulators"]
    assert (seen["vendor"], seen["call"], seen["status"]) == ("stripe", "POST /v1/payment_intents", 200)
    for line in (line for service_lines in lines.values() for line in service_lines):
        assert {"time", "severity", "service", "request_id"} <= set(line)


def test_callers_own_request_id_is_taken_over(functions: Functions, stack: Stack) -> None:
    own = f"mine-{uuid.uuid4().hex}"
    response = functions.call("lookup-zip-code", {"zipCode": "10001"}, params={}, timeout=30)
    assert response.headers["x-request-id"] != own
    headers = {"apikey": stack.publishable_key, "x-request-id": own}
    response = httpx.post(
        f"{stack.api_url}/functions/v1/lookup-zip-code", json={"zipCode": "90210"}, headers=headers
    )
    assert (response.status_code, response.headers["x-request-id"]) == (200, own)
    assert until(lambda: {"gateway", "emulators"} <= {line["service"] for line in lines_of(stack, own)}, 10)
    assert not any("90210" in json.dumps(line) for line in lines_of(stack, own))


def test_order_leads_to_its_requests_vendor_calls_and_mails_and_back(
    functions: Functions, shopper: Shopper, stack: Stack, admin: Person, request: pytest.FixtureRequest
) -> None:
    cart = shopper.cart(shipping_address=address_of(shopper, request))
    placed = functions.body_of("create-payment-intent", cart, shopper.token)
    order = {"order_id": placed["order_id"]}
    functions.body_of("finish-payment", order, shopper.token)
    functions.stripe(f"payment_intents/{placed['payment_intent_id']}/confirm", payment_method="pm_card_visa")
    functions.body_of("update-order-status", order | {"status": "paid"}, shopper.token)
    functions.body_of("create-printify-order", {"orderId": placed["order_id"]}, shopper.token)
    functions.body_of("send-order-webhook", order, shopper.token)
    number = placed["order_id"][-6:].upper()
    token = token_in(wait_for_mail(stack, shopper.person.email, f"#{number}"))
    functions.body_of("get-order-status", {"token": token})
    functions.body_of("cancel-order", order, shopper.token)
    functions.body_of("refund-order", order | {"reason": "Tried out"}, admin.token)

    def named() -> list[dict[str, Any]]:
        functions.sweep()
        return [line for line in records(stack.state, "functions") if line.get("order") == order["order_id"]]

    # the webhooks come when they come
    assert until(
        lambda: (
            {"stripe-webhook", "printify-webhook"} <= {line["slug"] for line in named() if "code" in line}
        ),
        20,
    )
    lines = named()
    assert {line["slug"] for line in lines if "code" in line} >= {
        "create-payment-intent", "finish-payment", "update-order-status", "create-printify-order",
        "send-order-webhook", "get-order-status", "cancel-order", "refund-order",
    }  # fmt: skip
    calls = {(line["vendor"], line["call"]) for line in lines if "vendor" in line}
    assert calls >= {
        ("stripe", "create_payment_intent"), ("stripe", "get_payment_intent"), ("stripe", "create_refund"),
        ("printify", "create_order"), ("printify", "get_order"), ("mail", "send"),
    }  # fmt: skip
    # a job of the sweep leads on to the gateway's lines of that run
    job = next(line for line in lines if line.get("job") and line["slug"] == "sweep")
    paths = {each.get("path") for each in lines_of(stack, job["request_id"])}
    assert {"/functions/v1/sweep", "/rest/v1/rpc/claim_job"} <= paths
    # and back: from what the vendor saw to the one order; what is done at its dashboard has no request of ours
    refunds = [line for line in records(stack.state, "emulators") if line.get("call") == "POST /v1/refunds"]
    seen = [line["request_id"] for line in refunds if "request_id" in line]
    orders = [{line.get("order") for line in lines_of(stack, each)} - {None} for each in seen]
    assert {order["order_id"]} in orders


def test_logs_of_a_whole_journey_hold_nothing_private(
    functions: Functions, shopper: Shopper, stack: Stack
) -> None:
    word = f"Wolpertinger{uuid.uuid4().hex[:6]}"
    drawn = functions.call("generate-design-image", WORDS | {"prompt": f"A {word} at sea"}, shopper.token)
    assert drawn.status_code == 200
    cart = shopper.cart(shipping_address=ADDRESS | PRIVATE)
    placed = functions.body_of("create-payment-intent", cart, shopper.token)
    intent = placed["payment_intent_id"]
    functions.stripe(f"payment_intents/{intent}/confirm", payment_method="pm_card_visa")
    by_id = {"order_id": placed["order_id"]}
    functions.body_of("update-order-status", by_id | {"status": "paid"}, shopper.token)
    functions.body_of("create-printify-order", {"orderId": placed["order_id"]}, shopper.token)
    functions.body_of("send-order-webhook", by_id, shopper.token)
    # and what goes wrong: an address that the validation quotes, a token that is none
    wrong = cart | {"shipping_address": ADDRESS | PRIVATE | {"email": f"{PRIVATE['email']}@@", "zip": "x"}}
    assert functions.call("create-payment-intent", wrong, shopper.token).status_code == 400
    assert functions.call("update-order-status", by_id, "Bearer-of-no-token").status_code == 401
    functions.sweep()
    end = functions.call("lookup-zip-code", {"zipCode": "10001"}).headers["x-request-id"]
    assert until(lambda: len(lines_of(stack, end)) >= 3, 10)
    written = {path.name: path.read_text(errors="replace") for path in (stack.state / "logs").glob("*.log*")}
    assert {"gateway.log", "functions.log", "emulators.log"} <= set(written)
    secrets = {
        **PRIVATE,
        "prompt": word,
        "address of the account": shopper.person.email,
        "password": PASSWORD,
        "token": shopper.token,
        "token that is none": "Bearer-of-no-token",
        "client secret": placed["client_secret"],
        "service key": stack.service_role_key,
        "secret key": stack.secret_key,
        "JWT secret": stack.jwt_secret,
        "Stripe's key": "sk_test_emulator",
        "Printify's token": "printify_emulator_token",
        "Replicate's token": "r8_emulator",
        "Stripe's signing secret": "whsec_emulator",
    }
    leaks = [
        f"{name} in {file}"
        for file, text in written.items()
        for name, value in secrets.items()
        if value in text
    ]
    assert leaks == []


def test_every_line_of_the_three_logs_is_a_json_object(functions: Functions, stack: Stack) -> None:
    functions.call("lookup-zip-code", {"zipCode": "10001"})
    for name in ("gateway", "functions", "emulators"):
        # what a process says before its log is set up is for the person who starts it
        lines = [line for line in log_lines(stack.state, name) if not line.startswith("emulators: ")]
        assert lines
        assert [line for line in lines if not line.startswith('{"time":"')] == []


def samples(address: str, key: str = "") -> Counter[tuple[str, ...]]:
    """Every sample of an exposition: its name, and the values of its labels in the order of their names."""
    families = text_string_to_metric_families(httpx.get(f"{address}/metrics", headers={"apikey": key}).text)
    return Counter(
        {
            (sample.name, *(value for _, value in sorted(sample.labels.items()))): sample.value
            for family in families
            for sample in family.samples
        }
    )


def test_order_is_counted_in_requests_bytes_and_vendor_calls(
    functions: Functions, shopper: Shopper, stack: Stack, request: pytest.FixtureRequest
) -> None:
    before, vendors_before = samples(stack.api_url, stack.secret_key), samples(stack.emulators_url)
    cart = shopper.cart(shipping_address=address_of(shopper, request))
    placed = functions.body_of("create-payment-intent", cart, shopper.token)
    after, vendors_after = samples(stack.api_url, stack.secret_key), samples(stack.emulators_url)

    def grown(*name: str) -> float:
        return after[name] - before[name]

    assert grown("localbase_function_requests_total", "create-payment-intent", "200") == 1
    assert grown("localbase_function_request_seconds_count", "create-payment-intent") == 1
    size = len(json.dumps(cart, separators=(",", ":")))
    received = grown("localbase_function_request_body_bytes_total", "create-payment-intent")
    assert 0.9 * size < received < 1.1 * size
    assert grown("localbase_function_response_body_bytes_total", "create-payment-intent") == pytest.approx(
        len(json.dumps(placed)), abs=8
    )
    assert grown("localbase_requests_total", "rest", "200") >= 3
    assert grown("localbase_request_body_bytes_total", "rest") > 100
    calls = vendors_after - vendors_before
    assert calls["emulators_vendor_calls_total", "POST /v1/payment_intents", "200", "stripe"] == 1
    assert calls["emulators_vendor_call_seconds_count", "stripe"] >= 1
    assert calls["emulators_vendor_body_bytes_total", "in", "stripe"] > 50
