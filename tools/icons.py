"""`python -m tools.icons`: the shop's icons for browsers and home screens, drawn from web/public/favicon.svg.

Run it again when the mark changes. The icon of a tab keeps its round corners; those of home screens fill their square,
which the system cuts, and the maskable one keeps the mark within the inner four fifths (W3C Web App Manifest).
"""

from __future__ import annotations

import io
import re
import sys
from pathlib import Path

from PIL import Image
from playwright.sync_api import sync_playwright

from tests.support.browser import FLAGS, find_browser

PUBLIC = Path(__file__).resolve().parents[1] / "web" / "public"
LARGEST = 512
SAFE = 0.8


def square(svg: str, scale: float) -> str:
    """The mark on a ground without corners, smaller by `scale`."""
    shift = 20 * (1 - scale)
    svg = svg.replace(' rx="9"', "")
    return re.sub(
        r"(<rect[^>]*/>)(.*)(</svg>)",
        rf'\1<g transform="translate({shift} {shift}) scale({scale})">\2</g>\3',
        svg,
    )


def main() -> int:
    """Draws all of them."""
    svg = (PUBLIC / "favicon.svg").read_text("utf-8")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=find_browser(), args=FLAGS)
        page = browser.new_page(viewport={"width": LARGEST, "height": LARGEST})

        def drawn(text: str) -> Image.Image:
            page.set_content(
                f"<style>body {{ margin: 0 }} svg {{ display: block; width: {LARGEST}px }}</style>{text}"
            )
            return Image.open(io.BytesIO(page.screenshot(omit_background=True)))

        tab, home, masked = drawn(svg), drawn(square(svg, 1)), drawn(square(svg, SAFE))
        browser.close()

    def save(image: Image.Image, name: str, side: int) -> None:
        image.resize((side, side), Image.Resampling.LANCZOS).convert("RGB").save(PUBLIC / name, optimize=True)

    tab.save(PUBLIC / "favicon.ico", sizes=[(16, 16), (32, 32), (48, 48)])
    save(home, "apple-touch-icon.png", 180)
    save(home, "icon-192.png", 192)
    save(home, "icon-512.png", 512)
    save(masked, "icon-maskable-512.png", 512)
    return 0


if __name__ == "__main__":
    sys.exit(main())
