"""What is asked of every page: axe, in the light and in the dark, and whether all fits into a narrow screen."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from playwright.sync_api import Page

from tests.support.stacks import ROOT

_AXE = (ROOT / "node_modules" / "axe-core" / "axe.min.js").read_text(encoding="utf-8")
# No rule that is switched on reads the style sheets, which axe would load and parse once more.
_RUN = """async only => {
  const options = {resultTypes: ['violations'], preload: {assets: ['media']}, ...only};
  return (await axe.run(document, options)).violations.map(({id, impact, help, nodes}) =>
    ({id, impact, help, where: nodes.map(node => node.target.join(' ')).slice(0, 5)}));
}"""
# The themes differ in colours alone: one of them needs no other rule. The light comes last, and stays.
_THEMES: dict[str, dict[str, Any]] = {
    "dark": {"runOnly": ["color-contrast", "link-in-text-block"]},
    # WCAG 2.5.8, which axe leaves to be switched on
    "light": {"rules": {"target-size": {"enabled": True}}},
}
# Colours move for a moment: axe must not read them on their way.
_PAINT = """async theme => {
  document.documentElement.dataset.theme = theme;
  await new Promise(drawn => requestAnimationFrame(() => requestAnimationFrame(drawn)));
  await Promise.allSettled(document.getAnimations().map(each => each.finished));
}"""
# What sticks out of a box that neither scrolls nor cuts it off. Marks for screen readers are cut off on purpose, and
# ornaments may stick out.
_STICKING_OUT = """() => {
  const name = element => `${element.tagName.toLowerCase()} '${element.textContent.trim().slice(0, 40)}'`;
  const found = [];
  const page = document.documentElement.scrollWidth;
  if (page > innerWidth) found.push(`the page is ${page} px wide`);
  for (const element of document.querySelectorAll('body :is(header, main, footer) *')) {
    if (element.closest('svg, [aria-hidden=true], .sr-only') || !element.checkVisibility()) continue;
    const { left, right, width } = element.getBoundingClientRect();
    if (width < 2) continue;
    let box = element.parentElement;
    while (box && getComputedStyle(box).display.startsWith('inline')) box = box.parentElement;
    let cut = false;
    for (let above = box; above && above !== document.body; above = above.parentElement) {
      if (getComputedStyle(above).overflowX !== 'visible') cut = true;
    }
    if (cut || getComputedStyle(element).position === 'fixed') continue;
    const card = element.closest('[data-slot=card], table, button, li, form, fieldset') ?? document.body;
    let framing = card === element ? card.parentElement : card;
    while (getComputedStyle(framing).display === 'contents') framing = framing.parentElement;
    const frame = framing.getBoundingClientRect();
    if (right > innerWidth + 1 || left < -1) found.push(`${name(element)} leaves the screen (${left} to ${right})`);
    else if (getComputedStyle(element).position !== 'absolute' && right > frame.right + 1)
      found.push(`${name(element)} leaves its ${name(card)} (${right} > ${frame.right})`);
  }
  return found;
}"""
# Of letters under 16 px: iOS zooms into them.
SMALL_FIELDS = """() => [...document.querySelectorAll('input, select, textarea')]
  .filter(field => !['file', 'checkbox', 'radio'].includes(field.type) && field.checkVisibility())
  .filter(field => parseFloat(getComputedStyle(field).fontSize) < 16)
  .map(field => field.name || field.id || field.outerHTML)"""
# What has the focus and is covered at nine of its points, as by a bar that stays on top (WCAG 2.4.11), there and back.
HIDDEN_FOCUS = """() => {
  const all = [...document.querySelectorAll('a[href], button, input, select, textarea, summary, [tabindex]')]
    .filter(each => each.tabIndex >= 0 && !each.disabled && !each.closest('[inert]'))
    .filter(each => each.checkVisibility({visibilityProperty: true}));
  const found = [...all, ...all.toReversed()].filter(element => {
    element.focus();
    const box = element.getBoundingClientRect();
    if (box.width < 2 || box.height < 2) return false;
    // of something larger than the window, the part in it
    const [left, top] = [Math.max(box.left, 0), Math.max(box.top, 0)];
    const [width, height] = [Math.min(box.right, innerWidth) - left, Math.min(box.bottom, innerHeight) - top];
    return ![0.1, 0.5, 0.9].some(x => [0.1, 0.5, 0.9].some(y => {
      const shown = document.elementFromPoint(left + width * x, top + height * y);
      return shown && (element.contains(shown) || shown.contains(element));
    }));
  });
  document.activeElement.blur();
  scrollTo(0, 0);
  return found.map(element => element.getAttribute('aria-label') || element.innerText || element.name);
}"""
# A page that is wider than the window, or a button than its place, in a reader's own spacing (WCAG 1.4.12).
TIGHT_SPACING = """() => {
  const style = document.createElement('style');
  style.textContent = `
    * { line-height: 1.5 !important; letter-spacing: 0.12em !important; word-spacing: 0.16em !important }
    p { margin-bottom: 2em !important }`;
  document.head.append(style);
  const found = [...document.querySelectorAll('button, a')]
    .filter(each => each.checkVisibility() && !each.closest('.sr-only') && each.scrollWidth > each.clientWidth + 1)
    .filter(each => getComputedStyle(each).overflowX === 'visible' && getComputedStyle(each).display !== 'inline')
    .map(each => each.innerText);
  if (document.documentElement.scrollWidth > innerWidth) found.push('the page');
  style.remove();
  return found;
}"""


def violations(page: Page) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield what axe has against a page in its present state, in both themes. The page is left in the light."""
    if not page.evaluate("'axe' in self"):
        page.evaluate(_AXE)
    for theme, only in _THEMES.items():
        page.evaluate(_PAINT, theme)
        for violation in page.evaluate(_RUN, only):
            yield theme, violation


def scrolled_by_no_key(page: Page) -> list[dict[str, Any]]:
    """Return axe's finding of parts that scroll and that the keyboard does not reach; after `violations`."""
    found: list[dict[str, Any]] = page.evaluate(_RUN, {"runOnly": ["scrollable-region-focusable"]})
    return found


def problems_shown(page: Page) -> list[tuple[str, dict[str, Any]]]:
    """Return what is serious among them."""
    return [each for each in violations(page) if each[1]["impact"] in ("serious", "critical")]


def resize(page: Page, width: int, height: int = 800) -> None:
    """Gives the window another width, and waits until the page is laid out in it."""
    page.set_viewport_size({"width": width, "height": height})
    page.wait_for_function("width => innerWidth === width", arg=width)
    page.evaluate("() => new Promise(drawn => requestAnimationFrame(() => requestAnimationFrame(drawn)))")


def faults_when_narrow(page: Page) -> Iterator[tuple[int, str]]:
    """Yield what leaves its box on a phone, and at 1280 px in a zoom of 400 % (WCAG 1.4.10)."""
    for width in (320, 390):
        resize(page, width)
        for fault in page.evaluate(_STICKING_OUT):
            yield width, fault
