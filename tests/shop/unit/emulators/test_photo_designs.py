"""Photographs as designs: a look for every style, printable, the subject preserved, instructions followed."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from PIL import Image

from emulators.artist.photo import UnreadablePhotoError
from emulators.artist.photo.treatments import TREATMENTS
from tests.shop.unit.emulators.photographs import STYLES, Pixels, design, encoded, photograph, redrawn
from tests.support.random_cases import few

# The styles that no form names. Those of every day are of each way of drawing, and soon drawn.
_SOON = ("oil", "linocut", "minimal", "low poly", "photograph")
_OTHERS = TREATMENTS.keys() - {style.lower() for style in STYLES} - {*_SOON}
NAMED = few((*_SOON, *sorted(_OTHERS)), len(_SOON))
SIDE = 1536


def covered(pixels: Pixels) -> float:
    return float((pixels[..., 3] == 255).mean())


def small(
    pixels: Pixels, shirt: tuple[int, int, int] = (255, 255, 255)
) -> np.ndarray[tuple[int, ...], np.dtype[np.float64]]:
    """The design on a shirt, 64 pixels square."""
    ground = Image.new("RGBA", (SIDE, SIDE), (*shirt, 255))
    ground.alpha_composite(Image.fromarray(pixels.copy(), "RGBA"))
    return np.asarray(ground.convert("RGB").resize((64, 64), Image.Resampling.BOX), np.float64)


def assert_prints(pixels: Pixels) -> None:
    assert pixels.shape == (SIDE, SIDE, 4)
    assert set(np.unique(pixels[..., 3])) == {0, 255}
    assert not pixels.view(np.uint32)[..., 0][pixels[..., 3] == 0].any()
    rim = np.concatenate(
        [
            pixels[:6, :, 3].ravel(),
            pixels[-6:, :, 3].ravel(),
            pixels[:, :6, 3].ravel(),
            pixels[:, -6:, 3].ravel(),
        ]
    )
    assert not rim.any(), "something is cut off at the edge of the sheet"


@pytest.mark.parametrize("style", [*STYLES, *NAMED])
def test_portrait_has_hard_edges_in_every_style(style: str) -> None:
    pixels = design("astronaut", style)
    assert_prints(pixels)
    assert 0.03 < covered(pixels) < 0.95


def test_styles_of_photographs_differ() -> None:
    seen = {style: small(design("astronaut", style)) for style in [*STYLES, *NAMED]}
    for one, other in combinations(seen, 2):
        assert np.abs(seen[one] - seen[other]).mean() > 6, (one, other)


@pytest.mark.parametrize("style", few(["Watercolor", "zzz", "Sketch"], 1))
def test_person_stays_and_background_is_removed(style: str) -> None:
    pixels = design("astronaut", style, "remove the background")
    shown = pixels[..., 3] == 255
    assert not shown[:120, :200].any() and not shown[:120, -200:].any()
    rows, _ = np.nonzero(shown)
    top, height = int(rows.min()), int(np.ptp(rows))
    head = slice(top + height // 5, top + height * 2 // 5)
    middle = int(np.median(np.nonzero(shown[head])[1]))
    if style != "Sketch":
        assert shown[head, middle - 80 : middle + 80].mean() > 0.95


def test_seed_determines_the_picture() -> None:
    again = redrawn(photograph("astronaut"), "minimal")
    assert again.tobytes() == design("astronaut", "minimal").tobytes()
    assert redrawn(photograph("astronaut"), "minimal", seed=2).tobytes() != again.tobytes()


def test_unknown_instructions_change_nothing() -> None:
    told = redrawn(photograph("astronaut"), "minimal", "as my late uncle Bob would have liked")
    assert told.tobytes() == design("astronaut", "minimal").tobytes()


def test_stars_are_added_around_the_figure() -> None:
    plain, starred = design("astronaut", "Line art"), design("astronaut", "Line art", "add stars")
    assert_prints(starred)
    assert covered(starred) > covered(plain) + 0.02
    bright = (np.ptp(starred[..., :3].astype(int), axis=2) > 100).mean()
    assert bright > 0.01 > (np.ptp(plain[..., :3].astype(int), axis=2) > 100).mean()


def test_sunglasses_cover_the_eyes() -> None:
    plain, worn = (
        design("astronaut", "minimal", instructions).astype(np.int16)
        for instructions in ("", "give her sunglasses")
    )
    rows, columns = np.nonzero(np.abs(plain - worn).sum(axis=2) > 90)
    assert len(rows) > 3000
    assert np.ptp(columns) > np.ptp(rows), "sunglasses are wider than tall"
    assert worn[rows, columns, :3].mean() < plain[rows, columns, :3].mean()


def test_face_keeps_its_tones() -> None:
    # Lightness of the drawn head follows that of the photographed one, so the face stays recognizable.
    with Image.open("tests/support/photos/astronaut.jpg") as photo:
        head = encoded(photo.crop((60, 0, 400, 360)), "PNG")
    drawn, again = (
        np.asarray(small(redrawn(head, style, "remove the background")).mean(axis=2))
        for style in ("zzz", "Cartoon")
    )
    assert np.corrcoef(drawn.ravel(), again.ravel())[0, 1] > 0.85


@pytest.mark.parametrize(
    "style", few(["Line art", "Vintage", "zzz", "Watercolor", "Caricature", "Pop art", "Sketch"], 2)
)
def test_scene_works_in_every_style_on_a_dark_shirt(style: str) -> None:
    pixels = design("rocket", style, shirt="#1A1A1A")
    assert_prints(pixels)
    assert 0.02 < covered(pixels) < 0.95
    shown = pixels[pixels[..., 3] == 255][:, :3].astype(int)
    assert (np.abs(shown - 26).max(axis=1) > 60).mean() > 0.25, "the design drowns in the shirt"


@pytest.mark.parametrize(
    ("style", "words"),
    few([("Vintage", "TO THE MOON"), ("Line art", "Purrfect day, isn't it?"), ("Line art", "x" * 60),
         ("Vintage", "Hi"), ("Vintage", "Älter & weiser als zuvor")], 3),
)  # fmt: skip
def test_lettering_is_whole_and_reads_on_the_shirt(style: str, words: str) -> None:
    pixels = redrawn(photograph("rocket"), style, lettering=words, shirt="#1A1A1A")
    assert_prints(pixels)
    band = pixels[:400] if style == "Vintage" and len(words) <= 18 else pixels[1240:]
    ink = band[band[..., 3] == 255][:, :3].astype(float)
    assert len(ink) > 1500
    assert (ink @ (0.299, 0.587, 0.114) > 120).mean() > 0.2
    assert pixels.tobytes() != design("rocket", style, shirt="#1A1A1A").tobytes()


def test_instruction_to_make_it_blue_is_followed() -> None:
    pixels = design("coffee", "minimal", "make it blue")
    shown = pixels[pixels[..., 3] == 255][:, :3].astype(int)
    assert (shown[:, 2] >= shown[:, 0]).mean() > 0.97


def test_black_and_white_has_no_colour() -> None:
    pixels = design("coffee", "minimal", "black and white")
    shown = pixels[pixels[..., 3] == 255][:, :3].astype(int)
    assert np.ptp(shown, axis=1).max() <= 2


def test_instructions_to_brighten_and_flip_are_followed() -> None:
    plain = small(design("coffee", "minimal", "remove the background"))
    bright = small(design("coffee", "minimal", "remove the background, brighter"))
    assert bright.mean() > plain.mean() + 2
    flipped = small(design("coffee", "minimal", "remove the background and flip it"))
    assert np.abs(flipped[:, ::-1] - plain).mean() < 4 < np.abs(flipped - plain).mean()


def test_crown_is_not_cut_off() -> None:
    pixels = design("chelsea", "minimal", "add a crown")
    assert_prints(pixels)
    gold = (np.abs(pixels[..., :3].astype(int) - (255, 199, 46)).sum(axis=2) < 30).mean()
    assert gold > 0.01


def test_pictures_own_transparency_is_its_outline() -> None:
    cut = Image.new("RGBA", (400, 400))
    cut.paste("#f0492f", (100, 100, 300, 250))
    cut.paste("#2746e6", (100, 250, 300, 300))
    pixels = redrawn(encoded(cut, "PNG"), "minimal")
    assert_prints(pixels)
    rows, columns = np.nonzero(pixels[..., 3])
    assert abs(np.ptp(rows) - np.ptp(columns)) < 30, "a square stays a square"
    assert (pixels[..., 3][rows.min() : rows.max(), columns.min() : columns.max()] == 255).mean() > 0.95


@pytest.mark.parametrize("size", few([(8, 8), (2400, 120), (200, 140)], 2))
def test_any_size_and_shape_becomes_a_print(size: tuple[int, int]) -> None:
    with Image.open("tests/support/photos/coffee.jpg") as photo:
        content = encoded(photo.resize(size), "PNG")
    pixels = redrawn(content, "minimal")
    assert_prints(pixels)
    assert covered(pixels) > 0.02


@pytest.mark.parametrize(
    ("style", "colour"), few([("Line art", "white"), ("Pop art", "black"), ("Ghibli", "#2746e6")], 2)
)
def test_uniform_picture_is_restyled(style: str, colour: str) -> None:
    pixels = redrawn(encoded(Image.new("RGB", (300, 200), colour), "PNG"), style)
    assert pixels.shape == (SIDE, SIDE, 4)
    assert set(np.unique(pixels[..., 3])) <= {0, 255}


def test_dark_photograph_is_brightened() -> None:
    with Image.open("tests/support/photos/astronaut.jpg") as photo:
        dark = Image.eval(photo, lambda value: value // 5)
    pixels = redrawn(encoded(dark, "JPEG", quality=92), "photograph")
    shown = pixels[pixels[..., 3] == 255][:, :3].astype(float)
    assert np.percentile(shown @ (0.299, 0.587, 0.114), 80) > 110


def test_invalid_picture_is_rejected() -> None:
    with pytest.raises(UnreadablePhotoError):
        redrawn(b"GIF89a nothing", "Cartoon")
