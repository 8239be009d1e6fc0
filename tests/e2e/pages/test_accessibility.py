"""axe finds nothing serious on any route, in the light and in the dark."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import pytest
from playwright.sync_api import Page

from tests.e2e.accounts.users_in_browser import enter, give_design, give_order
from tests.e2e.conftest import Visit
from tests.support.stacks import ROOT, Stack
from tests.support.users import Person, Users

AXE = ROOT / "node_modules" / "axe-core" / "axe.min.js"
RUN = """async () => (await axe.run(document, {resultTypes: ['violations']})).violations
  .filter(violation => ['serious', 'critical'].includes(violation.impact))
  .map(({id, help, nodes}) => ({id, help, where: nodes.map(node => node.target.join(' ')).slice(0, 5)}))"""
# Colours move for a moment: axe must not read them on their way.
PAINT = """async theme => {
  document.documentElement.dataset.theme = theme;
  await new Promise(drawn => requestAnimationFrame(() => requestAnimationFrame(drawn)));
  await Promise.allSettled(document.getAnimations().map(each => each.finished));
}"""
VISITOR = (
    "/",
    "/auth",
    "/auth?redirect=%2Fdashboard",
    "/auth/reset-password",
    "/signup",
    "/discover",
    "/faq",
    "/privacy-policy",
    "/terms-of-service",
    "/return-policy",
    "/mockup",
    "/track",
    "/nowhere",
)
SHOPPER = (
    "/dashboard",
    "/profile",
    "/design",
    "/design/ai-generator",
    "/design/from-picture",
    "/design-templates",
    "/order",
    "/design/{design}",
    "/mockup?design={design}",
    "/order?design={design}",
    "/order-details/{order}",
    "/order-success/{order}",
)
ADMIN = ("/admin", "/admin?tab=webhook", "/admin?tab=orders", "/admin?tab=designs")


def problems(page: Page, path: str) -> Iterable[tuple[str, str, Any]]:
    """Yield what axe has against a page, in both themes."""
    page.goto(path)
    page.wait_for_load_state("networkidle")
    for theme, violation in problems_shown(page):
        yield path, theme, violation


def problems_shown(page: Page) -> Iterable[tuple[str, Any]]:
    """The same for a page in its present state."""
    page.evaluate(AXE.read_text(encoding="utf-8"))
    for theme in ("light", "dark"):
        page.evaluate(PAINT, theme)
        for violation in page.evaluate(RUN):
            yield theme, violation


@pytest.fixture
def shopper(visit: Visit, stack: Stack, users: Users) -> Person:
    """A signed-in user with a design and an order, and admin rights, who sees every page."""
    person = users.new("axe", admin=True)
    enter(visit.page, stack, person)
    return person


def test_visitor_pages_are_accessible(visit: Visit) -> None:
    assert [each for path in VISITOR for each in problems(visit.page, path)] == []


def test_shopper_pages_are_accessible(visit: Visit, stack: Stack, shopper: Person) -> None:
    design = give_design(stack, shopper, "A fox on a bicycle")
    give_design(stack, shopper, "Not ready yet", ready=False)
    order = give_order(stack, shopper, "paid")
    paths = [path.format(design=design, order=order) for path in SHOPPER]
    assert [each for path in paths for each in problems(visit.page, path)] == []


def test_admin_pages_are_accessible(visit: Visit, stack: Stack, shopper: Person) -> None:
    give_order(stack, shopper, "shipped", printify_order_id=f"axe-{shopper.id}")
    assert [each for path in ADMIN for each in problems(visit.page, path)] == []


def test_dialogs_are_accessible(visit: Visit, stack: Stack, shopper: Person) -> None:
    page = visit.page
    give_design(stack, shopper, "A fox on a bicycle")
    page.goto("/dashboard")
    violations = []
    for name in ("Private: A fox on a bicycle", "Delete: A fox on a bicycle"):
        page.get_by_role("button", name=name).click()
        page.evaluate(AXE.read_text(encoding="utf-8"))
        violations += page.evaluate(RUN)
        page.keyboard.press("Escape")
    page.goto("/discover")
    page.get_by_role("button", name="A whale with a lighthouse", exact=True).first.click()
    page.get_by_role("dialog").wait_for()
    page.evaluate(AXE.read_text(encoding="utf-8"))
    violations += page.evaluate(RUN)
    assert violations == []
