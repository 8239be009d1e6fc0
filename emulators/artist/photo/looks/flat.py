"""Flat inks: cartoon, caricature, pop art."""

from __future__ import annotations

import cv2
import numpy as np

from emulators.artist import filters
from emulators.artist.filters import Field
from emulators.artist.palette import luminance, mix, rgb
from emulators.artist.photo import faces, grounds, lines, regions, sheet
from emulators.artist.photo.board import HALF, SIDE
from emulators.artist.photo.looks.base import Scene, outlined, polygon, smile
from emulators.artist.photo.sheet import Sheet, crisp, large
from emulators.artist.photo.subject import Colours

_INK = "#17131c"


def cartoon(scene: Scene) -> Sheet:
    """Clean fields, one step of shade, a brush line that swells, and the rim of a sticker."""
    paper = Sheet()
    _sticker(paper, scene, 15, 7)
    if scene.has_ground and scene.window is not None:
        if scene.wishes.ground:
            grounds.lay(paper, scene.window, scene.board, scene.wishes, scene.rng, "plain")
        else:
            grounds.dotted(paper, scene.window, scene.palette, scene.rng)
        paper.ink(sheet.widen(scene.figure, 7) * scene.window, _INK)
    paper.picture(scene.figure, _cel(scene, 13, 1.3))
    smile(scene, paper)
    paper.ink(_brush_lines(scene, 0.0085) * scene.figure, _INK)
    return paper


def _sticker(paper: Sheet, scene: Scene, rim: float, line: float) -> None:
    """A pale rim where the shirt is dark, a dark outline always."""
    shape = scene.figure if scene.window is None else np.maximum(scene.figure, scene.window)
    if scene.palette.on_dark or luminance(scene.palette.shirt) < 0.6:
        outlined(paper, shape, rim, "#ffffff")
    outlined(paper, shape, line, _INK)


def _cel(scene: Scene, count: int, rich: float) -> Colours:
    """The main colours as flat fields, each lit a little and shaded a little by the broad light on it."""
    labels, inks = regions.main_colours(scene.smooth, scene.board.figure, count, rich)
    flat = regions.cut_paper(labels, _lifted(inks), 2.0)
    broad = filters.blur(scene.tone, 9)
    own = filters.blur(scene.tone, 30)
    shade = crisp(np.clip((own - broad) * 9, 0, 1), 0.5, 2)
    darker = cv2.LUT(flat, (np.arange(256) * 0.84).astype(np.uint8))
    return np.asarray(cv2.blendLinear(darker, flat, shade, 1 - shade), np.uint8)


def _lifted(inks: Field) -> Field:
    """Inks of a comic: brighter and richer than a photograph's averages."""
    hsv = cv2.cvtColor(inks.clip(0, 255).astype(np.uint8)[None], cv2.COLOR_RGB2HSV)[0].astype(np.float32)
    hsv[:, 1] = np.clip(hsv[:, 1] * 1.12, 0, 255)
    hsv[:, 2] = 255 * np.clip(hsv[:, 2] / 255, 0, 1) ** 0.82
    return np.asarray(cv2.cvtColor(hsv.clip(0, 255).astype(np.uint8)[None], cv2.COLOR_HSV2RGB)[0], np.float32)


def _brush_lines(scene: Scene, least: float) -> Field:
    """Ink that swells with contrast: a fine line for detail, a broad one for form."""
    fine = lines.edges(scene.tone, scene.flow, 1.2)
    broad = lines.edges(scene.tone, scene.flow, 2.6)
    response = np.maximum(fine - 0.35 * least * (1 - scene.features()), broad * 0.8)
    return lines.inked(response, least, 0.01, 40)


def caricature(scene: Scene) -> Sheet:
    """A great head on a small body (the photograph comes warped): brush, pen hatching, a thin wash."""
    paper = Sheet()
    figure = scene.figure
    pale = scene.palette.on_dark or luminance(scene.palette.shirt) < 0.6
    if scene.window is not None:
        # The wash ends raggedly: an illustrator's vignette.
        edge = (
            filters.depth(np.pad(scene.board.window, 1))[1:-1, 1:-1]
            if scene.board.window is not None
            else figure
        )
        figure = figure * crisp(
            np.clip((edge - 6 - 26 * sheet.grain(scene.rng, 12, 3, HALF)) * 0.3 + 0.5, 0, 1)
        )
    if pale:
        outlined(paper, figure, 18, "#fffdf6")
    outlined(paper, figure, 8, _INK)
    labels, inks = regions.main_colours(scene.smooth, scene.board.figure, 8, 1.25)
    flat = regions.cut_paper(labels, _lifted(inks), 3.0).astype(np.float32)
    # Colour as thin as a wash: the ink carries the drawing.
    thin = 255 - (255 - flat) * 0.74
    bloom = 0.94 + 0.12 * sheet.grain(scene.rng, 14, 3)[..., None]
    paper.picture(figure, np.asarray((thin * bloom).clip(0, 255), np.uint8))
    smile(scene, paper)
    tone = regions.ranked(filters.blur(scene.tone, 2.5), scene.board.figure, 0.7)
    for level, degrees, spacing, width in ((0.44, 52, 14.0, 3.0), (0.26, -38, 14.0, 3.4)):
        shade = crisp(level - tone + 0.5, 0.5, 12)
        paper.ink(pen(scene, degrees, spacing, width) * shade * figure, _INK)
    paper.ink(crisp(0.09 - tone + 0.5, 0.5, 12) * figure, _INK)
    paper.ink(_brush_lines(scene, 0.0055) * figure, _INK)
    return paper


def pen(scene: Scene, degrees: float, spacing: float, width: float) -> Field:
    """Hatching at SIDE that bends with the form under it."""
    turn = np.deg2rad(degrees)
    at = np.arange(SIDE, dtype=np.float32) / np.float32(spacing)
    across = scene.bend * np.float32(1 / spacing)
    across += (at * np.float32(np.cos(turn)))[:, None]
    across -= (at * np.float32(np.sin(turn)))[None]
    place = np.abs(across - np.floor(across) - 0.5) * np.float32(spacing)
    uneven = scene.pressure * np.float32(width)
    return np.asarray(np.clip(uneven - place + 0.5, 0, 1), np.float32)


# ground, skin, cloth, hair, black
_POP = (
    ("#ffd400", "#ff9ec6", "#00a6ed", "#ff4f2e", "#1a1446"),
    ("#ff3d7f", "#ffdf3d", "#18c3a4", "#f46a1a", "#101b4d"),
    ("#00b3e6", "#ffc59e", "#ff4fa3", "#ffe600", "#1b1030"),
    ("#ff6b1a", "#ffe27a", "#2fb7f0", "#ff3f8e", "#2a0f4a"),
)


def pop_art(scene: Scene) -> Sheet:
    """Blocks of loud ink a little off the black plate, and coarse dots for everything between."""
    paper = Sheet()
    inks = _POP[int(scene.rng.integers(len(_POP)))]
    ground, black = inks[0], inks[4]
    shape = scene.figure if scene.window is None else np.maximum(scene.figure, scene.window)
    if luminance(scene.palette.shirt) < 0.6:
        outlined(paper, shape, 18, "#ffffff")
    outlined(paper, shape, 10, black)
    if scene.has_ground and scene.window is not None:
        paper.ink(scene.window, scene.wishes.ground_tint or ground)
        fade = np.broadcast_to(np.linspace(0.62, -0.1, HALF, dtype=np.float32)[:, None], (HALF, HALF))
        paper.ink(sheet.dots(fade.clip(0, 1), 34, 45) * scene.window, mix(ground, "#ffffff", 0.8))
    ranked = regions.ranked(filters.blur(scene.tone, 1.2), scene.board.figure, 0.55)
    blocks = _blocks(scene, ranked, inks)
    off = cv2.warpAffine(
        blocks, np.array([[1, 0, 9], [0, 1, 6]], np.float32), (SIDE, SIDE), borderMode=cv2.BORDER_REPLICATE
    )
    paper.picture(scene.figure, np.asarray(off, np.uint8))
    middle = np.clip(0.6 - ranked, 0, 0.42) * 1.3
    paper.ink(sheet.dots(middle, 15, 22) * scene.figure, black)
    solid = np.maximum(crisp(0.22 - ranked + 0.5, 0.5, 8), lines.inked(scene.edges(1.6), 0.009, specks=60))
    paper.ink(solid * scene.figure, black)
    return paper


def _blocks(scene: Scene, ranked: Field, inks: tuple[str, str, str, str, str]) -> Colours:
    """The colour plates at SIDE: cloth and all that is light, hair, skin; lips and eyelids painted by hand."""
    _, skin, cloth, hair, _ = inks
    calm = filters.blur(ranked, 2.4)
    if scene.board.faces:
        out = regions.tone_steps(calm, (0.72,), (cloth, "#fffaf0"))
    else:
        out = regions.tone_steps(calm, (0.42, 0.74), (hair, cloth, "#fffaf0"))
    for face in scene.board.faces:
        own = _skin(scene, face)
        out = _paint(out, _around_head(face) * (1 - own), rgb(hair))
        out = _paint(out, own, rgb(skin))
        out = _paint(out, polygon(face.part(faces.LIPS)), rgb("#e4002b"))
        out = _paint(out, polygon(face.part(faces.MOUTH)), (255, 250, 240))
        for brow, eye in ((faces.LEFT_BROW, faces.LEFT_EYE), (faces.RIGHT_BROW, faces.RIGHT_EYE)):
            both = np.concatenate([face.part(brow)[5:], face.part(eye)])
            lid = np.asarray(cv2.convexHull(both), np.float32).reshape(-1, 2)
            out = _paint(out, polygon(lid), rgb(cloth))
            out = _paint(out, polygon(face.part(eye)), (255, 250, 240))
    return out


def _around_head(face: faces.Face) -> Field:
    """The head with its hair, down to the chin."""
    field = np.zeros((HALF, HALF), np.float32)
    x, y = face.middle
    axes = round(face.width * 1.15), round(face.height * 1.15)
    cv2.ellipse(
        field, (round(x), round(y - face.height * 0.25)), axes, face.turn, 0, 360, 1.0, -1, cv2.LINE_AA
    )
    return field


def _skin(scene: Scene, face: faces.Face) -> Field:
    """Return where the picture has the face's own colour, near the face."""
    lab = cv2.cvtColor(scene.smooth, cv2.COLOR_RGB2LAB).astype(np.float32)
    oval = polygon(face.part(faces.OVAL), 1.0)
    own = np.median(lab[oval > 0.9], axis=0) if (oval > 0.9).any() else np.array([150, 140, 140], np.float32)
    grey = float(np.abs(own[1:] - 128).max()) < 6
    away = np.abs(lab - own) @ np.array([1.3 if grey else 0.35, 1.6, 1.6], np.float32)
    near = np.zeros((HALF, HALF), np.float32)
    x, y = face.middle
    cv2.ellipse(
        near,
        (round(x), round(y + face.height * 0.25)),
        (round(face.width), round(face.height * 1.1)),
        0,
        0,
        360,
        1.0,
        -1,
    )
    alike = np.clip((46 - away) / 16, 0, 1) * near
    return filters.blur(np.maximum(alike, oval * np.clip((90 - away) / 20, 0, 1)).astype(np.float32), 1.6)


def _paint(colours: Colours, mask: Field, ink: tuple[int, int, int]) -> Colours:
    out = colours.copy()
    out[large(mask) > 0.5] = ink
    return out
