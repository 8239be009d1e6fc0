"""Studio on the shop's project: each page once, with what the shop has there."""

from __future__ import annotations

import os
import re
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator

import httpx
import pytest
from playwright.sync_api import Browser, Page, expect

from tests.e2e.localbase.studio_pages import require_good_page, studio_window
from tests.support.stacks import ROOT, Stack


@pytest.fixture(scope="module")
def address(stack: Stack) -> Iterator[str]:
    """A Studio of the test's own beside the shop's running stack, which starts without one."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        number = listener.fileno()
        process = subprocess.Popen(
            [sys.executable, "-m", "localbase.studio.server", "--workdir", str(ROOT)],
            env={**os.environ, **stack.environ, "LOCALBASE_STUDIO_FD": str(number)},
            pass_fds=(number,),
            stdout=subprocess.DEVNULL,
        )
        try:
            yield f"http://127.0.0.1:{listener.getsockname()[1]}"
        finally:
            process.terminate()
            process.wait()


@pytest.fixture(scope="module")
def window(browser: Browser, address: str) -> Iterator[Page]:
    with studio_window(browser, address) as made:
        yield made


@pytest.fixture(scope="module", autouse=True)
def _signed_up(stack: Stack) -> None:
    """A user with a mail and a line in the log."""
    httpx.post(
        f"{stack.api_url}/auth/v1/signup",
        json={"email": "seen-in-studio@example.com", "password": "correct-horse-7"},
        headers={"apikey": stack.publishable_key},
    )


def tables(page: Page) -> None:
    page.goto("/tables/public/product_variants")
    expect(page.get_by_text("row-level security", exact=True)).to_be_visible()
    rows = page.get_by_role("region", name="Rows").get_by_role("row")
    expect(rows.nth(5)).to_be_visible()
    page.get_by_label("Run as").select_option("anon")
    expect(page.get_by_text("Rows 1 to")).to_be_visible()
    expect(page.locator("tr[data-hidden]")).to_have_count(0)


def policies(page: Page) -> None:
    page.goto("/policies")
    orders = page.get_by_role("row").filter(has_text="users read their own orders")
    expect(orders).to_contain_text("auth.uid()")


def sql(page: Page) -> None:
    page.goto("/sql")
    page.get_by_label("Statements").fill("select count(*) > 0 as stocked from public.product_variants")
    page.keyboard.press("Control+Enter")
    expect(page.get_by_role("cell", name="t", exact=True)).to_be_visible()


def users(page: Page) -> None:
    page.goto("/users")
    expect(page.get_by_role("button", name="seen-in-studio@example.com")).to_be_visible()


def files(page: Page) -> None:
    page.goto("/files")
    expect(page.get_by_role("link", name="print-files")).to_be_visible()


def functions(page: Page) -> None:
    page.goto("/functions")
    page.get_by_role("button", name="lookup-zip-code").click()
    page.get_by_label("Body").fill("{}")
    page.get_by_role("button", name="Call").click()
    expect(page.get_by_role("region", name="Answer").get_by_role("status")).to_contain_text("400")


def mails(page: Page) -> None:
    page.goto("/mails?search=seen-in-studio")
    expect(page.get_by_role("listitem").filter(has_text="seen-in-studio@example.com").first).to_be_visible()


def realtime(page: Page) -> None:
    page.goto("/realtime")
    page.get_by_role("button", name="Join as service_role").click()
    expect(page.get_by_role("status")).to_have_text("subscribed")


def logs(page: Page) -> None:
    page.goto("/logs?search=/auth/v1/signup")
    expect(page.get_by_role("row").filter(has_text="POST /auth/v1/signup").first).to_be_visible()


def settings(page: Page) -> None:
    page.goto("/settings")
    expect(page.get_by_text(re.compile("^sb_publishable_"))).to_be_visible()


@pytest.mark.parametrize(
    "visit",
    [tables, policies, sql, users, files, functions, mails, realtime, logs, settings],
    ids=lambda each: each.__name__,
)
def test_page_shows_what_the_shop_has(page: Page, stack: Stack, visit: Callable[[Page], None]) -> None:
    visit(page)
    name = stack.environ["SUPABASE_PROJECT_ID"]
    require_good_page(page, name)


def test_line_of_a_function_has_its_name_and_is_read_whole_on_a_phone(page: Page, stack: Stack) -> None:
    httpx.post(
        f"{stack.api_url}/functions/v1/lookup-zip-code",
        json={"zipCode": "90210"},
        headers={"apikey": stack.publishable_key, "Authorization": f"Bearer {stack.publishable_key}"},
    ).raise_for_status()
    page.goto("/logs?service=functions&search=lookup-zip-code")
    line = page.get_by_role("cell", name=re.compile("^POST lookup-zip-code 200 [0-9.]+ ms$")).first
    expect(line).to_be_visible()
    expect(page.get_by_text("undefined")).to_have_count(0)
    page.set_viewport_size({"width": 390, "height": 844})
    expect(line).to_be_visible()
    assert line.evaluate("cell => cell.scrollWidth <= cell.clientWidth && cell.clientWidth <= innerWidth")
