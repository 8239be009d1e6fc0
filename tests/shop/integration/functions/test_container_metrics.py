"""The container's /metrics of requests, vendor calls and jobs, for those who have the token; and the alerts."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

import pytest
import yaml  # type: ignore[import-untyped, unused-ignore]
from prometheus_client import Metric
from prometheus_client.parser import text_string_to_metric_families

from tests.shop.integration.functions.conftest import Functions, Shopper, address_of
from tests.shop.integration.functions.test_container import failure, signed_in
from tests.support.functions.container import Container, RunningContainer
from tests.support.functions.environ import function_environ
from tests.support.stacks import ROOT, Stack

TOKEN = "a token for metrics"
RULES = ROOT / "deploy" / "alerts" / "teesmith.yml"
_METRIC = re.compile(r"\bteesmith_\w+")
_SELECTOR = re.compile(r"(teesmith_\w+)\{([^}]*)\}")
_LABEL = re.compile(r"(\w+)(?:=~|!~|!=|=)\"")


@pytest.fixture(scope="module")
def scraped(container: Container, stack: Stack) -> Iterator[RunningContainer]:
    """With two processes, so that a scrape has to add up what both have counted."""
    environ = {**function_environ(stack), "METRICS_TOKEN": TOKEN, "WORKERS": "2"}
    with container.running(environ) as running:
        yield running


def scrape(scraped: RunningContainer) -> dict[str, Metric]:
    response = scraped.http.get("/metrics", headers={"authorization": f"Bearer {TOKEN}"})
    assert (response.status_code, response.headers["content-type"].partition(";")[0]) == (200, "text/plain")
    return {family.name: family for family in text_string_to_metric_families(response.text)}


def value(families: dict[str, Metric], sample: str, **labels: str) -> float:
    """The one sample of this name and these labels; 0 where there is none."""
    values = [
        each.value
        for family in families.values()
        for each in family.samples
        if each.name == sample and each.labels == labels
    ]
    assert len(values) <= 1
    return values[0] if values else 0.0


@pytest.mark.parametrize("authorization", ["", "Bearer", "Bearer wrong", "Basic x", f"Bearer {TOKEN}x"])
def test_metrics_without_the_token_are_not_found(scraped: RunningContainer, authorization: str) -> None:
    response = scraped.http.get("/metrics", headers={"authorization": authorization} if authorization else {})
    assert failure(response) == (404, "function_not_found")


def test_requests_and_vendor_calls_are_counted_over_all_processes(
    scraped: RunningContainer, shopper: Shopper, request: pytest.FixtureRequest
) -> None:
    before = scrape(scraped)
    for _ in range(8):
        assert scraped.http.post("/lookup-zip-code", json={"zipCode": "10001"}).status_code == 200
    assert scraped.http.post("/lookup-zip-code", json={"zipCode": "x"}).status_code == 400
    # A cart of its own: the same one again would find the order that another test has placed.
    cart = shopper.cart(shipping_address=address_of(shopper, request))
    placed = scraped.http.post("/create-payment-intent", json=cart, headers=signed_in(shopper.token))
    assert placed.status_code == 200
    after = scrape(scraped)

    def grown(sample: str, **labels: str) -> float:
        return value(after, sample, **labels) - value(before, sample, **labels)

    look_up = {"function": "lookup-zip-code"}
    assert grown("teesmith_function_requests_total", **look_up, status="200") == 8
    assert grown("teesmith_function_requests_total", **look_up, status="400") == 1
    assert grown("teesmith_function_seconds_count", **look_up) == 9
    assert value(after, "teesmith_functions_in_flight", **look_up) == 0
    zip_calls = {"vendor": "zippopotam", "call": "look_up"}
    assert grown("teesmith_vendor_calls_total", **zip_calls, outcome="ok") == 8
    assert grown("teesmith_vendor_call_seconds_count", **zip_calls) == 8
    for vendor, call in (
        ("stripe", "create_payment_intent"),
        ("database", "place_order"),
        ("auth", "get_user"),
    ):
        assert grown("teesmith_vendor_calls_total", vendor=vendor, call=call, outcome="ok") == 1, call


def test_jobs_figures_come_from_the_database(scraped: RunningContainer, functions: Functions) -> None:
    functions.sweep()
    families = scrape(scraped)
    assert value(families, "teesmith_job_figures_up") == 1
    assert 0 <= value(families, "teesmith_last_sweep_age_seconds") < 60
    kinds = {(each.labels["queue"], each.labels["kind"]) for each in families["teesmith_jobs_due"].samples}
    assert {("order_jobs", "print"), ("messages", "mail"), ("object_tasks", "remove")} <= kinds
    (figures,) = functions.sql("select public.get_job_figures() as figures")
    gave_up = {(each["queue"], each["kind"]): each["gave_up"] for each in figures["figures"]["queues"]}
    for each in families["teesmith_jobs_gave_up"].samples:
        assert each.value == gave_up[each.labels["queue"], each.labels["kind"]]


def test_metrics_without_a_database_say_so(container: Container, stack: Stack) -> None:
    environ = {**function_environ(stack), "METRICS_TOKEN": TOKEN, "SUPABASE_URL": "http://127.0.0.1:9"}
    with container.running(environ) as running:
        families = scrape(running)
    assert value(families, "teesmith_job_figures_up") == 0
    assert "teesmith_jobs_due" not in families
    assert "teesmith_function_requests" in families


def test_servers_own_lines_are_json_like_the_functions(container: Container, stack: Stack) -> None:
    with container.running(function_environ(stack)) as running:
        headers = {"x-request-id": "of-the-container"}
        assert (
            running.http.post("/lookup-zip-code", json={"zipCode": "10001"}, headers=headers).status_code
            == 200
        )
        assert failure(running.http.get("/metrics")) == (404, "function_not_found")
        running.process.terminate()
        assert running.process.stdout
        lines = [json.loads(line) for line in running.process.stdout.read().decode().splitlines()]
    assert all({"time", "severity", "service", "message"} <= set(line) for line in lines)
    assert any(line["message"].startswith("Listening at") for line in lines)
    assert [line["message"] for line in lines if line.get("request_id") == "of-the-container"] == [
        "zippopotam look_up",
        "lookup-zip-code",
    ]


def alerts() -> list[dict[str, Any]]:
    groups = yaml.safe_load(RULES.read_text())["groups"]
    return [rule for group in groups for rule in group["rules"]]


@pytest.mark.parametrize("alert", alerts(), ids=lambda alert: alert["alert"])
def test_alert_has_a_summary_a_severity_and_a_run_book(alert: dict[str, Any]) -> None:
    assert set(alert) <= {"alert", "expr", "for", "labels", "annotations"}
    assert alert["labels"]["severity"] in ("page", "ticket")
    assert re.fullmatch(r"[A-Z{].+[.?]", alert["annotations"]["summary"])
    assert (ROOT / alert["annotations"]["runbook_url"]).is_file()


def test_every_alert_is_listed_for_the_owner() -> None:
    listed = re.findall(r"(?m)^\| `(Teesmith\w+)` \|", (ROOT / "docs" / "operations.md").read_text())
    assert listed == [alert["alert"] for alert in alerts()]


def test_alerts_name_metrics_and_labels_of_the_container(scraped: RunningContainer) -> None:
    scraped.http.post("/lookup-zip-code", json={"zipCode": "10001"})
    samples = [sample for family in scrape(scraped).values() for sample in family.samples]
    exposed = {sample.name for sample in samples}
    # a sample of the labels appears with the first flag alone
    labels = {sample.name: set(sample.labels) for sample in samples} | {"teesmith_flags_open": {"reason"}}
    for alert in alerts():
        named = set(_METRIC.findall(alert["expr"]))
        assert named <= exposed | {"teesmith_flags_open"}, alert["alert"]
        for metric, selector in _SELECTOR.findall(alert["expr"]):
            assert set(_LABEL.findall(selector)) <= labels[metric], alert["alert"]
        for by in re.findall(r"by \(([\w, ]+)\)", alert["expr"]):
            assert any(set(by.split(", ")) <= labels[name] for name in named), alert["alert"]
