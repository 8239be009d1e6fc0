"""An order's page from its e-mail: on any device, without signing in, and with nothing that a stranger could use."""

from __future__ import annotations

import re

import httpx
from playwright.sync_api import expect

from tests.e2e.accounts.users_in_browser import enter, give_order
from tests.e2e.conftest import Visit
from tests.e2e.pages.page_checks import problems_shown, resize
from tests.e2e.steps import query
from tests.support.mailbox import link_in, wait_for_mail
from tests.support.stacks import Stack
from tests.support.users import Person, Users

WIDER = "document.documentElement.scrollWidth > document.documentElement.clientWidth"


def sweep(stack: Stack) -> None:
    """Sends what waits, as the scheduler does within a minute."""
    response = httpx.post(
        f"{stack.api_url}/functions/v1/sweep",
        headers={"apikey": stack.secret_key, "authorization": f"Bearer {stack.secret_key}"},
        json={},
        timeout=120,
    )
    response.raise_for_status()


def shipped(stack: Stack, owner: Person) -> tuple[str, str]:
    """A shipped order and the address in its e-mail."""
    order = give_order(stack, owner, "processing")
    query(
        stack,
        "select record_progress(%s, 'shipped', 'USPS', '9400110200', 'https://track.example/9400110200')",
        order,
    )
    sweep(stack)
    mail = wait_for_mail(stack, "vera@example.com", f"order #{order[-6:].upper()} has been shipped")
    return order, link_in(mail)


def test_mail_opens_the_order_on_any_device_without_signing_in(
    visit: Visit, stack: Stack, users: Users
) -> None:
    page = visit.page
    order, address = shipped(stack, users.new("tracked"))
    token = address.partition("#")[2]
    sent: list[str] = []
    page.on("request", lambda request: sent.append(f"{request.url} {request.headers.get('referer', '')}"))
    page.goto(address)
    expect(page.get_by_role("heading", name=f"Order #{order[-6:].upper()}", level=1)).to_be_visible()
    expect(page.get_by_text("For Vera, in Beverly Hills, United States")).to_be_visible()
    parcel = page.get_by_role("link", name="9400110200")
    expect(parcel).to_have_attribute("href", "https://track.example/9400110200")
    expect(page.get_by_role("listitem").filter(has_text="On its way")).to_have_attribute(
        "aria-current", "step"
    )
    expect(page.get_by_text("A fox on a bicycle")).to_be_visible()
    text = page.locator("body").inner_text()
    assert [
        secret for secret in ("Wilshire", "Visitor", "90210", "vera@", "3105550100") if secret in text
    ] == []
    for width in (1440, 390):
        resize(page, width)
        assert page.evaluate(WIDER) is False, width
        assert problems_shown(page) == [], width
    assert len(sent) > 5
    assert [each for each in sent if token in each.replace(address, "")] == []
    page.reload()
    expect(parcel).to_be_visible()


def test_owner_goes_on_to_the_full_order(visit: Visit, stack: Stack, users: Users) -> None:
    page = visit.page
    owner = users.new("owner")
    order, address = shipped(stack, owner)
    enter(page, stack, owner)
    page.goto(address)
    page.get_by_role("link", name="See the full order").click()
    expect(page).to_have_url(re.compile(f"/order-details/{order}$"))
    expect(page.get_by_text("9465 Wilshire Blvd")).to_be_visible()


def test_link_that_opens_nothing_says_where_help_is(visit: Visit, stack: Stack, users: Users) -> None:
    page = visit.page
    visit.expected.append("status of 404")
    order, address = shipped(stack, users.new("revoked"))
    query(stack, "update orders set link_version = 2 where id = %s returning id", order)
    for each in (address, address[:-4], f"{stack.site_url}/track"):
        page.goto("/faq")
        page.goto(each)
        expect(page.get_by_role("heading", name="This link is not valid any more")).to_be_visible()
        expect(page.get_by_role("link", name="support@teesmith.example").first).to_be_visible()
    assert problems_shown(page) == []
