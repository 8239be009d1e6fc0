"""A stranger reports a design, an admin takes it down and restores it; and an owner ends the link of a private one."""

from __future__ import annotations

import re

import httpx
from playwright.sync_api import expect

from tests.e2e.accounts.users_in_browser import enter, give_design
from tests.e2e.conftest import Visit
from tests.e2e.pages.page_checks import problems_shown, resize
from tests.e2e.steps import query
from tests.support.mailbox import wait_for_mail
from tests.support.stacks import Stack
from tests.support.users import Users

WIDER = "document.documentElement.scrollWidth > document.documentElement.clientWidth"
GONE = "This design might have been removed or made private."
TAKEN_DOWN = "We took this design off the press. It is no longer shown or printed here."


def sweep(stack: Stack) -> None:
    """What the shop does once a minute."""
    headers = {"apikey": stack.secret_key, "authorization": f"Bearer {stack.secret_key}"}
    httpx.post(f"{stack.api_url}/functions/v1/sweep", headers=headers, json={}, timeout=60).raise_for_status()


def test_reported_design_is_taken_down_and_restored(visit: Visit, stack: Stack, users: Users) -> None:
    page, owner, admin = visit.page, users.new("artist"), users.new("judge", admin=True)
    name = "A mouse that is not ours"
    design = give_design(stack, owner, name)
    query(stack, "update profiles set public_name = 'Inky' where id = %s returning 1", owner.id)
    query(
        stack, "insert into public_designs (design_id, user_id) values (%s, %s) returning 1", design, owner.id
    )

    page.goto("/discover")
    page.get_by_role("button", name=name, exact=True).click()
    page.get_by_role("button", name="Report this design").click()
    page.get_by_role("radio", name="It uses somebody else's work or brand").check()
    page.get_by_label("In your words").fill("It is <b>my</b> mouse")
    assert problems_shown(page) == []
    page.get_by_role("button", name="Send report").click()
    expect(page.get_by_text("Your report has arrived.")).to_be_visible()

    enter(page, stack, admin)
    page.goto("/admin?tab=designs")
    reported = page.get_by_role("region", name="Reported")
    row = reported.get_by_role("listitem").filter(has_text=name)
    row.get_by_role("button", name=f"Open: {name}").click()
    case = page.get_by_role("region", name=f"Design {name}")
    expect(case.get_by_text("It is <b>my</b> mouse")).to_be_visible()
    expect(case.get_by_text("Publishes as Inky")).to_be_visible()
    for width in (390, 1440):
        resize(page, width)
        assert page.evaluate(WIDER) is False, width
        assert problems_shown(page) == [], width
    case.get_by_role("button", name="Take down").click()
    page.get_by_label("What the owner should know").fill("It belongs to a film company.")
    page.get_by_role("button", name="Take it down").click()
    expect(page.get_by_text("Design taken down").first).to_be_visible()
    expect(reported.get_by_text(name)).to_be_hidden()
    expect(page.get_by_role("region", name="Taken down").get_by_text(name)).to_be_visible()

    page.evaluate("localStorage.clear()")
    page.goto(f"/design/{design}")
    visit.expected.append("the server responded with a status of 410")
    expect(page.get_by_text(TAKEN_DOWN)).to_be_visible()
    assert query(stack, "select 1 from public_designs where design_id = %s", design) == []
    sweep(stack)
    mail = wait_for_mail(stack, owner.email, "We have taken down your design")
    assert "because it uses work or a brand that belongs to somebody else." in mail["Text"]
    assert "It belongs to a film company." in mail["Text"]

    enter(page, stack, owner)
    page.goto("/dashboard")
    expect(page.get_by_text("Taken down")).to_be_visible()
    expect(page.get_by_role("button", name=f"Copy link: {name}")).to_be_hidden()
    assert problems_shown(page) == []
    page.get_by_role("link", name=name).click()
    expect(page.get_by_text("We took this design off the press: nobody can order")).to_be_visible()
    expect(page.get_by_role("link", name="Order Now")).to_be_hidden()

    enter(page, stack, admin)
    page.goto("/admin?tab=designs")
    page.get_by_role("region", name="Taken down").get_by_role("button", name=f"Open: {name}").click()
    case.get_by_role("button", name="Restore").click()
    page.get_by_role("button", name="Restore it").click()
    expect(page.get_by_text("Design restored").first).to_be_visible()
    page.goto(f"/design/{design}")
    expect(page.get_by_role("heading", name=name)).to_be_visible()
    expect(page.get_by_text("by Inky")).to_be_visible()


def test_owner_ends_the_link_of_a_design_and_the_new_one_opens_it(
    visit: Visit, stack: Stack, users: Users
) -> None:
    page, owner = visit.page, users.new("careful")
    name = "A fox for few"
    design = give_design(stack, owner, name)
    query(stack, "update profiles set public_name = 'Inky' where id = %s returning 1", owner.id)
    query(
        stack, "insert into public_designs (design_id, user_id) values (%s, %s) returning 1", design, owner.id
    )
    visit.context.grant_permissions(["clipboard-read", "clipboard-write"])
    enter(page, stack, owner)
    page.goto("/dashboard")
    page.get_by_role("button", name=f"Public: {name}").click()
    expect(page.get_by_text("Anyone with the link can still see it.")).to_be_visible()
    page.get_by_role("button", name="Make a new link").click()
    question = page.get_by_role("alertdialog")
    expect(question).to_contain_text("opens nothing any more, for everybody")
    question.get_by_role("button", name="Make a new link").click()
    expect(page.get_by_text("New link copied!").first).to_be_visible()
    link = page.evaluate("navigator.clipboard.readText()")
    assert re.fullmatch(re.escape(f"{stack.site_url}/design/{design}?key=") + "[0-9a-f]{32}", link)
    page.get_by_role("button", name=f"Copy link: {name}").click()
    expect(page.get_by_text("Design link has been copied to your clipboard.").first).to_be_visible()
    assert page.evaluate("navigator.clipboard.readText()") == link

    page.evaluate("localStorage.clear()")
    visit.expected.append("the server responded with a status of 404")
    page.goto(f"/design/{design}")
    expect(page.get_by_text(GONE)).to_be_visible()
    page.goto(link)
    expect(page.get_by_role("heading", name=name)).to_be_visible()
    expect(page.get_by_alt_text(name)).to_have_js_property("complete", True)
    assert page.get_by_alt_text(name).evaluate("image => image.naturalWidth") > 0
    page.get_by_role("button", name="Use This Design").click()
    expect(page).to_have_url(re.compile(r"/auth\?redirect=.*key%3D"))
