"""From bytes and a brief to the design: look, lay, draw, letter."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache

import numpy as np
from PIL import Image, ImageOps

from emulators.artist.brief import Brief
from emulators.artist.filters import Field
from emulators.artist.palette import Palette, contrast, make_palette
from emulators.artist.photo import board as boards
from emulators.artist.photo import lettering, light, things
from emulators.artist.photo.board import Photograph
from emulators.artist.photo.faces import find_faces
from emulators.artist.photo.looks.base import Scene
from emulators.artist.photo.portrait import PORTRAITS, fitting, part_around
from emulators.artist.photo.reading import open_photo
from emulators.artist.photo.subject import Colours, find_subject
from emulators.artist.photo.treatments import TREATMENTS, Treatment, treatment_of
from emulators.artist.photo.warp import exaggerate
from emulators.artist.photo.wishes import Wishes, read_wishes
from emulators.assets import Assets

_LOOKED_AT = 1000


def restyle_photo(content: bytes, brief: Brief, assets: Assets) -> Image.Image:
    """`brief.style` on the photograph, lettering with it; RGBA with hard alpha, 1536 pixels square.

    Where another style had to be drawn, `info["Comment"]` says which and why.
    """
    wishes = read_wishes(f"{brief.idea}. {brief.style_words}")
    style = treatment_of(brief)
    photo = _looked_at(content, wishes, is_portrait=style in PORTRAITS)
    height, width = photo.colours.shape[:2]
    fitted = fitting(style, photo.faces, width, height)
    treatment = TREATMENTS[fitted.style]
    palette = make_palette(brief.mood, brief.shirt, brief.seed % 5)
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
    picture = Image.fromarray(paper.pixels(), "RGBA")
    if fitted.remark:
        picture.info["Comment"] = fitted.remark
    return picture


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


def _looked_at(content: bytes, wishes: Wishes, *, is_portrait: bool) -> Photograph:
    """The photograph with its subject and faces found and its light set right."""
    photo = _seen(content, wishes.mirrored, is_portrait and wishes.ground != "keep")
    if wishes.ground == "keep" and not photo.own:
        photo = replace(photo, matte=None)
    return replace(photo, colours=light.honour(light.relight(photo.colours, photo.matte), wishes))


@lru_cache(maxsize=2)
def _seen(content: bytes, mirrored: bool, to_face: bool) -> Photograph:
    """Return what is in the photograph, or in the part around its face.

    Cached for the next try, mostly with the same one.
    """
    picture = open_photo(content, _LOOKED_AT)
    own = bool(np.asarray(picture.getchannel("A")).min() < 128)
    if to_face and not own and (part := part_around(find_faces(_colours(picture)), *picture.size)):
        share = max(part[2] - part[0], part[3] - part[1]) / _LOOKED_AT
        # once more, with all the pixels that the part has
        larger = open_photo(content, round(_LOOKED_AT / share))
        left, top, right, bottom = (round(edge * larger.width / picture.width) for edge in part)
        picture = larger.crop((left, top, right, bottom))
    if mirrored:
        picture = ImageOps.mirror(picture)
    colours = _colours(picture)
    alpha = np.asarray(picture.getchannel("A"), np.float32)
    colours = colours if own else light.exposed(colours)
    matte: Field | None = alpha / np.float32(255) if own else find_subject(colours)
    return Photograph(colours, matte, find_faces(colours), own)


def _colours(picture: Image.Image) -> Colours:
    return np.asarray(picture.convert("RGB"), np.uint8)
