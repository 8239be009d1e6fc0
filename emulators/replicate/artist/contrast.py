"""Keeps a subject from drowning in what is behind it."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from emulators.replicate.artist import filters
from emulators.replicate.artist.compose import Layers
from emulators.replicate.artist.palette import Palette


def set_apart(layers: Layers, palette: Palette) -> Layers:
    """Moves the ground towards light or dark where the subject's brightness or colour is too close to it."""
    thinned, behind = layers.subject[::4, ::4], layers.ground[::4, ::4]
    both = (thinned[..., 3] > 128) & (behind[..., 3] > 128)
    if both.sum() < 40:
        return layers
    ground = behind[both][:, :3].mean(axis=0)
    subject = thinned[both][:, :3].mean(axis=0)
    weights = np.array([0.299, 0.587, 0.114])
    apart = abs(float((ground - subject) @ weights)) + 0.25 * float(np.abs(ground - subject).max())
    if apart > 62:
        return layers
    lighter = float(subject @ weights) < 172
    target = palette.light if lighter else palette.dark
    share = (0.58 if lighter else 0.34) * (1 - apart / 62) + 0.14
    changed = filters.blend(layers.ground, target, np.full(layers.ground.shape[:2], share, np.float32))
    return replace(layers, ground=changed)
