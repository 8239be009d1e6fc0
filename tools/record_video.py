"""`python -m tools.record_video`: films the running shop, from an idea to the order, for the landing page.

Drives Chromium as a person would, takes the page's own frames over the DevTools protocol, and encodes them with the
ffmpeg of imageio-ffmpeg. Writes the video into the storage bucket's seed (sql/storage/videos), and its poster and
captions to the web client.
"""

from __future__ import annotations

import base64
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import imageio_ffmpeg  # type: ignore[import-untyped, unused-ignore]
from PIL import Image
from playwright.sync_api import CDPSession, Locator, Page, ViewportSize, expect, sync_playwright

from tests.e2e.accounts.users_in_browser import enter
from tests.support.browser import FLAGS, find_browser
from tests.support.stacks import ROOT, clean_environ, read_stack
from tests.support.users import Users
from tools.soundtrack import write_soundtrack

WIDTH, HEIGHT, RATE = 1280, 720, 25
# The window is larger than the film, so that a shirt and its views fit into one picture.
WINDOW = ViewportSize(width=1600, height=900)
VIDEO = ROOT / "sql" / "storage" / "videos" / "demo-video.mp4"
LANDING = ROOT / "web" / "src" / "features" / "landing"
POSTER = LANDING / "pictures" / "demo-poster.webp"
CAPTIONS = LANDING / "video" / "demo-video.vtt"
LARGEST = 3 * 1024 * 1024
# The browser's frames don't show the pointer.
POINTER = """
addEventListener("DOMContentLoaded", () => {
  const dot = document.createElement("div");
  dot.style.cssText = "position:fixed;z-index:99999;width:22px;height:22px;margin:-11px 0 0 -11px;border-radius:50%;" +
    "background:rgb(240 73 47 / .55);border:2px solid #1b1714;pointer-events:none;left:-50px;transition:scale .12s";
  document.documentElement.append(dot);
  addEventListener("mousemove", (event) => {
    dot.style.left = event.clientX + "px";
    dot.style.top = event.clientY + "px";
  });
  addEventListener("mousedown", () => { dot.style.scale = ".6"; });
  addEventListener("mouseup", () => { dot.style.scale = "1"; });
});
"""


@dataclass
class Film:
    """Frames with the moments at which they were drawn, and what is said at which of them."""

    folder: Path
    frames: list[tuple[Path, float]] = field(default_factory=list)
    lines: list[tuple[float, str]] = field(default_factory=list)
    taking: bool = False

    def follow(self, page: Page) -> CDPSession:
        session = page.context.new_cdp_session(page)

        def save_frame(event: dict[str, Any]) -> None:
            session.send("Page.screencastFrameAck", {"sessionId": event["sessionId"]})
            if self.taking:
                file = self.folder / f"{len(self.frames):05}.jpg"
                file.write_bytes(base64.b64decode(event["data"]))
                self.frames.append((file, event["metadata"]["timestamp"]))

        session.on("Page.screencastFrame", save_frame)
        session.send(
            "Page.startScreencast",
            {"format": "jpeg", "quality": 92, "maxWidth": WIDTH, "maxHeight": HEIGHT, "everyNthFrame": 1},
        )
        return session

    def say(self, line: str) -> None:
        self.lines.append((time.time(), line))

    def shots(self, longest: float = 1.2) -> list[tuple[Path, float]]:
        """Each frame with its duration; long waits are shortened."""
        ends = [moment for _, moment in self.frames[1:]] + [self.frames[-1][1] + longest]
        return [
            (file, min(longest, max(0.02, end - moment)))
            for (file, moment), end in zip(self.frames, ends, strict=True)
        ]


def record(film: Film) -> None:
    stack = read_stack(ROOT, clean_environ({}))
    person = Users(stack).new("film")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=find_browser(), args=list(FLAGS))
        context = browser.new_context(base_url=stack.site_url, viewport=WINDOW, color_scheme="light")
        context.add_init_script(POINTER)
        page = context.new_page()
        film.follow(page)
        page.goto("/")
        page.wait_for_load_state("networkidle")
        _visit(page, film)
        film.taking = False
        enter(page, stack, person)
        page.goto("/design/ai-generator")
        page.wait_for_load_state("networkidle")
        _design(page, film)
        _order(page, film)
        film.taking = False
        browser.close()


def _visit(page: Page, film: Film) -> None:
    page.mouse.move(900, 650)
    film.taking = True
    film.say("Think it. Wear it: this is Teesmith.")
    _rest(page, 1.4)
    _move(page, page.get_by_role("link", name="Start Designing for Free").first)
    _rest(page, 0.4)


def _design(page: Page, film: Film) -> None:
    film.taking = True
    film.say("Choose a style and a tone.")
    _press(page, page.get_by_role("button", name="Vintage"))
    _press(page, page.get_by_role("button", name="bold"))
    film.say("Describe your idea.")
    idea = page.get_by_label("Your idea")
    _press(page, idea)
    idea.press_sequentially("A fox riding a bicycle under the moon", delay=38)
    text = page.get_by_label("Text on the shirt")
    _press(page, text)
    text.press_sequentially("Night ride", delay=45)
    film.say("Pick the color of the shirt.")
    _press(page, page.get_by_role("button", name="Navy"))
    film.say("AI draws it.")
    _press(page, page.get_by_role("button", name="Next: Generate Image"))
    expect(page.get_by_text("Your Design is Ready!")).to_be_visible(timeout=90_000)
    page.wait_for_load_state("networkidle")
    film.say("Your design is ready. Save it.")
    _rest(page, 1.4)
    _press(page, page.get_by_role("button", name="Save and Create Product"))


def _order(page: Page, film: Film) -> None:
    # the wait for the print file is cut
    _rest(page, 1.2)
    film.taking = False
    expect(page.get_by_role("heading", name="Preview Your Creation")).to_be_visible(timeout=90_000)
    expect(page.get_by_text("Ready for order")).to_be_visible(timeout=90_000)
    page.mouse.wheel(0, 110)
    _see_pictures(page)
    film.taking = True
    film.say("See it on the shirt, from every side.")
    _rest(page, 1.2)
    for view in ("Hanger", "Male Model"):
        _press(page, page.get_by_role("button", name=view, exact=True))
        _see_pictures(page)
        _rest(page, 0.8)
    film.say("Choose sizes, pay by card, and it is on its way.")
    _press(page, page.get_by_role("link", name="Order Now"))
    expect(page.get_by_role("heading", name="Place Your Order")).to_be_visible()
    _see_pictures(page)
    for size in ("M", "XL"):
        _press(page, page.get_by_role("button", name=f"Increase {size} quantity"))
    _rest(page, 1.6)


def _see_pictures(page: Page) -> None:
    for picture in page.locator("main img").all():
        expect(picture).to_have_js_property("complete", True, timeout=60_000)


def _move(page: Page, target: Locator) -> None:
    target.scroll_into_view_if_needed()
    box = target.bounding_box()
    assert box, "what the film points at is not on the page"
    page.mouse.move(box["x"] + min(box["width"] / 2, 160), box["y"] + box["height"] / 2, steps=14)


def _press(page: Page, target: Locator) -> None:
    _move(page, target)
    _rest(page, 0.25)
    page.mouse.down()
    page.mouse.up()
    _rest(page, 0.3)


def _rest(page: Page, seconds: float) -> None:
    # A film needs its pauses: here time itself is what is waited for.
    page.wait_for_timeout(seconds * 1000)


def encode(film: Film, folder: Path) -> float:
    """Writes the video; its length in seconds."""
    shots = film.shots()
    length = sum(stay for _, stay in shots)
    list_file = folder / "cut.txt"
    lines = [f"file '{file}'\nduration {stay:.4f}" for file, stay in shots]
    list_file.write_text("\n".join([*lines, f"file '{shots[-1][0]}'"]) + "\n")
    sound = write_soundtrack(folder / "sound.wav", length)
    VIDEO.parent.mkdir(parents=True, exist_ok=True)
    command = [
        imageio_ffmpeg.get_ffmpeg_exe(), "-y", "-loglevel", "error", "-f", "concat", "-safe", "0", "-i", str(list_file),
        "-i", str(sound), "-vf", f"fps={RATE},scale={WIDTH}:{HEIGHT}:flags=lanczos:out_range=tv,format=yuv420p",
        "-c:v", "libx264", "-preset", "slow", "-crf", "23", "-profile:v", "high", "-c:a", "aac", "-b:a", "96k",
        "-shortest", "-movflags", "+faststart", "-map_metadata", "-1", str(VIDEO),
    ]  # fmt: skip
    subprocess.run(command, check=True)
    return length


def write_captions(film: Film) -> None:
    """Return what is said, at the moments of the cut film rather than of the recording."""
    starts: list[float] = []
    for moment, _ in film.lines:
        passed = 0.0
        for (_, stay), (_, drawn) in zip(film.shots(), film.frames, strict=True):
            if drawn >= moment:
                break
            passed += stay
        starts.append(passed)
    ends = [*starts[1:], sum(stay for _, stay in film.shots())]
    cues = [
        f"{_stamp(start)} --> {_stamp(end)}\n{line}"
        for start, end, (_, line) in zip(starts, ends, film.lines, strict=True)
    ]
    CAPTIONS.write_text("WEBVTT\n\n" + "\n\n".join(cues) + "\n")


def _stamp(seconds: float) -> str:
    return f"{int(seconds // 60):02}:{seconds % 60:06.3f}"


def write_poster(film: Film) -> None:
    """The finished design on the page: the moment before "Save it" is over."""
    said = next(moment for moment, line in film.lines if line.startswith("See it"))
    shown = [file for file, moment in film.frames if moment <= said + 1.1]
    with Image.open(shown[-1]) as frame:
        frame.convert("RGB").resize((WIDTH, HEIGHT), Image.Resampling.LANCZOS).save(
            POSTER, "WEBP", quality=78
        )


def main() -> int:
    with tempfile.TemporaryDirectory() as scratch:
        film = Film(Path(scratch))
        record(film)
        length = encode(film, Path(scratch))
        write_captions(film)
        write_poster(film)
    size = VIDEO.stat().st_size
    sys.stdout.write(f"{VIDEO.relative_to(ROOT)}: {length:.1f} s, {size / 1024:.0f} kB\n")
    if not 20 <= length <= 40 or size > LARGEST:
        sys.stderr.write("error: the video should last 20 to 40 s and have 3 MB at most\n")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
