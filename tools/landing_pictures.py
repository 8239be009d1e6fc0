"""`python -m tools.landing_pictures`: the landing page's pictures, made by the local artist and the mockup studio.

Owns web/src/features/landing/pictures, the sample order's shirt and the link preview. The same prompts and seeds give
the same pictures; run it again when the artist or the studio draw better. Each picture has the size at which it is
shown, and twice that.
"""

from __future__ import annotations

import io
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from PIL import Image

from emulators.artist import draw, restyle
from emulators.assets import Assets
from emulators.gallery import as_printed
from emulators.mockups import draw_mockup

ROOT = Path(__file__).resolve().parents[1]
PICTURES = ROOT / "web" / "src" / "features" / "landing" / "pictures"
PHOTOS = ROOT / "tests" / "support" / "photos"
SAMPLE = ROOT / "web" / "src" / "features" / "order-success" / "sample-shirt.webp"
PREVIEW = ROOT / "web" / "public" / "share.jpg"
SIDE = 1536
SAMPLE_WIDTH = 800
# the studio leaves air around a shirt; a card needs less of it
CROP = (0.055, 0.06, 0.945, 0.95)
CROPS = {"hanger": (0.03, 0.03, 0.97, 0.97), "male": (0.02, 0, 0.98, 0.96), "female": (0.02, 0, 0.98, 0.96)}
COLOURS = {
    "White": "#FFFFFF", "Black": "#1A1A1A", "Navy": "#1F2A44", "Sand": "#CABFAD", "Maroon": "#5B2B42",
    "Forest Green": "#273B33", "Light Blue": "#A3B3CB", "Light Pink": "#E4C6D4", "Charcoal": "#54565A",
    "Royal": "#224D8F", "Red": "#C8102E", "Military Green": "#5E7461", "Orange": "#F4633A",
}  # fmt: skip


@dataclass(frozen=True)
class Shirt:
    """A design on a shirt. It comes from words (`idea`) or from a picture of tests/support/photos (`photo`)."""

    name: str
    colour: str
    style: str
    idea: str = ""
    mood: str = "colorful"
    lettering: str = ""
    photo: str = ""
    view: str = "front"
    seed: int = 7
    widths: tuple[int, ...] = (360, 720)


SHIRTS = (
    Shirt("hero", "Navy", "Vintage", "A fox riding a bicycle under the moon", "bold", "Night ride",
          widths=(560, 1080)),
    Shirt("octopus", "White", "Cartoon", "An octopus playing the drums", view="hanger"),
    Shirt("astronaut", "Black", "Cartoon", "An astronaut cat surfing a wave in space", "bright", seed=5, view="male"),
    Shirt("cat", "Sand", "Sketch", photo="chelsea", seed=3),
    Shirt("coffee", "White", "Pop art", photo="coffee", seed=3, view="hanger"),
    Shirt("birthday", "Light Blue", "Cartoon", "A birthday cake with balloons", "bright", "Forty, finally", seed=2,
          widths=(320, 640)),
    Shirt("team", "Forest Green", "Vintage", "A lion with a football", "earthy", "Sunday league", seed=4,
          widths=(320, 640)),
    Shirt("trip", "Charcoal", "Vintage", "Retro sunset with palm trees", "colorful", "Lisbon crew", seed=4,
          widths=(320, 640)),
    Shirt("pet", "Light Pink", "Cartoon", photo="chelsea", seed=3, view="female", widths=(320, 640)),
    Shirt("joke", "White", "Caricature", "A frog wearing a crown", "bold", "Mostly frog", seed=3, view="female",
          widths=(320, 640)),
    Shirt("band", "Black", "Vintage", "A skull and roses", "dark", "The night shift", seed=6, view="male",
          widths=(320, 640)),
)  # fmt: skip

DEMO_IDEAS = {
    "fox": ("A fox reading a book in the forest", "Stay curious"),
    "whale": ("A whale with a lighthouse", ""),
    "dog": ("A dog wearing sunglasses on a skateboard", "Cool"),
}
DEMO_STYLES = ("Cartoon", "Watercolor", "Vintage")
DEMO_WIDTH = 420


def prompt(shirt: Shirt) -> str:
    colour = f"Shirt colour: {shirt.colour} ({COLOURS[shirt.colour]})"
    if shirt.photo:
        return f"Transform this photo into a t-shirt print design.\nStyle: {shirt.style}\n{colour}"
    text = (
        "T-shirt print design, isolated on a transparent background.\n"
        f"Idea: {shirt.idea}\nStyle: {shirt.style}\nTone: {shirt.mood}\n{colour}"
    )
    return f'{text}\nLettering: "{shirt.lettering}"' if shirt.lettering else text


def square(name: str) -> Image.Image:
    """The middle of a photo, cropped for a shirt."""
    with Image.open(PHOTOS / f"{name}.jpg") as photo:
        side = min(photo.size)
        left, top = (photo.width - side) // 2, (photo.height - side) // 2
        return photo.convert("RGB").crop((left, top, left + side, top + side))


def drawn(shirt: Shirt, assets: Assets) -> Image.Image:
    if shirt.photo:
        content = io.BytesIO()
        square(shirt.photo).save(content, "PNG")
        return restyle(content.getvalue(), prompt(shirt), shirt.seed, assets)
    return draw(prompt(shirt), shirt.seed, (SIDE, SIDE), assets)


def photographed(shirt: Shirt, design: Image.Image) -> Image.Image:
    crop = CROPS.get(shirt.view, CROP)
    side = round(max(shirt.widths) / (crop[2] - crop[0]))
    mockup = draw_mockup(shirt.view, COLOURS[shirt.colour], as_printed(design), side)
    left, top, right, bottom = (round(edge * side) for edge in crop)
    return mockup.crop((left, top, right, bottom))


def scaled(picture: Image.Image, width: int) -> Image.Image:
    return picture.resize((width, round(picture.height * width / picture.width)), Image.Resampling.LANCZOS)


def pictures(assets: Assets) -> Iterator[tuple[str, Image.Image]]:
    """Every picture with its name; shirts carry their width."""
    for shirt in SHIRTS:
        mockup = photographed(shirt, drawn(shirt, assets))
        for width in shirt.widths:
            yield f"{shirt.name}-{width}", scaled(mockup, width)
    for name in ("chelsea", "coffee"):
        yield f"{name}-photo", square(name)
    for key, (idea, lettering) in DEMO_IDEAS.items():
        for style in DEMO_STYLES:
            shirt = Shirt(key, "White", style, idea, lettering=lettering, seed=3)
            yield f"demo-{key}-{style.lower()}", scaled(drawn(shirt, assets), DEMO_WIDTH)


def link_preview(assets: Assets) -> Image.Image:
    """Return what messengers and networks show for a link: two shirts side by side, 1200 × 630 pixels."""
    picture = Image.new("RGB", (1200, 630))
    by_name = {shirt.name: shirt for shirt in SHIRTS}
    for place, name in enumerate(("hero", "astronaut")):
        shirt = by_name[name]
        mockup = scaled(photographed(shirt, drawn(shirt, assets)), 630)
        picture.paste(mockup.crop((15, 0, 615, 630)), (place * 600, 0))
    return picture


def sample_shirt(assets: Assets) -> Image.Image:
    """The shirt of the order confirmation's preview."""
    hero = next(shirt for shirt in SHIRTS if shirt.name == "hero")
    return scaled(photographed(hero, drawn(hero, assets)), SAMPLE_WIDTH)


def main() -> int:
    PICTURES.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as cache:
        assets = Assets(ROOT / "node_modules", Path(cache))
        for name, picture in pictures(assets):
            file = PICTURES / f"{name}.webp"
            picture.save(file, "WEBP", quality=80, method=6)
            sys.stdout.write(f"{file.relative_to(ROOT)}  {file.stat().st_size // 1024} kB\n")
        sample_shirt(assets).save(SAMPLE, "WEBP", quality=80, method=6)
        link_preview(assets).save(PREVIEW, "JPEG", quality=86, optimize=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
