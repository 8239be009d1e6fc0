"""Studio in a browser: what a developer does all day, on a foreign project, by mouse and by keyboard."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import httpx
import psycopg
import pytest
from playwright.sync_api import FilePayload, Page, expect

from tests.e2e.localbase.studio_pages import require_good_page
from tests.support.random_cases import few
from tests.support.stacks import Stack, running_project

PAGES = (
    *("/tables", "/tables/public/notes", "/policies", "/sql", "/users", "/files", "/functions", "/mails"),
    *("/realtime", "/logs", "/settings"),
)


@pytest.fixture(scope="module")
def project() -> Iterator[Stack]:
    with running_project("studio", {"SUPABASE_STUDIO_ENABLED": "true"}, "studio_pages") as running:
        httpx.post(
            f"{running.api_url}/auth/v1/signup",
            json={"email": "ada@example.com", "password": "correct-horse"},
            headers={"apikey": running.anon_key},
        ).raise_for_status()
        yield running


def test_rows_are_looked_at_as_others_and_hidden_ones_explained(page: Page) -> None:
    page.goto("/tables/public/notes")
    rows = page.get_by_role("region", name="Rows").get_by_role("row")
    expect(rows).to_have_count(4)
    page.get_by_label("Run as").select_option("anon")
    expect(page.get_by_text("2 of these 3 rows hidden from anon")).to_be_visible()
    expect(page.locator("tr[data-hidden]")).to_have_count(2)
    page.get_by_role("button", name="Why is row 2 hidden?").click()
    dialog = page.get_by_role("dialog")
    expect(dialog).to_contain_text("A restrictive policy is not true for this row.")
    expect(dialog.get_by_role("listitem").filter(has_text="no notes by the banned")).to_contain_text("false")
    page.keyboard.press("Escape")
    expect(dialog).to_have_count(0)
    page.get_by_label("Run as").select_option("ada@example.com")
    expect(page.get_by_text("hidden from ada@example.com")).to_be_visible()
    page.get_by_role("button", name="Policies").click()
    expect(page.get_by_role("cell", name="published notes")).to_be_visible()


def test_rows_are_filtered_linked_edited_and_exported(page: Page, project: Stack) -> None:
    page.goto("/tables/public/notes")
    page.get_by_label("Column to filter by").select_option("title")
    page.get_by_label("Value").fill("second")
    page.keyboard.press("Enter")
    rows = page.get_by_role("region", name="Rows").get_by_role("row")
    expect(rows).to_have_count(2)
    rows.nth(1).get_by_role("link", name="2").click()
    expect(page.get_by_role("cell", name="Ben")).to_be_visible()
    page.go_back()
    expect(page.get_by_role("cell", name="second")).to_be_visible()
    page.get_by_role("button", name="Remove the filter title equals second").click()
    expect(rows).to_have_count(4)

    page.get_by_role("button", name="Add row").click()
    page.get_by_label("title").fill("from Studio")
    page.get_by_label("mood").select_option("busy")
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_role("cell", name="from Studio")).to_be_visible()
    page.get_by_role("button", name="Edit row 4").click()
    page.get_by_label("title").fill("changed in Studio")
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_role("cell", name="changed in Studio")).to_be_visible()
    with psycopg.connect(project.db_url) as connection:
        changed = connection.execute(
            "select title, mood::text, published from public.notes where id > 3"
        ).fetchall()
    assert changed == [("changed in Studio", "busy", False)]
    with page.expect_download() as download:
        page.get_by_role("button", name="Export CSV").click()
    text = Path(download.value.path()).read_text(encoding="utf-8")
    assert text.splitlines()[0] == "id,author,owner,title,mood,published,data"
    assert text.splitlines()[4].endswith(",,changed in Studio,busy,f,")
    page.get_by_label("Choose row 4").check()
    page.get_by_role("button", name="Delete 1").click()
    page.get_by_role("alertdialog").get_by_role("button", name="Delete").click()
    expect(rows).to_have_count(4)
    with psycopg.connect(project.db_url) as connection:
        connection.execute("alter table public.notes alter column id restart with 4")


def test_statements_are_run_and_explained_by_keyboard(page: Page) -> None:
    page.goto("/sql")
    editor = page.get_by_label("Statements")
    editor.fill("select 1 as one;\nselect nothing")
    page.keyboard.press("Control+Enter")
    alert = page.get_by_role("alert")
    expect(alert).to_contain_text('column "nothing" does not exist')
    expect(page.locator("pre")).to_have_text("select nothing\n       ^")
    editor.fill("select title from public.notes order by 1")
    page.keyboard.press("Control+Enter")
    expect(page.get_by_role("cell", name="first")).to_be_visible()
    page.get_by_role("button", name="Explain and measure").click()
    expect(page.get_by_role("region", name="Plan")).to_contain_text("Seq Scan on notes")
    page.reload()
    expect(editor).to_have_text("select title from public.notes order by 1")


def test_statements_are_completed_with_the_names_of_the_schema(page: Page) -> None:
    page.goto("/sql")
    page.get_by_label("Statements").click()
    page.keyboard.type("select * from no")
    offered = page.get_by_role("listbox").get_by_role("option")
    expect(offered.first).to_have_text("notestable")
    page.keyboard.type("tes n where notes.publ")
    expect(offered).to_have_text(["publishedboolean"])
    require_good_page(page, "studio")
    page.keyboard.press("Enter")
    expect(page.get_by_label("Statements")).to_have_text("select * from notes n where notes.published")
    # An odd name is written as SQL needs it.
    page.keyboard.press("Control+a")
    page.keyboard.type("select private.secrets.odd")
    page.keyboard.press("Control+Space")
    offered.click()
    expect(page.get_by_label("Statements")).to_have_text('select private.secrets."Odd ""name"')
    page.keyboard.press("Escape")
    expect(page.get_by_role("main")).to_be_focused()


def test_selected_statement_runs_alone(page: Page) -> None:
    page.goto("/sql")
    page.get_by_label("Statements").fill("select 1 as one;\nselect nothing")
    for key in ("Control+Home", "Shift+End"):
        page.keyboard.press(key)
    page.get_by_role("button", name="Run the selection as postgres").click()
    expect(page.get_by_role("columnheader", name="one")).to_be_visible()
    expect(page.get_by_role("alert")).to_have_count(0)


def test_statements_of_the_history_and_saved_ones_come_back(page: Page) -> None:
    page.goto("/sql")
    editor = page.get_by_label("Statements")
    for number in (1, 2):
        editor.fill(f"select {number} as it")
        page.keyboard.press("Control+Enter")
        expect(page.get_by_role("cell", name=str(number), exact=True)).to_be_visible()
    page.get_by_role("button", name="Save", exact=True).click()
    page.get_by_label("Name").fill("the second")
    page.keyboard.press("Enter")
    page.reload()
    page.get_by_role("button", name="History").click()
    runs = page.get_by_role("dialog").get_by_role("listitem")
    expect(runs).to_contain_text(["select 2 as it", "select 1 as it"])
    require_good_page(page, "studio")
    runs.nth(1).get_by_role("button").click()
    expect(editor).to_have_text("select 1 as it")
    page.get_by_role("button", name="Saved").click()
    require_good_page(page, "studio")
    page.get_by_role("button", name="the second select 2 as it").click()
    expect(editor).to_have_text("select 2 as it")
    page.get_by_role("button", name="Saved").click()
    page.get_by_role("button", name="Delete the second").click()
    expect(page.get_by_role("dialog").get_by_text("None yet.")).to_be_visible()


def test_log_of_a_request_is_followed_by_its_id(page: Page, project: Stack) -> None:
    httpx.get(f"{project.api_url}/rest/v1/titles", headers={"apikey": project.anon_key})
    page.goto("/logs?search=titles")
    line = page.get_by_role("row").filter(has_text="GET /rest/v1/titles 200").first
    line.get_by_role("button").click()
    expect(page.get_by_role("row")).to_have_count(2)


def test_user_is_created_banned_and_given_a_link(page: Page, project: Stack) -> None:
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.goto("/users")
    page.get_by_role("button", name="Create user").click()
    page.get_by_label("Email").fill("new@example.com")
    page.get_by_label("Password").fill("correct-horse-2")
    page.get_by_role("button", name="Create", exact=True).click()
    page.get_by_role("button", name="new@example.com").click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_role("button", name="Copy a magic link").click()
    expect(dialog.get_by_role("status")).to_contain_text("/auth/v1/verify?token=")
    link = page.evaluate("navigator.clipboard.readText()")
    signed_in = httpx.get(link, follow_redirects=False)
    assert "access_token=" in signed_in.headers["location"]
    dialog.get_by_role("button", name="Ban").click()
    expect(dialog.get_by_role("button", name="Lift the ban")).to_be_visible()
    refused = httpx.post(
        f"{project.api_url}/auth/v1/token?grant_type=password",
        json={"email": "new@example.com", "password": "correct-horse-2"},
        headers={"apikey": project.anon_key},
    )
    assert refused.json()["error_code"] == "user_banned"
    dialog.get_by_role("button", name="Delete").click()
    page.get_by_role("alertdialog").get_by_role("button", name="Delete").click()
    expect(dialog).to_have_count(0)
    expect(page.get_by_role("button", name="ada@example.com")).to_be_visible()
    expect(page.get_by_role("button", name="new@example.com")).to_have_count(0)


def test_file_is_uploaded_looked_at_and_deleted(page: Page) -> None:
    bucket = "papers"
    page.goto("/files")
    page.get_by_label("New private bucket").fill(bucket)
    page.get_by_role("button", name="Create").click()
    page.get_by_role("link", name=bucket).click()
    page.get_by_label("Upload").set_input_files(
        files=[FilePayload(name="note.txt", mimeType="text/plain", buffer=b"from Studio")]
    )
    page.get_by_role("button", name="note.txt").click()
    expect(page.get_by_role("dialog").locator("pre")).to_have_text("from Studio")
    page.keyboard.press("Escape")
    page.get_by_label("Choose note.txt").check()
    page.get_by_role("button", name="Delete 1").click()
    page.get_by_role("alertdialog").get_by_role("button", name="Delete").click()
    expect(page.get_by_text("Nothing here.")).to_be_visible()


def test_mail_is_read_and_runs_no_script(page: Page, project: Stack) -> None:
    httpx.post(
        f"{project.api_url}/auth/v1/otp",
        json={"email": "ada@example.com"},
        headers={"apikey": project.anon_key},
    )
    page.goto("/mails")
    page.get_by_role("button", name="Your sign-in link").first.click()
    expect(page.frame_locator("iframe").get_by_role("link", name="Sign in")).to_be_visible()
    assert page.locator("iframe").get_attribute("sandbox") == "allow-popups allow-popups-to-escape-sandbox"


def test_function_is_called_by_the_form(page: Page) -> None:
    page.goto("/functions")
    page.get_by_label("Body").fill('{"name": "Ada"}')
    page.get_by_role("button", name="Call").click()
    response = page.get_by_role("region", name="Answer")
    expect(response.get_by_role("status")).to_contain_text("200")
    expect(response).to_contain_text('"message": "Hello Ada!"')


def test_channel_shows_what_is_broadcast(page: Page) -> None:
    page.goto("/realtime")
    page.get_by_role("button", name="Join as service_role").click()
    expect(page.get_by_role("status")).to_have_text("subscribed")
    page.get_by_role("button", name="Broadcast").click()
    expect(page.get_by_role("cell", name="broadcast message")).to_be_visible()
    page.get_by_label("Payload").fill("{")
    page.get_by_role("button", name="Broadcast").click()
    expect(page.get_by_text("The payload is not JSON.")).to_be_visible()
    page.get_by_role("button", name="Leave").click()
    expect(page.get_by_role("button", name="Join as service_role")).to_be_visible()


def test_snapshot_is_saved_and_loaded_by_its_buttons(page: Page) -> None:
    name = "before-lunch"
    page.goto("/settings")
    page.get_by_label("Name").fill(name)
    page.get_by_role("button", name="Save a snapshot").click()
    expect(page.get_by_text(f"Saved {name}.")).to_be_visible()
    page.get_by_role("button", name=f"Load {name}").click()
    page.get_by_role("alertdialog").get_by_role("button", name="Load").click()
    expect(page.get_by_text(f"Loaded {name}.")).to_be_visible()


def test_pages_are_accessible_and_as_wide_as_any_window(page: Page) -> None:
    # test_studio_of_the_shop.py asks the same of all but the first, with the shop's data.
    for address in few(PAGES, 2):
        page.goto(address)
        require_good_page(page, "studio")


def test_policies_of_each_table_are_written_out(page: Page) -> None:
    page.goto("/policies")
    notes = page.get_by_role("region", name="Policies").locator("section").filter(has_text="public.notes")
    rule = notes.get_by_role("row").filter(has_text="no notes by the banned")
    expect(rule).to_contain_text("(restrictive)")
    expect(rule).to_contain_text("author IN ( SELECT authors.id")
    clipped = "cell => cell.scrollWidth > cell.clientWidth"
    for cell in rule.get_by_role("cell").all():
        assert not cell.evaluate(clipped)
    page.get_by_label("Search tables and policies").fill("called Ada")
    expect(page.get_by_role("heading", level=3)).to_have_text(["public.authors"])
