"""Keeps a subject from drowning in what is behind it."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from emulators.artist import filters
from emulators.artist.palette import Palette, rgb
from emulators.artist.sheet import Layers

# Steps of brightness (and a quarter of colour's) that tell a subject from what is behind it.
_APART = 50


def set_apart(layers: Layers, palette: Palette) -> Layers:
    """Moves the ground towards light or dark where the subject's brightness or colour is too close to it."""
    thinned, behind = layers.subject[::4, ::4], layers.ground[::4, ::4]
    both = (thinned[..., 3] > 128) & (behind[..., 3] > 128)
    if both.sum() < 40:
        return layers
    ground = behind[both][:, :3].astype(np.float32).mean(axis=0)
    subject = thinned[both][:, :3].astype(np.float32)
    weights = np.array([0.299, 0.587, 0.114], np.float32)
    steps = np.abs((ground - subject) @ weights) + 0.25 * np.abs(ground - subject).max(axis=1)
    # By the third of the subject that is closest: a white rabbit does not make up for a lost black cat.
    apart = float(np.quantile(steps, 0.34))
    if apart > _APART:
        return layers
    lighter = float((subject[steps <= apart + 1] @ weights).mean()) < 172
    target = palette.light if lighter else palette.dark
    share = (0.58 if lighter else 0.34) * (1 - apart / _APART) + 0.14
    shifted = ground * (1 - share) + np.array(rgb(target), np.float32) * share
    if np.abs(shifted - np.array(rgb(palette.shirt), np.float32)).max() < 48:
        # Not from the subject's colour into the shirt's.
        share = min(share + 0.34, 0.9)
    changed = filters.blend(layers.ground, target, np.full(layers.ground.shape[:2], share, np.float32))
    return replace(layers, ground=changed)
