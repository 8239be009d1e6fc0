"""The shopper's instructions: what is recognized, and that other words change nothing."""

from __future__ import annotations

import pytest

from emulators.artist import Brief
from emulators.artist.photo.treatments import TREATMENTS, treatment_of
from emulators.artist.photo.wishes import TINTS, Wishes, read_wishes


@pytest.mark.parametrize(
    "text",
    ["remove the background", "Remove background", "no background please", "without any background", "cut out the dog",
     "transparent background", "background should be transparent", "get rid of the background", "just the dog",
     "isolate the subject", "make the background transparent", "take away the background"],
)  # fmt: skip
def test_background_is_removed_on_request(text: str) -> None:
    assert read_wishes(text).ground == "none"


@pytest.mark.parametrize(
    "text", ["keep the background", "keep original background", "don't remove the background", "with the whole scene",
             "leave the background as it is"],
)  # fmt: skip
def test_background_stays_on_request(text: str) -> None:
    assert read_wishes(text).ground == "keep"


@pytest.mark.parametrize(
    ("text", "ground"),
    [
        ("sunset background", "sunset"), ("put him in space", "space"), ("a forest behind her", "forest"),
        ("background of a tropical beach", "beach"), ("on a mountain", "mountains"),
        ("with a city skyline background", "city"),
        ("change the background to a galaxy", "space"), ("sunburst background", "rays"),
        ("add clouds in the background", "sky"),
    ],
)  # fmt: skip
def test_other_background_is_drawn_on_request(text: str, ground: str) -> None:
    assert read_wishes(text).ground == ground


def test_coloured_background_colours_only_the_background() -> None:
    wishes = read_wishes("make the background red")
    assert (wishes.ground, wishes.ground_tint, wishes.tint) == ("plain", TINTS["red"], "")


@pytest.mark.parametrize(
    ("text", "tint"),
    [("make it blue", "blue"), ("in red tones", "red"), ("purple hair", "purple"), ("turn everything green", "green"),
     ("use a teal palette", "teal"), ("blue", "blue"), ("add blue stars", ""), ("with red hearts", ""), ("", "")],
)  # fmt: skip
def test_colour_applies_to_the_whole_picture(text: str, tint: str) -> None:
    assert read_wishes(text).tint == (TINTS[tint] if tint else "")


@pytest.mark.parametrize(
    ("text", "wishes"),
    [
        ("black and white", Wishes(grey=True)),
        ("make it monochrome", Wishes(grey=True)),
        ("sepia please", Wishes(sepia=True)),
        ("brighter", Wishes(light=1)),
        ("much darker", Wishes(light=-2)),
        ("more contrast", Wishes(contrast=1)),
        ("more colourful", Wishes(colour=1)),
        ("zoom in on the face", Wishes(close=True)),
        ("close-up", Wishes(close=True)),
        ("a head shot, please", Wishes(close=True)),
        ("flip it", Wishes(mirrored=True)),
        ("put it in a circle", Wishes(frame="circle")),
        ("with a frame", Wishes(frame="panel")),
        ("add stars and hearts", Wishes(things=("star", "heart"))),
        ("add a crown and sunglasses", Wishes(worn=("crown", "sunglasses"))),
        ("no stars, add flowers", Wishes(things=("flower",))),
    ],
)
def test_each_instruction_is_read_alone(text: str, wishes: Wishes) -> None:
    assert read_wishes(text) == wishes


@pytest.mark.parametrize(
    "text",
    [
        "",
        "???",
        "make it pop like my grandma's jam",
        "日本語で描いてください",
        "x" * 1000,
        "'; drop table designs; --",
        "\n\n",
    ],
)
def test_unknown_words_change_nothing(text: str) -> None:
    assert read_wishes(text) == Wishes()


@pytest.mark.parametrize(
    ("style_words", "name"),
    [
        ("Anime", "ghibli"), ("oil painting", "oil"), ("Van Gogh", "oil"), ("comic book", "comic"),
        ("low-poly", "low poly"),
        ("pixel art", "pixels"), ("8-bit", "pixels"), ("stained glass", "stained glass"), ("roman mosaic", "mosaic"),
        ("charcoal", "sketch"), ("pencil drawing", "sketch"), ("neon sign", "neon"), ("Banksy stencil", "stencil"),
        ("graffiti", "stencil"), ("woodcut", "linocut"), ("linocut", "linocut"), ("embroidery", "embroidery"),
        ("80s synthwave", "synthwave"), ("minimalist", "minimal"), ("Pixar", "cartoon"), ("Andy Warhol", "pop art"),
        ("Obama hope poster", "pop art"), ("retro", "vintage"), ("one line drawing", "sketch"), ("zzz", "photograph"),
    ],
)  # fmt: skip
def test_custom_style_finds_its_treatment(style_words: str, name: str) -> None:
    assert treatment_of(Brief("", style_words=style_words)) == name


@pytest.mark.parametrize(
    "style", ["Caricature", "Cartoon", "Line art", "Pop art", "Watercolor", "Sketch", "Vintage", "Ghibli"]
)
def test_styles_of_the_form_have_their_own_treatments(style: str) -> None:
    assert treatment_of(Brief("", style=style.lower(), style_words=style)) == style.lower()
    assert style.lower() in TREATMENTS
