"""The worn screen print: vintage."""

from __future__ import annotations

import cv2
import numpy as np

from emulators.artist import filters
from emulators.artist.palette import luminance, mix
from emulators.artist.photo import grounds, lines, regions, sheet
from emulators.artist.photo.board import HALF
from emulators.artist.photo.looks.base import Scene
from emulators.artist.photo.sheet import Sheet

_INKS = (
    ("#33201a", "#a8402a", "#d9993f", "#f0dfba"), ("#1f2a33", "#b4552d", "#dba64a", "#f1e2c0"),
    ("#2a2a1f", "#5f6b3c", "#cf8f3d", "#efe0bb"), ("#2b1f2e", "#2f6b6a", "#d97a45", "#f2e3c3"),
)  # fmt: skip


def vintage(scene: Scene) -> Sheet:
    """Four old inks, rays behind, a coarse screen between the inks, and many washes since."""
    paper = Sheet()
    dark, deep, warm, cream = _INKS[int(scene.rng.integers(len(_INKS)))]
    if scene.window is not None:
        pale = luminance(scene.palette.shirt) < 0.4
        paper.ink(sheet.widen(scene.window, 0), cream if pale else dark)
        paper.ink(sheet.inside(scene.window, 10), dark if pale else cream)
        paper.ink(sheet.inside(scene.window, 20), cream)
        inner = sheet.inside(scene.window, 20)
        if scene.has_ground and scene.wishes.ground in ("", "rays", "plain"):
            grounds.rays(paper, inner, scene.board, (scene.wishes.ground_tint or warm, cream))
        elif scene.has_ground:
            behind = cv2.cvtColor(grounds.painted(scene.wishes, scene.rng, "plain"), cv2.COLOR_RGB2GRAY)
            small = np.asarray(
                cv2.resize(behind, (HALF, HALF), interpolation=cv2.INTER_AREA) / 255, np.float32
            )
            ranked = regions.ranked(small, np.ones((HALF, HALF), np.float32), 0.7)
            paper.picture(
                inner,
                regions.tone_steps(ranked, (0.22, 0.48, 0.74), (deep, warm, mix(warm, cream, 0.5), cream)),
            )
    figure = scene.figure
    if scene.window is not None and scene.board.is_scene:
        figure = sheet.inside(scene.window, 24)
    elif scene.window is None:
        paper.ink(sheet.widen(figure, 12), cream)
    paper.ink(
        sheet.widen(figure, 6) * (1 if scene.window is None else np.maximum(figure, scene.window)), dark
    )
    tone = regions.ranked(filters.blur(scene.tone, 1.1), scene.board.figure, 0.6)
    paper.picture(figure, regions.tone_steps(tone, (0.26, 0.5, 0.74), (dark, deep, warm, cream)))
    between = np.clip(0.5 - np.abs(tone - 0.62) * 3.2, 0, 0.44)
    paper.ink(sheet.dots(between, 12, 30) * figure, deep)
    paper.ink(lines.inked(scene.edges(1.5), 0.009, specks=40) * figure, dark)
    paper.clear(worn(scene.rng))
    return paper


def worn(rng: np.random.Generator) -> filters.Field:
    """Return where ink has come off: specks everywhere, more of them in patches."""
    fine, patches = sheet.grain(rng, 170, 2), sheet.grain(rng, 5, 3)
    return np.asarray(fine > 0.972 - 0.3 * np.clip(patches - 0.55, 0, 1), np.float32)
