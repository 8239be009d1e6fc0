"""Crafts and painters' techniques, chosen by name: oil, embroidery, mosaic, stained glass."""

from __future__ import annotations

import cv2
import numpy as np

from emulators.artist import filters
from emulators.artist.filters import Field
from emulators.artist.palette import luminance
from emulators.artist.photo import grounds, lines, regions, sheet
from emulators.artist.photo.board import HALF, SIDE
from emulators.artist.photo.looks.base import Scene, outlined
from emulators.artist.photo.sheet import Sheet, crisp, large_colours
from emulators.artist.photo.subject import Colours

_LEAD = "#16130f"


def oil(scene: Scene) -> Sheet:
    """Thick strokes laid along the form, lit from the upper left; the canvas ends where the brush left it."""
    paper = Sheet()
    rng = scene.rng
    shape = (
        scene.board.figure
        if scene.board.window is None
        else np.maximum(scene.board.window, scene.board.figure)
    )
    if scene.board.is_cropped:
        depth = filters.depth(np.pad(shape, 1))[1:-1, 1:-1]
        streaks = scene.flow.along(rng.random((HALF, HALF), np.float32), (2.0, 4.0, 8.0, 12.0))
        rough = 34 * sheet.grain(rng, 8, 3, HALF) + 60 * (streaks - 0.5)
        soft = np.clip((depth - 8 - rough) * 0.4 + 0.5, 0, 1) * (depth > 3)
        shape = soft.astype(np.float32)
    if scene.has_ground and scene.window is not None:
        grounds.lay(paper, scene.window, scene.board, scene.wishes, scene.rng, "umber")
    bristles = scene.flow.along(rng.random((HALF, HALF), np.float32), (1.5, 3.0, 6.0, 9.0, 12.0))
    bristles = (bristles - 0.5) * 7
    rich = cv2.cvtColor(scene.smooth, cv2.COLOR_RGB2HSV).astype(np.float32)
    rich[..., 1] = np.clip(rich[..., 1] * 1.28, 0, 255)
    rich[..., 2] = np.clip(rich[..., 2] * (1 + 0.26 * bristles) + 4, 0, 255)
    painted = cv2.cvtColor(rich.astype(np.uint8), cv2.COLOR_HSV2RGB)
    height = filters.blur(bristles, 0.8) + scene.tone * 1.2
    lit = np.asarray(cv2.Sobel(height, cv2.CV_32F, 1, 1, ksize=3), np.float32)
    slope = cv2.Sobel(height, cv2.CV_32F, 1, 0, ksize=3) + cv2.Sobel(height, cv2.CV_32F, 0, 1, ksize=3)
    relief = np.clip(-np.asarray(slope, np.float32) * 13 + lit * 3, -44, 50)[..., None]
    calm = 1 - 0.65 * scene.features()[..., None]
    out = np.clip(painted.astype(np.float32) + relief * calm, 0, 255).astype(np.uint8)
    paper.picture(
        crisp(shape if scene.board.is_scene else np.minimum(scene.board.figure, shape)), large_colours(out)
    )
    return paper


def embroidery(scene: Scene) -> Sheet:
    """Satin stitches in few threads, each field in its own direction, with a corded edge."""
    paper = Sheet()
    shape = scene.figure if scene.window is None else np.maximum(scene.figure, scene.window)
    labels, inks = regions.main_colours(scene.smooth, scene.board.figure, 11, 1.25)
    flat = regions.cut_paper(labels, inks, 2.4)
    outlined(paper, shape, 16, "#efe6d2" if luminance(scene.palette.shirt) < 0.3 else _LEAD)
    if scene.has_ground and scene.window is not None:
        grounds.lay(paper, scene.window, scene.board, scene.wishes, scene.rng, "plain")
    fields = regions.cut_paper(labels, np.repeat(np.arange(len(inks), dtype=np.float32)[:, None], 3, 1), 2.4)[
        ..., 0
    ]
    ys, xs = np.mgrid[0:SIDE, 0:SIDE].astype(np.float32)
    light = np.zeros((SIDE, SIDE), np.float32)
    for label in range(len(inks)):
        turn = np.deg2rad((label * 47 + 20) % 180)
        where = fields == label
        u, v = (
            xs[where] * np.cos(turn) + ys[where] * np.sin(turn),
            ys[where] * np.cos(turn) - xs[where] * np.sin(turn),
        )
        row = np.floor(v / 7.5)
        thread = np.abs((v / 7.5) % 1 - 0.5) * 2
        stitch = np.abs(((u / 44) + (row % 3) / 3) % 1 - 0.5) * 2
        light[where] = 1.16 - 0.5 * thread**2 - 0.35 * np.clip(stitch - 0.86, 0, 1) * 7
    paper.picture(
        scene.figure, np.asarray(np.clip(flat.astype(np.float32) * light[..., None], 0, 255), np.uint8)
    )
    seams = lines.inked(scene.edges(1.8), 0.012, specks=60)
    paper.ink(seams * scene.figure, "#2a1f1a")
    rim = (1 - sheet.inside(scene.figure, 9)) * scene.figure
    twist = np.clip(np.sin((xs + ys) * 0.42) * 2 + 0.5, 0, 1)
    paper.ink(rim, "#3a2c26")
    paper.ink(rim * twist, "#8d7562")
    return paper


def mosaic(scene: Scene) -> Sheet:
    """Small square tesserae that follow the form, in grout."""
    return _cells(scene, 17, 0.30, "#d9cfbf" if scene.palette.on_dark else "#4b443c", 2.4)


def stained_glass(scene: Scene) -> Sheet:
    """Glass in lead: cells that keep to the borders of colours, glowing from behind."""
    return _cells(scene, 36, 0.9, _LEAD, 6.0)


def _cells(scene: Scene, size: int, jitter: float, lead: str, width: float) -> Sheet:
    paper = Sheet()
    shape = scene.figure if scene.window is None else np.maximum(scene.figure, scene.window)
    outlined(paper, shape, 12, lead)
    colours = scene.smooth
    if scene.has_ground and scene.window is not None:
        behind = cv2.resize(
            grounds.painted(scene.wishes, scene.rng, "sunset"), (HALF, HALF), interpolation=cv2.INTER_AREA
        )
        share = scene.board.figure[..., None]
        colours = np.asarray(colours * share + behind * (1 - share), np.uint8)
    marks = _sites(scene, size, jitter)
    ids = np.asarray(cv2.resize(marks, (SIDE, SIDE), interpolation=cv2.INTER_NEAREST), np.int32)
    count = int(marks.max()) + 1
    flat = marks.ravel().astype(np.int64)
    weight = np.maximum(np.bincount(flat, minlength=count), 1)
    inks = np.stack([np.bincount(flat, colours[..., part].ravel(), count) / weight for part in range(3)], -1)
    hsv = cv2.cvtColor(inks.astype(np.uint8)[None], cv2.COLOR_RGB2HSV)[0].astype(np.float32)
    hsv[:, 1] = np.clip(hsv[:, 1] * 1.4, 0, 255)
    hsv[:, 2] = np.clip(hsv[:, 2] * 1.08 + 12 + scene.rng.normal(0, 7, count), 0, 255)
    inks = cv2.cvtColor(hsv.astype(np.uint8)[None], cv2.COLOR_HSV2RGB)[0]
    picture: Colours = np.asarray(inks[ids], np.uint8)
    border = (
        cv2.morphologyEx(ids.astype(np.float32), cv2.MORPH_GRADIENT, np.ones((3, 3), np.uint8)) > 0
    ).astype(np.float32)
    paper.picture(shape, picture)
    leads = np.clip(filters.blur(sheet.widen(border, width / 2), 0.8), 0, 1) * shape
    if width > 4:
        # A lead across an eye would put it out: within a face the glass is painted instead.
        leads = leads * (1 - crisp(scene.board.face_field(0.84)))
    paper.ink(np.asarray(leads, np.float32), lead)
    if width > 4:
        painted = np.maximum(
            lines.inked(scene.edges(2.0), 0.012, specks=80),
            lines.inked(scene.edges(1.4), 0.008) * crisp(scene.board.face_field()),
        )
        paper.ink(painted * scene.figure, lead)
    return paper


def _sites(scene: Scene, size: int, jitter: float) -> Field:
    """Return which cell each pixel of HALF belongs to: nearest site in place and colour, as in SLIC, two rounds."""
    lab = cv2.cvtColor(scene.smooth, cv2.COLOR_RGB2LAB).astype(np.float32)
    at = np.arange(size // 2, HALF, size, dtype=np.float32)
    ys, xs = np.meshgrid(at, at, indexing="ij")
    sites = (
        np.stack([ys.ravel(), xs.ravel()], -1) + scene.rng.uniform(-0.5, 0.5, (ys.size, 2)) * size * jitter
    )
    side = len(at)
    rows, columns = np.mgrid[0:HALF, 0:HALF].astype(np.float32)
    home_y, home_x = (
        (rows // size).astype(int).clip(0, side - 1),
        (columns // size).astype(int).clip(0, side - 1),
    )
    grid = np.round(sites).astype(int).clip(0, HALF - 1)
    inks = lab[grid[:, 0], grid[:, 1]]
    best = np.full((HALF, HALF), np.inf, np.float32)
    out = np.zeros((HALF, HALF), np.float32)
    colour_weight = 0.5 if size > 30 else 0.12
    for dy in (-1, 0, 1):
        for dx in (-1, 0, 1):
            cell = (home_y + dy).clip(0, side - 1) * side + (home_x + dx).clip(0, side - 1)
            away = (rows - sites[cell, 0]) ** 2 + (columns - sites[cell, 1]) ** 2
            cost = away.astype(np.float32) + colour_weight * ((lab - inks[cell]) ** 2).sum(-1)
            nearer = cost < best
            best[nearer], out[nearer] = cost[nearer], cell[nearer]
    return np.asarray(cv2.medianBlur(out, 5), np.float32) if size > 30 else out
