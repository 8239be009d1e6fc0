"""Discover and shared designs: data and first pictures load before the script, which renders the same page."""

from __future__ import annotations

import re
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Page, Route, expect

from tests.e2e.accounts.users_in_browser import enter, give_design
from tests.e2e.conftest import Visit
from tests.e2e.pages.test_early_input import hold, hold_programs
from tests.e2e.steps import query
from tests.support.stacks import Stack
from tests.support.users import Users

UNKNOWN = "/design/00000000-0000-4000-8000-00000000dead"
# Records for each painted frame whether the picture is there, from its first appearance on.
WATCH = """
  window.seen = [];
  const look = () => {
    const picture = document.querySelector(PICTURE);
    const shown = picture?.complete && picture.naturalWidth > 0 && getComputedStyle(picture).opacity === "1";
    const box = shown ? picture.getBoundingClientRect() : null;
    const place = box && [box.x, box.y, box.width, box.height].map(Math.round).join();
    if (shown || window.seen.length) window.seen.push(place);
    requestAnimationFrame(look);
  };
  requestAnimationFrame(look);
"""

SHIFTS = """
  window.shifts = 0;
  new PerformanceObserver(list => { for (const each of list.getEntries()) window.shifts += each.value; })
    .observe({ type: "layout-shift", buffered: true });
"""


def record_requests(page: Page) -> list[str]:
    """`METHOD path` of every request that the page makes, as it makes them."""
    requests: list[str] = []
    page.on("request", lambda request: requests.append(f"{request.method} {urlsplit(request.url).path}"))
    return requests


def published(stack: Stack, users: Users, name: str) -> str:
    owner = users.new("publisher")
    design = give_design(stack, owner, name)
    query(
        stack,
        "insert into public_designs (design_id, user_id) values (%s, %s) returning id",
        design,
        owner.id,
    )
    return design


def scripts(requests: list[str]) -> list[str]:
    return [each for each in requests if each.endswith(".js")]


def test_public_design_is_there_before_the_script_which_draws_the_same_again(
    visit: Visit, stack: Stack, users: Users
) -> None:
    page, design = visit.page, published(stack, users, "A fox before the program")
    page.add_init_script(SHIFTS)
    requests = record_requests(page)
    release = hold_programs(page)
    page.goto(f"/design/{design}", wait_until="commit")
    picture = page.get_by_alt_text("A fox before the program")
    expect(picture).to_have_js_property("naturalWidth", 800)
    expect(page.get_by_role("heading", name="A fox before the program")).to_be_visible()
    sheet = page.locator("main .shell").first
    early = sheet.inner_text(), picture.get_attribute("src")
    release()
    page.wait_for_function("() => !window.teesmithEarly")
    page.wait_for_load_state("networkidle")
    assert (sheet.inner_text(), picture.get_attribute("src")) == early
    assert page.evaluate("window.shifts") <= 0.01
    for path in ("designs", "product_variants", "rpc/get_shared_design"):
        assert requests.count(f"GET /rest/v1/{path}") == 1, "what the page is drawn with is asked once"
    photograph = urlsplit(str(early[1])).path
    assert len([each for each in requests if each.endswith(photograph)]) == 1


def test_private_designs_picture_does_not_wait_for_the_script(
    visit: Visit, stack: Stack, users: Users
) -> None:
    page, design = visit.page, give_design(stack, users.new("private"), "A fox behind a link")
    release = hold_programs(page)
    page.goto(f"/design/{design}", wait_until="commit")
    early = page.locator("[data-placeholder] img")
    expect(early).to_have_js_property("complete", True)
    expect(early).to_have_attribute("src", re.compile(rf"/rest/v1/rpc/design_picture\?design={design}&"))
    release()
    expect(page.get_by_text("This is a private design shared via link")).to_be_visible()
    expect(page.get_by_alt_text("A fox behind a link")).to_be_visible()


@pytest.mark.parametrize("first_visit", [{"width": 390, "height": 844}], indirect=True)
@pytest.mark.parametrize("page_name", ["gallery", "creator", "design"])
def test_first_picture_does_not_move_when_the_script_renders(
    first_visit: Visit, stack: Stack, users: Users, page_name: str
) -> None:
    page, design = first_visit.page, published(stack, users, "A fox that stays")
    (owner,) = query(stack, "select user_id from designs where id = %s", design)
    cards = "main li img, #root [data-placeholder] img"
    pictures = {
        "gallery": ("/discover", cards),
        "creator": (f"/creator/{owner['user_id']}", cards),
        "design": (f"/design/{design}", "main img[src*='/mockup/']"),
    }
    path, picture = pictures[page_name]
    page.add_init_script(f"const PICTURE = {picture!r};{WATCH}")
    page.goto(path)
    expect(page.get_by_role("button", name=re.compile("^(Like|Use)")).first).to_be_visible()
    expect(page.locator("#root [data-placeholder]")).to_have_count(0)
    page.wait_for_load_state("networkidle")
    seen = page.evaluate("window.seen")
    assert len(seen) > 2
    assert set(seen) == {seen[0]}, "it is in every frame, at one place"


@pytest.mark.parametrize("path", ["/discover", UNKNOWN])
def test_script_loads_after_the_first_pictures(first_visit: Visit, path: str) -> None:
    page = first_visit.page
    first_visit.expected.append("404 (Not Found)")
    requests = record_requests(page)
    page.goto(path)
    page.wait_for_load_state("networkidle")
    first = requests.index(scripts(requests)[0])
    # Of Storage, or of the rows that other tests have published.
    is_thumbnail = re.compile("/object/public/design-thumbnails/|/rest/v1/rpc/design_thumbnail$").search
    thumbnails = [each for each in requests[:first] if is_thumbnail(each)]
    assert len({*thumbnails, *(each for each in requests[:first] if "/rest/v1/" in each)}) >= 4
    assert path == UNKNOWN or len(thumbnails) == 4


def test_first_touch_loads_the_script_at_once(first_visit: Visit) -> None:
    page = first_visit.page
    requests = record_requests(page)
    # The page's clock is stopped: the script does not load by a timer.
    page.clock.install()
    page.clock.pause_at("2027-01-01T00:00:00")
    release = hold(page, "/rest/v1/public_designs")
    page.goto("/discover", wait_until="commit")
    search = page.get_by_label("Search designs")
    expect(search).to_be_visible()
    assert scripts(requests) == []
    with page.expect_request(re.compile(r"/assets/react-.*\.js")):
        search.focus()
    release()


def test_script_does_not_wait_for_a_slow_response(visit: Visit) -> None:
    page = visit.page
    release = hold(page, "/rest/v1/public_designs")
    page.goto("/discover", wait_until="commit")
    page.wait_for_function("() => !window.teesmithEarly")
    expect(page.get_by_label("Loading designs")).to_be_visible()
    release()
    expect(page.get_by_role("button", name=re.compile("^Like: "))).to_have_count(24)


def test_signed_in_user_gets_the_script_at_once(visit: Visit, stack: Stack, users: Users) -> None:
    page, person = visit.page, users.new("at-home")
    design = published(stack, users, "A fox for members")
    enter(page, stack, person)
    release = hold_programs(page)
    requests = record_requests(page)
    page.goto(f"/design/{design}", wait_until="commit")
    expect(page.get_by_role("status").get_by_text("Loading...", exact=True)).to_be_visible()
    page.wait_for_function("() => document.querySelector('link[rel=modulepreload]')")
    assert [each for each in requests if "/rest/v1/" in each] == []
    release()
    expect(page.get_by_role("heading", name="A fox for members")).to_be_visible()
    expect(page.get_by_role("button", name="Log Out")).to_be_visible()


def test_unknown_design_is_not_found_without_a_failing_request_of_the_page(visit: Visit) -> None:
    page = visit.page
    visit.expected.append("404 (Not Found)")
    failed: list[str] = []
    page.on("response", lambda response: failed.append(response.url) if response.status >= 400 else None)
    page.goto(UNKNOWN)
    page.wait_for_function("() => !window.teesmithEarly")
    expect(page.get_by_role("heading", name="Design Not Found")).to_be_visible()
    expect(page.get_by_text("This design might have been removed or made private.")).to_be_visible()
    expect(page).to_have_title("Design not found · Teesmith")
    page.wait_for_load_state("networkidle")
    assert [urlsplit(url).path for url in failed] == [UNKNOWN]


@pytest.mark.parametrize(
    ("path", "service", "again"),
    [
        ("design", r"/rest/v1/rpc/get_shared_design", "A fox in a tunnel"),
        ("/discover", r"/rest/v1/public_designs", "A fox in a tunnel"),
    ],
)
def test_failed_early_data_show_an_error_and_load_again(
    visit: Visit, stack: Stack, users: Users, path: str, service: str, again: str
) -> None:
    page, design = visit.page, published(stack, users, "A fox in a tunnel")
    visit.expected.append("Failed to load resource")

    def abort(route: Route) -> None:
        headers = {"access-control-allow-origin": "*"}
        body = '{"message": "", "code": "XX000"}'
        route.fulfill(status=400, headers=headers, content_type="application/json", body=body)

    page.route(re.compile(service), abort)
    page.goto(f"/design/{design}" if path == "design" else path)
    page.get_by_role("button", name="Try Again").wait_for()
    expect(page.get_by_text("Design Not Found")).to_be_hidden()
    page.unroute(re.compile(service))
    page.get_by_role("button", name="Try Again").click()
    expect(page.get_by_text(again).first).to_be_visible()


def test_missing_mockup_leaves_the_designs_picture(visit: Visit, stack: Stack, users: Users) -> None:
    page, design = visit.page, published(stack, users, "A fox without a shirt")
    visit.expected.append("Failed to load resource")
    page.route(re.compile(r"/mockup\.jpg"), lambda route: route.fulfill(status=404))
    page.goto(f"/design/{design}")
    picture = page.get_by_alt_text("A fox without a shirt")
    expect(picture).to_have_attribute("src", re.compile(r"/rest/v1/rpc/design_picture"))
    expect(picture).to_be_visible()
