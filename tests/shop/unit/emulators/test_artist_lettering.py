"""The local artist's lettering: correctly spelled, complete, inside its box, readable on the shirt."""

from __future__ import annotations

import random

import numpy as np
import pytest
from PIL import Image, ImageDraw

from emulators.artist import Brief
from emulators.artist.brief import MOODS
from emulators.artist.compose import compose, plan
from emulators.artist.faces import (
    cleaned,
    clusters,
    direction_of,
    directions,
    drawable,
    file_of_face,
    load,
    missing,
)
from emulators.artist.lettering import Mask, arc, break_rows, case, line, measure, runs, stack
from emulators.artist.palette import contrast, make_palette
from emulators.artist.sheet import Sheet
from emulators.artist.text_only import spoken_words
from tests.shop.unit.emulators.drawings import ASSETS, STYLES, cast, icons
from tests.support.random_cases import cases

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
    font = load(ASSETS, file_of_face(ASSETS, "slab"), size)
    left, top, right, bottom = font.getbbox("SPELL IT", anchor="ls")
    plain = Image.new("L", (600, 600))
    place = (50 + (500 - (right - left)) / 2 - left, 200 + (200 - (bottom - top)) / 2 - top)
    ImageDraw.Draw(plain).text(place, "SPELL IT", 255, font, anchor="ls")
    assert np.abs(mask.astype(int) - np.array(plain)).max() == 0


@pytest.mark.parametrize("face", FACES)
def test_missing_glyphs_come_from_a_fallback_font(face: str) -> None:
    cut = runs(ASSETS, face, "Łódź", 80)
    assert "".join(run.text for run in cut) == "Łódź"
    for run in cut:
        for sign in run.text:
            assert bytes(run.font.getmask(sign)) != bytes(run.font.getmask("\uffff"))


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
    for seed in range(min(3, cases(2))):
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


SCRIPTS = (
    "Łódź & кошка", "Ὀδυσσεύς", "Tiếng Việt", "Հայերեն", "ქართული", "አማርኛ", "日本語テスト", "안녕하세요", "你好世界",
    "مرحبا", "שלום עולם", "नमस्ते", "বাংলা", "ਪੰਜਾਬੀ", "ગુજરાતી", "தமிழ்", "తెలుగు", "ಕನ್ನಡ", "മലയാളം", "සිංහල", "ไทยแลนด์",
    "ລາວ", "ខ្មែរ", "မြန်မာ", "臺灣讚", "I ❤️ 猫 NY", "👋🏽 🐙 👨‍👩‍👧 🇩🇪 1️⃣", "☮ ★ ✓ → ♫",
)  # fmt: skip


@pytest.mark.parametrize("text", SCRIPTS)
def test_every_script_is_drawn_in_every_layout(text: str) -> None:
    """More ink than the faces' boxes for unknown letters leave out, inside the canvas, on a line and on an arc."""
    assert missing(ASSETS, text) == []
    assert drawable(ASSETS, text) == cleaned(text)
    words = case(cleaned(text), "comic")
    for run in runs(ASSETS, "comic", words, 40):
        box = bytes(run.font.getmask("\uffff"))
        assert all(bytes(run.font.getmask(sign)) != box for sign in run.text if sign not in " \u200d\ufe0f")
    straight = line(ASSETS, "comic", words, 400, (20, 20, 360, 360))
    arched = [arc(ASSETS, "comic", words, 400, (200, 200), 120, 60, below=below) for below in (False, True)]
    for mask in (straight, *arched):
        rows, columns = np.nonzero(mask > 40)
        assert len(rows) > 300
        assert min(rows.min(), columns.min()) > 2 and max(rows.max(), columns.max()) < 397


@pytest.mark.parametrize("text", ["𓀀 cat 𒀀", "ᚠ𓀀𒀀", "\ufdfd cat"])
def test_signs_without_a_face_are_named(text: str) -> None:
    assert missing(ASSETS, text) == [sign for sign in text if ord(sign) > 0x1000]
    assert drawable(ASSETS, text) == "".join(sign for sign in text if sign in " cat").strip()


def test_invisible_marks_are_no_signs() -> None:
    assert cleaned(" e\u0301te\u0301\u200f \u200b ❤\ufe0f👋\U0001f3fd\n") == "été ❤👋"
    assert list(clusters("நீ👨\u200d👩\u200d👧🇩🇪🇫🇷")) == ["நீ", "👨\u200d👩\u200d👧", "🇩🇪", "🇫🇷"]


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("Hi שלום עולם now", ["HI ", "עולם", " ", "שלום", " NOW"]),
        ("שלום Hi there 2026", ["HI THERE 2026", " ", "שלום"]),
        ("שלום 5 עולם", ["עולם", " ", "5", " ", "שלום"]),
        ("(שלום!)", ["!)", "שלום", "("]),
    ],
)
def test_words_that_run_from_right_to_left_stand_where_a_reader_expects_them(
    text: str, shown: list[str]
) -> None:
    assert [run.text for run in runs(ASSETS, "comic", case(text, "comic"), 40)] == shown


@pytest.mark.parametrize(
    ("text", "base", "turned"),
    [
        ("Hi!", "ltr", "lll"), ("שם!", "rtl", "rrr"), ("5 שם", "rtl", "lrrr"), ("a שם b", "ltr", "llrrll"),
        ("a ש ש", "ltr", "llrrr"), ("!?", "ltr", "ll"),
    ],
)  # fmt: skip
def test_direction_of_signs_follows_their_neighbours(text: str, base: str, turned: str) -> None:
    assert direction_of(text) == base
    assert "".join(direction[0] for direction in directions(list(text))) == turned


@pytest.mark.parametrize("sequence", ["1️⃣", "👨‍👩‍👧", "👩‍🚀", "🇩🇪"])
def test_joined_emoji_are_one_picture(sequence: str) -> None:
    (run,) = runs(ASSETS, "comic", cleaned(sequence), 100)
    assert run.length < 150


def test_arabic_letters_join() -> None:
    """Joined letters are narrower than the same letters one by one."""
    joined, apart = (measure(ASSETS, "comic", text, 100) for text in ("سسسس", "س س س س"))
    assert joined[2] - joined[0] < 0.8 * (apart[2] - apart[0])


def test_same_han_character_is_drawn_as_each_language_writes_it() -> None:
    drawn = {
        run.font.path
        for text in ("骨の", "骨은", "骨")
        for run in runs(ASSETS, "comic", text, 40)
        if "骨" in run.text
    }
    assert len(drawn) == 3


def test_words_without_spaces_are_broken_anywhere_and_korean_at_its_spaces() -> None:
    assert break_rows("日本語テストです", 8) == ["日本語テ", "ストです"]
    assert break_rows("안녕하세요", 6) == ["안녕하세요"]


def test_georgian_has_no_capitals_of_its_own() -> None:
    assert case("Łódź ქართული straße", "comic") == "ŁÓDŹ ქართული STRASSE"
