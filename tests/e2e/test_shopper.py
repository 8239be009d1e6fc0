"""Beyond the core journey: the dashboard's designs, likes, imports, profile and orders."""

from __future__ import annotations

import re
from urllib.parse import parse_qs, quote, urlsplit

from playwright.sync_api import Locator, expect

from tests.e2e.accounts.users_in_browser import enter, give_design, give_order
from tests.e2e.conftest import Visit
from tests.e2e.steps import Address, fill_address, fill_card, query
from tests.support.stacks import Stack
from tests.support.users import PASSWORD, Users

BEVERLY_HILLS = Address("United States", "90210", "9465 Wilshire Blvd", "3105550100")


def row(visit: Visit, name: str) -> Locator:
    """A design's row on the dashboard."""
    return visit.page.get_by_role("listitem").filter(
        has=visit.page.get_by_role("link", name=name, exact=True)
    )


def stands_in_the_middle(element: Locator) -> bool:
    """Tell whether as much of the window is left of it as right, above as below."""
    return bool(
        element.evaluate(
            """shown => {
              const { left, right, top, bottom } = shown.getBoundingClientRect();
              return Math.abs(left - (innerWidth - right)) < 20 && Math.abs(top - (innerHeight - bottom)) < 2;
            }"""
        )
    )


def test_designs_are_listed_seven_a_page_renamed_and_deleted(
    visit: Visit, stack: Stack, users: Users
) -> None:
    page = visit.page
    person = users.new("shopper")
    for number in range(1, 9):
        give_design(stack, person, f"Design {number}", age=number)
    enter(page, stack, person)
    page.goto("/dashboard")
    expect(row(visit, "Design 7")).to_be_visible()
    expect(row(visit, "Design 8")).not_to_be_visible()
    page.get_by_role("button", name="Page 2").click()
    expect(row(visit, "Design 8")).to_be_visible()

    page.get_by_role("button", name="Rename: Design 8").click()
    page.keyboard.press("Escape")
    expect(page.get_by_label("Design name")).not_to_be_visible()
    page.get_by_role("button", name="Rename: Design 8").click()
    page.get_by_label("Design name").fill("   ")
    page.keyboard.press("Enter")
    expect(page.get_by_text("Design name cannot be empty.")).to_be_visible()
    page.get_by_label("Design name").fill(" Octopus ")
    page.keyboard.press("Enter")
    expect(page.get_by_text("Design name has been successfully updated.")).to_be_visible()
    expect(row(visit, "Octopus")).to_be_visible()
    assert query(stack, "select 1 from designs where user_id = %s and name = 'Octopus'", person.id)

    page.get_by_role("button", name="Delete: Octopus").click()
    page.get_by_role("button", name="Delete", exact=True).click()
    expect(page.get_by_text("Your design has been successfully deleted.")).to_be_visible()
    # Its page is gone with it, and so is the paging.
    expect(row(visit, "Design 7")).to_be_visible()
    expect(page.get_by_role("navigation", name="Pages of designs")).not_to_be_visible()
    assert query(stack, "select count(*) as n from designs where user_id = %s", person.id) == [{"n": 7}]


def test_design_is_published_under_a_name_and_unpublished(visit: Visit, stack: Stack, users: Users) -> None:
    page = visit.page
    person = users.new("publisher")
    design = give_design(stack, person, "A shy octopus")
    enter(page, stack, person)
    page.goto("/dashboard")
    page.get_by_role("button", name="Private: A shy octopus").click()
    dialog = page.get_by_role("dialog", name="Set Public Display Name")
    expect(dialog.get_by_role("button", name="Make Public")).to_be_disabled()
    dialog.get_by_label("Public Display Name").fill("  Inky Fingers ")
    dialog.get_by_role("button", name="Make Public").click()
    expect(page.get_by_text("Your design is now public and can be discovered by others.")).to_be_visible()
    assert query(stack, "select public_name from private.profiles where id = %s", person.id) == [
        {"public_name": "Inky Fingers"}
    ]
    assert len(query(stack, "select 1 from public_designs where design_id = %s", design)) == 1

    page.get_by_role("button", name="Public: A shy octopus").click()
    expect(page.get_by_text("Your design is no longer public.")).to_be_visible()
    assert query(stack, "select 1 from public_designs where design_id = %s", design) == []


def test_link_is_copied_or_shown(visit: Visit, stack: Stack, users: Users) -> None:
    page = visit.page
    person = users.new("sharer")
    design = give_design(stack, person, "A paper boat")
    enter(page, stack, person)
    visit.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.goto("/dashboard")
    page.get_by_role("button", name="Copy link: A paper boat").click()
    expect(page.get_by_text("Design link has been copied to your clipboard.")).to_be_visible()
    assert page.evaluate("navigator.clipboard.readText()") == f"{stack.site_url}/design/{design}"

    page.evaluate("() => { navigator.clipboard.writeText = () => Promise.reject(new Error('denied')) }")
    page.get_by_role("button", name="Copy link: A paper boat").click()
    expect(page.get_by_text(f"Share this design: {stack.site_url}/design/{design}")).to_be_visible()


def test_failed_product_is_created_again_from_the_dashboard(visit: Visit, stack: Stack, users: Users) -> None:
    page = visit.page
    person = users.new("retrier")
    give_design(stack, person, "A late bloomer", ready=False)
    enter(page, stack, person)
    page.goto("/dashboard")
    expect(row(visit, "A late bloomer").get_by_text("Processing", exact=False).first).to_be_visible()
    page.get_by_role("button", name="Retry Processing: A late bloomer").click()
    expect(page.get_by_text("Design Saved!")).to_be_visible()
    expect(row(visit, "A late bloomer").get_by_text("Ready for order")).to_be_visible()


def test_like_persists_and_can_be_removed(visit: Visit, stack: Stack, users: Users) -> None:
    page = visit.page
    person = users.new("liker")
    page.goto("/discover")
    page.get_by_role("button", name=re.compile("^Like: ")).first.click()
    expect(page.get_by_text("You need to be logged in to like designs.")).to_be_visible()

    enter(page, stack, person)
    page.goto("/discover")
    heart = page.get_by_role("button", name=re.compile("^Like: ")).first
    expect(heart).to_have_attribute("aria-pressed", "false")
    before = int(heart.inner_text())
    with page.expect_response(re.compile("/rest/v1/design_likes")):
        heart.click()
        expect(heart).to_have_text(str(before + 1))
    assert len(query(stack, "select 1 from design_likes where user_id = %s", person.id)) == 1
    page.reload()
    expect(heart).to_have_attribute("aria-pressed", "true")
    with page.expect_response(re.compile("/rest/v1/design_likes")):
        heart.click()
        expect(heart).to_have_text(str(before))
    expect(heart).to_have_attribute("aria-pressed", "false")


def test_visitor_imports_a_design_after_signing_in(visit: Visit, stack: Stack, users: Users) -> None:
    page = visit.page
    person = users.new("importer")
    page.goto("/discover")
    page.get_by_placeholder("Search designs...").fill("whale")
    page.get_by_role("button", name="A whale with a lighthouse", exact=True).click()
    page.get_by_role("dialog").get_by_role("button", name="Use This Design").click()
    expect(page).to_have_url(re.compile(r"/auth\?redirect="))
    expect(
        page.get_by_text("You'll be redirected back to continue with your design after signing in.")
    ).to_be_visible()
    page.get_by_role("button", name="Continue with email").click()
    page.get_by_label("Email").fill(person.email)
    page.get_by_label("Password", exact=True).fill(PASSWORD)
    page.get_by_role("button", name="Log in", exact=True).click()
    expect(page.get_by_text("The design has been added to your collection.")).to_be_visible()
    expect(page.get_by_role("heading", name="Preview Your Creation")).to_be_visible()
    imported = parse_qs(urlsplit(page.url).query)["design"][0]
    assert query(stack, "select id::text, name from designs where user_id = %s", person.id) == [
        {"id": imported, "name": "A whale with a lighthouse"}
    ]
    assert query(stack, "select count(*) as n from user_sessions where user_id = %s", person.id) == [{"n": 1}]
    # The way back leads to the design, and imports nothing a second time.
    page.go_back()
    expect(page.get_by_role("button", name="Use This Design")).to_be_visible()
    assert "import" not in page.url


def test_private_design_is_shown_by_its_link(visit: Visit, stack: Stack, users: Users) -> None:
    page = visit.page
    design = give_design(stack, users.new("owner"), "A secret garden")
    page.goto(f"/design/{design}")
    expect(page.get_by_role("heading", name="A secret garden")).to_be_visible()
    expect(page.get_by_text("This is a private design shared via link")).to_be_visible()
    page.get_by_role("link", name="Create your own design").click()
    expect(page).to_have_url(f"{stack.site_url}/auth?redirect={quote(f'/design/{design}', safe='')}")


def test_bank_challenge_is_answered_in_its_own_frame(visit: Visit, stack: Stack, users: Users) -> None:
    page = visit.page
    visit.expected.append("402 (Payment Required)")
    person = users.new("secured")
    design = give_design(stack, person, "A padlock")
    enter(page, stack, person)
    page.goto(f"/order?design={design}")
    page.get_by_role("button", name="Increase M quantity").click()
    fill_address(page, BEVERLY_HILLS)
    expect(page.get_by_label("City")).to_have_value("Beverly Hills")
    bank = page.frame_locator("iframe[src*='/challenge/']")
    for response in ("Fail authentication", "Complete authentication"):
        fill_card(page, "4000 0025 0000 3155")
        page.get_by_role("button", name="Pay $19.90").click()
        # During the bank's challenge the order cannot be paid again.
        expect(page.get_by_role("button", name="Processing...")).to_be_disabled()
        assert stands_in_the_middle(page.get_by_role("dialog", name="Your bank asks for confirmation"))
        bank.get_by_role("button", name=response).click()
        if response.startswith("Fail"):
            expect(page.get_by_text("Payment Failed")).to_be_visible()
            expect(page.get_by_label("Address", exact=True)).to_have_value(BEVERLY_HILLS.street)
    expect(page.get_by_role("heading", name="✨ Amazing! Your unique design is printing!")).to_be_visible()
    assert query(stack, "select status from orders where user_id = %s", person.id) == [{"status": "paid"}]


def test_names_are_changed_in_the_profile(visit: Visit, stack: Stack, users: Users) -> None:
    page = visit.page
    person = users.new("renamer")
    enter(page, stack, person)
    page.goto("/profile")
    expect(page.get_by_label("Email")).to_have_value(person.email)
    expect(page.get_by_label("Email")).to_have_attribute("readonly", "")
    page.get_by_label("Name", exact=True).fill("Grace Hopper")
    page.get_by_label("Public Display Name").fill("Amazing Grace")
    page.get_by_role("button", name="Update Profile").click()
    expect(page.get_by_text("Profile updated!")).to_be_visible()
    page.get_by_role("link", name="Back to Dashboard").click()
    expect(page.get_by_text("Hello, Grace Hopper.")).to_be_visible()


def test_order_links_to_its_carrier(visit: Visit, stack: Stack, users: Users) -> None:
    page = visit.page
    person = users.new("buyer")
    shipped = give_order(
        stack,
        person,
        "shipped",
        carrier="USPS",
        tracking_number="94001",
        tracking_url="https://tools.usps.com/94001",
        printify_order_id=f"print-{person.id}",
    )
    page.goto(f"/order-details/{shipped}")
    expect(page.get_by_role("heading", name="Access Denied")).to_be_visible()
    enter(page, stack, person)
    page.goto("/dashboard")
    page.get_by_role("link", name=f"#{shipped[-6:].upper()}").click()
    expect(page.get_by_role("heading", name=f"Order #{shipped[-8:].upper()}")).to_be_visible()
    expect(page.get_by_role("link", name="94001")).to_have_attribute("href", "https://tools.usps.com/94001")
    expect(page.get_by_role("list", name="Order progress").get_by_text("On its way")).to_be_visible()
    expect(page.get_by_text("$39.80").first).to_be_visible()
    expect(page.get_by_role("button", name="Cancel order")).not_to_be_visible()

    stranger = users.new("stranger")
    enter(page, stack, stranger)
    visit.expected.append("406 (Not Acceptable)")
    page.goto(f"/order-details/{shipped}")
    expect(page.get_by_role("heading", name="Order Not Found")).to_be_visible()


def test_pending_order_is_cancelled(visit: Visit, stack: Stack, users: Users) -> None:
    page = visit.page
    person = users.new("doubter")
    order = give_order(stack, person, "pending")
    enter(page, stack, person)
    # The page asks how far the payment has come; of a cancelled order it would be told that there is none.
    with page.expect_response("**/functions/v1/finish-payment"):
        page.goto(f"/order-details/{order}")
    page.get_by_role("button", name="Cancel order").click()
    page.get_by_role("button", name="Keep the order").click()
    page.get_by_role("button", name="Cancel order").click()
    page.get_by_role("button", name="Yes, cancel it").click()
    expect(page.get_by_text("Order cancelled")).to_be_visible()
    expect(page.get_by_role("list", name="Order progress").get_by_text("Cancelled")).to_be_visible()
    assert query(stack, "select status from orders where id = %s", order) == [{"status": "cancelled"}]
