"""Cutting a subject out and enlarging a picture: the two small services beside restyling."""

from __future__ import annotations

import cv2
import numpy as np
from PIL import Image

from emulators.artist.photo.subject import Colours, find_subject

_WORKED = 1024


def cut_out(picture: Image.Image) -> Image.Image:
    """The subject without its ground. A picture that is transparent already is not cut again; a scene stays whole."""
    pixels = np.array(picture.convert("RGBA"))
    if pixels[..., 3].min() < 128:
        return Image.fromarray(pixels, "RGBA")
    colours = np.ascontiguousarray(pixels[..., :3])
    scale = min(1.0, _WORKED / max(picture.size))
    small = (
        cv2.resize(colours, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA) if scale < 1 else colours
    )
    matte = find_subject(np.asarray(small, np.uint8), 256)
    if matte is None:
        return Image.fromarray(pixels, "RGBA")
    if scale < 1:
        matte = np.asarray(cv2.resize(matte, picture.size, interpolation=cv2.INTER_CUBIC), np.float32).clip(
            0, 1
        )
    pixels[..., 3] = (matte * 255).astype(np.uint8)
    pixels[pixels[..., 3] == 0] = 0
    return Image.fromarray(pixels, "RGBA")


def enlarge(picture: Image.Image, factor: float) -> Image.Image:
    """`factor` times as large, sharpened gently along edges; hard alpha stays hard, and what is opaque has none."""
    pixels = np.array(picture.convert("RGBA"))
    size = (max(1, round(picture.width * factor)), max(1, round(picture.height * factor)))
    alpha = pixels[..., 3]
    is_hard = bool(np.isin(np.unique(alpha), (0, 255)).all())
    colours = _spread(np.ascontiguousarray(pixels[..., :3]), alpha)
    if factor > 1:
        blurred = cv2.GaussianBlur(colours, (0, 0), 1.0)
        colours = np.asarray(cv2.addWeighted(colours, 1.35, blurred, -0.35, 0), np.uint8)
    big = cv2.resize(colours, size, interpolation=cv2.INTER_CUBIC if factor > 1 else cv2.INTER_AREA)
    if alpha.min() == 255:
        return Image.fromarray(big, "RGB")
    shown = cv2.resize(alpha, size, interpolation=cv2.INTER_CUBIC if factor > 1 else cv2.INTER_AREA)
    if is_hard:
        shown = np.where(shown >= 128, 255, 0).astype(np.uint8)
    return Image.fromarray(np.dstack([big, shown]), "RGBA")


def _spread(colours: Colours, alpha: Colours) -> Colours:
    """Colour carried a few pixels into what is transparent: interpolation would darken the edge with its black."""
    if alpha.min() == 255:
        return colours
    shown = (alpha > 0).astype(np.float32)[..., None]
    size = (9, 9)
    sums = cv2.boxFilter(colours.astype(np.float32) * shown, -1, size, normalize=False)
    counts = cv2.boxFilter(shown, -1, size, normalize=False)[..., None]
    return np.where(shown > 0, colours, sums / np.maximum(counts, 1)).astype(np.uint8)
