"""Every page is opened once: axe finds nothing serious, and nothing leaves a narrow screen, its card or its row."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.accounts.users_in_browser import enter, give_design, give_order
from tests.e2e.conftest import Visit
from tests.e2e.pages.page_checks import (
    HIDDEN_FOCUS,
    SMALL_FIELDS,
    TIGHT_SPACING,
    faults_when_narrow,
    problems_shown,
    resize,
)
from tests.support.stacks import Stack
from tests.support.users import Person, Users

# Pages of text alone, whose menu is a drawer on a phone: axe sees them there too.
STATIC = ("/", "/faq", "/accessibility", "/privacy-policy", "/terms-of-service", "/return-policy")
VISITOR = (
    *STATIC,
    "/auth",
    "/auth?redirect=%2Fdashboard",
    "/auth/reset-password",
    "/signup",
    "/discover",
    "/discover?sort=likes",
    "/creator/5eed0000-0000-4000-8000-000000000006",
    "/creator/nobody",
    "/mockup",
    "/track",
    "/nowhere",
)
SHOPPER = (
    "/dashboard",
    "/profile",
    "/discover",
    "/design",
    "/design/ai-generator",
    "/design/from-picture",
    "/design-templates",
    "/order",
    "/design/{design}",
    "/mockup?design={design}",
    "/adjust?design={design}",
    "/order?design={design}",
    "/order-details/{order}",
    "/order-success/{order}",
    "/order-details/{printed}",
    "/order-success/{printed}",
)
ADMIN = ("/admin", "/admin?tab=webhook", "/admin?tab=orders", "/admin?tab=designs")
# The JSON that an admin sends to try a webhook is in small letters.
ZOOMED = ("/admin?tab=webhook",)
LONG = (
    "Donaudampfschifffahrtsgesellschaftskapitänsmütze with a name that does not end, "
    + "An extraordinarilylongnamewithoutanyspaceinittobreakat " * 3
)


def faults(page: Page, paths: Iterable[str]) -> Iterator[tuple[str, Any, Any]]:
    """Yield each fault with its page, and the theme or the width in which it shows."""
    for path in paths:
        page.set_viewport_size({"width": 1440, "height": 1000})
        page.goto(path)
        page.wait_for_load_state("networkidle")
        for theme, violation in problems_shown(page):
            yield path, theme, violation
        # ends at 390 px, the width of what follows
        for width, fault in faults_when_narrow(page):
            yield path, width, fault
        for text in page.evaluate(TIGHT_SPACING):
            yield path, "no room for a reader's spacing", text
        for name in page.evaluate(HIDDEN_FOCUS):
            yield path, "hidden focus", name
        if path not in ZOOMED:
            for field in page.evaluate(SMALL_FIELDS):
                yield path, "small field", field
        if path in STATIC:
            for theme, violation in problems_shown(page):
                yield path, f"{theme}, 390", violation


@pytest.fixture
def shopper(visit: Visit, stack: Stack, users: Users) -> Person:
    """A signed-in user with designs and orders, and admin rights, who sees every page."""
    person = users.new("everywhere", admin=True)
    give_design(stack, person, "Not ready yet", ready=False)
    give_order(stack, person, "pending")
    give_order(stack, person, "shipped", printify_order_id=f"shipped-{person.id}")
    enter(visit.page, stack, person)
    return person


def test_visitor_pages_are_accessible_and_hold_what_is_in_them(visit: Visit) -> None:
    visit.expected.append("404 (Not Found)")
    assert list(faults(visit.page, VISITOR)) == []


def test_shopper_pages_are_accessible_and_hold_what_is_in_them(
    visit: Visit, stack: Stack, shopper: Person
) -> None:
    places = {
        "design": give_design(stack, shopper, LONG),
        "order": give_order(stack, shopper, "paid"),
        "printed": give_order(stack, shopper, "processing", printify_order_id=f"printed-{shopper.id}"),
    }
    assert list(faults(visit.page, (path.format(**places) for path in (*SHOPPER, *ADMIN)))) == []


def test_dialogs_are_accessible(visit: Visit, stack: Stack, shopper: Person) -> None:
    page = visit.page
    give_design(stack, shopper, "A fox on a bicycle")
    page.goto("/dashboard")
    violations: list[tuple[str, Any]] = []
    for name in ("Private: A fox on a bicycle", "Delete: A fox on a bicycle"):
        page.get_by_role("button", name=name).click()
        violations += problems_shown(page)
        page.keyboard.press("Escape")
    page.goto("/discover")
    page.get_by_role("button", name="A whale with a lighthouse", exact=True).first.click()
    page.get_by_role("dialog").wait_for()
    violations += problems_shown(page)
    assert violations == []


# The same place for every name and button of a page that a toast could lie on.
COVERED = """() => [...document.querySelectorAll('header :is(a, button), main :is(h1, a, button)')]
  .filter(each => each.checkVisibility({visibilityProperty: true}))
  .filter(each => {
    const {x, y, width, height} = each.getBoundingClientRect();
    return y > 0 && y < 200
      && document.elementFromPoint(x + width / 2, y + height / 2)?.closest('[data-sonner-toast]') !== null;
  })
  .map(each => each.innerText || each.getAttribute('aria-label'))"""


def test_toasts_cover_neither_name_nor_button_of_a_page(visit: Visit, stack: Stack, users: Users) -> None:
    page, person = visit.page, users.new("toasted")
    enter(page, stack, person)
    design = give_design(stack, person, "A toaster")
    page.add_init_script("navigator.clipboard.writeText = () => Promise.reject(new Error('denied'))")
    covered = []
    for path, share in (("/dashboard", "Copy link: A toaster"), (f"/mockup?design={design}", "Share")):
        page.goto(path)
        page.get_by_role("button", name=share).click()
        toast = page.locator("[data-sonner-toast]")
        expect(toast).to_have_attribute("data-mounted", "true")
        for width in (1440, 1024, 768):
            resize(page, width)
            expect(toast).to_be_visible()
            covered += [f"{path}, {width}: a toast lies on '{each}'" for each in page.evaluate(COVERED)]
    assert covered == []
