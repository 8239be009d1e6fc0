"""`python -m tools.readme_pictures`: the pictures of README.md, taken from the running shop, light and dark.

Owns docs/pictures: the landing page and the mailbox with a mail that the shop has just sent. Run it on the data of
`make reset`. Each picture is WebP of at most 200 kB, as wide as a README is shown on a dense screen.
"""

from __future__ import annotations

import io
import sys
from collections.abc import Callable

import httpx
from PIL import Image
from playwright.sync_api import Browser, Page, ViewportSize, expect, sync_playwright

from tests.support.browser import FLAGS, find_browser
from tests.support.stacks import ROOT, Stack, clean_environ, read_stack

PICTURES = ROOT / "docs" / "pictures"
WIDTH = 1600
LARGEST = 200_000
SHOP_WINDOW = ViewportSize(width=1360, height=786)
MAILBOX_WINDOW = ViewportSize(width=1160, height=700)
SHOPPER = "shopper@teesmith.example"


def main() -> None:
    """Takes every picture; prints its file and size."""
    stack = read_stack(ROOT, clean_environ({}))
    _send_mails(stack)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=find_browser(), args=list(FLAGS))
        for theme in ("light", "dark"):
            _take(browser, theme, SHOP_WINDOW, f"shop-{theme}.webp", lambda page: _open_shop(page, stack))
            _take(
                browser,
                theme,
                MAILBOX_WINDOW,
                f"mailbox-{theme}.webp",
                lambda page: _open_mailbox(page, stack),
            )
        browser.close()


def _send_mails(stack: Stack) -> None:
    """Mails that need no new account: a link to sign in, and a forgotten password."""
    address = f"{stack.api_url}/auth/v1"
    with httpx.Client(headers={"apikey": stack.anon_key}, timeout=20) as client:
        link = {"email": "admin@teesmith.example", "create_user": False}
        client.post(f"{address}/otp", json=link).raise_for_status()
        client.post(f"{address}/recover", json={"email": SHOPPER}).raise_for_status()


def _open_shop(page: Page, stack: Stack) -> None:
    page.goto(stack.site_url)
    page.wait_for_load_state("networkidle")


def _open_mailbox(page: Page, stack: Stack) -> None:
    page.goto(stack.mailbox_url)
    page.get_by_text(SHOPPER).first.click()
    expect(page.frame_locator("iframe").get_by_role("link").first).to_be_visible()


def _take(
    browser: Browser, theme: str, window: ViewportSize, name: str, show: Callable[[Page], None]
) -> None:
    context = browser.new_context(
        viewport=window,
        device_scale_factor=2,
        color_scheme="dark" if theme == "dark" else "light",
        reduced_motion="reduce",
    )
    page = context.new_page()
    show(page)
    with Image.open(io.BytesIO(page.screenshot())) as shot:
        height = round(WIDTH * shot.height / shot.width)
        picture = shot.convert("RGB").resize((WIDTH, height), Image.Resampling.LANCZOS)
    context.close()
    content = _encode(picture)
    file = PICTURES / name
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(content)
    print(f"{file.relative_to(ROOT)}  {len(content) // 1000} kB")


def _encode(picture: Image.Image) -> bytes:
    """The best quality that fits."""
    for quality in range(90, 40, -5):
        out = io.BytesIO()
        picture.save(out, "WEBP", quality=quality, method=6)
        if out.tell() <= LARGEST:
            return out.getvalue()
    raise SystemExit(f"error: the picture has more than {LARGEST // 1000} kB in any quality.")


if __name__ == "__main__":
    if len(sys.argv) > 1:
        raise SystemExit("usage: python -m tools.readme_pictures")
    main()
