"""An anonymous visitor: the landing page, the help center, the legal pages, with and without JavaScript."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, Route, expect

from tests.e2e.accounts.users_in_browser import enter
from tests.e2e.conftest import Visit
from tests.support.stacks import Stack
from tests.support.users import Users

LEGAL = {
    "/privacy-policy": ("Privacy Policy", "not for children under 13"),
    "/terms-of-service": ("Terms of Service", "Visa, Mastercard and American Express"),
    "/return-policy": ("Return Policy", "5-7 business days"),
    "/accessibility": ("Accessibility", "Nothing has to be dragged"),
}
LINKS = {
    "Start Designing for Free": "/signup",
    "Start Creating Now - FREE": "/signup",
    "Make your own": "/auth",
    "Get Started": "/auth",
    "Log In": "/auth",
    "Discover": "/discover",
    "Help Center": "/faq",
    "Privacy Policy": "/privacy-policy",
    "Terms of Service": "/terms-of-service",
    "Return Policy": "/return-policy",
    "Accessibility": "/accessibility",
}
SECTIONS = [
    "Think it. Wear it.",
    "Your idea in. A real shirt out.",
    "Turn one over",
    "Worn and approved",
    "What people print",
    "How it works",
    "Asked at the counter",
    "Your turn.",
]


# React marks the root that it has taken over.
ALIVE = """() => new Promise(done => {
  const look = () => Object.keys(document.getElementById('root')).some(key => key.startsWith('__react'))
    ? done() : setTimeout(look, 20);
  look();
})"""


def open_alive(page: Page, path: str = "/") -> None:
    """Opens a prerendered page and waits until its program has taken over."""
    page.goto(path)
    page.evaluate(ALIVE)


@pytest.fixture
def quiet(browser: Browser, stack: Stack) -> Iterator[BrowserContext]:
    """A browser without JavaScript."""
    context = browser.new_context(base_url=stack.site_url, java_script_enabled=False)
    yield context
    context.close()


def test_landing_page_has_its_sections_in_order_and_no_offer_that_has_ended(visit: Visit) -> None:
    page = visit.page
    open_alive(page)
    titles = page.locator("main > section").evaluate_all(
        "all => all.map(each => each.querySelector('h1, h2').innerText.replace(/\\s+/g, ' ').trim())"
    )
    assert titles == SECTIONS
    stats = page.locator("dl > div").evaluate_all(
        "all => all.map(each => each.querySelector('dd').innerText + ' ' + each.querySelector('dt').innerText)"
    )
    assert stats == ["20+ happy creators", "500+ designs", "4.9/5 rating", "30s average design time"]
    assert page.locator("blockquote").count() == 3
    cases = page.locator("section", has=page.locator("#cases-title")).get_by_role("listitem")
    assert cases.count() == 6
    for claim in (
        "Unlimited free designs",
        "Powered by AI",
        "No subscriptions, no hidden fees",
        "Fast delivery",
    ):
        expect(page.get_by_role("heading", name=claim)).to_be_visible()
    expect(page.get_by_text("No credit card needed to start.").first).to_be_visible()
    # the offer has ended
    expect(page.get_by_role("complementary", name="Limited-time offer")).to_have_count(0)


def test_links_of_the_landing_page_lead_to_their_targets(visit: Visit) -> None:
    page = visit.page
    open_alive(page)
    expect(page.get_by_role("link", name="Contact Us")).to_have_attribute(
        "href", "mailto:support@teesmith.example"
    )
    for name, path in LINKS.items():
        page.get_by_role("link", name=name).first.click()
        expect(page, name).to_have_url(re.compile(f"{path}$"))
        expect(page.locator("h1")).to_be_visible()
        page.go_back()
        expect(page.get_by_role("heading", name="Think it. Wear it.")).to_be_visible()


def test_gallery_card_turns_by_key_and_by_touch(visit: Visit) -> None:
    page = visit.page
    open_alive(page)
    cards = page.locator(".flip-card")
    assert cards.count() == 4
    assert page.get_by_role("button", name="Text to design").count() == 2
    assert page.get_by_role("button", name="Photo to design").count() == 2
    first = cards.first
    first.focus()
    page.keyboard.press("Enter")
    expect(first).to_have_attribute("aria-pressed", "true")
    expect(first).to_have_accessible_name(re.compile("An octopus playing the drums"))
    page.keyboard.press("Space")
    expect(first).to_have_attribute("aria-pressed", "false")


def test_video_starts_on_a_click_and_plays_with_sound(visit: Visit) -> None:
    page = visit.page
    open_alive(page)
    expect(page.get_by_text("Video is paused and muted")).to_be_attached()
    play = page.get_by_role("button", name="Play the video with sound")
    play.scroll_into_view_if_needed()
    video = page.locator("video")
    expect(video).to_have_attribute("src", re.compile("/storage/v1/object/public/videos/demo-video.mp4$"))
    assert video.get_attribute("poster")
    assert "Your browser doesn't support HTML5 video." in (video.text_content() or "")
    play.click()
    expect(page.get_by_text("Video is playing and unmuted")).to_be_attached()
    expect(video).to_have_attribute("controls", "")
    expect(play).to_be_hidden()
    page.get_by_role("button", name="Mute the video").click()
    expect(page.get_by_text("Video is playing and muted")).to_be_attached()
    expect(play).to_be_visible()
    page.get_by_role("button", name="Unmute the video").click()
    video.evaluate("each => each.pause()")
    expect(page.get_by_text("Video is paused and unmuted")).to_be_attached()
    expect(page.get_by_role("button", name="Mute the video")).to_be_hidden()
    expect(page.get_by_text("Watch how easy it is to create your perfect shirt!")).to_be_visible()


def test_demo_is_operable_by_keyboard(visit: Visit) -> None:
    page = visit.page
    open_alive(page)
    page.get_by_role("radio", name="A fox reading a book in the forest").focus()
    page.keyboard.press("ArrowDown")
    following = page.get_by_role("button", name="Next")
    for chosen in ("Watercolor", "Sand"):
        following.focus()
        page.keyboard.press("Enter")
        page.get_by_role("radio").first.focus()
        page.keyboard.press("ArrowRight")
        expect(page.get_by_role("radio", name=chosen)).to_be_checked()
    expect(
        page.get_by_role("img", name="A whale with a lighthouse, watercolor, on a sand shirt")
    ).to_be_visible()
    following.focus()
    page.keyboard.press("Enter")
    expect(page.get_by_text("One sand shirt, size M")).to_be_visible()
    expect(page.get_by_role("link", name="Now with your own idea")).to_have_attribute("href", "/signup")


@pytest.mark.parametrize(
    "first_visit", [{"width": 1440, "height": 900}, {"width": 390, "height": 844}], indirect=True
)
def test_offer_counts_down_to_its_end_and_disappears(first_visit: Visit) -> None:
    page = first_visit.page
    page.clock.install(time="2030-05-29T18:54:55")

    def with_end(route: Route) -> None:
        response = route.fetch()
        body = re.sub(r'"PROMO_ENDS_AT": ?"[^"]*", ?|, ?"PROMO_ENDS_AT": ?"[^"]*"', "", response.text())
        body = body.replace('"SITE_URL":', '"PROMO_ENDS_AT": "2030-06-01T00:00:00", "SITE_URL":', 1)
        route.fulfill(response=response, body=body)

    page.route(lambda url: url.endswith("/"), with_end)
    open_alive(page)
    banner = page.get_by_role("complementary", name="Limited-time offer")
    expect(banner).to_contain_text("25% off")
    expect(banner.locator("s")).to_contain_text("$26.90")
    expect(banner).to_contain_text("$19.90")
    expect(banner.get_by_text("save $7")).to_be_visible()
    expect(banner.get_by_text("10+ customers served")).to_be_visible()
    left = banner.get_by_role("timer").locator("strong")
    page.clock.pause_at("2030-05-29T18:54:58")
    page.clock.run_for(1000)
    expect(left).to_have_text(["02", "05", "05", "01"])
    page.clock.run_for(1000)
    expect(left).to_have_text(["02", "05", "05", "00"])
    page.mouse.wheel(0, 2000)
    box = banner.bounding_box()
    assert box
    assert 60 <= box["y"] <= 72
    page.clock.fast_forward(60 * 3600 * 1000)
    expect(banner).to_have_count(0)


def test_landing_faq_opens_at_its_anchor(visit: Visit) -> None:
    page = visit.page
    page.goto("/#faq-section")
    faq = page.locator("#faq-section")
    expect(faq).to_be_in_viewport()
    for question, response in {
        "How long does a design take?": "10-30 seconds",
        "How many variations can I try?": "unlimited variations",
        "May I sell what I make?": "commercial usage rights",
    }.items():
        faq.get_by_text(question).click()
        expect(faq.get_by_text(response)).to_be_visible()


def test_help_center_search_finds_answers(visit: Visit) -> None:
    page = visit.page
    open_alive(page, "/faq")
    page.get_by_role("searchbox").fill("refund")
    expect(page.get_by_text("How long does a refund take?")).to_be_visible()
    expect(page.get_by_text("Which sizes are there?")).to_have_count(0)


def test_legal_pages_have_real_text_and_their_own_titles(visit: Visit) -> None:
    page = visit.page
    for path, (title, statement) in LEGAL.items():
        open_alive(page, path)
        expect(page.get_by_role("heading", name=title, level=1)).to_be_visible()
        expect(page.get_by_text(statement).first).to_be_visible()
        expect(page).to_have_title(f"{title} · Teesmith")
        assert len(page.locator("main").inner_text().split()) > 250, path


def test_unknown_address_shows_not_found(visit: Visit) -> None:
    page = visit.page
    visit.expected.append("404 (Not Found)")
    response = page.goto("/no/such/sheet")
    assert response
    assert response.status == 404
    expect(page.get_by_role("heading", name="Oops! Page not found")).to_be_visible()
    page.get_by_role("link", name="Return to Home").click()
    expect(page.get_by_role("heading", name="Think it. Wear it.")).to_be_visible()


def test_templates_require_a_sign_in_and_show_three(visit: Visit, stack: Stack, users: Users) -> None:
    page = visit.page
    page.goto("/design-templates")
    expect(page).to_have_url(re.compile(r"/auth\?redirect=%2Fdesign-templates$"))
    enter(page, stack, users.new("templates"))
    page.goto("/design-templates")
    for name in ("Minimalist Typography", "Vintage Badges", "Nature Graphics", "More Templates Coming Soon"):
        expect(page.get_by_role("heading", name=name)).to_be_visible()
    buttons = page.get_by_role("button", name="Customize This Template")
    expect(buttons).to_have_count(3)
    buttons.first.click()
    expect(page).to_have_url(re.compile(r"/design-templates$"))


def test_signed_in_user_is_redirected_to_the_dashboard(visit: Visit, stack: Stack, users: Users) -> None:
    page = visit.page
    enter(page, stack, users.new("home"))
    page.goto("/return-policy")
    expect(page.get_by_role("link", name="Dashboard").first).to_be_visible()
    page.goto("/")
    expect(page).to_have_url(re.compile(r"/dashboard$"))
    page.go_back()
    # replaced, not pushed: the landing page is not in the history
    expect(page).to_have_url(re.compile(r"/return-policy$"))


def test_pages_paint_without_javascript(quiet: BrowserContext) -> None:
    page = quiet.new_page()
    for path in ("/", "/faq", *LEGAL):
        page.goto(path)
        expect(page.locator("h1"), path).to_be_visible()
        expect(page.get_by_role("link", name="Help Center").first).to_be_visible()
        assert page.evaluate("getComputedStyle(document.body).fontFamily").startswith('"Instrument Sans')


def test_landing_page_needs_little_javascript(first_visit: Visit) -> None:
    page = first_visit.page
    scripts: list[str] = []
    page.on("response", lambda response: scripts.append(response.url) if ".js" in response.url else None)
    open_alive(page)
    page.wait_for_load_state("networkidle")
    sizes = [
        int(page.request.get(url, headers={"accept-encoding": "gzip"}).headers.get("content-length", 0))
        for url in scripts
    ]
    assert 0 < sum(sizes) <= 110_000
    shift = page.evaluate(
        "new Promise(done => new PerformanceObserver(list => done(list.getEntries().reduce((sum, each) =>"
        " sum + each.value, 0))).observe({type: 'layout-shift', buffered: true}) || setTimeout(() => done(0), 500))"
    )
    assert shift < 0.02


@pytest.mark.parametrize("visit", [{"width": 390, "height": 844}], indirect=True)
def test_phone_menu_opens_closes_and_returns_the_focus(visit: Visit) -> None:
    page = visit.page
    open_alive(page)
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    menu = page.get_by_role("button", name="Open the menu")
    menu.click()
    drawer = page.get_by_role("dialog", name="Menu")
    expect(drawer.get_by_role("link", name="Discover")).to_be_visible()
    page.keyboard.press("Escape")
    expect(drawer).to_be_hidden()
    expect(menu).to_be_focused()
