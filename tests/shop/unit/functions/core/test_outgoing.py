"""core.outgoing: every call of a vendor has the request's id, a line, a name of few, and is reported."""

from __future__ import annotations

import httpx
import pytest
from _shared.core.logs import log_context
from _shared.core.outgoing import Call, OutgoingTransport, Vendor, call_name, observed, on_call

from tests.shop.unit.functions.log_lines import captured_lines

CALLS: list[Call] = []
on_call(CALLS.append)


def client(vendor: Vendor, status: int = 200) -> tuple[httpx.Client, list[httpx.Request]]:
    """A client of a vendor that answers with `status`, or not at all where that is 0."""
    requests: list[httpx.Request] = []

    def respond(request: httpx.Request) -> httpx.Response:
        requests.append(request)
        if not status:
            raise httpx.ConnectError("no such host")
        return httpx.Response(status, json={})

    transport = OutgoingTransport(vendor, httpx.MockTransport(respond))
    return httpx.Client(base_url="http://vendor.example", transport=transport), requests


def test_call_carries_the_request_id_and_is_a_line_and_a_report() -> None:
    http, requests = client("printify")
    with captured_lines() as lines, log_context(request_id="r-1"):
        http.post("/v1/shops/7/orders/5f1a/send_to_production.json?secret=x", json={})
    assert requests[0].headers["x-request-id"] == "r-1"
    (line,) = lines
    assert line.pop("ms") >= 0
    assert line.pop("time")
    assert line == {
        "severity": "INFO",
        "service": "functions",
        "message": "printify send_to_production",
        "request_id": "r-1",
        "vendor": "printify",
        "call": "send_to_production",
        "outcome": "ok",
        "status": 200,
    }
    assert (CALLS[-1].vendor, CALLS[-1].name, CALLS[-1].outcome, CALLS[-1].status) == (
        *("printify", "send_to_production"),
        *("ok", 200),
    )


def test_call_outside_of_a_request_carries_no_id() -> None:
    http, requests = client("printify")
    http.get("/v1/shops/7/orders/1.json")
    assert "x-request-id" not in requests[0].headers


@pytest.mark.parametrize(("status", "outcome"), [(404, "refused"), (503, "failed"), (0, "no_answer")])
def test_call_that_went_wrong_is_a_warning(status: int, outcome: str) -> None:
    http, _ = client("zippopotam", status)
    with captured_lines() as lines:
        try:
            http.get("/us/10001")
        except httpx.ConnectError:
            assert status == 0
    (line,) = lines
    assert (line["severity"], line["call"], line["outcome"]) == ("WARNING", "look_up", outcome)
    assert CALLS[-1].outcome == outcome
    assert "10001" not in str(line)


@pytest.mark.parametrize(("status", "lines_written"), [(200, 0), (409, 0), (500, 1), (0, 1)])
def test_supabase_is_a_line_of_its_own_only_where_it_fails(status: int, lines_written: int) -> None:
    http, requests = client("database", status)
    before = len(CALLS)
    with captured_lines() as lines, log_context(request_id="r-1"):
        try:
            http.get("/rest/v1/orders?id=eq.1")
        except httpx.ConnectError:
            assert status == 0
    assert requests[0].headers["x-request-id"] == "r-1"
    assert (len(lines), len(CALLS) - before, CALLS[-1].name) == (lines_written, 1, "GET orders")


def test_call_without_http_is_timed_by_its_block() -> None:
    with captured_lines() as lines, observed("mail", "send"):
        pass
    assert (lines[0]["vendor"], lines[0]["outcome"], "status" in lines[0]) == ("mail", "ok", False)


@pytest.mark.parametrize(
    ("vendor", "method", "path", "name"),
    [
        ("database", "POST", "/rest/v1/rpc/claim_job", "claim_job"),
        ("database", "PATCH", "/rest/v1/orders", "PATCH orders"),
        ("auth", "GET", "/auth/v1/user", "get_user"),
        ("storage", "POST", "/storage/v1/object/copy", "copy"),
        ("storage", "POST", "/storage/v1/object/sign/print-files/a/b.png", "sign"),
        ("storage", "POST", "/storage/v1/object/designs/a/b/picture.png", "upload"),
        ("storage", "GET", "/storage/v1/object/authenticated/designs/a/b.png", "download"),
        ("storage", "DELETE", "/storage/v1/object/designs", "remove"),
        ("stripe", "POST", "/v1/payment_intents", "create_payment_intent"),
        ("stripe", "GET", "/stripe/v1/payment_intents/pi_1", "get_payment_intent"),
        ("stripe", "POST", "/v1/payment_intents/pi_1/cancel", "cancel_payment_intent"),
        ("stripe", "GET", "/v1/refunds", "list_refunds"),
        ("stripe", "GET", "/v1/disputes", "list_disputes"),
        ("stripe", "GET", "/v1/events", "list_events"),
        ("printify", "GET", "/v1/catalog/blueprints/6/print_providers/29/variants.json", "list_variants"),
        ("printify", "DELETE", "/v1/shops/1/products/2.json", "delete_product"),
        ("printify", "GET", "/v1/shops/1/orders/2.json", "get_order"),
        ("replicate", "POST", "/v1/models/openai/gpt-image-1.5/predictions", "create_prediction"),
        ("replicate", "GET", "/v1/predictions/p1", "get_prediction"),
        ("replicate", "GET", "/v1/predictions", "list_predictions"),
        ("replicate", "GET", "/pbxt/any/out.png", "download"),
        ("automation", "POST", "/hooks/catch/secret/path", "post"),
        ("stripe", "POST", "/v1/customers", "other"),
        ("mail", "GET", "/x", "other"),
    ],
)
def test_call_is_named_without_what_others_have_chosen(
    vendor: Vendor, method: str, path: str, name: str
) -> None:
    assert call_name(vendor, method, path) == name
