"""A shirt is laid out by hand, on both sides, and printed so: by mouse, by the keyboard alone, by touch on a phone."""

from __future__ import annotations

import json
import re
import time
from collections.abc import Callable
from typing import Any

import httpx
from playwright.sync_api import Locator, Page, expect

from tests.e2e.accounts.users_in_browser import enter, give_design
from tests.e2e.conftest import Visit
from tests.e2e.keyboard import press, tab_to, type_into
from tests.e2e.pages.page_checks import problems_shown, resize
from tests.e2e.steps import PRINTER, query
from tests.support.stacks import ROOT, Stack
from tests.support.users import Users


def shirt_layer(page: Page, name: str) -> Locator:
    """The layer on the shirt."""
    return page.get_by_role("region", name="The shirt").get_by_role("button", name=name, exact=True)


def _middle(layer: Locator) -> tuple[float, float]:
    box = layer.bounding_box()
    assert box
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def open_maker(page: Page, design: str) -> None:
    page.goto(f"/adjust?design={design}")
    expect(page.get_by_role("heading", name="Adjust your shirt")).to_be_visible()


def give_star(stack: Stack, design: str) -> None:
    """A draft of one shape: nothing that a model would have to enlarge."""
    star = {"id": "star", "kind": "shape", "shape": "star", "color": "#c8102e", "ratio": 0.95}
    scene = {"version": 1, "front": [{**star, "x": 0.5, "y": 0.4, "scale": 0.5, "angle": 0}], "back": []}
    query(
        stack,
        "insert into design_drafts (design_id, scene) values (%s, %s) returning 1",
        design,
        json.dumps(scene),
    )


def wait_until_saved(page: Page, stack: Stack, design: str, holds: Callable[[Any], bool]) -> None:
    """Waits until the stored draft is as it should be: the word 'Saved' may be that of the change before."""
    end = time.monotonic() + 60
    while True:
        rows = query(stack, "select scene from design_drafts where design_id = %s", design)
        if rows and holds(rows[0]["scene"]):
            break
        assert time.monotonic() < end, rows
        page.wait_for_timeout(100)  # the database tells nobody
    expect(page.get_by_text("Saved", exact=True)).to_be_visible()


def printed_sides(page: Page, stack: Stack, design: str) -> dict[str, int]:
    """After 'Done': how many pictures each side of the product has at the printer, on every size of area."""
    expect(page.get_by_role("heading", name="Preview Your Creation")).to_be_visible(timeout=120_000)
    (row,) = query(
        stack,
        "select v.printify_product_id as product, d.printify_product_id as shown, v.number "
        "from design_versions v join designs d on d.current_version = v.id where d.id = %s",
        design,
    )
    assert row["product"] == row["shown"]
    answer = httpx.get(
        f"{stack.emulators_url}/printify/v1/shops/1/products/{row['product']}.json", headers=PRINTER
    )
    sides = [
        {each["position"]: len(each["images"]) for each in area["placeholders"] if each["images"]}
        for area in answer.json()["print_areas"]
    ]
    assert len(sides) > 1
    assert all(side == sides[0] for side in sides)
    return sides[0]


def test_both_sides_are_laid_out_by_mouse_and_printed(visit: Visit, stack: Stack, users: Users) -> None:
    page, person = visit.page, users.new("mouse")
    query(stack, "update product_variants set back_view = null returning 1")
    enter(page, stack, person)
    page.goto("/design")
    page.get_by_role("button", name="Start with an empty shirt").click()
    expect(page.get_by_role("heading", name="Adjust your shirt")).to_be_visible()
    design = page.url.split("design=")[1]
    page.get_by_role("button", name="Lettering").click()
    page.get_by_role("textbox", name="Words").fill("Söndag")
    x, y = _middle(shirt_layer(page, "“Söndag”"))
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x + 30, y + 60, steps=3)
    page.mouse.up()
    across = page.get_by_label("Across, %")
    expect(across).not_to_have_value("50.0")
    moved = across.input_value()
    page.get_by_role("button", name="Undo").click()
    expect(across).to_have_value("50.0")
    page.get_by_role("button", name="Redo").click()
    expect(across).to_have_value(moved)
    page.get_by_role("button", name="Picture", exact=True).click()
    page.get_by_label("Choose a picture").set_input_files(
        ROOT / "sql/seed/designs/5eed0000-0000-4000-8000-000000000001"
        "/81095952-9650-54f4-92aa-fe87a8cbebe5/thumbnail.jpg"
    )
    expect(page.get_by_role("button", name="Add to the shirt")).to_be_disabled()
    page.get_by_label("It is my own, or I have the right to print it.").click()
    page.get_by_role("button", name="Add to the shirt").click()
    expect(shirt_layer(page, "Picture")).to_be_visible()
    # so small that no model has to enlarge it
    page.get_by_label("Width, in").fill("0.8")
    page.keyboard.press("Enter")
    page.get_by_role("button", name="Back", exact=True).click()
    page.get_by_role("button", name="Shape").click()
    page.get_by_role("button", name="Star", exact=True).click()
    page.get_by_role("button", name="Nape").click()
    sides = (["lettering", "picture"], ["shape"])
    wait_until_saved(
        page, stack, design,
        lambda scene: sides == tuple([each["kind"] for each in scene[side]] for side in ("front", "back")),
    )  # fmt: skip
    assert problems_shown(page) == []
    page.reload()
    expect(shirt_layer(page, "“Söndag”")).to_be_visible()
    page.get_by_role("button", name="Check the print").click()
    expect(page.get_by_text(re.compile("Ready to print|to look at"))).to_be_visible()
    page.get_by_role("button", name="Done").click()
    assert printed_sides(page, stack, design) == {"front": 1, "back": 1}
    # from behind at once, though nobody knew the camera before this product
    expect(page.get_by_role("button", name="Back", exact=True)).to_be_visible()


def test_design_is_adjusted_by_the_keyboard_alone(visit: Visit, stack: Stack, users: Users) -> None:
    page, person = visit.page, users.new("maker-keys")
    enter(page, stack, person)
    design = give_design(stack, person, "A fox by the keys")
    give_star(stack, design)
    page.goto(f"/mockup?design={design}")
    expect(page.get_by_role("link", name="Adjust")).to_be_visible()
    press(page, "^A Adjust")
    expect(shirt_layer(page, "Star")).to_be_visible()
    tab_to(page, "^g Star")
    for key in ("ArrowRight", "Shift+ArrowDown", "-", "]"):
        page.keyboard.press(key)
    tab_to(page, "BUTTON Lettering", far=60)
    page.keyboard.press("Enter")
    expect(page.get_by_role("textbox", name="Words")).to_be_focused()
    page.keyboard.type("Fox")
    type_into(page, "INPUT Turn", "10")
    page.keyboard.press("Enter")
    placed = [(0.51, 5, None), (0.5, 10, "Fox")]
    wait_until_saved(
        page, stack, design,
        lambda scene: placed == [(each["x"], each["angle"], each.get("text")) for each in scene["front"]],
    )  # fmt: skip
    tab_to(page, "BUTTON Done", "Shift+Tab", far=80)
    page.keyboard.press("Enter")
    assert printed_sides(page, stack, design) == {"front": 1}


def test_two_fingers_lay_out_a_shirt_on_a_phone(visit: Visit, stack: Stack, users: Users) -> None:
    page, person = visit.page, users.new("fingers")
    enter(page, stack, person)
    design = give_design(stack, person, "A fox under the thumb")
    give_star(stack, design)
    resize(page, 390, 844)
    open_maker(page, design)
    expect(shirt_layer(page, "Star")).to_be_visible()
    x, y = _middle(shirt_layer(page, "Star"))
    device = page.context.new_cdp_session(page)
    device.send("Emulation.setTouchEmulationEnabled", {"enabled": True, "maxTouchPoints": 2})

    def touch(kind: str, *points: tuple[float, float]) -> None:
        fingers = [{"x": px, "y": py, "id": number} for number, (px, py) in enumerate(points)]
        device.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": fingers})

    touch("touchStart", (x, y))
    touch("touchEnd")
    expect(shirt_layer(page, "Star")).to_have_attribute("aria-pressed", "true")
    before = float(page.get_by_label("Width, in").input_value())
    touch("touchStart", (x - 30, y))
    touch("touchStart", (x - 30, y), (x + 30, y))
    touch("touchMove", (x - 15, y), (x + 15, y))
    touch("touchMove", (x, y - 15), (x, y + 15))
    touch("touchEnd")
    expect(page.get_by_label("Turn, °")).to_have_value("90")
    after = float(page.get_by_label("Width, in").input_value())
    assert abs(after / before - 0.5) < 0.02
    done = page.get_by_role("button", name="Done")
    done.scroll_into_view_if_needed()
    touch("touchStart", _middle(done))
    touch("touchEnd")
    assert printed_sides(page, stack, design) == {"front": 1}


def test_shirt_stays_in_sight_on_a_phone_while_a_panel_is_used(
    visit: Visit, stack: Stack, users: Users
) -> None:
    page, person = visit.page, users.new("in-sight")
    enter(page, stack, person)
    design = give_design(stack, person, "A fox in sight")
    give_star(stack, design)
    # as tall as the screen, and as what a keyboard leaves of it
    for height in (844, 480):
        resize(page, 390, height)
        open_maker(page, design)
        shirt_layer(page, "Star").click()
        field = page.get_by_label("Turn, °")
        field.click()
        star, turn = shirt_layer(page, "Star").bounding_box(), field.bounding_box()
        assert star
        assert turn
        header = page.get_by_role("banner").bounding_box()
        assert header
        assert header["height"] <= star["y"]
        assert star["y"] + star["height"] < turn["y"]
        assert turn["y"] + turn["height"] <= height
        # nothing lies on the field
        page.keyboard.press("ControlOrMeta+A")
        page.keyboard.type("45")
        page.keyboard.press("Enter")
        expect(field).to_have_value("45")
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
