"""`python -m deploy webhooks`: both vendors send the shop's events, signed with secrets that only files hold."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from deploy.environment import read_environ
from tests.shop.integration.deploy.owner import Owner
from tests.shop.integration.deploy.vendor import Vendor
from tests.support.stacks import Stack

Row = dict[str, Any]
TOPICS = [
    "order:created", "order:updated", "order:sent-to-production", "order:shipment:created", "order:shipment:delivered",
]  # fmt: skip
EVENTS = {
    "payment_intent.succeeded", "payment_intent.payment_failed", "payment_intent.canceled", "charge.refunded",
    "refund.created", "refund.updated", "refund.failed", "charge.dispute.created", "charge.dispute.updated",
    "charge.dispute.closed", "charge.dispute.funds_withdrawn", "charge.dispute.funds_reinstated",
}  # fmt: skip


class Vendors:
    """The emulators' webhooks."""

    def __init__(self, stack: Stack) -> None:
        self._stripe = httpx.Client(
            base_url=f"{stack.emulators_url}/stripe/v1", auth=("sk_test_emulator", "")
        )
        self._printify = httpx.Client(
            base_url=f"{stack.emulators_url}/printify/v1/shops/1",
            headers={"authorization": "Bearer printify_emulator_token", "user-agent": "tests"},
        )

    def stripe(self, method: str = "GET", path: str = "", **sent: Any) -> Any:
        response = self._stripe.request(method, f"/webhook_endpoints{path}", **sent)
        assert response.status_code == 200, response.text
        return response.json()

    def printify(self, method: str = "GET", path: str = ".json", **sent: Any) -> Any:
        response = self._printify.request(method, f"/webhooks{path}", **sent)
        assert response.status_code == 200, response.text
        return response.json()

    def endpoints(self) -> list[Row]:
        return [{k: e[k] for k in ("url", "enabled_events", "status")} for e in self.stripe()["data"]]

    def clear(self) -> None:
        for endpoint in self.stripe()["data"]:
            self.stripe("DELETE", f"/{endpoint['id']}")
        for hook in self.printify():
            self.printify("DELETE", f"/{hook['id']}.json", params={"host": httpx.URL(hook["url"]).host})


@pytest.fixture
def vendors(stack: Stack, owner: Owner, tmp_path: Path) -> Iterator[Vendors]:
    """Without the shop's webhooks; with them again after the test, under the secrets that the functions know."""
    vendors = Vendors(stack)
    vendors.clear()
    yield vendors
    vendors.clear()
    assert owner.run("webhooks", "--env-file", str(tmp_path / "after")).code == 0


def test_webhooks_are_registered_once(owner: Owner, stack: Stack, vendors: Vendors, tmp_path: Path) -> None:
    file = tmp_path / ".env"
    first = owner.run("webhooks", "--env-file", str(file))
    functions = f"{stack.api_url}/functions/v1"
    assert (first.code, first.err) == (0, "")
    assert first.out.splitlines() == [
        f"stripe: registered {functions}/stripe-webhook for 12 events",
        f"  its signing secret is in {file} as STRIPE_WEBHOOK_SECRET; give it to the functions: deploy them again",
        f"printify: registered {functions}/printify-webhook for 5 topics",
    ]
    (endpoint,) = vendors.endpoints()
    assert (endpoint["url"], endpoint["status"]) == (f"{functions}/stripe-webhook", "enabled")
    assert set(endpoint["enabled_events"]) == EVENTS
    assert sorted((hook["topic"], hook["url"]) for hook in vendors.printify()) == sorted(
        (topic, f"{functions}/printify-webhook") for topic in TOPICS
    )
    assert read_environ({}, file) == {"STRIPE_WEBHOOK_SECRET": "whsec_emulator"}
    assert "whsec" not in first.out
    before = vendors.stripe(), vendors.printify(), file.stat()

    second = owner.run("webhooks", "--env-file", str(file))
    assert (second.code, second.err) == (0, "")
    assert second.out.splitlines() == [
        f"stripe: {functions}/stripe-webhook is registered, nothing to change",
        f"printify: {functions}/printify-webhook is registered for 5 topics, nothing to change",
    ]
    assert (vendors.stripe(), vendors.printify(), file.stat()) == before


def test_stripe_webhook_with_other_events_or_disabled_is_put_right(
    owner: Owner, stack: Stack, vendors: Vendors, tmp_path: Path
) -> None:
    arguments = ("webhooks", "--only", "stripe", "--env-file", str(tmp_path / ".env"))
    owner.run(*arguments)
    (endpoint,) = vendors.stripe()["data"]
    for fault in ({"enabled_events[]": ["charge.refunded"]}, {"disabled": "true"}):
        vendors.stripe("POST", f"/{endpoint['id']}", data=fault)
        response = owner.run(*arguments)
        assert response.out == f"stripe: {endpoint['url']} now gets 12 events\n"
        (mended,) = vendors.endpoints()
        assert (set(mended["enabled_events"]), mended["status"]) == (EVENTS, "enabled")


def test_stripe_webhook_with_a_lost_secret_is_renewed(
    owner: Owner, stack: Stack, vendors: Vendors, tmp_path: Path
) -> None:
    file = tmp_path / ".env"
    arguments = ("webhooks", "--only", "stripe", "--env-file", str(file))
    owner.run(*arguments)
    (lost,) = vendors.stripe()["data"]
    file.unlink()
    response = owner.run(
        *arguments, environ={"STRIPE_WEBHOOK_SECRET": "", "STRIPE_SECRET_KEY": "sk_test_emulator"}
    )
    assert response.code == 1
    assert response.err == (
        f"error: Stripe showed the signing secret of {lost['url']} once, and STRIPE_WEBHOOK_SECRET is not set: "
        "run `python -m deploy webhooks --only stripe --renew`.\n"
    )
    assert owner.run(*arguments, "--renew").code == 0
    (renewed,) = vendors.stripe()["data"]
    assert renewed["id"] != lost["id"]
    assert read_environ({}, file) == {"STRIPE_WEBHOOK_SECRET": "whsec_emulator"}


def test_printify_webhooks_get_a_secret_that_the_command_made(
    owner: Owner, vendors: Vendors, vendor: Vendor, tmp_path: Path
) -> None:
    file = tmp_path / ".env"
    vendor.responses = {"GET /v1/shops/1/webhooks.json": [], "POST /v1/shops/1/webhooks.json": {"id": "1"}}
    environ = {"PRINTIFY_API_BASE": vendor.url, "PRINTIFY_WEBHOOK_SECRET": ""}
    response = owner.run("webhooks", "--only", "printify", "--env-file", str(file), environ=environ)
    assert (response.code, response.err) == (0, "")
    secret = read_environ({}, file)["PRINTIFY_WEBHOOK_SECRET"]
    assert len(secret) == 64
    assert secret not in response.out
    sent = [body for method, _, body in vendor.requests if method == "POST"]
    assert [(body["topic"], body["secret"]) for body in sent] == [(topic, secret) for topic in TOPICS]


def test_printify_webhooks_move_with_the_functions(owner: Owner, vendors: Vendors, tmp_path: Path) -> None:
    arguments = ("webhooks", "--only", "printify", "--env-file", str(tmp_path / ".env"))
    owner.run(*arguments)
    moved = owner.run(*arguments, environ={"FUNCTIONS_URL": "https://functions.example"})
    assert moved.out == "printify: registered https://functions.example/printify-webhook for 5 topics\n"
    assert {hook["url"] for hook in vendors.printify()} == {"https://functions.example/printify-webhook"}


def test_printify_topic_of_another_receiver_is_taken_over_only_on_demand(
    owner: Owner, vendors: Vendors, tmp_path: Path
) -> None:
    arguments = ("webhooks", "--only", "printify", "--env-file", str(tmp_path / ".env"))
    vendors.printify("POST", json={"topic": "order:updated", "url": "https://books.example/hook"})
    refused = owner.run(*arguments)
    assert (refused.code, refused.out) == (1, "")
    assert refused.err == (
        "error: Printify sends these to another address: order:updated (https://books.example/hook). "
        "Take them over with --replace.\n"
    )
    assert [hook["url"] for hook in vendors.printify()] == ["https://books.example/hook"]
    assert owner.run(*arguments, "--replace").code == 0
    assert len(vendors.printify()) == 5
    assert "books" not in str(vendors.printify())


def test_secrets_are_renewed_in_two_steps_without_a_gap(
    owner: Owner, stack: Stack, vendors: Vendors, vendor: Vendor, tmp_path: Path
) -> None:
    address = f"{stack.api_url}/functions/v1"
    webhooks = [{"id": topic, "topic": topic, "url": f"{address}/printify-webhook"} for topic in TOPICS]
    vendor.responses = {
        "POST /v1/webhook_endpoints": {"id": "we_2", "secret": "whsec_fresh"},
        "GET /v1/webhook_endpoints": {
            "data": [{"id": id, "url": f"{address}/stripe-webhook"} for id in ("we_2", "we_1")]
        },
        "DELETE /v1/webhook_endpoints/we_1": {"id": "we_1"},
        "GET /v1/shops/1/webhooks.json": webhooks,
        "POST /v1/shops/1/webhooks.json": {"id": "1"},
        **{f"DELETE /v1/shops/1/webhooks/{topic}.json": {} for topic in TOPICS},
    }
    file = tmp_path / ".env"
    present = {"STRIPE_WEBHOOK_SECRET": "whsec_present", "PRINTIFY_WEBHOOK_SECRET": "pfysec_present"}
    bases = {"STRIPE_API_BASE": vendor.url, "PRINTIFY_API_BASE": vendor.url}
    begun = owner.run(
        "webhooks", "--renew", "--overlap", "--env-file", str(file), environ={**present, **bases}
    )
    assert (begun.code, begun.err) == (0, "")
    written = read_environ({}, file)
    assert {name: written[f"{name}_PREVIOUS"] for name in present} == present
    assert written["STRIPE_WEBHOOK_SECRET"] == "whsec_fresh"
    assert len(written["PRINTIFY_WEBHOOK_SECRET"]) == 64
    assert [(method, path) for method, path, _ in vendor.requests] == [("POST", "/v1/webhook_endpoints")]
    assert [secret for secret in written.values() if secret in begun.out] == []

    again = owner.run(
        "webhooks", "--renew", "--overlap", "--env-file", str(file), environ={**written, **bases}
    )
    assert again.code == 1
    assert again.err.startswith("error: A renewal is under way: deploy the functions")
    vendor.requests.clear()
    for previous in ({}, {f"{name}_PREVIOUS": value for name, value in present.items()}):
        # not begun, and stopped midway: the secret of before is the only one that is known
        early = owner.run(
            "webhooks", "--finish", "--env-file", str(file), environ={**present, **previous, **bases}
        )
        assert (early.code, early.out) == (1, "")
        assert early.err.startswith(f"error: There is nothing to finish: {file} has no secret of before")
    assert vendor.requests == []
    finished = owner.run("webhooks", "--finish", "--env-file", str(file), environ={**written, **bases})
    assert (finished.code, finished.err) == (0, "")
    assert read_environ({}, file) == {name: written[name] for name in present}
    assert next(path for method, path, _ in vendor.requests if method == "DELETE").endswith("/we_1")
    sent = [
        body for method, path, body in vendor.requests if (method, path[-14:]) == ("POST", "/webhooks.json")
    ]
    assert [(body["topic"], body["secret"]) for body in sent] == [
        (topic, written["PRINTIFY_WEBHOOK_SECRET"]) for topic in TOPICS
    ]
