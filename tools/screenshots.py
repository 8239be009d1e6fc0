"""`python -m tools.screenshots FOLDER`: every page of the running shop at 1440 and 390 px, light and dark."""

from __future__ import annotations

import sys
from pathlib import Path

from playwright.sync_api import Browser, Page, expect, sync_playwright

from tests.e2e.steps import query
from tests.support.browser import FLAGS, find_browser
from tests.support.stacks import ROOT, Stack, clean_environ, read_stack

_SIZES = {"desktop": (1440, 900), "phone": (390, 844)}
_VISITOR = {
    "landing": "/",
    "auth": "/auth",
    "reset-password": "/auth/reset-password",
    "signup": "/signup",
    "discover": "/discover",
    "faq": "/faq",
    "privacy-policy": "/privacy-policy",
    "terms-of-service": "/terms-of-service",
    "return-policy": "/return-policy",
    "accessibility": "/accessibility",
    "missing": "/nowhere",
}


_WALK_DOWN = """async () => {
  const frame = () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
  for (let y = 0; y < document.body.scrollHeight; y += innerHeight / 2) {
    scrollTo(0, y);
    await frame();
  }
  await Promise.all([...document.images].map((image) => image.decode().catch(() => undefined)));
  scrollTo(0, 0);
  await frame();
}"""


def main(folder: Path) -> None:
    """Takes the pictures; one file a page, size and theme."""
    stack = read_stack(ROOT, clean_environ({}))
    program = find_browser()
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program, args=list(FLAGS))
        for size, (width, height) in _SIZES.items():
            for theme in ("light", "dark"):
                target = folder / f"{size}-{theme}"
                target.mkdir(parents=True, exist_ok=True)
                _tour(browser, stack, target, theme, width, height)
        browser.close()


def _tour(browser: Browser, stack: Stack, target: Path, theme: str, width: int, height: int) -> None:
    context = browser.new_context(
        base_url=stack.site_url,
        viewport={"width": width, "height": height},
        color_scheme="dark" if theme == "dark" else "light",
        reduced_motion="reduce",
    )
    page = context.new_page()
    for name, path in _VISITOR.items():
        _take(page, path, target / f"{name}.png")
    _sign_in(page, "shopper@teesmith.example")
    for name, path in _shopper_pages(stack).items():
        _take(page, path, target / f"{name}.png")
    page.evaluate("localStorage.clear()")
    _sign_in(page, "admin@teesmith.example")
    for tab in ("users", "orders", "designs", "webhook"):
        _take(page, f"/admin?tab={tab}", target / f"admin-{tab}.png")
    context.close()


def _sign_in(page: Page, email: str) -> None:
    page.goto("/auth")
    page.get_by_role("button", name="Continue with email").click()
    page.get_by_label("Email").fill(email)
    page.get_by_label("Password", exact=True).fill("teesmith-demo")
    page.get_by_role("button", name="Log in", exact=True).click()
    expect(page).to_have_url(f"{page.url.split('/auth')[0]}/dashboard")


def _shopper_pages(stack: Stack) -> dict[str, str]:
    pages = {
        "dashboard": "/dashboard",
        "design": "/design",
        "ai-generator": "/design/ai-generator",
        "from-picture": "/design/from-picture",
        "design-templates": "/design-templates",
        "profile": "/profile",
        "order-success": "/order-success/00000000-0000-4000-8000-0000000abcde",
        "admin-denied": "/admin",
        "order-not-found": "/order?design=00000000-0000-4000-8000-000000000000",
    }
    designs = query(
        stack,
        "select designs.id, selected_colors[1] as color from designs join auth.users on users.id = designs.user_id "
        "where email = 'shopper@teesmith.example' and printify_product_id is not null "
        "order by designs.created_at limit 1",
    )
    for design in designs:
        pages["mockup"] = f"/mockup?design={design['id']}&color={design['color']}"
        pages["adjust"] = f"/adjust?design={design['id']}&color={design['color']}"
        pages["order"] = f"/order?design={design['id']}&color={design['color']}"
        pages["shared-design"] = f"/design/{design['id']}"
    orders = query(
        stack,
        "select orders.id from orders join auth.users on users.id = orders.user_id "
        "where email = 'shopper@teesmith.example' order by orders.created_at limit 1",
    )
    for order in orders:
        pages["order-details"] = f"/order-details/{order['id']}"
    return pages


def _take(page: Page, path: str, file: Path) -> None:
    page.goto(path)
    page.wait_for_load_state("networkidle")
    # Pictures load as they come into view: walk down once, as a person would.
    page.evaluate(_WALK_DOWN)
    page.screenshot(path=file, full_page=True)
    sys.stdout.write(f"{file}\n")


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit("usage: python -m tools.screenshots FOLDER")
    main(Path(sys.argv[1]))
