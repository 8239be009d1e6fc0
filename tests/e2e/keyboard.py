"""A user who has nothing but the keyboard."""

from __future__ import annotations

import re

from playwright.sync_api import Page

FOCUSED = """() => {
  const element = document.activeElement;
  const label = element.getAttribute('aria-label') || element.labels?.[0]?.innerText;
  const name = label || element.title || element.innerText;
  return `${element.tagName} ${name}`.replace(/\\s+/g, ' ').trim();
}"""
# More than from a page's first field to any other of it, and fewer than around the page.
_FAR = 25


def tab_to(page: Page, name: str, key: str = "Tab", *, far: int = _FAR) -> None:
    """Goes to what the pattern `name` is found in, no more than `far` stops away."""
    passed: list[str] = []
    while len(passed) < far:
        page.keyboard.press(key)
        passed.append(page.evaluate(FOCUSED))
        if re.search(name, passed[-1]):
            return
    raise AssertionError(f"'{name}' is not among {passed}")


def press(page: Page, name: str, key: str = "Enter") -> None:
    tab_to(page, name)
    page.keyboard.press(key)


def type_into(page: Page, name: str, text: str) -> None:
    tab_to(page, name)
    page.keyboard.press("Control+a")
    page.keyboard.type(text)
