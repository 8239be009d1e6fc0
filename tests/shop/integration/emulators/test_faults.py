"""Faults of the vendors: they follow the plan, are repeatable, survive a kill, and end on request."""

from __future__ import annotations

import json
import os
import signal
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any
from uuid import uuid4

import httpx
import pytest
import stripe
from stripe import StripeClient

from tests.shop.integration.emulators.conftest import Listener, Served, free_port

SECRET = ("sk_test_emulator", "")
PRINTIFY = {"Authorization": "Bearer printify_emulator_token", "User-Agent": "tests"}


@pytest.fixture(scope="module")
def faulty_emulators(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """Separate emulators: those of other tests must not fail."""
    own = Served(tmp_path_factory.mktemp("faults"), free_port(), "1000")
    own.start()
    yield own
    own.stop()


@pytest.fixture
def served(faulty_emulators: Served) -> Iterator[Served]:
    """The same without faults, before and after each test."""
    yield faulty_emulators
    httpx.delete(f"{faulty_emulators.url}/faults")


@pytest.fixture
def key() -> str:
    """An idempotency key of one's own."""
    return uuid4().hex


def plan(served: Served, **what: Any) -> None:
    assert httpx.put(f"{served.url}/faults", json=what).status_code == 200


def create(served: Served, key: str) -> httpx.Response:
    return httpx.post(
        f"{served.url}/stripe/v1/payment_intents",
        data={"amount": "1990", "currency": "usd"},
        auth=SECRET,
        headers={"idempotency-key": key},
    )


def intents(served: Served) -> set[str]:
    page = httpx.get(f"{served.url}/stripe/v1/payment_intents", params={"limit": 100}, auth=SECRET).json()
    return {intent["id"] for intent in page["data"]}


def test_faults_are_off_by_default(served: Served, key: str) -> None:
    assert httpx.get(f"{served.url}/faults").json() == {"plan": None, "done": {}}
    assert [create(served, f"{key}{number}").status_code for number in range(20)] == [200] * 20


def test_injected_error_precedes_the_work(served: Served, key: str) -> None:
    before = intents(served)
    plan(served, requests={"error": 1})
    assert create(served, key).status_code == 503
    assert httpx.get(f"{served.url}/printify/v1/shops.json", headers=PRINTIFY).status_code == 503
    done = httpx.delete(f"{served.url}/faults").json()["done"]
    assert done == {"error": 2}
    assert intents(served) == before


def test_dropped_response_follows_the_work_and_the_idempotency_key_repeats_it(
    served: Served, key: str
) -> None:
    before = intents(served)
    plan(served, requests={"drop": 1})
    with pytest.raises(httpx.RemoteProtocolError):
        create(served, key)
    httpx.delete(f"{served.url}/faults")
    (made,) = intents(served) - before
    again = create(served, key)
    assert (again.json()["id"], again.headers["idempotent-replayed"]) == (made, "true")
    assert len(intents(served) - before) == 1


def test_official_sdk_raises_a_connection_error_for_a_dropped_response(served: Served) -> None:
    client = StripeClient(
        "sk_test_emulator", base_addresses={"api": f"{served.url}/stripe"}, max_network_retries=0
    )
    plan(served, requests={"drop": 1})
    with pytest.raises(stripe.APIConnectionError):
        client.v1.payment_intents.create({"amount": 1990, "currency": "usd"})


def test_latency_changes_nothing_but_the_time(served: Served, key: str) -> None:
    plan(served, requests={"latency": 1, "latency_ms": 200})
    began = time.monotonic()
    assert create(served, key).status_code == 200
    assert time.monotonic() - began >= 0.03


def test_same_seed_gives_the_same_faults(served: Served) -> None:
    def statuses(seed: int) -> list[int]:
        plan(served, seed=seed, requests={"error": 0.5})
        responses = [httpx.get(f"{served.url}/stripe/v1/events", auth=SECRET) for _ in range(24)]
        return [response.status_code for response in responses]

    assert statuses(1) == statuses(1) != statuses(2)


def test_faults_affect_only_the_named_vendors_and_no_pages(served: Served, key: str) -> None:
    plan(served, vendors=["printify"], requests={"error": 1})
    assert create(served, key).status_code == 200
    plan(served, vendors=["stripe"], requests={"error": 1})
    assert httpx.get(f"{served.url}/stripe/js/v3").status_code == 200
    assert httpx.get(f"{served.url}/health").status_code == 200


@pytest.mark.parametrize(
    "wrong", [{"requests": {"error": 2}}, {"webhooks": {"explode": 1}}, {"x": 1}, [], "x"]
)
def test_invalid_fault_plan_is_rejected(served: Served, wrong: Any) -> None:
    response = httpx.put(f"{served.url}/faults", json=wrong)
    assert (response.status_code, list(response.json())) == (400, ["error"])
    assert httpx.get(f"{served.url}/faults").json()["plan"] is None


def test_killed_emulator_restores_its_plan_and_responses(served: Served, key: str) -> None:
    plan(served, seed=3, webhooks={"duplicate": 1})
    made = create(served, key).json()
    process = served._process
    assert process is not None
    os.kill(process.pid, signal.SIGKILL)
    process.wait(10)
    served.start()
    assert httpx.get(f"{served.url}/faults").json()["plan"]["seed"] == 3
    assert create(served, key).json() == made


def pay(served: Served) -> str:
    response = httpx.post(
        f"{served.url}/stripe/v1/payment_intents",
        data={"amount": "1990", "currency": "usd", "payment_method": "pm_card_visa", "confirm": "true"},
        auth=SECRET,
    )
    return str(response.json()["id"])


def subscribe(served: Served, url: str) -> None:
    httpx.post(
        f"{served.url}/stripe/v1/webhook_endpoints",
        data={"url": url, "enabled_events[]": "payment_intent.succeeded"},
        auth=SECRET,
    )


def test_duplicated_webhook_repeats_the_same_event(served: Served, listener: Listener) -> None:
    subscribe(served, listener.url)
    plan(served, webhooks={"duplicate": 1})
    pay(served)
    with listener.arrived:
        assert listener.arrived.wait_for(lambda: len(listener.received) == 2, 10)
    assert len({json.loads(body)["id"] for _, body in listener.received}) == 1


def test_reordered_webhooks_overtake_each_other(served: Served, listener: Listener) -> None:
    subscribe(served, listener.url)
    plan(served, seed=5, webhooks={"reorder": 0.5, "reorder_ms": 800})
    paid = [pay(served) for _ in range(12)]
    with listener.arrived:
        assert listener.arrived.wait_for(lambda: len(listener.received) == 12, 15)
    arrived = [json.loads(body)["data"]["object"]["id"] for _, body in listener.received]
    assert sorted(arrived) == sorted(paid)
    assert arrived != paid


def test_slow_receiver_does_not_delay_the_others(served: Served, listener: Listener) -> None:
    # the first receiver is down: its deliveries are retried later, those of the second arrive at once
    subscribe(served, f"http://127.0.0.1:{free_port()}/")
    subscribe(served, listener.url)
    began = time.monotonic()
    intent = pay(served)
    listener.wait_for(lambda _, body: intent.encode() in body, 5)
    assert time.monotonic() - began < 2


def test_late_response_comes_after_the_work_and_only_where_the_plan_says(served: Served, key: str) -> None:
    plan(
        served,
        requests={"late": 1, "late_ms": 2500},
        only="POST /v1/payment_intents",
    )
    begun = time.monotonic()
    before = intents(served)
    # a GET is not meant
    assert time.monotonic() - begun < 0.5
    with ThreadPoolExecutor(1) as threads:
        response = threads.submit(create, served, key)
        while not (made := intents(served) - before):
            assert not response.done()
            time.sleep(0.01)
        assert not response.done()
        assert {response.result().json()["id"]} == made
    assert time.monotonic() - begun > 0.4


def test_plan_for_certain_requests_is_a_text(served: Served) -> None:
    refused = httpx.put(f"{served.url}/faults", json={"only": 7})
    assert (refused.status_code, refused.json()) == (
        400,
        {"error": "not a plan: only is the beginning of a method and a path"},
    )


@pytest.mark.parametrize(
    ("method", "path"), [("PUT", "/faults"), ("DELETE", "/faults"), ("GET", "/state"), ("GET", "/metrics")]
)
def test_controls_answer_no_other_site(served: Served, method: str, path: str) -> None:
    for headers in ({"origin": "https://evil.example"}, {"origin": "null"}):
        assert httpx.request(method, served.url + path, headers=headers, json={}).status_code == 403
    assert (
        httpx.request(method, served.url + path, headers={"host": "evil.example"}, json={}).status_code == 400
    )
    assert httpx.get(f"{served.url}/faults", headers={"origin": served.url}).status_code == 200


def test_vendors_answer_the_shops_pages_but_no_other_name(served: Served) -> None:
    for path in ("/stripe/js/v3/", "/google/.well-known/openid-configuration", "/zippopotam/us/10001"):
        page = {"origin": "http://127.0.0.1:54321"}
        assert httpx.get(served.url + path, headers=page).status_code == 200
        assert httpx.get(served.url + path, headers={"host": "shop.localhost"}).status_code == 200
        assert httpx.get(served.url + path, headers={"host": "evil.example"}).status_code == 400
