"""Pictures and print products that outlive their page: reloads, lost responses, a killed process."""

from __future__ import annotations

import re
from urllib.parse import parse_qs, urlsplit

import httpx
import pytest
from playwright.sync_api import Page, Route, ViewportSize, expect

from tests.e2e.conftest import Visit
from tests.e2e.steps import expect_ready, query, sign_up
from tests.support.stacks import Stack

PHONE = ViewportSize(width=390, height=844)
DESK = ViewportSize(width=1440, height=1000)
READY = "Your Design is Ready!"


def begin(page: Page) -> str:
    """Describes an idea and goes on to step 2; the job's id in the address."""
    page.goto("/design/ai-generator")
    page.get_by_role("button", name="Vintage").click()
    page.get_by_label("Your idea").fill("A fox riding a bicycle under the moon")
    page.get_by_role("button", name="Navy").click()
    page.get_by_role("button", name="Next: Generate Image").click()
    expect(page).to_have_url(re.compile(r"\?job=[0-9a-f-]{36}$"))
    return parse_qs(urlsplit(page.url).query)["job"][0]


def slow_vendor(stack: Stack, milliseconds: int) -> None:
    """Pictures whose state the vendor tells late."""
    plan = {
        "vendors": ["replicate"],
        "requests": {"late": 1, "late_ms": milliseconds},
        "only": "GET /v1/predictions/",
    }
    assert httpx.put(f"{stack.emulators_url}/faults", json=plan).status_code == 200


@pytest.fixture
def quick_vendor_afterwards(stack: Stack) -> object:
    yield
    httpx.delete(f"{stack.emulators_url}/faults")


def jobs_of(stack: Stack, job: str) -> list[dict[str, object]]:
    return query(
        stack,
        "select state, attempts from public.design_jobs "
        "where user_id = (select user_id from public.design_jobs where id = %s)",
        job,
    )


@pytest.mark.parametrize("visit", [DESK, PHONE], indirect=True, ids=["desk", "phone"])
@pytest.mark.usefixtures("quick_vendor_afterwards")
def test_reload_while_a_picture_is_made_and_on_the_result_loses_nothing(visit: Visit, stack: Stack) -> None:
    page = visit.page
    sign_up(page, stack)
    slow_vendor(stack, 5000)
    job = begin(page)
    expect(page.get_by_role("heading", name="Creating Your Design")).to_be_visible()
    page.wait_for_timeout(700)  # the call has arrived
    page.reload()
    expect(page.get_by_role("heading", name="Creating Your Design")).to_be_visible()
    httpx.delete(f"{stack.emulators_url}/faults")
    expect(page.get_by_text(READY)).to_be_visible()

    page.reload()
    expect(page.get_by_text(READY)).to_be_visible()
    expect(page.get_by_text("Drawn for a Navy shirt.")).to_be_visible()
    assert jobs_of(stack, job) == [{"state": "done", "attempts": 1}]
    page.get_by_role("button", name="Save and Create Product").click()
    expect(page.get_by_role("heading", name="Preview Your Creation")).to_be_visible()
    expect_ready(page)
    # the result is not offered again
    page.go_back()
    expect(page.get_by_label("Your idea")).to_be_visible()


def test_response_that_a_gateway_loses_is_no_failure_and_start_over_leaves_the_job(
    visit: Visit, stack: Stack
) -> None:
    page = visit.page
    visit.expected += ["504"]
    sign_up(page, stack)

    def lose(route: Route) -> None:
        if route.request.method == "POST":
            route.fetch()
            route.fulfill(status=504, body="", headers={"access-control-allow-origin": "*"})
        else:
            route.continue_()

    page.route("**/functions/v1/generate-design-image", lose)
    job = begin(page)
    expect(page.get_by_text(READY)).to_be_visible()
    assert jobs_of(stack, job) == [{"state": "done", "attempts": 1}]

    page.get_by_role("button", name="Start Over").click()
    expect(page).to_have_url(re.compile(r"/design/ai-generator$"))
    page.reload()
    expect(page.get_by_label("Your idea")).to_have_value("A fox riding a bicycle under the moon")
