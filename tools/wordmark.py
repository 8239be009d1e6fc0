"""`python -m tools.wordmark`: the shop's sign for the pictures of links, as the running shop's header shows it.

Owns functions/_shared/pages/wordmark.png: the functions have no fonts.
"""

from __future__ import annotations

from playwright.sync_api import sync_playwright

from tests.support.browser import FLAGS, find_browser
from tests.support.stacks import ROOT, clean_environ, read_stack

FILE = ROOT / "functions" / "_shared" / "pages" / "wordmark.png"
_SIGN = "header a[aria-label='Teesmith, home'] > span"
_ALONE = "html, body, header, header * { background: none !important; border-color: transparent !important; }"


def main() -> None:
    """Takes the picture, without a ground, at twice the header's size."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=find_browser(), args=list(FLAGS))
        page = browser.new_page(device_scale_factor=2, color_scheme="light")
        page.goto(read_stack(ROOT, clean_environ({})).site_url)
        page.add_style_tag(content=_ALONE)
        page.evaluate("document.fonts.ready")
        page.locator(_SIGN).first.screenshot(path=FILE, omit_background=True)
        browser.close()


if __name__ == "__main__":
    main()
