"""The local artist: pictures for shirts without a model.

A prompt is read (`brief`), its things are looked up among open icons (`cast`, `icons`) and set together by what
they cover (`arrange`, `figures`). The seed picks one of the kinds of composition that suit (`compose`, `kinds`,
or `wording` when there is nothing to picture), in inks that suit the mood and show on the shirt (`palette`),
lettered (`lettering`) and drawn in a style (`styles`). A photograph is restyled by image processing (`photo`).
The same prompt and seed always give the same picture.
"""

from __future__ import annotations

import random
from dataclasses import replace
from functools import lru_cache

import numpy as np
from PIL import Image

from emulators.artist import filters
from emulators.artist.brief import Brief, read_brief
from emulators.artist.cast import read_cast
from emulators.artist.compose import compose
from emulators.artist.contrast import set_apart
from emulators.artist.faces import drawable
from emulators.artist.icons import Icons
from emulators.artist.lexicon import emoji_in_words
from emulators.artist.palette import luminance, make_palette
from emulators.artist.sheet import Sheet
from emulators.artist.styles import LOOKS, SMALLER
from emulators.artist.styles.paint import PAPER
from emulators.artist.undrawable import UndrawableError, refuse_undrawable
from emulators.assets import Assets

__all__ = ["Assets", "Brief", "UndrawableError", "draw", "draw_brief", "read_brief", "restyle"]


# Free all round, as a share of the side.
MARGIN = 0.012
# Looks that choose their inks for the shirt stroke by stroke: a rim would spoil them.
_THIN = ("sketch", "line art", "minimalist", "watercolor", "doodle")


@lru_cache(maxsize=2)
def _icons(assets: Assets) -> Icons:
    return Icons(assets)


def draw(
    prompt: str, seed: int | None, size: tuple[int, int], assets: Assets, variation: int = 0
) -> Image.Image:
    """A picture for `prompt`, RGBA of `size`, transparent around the design."""
    brief = read_brief(prompt, seed)
    picture = draw_brief(brief, min(size), assets, variation)
    if picture.size == size:
        return picture
    canvas = Image.new("RGBA", size)
    canvas.paste(picture, ((size[0] - picture.width) // 2, (size[1] - picture.height) // 2))
    return canvas


def draw_brief(brief: Brief, side: int, assets: Assets, variation: int = 0) -> Image.Image:
    """A square picture of `side` pixels. `UndrawableError` where the brief asks for what cannot be drawn."""
    icons = _icons(assets)
    idea = emoji_in_words(assets, brief.idea)
    refuse_undrawable(idea, brief.lettering, icons, assets)
    brief = replace(brief, idea=drawable(assets, idea))
    if not brief.idea and not brief.lettering:
        raise UndrawableError.not_english()
    seed = (brief.seed + variation * 7919) % 2**32
    # Watercolour is laid on paper of its own where the shirt is not light: its inks have to suit that.
    paper = brief.style == "watercolor" and luminance(brief.shirt) <= 0.55
    palette = make_palette(brief.mood, PAPER if paper else brief.shirt, seed % 5)
    work = min(side, SMALLER.get(brief.style, side))
    turned = replace(brief, seed=seed)
    cast = read_cast(brief.idea, icons)
    named = tuple(dict.fromkeys(actor.tint for actor in cast.actors if actor.tint))
    palette = replace(palette, named=named, paper=paper)
    sheet = Sheet(turned, cast, palette, icons, assets, random.Random(seed), work)
    layers = set_apart(compose(sheet), palette)
    picture = LOOKS[brief.style](layers, palette, np.random.default_rng(seed))
    if brief.style not in _THIN and not layers.kind.startswith("words"):
        words = (layers.lettering / 255).astype(np.float32)
        picture = filters.stand_off(picture, palette.shirt, palette.line, 5 * work / 1000, words)
    return Image.fromarray(
        filters.harden(filters.enlarge(filters.within(picture, work * MARGIN), side)), "RGBA"
    )


def restyle(content: bytes, prompt: str, seed: int | None, assets: Assets) -> Image.Image:
    """A photograph as a print design, in the style that `prompt` names."""
    from emulators.artist.photo import restyle_photo

    brief = read_brief(prompt, seed)
    refuse_undrawable(f"{brief.style_words} {brief.idea}", brief.lettering, _icons(assets), assets)
    return restyle_photo(content, brief, assets)
