"""A real browser on the whole stack. A page error or an unexpected console error fails the test."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from playwright.sync_api import (
    Browser,
    BrowserContext,
    ConsoleMessage,
    Page,
    ViewportSize,
    expect,
    sync_playwright,
)

from tests.support.browser import FLAGS, find_browser
from tests.support.stacks import ROOT, Stack

# The first picture of a fresh process loads its libraries; two shared cores take their time.
expect.set_options(timeout=60_000)
_SHOTS = ROOT / ".localbase" / "e2e"


# For this folder only: Playwright runs an event loop in the thread, beside which other tests cannot run theirs.
@pytest.fixture(scope="package")
def browser() -> Iterator[Browser]:
    program = find_browser()
    assert program, "no browser: run `make test`, which installs one"
    with sync_playwright() as playwright:
        # A test's page takes the process of the one before, which has compiled the shop's programs.
        # What optimizes them costs a tenth, and no page lives long enough to gain it.
        # Without windows, a process of its own for drawing costs messages alone.
        args = [*FLAGS, "--in-process-gpu", "--process-per-site", "--js-flags=--no-opt --no-maglev"]
        made = playwright.chromium.launch(executable_path=program, args=args)
        yield made
        made.close()


class Visit:
    """A user's page; the test fails on console errors except those in `expected`."""

    def __init__(self, context: BrowserContext) -> None:
        self.context = context
        self.page: Page = context.new_page()
        self.expected: list[str] = []
        self.errors: list[str] = []
        self.page.on("pageerror", lambda error: self.errors.append(f"page error: {error}"))
        self.page.on("console", self._listen)

    def _listen(self, message: ConsoleMessage) -> None:
        if message.type == "error":
            self.errors.append(f"{message.text} ({message.location.get('url', '')})")

    def unexpected(self) -> list[str]:
        return [error for error in self.errors if not any(pattern in error for pattern in self.expected)]


# Ends what a test has begun in the browser: the next one finds it as a new visitor's, but for the cache.
_EMPTY = """async () => {
  localStorage.clear();
  for (const { name } of await indexedDB.databases()) await new Promise((resolve, reject) => {
    Object.assign(indexedDB.deleteDatabase(name), { onsuccess: resolve, onerror: reject, onblocked: reject });
  });
}"""


def _new_context(browser: Browser, stack: Stack) -> BrowserContext:
    # A service worker would answer for pages whose requests a test answers.
    context = browser.new_context(base_url=stack.site_url, reduced_motion="reduce", service_workers="block")
    context.set_default_timeout(60_000)
    return context


@pytest.fixture(scope="package")
def shared_page(browser: Browser, stack: Stack) -> Iterator[Page]:
    """A page of the shop's origin without a program, in the context of the tests that need no empty cache.

    It keeps their process, which has the shop's programs compiled: a page takes half of the processor time.
    """
    context = _new_context(browser, stack)
    page = context.new_page()
    page.goto("/robots.txt")
    yield page
    context.close()


@contextmanager
def _visiting(context: BrowserContext, request: pytest.FixtureRequest) -> Iterator[Visit]:
    made, failed_before = Visit(context), request.session.testsfailed
    made.page.set_viewport_size(getattr(request, "param", ViewportSize(width=1440, height=1000)))
    yield made
    # Of a failure alone: the picture of a whole page takes as much processor time as a short test.
    if made.unexpected() or request.session.testsfailed > failed_before:
        _SHOTS.mkdir(parents=True, exist_ok=True)
        made.page.screenshot(
            path=_SHOTS / f"{Path(request.node.nodeid).name.replace('/', '_')}.png", full_page=True
        )


@pytest.fixture
def visit(shared_page: Page, request: pytest.FixtureRequest) -> Iterator[Visit]:
    """A visitor who has been to the shop: its files are in the cache, and nothing else is kept."""
    context = shared_page.context
    with _visiting(context, request) as made:
        yield made
    for page in context.pages:
        if page != shared_page:
            page.close()
    context.clear_cookies()
    context.clear_permissions()
    context.set_offline(False)
    shared_page.evaluate(_EMPTY)
    assert made.unexpected() == []


@pytest.fixture
def first_visit(browser: Browser, stack: Stack, request: pytest.FixtureRequest) -> Iterator[Visit]:
    """A visitor with an empty cache, in a context of the test's own, whose clock may be changed."""
    context = _new_context(browser, stack)
    with _visiting(context, request) as made:
        yield made
    context.close()
    assert made.unexpected() == []


def pytest_configure() -> None:
    # Playwright's own driver must not look for the browsers that it would download.
    os.environ.setdefault("PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD", "1")
