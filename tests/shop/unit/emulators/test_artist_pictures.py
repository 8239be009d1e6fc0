"""The local artist's pictures: a look for every style, hard edges, margins, seeds, contrast with the shirt."""

from __future__ import annotations

import random
from itertools import pairwise, product

import cv2
import numpy as np
import pytest

from emulators.artist import MARGIN, Brief, draw
from emulators.artist.brief import MOODS
from emulators.artist.kinds import KINDS, choose_kind
from emulators.artist.palette import make_palette, rgb
from emulators.artist.sheet import Sheet
from emulators.artist.styles import SMALLER
from tests.shop.unit.emulators.drawings import ASSETS, STYLES, cast, covered, icons, picture
from tests.support.random_cases import cases, few

PROMPT = (
    "T-shirt print design, isolated on a transparent background.\nIdea: two red foxes under the moon\n"
    'Style: Vintage\nTone: earthy\nShirt colour: Navy (#1F2A44)\nLettering: "Night shift"'
)
SHIRTS = ("#FFFFFF", "#1A1A1A", "#1F2A44", "#C8102E", "#D9C7A3", "#97999B")
# Each style on each shirt; the first third has every style twice, and every shirt.
_WORN = [
    (style, shirt)
    for turn in range(3)
    for place, style in enumerate(STYLES)
    for number, shirt in enumerate(SHIRTS)
    if (place + number) % 3 == turn
]


# At the size of a shop's design, which some styles enlarge, a few; all of them at a quarter of its side.
@pytest.mark.parametrize(("style", "side"), [*product(STYLES, (384,)), *few([*product(SMALLER, (1536,))], 1)])
def test_design_is_large_with_hard_edges_and_margins(style: str, side: int) -> None:
    drawn = picture(Brief("a fox with a balloon", style, "colorful", "#1A1A1A", "Hello", 3), side)
    assert drawn.shape == (side, side, 4)
    assert set(np.unique(drawn[..., 3])) == {0, 255}
    assert 0.03 < covered(drawn) < 0.95
    assert not drawn[drawn[..., 3] == 0].any()
    free = int(side * MARGIN) - 2
    inner = drawn[free:-free, free:-free, 3]
    assert int((drawn[..., 3] == 255).sum()) == int((inner == 255).sum())


@pytest.mark.parametrize("mood", MOODS)
@pytest.mark.parametrize("style", STYLES)
def test_every_style_and_mood_draws_on_dark_and_on_light(style: str, mood: str) -> None:
    shirts = ("#FFFFFF", "#1F2A44")
    turn = (STYLES.index(style) + list(MOODS).index(mood)) % 2
    for shirt in few([*shirts[turn:], *shirts[:turn]], 1):
        drawn = picture(Brief("an owl on a skateboard", style, mood, shirt, "Hoot", len(mood)), 160)
        assert 0.02 < covered(drawn) < 0.95
        assert set(np.unique(drawn[..., 3])) == {0, 255}
        assert not drawn[0, :, 3].any() and not drawn[-1, :, 3].any()
        assert not drawn[:, 0, 3].any() and not drawn[:, -1, 3].any()


@pytest.mark.parametrize(("style", "shirt"), few(_WORN, 20))
def test_design_contrasts_with_the_shirt(style: str, shirt: str) -> None:
    """Of what is printed, enough differs plainly from the cloth; a white panda on white has an outline."""
    drawn = picture(Brief("a panda", style, "colorful", shirt, "", 2), 256)
    inked = drawn[drawn[..., 3] == 255][:, :3].astype(int)
    apart = np.abs(inked - np.array(rgb(shirt))).max(axis=1)
    assert float((apart > 50).mean()) > 0.25
    edge = drawn[..., 3] - cv2.erode(drawn[..., 3], np.ones((3, 3), np.uint8), iterations=2)
    at_edge = np.abs(drawn[edge > 0][:, :3].astype(int) - np.array(rgb(shirt))).max(axis=1)
    assert float((at_edge > 28).mean()) > 0.6


@pytest.mark.parametrize("mood", [mood for mood in MOODS if mood != "monochrome"])
def test_colour_of_the_idea_is_used_in_every_mood(mood: str) -> None:
    drawn = picture(Brief("a purple hibiscus", "cartoon", mood, "#FFFFFF", "", 1), 128)
    red, green, blue = (drawn[drawn[..., 3] == 255][:, channel].astype(int) for channel in range(3))
    purple = (blue > green + 40) & (red > green + 15) & (red < 215)
    assert float(purple.mean()) > 0.06


def test_styles_look_different() -> None:
    drawn = [
        picture(Brief("a fox", style, "colorful", "#FFFFFF", "", 3), 256).astype(int) for style in STYLES
    ]
    for number, one in enumerate(drawn):
        for other in drawn[number + 1 :]:
            assert np.abs(one - other).mean() > 4


def test_same_seed_gives_the_same_picture() -> None:
    size = (256, 256)
    first = draw(PROMPT, 11, size, ASSETS)
    assert first.tobytes() == draw(PROMPT, 11, size, ASSETS).tobytes()
    assert draw(PROMPT, None, size, ASSETS).tobytes() == draw(PROMPT, None, size, ASSETS).tobytes()


def kind_of(brief: Brief) -> str:
    palette = make_palette(brief.mood, brief.shirt, 0)
    return choose_kind(
        Sheet(brief, cast(brief.idea), palette, icons(), ASSETS, random.Random(brief.seed), 64)
    )


@pytest.mark.parametrize("style", STYLES)
@pytest.mark.parametrize("idea", ["a fox", "a T-Rex riding a bicycle", "three cats"])
def test_next_seed_gives_another_kind_of_composition(style: str, idea: str) -> None:
    kinds = [kind_of(Brief(idea, style, "bold", "#FFFFFF", "", seed)) for seed in range(8)]
    assert all(one != other for one, other in pairwise(kinds))
    assert len(set(kinds)) >= 3


@pytest.mark.parametrize("style", STYLES)
def test_other_seed_gives_a_different_picture(style: str) -> None:
    drawn = [
        picture(Brief("a fox", style, "colorful", "#FFFFFF", "Hello", seed), 128).astype(int)
        for seed in range(min(5, cases(3)))
    ]
    for one, other in pairwise(drawn):
        changed = np.abs(one - other).max(axis=2) > 40
        printed = (one[..., 3] == 255) | (other[..., 3] == 255)
        assert float(changed.sum() / printed.sum()) > 0.2


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("lettering", ["", "Good things take time"])
def test_every_kind_of_composition_draws(kind: str, lettering: str) -> None:
    from emulators.artist.compose import draw_plan

    brief = Brief("a fox in the forest", "cartoon", "bold", "#FFFFFF", lettering, 4)
    sheet = Sheet(
        brief, cast("a fox"), make_palette("bold", "#FFFFFF", 1), icons(), ASSETS, random.Random(4), 128
    )
    sheet = Sheet(
        brief, type(sheet.cast)(sheet.cast.actors, "forest"), sheet.palette, icons(), ASSETS, sheet.rng, 128
    )  # fmt: skip
    layers = draw_plan(sheet, KINDS[kind](sheet), kind)
    assert (layers.subject[..., 3] > 0).mean() > 0.03
    assert bool(layers.lettering.any()) == bool(lettering)
    assert not layers.subject[0, :, 3].any() and not layers.subject[:, -1, 3].any()


@pytest.mark.parametrize("size", [(256, 256), (1536, 1024), (256, 384)])
def test_pictures_have_the_requested_size(size: tuple[int, int]) -> None:
    assert draw("a fox", 1, size, ASSETS).size == size


@pytest.mark.parametrize(
    "idea",
    [
        "???", "zwischenzug", "x" * 1500, "'; drop table designs; --", "a\n\nb", "200 cats",
        "twelve dogs and twelve cats and twelve owls", "<svg onload=alert(1)>", "a fox & <b>friends</b>",
        "quantum entanglement is what happens when two particles stop telling anybody else",
    ],
)  # fmt: skip
def test_any_idea_gives_a_picture(idea: str) -> None:
    drawn = np.array(draw(f"Idea: {idea}\nStyle: Cartoon\nTone: bold", 1, (256, 256), ASSETS))
    assert covered(drawn) > 0.02
