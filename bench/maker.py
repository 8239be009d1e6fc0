"""Interaction to Next Paint in the maker, with ten layers on a processor four times slower.

Each hand's work is done several times in Chromium: moving, scaling and turning by mouse, keys, typing, undoing. An
interaction's duration is what the Event Timing API says of it, in steps of 8 ms, as web-vitals takes it: the longest of
an interaction's events, and of fewer than fifty interactions the longest. Time in scripts and layout is told beside it:
where other programs take the processor, an interaction waits for them too.
"""

from __future__ import annotations

import statistics
import sys
import uuid
from collections.abc import Callable, Iterator
from typing import Any

import httpx
from localbase.core.project import Project
from playwright.sync_api import CDPSession, Locator, Page, sync_playwright

from bench.figures import Figure
from bench.scene import ten_layers
from tests.support.browser import FLAGS, find_browser

_SLOWER = 4
_TIMES = 4
_LIMIT_MS = 100
Work = Callable[[], None]
Ready = Callable[[int], Work]
_PASSWORD = "a long enough password"  # noqa: S105 - of an account that lives for one measurement
_SESSION = "teesmith-session"
# Event Timing, from the first event on; the shortest duration that browsers tell of is 16 ms
_WATCH = """
window.interactions = new Map();
new PerformanceObserver((list) => {
  for (const { interactionId, duration } of list.getEntries())
    if (interactionId) interactions.set(interactionId, Math.max(interactions.get(interactionId) ?? 0, duration));
}).observe({ type: "event", durationThreshold: 16, buffered: true });
"""
_OURS = ("ScriptDuration", "LayoutDuration", "RecalcStyleDuration")
# two frames: the one that an interaction is painted in, and one after which its entry is there
_PAINTED = (
    "() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done))))"
)

# what follows the interaction before is drawn: no hand is that fast
_AT_REST = "() => new Promise((done) => setTimeout(() => requestIdleCallback(done), 100))"


def maker_figures(project: Project) -> Iterator[Figure]:
    """Milliseconds of each kind of work, the longest of all beside its limit."""
    browser = find_browser()
    if browser is None:
        sys.stderr.write("  There is no browser: the maker is left out.\n")
        return
    site, api = project.settings.auth.site_url, project.settings.api_url
    keys = project.settings.keys
    service = httpx.Client(
        base_url=api, headers={"apikey": keys.service_role, "authorization": f"Bearer {keys.service_role}"}
    )
    email = f"maker-{uuid.uuid4().hex[:8]}@example.com"
    account = {"email": email, "password": _PASSWORD, "email_confirm": True}
    person = service.post("/auth/v1/admin/users", json=account).raise_for_status().json()["id"]
    try:
        session, design = _prepared(api, keys.publishable, email)
        with sync_playwright() as playwright:
            chromium = playwright.chromium.launch(executable_path=browser, args=list(FLAGS))
            page = chromium.new_page(viewport={"width": 1350, "height": 940})
            page.add_init_script(_WATCH)
            page.goto(f"{site}/robots.txt")
            page.evaluate("([key, value]) => localStorage.setItem(key, value)", [_SESSION, session])
            page.goto(f"{site}/adjust?design={design}")
            page.get_by_role("heading", name="Adjust your shirt").wait_for()
            page.wait_for_function("() => document.querySelectorAll('[data-layer]').length === 10")
            page.wait_for_load_state("networkidle")
            yield from _measured(page)
            chromium.close()
    finally:
        service.delete(f"/auth/v1/admin/users/{person}").raise_for_status()


def _prepared(api: str, key: str, email: str) -> tuple[str, str]:
    """A session as the page stores it, and a design whose draft has ten layers."""
    with httpx.Client(base_url=api, headers={"apikey": key}, timeout=60) as client:
        answer = client.post(
            "/auth/v1/token", params={"grant_type": "password"}, json={"email": email, "password": _PASSWORD}
        ).raise_for_status()
        client.headers["authorization"] = f"Bearer {answer.json()['access_token']}"
        rows = client.get("/rest/v1/product_variants", params={"select": "id", "limit": "1"}).json()
        begun = client.post("/functions/v1/begin-design", json={"selectedColors": [rows[0]["id"]]})
        design = begun.raise_for_status().json()["designId"]
        scene = ten_layers()
        scene["front"] = [_without_picture(layer) for layer in scene["front"]]
        client.post(
            "/rest/v1/rpc/save_scene", json={"design": design, "scene": scene, "revision": 1}
        ).raise_for_status()
        return answer.text, str(design)


def _without_picture(layer: dict[str, Any]) -> dict[str, Any]:
    """Shapes in the pictures' places: a browser moves pictures as it moves those, and they are no one's yet."""
    if layer["kind"] != "picture":
        return layer
    place = {name: layer[name] for name in ("id", "x", "y", "scale", "angle")}
    return {**place, "kind": "shape", "shape": "star", "color": "#c8102e", "ratio": 0.95}


def _measured(page: Page) -> Iterator[Figure]:
    developer = page.context.new_cdp_session(page)
    developer.send("Performance.enable")
    developer.send("Emulation.setCPUThrottlingRate", {"rate": _SLOWER})
    worst = 0.0
    layers = page.locator("li > button[aria-pressed]")
    for name, (layer, ready) in _works(page).items():
        durations, spent = [], []
        if layer is not None:
            layers.nth(layer).click()
            page.wait_for_load_state("networkidle")
        for turn in range(_TIMES):
            work = ready(turn)
            page.evaluate(_AT_REST)
            page.evaluate("() => interactions.clear()")
            before = _script_ms(developer)
            work()
            page.evaluate(_PAINTED)
            page.evaluate(_PAINTED)
            spent.append(_script_ms(developer) - before)
            durations += page.evaluate("() => [...interactions.values()]")
        longest = max(durations, default=0.0)
        worst = max(worst, longest)
        yield Figure(f"maker, {name}: longest interaction", longest, None, "ms")
        yield Figure(f"maker, {name}: scripts and layout", statistics.median(spent), None, "ms")
    yield Figure("maker, ten layers, 4 × slower: Interaction to Next Paint", worst, _LIMIT_MS, "ms")


def _script_ms(developer: CDPSession) -> float:
    """Scripts, styles and layout so far: what is the page's own, while the rest is Chromium's drawing."""
    metrics = developer.send("Performance.getMetrics")["metrics"]
    return 1000 * sum(float(each["value"]) for each in metrics if each["name"] in _OURS)


def _works(page: Page) -> dict[str, tuple[int | None, Ready]]:
    """By its name, the layer that is selected before, by its number in the list, and what makes ready for the work."""
    stage = page.get_by_role("region", name="The shirt")
    layers = page.locator("li > button[aria-pressed]")

    def at(place: Locator) -> tuple[float, float]:
        place.scroll_into_view_if_needed()
        box = place.bounding_box()
        if box is None:
            raise SystemExit(f"{place} is not in view")
        return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2

    def click(place: Locator) -> Work:
        x, y = at(place)
        return lambda: page.mouse.click(x, y)

    def drag(place: Locator, by: float) -> Work:
        x, y = at(place)

        def dragged() -> None:
            page.mouse.move(x, y)
            page.mouse.down()
            for step in range(1, 11):
                page.mouse.move(x + by * step, y + by * step / 2)
            page.mouse.up()

        return dragged

    def press(place: Locator, key: str) -> Work:
        place.focus()
        return lambda: page.keyboard.press(key)

    burst = stage.locator('[data-layer="l8"]')
    words = page.get_by_role("textbox", name="Words")
    # the list begins with the topmost: l9, a shape; then l8, and the letterings from l7 on
    return {
        "selecting": (None, lambda turn: click(layers.nth(3 + turn % 2))),
        "moving": (1, lambda turn: drag(burst, 3 if turn % 2 else -3)),
        "scaling": (1, lambda turn: drag(stage.locator('[data-handle="2"]'), 2 if turn % 2 else -2)),
        "turning": (1, lambda turn: drag(stage.locator('[data-handle="turn"]'), 4 if turn % 2 else -4)),
        "arrow keys": (1, lambda _turn: press(burst, "ArrowLeft")),
        "typing": (3, lambda turn: press(words, "abcd"[turn])),
        "undoing": (None, lambda _turn: click(page.get_by_role("button", name="Undo"))),
    }
