"""In a high-contrast mode the system's colours replace the shop's: what is chosen and a shirt's colours still show."""

from __future__ import annotations

from playwright.sync_api import Locator, Page

from tests.e2e.accounts.users_in_browser import enter
from tests.e2e.conftest import Visit
from tests.support.stacks import Stack
from tests.support.users import Users

_BACKGROUND = "element => getComputedStyle(element).backgroundColor"


def background(found: Locator) -> str:
    color: str = found.evaluate(_BACKGROUND)
    return color


def button(page: Page, name: str) -> str:
    return background(page.get_by_role("button", name=name, exact=True))


def tab(page: Page, name: str) -> str:
    return background(page.get_by_role("tab", name=name, exact=True))


def test_choices_and_shirt_colours_show_in_high_contrast(visit: Visit, stack: Stack, users: Users) -> None:
    page = visit.page
    enter(page, stack, users.new("contrast", admin=True))
    page.emulate_media(forced_colors="active")
    page.goto("/design/ai-generator")
    page.get_by_role("button", name="Vintage").click()
    assert button(page, "Vintage") != button(page, "Sketch") == button(page, "Doodle")
    assert len({button(page, color) for color in ("Navy", "Red", "White")}) == 3
    page.goto("/admin")
    # The other tabs say how much waits in them, and other tests leave orders that need a person.
    assert tab(page, "Users") != tab(page, "Webhook")
    page.emulate_media(forced_colors="none")
