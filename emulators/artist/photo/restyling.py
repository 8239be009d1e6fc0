"""From bytes and a brief to the design: look, lay, draw, letter."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache

import numpy as np
from PIL import Image

from emulators.artist.brief import Brief
from emulators.artist.filters import Field
from emulators.artist.lettering import drawable
from emulators.artist.palette import Palette, contrast, make_palette
from emulators.artist.photo import board as boards
from emulators.artist.photo import lettering, light, things
from emulators.artist.photo.board import Photograph
from emulators.artist.photo.faces import find_faces
from emulators.artist.photo.looks.base import Scene
from emulators.artist.photo.reading import open_photo
from emulators.artist.photo.subject import find_subject
from emulators.artist.photo.treatments import TREATMENTS, Treatment, treatment_of
from emulators.artist.photo.warp import exaggerate
from emulators.artist.photo.wishes import Wishes, read_wishes
from emulators.assets import Assets

_LOOKED_AT = 1000


def restyle_photo(content: bytes, brief: Brief, assets: Assets) -> Image.Image:
    """`brief.style` on the photograph, lettering with it; RGBA with hard alpha, 1536 pixels square."""
    brief = replace(brief, lettering=drawable(assets, brief.lettering))
    wishes = read_wishes(f"{brief.idea}. {brief.style_words}")
    treatment = TREATMENTS[treatment_of(brief)]
    palette = make_palette(brief.mood, brief.shirt, brief.seed % 5)
    photo = _looked_at(content, wishes)
    window = _window(treatment, wishes)
    on_arc = lettering.goes_on_arc(brief.lettering, window)
    edge = wishes.frame or treatment.edge
    if on_arc:
        window = edge = "disc"
    box = boards.BELOW_ARC if on_arc else boards.ABOVE_WORDS if brief.lettering else boards.WHOLE
    box = _with_room(box, wishes)
    photo = boards.bust(photo, 2.0 if wishes.close else treatment.bust)
    if treatment.warped:
        photo = exaggerate(photo)
    board = boards.lay(photo, box, window, edge, wishes.close)
    rng = np.random.default_rng(brief.seed)
    paper = treatment.draw(Scene(board, palette, wishes, rng))
    things.wear(paper, board, wishes.worn)
    things.scatter(paper, board, wishes.things, palette, rng)
    paper.colours = light.recolour(paper.colours, wishes)
    if brief.lettering:
        setting = lettering.Setting(treatment.face, _lettering_ink(palette, wishes), on_arc, treatment.heavy)
        lettering.letter(paper, brief.lettering, setting, palette, assets)
    return Image.fromarray(paper.pixels(), "RGBA")


def _window(treatment: Treatment, wishes: Wishes) -> str:
    if wishes.ground == "none":
        return ""
    if wishes.ground and not treatment.window and wishes.ground != "keep":
        return wishes.frame or "postcard"
    return wishes.frame or treatment.window


def _lettering_ink(palette: Palette, wishes: Wishes) -> str:
    """An ink that reads on the shirt and does not undo a wish for one colour or none."""
    if wishes.tint and contrast(wishes.tint, palette.shirt) >= 2.5:
        return wishes.tint
    return palette.line if wishes.grey or wishes.sepia or wishes.tint else palette.readable()


def _with_room(box: boards.Box, wishes: Wishes) -> boards.Box:
    """Space around the figure for things, and above its head for a hat."""
    x, y, width, height = box
    if set(wishes.worn) - {"sunglasses"}:
        y, height = y + 120, height - 120
    if wishes.things:
        inset = 0.09 * min(width, height)
        x, y, width, height = x + inset, y + inset * 0.8, width - 2 * inset, height - 1.5 * inset
    return x, y, width, height


def _looked_at(content: bytes, wishes: Wishes) -> Photograph:
    """The photograph with its subject and faces found and its light set right."""
    photo = _seen(content, wishes.mirrored)
    if wishes.ground == "keep" and not photo.own:
        photo = replace(photo, matte=None)
    return replace(photo, colours=light.honour(light.relight(photo.colours, photo.matte), wishes))


@lru_cache(maxsize=2)
def _seen(content: bytes, mirrored: bool) -> Photograph:
    """What is in the photograph. Cached for the next try, which is mostly with the same one."""
    picture = np.array(open_photo(content, _LOOKED_AT))
    if mirrored:
        picture = picture[:, ::-1]
    colours, alpha = np.ascontiguousarray(picture[..., :3]), picture[..., 3]
    own = bool(alpha.min() < 128)
    colours = colours if own else light.exposed(colours)
    matte: Field | None = np.asarray(alpha / np.float32(255), np.float32) if own else find_subject(colours)
    return Photograph(colours, matte, find_faces(colours), own)
