"""One ink on the cloth: line art and sketch."""

from __future__ import annotations

import cv2
import numpy as np

from emulators.artist import filters
from emulators.artist.filters import Field
from emulators.artist.palette import mix
from emulators.artist.photo import faces, lines, regions, sheet
from emulators.artist.photo.board import HALF
from emulators.artist.photo.looks.base import Scene
from emulators.artist.photo.looks.flat import pen
from emulators.artist.photo.sheet import Sheet, crisp

_WEIGHT = 6.5


def line_art(scene: Scene) -> Sheet:
    """Few, long, calm lines of one weight."""
    paper = Sheet()
    drawn = lines.draw_strokes(contour_paths(scene), _WEIGHT)
    if scene.board.is_cropped and scene.window is not None:
        within = sheet.inside(scene.window, _WEIGHT)
        drawn = np.maximum(drawn * within, scene.window - within)
    paper.ink(drawn, scene.palette.line)
    return paper


def contour_paths(scene: Scene, shortest: int = 24, share: float = 0.075) -> list[Field]:
    """The figure's outline, the strongest lines within, and a face's features by their known points.

    `share` is how much of the figure's area line cores take: a plain thing gets as many lines as a rich one.
    """
    figure = scene.board.figure
    response = lines.edges(scene.tone, scene.flow, 2.1)
    inner = filters.blur(figure, 3) > 0.9
    share *= 1.5 if scene.board.is_cropped else 1
    least = float(np.clip(np.quantile(response[inner], 1 - share), 0.003, 0.013)) if inner.any() else 0.01
    response = response - 0.03 * scene.board.face_field(0.95)
    # A line goes on where it is weak, as long as it is strong somewhere.
    weak = ((response > least * 0.45) & inner).astype(np.uint8)
    count, labels = cv2.connectedComponents(weak, connectivity=8)
    strong = np.bincount(labels[(response > least) & inner], minlength=count) > 12
    strong[0] = False
    paths = lines.strokes(strong[labels].astype(np.float32), shortest, 2.6)
    for face in scene.board.faces:
        paths += feature_paths(face)
    return paths + outline_paths(scene)


def outline_paths(scene: Scene) -> list[Field]:
    """The figure's outline as smooth lines, without what is only the edge of the photograph."""
    if scene.board.is_scene:
        return []
    solid = (filters.blur(scene.board.figure, 2.2) > 0.5).astype(np.uint8)
    shapes, _ = cv2.findContours(solid, cv2.RETR_CCOMP, cv2.CHAIN_APPROX_NONE)
    inner = None if scene.board.window is None else filters.depth(scene.board.window) > 5
    paths = []
    for shape in shapes:
        if len(shape) <= 60:
            continue
        ring = shape[:, 0].astype(np.float32)
        weights = np.exp(-0.5 * (np.arange(-9, 10) / 3.0) ** 2)
        wrapped = np.concatenate([ring[-9:], ring, ring[:9]])
        smooth = [np.convolve(wrapped[:, column], weights / weights.sum(), "valid") for column in (0, 1)]
        path = np.stack(smooth, -1).astype(np.float32)
        path = np.concatenate([path, path[:1]])
        if inner is None:
            paths.append(path)
            continue
        seen = inner[path[:, 1].astype(int).clip(0, HALF - 1), path[:, 0].astype(int).clip(0, HALF - 1)]
        breaks = np.flatnonzero(np.diff(seen.astype(np.int8))) + 1
        paths += [
            part
            for part, own in zip(np.split(path, breaks), np.split(seen, breaks), strict=True)
            if own[0] and len(part) > 12
        ]
    return paths


def feature_paths(face: faces.Face) -> list[Field]:
    """Eyes with their irises, brows, nose, mouth and jaw as smooth lines."""
    closed = [face.part(part) for part in (faces.LEFT_EYE, faces.RIGHT_EYE, faces.LIPS, faces.MOUTH)]
    paths = [np.concatenate([ring, ring[:1]]) for ring in closed]
    paths += [face.part(part[:5]) for part in (faces.LEFT_BROW, faces.RIGHT_BROW)]
    paths.append(face.part(faces.NOSE))
    jaw = faces.OVAL[7:30]
    paths.append(face.part(jaw))
    for ring in closed[:2]:
        middle = ring.mean(axis=0)
        radius = float(np.ptp(ring[:, 0])) * 0.17
        turn = np.linspace(0, 2 * np.pi, 14)
        paths.append((middle + radius * np.stack([np.cos(turn), np.sin(turn)], -1)).astype(np.float32))
    return [_curve(path) for path in paths]


def _curve(path: Field) -> Field:
    """A smooth curve through few points."""
    if len(path) < 4:
        return path
    at = np.linspace(0, len(path) - 1, len(path) * 6)
    dense = np.stack([np.interp(at, np.arange(len(path)), path[:, column]) for column in (0, 1)], -1)
    ends = dense[:1], dense[-1:]
    weights = np.hanning(11)
    padded = np.pad(dense, ((5, 5), (0, 0)), mode="edge")
    smooth = np.stack(
        [np.convolve(padded[:, column], weights / weights.sum(), "valid") for column in (0, 1)], -1
    )
    return np.concatenate([ends[0], smooth[1:-1], ends[1]]).astype(np.float32)


def sketch(scene: Scene) -> Sheet:
    """Graphite, or chalk on a dark shirt: hatching that follows form, crossed in the shadows, loose at its edge."""
    paper = Sheet()
    on_dark = scene.palette.on_dark
    ink = mix("#f4f1ea", scene.palette.light, 0.3) if on_dark else "#2b2a2e"
    middle, pale = (mix(ink, scene.palette.shirt if on_dark else "#ffffff", part) for part in (0.3, 0.52))
    figure = scene.board.figure
    shown = crisp(_loose_field(scene)) * scene.figure if scene.board.is_cropped else scene.figure
    tone = regions.ranked(filters.blur(scene.tone, 1.4), figure, 0.5)
    tone = 1 - tone if on_dark else tone
    tooth = sheet.grain(scene.rng, 300, 1)
    for level, degrees, spacing, width, colour in (
        (0.72, 40, 8.0, 2.2, pale), (0.54, 46, 8.0, 3.0, middle), (0.4, -42, 8.0, 2.8, middle),
        (0.26, 14, 7.0, 3.0, ink),        (0.13, 80, 6.5, 3.4, ink),
    ):  # fmt: skip
        region = crisp(filters.blur(level - tone, 1) + 0.5, 0.5, 5)
        paper.ink(pen(scene, degrees, spacing, width) * region * shown, colour)
    broad = lines.inked(lines.edges(scene.tone, scene.flow, 2.2), 0.008, 0.02, 60) * shown * (tooth > 0.12)
    fine = lines.inked(lines.edges(scene.tone, scene.flow, 1.0), 0.004, specks=26) * shown
    if on_dark:
        # Chalk is light: what a pencil would draw dark is left bare.
        paper.clear((np.maximum(broad, fine) > 0.5).astype(np.float32))
    else:
        paper.ink(broad, middle)
        paper.ink(fine, ink)
    hand = [
        path + scene.rng.normal(0, 1.2, 2).astype(np.float32) for path in outline_paths(scene) for _ in (0, 1)
    ]
    paper.ink(lines.draw_strokes(hand, 2.4), ink)
    return paper


def _loose_field(scene: Scene) -> Field:
    """1 within the window, ending in strokes of the pencil instead of a straight cut."""
    window = scene.board.figure if scene.board.window is None else scene.board.window
    depth = filters.depth(np.pad(window, 1))[1:-1, 1:-1]
    ys, xs = np.mgrid[0:HALF, 0:HALF].astype(np.float32)
    across = xs * 0.64 + ys * 0.77
    streaks = np.sin(across * 0.55) * 9 + np.sin(across * 0.21 + 1) * 10
    uneven = 22 * sheet.grain(np.random.default_rng(3), 9, 2, HALF)
    return np.asarray(np.clip((depth - 26 - streaks - uneven) * 0.25 + 0.5, 0, 1), np.float32)
