"""The shop with its functions at an address of their own: the container on another origin, called across origins."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Page, Request, expect

from tests.e2e.accounts.users_in_browser import enter, give_design
from tests.e2e.conftest import Visit
from tests.e2e.steps import BEVERLY_HILLS, fill_address, fill_card, orders_of
from tests.support.functions.container import Container
from tests.support.functions.environ import function_environ
from tests.support.processes import free_port, wait_until_open
from tests.support.stacks import ROOT, Stack
from tests.support.users import Users


@pytest.fixture(scope="module")
def shop(stack: Stack, tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[str, str]]:
    """The addresses of the shop's page and of its functions, two origins that know each other by their settings."""
    port = free_port()
    site = f"http://127.0.0.1:{port}"
    container = Container(tmp_path_factory.mktemp("container"))
    environ = {**function_environ(stack), "SITE_URL": site, "FUNCTIONS_CORS_ORIGIN": site}
    with container.running(environ) as functions:
        page_environ = {
            "PATH": os.environ["PATH"],
            "SUPABASE_URL": stack.api_url,
            "SUPABASE_PUBLISHABLE_KEY": stack.publishable_key,
            "STRIPE_PUBLISHABLE_KEY": "pk_test_emulator",
            "STRIPE_JS_URL": f"{stack.emulators_url}/stripe/js/v3",
            "MOCKUP_BASE_URL": f"{stack.emulators_url}/printify",
            "SITE_URL": site,
            "FUNCTIONS_URL": functions.url,
        }
        server = subprocess.Popen(
            [sys.executable, str(ROOT / "web" / "serve.py")],
            env=page_environ,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
        )
        try:
            wait_until_open(server, port)
            yield site, functions.url
        finally:
            server.terminate()
            server.communicate(timeout=20)


def function_calls(page: Page) -> list[tuple[str, str]]:
    """Method and address of each call, as they are made."""
    calls: list[tuple[str, str]] = []

    def note(request: Request) -> None:
        if request.method == "POST" and ("/functions/v1" in request.url or is_function(request.url)):
            calls.append((urlsplit(request.url).netloc, urlsplit(request.url).path))

    page.on("request", note)
    return calls


def is_function(url: str) -> bool:
    slug = urlsplit(url).path.rpartition("/")[2]
    return (ROOT / "functions" / slug / "main.py").is_file()


def test_shop_calls_functions_of_another_origin(
    visit: Visit, stack: Stack, users: Users, shop: tuple[str, str]
) -> None:
    site, functions = shop
    page = visit.page
    calls = function_calls(page)
    person = users.new("shopper")
    design = give_design(stack, person, "A fox")
    enter(page, stack, person, site=site)
    page.goto(f"{site}/order?design={design}")
    page.get_by_role("button", name="Increase M quantity").click()
    fill_address(page, BEVERLY_HILLS)
    expect(page.get_by_label("City")).to_have_value("Beverly Hills")
    fill_card(page, "4242 4242 4242 4242")
    page.get_by_role("button", name="Pay $19.90").click()
    expect(page.get_by_role("heading", name="✨ Amazing! Your unique design is printing!")).to_be_visible()
    (order,) = orders_of(stack, person.email)
    assert order["status"] in ("paid", "printing")
    assert {host for host, _path in calls} == {urlsplit(functions).netloc}
    assert {"/lookup-zip-code", "/create-payment-intent", "/update-order-status"} <= {
        path for _host, path in calls
    }
