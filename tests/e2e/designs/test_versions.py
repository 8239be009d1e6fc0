"""A shirt that is drawn again: an earlier version comes back everywhere, and two tabs lose nothing to each other."""

from __future__ import annotations

from playwright.sync_api import Page, expect

from tests.e2e.accounts.users_in_browser import enter, give_design
from tests.e2e.conftest import Visit
from tests.e2e.designs.test_maker import give_star, open_maker, printed_sides, shirt_layer, wait_until_saved
from tests.e2e.steps import query
from tests.support.stacks import Stack
from tests.support.users import Users


def _shown(stack: Stack, design: str) -> tuple[int, str]:
    (row,) = query(
        stack,
        "select v.number, d.printify_product_id as product from designs d "
        "join design_versions v on v.id = d.current_version where d.id = %s",
        design,
    )
    return row["number"], row["product"]


def _views(page: Page) -> list[str]:
    return [name for name in ("Front", "Back") if page.get_by_role("button", name=name, exact=True).count()]


def test_earlier_version_is_what_the_preview_and_the_order_show_again(
    visit: Visit, stack: Stack, users: Users
) -> None:
    page, person = visit.page, users.new("versions")
    enter(page, stack, person)
    design = give_design(stack, person, "A fox of two versions")
    query(stack, "update designs set printify_product_id = null where id = %s returning 1", design)
    give_star(stack, design)
    open_maker(page, design)
    page.get_by_role("button", name="Done").click()
    assert printed_sides(page, stack, design) == {"front": 1}
    first = _shown(stack, design)
    assert _views(page) == ["Front"]
    page.get_by_role("link", name="Adjust").click()
    page.get_by_role("button", name="Back", exact=True).click()
    page.get_by_role("button", name="Shape").click()
    page.get_by_role("button", name="Heart", exact=True).click()
    wait_until_saved(page, stack, design, lambda scene: len(scene["back"]) == 1)
    page.get_by_role("button", name="Done").click()
    assert printed_sides(page, stack, design) == {"front": 1, "back": 1}
    expect(page.get_by_role("button", name="Back", exact=True)).to_be_visible()
    second = _shown(stack, design)
    assert second[0] == first[0] + 1

    page.get_by_role("link", name="Adjust").click()
    page.get_by_role("button", name=f"Return to version {first[0]}").click()
    expect(page.get_by_text(f"Version {first[0]} is back")).to_be_visible()
    # the drawing is that version's too
    wait_until_saved(page, stack, design, lambda scene: scene["back"] == [])
    page.get_by_role("button", name="Back", exact=True).click()
    expect(shirt_layer(page, "Heart")).to_have_count(0)
    assert _shown(stack, design) == first
    page.get_by_role("link", name="Back to the preview").click()
    expect(page.get_by_role("heading", name="Preview Your Creation")).to_be_visible()
    assert _views(page) == ["Front"]
    expect(page.locator(f"img[src*='/{first[1]}/']").first).to_be_visible()
    assert page.locator(f"img[src*='/{second[1]}/']").count() == 0


def test_second_tab_shows_a_conflict_and_neither_drawing_is_lost(
    visit: Visit, stack: Stack, users: Users
) -> None:
    page, person = visit.page, users.new("tabs")
    visit.expected.append("409 (Conflict)")
    enter(page, stack, person)
    design = give_design(stack, person, "A fox in two tabs")
    give_star(stack, design)
    open_maker(page, design)
    other = page.context.new_page()
    open_maker(other, design)
    shirt_layer(page, "Star").click()
    page.get_by_label("Turn, °").fill("30")
    page.keyboard.press("Enter")
    wait_until_saved(page, stack, design, lambda scene: scene["front"][0]["angle"] == 30)
    shirt_layer(other, "Star").click()
    other.get_by_label("Turn, °").fill("60")
    other.keyboard.press("Enter")
    told = other.get_by_role("alert").filter(has_text="This shirt was changed somewhere else")
    expect(told).to_be_visible()
    # what the first tab has stored stays until a person decides
    wait_until_saved(page, stack, design, lambda scene: scene["front"][0]["angle"] == 30)
    other.get_by_role("button", name="Keep this one").click()
    wait_until_saved(other, stack, design, lambda scene: scene["front"][0]["angle"] == 60)
    # and the first tab is told in turn
    page.get_by_label("Turn, °").fill("90")
    page.keyboard.press("Enter")
    expect(page.get_by_role("alert").filter(has_text="changed somewhere else")).to_be_visible()
    page.get_by_role("button", name="Show the other one").click()
    shirt_layer(page, "Star").click()
    expect(page.get_by_label("Turn, °")).to_have_value("60")
    wait_until_saved(page, stack, design, lambda scene: scene["front"][0]["angle"] == 60)
