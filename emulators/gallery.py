"""Contact sheets of everything that the local artist and the mockup studio draw, to judge by eye.

    python -m emulators.gallery [--only text|photos|shirts] [--to FOLDER]

Twelve prompts in ten styles, four photographs in nine styles, six views in six colours; one PNG a sheet.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from PIL import Image, ImageDraw, ImageOps

from emulators.artist import draw, restyle
from emulators.assets import Assets
from emulators.core.progress import Counted
from emulators.mockups import Placement, draw_mockup
from emulators.mockups.plates import VIEWS
from emulators.print_rule import ink_box, largest_print, placement
from emulators.printify import catalog

ROOT = Path(__file__).resolve().parent.parent
PHOTOS = ROOT / "tests" / "support" / "photos"
TEXT_STYLES = (
    "Realistic photo", "Cartoon", "Sketch", "Watercolor", "Minimalist",
    "Vintage", "Abstract", "Doodle", "Line art", "Caricature",
)  # fmt: skip
PHOTO_STYLES = (
    "Caricature", "Cartoon", "Line art", "Pop art", "Watercolor", "Sketch", "Vintage", "Ghibli", "oil painting",
)  # fmt: skip
SUBJECTS = ("astronaut", "chelsea", "china", "coffee")
SHIRTS = {
    "White": "#FFFFFF", "Black": "#1A1A1A", "Navy": "#1F2A44", "Red": "#C8102E", "Sand": "#CABFAD",
    "Sport Grey": "#97999B",
}  # fmt: skip
_SIDE = 1536
_TILE = 280
_LABEL = 26


@dataclass(frozen=True)
class Sample:
    """A row of the text sheet."""

    idea: str
    mood: str
    shirt: str
    lettering: str = ""


WISHES = (
    Sample("A fox riding a bicycle under the moon", "bold", "Navy", "Night ride"),
    Sample("Three red foxes and two owls in the forest", "earthy", "Sand"),
    Sample("An astronaut cat surfing a wave in space", "bright", "Black"),
    Sample("Retro sunset with palm trees", "colorful", "White", "Stay salty"),
    Sample("My grandmother's sourdough club", "muted", "Sand", "Est. 1962"),
    Sample("Quantum entanglement", "dark", "White"),
    Sample("A bear drinking coffee by a campfire in the mountains", "earthy", "White", "But first, coffee"),
    Sample("A skull with roses", "monochrome", "Black"),
    Sample("A dachshund wearing sunglasses on a skateboard", "pastel", "Navy", "Long dog summer"),
    Sample("An octopus playing the drums", "colorful", "Red"),
    Sample("A hummingbird and a purple hibiscus", "elegant", "Black", "Grow slowly"),
    Sample("A blue whale in a cup of tea", "pastel", "White"),
)


def text_prompt(wish: Sample, style: str) -> str:
    """The labelled lines that the shop's function writes."""
    lettering = f'\nLettering: "{wish.lettering}"' if wish.lettering else ""
    shirt = f"{wish.shirt} ({SHIRTS[wish.shirt]})"
    return f"Idea: {wish.idea}\nStyle: {style}\nTone: {wish.mood}\nShirt colour: {shirt}{lettering}"


def text_rows(assets: Assets, drawn: Counted) -> Iterator[tuple[str, list[Image.Image]]]:
    for number, wish in enumerate(WISHES):
        pictures = [
            drawn.done(draw(text_prompt(wish, style), 40 + number + column, (_SIDE, _SIDE), assets))
            for column, style in enumerate(TEXT_STYLES)
        ]
        yield wish.idea, [_on_cloth(picture, SHIRTS[wish.shirt]) for picture in pictures]


def photo_rows(assets: Assets, drawn: Counted) -> Iterator[tuple[str, list[Image.Image]]]:
    colours = ("White", "Navy", "Sand", "Black")
    for subject, colour in zip(SUBJECTS, colours, strict=True):
        content = (PHOTOS / f"{subject}.jpg").read_bytes()
        shirt = f"{colour} ({SHIRTS[colour]})"
        lettering = {"chelsea": '\nLettering: "Boss cat"', "coffee": '\nLettering: "Slow mornings"'}
        pictures = [
            drawn.done(
                restyle(
                    content, f"Style: {style}\nShirt colour: {shirt}{lettering.get(subject, '')}", 7, assets
                )
            )
            for style in PHOTO_STYLES
        ]
        yield subject, [_on_cloth(picture, SHIRTS[colour]) for picture in pictures]


def as_printed(design: Image.Image) -> Placement:
    """The design on the chest of an M shirt, where the shop's print products have it."""
    trimmed = design.convert("RGBA").crop(ink_box(design))
    medium = next(variant.area for variant in catalog.variants().values() if variant.size == "M")
    return Placement(trimmed, **placement(largest_print(trimmed.size), medium))


def shirt_rows(assets: Assets, drawn: Counted) -> Iterator[tuple[str, list[Image.Image]]]:
    for view in VIEWS:
        row = []
        for colour, dye in SHIRTS.items():
            wish = Sample("A fox riding a bicycle under the moon", "bold", colour, "Night ride")
            design = draw(text_prompt(wish, "Vintage"), 7, (_SIDE, _SIDE), assets)
            row.append(drawn.done(draw_mockup(view, dye, as_printed(design), 800)))
        yield view, row


def contact_sheet(
    columns: Sequence[str], rows: Iterator[tuple[str, list[Image.Image]]], tile: int = _TILE
) -> Image.Image:
    """Tiles in a grid, each row under its label and each column under its name."""
    made = list(rows)
    sheet = Image.new("RGB", (len(columns) * tile, _LABEL + len(made) * (tile + _LABEL)), "#f4f1ea")
    pen = ImageDraw.Draw(sheet)
    for column, name in enumerate(columns):
        pen.text((column * tile + 8, 7), name, "#1b1714")
    for row, (label, pictures) in enumerate(made):
        top = _LABEL + row * (tile + _LABEL)
        for column, picture in enumerate(pictures):
            fitted = ImageOps.contain(picture, (tile - 4, tile - 4), Image.Resampling.LANCZOS)
            sheet.paste(
                fitted, (column * tile + (tile - fitted.width) // 2, top + (tile - fitted.height) // 2)
            )
        pen.text((8, top + tile + 5), label, "#1b1714")
    return sheet


def _on_cloth(design: Image.Image, shirt: str) -> Image.Image:
    ground = Image.new("RGB", design.size, shirt)
    ground.paste(design, mask=design.getchannel("A"))
    return ground


Rows = Callable[[Assets, Counted], Iterator[tuple[str, list[Image.Image]]]]
# The columns of a sheet, how many rows it has, and what draws them.
SHEETS: dict[str, tuple[Sequence[str], int, Rows]] = {
    "text": (TEXT_STYLES, len(WISHES), text_rows),
    "photos": (PHOTO_STYLES, len(SUBJECTS), photo_rows),
    "shirts": (tuple(SHIRTS), len(VIEWS), shirt_rows),
}


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m emulators.gallery", description=__doc__)
    parser.add_argument("--only", choices=sorted(SHEETS))
    parser.add_argument("--to", type=Path, default=ROOT / ".localbase" / "gallery", metavar="FOLDER")
    options = parser.parse_args(arguments)
    options.to.mkdir(parents=True, exist_ok=True)
    assets = Assets(ROOT / "node_modules", ROOT / ".localbase" / "artist")
    assets.cache.mkdir(parents=True, exist_ok=True)
    for name in [options.only] if options.only else SHEETS:
        columns, count, rows = SHEETS[name]
        path = options.to / f"{name}.png"
        with Counted(f"drawing {name}", count * len(columns)) as drawn:
            sheet = contact_sheet(columns, rows(assets, drawn))
        sheet.save(path)
        sys.stdout.write(f"  {path}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
