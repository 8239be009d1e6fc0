"""More pictures of an idea, side by side in the wizard and on a shirt; backgrounds off and on; one's own pictures."""

from __future__ import annotations

import base64
import json
from collections.abc import Callable
from typing import Any
from urllib.parse import parse_qs, urlsplit

from playwright.sync_api import FilePayload, Page, expect

from tests.e2e.accounts.users_in_browser import enter, give_design, make_products_at_once
from tests.e2e.conftest import Visit
from tests.e2e.designs.test_design_jobs import READY, begin, fits, tile
from tests.e2e.designs.test_maker import open_maker, shirt_layer, wait_until_saved
from tests.e2e.pages.page_checks import problems_shown, resize
from tests.e2e.steps import query, save_and_preview
from tests.shop.integration.functions.prints.test_own_artwork import boxed
from tests.shop.integration.functions.test_scenes import EMPTY
from tests.support.stacks import Stack
from tests.support.users import Person, Users

DRAWN = 60_000


# What a design's picture was drawn from, as the wizard keeps it (the test below reads it).
DRAWN_FROM = {
    "prompt": "A fox riding a bicycle under the moon",
    "style": "Vintage",
    "mood": "bold",
    "background_color_name": "Navy",
    "background_color_hex": "#1A2237",
    "has_typography": False,
}


def leave_pictures(stack: Stack, person: Person, most: int) -> None:
    """Leaves the person so many pictures of their thirty in this hour."""
    query(
        stack,
        "with used as (select count(*) as n from private.usage_events where user_id = %s and kind = 'picture') "
        "insert into private.usage_events (user_id, kind, reserved_at, expires_at, completed_at) "
        "select %s, 'picture', now(), now() + interval '1 minute', now() "
        "from used, generate_series(1, 30 - %s - used.n) returning 1",
        person.id, person.id, most,
    )  # fmt: skip


def test_pictures_of_an_idea_are_compared_and_none_is_lost(visit: Visit, stack: Stack, users: Users) -> None:
    page, person = visit.page, users.new("variations")
    visit.expected.append("429 (Too Many Requests)")
    enter(page, stack, person)
    page.goto("/design/ai-generator")
    first = begin(page)
    expect(page.get_by_text(READY)).to_be_visible(timeout=DRAWN)
    page.get_by_role("button", name="Three side by side").click()
    for number in (1, 2, 3):
        expect(tile(page, number)).to_be_visible(timeout=DRAWN)
    assert problems_shown(page) == []
    expect(tile(page, 1)).to_have_attribute("aria-pressed", "true")
    tile(page, 2).click()
    expect(tile(page, 2)).to_have_attribute("aria-pressed", "true")
    second = parse_qs(urlsplit(page.url).query)["job"][0]
    assert second != first

    page.get_by_role("button", name="Change the words").click()
    assert page.get_by_label("Your idea").input_value().startswith("A fox")
    page.get_by_label("Your idea").fill("A bear under the moon!")
    page.get_by_label("Text on the shirt").fill("Brr")
    page.get_by_role("button", name="Draw it with these words").click()
    expect(tile(page, 4)).to_be_visible(timeout=DRAWN)
    # one more is left: the other is refused, and everything that was drawn stays
    leave_pictures(stack, person, 1)
    page.get_by_role("button", name="Another like this").click()
    expect(tile(page, 5)).to_be_visible(timeout=DRAWN)
    page.get_by_role("button", name="Another like this").click()
    refused = page.get_by_role("alert").filter(has_text="You've reached our limit for new designs")
    expect(refused).to_be_visible()

    page.reload()
    expect(page.get_by_text(READY)).to_be_visible(timeout=DRAWN)
    for number in (1, 2, 3, 4, 5):
        expect(tile(page, number)).to_be_visible(timeout=DRAWN)
    expect(tile(page, 6)).to_have_count(0)
    tile(page, 4).click()
    expect(tile(page, 4)).to_have_attribute("aria-pressed", "true")
    resize(page, 390, 844)
    assert fits(page)
    make_products_at_once(page, stack, person)
    design = save_and_preview(page, "Save and Create Product")
    (row,) = query(
        stack,
        "select d.name, i.request ->> 'prompt' as prompt, i.request ->> 'style' as style, i.seed, j.seed as before "
        "from designs d join design_ideas i on i.design_id = d.id, design_jobs j where d.id = %s and j.id = %s",
        design, second,
    )  # fmt: skip
    assert row == {
        "name": "A bear under the moon!", "prompt": 'A bear under the moon! Text to include: "Brr"',
        "style": "Vintage", "seed": row["before"], "before": row["before"],
    }  # fmt: skip
    (jobs,) = query(
        stack, "select count(*) as n from design_jobs where user_id = %s and kind = 'text_picture'", person.id
    )
    assert jobs == {"n": 5}


def test_variation_takes_the_pictures_place_on_a_shirt_and_undo_brings_it_back(
    visit: Visit, stack: Stack, users: Users
) -> None:
    page, person = visit.page, users.new("adjusting")
    enter(page, stack, person)
    design = give_design(stack, person, "A fox of two pictures")
    query(
        stack,
        "insert into design_ideas (design_id, kind, request, seed) values (%s, 'text_picture', %s, 7) returning 1",
        design,
        json.dumps(DRAWN_FROM),
    )
    open_maker(page, design)
    shirt_layer(page, "Your design").click()
    page.get_by_role("button", name="Variations").click()
    page.get_by_role("button", name="Another like this").click()
    expect(tile(page, 1)).to_be_visible(timeout=DRAWN)
    # a reload finds it again
    page.reload()
    shirt_layer(page, "Your design").click()
    page.get_by_role("button", name="Variations (1)").click()
    tile(page, 1).click()
    assert problems_shown(page) == []
    page.get_by_role("button", name="Use it on the shirt").click()
    expect(shirt_layer(page, "Picture")).to_be_visible()
    wait_until_saved(page, stack, design, lambda scene: scene["front"][0]["source"] != "design")
    page.get_by_role("button", name="Undo").click()
    wait_until_saved(page, stack, design, lambda scene: scene["front"][0]["source"] == "design")


def test_background_goes_and_comes_back_and_pictures_are_deleted(
    visit: Visit, stack: Stack, users: Users
) -> None:
    page, person = visit.page, users.new("backgrounds")
    visit.expected.append("400 (Bad Request)")
    enter(page, stack, person)
    design = give_design(stack, person, "A fox without a ground")
    query(
        stack,
        "insert into design_drafts (design_id, scene) values (%s, %s) returning 1",
        design,
        json.dumps(EMPTY),
    )
    open_maker(page, design)
    add_file(page, boxed())
    kept: list[str] = []

    def source_is(known: bool) -> Callable[[Any], bool]:
        def holds(scene: Any) -> bool:
            if not scene["front"]:
                return False
            source = scene["front"][0]["source"]
            if not kept:
                kept.append(source)
            return (str(source) == kept[0]) is known

        return holds

    wait_until_saved(page, stack, design, source_is(True))
    background = page.get_by_role("group", name="Background")
    on, off = (background.get_by_role("button", name=name, exact=True) for name in ("On", "Off"))
    expect(on).to_have_attribute("aria-pressed", "true")
    off.click()
    expect(off).to_have_attribute("aria-pressed", "true", timeout=DRAWN)
    wait_until_saved(page, stack, design, source_is(False))
    page.get_by_role("button", name="Undo").click()
    wait_until_saved(page, stack, design, source_is(True))
    page.get_by_role("button", name="Redo").click()
    expect(off).to_have_attribute("aria-pressed", "true")
    wait_until_saved(page, stack, design, source_is(False))
    # after a reload it can still be brought back
    page.reload()
    shirt_layer(page, "Picture").click()
    expect(off).to_have_attribute("aria-pressed", "true")
    on.click()
    wait_until_saved(page, stack, design, source_is(True))
    off.click()
    expect(off).to_have_attribute("aria-pressed", "true", timeout=DRAWN)

    open_pictures(page)
    own = page.get_by_role("dialog", name="Add a picture")
    expect(own.get_by_role("button", name="Delete boxed.png")).to_be_visible()
    own.get_by_role("button", name="Delete boxed.png").click()
    expect(own.get_by_role("alert")).to_contain_text("shows this picture. Take it off that shirt first.")
    assert problems_shown(page) == []
    page.keyboard.press("Escape")
    shirt_layer(page, "Picture").click()
    page.get_by_role("button", name="Delete", exact=True).click()
    wait_until_saved(page, stack, design, lambda scene: scene["front"] == [])
    open_pictures(page)
    own.get_by_role("button", name="Delete boxed.png").click()
    expect(own.get_by_role("button", name="Delete boxed.png")).to_have_count(0)
    (left,) = query(stack, "select count(*) as n from design_artwork where user_id = %s", person.id)
    assert left == {"n": 1}
    # what was cut out is a picture of its own now, and says that there is nothing more to take off
    own.get_by_role("button", name="Use Picture 1", exact=True).click()
    off.click()
    expect(background.get_by_role("status")).to_contain_text("no background")


def open_pictures(page: Page) -> None:
    """Layers have the name of the button, which stands beside that for lettering."""
    bar = page.get_by_role("button", name="Lettering", exact=True).locator("xpath=..")
    bar.get_by_role("button", name="Picture", exact=True).click()


def add_file(page: Page, encoded: str) -> None:
    open_pictures(page)
    file: FilePayload = {"name": "boxed.png", "mimeType": "image/png", "buffer": base64.b64decode(encoded)}
    page.get_by_label("Choose a picture").set_input_files(file)
    page.get_by_label("It is my own, or I have the right to print it.").click()
    page.get_by_role("button", name="Add to the shirt").click()
    expect(shirt_layer(page, "Picture")).to_be_visible()
