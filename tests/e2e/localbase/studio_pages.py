"""The common part of Studio's tests: a page in one of the two sizes, and what holds for every page."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from playwright.sync_api import Browser, Page, expect

from tests.support.stacks import ROOT

SIZES = ((1440, "light"), (1024, "dark"))
_AXE = ROOT / "node_modules" / "axe-core" / "axe.min.js"
_RUN = """async () => (await axe.run(document, {resultTypes: ['violations']})).violations
  .map((each) => `${each.id}: ${each.nodes.map((node) => node.html).join(' ')}`)"""
# Rejected statements are responses with 400, which the browser logs. A snapshot restarts Studio too.
_EXPECTED = ("400 (Bad Request)", "ERR_CONNECTION_RESET", "ERR_EMPTY_RESPONSE")


@contextmanager
def studio_page(browser: Browser, address: str, size: tuple[int, str]) -> Iterator[Page]:
    """A page of Studio; an error in the page or on its console fails the test."""
    width, scheme = size
    context = browser.new_context(
        base_url=address,
        viewport={"width": width, "height": 900},
        color_scheme="dark" if scheme == "dark" else "light",
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
    """axe finds nothing, and nothing is wider than the window, nor than a phone's."""
    page.wait_for_load_state("networkidle")
    # A dialog hides the heading behind it from roles.
    expect(page.locator("h1")).to_have_text(project)
    page.evaluate(_AXE.read_text(encoding="utf-8"))
    assert page.evaluate(_RUN) == []
    wide = page.viewport_size
    assert wide
    for width in (wide["width"], 390):
        page.set_viewport_size({"width": width, "height": 844})
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), (page.url, width)
    page.set_viewport_size(wide)
