"""Keeps a subject from drowning in what is behind it."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from emulators.replicate.artist import filters
from emulators.replicate.artist.compose import Layers
from emulators.replicate.artist.palette import Palette, rgb


def set_apart(layers: Layers, palette: Palette) -> Layers:
    """Moves the ground towards light or dark where the subject's brightness or colour is too close to it."""
    both = (layers.subject[..., 3] > 128) & (layers.ground[..., 3] > 128)
    if both.sum() < 400:
        return layers
    ground = layers.ground[both][:, :3].mean(axis=0)
    subject = layers.subject[both][:, :3].mean(axis=0)
    weights = np.array([0.299, 0.587, 0.114])
    apart = abs(float((ground - subject) @ weights)) + 0.25 * float(np.abs(ground - subject).max())
    if apart > 62:
        return layers
    lighter = float(subject @ weights) < 172
    target = np.array(rgb(palette.light if lighter else palette.dark), np.float32)
    share = (0.58 if lighter else 0.34) * (1 - apart / 62) + 0.14
    changed = layers.ground.copy()
    changed[..., :3] = (layers.ground[..., :3] * (1 - share) + target * share).astype(np.uint8)
    return replace(layers, ground=filters.with_alpha(changed, filters.alpha(layers.ground)))
