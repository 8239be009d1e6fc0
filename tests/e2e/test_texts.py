"""The specification's quoted texts, one by one (texts.json): each is found where it belongs.

An entry has a `route` and a `state` (how the page comes to show it: tests/e2e/page_states*.py), or, for texts that are
thrown inside and never shown, or that no response of the services can bring about, the `source` file that holds it.
`{name}` in a text matches any text.
"""

from __future__ import annotations

import json
import re
from collections import defaultdict
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page

import tests.e2e.pages.page_states_admin
import tests.e2e.pages.page_states_wizards  # noqa: F401  (both register their states)
from tests.e2e.accounts.users_in_browser import enter
from tests.e2e.pages.mocked_page import MockedPage
from tests.e2e.pages.page_states import PAGE_STATES
from tests.support.stacks import ROOT, Stack
from tests.support.users import Users

ENTRIES = json.loads(Path(__file__).with_name("texts.json").read_text(encoding="utf-8"))
VISITORS_STATES = {
    "visitor",
    "visitor likes",
    "visitor chooses email",
    "visitor chooses to create an account",
    "logging in fails without a reason",
    "Google is switched off",
    "signing up takes a while",
    "signing up fails without a reason",
    "signed up",
    "private shared design",
    "no such shared design",
    "shared design is loading",
    "shared design without a picture",
}
# The visible text, and the labels of fields and pictures.
READ = """patterns => {
  const said = [document.body?.innerText ?? '', document.querySelector('h1')?.textContent ?? ''];
  for (const element of document.querySelectorAll('[placeholder], [aria-label], video, option, button'))
    said.push(element.getAttribute('placeholder') ?? '', element.getAttribute('aria-label') ?? '', element.textContent);
  const text = said.join(' ').replace(/\\s+/g, ' ');
  return patterns.every(each => new RegExp(each).test(text));
}"""


def _places() -> dict[tuple[str, str], list[str]]:
    places: dict[tuple[str, str], list[str]] = defaultdict(list)
    for entry in ENTRIES:
        if "route" in entry:
            places[entry["route"], entry["state"]].append(entry["text"])
    return places


def _pattern(text: str) -> str:
    """The text as a regular expression; `{name}` matches any text."""
    parts = re.split(r"\{\w+\}", text)
    return ".+".join(re.sub(r"([.*+?^${}()|\[\]\\])", r"\\\1", part) for part in parts)


def _page(browser: Browser, stack: Stack) -> Page:
    """One for many states: a page of its own for each would start a process of the browser."""
    page = browser.new_context(base_url=stack.site_url, reduced_motion="reduce").new_page()
    page.set_default_timeout(60_000)
    # Drafts of an earlier state would fill the forms.
    page.add_init_script(
        "Object.keys(localStorage).filter(key => key.startsWith('teesmith-draft:'))"
        ".forEach(key => localStorage.removeItem(key))"
    )
    return page


@pytest.fixture(scope="module")
def visitor(browser: Browser, stack: Stack) -> Iterator[Page]:
    page = _page(browser, stack)
    yield page
    page.context.close()


@pytest.fixture(scope="module")
def member(browser: Browser, stack: Stack, users: Users) -> Iterator[tuple[Page, str]]:
    """The page of a signed-in user, and the user's id."""
    page, person = _page(browser, stack), users.new("reader")
    enter(page, stack, person)
    yield page, person.id
    page.context.close()


PLACES = _places()


@pytest.mark.parametrize(("route", "state"), PLACES, ids=lambda part: part)
def test_page_shows_the_specified_texts(
    route: str, state: str, visitor: Page, member: tuple[Page, str]
) -> None:
    page, person_id = (visitor, "") if state in VISITORS_STATES else member
    page.unroute_all(behavior="ignoreErrors")
    with closing(MockedPage(page, person_id)) as mocked:
        mocked.pictures()
        # The text is waited for, not the load's end.
        PAGE_STATES[state](mocked, lambda: void(page.goto(route, wait_until="commit")))
        for text in PLACES[route, state]:
            page.wait_for_function(READ, arg=[_pattern(text)], polling=50)


def void(_value: object) -> None:
    """Nothing."""


@pytest.mark.parametrize(
    "entry", [each for each in ENTRIES if "source" in each], ids=lambda each: each["text"]
)
def test_texts_that_are_only_thrown_are_in_the_source(entry: dict[str, str]) -> None:
    assert entry["text"] in (ROOT / entry["source"]).read_text(encoding="utf-8")


def test_every_page_state_is_used_and_every_text_has_one_place() -> None:
    assert set(PAGE_STATES) == {state for _route, state in PLACES}
    assert len({json.dumps(entry, sort_keys=True) for entry in ENTRIES}) == len(ENTRIES)
