"""Light and colour of a photograph, set right before it is drawn: shadows lifted, colour casts and wishes honoured."""

from __future__ import annotations

import cv2
import numpy as np

from emulators.artist.filters import Field
from emulators.artist.palette import rgb
from emulators.artist.photo.subject import Colours
from emulators.artist.photo.wishes import Wishes


def relight(colours: Colours, matte: Field | None) -> Colours:
    """Even light and a little more colour: cloth swallows both. A dark picture is lifted and freed of its noise."""
    where = (
        matte > 0.5 if matte is not None and (matte > 0.5).sum() > 200 else np.ones(colours.shape[:2], bool)
    )
    lab = np.asarray(cv2.cvtColor(colours, cv2.COLOR_RGB2LAB), np.uint8)
    low, middle, high = (float(value) for value in np.percentile(lab[where][:, 0], (1, 50, 99)))
    if high - low < 12:
        return colours
    stretched = np.clip((np.arange(256) - low) / max(high - low, 60), 0, 1)
    centre = min(max((middle - low) / max(high - low, 60), 0.02), 0.98)
    gamma = float(np.clip(np.log(0.47) / np.log(centre), 0.42, 1.5))
    # Only a picture that is far from even is bent all the way.
    gamma = 1 + (gamma - 1) * min(1.0, abs(centre - 0.47) / 0.25)
    table = (8 + 240 * stretched**gamma).clip(0, 255).astype(np.uint8)
    lab[..., 0] = cv2.LUT(np.ascontiguousarray(lab[..., 0]), table)
    lab[..., 0] = cv2.createCLAHE(1.5, (5, 5)).apply(np.ascontiguousarray(lab[..., 0]))
    chroma = lab[..., 1:].astype(np.float32) - 128
    # A dull day gets more colour, a bright one little, a black and white photograph none.
    strength = float(np.abs(chroma[where]).sum(axis=1).mean())
    rich = float(np.clip(26 / max(strength, 1), 1.15, 1.8)) if strength > 4 else 1.0
    lab[..., 1:] = (chroma * rich + 128).clip(0, 255).astype(np.uint8)
    return np.asarray(cv2.cvtColor(lab, cv2.COLOR_LAB2RGB), np.uint8)


def exposed(colours: Colours) -> Colours:
    """A dark picture opened up as by a longer exposure, in the same colours, and freed of the noise that shows."""
    brightest = float(np.percentile(colours[::2, ::2].max(axis=2), 98))
    if brightest >= 190 or brightest < 6:
        return colours
    gain = min(215 / brightest, 9.0)
    lifted = cv2.convertScaleAbs(colours, alpha=gain)
    return (
        np.asarray(cv2.bilateralFilter(lifted, 7, 8 * gain, 4), np.uint8)
        if gain > 1.6
        else lifted.astype(np.uint8)
    )


def honour(colours: Colours, wishes: Wishes) -> Colours:
    """Brightness, contrast, colourfulness, black and white, sepia and tint, as far as they are wished for."""
    if not (wishes.colour or wishes.grey or wishes.sepia or wishes.tint):
        # Each value for itself: worked out once for all 256.
        table = _lit(np.arange(256, dtype=np.uint8), wishes)
        return np.asarray(cv2.LUT(colours, np.clip(table * 255, 0, 255).astype(np.uint8)), np.uint8)
    out = _lit(colours, wishes)
    grey = (out @ np.array([0.299, 0.587, 0.114], np.float32))[..., None]
    if wishes.colour:
        out = grey + (out - grey) * (1.45 if wishes.colour > 0 else 0.6) ** abs(wishes.colour)
    if wishes.grey:
        out = np.repeat(grey, 3, axis=2)
    if wishes.sepia:
        out = grey * np.array([1.08, 0.92, 0.72], np.float32)
    if wishes.tint:
        out = _tinted(np.clip(grey, 0, 1), wishes.tint) * 0.9 + out * 0.1
    return np.asarray(np.clip(out * 255, 0, 255), np.uint8)


def _lit(values: Colours, wishes: Wishes) -> Field:
    """0 to 1 and beyond, with the brightness and the contrast that are wished for."""
    out: Field = np.asarray(values / np.float32(255), np.float32)
    if wishes.light:
        out = np.asarray(out ** (0.72**wishes.light), np.float32)
    if wishes.contrast:
        out = (out - 0.5) * (1 + 0.3 * wishes.contrast) + 0.5
    return out


def recolour(pixels: Colours, wishes: Wishes) -> Colours:
    """The finished drawing's inks, tinted or greyed as wished: a style's own palette would undo the wish otherwise."""
    if not (wishes.tint or wishes.grey or wishes.sepia):
        return pixels
    out: Field = np.asarray(pixels / np.float32(255), np.float32)
    grey = (out @ np.array([0.299, 0.587, 0.114], np.float32))[..., None]
    if wishes.tint:
        out = _tinted(grey, wishes.tint)
    elif wishes.sepia:
        out = grey * np.array([1.06, 0.91, 0.7], np.float32) + np.array([0.05, 0.03, 0.0], np.float32)
    else:
        out = np.repeat(grey, 3, axis=2)
    return np.asarray(np.clip(out * 255, 0, 255), np.uint8)


def _tinted(grey: Field, tint: str) -> Field:
    """Dark and light shades of one colour: black through the colour to white."""
    ink = np.array(rgb(tint), np.float32) / 255
    level = float(ink @ np.array([0.299, 0.587, 0.114], np.float32))
    knee = float(np.clip(level, 0.3, 0.62))
    dark = ink * 0.16
    lower = dark + (ink - dark) * np.clip(grey / knee, 0, 1)
    upper = ink + (0.98 - ink) * np.clip((grey - knee) / (1 - knee), 0, 1)
    return np.asarray(np.where(grey < knee, lower, upper), np.float32)
