"""The common part of the Stripe emulator's routes.

Keys, pages of other origins, expansion, forms; and its smaller objects.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import httpx
import pytest
import stripe
from stripe import StripeClient

from tests.shop.integration.emulators.conftest import Listener, Served

SECRET, PUBLIC = ("sk_test_emulator", ""), ("pk_test_emulator", "")
CARD = {
    "card[number]": "4242424242424242",
    "card[exp_month]": "12",
    "card[exp_year]": "2040",
    "card[cvc]": "123",
}


@pytest.fixture(scope="module")
def api(emulators: Served) -> Iterator[httpx.Client]:
    with httpx.Client(base_url=f"{emulators.url}/stripe") as client:
        yield client


@pytest.fixture(scope="module")
def client(emulators: Served) -> StripeClient:
    return StripeClient(
        "sk_test_emulator", base_addresses={"api": f"{emulators.url}/stripe"}, max_network_retries=0
    )


def error(response: httpx.Response) -> tuple[int, str, str | None, str | None]:
    body = response.json()["error"]
    return response.status_code, body["type"], body.get("code"), body.get("param")


@pytest.mark.parametrize("headers", [{}, {"authorization": "Bearer"}, {"authorization": "Digest x"}])
def test_request_without_a_key_is_rejected(api: httpx.Client, headers: dict[str, str]) -> None:
    response = api.get("/v1/charges", headers=headers)
    assert response.status_code == 401
    assert response.json()["error"]["message"].startswith("You did not provide an API key.")


def test_wrong_key_is_shown_with_its_ends_only(api: httpx.Client) -> None:
    response = api.get("/v1/charges", headers={"authorization": "Bearer sk_live_0123456789abcdef"})
    assert (response.status_code, response.json()["error"]["message"]) == (
        401,
        "Invalid API Key provided: sk_live_************cdef",
    )


def test_key_is_taken_as_basic_as_bearer_and_from_stripe_js(api: httpx.Client) -> None:
    assert api.get("/v1/charges", auth=SECRET).status_code == 200
    assert api.get("/v1/charges", headers={"authorization": "Bearer sk_test_emulator"}).status_code == 200
    assert api.post("/v1/tokens", data={**CARD, "key": PUBLIC[0]}).json()["object"] == "token"


@pytest.mark.parametrize(
    ("method", "path"),
    [("GET", "/v1/charges"), ("POST", "/v1/refunds"), ("POST", "/v1/payment_intents"), ("GET", "/v1/events")],
)
def test_publishable_key_opens_no_list_and_moves_no_money(api: httpx.Client, method: str, path: str) -> None:
    response = api.request(method, path, auth=PUBLIC)
    assert error(response)[:3] == (403, "invalid_request_error", "secret_key_required")


def test_other_origins_may_call_as_stripe_js_does(api: httpx.Client) -> None:
    before = api.options("/v1/payment_intents/pi_1/confirm", headers={"origin": "https://shop.example"})
    assert (before.status_code, before.headers["access-control-allow-origin"]) == (204, "*")
    assert "idempotency-key" in before.headers["access-control-allow-headers"]
    response = api.get("/v1/nothing", auth=SECRET)
    assert response.headers["access-control-allow-origin"] == "*"
    assert error(response)[:2] == (404, "invalid_request_error")
    assert "Unrecognized request URL (GET: /v1/nothing)." in response.json()["error"]["message"]


def test_every_response_names_its_request_and_errors_link_to_its_log(api: httpx.Client) -> None:
    response = api.get("/v1/charges/ch_none", auth=SECRET)
    id = response.headers["request-id"]
    assert id.startswith("req_")
    assert response.json()["error"]["request_log_url"].endswith(f"/test/logs/{id}")
    assert error(response) == (404, "invalid_request_error", "resource_missing", "id")
    assert response.headers["stripe-version"] == "2026-10-28.endive"


def test_expansion_goes_through_several_objects(client: StripeClient) -> None:
    intent = client.v1.payment_intents.create(
        {"amount": 1990, "currency": "usd", "confirm": True, "payment_method": "pm_card_visa"}
    )
    deep = client.v1.payment_intents.retrieve(
        intent.id, {"expand": ["latest_charge.payment_intent.payment_method"]}
    )
    charge: Any = deep.latest_charge
    assert charge.payment_intent.id == intent.id
    assert charge.payment_intent.payment_method.card.last4 == "4242"
    for unknown in ("colour", "amount.colour", "status"):
        with pytest.raises(stripe.InvalidRequestError) as caught:
            client.v1.payment_intents.retrieve(intent.id, {"expand": [unknown]})
        assert caught.value.param == "expand"


@pytest.mark.parametrize(
    ("form", "param"),
    [
        ("amount=1990&currency=usd&metadata=text", "metadata"),
        ("amount=1990&currency=usd&confirm=perhaps", "confirm"),
        ("amount=1990&currency=usd&amount[x]=1", "amount"),
        ("amount[a]=1&currency=usd", "amount"),
    ],
)
def test_form_of_another_shape_is_named(api: httpx.Client, form: str, param: str) -> None:
    headers = {"content-type": "application/x-www-form-urlencoded"}
    response = api.post("/v1/payment_intents", content=form, headers=headers, auth=SECRET)
    assert (error(response)[0], error(response)[3]) == (400, param)


def test_webhook_endpoint_is_changed_and_tells_its_secret_once(client: StripeClient) -> None:
    endpoint = client.v1.webhook_endpoints.create(
        {"url": "https://shop.example/hook", "enabled_events": ["charge.refunded"], "metadata": {"a": "1"}}
    )
    assert endpoint.secret == "whsec_emulator"
    changed = client.v1.webhook_endpoints.update(
        endpoint.id, {"disabled": True, "enabled_events": ["*"], "metadata": {"a": "", "b": "2"}}
    )
    assert (changed.status, list(changed.enabled_events), changed.metadata.to_dict()) == (
        "disabled", ["*"], {"b": "2"},
    )  # fmt: skip
    assert "secret" not in changed
    read = client.v1.webhook_endpoints.retrieve(endpoint.id)
    assert (read.url, read.status) == ("https://shop.example/hook", "disabled")
    assert endpoint.id in [each.id for each in client.v1.webhook_endpoints.list().data]
    assert client.v1.webhook_endpoints.delete(endpoint.id).deleted
    with pytest.raises(stripe.InvalidRequestError) as caught:
        client.v1.webhook_endpoints.retrieve(endpoint.id)
    assert caught.value.http_status == 404


def test_endpoint_hears_only_what_it_subscribed_to_while_it_is_enabled(
    client: StripeClient, listener: Listener
) -> None:
    endpoint = client.v1.webhook_endpoints.create(
        {"url": listener.url, "enabled_events": ["payment_intent.canceled"]}
    )

    def cancelled() -> str:
        intent = client.v1.payment_intents.create({"amount": 1990, "currency": "usd"})
        return client.v1.payment_intents.cancel(intent.id).id

    heard = cancelled()
    listener.wait_for(lambda _, body: heard.encode() in body)
    client.v1.webhook_endpoints.update(endpoint.id, {"disabled": True})
    missed = cancelled()
    client.v1.webhook_endpoints.update(endpoint.id, {"disabled": False})
    last = cancelled()
    listener.wait_for(lambda _, body: last.encode() in body)
    bodies = [body for _, body in listener.received]
    assert all(b'"payment_intent.canceled"' in body for body in bodies)
    assert [id for id in (heard, missed, last) if any(id.encode() in body for body in bodies)] == [
        heard,
        last,
    ]
    client.v1.webhook_endpoints.delete(endpoint.id)


@pytest.mark.parametrize(
    ("params", "param"),
    [
        ({"url": "nowhere", "enabled_events": ["*"]}, "url"),
        ({"url": "https://shop.example"}, "enabled_events"),
        ({"enabled_events": ["*"]}, "url"),
    ],
)
def test_wrong_webhook_endpoint_is_rejected(client: StripeClient, params: Any, param: str) -> None:
    with pytest.raises(stripe.InvalidRequestError) as caught:
        client.v1.webhook_endpoints.create(params)
    assert caught.value.param == param


def test_card_of_a_server_is_refused_and_one_of_the_browser_is_described(api: httpx.Client) -> None:
    form = {"type": "card", **CARD, "billing_details[name]": "Sam", "billing_details[address][city]": "Ely"}
    refused = api.post("/v1/payment_methods", data=form, auth=SECRET)
    assert refused.status_code == 402
    assert "generally unsafe" in refused.json()["error"]["message"]
    method = api.post("/v1/payment_methods", data=form, auth=PUBLIC).json()
    assert {name: method["card"][name] for name in ("brand", "last4", "exp_month", "exp_year")} == {
        "brand": "visa", "last4": "4242", "exp_month": 12, "exp_year": 2040,
    }  # fmt: skip
    assert method["billing_details"]["name"] == "Sam"
    assert method["billing_details"]["address"]["city"] == "Ely"
    assert "4242424242424242" not in str(method)
    read = api.get(f"/v1/payment_methods/{method['id']}", auth=SECRET).json()
    assert read == method


def test_token_becomes_a_payment_method_that_pays(api: httpx.Client, client: StripeClient) -> None:
    token = api.post("/v1/tokens", data=CARD, auth=PUBLIC).json()
    assert (token["type"], token["used"], token["card"]["last4"]) == ("card", False, "4242")
    assert api.get(f"/v1/tokens/{token['id']}", auth=SECRET).json() == token
    method = client.v1.payment_methods.create({"type": "card", "card": {"token": token["id"]}})
    intent = client.v1.payment_intents.create(
        {"amount": 1990, "currency": "usd", "confirm": True, "payment_method": method.id}
    )
    assert (intent.status, intent.payment_method) == ("succeeded", method.id)


@pytest.mark.parametrize(
    ("form", "param"),
    [({"type": "sepa_debit"}, "type"), ({"type": "card"}, "card"), ({"type": "card", "card": "1"}, "card")],
)
def test_other_payment_methods_are_refused(api: httpx.Client, form: dict[str, str], param: str) -> None:
    assert error(api.post("/v1/payment_methods", data=form, auth=PUBLIC))[3] == param


def test_unknown_payment_method_is_named(client: StripeClient) -> None:
    intent = client.v1.payment_intents.create({"amount": 1990, "currency": "usd"})
    with pytest.raises(stripe.InvalidRequestError) as caught:
        client.v1.payment_intents.confirm(intent.id, {"payment_method": "pm_none"})
    assert (caught.value.code, caught.value.param) == ("resource_missing", "payment_method")
