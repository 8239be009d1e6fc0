"""Screens and street, chosen by name: comic, stencil, linocut, minimal, low poly, pixels, neon, synthwave."""

from __future__ import annotations

import cv2
import numpy as np

from emulators.artist import filters
from emulators.artist.filters import Field
from emulators.artist.palette import luminance, mix, rgb
from emulators.artist.photo import grounds, lines, regions, sheet
from emulators.artist.photo.board import HALF, SIDE
from emulators.artist.photo.looks.base import Scene, outlined, smile
from emulators.artist.photo.looks.ink import contour_paths, feature_paths
from emulators.artist.photo.sheet import Sheet, crisp, large
from emulators.artist.photo.subject import Colours

_INK = "#15121a"


def _shape(scene: Scene) -> Field:
    return scene.figure if scene.window is None else np.maximum(scene.figure, scene.window)


def comic(scene: Scene) -> Sheet:
    """Heavy blacks, four process inks, and dots where the tone is between."""
    paper = Sheet()
    shape = _shape(scene)
    if luminance(scene.palette.shirt) < 0.6:
        outlined(paper, shape, 20, "#ffffff")
    outlined(paper, shape, 11, _INK)
    if scene.has_ground and scene.window is not None:
        grounds.lay(paper, scene.window, scene.board, scene.wishes, scene.rng, "burst")
        paper.ink(sheet.widen(scene.figure, 8) * scene.window, _INK)
    labels, inks = regions.main_colours(scene.smooth, scene.board.figure, 8, 1.6)
    hsv = cv2.cvtColor(inks.astype(np.uint8)[None], cv2.COLOR_RGB2HSV)[0].astype(np.float32)
    hsv[:, 2] = 255 * (hsv[:, 2] / 255) ** 0.6
    vivid = cv2.cvtColor(hsv.astype(np.uint8)[None], cv2.COLOR_HSV2RGB)[0].astype(np.float32)
    flat = regions.cut_paper(labels, vivid, 2.6)
    tone = regions.ranked(filters.blur(scene.tone, 1.4), scene.board.figure, 0.5)
    paper.picture(scene.figure, flat)
    shade = sheet.dots(np.clip(0.62 - tone, 0, 0.36) * 1.25, 13, 30) * scene.figure
    paper.picture(shade, np.asarray(flat * 0.55, np.uint8))
    smile(scene, paper)
    black = np.maximum(crisp(0.2 - tone + 0.5, 0.5, 9), lines.inked(scene.edges(1.5), 0.0065, specks=40))
    paper.ink(black * scene.figure, _INK)
    return paper


def stencil(scene: Scene) -> Sheet:
    """Two cuts of spray paint with mist around them, one spot of red."""
    paper = Sheet()
    ink = scene.palette.line if scene.palette.on_dark else "#1b1b1d"
    half = mix(ink, scene.palette.shirt if scene.palette.on_dark else "#ffffff", 0.5)
    tone = regions.ranked(filters.blur(scene.tone, 2.4), scene.board.figure, 0.6)
    tone = 1 - tone if scene.palette.on_dark else tone
    figure = sheet.crisp(filters.blur(scene.board.figure, 2))
    outer = np.zeros((HALF, HALF), np.float32)
    rows, columns = np.nonzero(scene.board.figure > 0.5)
    if len(rows):
        middle = int(columns.mean()), int(rows.mean())
        cv2.circle(outer, middle, round(0.36 * float(np.ptp(columns) + 1)), 1.0, -1)
        reach = np.clip(filters.blur(outer, 44) * 1.3, 0, 0.92)
        reach[:8] = reach[-8:] = reach[:, :8] = reach[:, -8:] = 0
        mist = (sheet.grain(scene.rng, 380, 1) < large(reach) * 0.98 - 0.06).astype(np.float32)
        paper.ink(mist, "#e4212e")
    if not scene.palette.on_dark:
        paper.ink(figure, "#ffffff")
    spray = (sheet.grain(scene.rng, 420, 1) > 0.14).astype(np.float32)
    paper.ink(crisp(0.56 - tone + 0.5, 0.5, 7) * figure * spray, half)
    paper.ink(crisp(0.36 - tone + 0.5, 0.5, 7) * figure, ink)
    drawn = lines.inked(lines.edges(scene.tone, scene.flow, 1.8), 0.009, specks=70) * figure
    if scene.palette.on_dark:
        paper.clear(drawn)
    else:
        paper.ink(drawn, ink)
    return paper


def linocut(scene: Scene) -> Sheet:
    """One ink from a block: solid shadows, and gouge marks that follow the form where light falls."""
    paper = Sheet()
    ink = scene.palette.line
    tone = regions.ranked(filters.blur(scene.tone, 2.0), scene.board.figure, 0.6)
    tone = 1 - tone if scene.palette.on_dark else tone
    marks = scene.flow.along(scene.rng.random((HALF, HALF), np.float32), (2.0, 4.0, 7.0, 10.0))
    marks = filters.blur(marks, 0.8)
    marks = (marks - float(marks.mean())) / max(float(marks.std()), 1e-6) * 0.13
    shape = (
        scene.board.figure
        if scene.board.window is None
        else np.maximum(scene.board.window, scene.board.figure)
    )
    behind = 0.2 if scene.has_ground else 1.0
    value = np.where(scene.board.figure > 0.5, tone, behind) + marks
    cut = crisp(np.clip((0.5 - value) * 5 + 0.5, 0, 1).astype(np.float32), 0.5, 2)
    drawn = lines.inked(scene.edges(1.8), 0.008, specks=50) * scene.figure
    # On a dark shirt the ink is the light: lines are where the gouge left it bare.
    printed = cut * (1 - drawn) if scene.palette.on_dark else np.maximum(cut, drawn)
    paper.ink(printed * crisp(shape), ink)
    rim = crisp(filters.grow(shape, 3)) * (1 - sheet.inside(crisp(shape), 7))
    paper.ink(rim, ink)
    return paper


def minimal(scene: Scene) -> Sheet:
    """Three flat shapes of tone, no line."""
    paper = Sheet()
    ink = scene.palette.readable()
    tone = regions.ranked(filters.blur(scene.tone, 3.6), scene.board.figure, 0.55)
    deep, light = mix(ink, "#0e0b14", 0.72), mix(ink, "#ffffff", 0.72)
    if scene.has_ground and scene.window is not None:
        grounds.lay(paper, scene.window, scene.board, scene.wishes, scene.rng, "plain")
    elif luminance(scene.palette.shirt) < 0.3:
        outlined(paper, scene.figure, 8, light)
    figure = sheet.crisp(filters.blur(scene.board.figure, 3))
    paper.picture(figure, regions.tone_steps(tone, (0.34, 0.68), (deep, ink, light)))
    eyes_and_brows = [
        path for face in scene.board.faces for path in feature_paths(face)[:2] + feature_paths(face)[4:6]
    ]
    paper.ink(lines.draw_strokes(eyes_and_brows, 4.0) * figure, deep)
    return paper


def low_poly(scene: Scene) -> Sheet:
    """Facets: a triangulation with its points where the picture changes."""
    paper = Sheet()
    shape = _shape(scene)
    outlined(
        paper,
        shape,
        7,
        "#ffffff" if luminance(scene.palette.shirt) < 0.6 else mix(scene.palette.dark, "#ffffff", 0.1),
    )
    colours = scene.smooth
    if scene.has_ground and scene.window is not None:
        behind = cv2.resize(
            grounds.painted(scene.wishes, scene.rng, "plain"), (HALF, HALF), interpolation=cv2.INTER_AREA
        )
        colours = np.where(scene.board.figure[..., None] > 0.5, colours, behind).astype(np.uint8)
    detail = np.sqrt(scene.flow.strength) * (scene.board.figure > 0.3) + 0.004 + 0.3 * scene.features()
    chance = (detail / detail.sum()).ravel()
    picks = scene.rng.choice(HALF * HALF, 1500, replace=False, p=chance / chance.sum())
    points = np.stack([picks % HALF, picks // HALF], -1).astype(np.float32)
    edge = np.linspace(0, HALF - 1, 9)
    corners = [(x, y) for x in (0.0, HALF - 1.0) for y in edge] + [
        (x, y) for y in (0.0, HALF - 1.0) for x in edge
    ]
    face_points = [tuple(point) for face in scene.board.faces for point in face.points[::4]]
    division = cv2.Subdiv2D((0, 0, HALF, HALF))
    for x, y in dict.fromkeys([(float(x), float(y)) for x, y in [*points, *corners, *face_points]]):
        if 0 <= x < HALF and 0 <= y < HALF:
            division.insert((x, y))
    canvas = np.zeros((SIDE, SIDE, 3), np.uint8)
    soft = cv2.GaussianBlur(colours, (0, 0), 2.0)
    for triangle in np.asarray(division.getTriangleList(), np.float32).reshape(-1, 3, 2):
        if triangle.min() < -1 or triangle.max() > HALF:
            continue
        x, y = (int(value) for value in triangle.mean(axis=0))
        tint = soft[y, x].astype(np.float32) * scene.rng.uniform(0.93, 1.08)
        cv2.fillConvexPoly(
            canvas, np.round(triangle * 2).astype(np.int32), tuple(float(v) for v in tint.clip(0, 255))
        )
    hard = np.zeros((SIDE, SIDE), np.uint8)
    outer = (scene.board.figure > 0.5).astype(np.uint8)
    for ring in cv2.findContours(outer, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)[0]:
        if cv2.contourArea(ring) > 60:
            cv2.fillPoly(hard, [cv2.approxPolyDP(ring, 2.2, True) * 2], 255, cv2.LINE_AA)
    paper.picture(
        np.maximum(hard.astype(np.float32) / 255, scene.window if scene.window is not None else 0), canvas
    )
    return paper


def pixels(scene: Scene) -> Sheet:
    """Big square pixels in a console's few colours, with a one-pixel outline."""
    paper = Sheet()
    cells = 96
    size = SIDE // cells
    figure = cv2.resize(scene.board.figure, (cells, cells), interpolation=cv2.INTER_AREA) > 0.5
    labels, inks = regions.main_colours(scene.smooth, scene.board.figure, 16, 1.35)
    picture = cv2.resize(
        np.asarray(inks, np.uint8)[labels], (cells, cells), interpolation=cv2.INTER_AREA
    ).astype(np.float32)
    nearest = ((picture[:, :, None] - inks[None, None]) ** 2).sum(-1).argmin(-1)
    flat = np.asarray(inks.clip(0, 255), np.uint8)[nearest]
    shown = figure
    if scene.has_ground and scene.board.window is not None:
        behind = (
            cv2.resize(
                grounds.painted(scene.wishes, scene.rng, "sky"), (cells, cells), interpolation=cv2.INTER_AREA
            )
            // 24
            * 24
        )
        flat = np.where(figure[..., None], flat, behind)
        shown = figure | (cv2.resize(scene.board.window, (cells, cells), interpolation=cv2.INTER_AREA) > 0.5)
    around = cv2.dilate(shown.astype(np.uint8), cv2.getStructuringElement(cv2.MORPH_CROSS, (3, 3))) > 0
    line = rgb("#fbf7ee" if luminance(scene.palette.shirt) < 0.3 else _INK)
    flat = np.where((around & ~shown)[..., None], np.array(line, np.uint8), flat)
    square = np.ones((size, size), np.uint8)
    paper.colours = np.ascontiguousarray(np.kron(flat, square[..., None]).astype(np.uint8))
    paper.shown = np.asarray(np.kron(around, square), np.float32)
    return paper


def neon(scene: Scene) -> Sheet:
    """Tubes of light: a white core, a coloured wall, a glow of fine dots; on a dark panel where the shirt is pale."""
    paper = Sheet()
    inks = ("#ff2fd0", "#19e3ff", "#fff04a")
    paths = contour_paths(scene, 30, 0.06)
    shape = _shape(scene)
    if not scene.palette.on_dark:
        outlined(paper, shape, 26, "#120c22")
    glow = np.zeros((SIDE, SIDE), np.float32)
    groups = (
        [paths[number::3] for number in range(3)] if scene.board.is_scene else [paths[::2], paths[1::2], []]
    )
    for group in groups:
        glow = np.maximum(glow, lines.draw_strokes(group, 6))
    near = filters.blur(np.asarray(cv2.resize(glow, (HALF, HALF), interpolation=cv2.INTER_AREA)), 9)
    near[:8] = near[-8:] = near[:, :8] = near[:, -8:] = 0
    paper.ink(
        sheet.dots(np.clip(near * 2.2, 0, 0.42), 9, 45) * (_near(near)),
        mix(inks[0], "#2a1060", 0.35),
    )
    for group, colour in zip(groups, inks, strict=True):
        paper.ink(lines.draw_strokes(group, 15), mix(colour, "#120c22", 0.4))
        paper.ink(lines.draw_strokes(group, 10), colour)
        paper.ink(lines.draw_strokes(group, 4), "#ffffff")
    return paper


def _near(field: Field) -> Field:
    return (large(field) > 0.01).astype(np.float32)


def synthwave(scene: Scene) -> Sheet:
    """Duotone in magenta and cyan before a striped sun and a grid."""
    paper = Sheet()
    shape = _shape(scene)
    if luminance(scene.palette.shirt) < 0.6:
        outlined(paper, shape, 12, "#ff4fd8")
    if scene.window is not None and not scene.board.is_scene:
        grounds.lay(paper, scene.window, scene.board, scene.wishes, scene.rng, "grid")
        paper.ink(sheet.widen(scene.figure, 7) * scene.window, "#19e3ff")
    tone = regions.ranked(filters.blur(scene.tone, 1.2), scene.board.figure, 0.5)
    inks = ("#150a35", "#3d1478", "#8a1fa8", "#f0329f", "#ff8fb0", "#c9f6ff")
    duo: Colours = regions.tone_steps(tone, (0.18, 0.34, 0.5, 0.66, 0.84), inks)
    paper.picture(scene.figure, duo)
    paper.ink(sheet.dots(np.clip(0.5 - np.abs(tone - 0.5) * 2.4, 0, 0.4), 10, 15) * scene.figure, "#2ad4ff")
    paper.ink(lines.inked(scene.edges(1.4), 0.008, specks=40) * scene.figure, "#150a35")
    return paper


def photograph(scene: Scene) -> Sheet:
    """For words that name no drawing: the photograph itself, crisp and rich, torn like a poster where it is cropped."""
    paper = Sheet()
    fine = scene.board.fine()
    soft = cv2.GaussianBlur(fine, (0, 0), 2.4)
    sharp = cv2.addWeighted(fine, 1.5, soft, -0.5, 0)
    shape = scene.board.figure
    if scene.board.is_cropped and scene.board.window is not None:
        depth = filters.depth(np.pad(scene.board.window, 1))[1:-1, 1:-1]
        rough = 26 * sheet.grain(scene.rng, 7, 4, HALF) + 12 * sheet.grain(scene.rng, 60, 2, HALF)
        shape = shape * np.clip((depth - rough) * 0.6 + 0.5, 0, 1)
    elif scene.has_ground and scene.window is not None:
        if scene.wishes.ground:
            grounds.lay(paper, scene.window, scene.board, scene.wishes, scene.rng, "plain")
        elif scene.board.window is not None:
            shape = np.maximum(shape, scene.board.window)
    mask = crisp(np.asarray(shape, np.float32))
    if luminance(scene.palette.shirt) < 0.3 and not scene.board.is_cropped:
        paper.ink(sheet.widen(mask, 7), "#ffffff")
    paper.picture(mask, np.asarray(sharp, np.uint8))
    return paper
