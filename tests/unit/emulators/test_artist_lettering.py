"""The local artist's lettering: correctly spelled, complete, inside its box, readable on the shirt."""

from __future__ import annotations

import random

import numpy as np
import pytest
from PIL import Image, ImageDraw

from emulators.artist import Brief
from emulators.artist.brief import MOODS
from emulators.artist.compose import compose, plan
from emulators.artist.lettering import (
    Mask,
    arc,
    break_rows,
    drawable,
    line,
    load_font,
    measure,
    runs,
    stack,
)
from emulators.artist.palette import contrast, make_palette
from emulators.artist.sheet import Sheet
from emulators.artist.text_only import spoken_words
from tests.unit.emulators.drawings import ASSETS, STYLES, cast, icons

FACES = ("poster", "slab", "comic", "script", "deco", "marker", "grotesque")
TEXTS = (
    "Hi", "Otter this world", "WWWWWWWWWWWWWWWW", "gjpqy ÄÖÜ", "The quick brown fox", "Łódź 1987", "Ain't no çà",
    "Donaudampfschifffahrtsgesellschaft",
)  # fmt: skip
SPOKEN = (
    "Hi",
    "Rawr & roll",
    "Café Zürich 1987",
    "Never trust an atom, they make up everything ok",
    "Incomprehensibilities",
)


@pytest.mark.parametrize("text", TEXTS)
@pytest.mark.parametrize("face", FACES)
def test_lettering_stays_within_its_box(text: str, face: str) -> None:
    mask = line(ASSETS, face, text, 600, (60, 400, 480, 120))
    rows, columns = np.nonzero(mask > 40)
    assert len(rows) > 200
    assert columns.min() >= 58 and columns.max() <= 542
    assert rows.min() >= 398 and rows.max() <= 522


def test_line_of_text_is_drawn_by_the_font() -> None:
    """The mask, letter for letter: the same pixels as the font's own rendering of the text."""
    mask = line(ASSETS, "slab", "SPELL IT", 600, (50, 200, 500, 200))
    left, top, right, bottom = measure(ASSETS, "slab", "SPELL IT", 100)
    size = int(min(500 / (right - left), 200 / (bottom - top)) * 100)
    font = load_font(ASSETS, "slab", size)
    left, top, right, bottom = font.getbbox("SPELL IT", anchor="ls")
    plain = Image.new("L", (600, 600))
    place = (50 + (500 - (right - left)) / 2 - left, 200 + (200 - (bottom - top)) / 2 - top)
    ImageDraw.Draw(plain).text(place, "SPELL IT", 255, font, anchor="ls")
    assert np.abs(mask.astype(int) - np.array(plain)).max() == 0


@pytest.mark.parametrize("face", FACES)
def test_missing_glyphs_come_from_a_fallback_font(face: str) -> None:
    cut = runs(ASSETS, face, "Łódź", 80)
    assert "".join(part for part, _ in cut) == "Łódź"
    for part, font in cut:
        for sign in part:
            assert bytes(font.getmask(sign)) != bytes(font.getmask("\uffff"))


@pytest.mark.parametrize("below", [False, True])
@pytest.mark.parametrize("text", ["MAIN CHARACTER", "O", "EINE SEHR LANGE ZEILE MIT UMLAUT Ä"])
def test_lettering_on_an_arc_is_not_cut(text: str, below: bool) -> None:
    mask = arc(ASSETS, "slab", text, 800, (400, 400), 260, 70, below=below)
    rows, columns = np.nonzero(mask > 40)
    assert min(rows.min(), columns.min()) > 5
    assert max(rows.max(), columns.max()) < 795


def test_stacked_rows_do_not_overlap() -> None:
    mask = stack(ASSETS, "poster", ["ONE", "TWO", "THREE"], 600, (50, 50, 500, 500))
    inked = (mask > 40).any(axis=1).astype(int)
    assert int((np.diff(inked) == 1).sum()) == 3


def test_rows_are_broken_evenly() -> None:
    assert break_rows("two wheels, one soul", 18) == ["two wheels,", "one soul"]
    assert break_rows("word", 3) == ["word"]


def lettering_of(brief: Brief, *, is_drawn: bool) -> Mask:
    """The composition's lettering; without `is_drawn` the figures, which take most of the time, are only planned."""
    palette = make_palette(brief.mood, brief.shirt, brief.seed % 5)
    sheet = Sheet(brief, cast(brief.idea), palette, icons(), ASSETS, random.Random(brief.seed), 256)
    if is_drawn or not sheet.cast.actors:
        return compose(sheet).lettering
    words = plan(sheet)[1].words
    assert words is not None
    return words


@pytest.mark.parametrize("style", STYLES)
@pytest.mark.parametrize("text", SPOKEN)
def test_lettering_is_complete_in_every_composition(style: str, text: str) -> None:
    """Several seeds give several compositions: there is ink, and none of it at the canvas's edge."""
    for seed in range(3):
        for idea in ("two pandas and a cat", "zwischenzug"):
            brief = Brief(idea, style, "bold", "#FFFFFF", text, seed)
            mask = lettering_of(brief, is_drawn=text == SPOKEN[0])
            rows, columns = np.nonzero(mask > 90)
            assert len(rows) > 20 * len(text.replace(" ", "")) / 4, (idea, seed)
            assert min(rows.min(), columns.min()) >= 4 and max(rows.max(), columns.max()) <= 251, (idea, seed)


@pytest.mark.parametrize(
    ("idea", "spoken"),
    [
        ("Zürich 1987", "Zürich 1987"),
        ("Schadenfreude", "Schadenfreude"),
        (
            "Schadenfreude is what happens when the Zeitgeist über-explains itself to everybody",
            "Schadenfreude happens Zeitgeist über-explains itself",
        ),
    ],
)
def test_text_only_design_spells_the_idea(idea: str, spoken: str) -> None:
    palette = make_palette("bold", "#FFFFFF", 0)
    brief = Brief(idea, "vintage", "bold", "#FFFFFF", "", 1)
    sheet = Sheet(brief, cast(idea), palette, icons(), ASSETS, random.Random(1), 128)
    assert spoken_words(sheet) == spoken


@pytest.mark.parametrize("mood", MOODS)
@pytest.mark.parametrize(
    "shirt", ["#FFFFFF", "#1A1A1A", "#1F2A44", "#C8102E", "#D9C7A3", "#97999B", "#6E7073", "#F4633A"]
)
def test_lettering_reads_on_every_shirt_in_every_mood(mood: str, shirt: str) -> None:
    for turn in range(5):
        palette = make_palette(mood, shirt, turn)
        assert contrast(palette.readable(), shirt) >= 2.9
        assert contrast(palette.line, shirt) >= 3.4
        assert all(contrast(ink, shirt) > 1.1 for ink in palette.inks)


def test_other_scripts_are_drawn_without_unsupported_characters() -> None:
    assert drawable(ASSETS, "Łódź, кошка & Αθήνα") == "Łódź, кошка & Αθήνα"
    assert drawable(ASSETS, "I ❤ 猫 NY") == "I NY"
    drawn, boxed = (line(ASSETS, "comic", text, 400, (20, 20, 360, 360)) for text in ("кошка", "\uffff" * 5))
    assert drawn.any()
    assert (drawn != boxed).mean() > 0.05
