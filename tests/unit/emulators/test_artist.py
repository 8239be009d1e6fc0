"""The local artist: the same prompt gives the same picture, every style is a look of its own, all of it prints."""

from __future__ import annotations

import io
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pytest
from PIL import Image

from emulators.replicate.artist import Brief, draw, draw_brief, read_brief, restyle
from emulators.replicate.artist.brief import MOODS
from emulators.replicate.artist.cast import read_cast
from emulators.replicate.artist.icons import Icons
from emulators.replicate.artist.lettering import arc, break_rows, line
from emulators.replicate.artist.palette import contrast, make_palette
from emulators.replicate.assets import Assets

ROOT = Path(__file__).resolve().parents[3]
STYLES = (
    "realistic photo", "cartoon", "sketch", "watercolor", "minimalist", "vintage", "abstract", "doodle", "line art",
    "caricature",
)  # fmt: skip
PHOTO_STYLES = (
    "Caricature", "Cartoon", "Line art", "Pop art", "Watercolor", "Sketch", "Vintage", "Ghibli", "Neon oil painting",
)  # fmt: skip
PROMPT = (
    "T-shirt print design, isolated on a transparent background.\nIdea: two red foxes under the moon\n"
    'Style: Vintage\nTone: earthy\nShirt colour: Navy (#1F2A44)\nLettering: "Night shift"'
)


@pytest.fixture(scope="session")
def assets(tmp_path_factory: pytest.TempPathFactory) -> Assets:
    return Assets(ROOT / "node_modules", tmp_path_factory.mktemp("artist"))


@pytest.fixture(scope="session")
def icons(assets: Assets) -> Icons:
    return Icons(assets)


def pixels(picture: Image.Image) -> npt.NDArray[np.uint8]:
    return np.array(picture)


def test_the_labelled_lines_of_a_prompt_are_read() -> None:
    brief = read_brief(PROMPT, 7)
    assert brief == Brief(
        "two red foxes under the moon", "vintage", "earthy", "#1F2A44", "Night shift", 7, "Vintage"
    )


@pytest.mark.parametrize(
    ("idea", "rest", "lettering"),
    [
        ('a dog. Text to include: "Good boy"', "a dog", "Good boy"),
        ("a dog that says “Woof”", "a dog that says", "Woof"),
        ("a dog", "a dog", ""),
    ],
)
def test_words_to_letter_are_found_in_the_idea(idea: str, rest: str, lettering: str) -> None:
    brief = read_brief(f"Idea: {idea}\nStyle: Cartoon", 1)
    assert (brief.idea, brief.lettering) == (rest, lettering)


@pytest.mark.parametrize(
    ("idea", "names", "counts"),
    [
        ("three cats", ["cat"], [3]),
        ("a fox reading a book in the forest", ["fox", "books", "evergreen-tree"], [1, 1, 1]),
        ("puppies", ["dog"], [1]),
        ("a T-Rex riding a bicycle", ["t-rex", "bicycle"], [1, 1]),
        ("two pandas and a mug of coffee", ["panda", "hot-beverage"], [2, 1]),
        ("zwischenzug", [], []),
    ],
)
def test_things_are_found_with_their_number(
    icons: Icons, idea: str, names: list[str], counts: list[int]
) -> None:
    actors = read_cast(idea, icons).actors
    assert [actor.icon.partition(":")[2] for actor in actors] == names
    assert [actor.count for actor in actors] == counts


def test_relations_and_colours_are_heard(icons: Icons) -> None:
    cast = read_cast("a pink flamingo on a skateboard wearing a crown", icons)
    assert [(actor.word, actor.relation) for actor in cast.actors] == [
        ("flamingo", "beside"),
        ("skateboard", "on"),
        ("crown", "worn"),
    ]
    assert cast.actors[0].tint == "#f06fa5"


def test_an_astronaut_cat_is_one_figure(icons: Icons) -> None:
    (astronaut,) = read_cast("an astronaut cat in space", icons).actors[:1]
    assert (astronaut.icon, astronaut.wearer) == ("fluent-emoji-flat:astronaut", "fluent-emoji-flat:cat-face")


@pytest.mark.parametrize("mood", MOODS)
@pytest.mark.parametrize("shirt", ["#FFFFFF", "#1A1A1A", "#C8102E", "#97999B", "#F4633A"])
def test_lettering_reads_on_every_shirt_in_every_mood(mood: str, shirt: str) -> None:
    for turn in range(5):
        palette = make_palette(mood, shirt, turn)
        assert contrast(palette.readable(), shirt) >= 2.9
        assert all(contrast(ink, shirt) > 1.1 for ink in palette.inks)


@pytest.mark.parametrize("style", STYLES)
def test_every_style_gives_a_full_picture_with_hard_edges(assets: Assets, style: str) -> None:
    picture = pixels(
        draw_brief(Brief("a fox with a balloon", style, "colorful", "#1A1A1A", "Hello", 3), 512, assets)
    )
    assert picture.shape == (512, 512, 4)
    assert set(np.unique(picture[..., 3])) == {0, 255}
    covered = float((picture[..., 3] == 255).mean())
    assert 0.03 < covered < 0.95
    assert not picture[:3, :, 3].any() or style in ("watercolor",)


def test_styles_look_different(assets: Assets) -> None:
    drawn = [
        pixels(draw_brief(Brief("a fox", style, "colorful", "#FFFFFF", "", 3), 256, assets)).astype(int)
        for style in STYLES
    ]
    for number, one in enumerate(drawn):
        for other in drawn[number + 1 :]:
            assert np.abs(one - other).mean() > 4


def test_a_seed_gives_one_picture_and_another_seed_another(assets: Assets) -> None:
    size = (1024, 1024)
    first, again = draw(PROMPT, 11, size, assets), draw(PROMPT, 11, size, assets)
    assert first.tobytes() == again.tobytes()
    assert first.tobytes() != draw(PROMPT, 12, size, assets).tobytes()
    assert draw(PROMPT, None, size, assets).tobytes() == draw(PROMPT, None, size, assets).tobytes()


@pytest.mark.parametrize("size", [(1024, 1024), (1536, 1024), (1024, 1536)])
def test_pictures_have_the_size_that_was_asked(assets: Assets, size: tuple[int, int]) -> None:
    assert draw(PROMPT, 1, size, assets).size == size


@pytest.mark.parametrize(
    "idea", ["", "???", "zwischenzug", "x" * 1500, "'; drop table designs; --", "日本語の猫", "a\n\nb"]
)
def test_any_idea_becomes_something(assets: Assets, idea: str) -> None:
    picture = pixels(draw(f"Idea: {idea}\nStyle: Cartoon\nTone: bold", 1, (512, 512), assets))
    assert (picture[..., 3] == 255).mean() > 0.02


@pytest.mark.parametrize(
    "text", ["Hi", "Otter this world", "WWWWWWWWWWWWWWWW", "gjpqy ÄÖÜ", "The quick brown fox"]
)
@pytest.mark.parametrize("face", ["poster", "slab", "comic", "script", "deco", "marker", "grotesque"])
def test_lettering_stays_within_its_box(assets: Assets, text: str, face: str) -> None:
    mask = line(assets, face, text, 600, (60, 400, 480, 120))
    rows, columns = np.nonzero(mask > 40)
    assert len(rows) > 200
    assert columns.min() >= 58 and columns.max() <= 542
    assert rows.min() >= 398 and rows.max() <= 522


@pytest.mark.parametrize("below", [False, True])
def test_lettering_on_an_arc_is_not_cut(assets: Assets, below: bool) -> None:
    mask = arc(assets, "slab", "MAIN CHARACTER", 800, (400, 400), 260, 70, below=below)
    rows, columns = np.nonzero(mask > 40)
    assert min(rows.min(), columns.min()) > 5
    assert max(rows.max(), columns.max()) < 795


def test_rows_are_broken_evenly() -> None:
    assert break_rows("two wheels, one soul", 18) == ["two wheels,", "one soul"]
    assert break_rows("word", 3) == ["word"]


@pytest.mark.parametrize("style", PHOTO_STYLES)
@pytest.mark.parametrize("shirt", ["#FFFFFF", "#1A1A1A"])
def test_a_photograph_takes_every_style(assets: Assets, style: str, shirt: str) -> None:
    content = (ROOT / "tests" / "photos" / "chelsea.jpg").read_bytes()
    prompt = f"Transform this photo into a t-shirt print design.\nStyle: {style}\nShirt colour: X ({shirt})"
    picture = pixels(restyle(content, prompt, 1, assets))
    assert picture.shape == (1024, 1024, 4)
    assert set(np.unique(picture[..., 3])) == {0, 255}
    assert (picture[..., 3] == 255).mean() > 0.08


def test_a_photograph_is_set_upright_and_an_animation_gives_its_first_frame(assets: Assets) -> None:
    tall = Image.new("RGB", (300, 200), "white")
    tall.paste("#2746e6", (0, 0, 150, 200))
    sideways, animation = io.BytesIO(), io.BytesIO()
    exif = Image.Exif()
    exif[0x0112] = 6
    tall.save(sideways, "JPEG", exif=exif)
    tall.save(animation, "GIF", save_all=True, append_images=[Image.new("RGB", (300, 200), "red")])
    turned = pixels(restyle(sideways.getvalue(), "Style: Other\nShirt colour: X (#FFFFFF)", 1, assets))
    shown = np.nonzero(turned[..., 3])
    assert np.ptp(shown[0]) > np.ptp(shown[1])
    first = pixels(restyle(animation.getvalue(), "Style: Other\nShirt colour: X (#FFFFFF)", 1, assets))
    colours = first[first[..., 3] == 255][:, :3]
    assert (colours[:, 2] > 150).mean() > 0.3


def test_a_photograph_s_own_transparency_is_kept(assets: Assets) -> None:
    cut = Image.new("RGBA", (400, 400))
    cut.paste("#f0492f", (100, 100, 300, 300))
    buffer = io.BytesIO()
    cut.save(buffer, "PNG")
    picture = pixels(restyle(buffer.getvalue(), "Style: Watercolor\nShirt colour: X (#FFFFFF)", 1, assets))
    assert 0.1 < (picture[..., 3] == 255).mean() < 0.4
