"""The page that the browser keeps for a visitor without a network, and what a home screen needs."""

from __future__ import annotations

import io
from collections.abc import Iterator

import httpx
import pytest
from PIL import Image
from playwright.sync_api import Browser, BrowserContext, Page, expect

from tests.e2e.pages.page_checks import faults_when_narrow, violations
from tests.support.stacks import Stack

_KEPT = """async () => {
  const paths = [];
  for (const name of await caches.keys())
    for (const { url } of await (await caches.open(name)).keys()) paths.push(new URL(url).pathname);
  return paths;
}"""


@pytest.fixture
def context(browser: Browser, stack: Stack) -> Iterator[BrowserContext]:
    """A browser that keeps what the shop's service worker has it keep."""
    made = browser.new_context(base_url=stack.site_url, reduced_motion="reduce")
    yield made
    made.close()


def await_worker(page: Page) -> None:
    """The first page is loaded beside the worker: it answers for the next one."""
    page.evaluate("async () => { await navigator.serviceWorker.ready; }")


@pytest.mark.parametrize("first", ["/faq", "/discover"], ids=["drawn by the build", "drawn by the client"])
def test_visitor_without_a_network_sees_the_shops_page_and_then_the_one_that_was_wanted(
    context: BrowserContext, first: str
) -> None:
    page = context.new_page()
    page.goto(first)
    await_worker(page)
    context.set_offline(True)
    page.goto("/return-policy?x=1")
    expect(page.get_by_role("heading", name="You're offline")).to_be_visible()
    expect(page).to_have_title("You're offline · Teesmith")
    page.get_by_role("button", name="Try again").click()
    expect(page.get_by_role("heading", name="You're offline")).to_be_visible()
    context.set_offline(False)
    expect(page.get_by_role("heading", name="Return Policy", level=1)).to_be_visible()
    assert page.url.endswith("/return-policy?x=1")


def test_offline_page_is_accessible_and_fits_a_phone(context: BrowserContext) -> None:
    page = context.new_page()
    page.goto("/offline")
    assert list(violations(page)) == []
    assert list(faults_when_narrow(page)) == []
    assert page.locator("meta[name=robots]").get_attribute("content") == "noindex"


def test_worker_keeps_nothing_else(context: BrowserContext) -> None:
    page = context.new_page()
    page.goto("/faq")
    await_worker(page)
    assert page.evaluate(_KEPT) == ["/offline"]


def test_shop_can_be_put_on_a_home_screen(stack: Stack) -> None:
    with httpx.Client(base_url=stack.site_url) as client:
        manifest = client.get("/manifest.webmanifest")
        assert manifest.headers["content-type"].startswith("application/manifest+json")
        icons = {icon["src"]: icon["sizes"] for icon in manifest.json()["icons"]}
        icons |= {"/apple-touch-icon.png": "180x180", "/favicon.ico": "48x48"}
        for path, size in icons.items():
            with Image.open(io.BytesIO(client.get(path).content)) as image:
                assert f"{image.width}x{image.height}" == size, path
        page = client.get("/").text
    for path in ("/apple-touch-icon.png", "/favicon.ico", "/manifest.webmanifest"):
        assert f'href="{path}"' in page
