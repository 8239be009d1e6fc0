"""A shop whose settings name a replica for reading: the gallery's visitors ask it, and nobody else does."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import expect

from tests.e2e.conftest import Visit
from tests.e2e.steps import PASSWORD
from tests.support.processes import free_port, wait_until_open
from tests.support.stacks import ROOT, Stack
from tests.support.users import Users


def replica_of(stack: Stack) -> str:
    """The same gateway by another name: to a browser it is another host."""
    return stack.api_url.replace("127.0.0.1", "localhost")


@pytest.fixture(scope="module")
def site(stack: Stack) -> Iterator[str]:
    port = free_port()
    url = f"http://127.0.0.1:{port}"
    environ = {
        "PATH": os.environ["PATH"],
        "SUPABASE_URL": stack.api_url,
        "VITE_SUPABASE_READ_URL": replica_of(stack),
        "SUPABASE_PUBLISHABLE_KEY": stack.publishable_key,
        "STRIPE_PUBLISHABLE_KEY": "pk_test_emulator",
        # The stack's function draws its pages from another site's, whose settings name no replica: without it this
        # one's own page is shown, which asks for itself.
        "FUNCTIONS_URL": "http://127.0.0.1:9",
        "STRIPE_JS_URL": f"{stack.emulators_url}/stripe/js/v3",
        "MOCKUP_BASE_URL": f"{stack.emulators_url}/printify",
        "SITE_URL": url,
    }
    process = subprocess.Popen(
        [sys.executable, str(ROOT / "web" / "serve.py")],
        cwd=ROOT,
        env=environ,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
    )
    try:
        wait_until_open(process, port)
        yield url
    finally:
        process.terminate()
        process.communicate(timeout=20)


def calls(visit: Visit, stack: Stack) -> list[tuple[str, str, str]]:
    """What the page will have sent: host, method and path below the Data API."""
    sent: list[tuple[str, str, str]] = []
    ports = {urlsplit(stack.api_url).port}

    def note(method: str, address: str) -> None:
        url = urlsplit(address)
        if url.port in ports and url.path.startswith("/rest/v1/") and method != "OPTIONS":
            sent.append((str(url.hostname), method, url.path.removeprefix("/rest/v1/")))

    visit.page.on("request", lambda request: note(request.method, request.url))
    return sent


def test_visitors_gallery_is_read_from_the_replica_once(site: str, visit: Visit, stack: Stack) -> None:
    sent = calls(visit, stack)
    visit.page.goto(f"{site}/discover")
    expect(visit.page.get_by_role("button", name="Like:").first).to_be_visible()
    visit.page.wait_for_load_state("networkidle")
    # asked before the app's program had come, which takes the answers over
    assert sorted(call for call in sent if call[0] == "localhost") == [
        ("localhost", "GET", "profiles"),
        ("localhost", "GET", "public_designs"),
        ("localhost", "GET", "rpc/count_public_designs"),
    ]
    elsewhere = {path for host, _, path in sent if host != "localhost"}
    assert elsewhere.isdisjoint({"public_designs", "profiles", "rpc/count_public_designs"})


def test_signed_in_shopper_asks_the_replica_for_nothing(site: str, visit: Visit, stack: Stack) -> None:
    person = Users(stack).new("replica")
    page = visit.page
    page.goto(f"{site}/auth")
    page.get_by_role("button", name="Continue with email").click()
    page.get_by_label("Email").fill(person.email)
    page.get_by_label("Password", exact=True).fill(PASSWORD)
    page.get_by_role("button", name="Log in", exact=True).click()
    expect(page).to_have_url(f"{site}/dashboard")
    sent = calls(visit, stack)
    page.goto(f"{site}/discover")
    like = page.get_by_role("button", name="Like:").first
    like.click()
    expect(like).to_have_attribute("aria-pressed", "true")
    page.wait_for_load_state("networkidle")
    assert ("127.0.0.1", "GET", "public_designs") in sent
    assert ("127.0.0.1", "POST", "design_likes") in sent
    assert [call for call in sent if call[0] != "127.0.0.1"] == []
