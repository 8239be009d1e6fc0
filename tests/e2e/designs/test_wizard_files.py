"""The wizards' words before and after drawing: files that are no whole picture, words that are not read, who drew."""

from __future__ import annotations

import io

import pytest
from PIL import Image
from playwright.sync_api import FilePayload, Page, ViewportSize, expect

from tests.e2e.accounts.users_in_browser import enter
from tests.e2e.conftest import Visit
from tests.support.stacks import ROOT, Stack
from tests.support.users import Users

COFFEE = ROOT / "tests" / "support" / "photos" / "coffee.jpg"
SVG = (
    b"<svg xmlns='http://www.w3.org/2000/svg' width='20' height='10'>"
    b"<circle cx='10' cy='5' r='4' fill='red'/></svg>"
)
NOT_WHOLE = "This picture can't be opened whole"


def encoded(kind: str, **options: object) -> bytes:
    out = io.BytesIO()
    with Image.open(COFFEE) as photo:
        photo.reduce(2).save(out, kind, **options)
    return out.getvalue()


def file(name: str, media_type: str, content: bytes) -> FilePayload:
    return {"name": name, "mimeType": media_type, "buffer": content}


def broken_files() -> list[FilePayload]:
    """Cut in the middle, cut just before their end, with a wrong byte, and no pictures at all."""
    files = [
        file("photo.png", "image/png", b"%PDF-1.7 hello"),
        file("photo.heic", "image/heic", b"\0\0\0\x18ftypheic" + bytes(40)),
        file("drawing.svg", "image/svg+xml", SVG[:60]),
        file("empty.jpg", "image/jpeg", b""),
    ]
    for kind in ("JPEG", "PNG", "GIF", "WEBP", "AVIF"):
        whole = encoded(kind)
        for part in (whole[: len(whole) // 2], whole[:-40]):
            files.append(file(f"photo.{kind.lower()}", f"image/{kind.lower()}", part))
    damaged = bytearray(encoded("PNG"))
    damaged[len(damaged) // 2] ^= 255
    return [*files, file("damaged.png", "image/png", bytes(damaged))]


def choose(page: Page, chosen: FilePayload) -> list[int]:
    """Width and height of the photo that the form shows instead of the one before."""
    photo = page.get_by_alt_text("The one you uploaded")
    before = photo.get_attribute("src") if photo.count() else ""
    page.locator("input[type=file]").set_input_files(chosen)
    expect(photo).not_to_have_attribute("src", before or "")
    size: list[int] = photo.evaluate(
        "async img => (await img.decode(), [img.naturalWidth, img.naturalHeight])"
    )
    return size


def test_only_whole_pictures_are_taken_and_the_form_says_why(
    visit: Visit, stack: Stack, users: Users
) -> None:
    page = visit.page
    enter(page, stack, users.new("photographer"))
    page.goto("/design/from-picture")
    chooser = page.locator("input[type=file]")
    problem = page.get_by_role("alert").filter(has_text=NOT_WHOLE)

    chooser.set_input_files(file("letter.pdf", "application/pdf", b"%PDF-1.7 hello"))
    chooser.set_input_files(file("notes", "", b"hello"))
    chooser.set_input_files(broken_files()[0])
    expect(problem).to_be_visible()
    expect(page.get_by_role("button", name="Change")).not_to_be_visible()
    for number, each in enumerate(broken_files()):
        chooser.set_input_files(each)
        expect(problem, each["name"]).to_be_visible()
        # a whole picture takes the sentence away
        with Image.open(COFFEE) as photo:
            width = 40 + number
            out = io.BytesIO()
            photo.resize((width, 30)).save(out, "PNG")
        assert choose(page, file("good.png", "image/png", out.getvalue())) == [width, 30]
        expect(problem).not_to_be_visible()
    assert choose(page, file("drawing.svg", "image/svg+xml", SVG)) == [1536, 768]


def test_every_whole_picture_is_taken_upright(visit: Visit, stack: Stack, users: Users) -> None:
    page = visit.page
    enter(page, stack, users.new("photographer"))
    page.goto("/design/from-picture")
    turned = Image.Exif()
    turned[0x0112] = 6
    for kind in ("JPEG", "PNG", "GIF", "WEBP", "AVIF"):
        width, height = choose(page, file(f"a.{kind}", f"image/{kind.lower()}", encoded(kind)))
        assert width > height, kind
    width, height = choose(page, file("phone.jpg", "image/jpeg", encoded("JPEG", exif=turned)))
    assert width < height


def test_photo_chosen_last_is_the_one_that_stays(visit: Visit, stack: Stack, users: Users) -> None:
    page = visit.page
    enter(page, stack, users.new("photographer"))
    page.goto("/design/from-picture")
    page.evaluate(
        """() => {
          const read = createImageBitmap;
          const released = new Promise(resolve => { self.release = resolve; });
          self.createImageBitmap = async chosen => {
            if (chosen.name !== 'slow.png') return read(chosen);
            await released;
            return self.slow = read(chosen);
          };
        }"""
    )
    page.locator("input[type=file]").set_input_files(file("slow.png", "image/png", encoded("PNG")))
    choose(page, file("quick.jpg", "image/jpeg", encoded("JPEG")))
    page.evaluate(
        """async () => {
          release();
          while (!self.slow) await new Promise(requestAnimationFrame);
          await self.slow;
          await new Promise(requestAnimationFrame);
          await new Promise(requestAnimationFrame);
        }"""
    )
    shown = page.get_by_alt_text("The one you uploaded").get_attribute("src") or ""
    assert shown.startswith("data:image/jpeg;base64,")


def test_cut_out_keeps_its_transparency_in_every_format(visit: Visit, stack: Stack, users: Users) -> None:
    page = visit.page
    enter(page, stack, users.new("photographer"))
    page.goto("/design/from-picture")
    drawn = Image.new("RGBA", (64, 32), (0, 0, 0, 0))
    drawn.paste((255, 0, 0, 255), (16, 8, 48, 24))
    cut_outs = dict.fromkeys(("PNG", "WEBP", "AVIF", "GIF"), drawn)
    cut_outs |= {"palette.PNG": drawn.quantize(8), "grey.PNG": drawn.convert("LA")}
    for number, (name, picture) in enumerate(cut_outs.items()):
        kind, out = name.rpartition(".")[2], io.BytesIO()
        picture.resize((64 + number, 32)).save(out, kind)
        chosen = file(f"a.{name}", f"image/{kind.lower()}", out.getvalue())
        assert choose(page, chosen) == [64 + number, 32], name
        assert alphas(page) == [0, 255], name
    # what has none is sent as a small JPEG
    opaque = io.BytesIO()
    drawn.convert("RGB").resize((30, 20)).save(opaque, "WEBP")
    choose(page, file("a.webp", "image/webp", opaque.getvalue()))
    source = page.get_by_alt_text("The one you uploaded").get_attribute("src") or ""
    assert source.startswith("data:image/jpeg;base64,")


def alphas(page: Page) -> list[int]:
    """Of the photo's corner and of its middle."""
    found: list[int] = page.get_by_alt_text("The one you uploaded").evaluate(
        """img => {
          const canvas = new OffscreenCanvas(img.naturalWidth, img.naturalHeight);
          const context = canvas.getContext('2d');
          context.drawImage(img, 0, 0);
          const alpha = (x, y) => context.getImageData(x, y, 1, 1).data[3];
          return [alpha(0, 0), alpha(canvas.width / 2, canvas.height / 2)];
        }"""
    )
    return found


@pytest.mark.parametrize("visit", [ViewportSize(width=390, height=844)], indirect=True)
def test_wizard_says_that_the_sample_artist_draws_and_what_it_reads(
    visit: Visit, stack: Stack, users: Users
) -> None:
    page = visit.page
    visit.expected.append("422 (Unprocessable Entity)")
    enter(page, stack, users.new("photographer"))
    page.goto("/design/ai-generator")
    page.get_by_role("button", name="Navy").click()
    page.get_by_label("Your idea").fill("eine Katze im Regenmantel")
    page.get_by_role("button", name="Next: Generate Image").click()
    panel = page.get_by_role("alert").filter(has=page.get_by_role("heading", name="Generation Failed"))
    expect(panel).to_contain_text("The sample artist reads English, and this is another language.")
    page.get_by_role("button", name="Back to Form").click()

    page.get_by_label("Your idea").fill("a cat in a raincoat")
    page.get_by_label("Text on the shirt").fill("雨の日 🐱")
    page.get_by_role("button", name="Next: Generate Image").click()
    expect(page.get_by_text("Your Design is Ready!")).to_be_visible()
    expect(page.get_by_text("Drawn by the sample artist")).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    # a job's picture says it too, after a reload
    page.reload()
    expect(page.get_by_text("Drawn by the sample artist")).to_be_visible()
