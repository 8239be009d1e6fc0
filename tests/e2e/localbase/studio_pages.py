"""The common part of Studio's tests: a page, and what holds for every page."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from playwright.sync_api import Browser, Page, expect

from tests.support.stacks import ROOT

_AXE = ROOT / "node_modules" / "axe-core" / "axe.min.js"
_RUN = """async only => (await axe.run(document, {resultTypes: ['violations'], ...only})).violations
  .map((each) => `${each.id}: ${each.nodes.map((node) => node.html).join(' ')}`)"""
# The schemes differ in colours alone: the second one needs no other rule.
_COLOURS = {"runOnly": ["color-contrast", "link-in-text-block"]}
_PAINT = "theme => { document.documentElement.dataset.theme = theme; }"
# Rejected statements are responses with 400, which the browser logs. A snapshot restarts Studio too.
_EXPECTED = ("400 (Bad Request)", "ERR_CONNECTION_RESET", "ERR_EMPTY_RESPONSE")


@contextmanager
def studio_page(browser: Browser, address: str) -> Iterator[Page]:
    """A page of Studio on a small desk; an error in the page or on its console fails the test."""
    context = browser.new_context(
        base_url=address,
        viewport={"width": 1024, "height": 900},
        color_scheme="dark",
        reduced_motion="reduce",
        accept_downloads=True,
    )
    made = context.new_page()
    errors: list[str] = []
    made.on("pageerror", lambda error: errors.append(str(error)))
    made.on(
        "console",
        lambda message: (
            errors.append(message.text)
            if message.type == "error" and not any(each in message.text for each in _EXPECTED)
            else None
        ),
    )
    yield made
    context.close()
    assert errors == []


def require_good_page(page: Page, project: str) -> None:
    """axe finds nothing, in the dark and in the light, and nothing is wider than any window, a phone's included."""
    page.wait_for_load_state("networkidle")
    # A dialog hides the heading behind it from roles.
    expect(page.locator("h1")).to_have_text(project)
    if not page.evaluate("'axe' in self"):
        page.evaluate(_AXE.read_text(encoding="utf-8"))
    assert page.evaluate(_RUN, {}) == []
    page.evaluate(_PAINT, "light")
    assert page.evaluate(_RUN, _COLOURS) == []
    page.evaluate(_PAINT, "dark")
    desk = page.viewport_size
    assert desk
    for width in (1440, desk["width"], 390):
        page.set_viewport_size({"width": width, "height": 844})
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), (page.url, width)
    page.set_viewport_size(desk)
