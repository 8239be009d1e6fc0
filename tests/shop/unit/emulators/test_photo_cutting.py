"""Cutting out and enlarging: the two services that leave the picture's colours as they are."""

from __future__ import annotations

import numpy as np
import pytest
from PIL import Image, ImageDraw

from emulators.artist.photo import cut_out, enlarge, open_photo
from tests.shop.unit.emulators.photographs import Pixels, photograph


def cut(name: str) -> Pixels:
    return np.array(cut_out(open_photo(photograph(name))))


def test_portrait_is_cut_out_with_the_whole_face() -> None:
    pixels = cut("astronaut")
    assert pixels.shape == (512, 512, 4)
    assert (pixels[70:160, 190:262, 3] > 250).mean() > 0.98
    assert pixels[:60, 330:500, 3].max() < 10
    opaque = pixels[..., 3] == 255
    assert (pixels[opaque][:, :3] == np.array(open_photo(photograph("astronaut")))[opaque][:, :3]).all()


def test_cup_is_cut_out_of_its_table() -> None:
    alpha = cut("coffee")[..., 3]
    assert alpha[:, :20].max() < 10 and alpha[:, -60:].max() < 10
    assert (alpha[150:280, 250:400] > 250).mean() > 0.98


def test_uniform_background_is_removed_also_where_enclosed() -> None:
    picture = Image.new("RGB", (300, 300), "white")
    draw = ImageDraw.Draw(picture)
    draw.ellipse((50, 50, 250, 250), fill="#c8102e")
    draw.ellipse((110, 110, 190, 190), fill="white")
    draw.rectangle((90, 200, 110, 215), fill="#f4efe6")
    alpha = np.array(cut_out(picture))[..., 3]
    assert alpha[5, 5] == 0 and alpha[150, 150] == 0
    assert alpha[75, 150] == 255
    assert alpha[208, 100] == 255, "a pale spot is not ground"


def test_transparency_of_the_input_is_preserved() -> None:
    picture = Image.new("RGBA", (200, 120), (0, 0, 0, 0))
    picture.paste((200, 30, 60, 255), (40, 30, 160, 90))
    picture.paste((200, 30, 60, 120), (40, 30, 60, 90))
    assert np.array_equal(np.array(cut_out(picture)), np.array(picture))


def test_picture_without_a_subject_is_not_cut() -> None:
    assert (np.array(cut_out(Image.new("RGB", (240, 160), "#8899aa")))[..., 3] == 255).all()


@pytest.mark.parametrize("factor", [2, 3, 4])
def test_enlarging_keeps_hard_alpha_and_mean_colour(factor: int) -> None:
    picture = Image.new("RGBA", (120, 90), (0, 0, 0, 0))
    ImageDraw.Draw(picture).ellipse((20, 10, 100, 80), fill=(200, 60, 40, 255))
    big = enlarge(picture, factor)
    assert big.size == (120 * factor, 90 * factor)
    pixels = np.array(big)
    assert set(np.unique(pixels[..., 3])) == {0, 255}
    shown = (np.array(picture)[..., 3] > 0).mean()
    assert abs((pixels[..., 3] > 0).mean() - shown) < 0.01
    assert np.abs(pixels[pixels[..., 3] > 0][:, :3].astype(int) - (200, 60, 40)).max() <= 8


def test_enlarging_makes_edges_steeper_than_plain_interpolation() -> None:
    photo = open_photo(photograph("chelsea"))
    ours = np.array(enlarge(photo, 3).convert("L"), np.float32)
    plain = np.array(
        photo.resize((photo.width * 3, photo.height * 3), Image.Resampling.BICUBIC).convert("L"), np.float32
    )
    assert np.abs(np.diff(ours, axis=1)).mean() > 1.05 * np.abs(np.diff(plain, axis=1)).mean()


def test_shrinking_and_soft_alpha_are_supported() -> None:
    soft = Image.new("RGBA", (100, 100), (10, 20, 30, 120))
    pixels = np.array(enlarge(soft, 0.5))
    assert pixels.shape == (50, 50, 4)
    assert (pixels[..., 3] == 120).all()
