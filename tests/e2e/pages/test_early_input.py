"""Input before the script has loaded: taps are replayed, typed text stays, no form is submitted."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Browser, Page, Request, Route, expect

from tests.e2e.conftest import Visit
from tests.support.stacks import Stack

PHONE = pytest.mark.parametrize("visit", [{"width": 390, "height": 844}], indirect=True)


def hold(page: Page, address: str) -> Callable[[], None]:
    """Delays requests. Calling the result releases them, and lets later ones pass."""
    held: list[Route] = []
    free: list[bool] = []

    def handle(route: Route) -> None:
        if free:
            route.continue_()
        else:
            held.append(route)

    def release() -> None:
        free.append(True)
        for route in held:
            route.continue_()

    page.route(re.compile(address), handle)
    return release


def hold_programs(page: Page) -> Callable[[], None]:
    return hold(page, r"/assets/.*\.js")


@PHONE
@pytest.mark.parametrize("path", ["/", "/discover", "/auth"])
def test_menu_tap_before_the_script_loads_opens_the_menu(visit: Visit, path: str) -> None:
    page = visit.page
    release = hold_programs(page)
    page.goto(path, wait_until="commit")
    page.get_by_role("button", name="Open the menu").click()
    release()
    expect(page.get_by_role("dialog", name="Menu")).to_be_visible()


def test_button_held_down_while_the_script_renders_the_page_is_clicked(visit: Visit) -> None:
    page = visit.page
    release = hold_programs(page)
    page.goto("/auth", wait_until="commit")
    page.get_by_role("button", name="Continue with email").hover()
    page.mouse.down()
    release()
    page.wait_for_function("() => !window.teesmithEarly")
    page.mouse.up()
    expect(page.get_by_label("Password", exact=True)).to_be_visible()


def test_search_text_typed_before_the_script_loads_is_searched(visit: Visit) -> None:
    page = visit.page
    release = hold_programs(page)
    page.goto("/discover", wait_until="commit")
    page.get_by_label("Search designs").fill("nothing is called this")
    release()
    expect(page.get_by_text("No designs found matching your search.")).to_be_visible()
    expect(page.get_by_label("Search designs")).to_have_value("nothing is called this")
    expect(page.get_by_label("Search designs")).to_be_focused()


def test_help_search_uses_text_typed_before_the_script_loads(visit: Visit) -> None:
    page = visit.page
    release = hold_programs(page)
    page.goto("/faq", wait_until="commit")
    page.get_by_role("searchbox").fill("zzz is asked by no page")
    release()
    expect(page.get_by_role("searchbox")).to_have_value("zzz is asked by no page")
    expect(page.locator("details")).to_have_count(0)


def test_sign_up_form_is_never_submitted_by_the_browser(visit: Visit) -> None:
    page = visit.page
    sent: list[str] = []

    def note(request: Request) -> None:
        if request.is_navigation_request():
            sent.append(request.url)

    release = hold_programs(page)
    page.goto("/signup", wait_until="commit")
    page.on("request", note)
    page.get_by_label("Email").fill("not an address")
    page.get_by_label("Password").fill("a secret of mine")
    page.get_by_label("Password").press("Enter")
    release()
    # The replayed tap submits the typed text, and the form shows what is wrong.
    expect(page.get_by_text("This doesn't look like an email address.")).to_be_visible()
    assert sent == []
    assert "secret" not in page.url


def test_first_gallery_pictures_do_not_wait_for_the_script(visit: Visit) -> None:
    page = visit.page
    urls: list[str] = []
    page.on("request", lambda request: urls.append(request.url))
    release = hold_programs(page)
    page.goto("/discover", wait_until="commit")
    expect(page.locator("[data-placeholder] img")).to_have_count(4)
    release()
    expect(page.get_by_role("button", name=re.compile("^Like: "))).to_have_count(24)
    lists = [url for url in urls if "/rest/v1/public_designs" in url]
    assert len(lists) == 1, "the program takes the response that the page has asked for"
    first = page.locator("main li img").first
    expect(first).to_have_attribute("loading", "eager")
    assert first.get_attribute("src", timeout=1000).startswith("http")  # type: ignore[union-attr]


def test_password_is_never_in_the_address_without_scripts(browser: Browser, stack: Stack) -> None:
    context = browser.new_context(base_url=stack.site_url, java_script_enabled=False)
    page = context.new_page()
    page.goto("/signup")
    page.get_by_label("Email").fill("someone@example.com")
    page.get_by_label("Password").fill("a secret of mine")
    with page.expect_request(lambda request: request.is_navigation_request()) as sent:
        page.get_by_label("Password").press("Enter")
    assert (sent.value.method, "secret" in sent.value.url) == ("POST", False)
    context.close()


def test_typing_continues_while_the_script_renders_the_page(visit: Visit) -> None:
    page = visit.page
    release = hold_programs(page)
    page.goto("/signup", wait_until="commit")
    page.get_by_label("Email").focus()
    release()
    page.wait_for_function("() => !window.teesmithEarly")
    page.keyboard.type("someone@example.com")
    expect(page.get_by_label("Email")).to_have_value("someone@example.com")
