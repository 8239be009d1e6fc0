"""Pictures that outlive their page: reloads and lost responses, on a phone up to the paid order."""

from __future__ import annotations

import re
from urllib.parse import parse_qs, urlsplit

import httpx
import pytest
from playwright.sync_api import Locator, Page, Route, ViewportSize, expect

from tests.e2e.accounts.users_in_browser import enter, make_products_at_once
from tests.e2e.conftest import Visit
from tests.e2e.steps import BEVERLY_HILLS, fill_address, fill_card, query, save_and_preview
from tests.shop.integration.functions.conftest import Functions
from tests.support.stacks import Stack
from tests.support.users import Users

PHONE = ViewportSize(width=390, height=844)
IDEA = "A fox riding a bicycle under the moon"
READY = "Your Design is Ready!"


def begin(page: Page) -> str:
    """Describes an idea in the open form and goes on to step 2; the job's id in the address."""
    page.get_by_role("button", name="Vintage").click()
    page.get_by_label("Your idea").fill(IDEA)
    page.get_by_role("button", name="Navy").click()
    assert fits(page)
    page.get_by_role("button", name="Next: Generate Image").click()
    expect(page).to_have_url(re.compile(r"\?job=[0-9a-f-]{36}$"))
    return parse_qs(urlsplit(page.url).query)["job"][0]


def tile(page: Page, number: int) -> Locator:
    """One of the pictures that are compared."""
    return page.get_by_role("button", name=f"Picture {number}", exact=True)


def fits(page: Page) -> bool:
    """Tell whether the page is no wider than the screen."""
    return bool(page.evaluate("document.documentElement.scrollWidth <= innerWidth"))


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


@pytest.mark.parametrize("visit", [PHONE], indirect=True, ids=["390px"])
@pytest.mark.usefixtures("quick_vendor_afterwards")
def test_shirt_is_ordered_on_a_phone_that_reloads_while_its_picture_is_made_and_on_the_result(
    visit: Visit, stack: Stack, users: Users
) -> None:
    page, person = visit.page, users.new("phone")
    enter(page, stack, person)
    page.goto("/discover")
    page.get_by_role("button", name="Open the menu").click()
    page.get_by_role("dialog", name="Menu").get_by_role("link", name="Dashboard").click()
    expect(page.get_by_role("dialog")).not_to_be_visible()
    page.get_by_role("link", name="Create New Design").click()
    page.get_by_role("link", name="Create Your Own").click()
    slow_vendor(stack, 5000)
    job = begin(page)
    expect(page.get_by_role("heading", name="Creating Your Design")).to_be_visible()
    Functions(stack).until("select 1 from public.design_jobs where id = %s and attempts = 1", job)
    page.reload()
    expect(page.get_by_role("heading", name="Creating Your Design")).to_be_visible()
    httpx.delete(f"{stack.emulators_url}/faults")
    expect(page.get_by_text(READY)).to_be_visible()

    page.reload()
    expect(page.get_by_text(READY)).to_be_visible()
    expect(page.get_by_text("Drawn for a Navy shirt.")).to_be_visible()
    assert jobs_of(stack, job) == [{"state": "done", "attempts": 1}]
    assert fits(page)
    make_products_at_once(page, stack, person)
    save_and_preview(page, "Save and Create Product")
    # the result is not offered again
    page.go_back()
    expect(page.get_by_label("Your idea")).to_be_visible()
    assert fits(page)
    page.go_forward()
    page.unroute_all()

    page.get_by_role("button", name="Female Model").click()
    assert fits(page)
    page.get_by_role("link", name="Order Now").click()
    page.get_by_role("button", name="Increase S quantity").click()
    fill_address(page, BEVERLY_HILLS)
    expect(page.get_by_label("City")).to_have_value("Beverly Hills")
    fill_card(page, "4242 4242 4242 4242")
    assert fits(page)
    page.get_by_role("button", name="Pay $19.90").click()
    expect(page.get_by_role("heading", name="✨ Amazing! Your unique design is printing!")).to_be_visible()
    assert fits(page)
    page.get_by_role("link", name="Back to Dashboard").click()
    expect(page.get_by_role("link", name=re.compile(IDEA))).to_be_visible()
    (order,) = query(stack, "select status, total from orders where user_id = %s", person.id)
    assert (order["status"], str(order["total"])) == ("paid", "19.90")


def test_response_that_a_gateway_loses_is_no_failure_and_start_over_leaves_what_was_drawn(
    visit: Visit, stack: Stack, users: Users
) -> None:
    page = visit.page
    visit.expected += ["504"]
    enter(page, stack, users.new("unlucky"))
    page.goto("/design/ai-generator")

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

    page.unroute_all()
    page.get_by_role("button", name="Another like this").click()
    expect(tile(page, 2)).to_be_visible()
    page.get_by_role("button", name="Start Over").click()
    expect(page).to_have_url(re.compile(r"/design/ai-generator$"))
    begin(page)
    expect(page.get_by_text(READY)).to_be_visible()
    # nothing is compared with the idea before
    expect(tile(page, 1)).to_have_count(0)
    page.get_by_role("button", name="Start Over").click()
    expect(page).to_have_url(re.compile(r"/design/ai-generator$"))
    page.reload()
    expect(page.get_by_label("Your idea")).to_have_value(IDEA)
