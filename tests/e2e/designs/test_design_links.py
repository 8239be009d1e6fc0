"""Designs by their address: private, another user's, missing, failing to load; and the frame during rendering."""

from __future__ import annotations

import re
from urllib.parse import quote

import pytest
from playwright.sync_api import Route, expect

from tests.e2e.accounts.users_in_browser import enter, give_design
from tests.e2e.conftest import Visit
from tests.e2e.steps import query
from tests.support.stacks import Stack
from tests.support.users import Users


def test_private_design_opens_on_the_mockup_page_by_its_link(
    visit: Visit, stack: Stack, users: Users
) -> None:
    page, owner = visit.page, users.new("private-owner")
    path = f"/mockup?design={give_design(stack, owner, 'A fox for one')}"
    page.goto(path)
    expect(page.get_by_role("heading", name="Preview Your Creation")).to_be_visible()
    expect(page.get_by_alt_text("A fox for one")).to_be_visible()
    expect(page.get_by_text("This is a private design shared via link")).to_be_visible()
    expect(page.get_by_role("link", name="Order Now")).to_be_hidden()
    expect(page.get_by_role("button", name="Use This Design")).to_be_visible()
    login = page.get_by_role("main").get_by_role("link", name="Log In")
    expect(login).to_have_attribute("href", f"/auth?redirect={quote(path, safe='')}")


def test_signed_out_owner_logs_in_and_returns_to_order(visit: Visit, stack: Stack, users: Users) -> None:
    page, owner = visit.page, users.new("returning-owner")
    path = f"/mockup?design={give_design(stack, owner, 'A fox of mine')}"
    page.goto(path)
    page.get_by_role("main").get_by_role("link", name="Log In").click()
    page.get_by_role("button", name="Continue with email").click()
    page.get_by_label("Email").fill(owner.email)
    page.get_by_label("Password").fill("a long enough password")
    page.get_by_role("button", name="Log in", exact=True).first.click()
    expect(page).to_have_url(stack.site_url + path)
    expect(page.get_by_role("link", name="Order Now")).to_be_visible()
    expect(page.get_by_role("button", name="Use This Design")).to_be_hidden()


@pytest.mark.parametrize("public", [True, False])
def test_design_of_another_user_is_imported_and_then_ordered(
    visit: Visit, stack: Stack, users: Users, public: bool
) -> None:
    page, owner, taker = visit.page, users.new("maker"), users.new("taker")
    design = give_design(stack, owner, "A fox to share")
    if public:
        query(
            stack,
            "insert into public_designs (design_id, user_id) values (%s, %s) returning id",
            design,
            owner.id,
        )
    enter(page, stack, taker)
    page.goto(f"/mockup?design={design}")
    page.get_by_role("button", name="Use This Design").click()
    expect(page.get_by_text("Design Imported!")).to_be_visible()
    expect(page).not_to_have_url(re.compile(design))
    copies = query(stack, "select id from designs where user_id = %s", taker.id)
    assert page.url == f"{stack.site_url}/mockup?design={copies[0]['id']}"


UNKNOWN = (
    ("/mockup", "No design ID provided"),
    ("/mockup?design=latest", "Design not found"),
    ("/order?design=latest", "Please select a design to place an order."),
    ("/order-details/latest", "Error: There is no such order in your account."),
    (
        "/order-details/00000000-0000-4000-8000-00000000dead",
        "Error: There is no such order in your account.",
    ),
    ("/order-success/latest", "Preview with sample data."),
)


def test_unknown_design_id_causes_no_failing_request(visit: Visit, stack: Stack, users: Users) -> None:
    page = visit.page
    enter(page, stack, users.new("lost"))
    failed: list[str] = []
    page.on(
        "response",
        lambda response: failed.append(f"{response.url} of {page.url}") if response.status >= 400 else None,
    )
    for path, sentence in UNKNOWN:
        page.goto(path)
        expect(page.get_by_role("main").get_by_text(sentence).last, path).to_be_visible()
        page.wait_for_load_state("networkidle")
    assert failed == []


@pytest.mark.parametrize("path", ["/order", "/mockup"])
def test_design_that_fails_to_load_is_not_called_missing_and_loads_again(
    visit: Visit, stack: Stack, users: Users, path: str
) -> None:
    page, person = visit.page, users.new("unlucky")
    visit.expected.append("Failed to load resource")
    design = give_design(stack, person, "A fox in a tunnel")
    enter(page, stack, person)
    failing = re.compile(r"/rest/v1/designs\?")

    def abort(route: Route) -> None:
        route.fulfill(status=500, content_type="application/json", body='{"message": "", "code": "XX000"}')

    page.route(failing, abort)
    page.goto(f"{path}?design={design}")
    expect(page.get_by_role("heading", name="This didn't load")).to_be_visible()
    expect(page.get_by_text("Something went wrong on our side. Please try again.")).to_be_visible()
    expect(page.get_by_text("Design Not Found")).to_be_hidden()
    page.unroute(failing)
    page.get_by_role("button", name="Try Again").click()
    expect(page.get_by_text("A fox in a tunnel").first).to_be_visible()


def test_sample_order_shows_the_shops_shirt_and_places_no_order(
    visit: Visit, stack: Stack, users: Users
) -> None:
    page = visit.page
    enter(page, stack, users.new("curious"))
    urls: list[str] = []
    page.on("request", lambda request: urls.append(request.url))
    page.goto("/order-success/00000000-0000-4000-8000-0000000abcde")
    picture = page.get_by_alt_text("A fox riding a bicycle under the moon on your t-shirt")
    expect(picture).to_have_js_property("naturalWidth", 800)
    expect(page.get_by_text("#0ABCDE")).to_be_visible()
    assert page.get_by_role("main").get_by_role("link").evaluate_all(
        "all => all.map(each => each.getAttribute('href'))"
    ) == ["/dashboard", "/design"]
    assert not [url for url in urls if "designs" in url or "/mockup/" in url]


def test_design_picture_is_shown_while_the_mockup_is_rendered(
    visit: Visit, stack: Stack, users: Users
) -> None:
    page, person = visit.page, users.new("patient")
    design = give_design(stack, person, "A fox in a frame")
    enter(page, stack, person)
    waiting: list[Route] = []
    page.route(re.compile(r"/102048/mockup\.jpg\?s=800"), lambda route: waiting.append(route))
    for path in (f"/mockup?design={design}", f"/order?design={design}"):
        page.goto(path)
        frame = page.locator("[aria-busy=true]", has=page.locator("img[alt^='A fox in a frame on a']"))
        own = frame.locator("[aria-hidden=true] img")
        expect(own).to_be_visible()
        assert (own.get_attribute("src") or "").startswith("data:image/png;base64,")
        before = frame.bounding_box()
        shirt = page.locator("img[alt^='A fox in a frame on a']").first
        assert shirt.evaluate("each => getComputedStyle(each).opacity") == "0"
        waiting.pop().continue_()
        expect(shirt).to_have_css("opacity", "1")
        # These tests emulate reduced motion: the picture is there at once.
        assert shirt.evaluate("each => getComputedStyle(each).transitionProperty") == "none"
        after = page.locator("div", has=shirt).last.bounding_box()
        assert before == after
        waiting.clear()
