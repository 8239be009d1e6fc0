"""Studio without a mouse: every step of a developer's task is a key."""

from __future__ import annotations

from collections.abc import Iterator

import psycopg
import pytest
from playwright.sync_api import Locator, Page, expect

from tests.e2e.localbase.studio_pages import require_good_page
from tests.support.stacks import Stack, running_project

TITLES = {
    "t": "Tables",
    "p": "Policies",
    "s": "SQL",
    "u": "Users",
    "f": "Files",
    "n": "Functions",
    "m": "Mails",
    "r": "Realtime",
    "l": "Logs",
    "c": "Settings",
}
OUTLINE = "getComputedStyle(document.activeElement).outlineStyle"


@pytest.fixture(scope="module")
def project() -> Iterator[Stack]:
    with running_project("studio", {"SUPABASE_STUDIO_ENABLED": "true"}, "studio_pages") as running:
        yield running


@pytest.fixture
def page(page: Page) -> Page:
    """A mouse has nothing to do here."""
    page.add_init_script(
        "addEventListener('pointerdown', () => { throw new Error('the mouse was used') }, true)"
    )
    return page


def press(page: Page, *keys: str) -> None:
    for key in keys:
        page.keyboard.press(key)


def focused(page: Page) -> Locator:
    """Return what has the keyboard, to be waited for: a dialog that closes gives it back in a task of its own."""
    return page.locator(":focus")


def test_whole_task_is_done_by_keyboard(page: Page, project: Stack) -> None:
    page.goto("/")
    expect(page.get_by_role("link", name="notes", exact=True)).to_be_visible()
    # to the table by its name
    press(page, "Control+k")
    page.keyboard.type("notes")
    expect(page.get_by_role("dialog").get_by_role("option").first).to_have_text("notestable")
    press(page, "Enter")
    rows = page.get_by_role("region", name="Rows").get_by_role("row")
    expect(rows).to_have_count(4)
    # find a row by the filter: the column, the comparison, the value
    press(page, "/")
    page.keyboard.type("title")
    press(page, "Tab", "Tab")
    page.keyboard.type("second")
    press(page, "Enter")
    expect(rows).to_have_count(2)
    # edit a cell of it
    press(page, "Escape", "ArrowDown", "ArrowRight", "ArrowRight", "ArrowRight")
    expect(focused(page)).to_have_text("second")
    assert page.evaluate(OUTLINE) != "none"
    press(page, "Enter")
    expect(page.get_by_role("dialog").get_by_label("title")).to_be_focused()
    press(page, "Control+a")
    page.keyboard.type("by keyboard")
    press(page, "Enter")
    expect(page.get_by_role("dialog")).to_have_count(0)
    with psycopg.connect(project.db_url) as connection:
        ids = connection.execute("select id from public.notes where title = 'by keyboard'").fetchall()
        assert ids == [(2,)]
        connection.execute("update public.notes set title = 'second' where id = 2")
    # look as anon, and see why a row is hidden: back to the whole table first
    press(page, "Control+k")
    page.keyboard.type("notes")
    press(page, "Enter")
    expect(rows).to_have_count(4)
    page.get_by_label("Run as").focus()
    page.keyboard.type("anon")
    expect(page.get_by_text("2 of these 3 rows hidden from anon")).to_be_visible()
    press(page, "Escape", "ArrowDown", "Home", "ArrowDown")
    expect(focused(page)).to_have_text("2")
    press(page, "w")
    dialog = page.get_by_role("dialog")
    expect(dialog).to_contain_text("A restrictive policy is not true for this row.")
    press(page, "Escape")
    expect(dialog).to_have_count(0)
    expect(focused(page)).to_have_text("2")
    # run a statement, and open its plan
    press(page, "g", "s")
    expect(page.get_by_label("Statements")).to_be_visible()
    press(page, "/")
    expect(page.get_by_label("Statements")).to_be_focused()
    press(page, "Control+a")
    page.keyboard.type("select title from public.notes order by 1")
    press(page, "Control+Enter")
    expect(page.get_by_role("cell", name="first")).to_be_visible()
    press(page, "Control+Shift+Enter")
    expect(page.get_by_role("region", name="Plan")).to_contain_text("Seq Scan on notes")


def test_every_page_has_a_key_and_the_list_names_it(page: Page) -> None:
    page.goto("/settings")
    expect(page.get_by_role("heading", name="Settings")).to_be_visible()
    for letter, title in TITLES.items():
        press(page, "g", letter)
        current = page.get_by_role("navigation", name="Pages").get_by_role("link", name=title)
        expect(current).to_have_attribute("aria-current", "page")
    press(page, "?")
    keys = page.get_by_role("dialog")
    for letter, title in TITLES.items():
        expect(keys.get_by_role("region", name="Pages")).to_contain_text(f"g{letter}{title}")
    require_good_page(page, "studio")
    press(page, "Escape", "Control+k")
    expect(page.get_by_role("combobox", name="Page or table")).to_be_focused()
    require_good_page(page, "studio")
    page.keyboard.type("poli")
    press(page, "Enter")
    expect(page.get_by_role("heading", name="Policies")).to_be_visible()


def test_arrow_keys_go_from_row_to_row(page: Page) -> None:
    page.goto("/files")
    page.goto("/tables")
    expect(page.get_by_role("link", name="notes", exact=True)).to_be_visible()
    press(page, "ArrowDown")
    expect(focused(page)).to_have_text("authors")
    press(page, "ArrowDown")
    expect(focused(page)).to_have_text("notes")
    press(page, "ArrowUp", "Enter")
    expect(page.get_by_role("cell", name="Ben")).to_be_visible()


def test_focus_is_where_it_was_after_each_dialog(page: Page) -> None:
    page.goto("/users")
    create = page.get_by_role("button", name="Create user")
    create.focus()
    press(page, "Enter")
    expect(page.get_by_role("dialog")).to_be_visible()
    press(page, "Escape")
    expect(create).to_be_focused()
    page.goto("/tables/public/authors")
    expect(page.get_by_role("cell", name="Ben")).to_be_visible()
    add = page.get_by_role("button", name="Add row")
    add.focus()
    press(page, "Enter")
    expect(page.get_by_role("dialog")).to_be_visible()
    press(page, "Escape")
    expect(add).to_be_focused()
    # a row that is deleted takes the button that was pressed with it
    press(page, "g", "t", "g", "s")
    page.goto("/tables/public/authors")
    expect(page.get_by_role("cell", name="Ben")).to_be_visible()
    press(page, "ArrowDown", "ArrowDown", "Space")
    expect(page.get_by_label("Choose row 2")).to_be_checked()
    delete = page.get_by_role("button", name="Delete 1")
    delete.focus()
    press(page, "Enter")
    expect(page.get_by_role("alertdialog")).to_be_visible()
    press(page, "Escape")
    expect(delete).to_be_focused()
