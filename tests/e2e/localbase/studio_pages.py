"""The common part of Studio's tests: a page, and what holds for every page."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from playwright.sync_api import Browser, Page, expect

from tests.e2e.pages.page_checks import resize, scrolled_by_no_key, violations

# Rejected statements are responses with 400, which the browser logs. A snapshot restarts Studio too.
_EXPECTED = ("400 (Bad Request)", "ERR_CONNECTION_RESET", "ERR_EMPTY_RESPONSE")
_FITS = "document.documentElement.scrollWidth <= innerWidth"


@contextmanager
def studio_window(browser: Browser, address: str) -> Iterator[Page]:
    """A page of Studio's origin without its program. It keeps the cache and the process for the pages of all tests."""
    context = browser.new_context(
        base_url=address,
        viewport={"width": 1024, "height": 900},
        reduced_motion="reduce",
        accept_downloads=True,
    )
    window = context.new_page()
    window.goto("/live")
    yield window
    context.close()


@contextmanager
def studio_page(window: Page) -> Iterator[Page]:
    """A page of Studio; an error in the page or on its console fails the test."""
    made = window.context.new_page()
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
    made.close()
    window.context.clear_permissions()
    window.evaluate("localStorage.clear()")
    assert errors == []


def require_good_page(page: Page, project: str) -> None:
    """axe finds nothing, in the light and in the dark, and nothing is wider than any window, a phone's included."""
    page.wait_for_load_state("networkidle")
    # A dialog hides the heading behind it from roles.
    expect(page.locator("h1")).to_have_text(project)
    # The width of the desk is the one in which axe sees the whole page, scrolling parts included.
    found = list(violations(page))
    assert found == [], found
    assert page.evaluate(_FITS), page.url
    desk = page.viewport_size
    assert desk
    for width in (1440, 390):
        resize(page, width, 844)
        assert page.evaluate(_FITS), (page.url, width)
        assert not scrolled_by_no_key(page), (page.url, width)
    page.set_viewport_size(desk)
