"""The photograph's subject: the subject's matte, by its own transparency, a flat ground, or a salience network."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

import cv2
import numpy as np
import numpy.typing as npt

from emulators.artist.filters import Field

Colours = npt.NDArray[np.uint8]

MODELS = Path(__file__).parent / "models"


@lru_cache(maxsize=1)
def _network() -> cv2.dnn.Net:
    return cv2.dnn.readNetFromONNX(str(MODELS / "u2netp.onnx"))


def salience(colours: Colours, side: int = 224) -> Field:
    """Return how likely each pixel is the subject's, 0 to 1; time grows with the square of the network's `side`."""
    small = cv2.resize(colours, (side, side), interpolation=cv2.INTER_AREA).astype(np.float32)
    small /= max(float(small.max()), 1.0)
    small = (small - (0.485, 0.456, 0.406)) / (0.229, 0.224, 0.225)
    network = _network()
    network.setInput(np.ascontiguousarray(small.transpose(2, 0, 1)[None], np.float32))
    probability = np.asarray(network.forward("1959"), np.float32)[0, 0]
    height, width = colours.shape[:2]
    return np.asarray(
        cv2.resize(probability, (width, height), interpolation=cv2.INTER_CUBIC), np.float32
    ).clip(0, 1)


def sharpen_matte(colours: Colours, rough: Field, radius: int = 6) -> Field:
    """Pulls a blurred matte to the picture's own edges: a guided filter on each channel of Lab."""
    lab = np.asarray(cv2.cvtColor(colours, cv2.COLOR_RGB2LAB), np.float32) / 255
    fine = np.zeros_like(rough)
    for channel, weight in enumerate((1.0, 2.0, 2.0)):
        fine += _guided(np.asarray(lab[..., channel] * weight, np.float32), rough, radius, 2e-4)
    return np.asarray(np.clip((fine / 3 - 0.5) * 2.2 + 0.5, 0, 1), np.float32)


def _guided(guide: Field, matte: Field, radius: int, epsilon: float) -> Field:
    """He, Sun and Tang, Guided Image Filtering (2010)."""
    size = (2 * radius + 1, 2 * radius + 1)
    mean_guide, mean_matte = cv2.boxFilter(guide, -1, size), cv2.boxFilter(matte, -1, size)
    covariance = cv2.boxFilter(guide * matte, -1, size) - mean_guide * mean_matte
    variance = cv2.boxFilter(guide * guide, -1, size) - mean_guide * mean_guide
    slope = covariance / (variance + epsilon)
    offset = mean_matte - slope * mean_guide
    return np.asarray(cv2.boxFilter(slope, -1, size) * guide + cv2.boxFilter(offset, -1, size), np.float32)


def find_subject(colours: Colours, side: int = 224) -> Field | None:
    """The subject's matte, or None when the picture is a scene without one clear subject."""
    flat = flat_ground(colours)
    if flat is not None:
        return flat
    rough = salience(colours, side)
    sure = float((rough > 0.5).mean())
    unsure = float(((rough > 0.15) & (rough < 0.85)).mean())
    if not 0.05 < sure < 0.93 or unsure > 0.75 * sure:
        return None
    return _largest(sharpen_matte(colours, rough))


def _largest(matte: Field) -> Field:
    """Without the islands that are small beside the largest part, and without pinholes."""
    solid = (matte > 0.5).astype(np.uint8)
    count, labels, stats, _ = cv2.connectedComponentsWithStats(solid, connectivity=8)
    if count < 2:
        return matte
    areas = stats[:, cv2.CC_STAT_AREA].astype(np.float64)
    areas[0] = 0
    is_large = areas > areas.max() * 0.12
    near = cv2.dilate(is_large[labels].astype(np.uint8), np.ones((5, 5), np.uint8))
    holes, marks, hole_stats, _ = cv2.connectedComponentsWithStats(1 - solid, connectivity=4)
    tiny = hole_stats[:, cv2.CC_STAT_AREA] < matte.size * 0.0004
    tiny[0] = False
    return np.where((tiny & (np.arange(holes) > 0))[marks], 1.0, matte * near).astype(np.float32)


def flat_ground(colours: Colours) -> Field | None:
    """The matte of a thing on one even ground (a product on white), also where the ground shows through it.

    None when the border is not of one colour all around.
    """
    lab = np.asarray(cv2.cvtColor(colours, cv2.COLOR_RGB2LAB), np.float32)
    rim = np.concatenate([lab[:2].reshape(-1, 3), lab[-2:].reshape(-1, 3), lab[:, :2].reshape(-1, 3),
                          lab[:, -2:].reshape(-1, 3)])  # fmt: skip
    ground = np.median(rim, axis=0)
    off = np.abs(rim - ground).max(axis=1)
    if float((off < 6).mean()) < 0.9:
        return None
    away = np.abs(lab - ground).max(axis=2)
    matte = np.clip((away - 5) / 9, 0, 1).astype(np.float32)
    alike = (away < 9).astype(np.uint8)
    # Ground is what reaches the border, and what is enclosed but of the very same colour.
    count, labels, stats, _ = cv2.connectedComponentsWithStats(alike, connectivity=4)
    border = np.unique(np.concatenate([labels[0], labels[-1], labels[:, 0], labels[:, -1]]))
    is_ground = np.zeros(count, bool)
    is_ground[border] = True
    for label in range(1, count):
        if not is_ground[label] and stats[label, cv2.CC_STAT_AREA] > 40:
            is_ground[label] = float(away[labels == label].mean()) < 1.6
    is_ground[0] = False
    near = cv2.dilate(is_ground[labels].astype(np.uint8), np.ones((3, 3), np.uint8))
    matte = np.where(near > 0, matte, 1).astype(np.float32)
    shown = float((matte > 0.5).mean())
    return matte if 0.01 < shown < 0.97 else None
