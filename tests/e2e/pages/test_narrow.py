"""Narrow screens: a phone, and 1280 px at 400 % zoom (WCAG 1.4.10). Nothing leaves the page, its card or its row."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, ViewportSize, expect

from tests.e2e.accounts.users_in_browser import enter, give_design, give_order
from tests.e2e.conftest import Visit
from tests.e2e.pages.test_accessibility import ADMIN, SHOPPER, VISITOR
from tests.support.stacks import Stack
from tests.support.users import Users

WIDTHS = pytest.mark.parametrize(
    "visit",
    [ViewportSize(width=width, height=800) for width in (320, 390)],
    indirect=True,
    ids=["320", "390"],
)
LONG = "Donaudampfschifffahrtsgesellschaftskapitänsmütze with a name that does not end"

# What sticks out of a box that neither scrolls nor cuts it off. Marks for screen readers are cut off on purpose, and
# ornaments may stick out.
STICKING_OUT = """() => {
  const name = element => `${element.tagName.toLowerCase()} '${element.textContent.trim().slice(0, 40)}'`;
  const found = [];
  const page = document.documentElement.scrollWidth;
  if (page > innerWidth) found.push(`the page is ${page} px wide`);
  for (const element of document.querySelectorAll('body :is(header, main, footer) *')) {
    if (element.closest('svg, [aria-hidden=true], .sr-only') || !element.checkVisibility()) continue;
    const { left, right, width } = element.getBoundingClientRect();
    if (width < 2) continue;
    let box = element.parentElement;
    while (box && getComputedStyle(box).display.startsWith('inline')) box = box.parentElement;
    let cut = false;
    for (let above = box; above && above !== document.body; above = above.parentElement) {
      if (getComputedStyle(above).overflowX !== 'visible') cut = true;
    }
    if (cut || getComputedStyle(element).position === 'fixed') continue;
    const card = element.closest('[data-slot=card], table, button, li, form, fieldset') ?? document.body;
    const frame = (card === element ? card.parentElement : card).getBoundingClientRect();
    if (right > innerWidth + 1 || left < -1) found.push(`${name(element)} leaves the screen (${left} to ${right})`);
    else if (getComputedStyle(element).position !== 'absolute' && right > frame.right + 1)
      found.push(`${name(element)} leaves its ${name(card)} (${right} > ${frame.right})`);
  }
  return found;
}"""


def sticking_out(page: Page, path: str) -> list[str]:
    page.goto(path)
    page.wait_for_load_state("networkidle")
    return [f"{path}: {each}" for each in page.evaluate(STICKING_OUT)]


@WIDTHS
def test_visitor_pages_hold_what_is_in_them(visit: Visit) -> None:
    assert [each for path in VISITOR for each in sticking_out(visit.page, path)] == []


@WIDTHS
def test_shopper_pages_hold_what_is_in_them(visit: Visit, stack: Stack, users: Users) -> None:
    person = users.new("narrow", admin=True)
    enter(visit.page, stack, person)
    design = give_design(stack, person, LONG)
    give_design(stack, person, "Not ready yet", ready=False)
    order = give_order(stack, person, "paid")
    give_order(stack, person, "processing", printify_order_id=f"narrow-{person.id}")
    give_order(stack, person, "pending")
    paths = [path.format(design=design, order=order) for path in (*SHOPPER, *ADMIN)]
    assert [each for path in paths for each in sticking_out(visit.page, path)] == []


@pytest.mark.parametrize(
    "visit", [ViewportSize(width=width, height=800) for width in (768, 1024, 1440)], indirect=True
)
def test_toasts_cover_neither_name_nor_button_of_a_page(visit: Visit, stack: Stack, users: Users) -> None:
    page, person = visit.page, users.new("toasted")
    enter(page, stack, person)
    design = give_design(stack, person, "A toaster")
    page.add_init_script("navigator.clipboard.writeText = () => Promise.reject(new Error('denied'))")
    for path, share in (("/dashboard", "Copy link: A toaster"), (f"/mockup?design={design}", "Share")):
        page.goto(path)
        page.get_by_role("button", name=share).click()
        toast = page.locator("[data-sonner-toast]")
        expect(toast).to_be_visible()
        expect(toast).to_have_attribute("data-mounted", "true")
        head = page.locator("header :is(a, button):visible, main :is(h1, a, button):visible")
        for button in head.all():
            middle = "e => { const r = e.getBoundingClientRect(); return [r.x + r.width / 2, r.y + r.height / 2, r.y] }"
            x, y, top = button.evaluate(middle)
            if not 0 < top < 200:
                continue
            hit = page.evaluate(
                "([x, y]) => document.elementFromPoint(x, y)?.closest('[data-sonner-toast]') === null", [x, y]
            )
            assert hit, (
                f"{path}: a toast lies on '{button.inner_text() or button.get_attribute('aria-label')}'"
            )
