"""The example `examples/todo`: built and served as its README says, two windows of one browser, and a stranger."""

from __future__ import annotations

import functools
import threading
from collections.abc import Iterator
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import psycopg
import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from tests.support.stacks import ROOT, Stack, clean_environ, run, running_example


@pytest.fixture(scope="module")
def todo() -> Iterator[Stack]:
    with running_example("todo") as running:
        yield running


class QuietHandler(SimpleHTTPRequestHandler):
    """Serves files, and says nothing."""

    def log_message(self, *_: object) -> None:
        """Nothing."""


@pytest.fixture(scope="module")
def address(todo: Stack, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The page, which knows the project by its two settings."""
    built = tmp_path_factory.mktemp("todo")
    settings = {"VITE_SUPABASE_URL": todo.api_url, "VITE_SUPABASE_KEY": todo.publishable_key}
    vite = str(ROOT / "node_modules" / ".bin" / "vite")
    run(
        [vite, "build", "--outDir", str(built), "--emptyOutDir"],
        clean_environ(settings),
        ROOT / "examples" / "todo",
    )
    server = ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(QuietHandler, directory=str(built)))
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    thread.join()
    server.server_close()


@pytest.fixture
def window(browser: Browser) -> Iterator[BrowserContext]:
    context = browser.new_context(viewport={"width": 390, "height": 844})
    yield context
    context.close()


def opened(context: BrowserContext, address: str) -> Page:
    page = context.new_page()
    page.goto(address)
    # Its channel is joined, and the list is loaded.
    expect(page.get_by_role("status")).to_contain_text("to do")
    return page


def test_task_is_seen_in_another_window_and_by_no_stranger(
    browser: Browser, window: BrowserContext, address: str, todo: Stack
) -> None:
    errors: list[str] = []
    window.on("weberror", lambda error: errors.append(str(error.error)))
    first = opened(window, address)
    second = opened(window, address)
    first.get_by_label("What is to be done?").fill("Water the plants <b>")
    first.get_by_role("button", name="Add").click()
    expect(second.get_by_role("status")).to_have_text("1 of 1 to do.")
    second.get_by_label("Water the plants <b>", exact=True).check()
    expect(first.get_by_role("status")).to_have_text("0 of 1 to do.")
    first.reload()
    expect(first.get_by_label("Water the plants <b>", exact=True)).to_be_checked()

    stranger = browser.new_context()
    expect(opened(stranger, address).get_by_role("status")).to_have_text("Nothing to do.")
    stranger.close()

    with psycopg.connect(todo.db_url) as connection:
        rows = connection.execute("select title, done from public.todos").fetchall()
    assert rows == [("Water the plants <b>", True)]
    second.get_by_role("button", name="Delete Water the plants").click()
    expect(first.get_by_role("status")).to_have_text("Nothing to do.")
    assert errors == []
    _save_screenshot(first)


def _save_screenshot(page: Page) -> None:
    shots = ROOT / ".localbase" / "e2e"
    shots.mkdir(parents=True, exist_ok=True)
    page.screenshot(path=Path(shots) / "example-todo.png")
