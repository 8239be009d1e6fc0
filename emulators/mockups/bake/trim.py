"""The cloth's sewn and knitted trim, drawn in the pattern's plane: ribs, seams, stitches, puckers.

Front and back panel lie side by side in one picture; `place` says where a point of the pattern is in it.
"""

from __future__ import annotations

import cv2
import numpy as np
import numpy.typing as npt
import pattern
from pattern import Cut, Points
from scipy.spatial import cKDTree

Field = npt.NDArray[np.float32]

PER_METRE = 2400
_LOW = np.array([-0.5, -0.78])
_SPAN = np.array([1.0, 0.84])


def place(points: Points, behind: npt.NDArray[np.bool_]) -> Points:
    """Pattern places as coordinates of the picture, 0 to 1 from its lower left."""
    share = (points - _LOW) / _SPAN
    share[..., 0] = (share[..., 0] + behind.reshape(behind.shape + (1,) * (share.ndim - 1 - behind.ndim))) / 2
    return share


def trims(cut: Cut) -> tuple[Field, Field]:
    """Height in metres and colour factor of both panels, rows from the bottom up."""
    heights, tints = zip(
        *(_panel(cut, depth, seed) for depth, seed in ((cut.neck_depth, 1), (cut.back_depth, 2))), strict=True
    )
    return np.concatenate(heights, 1), np.concatenate(tints, 1)


def _panel(cut: Cut, depth: float, seed: int) -> tuple[Field, Field]:
    wide, high = (round(float(side) * PER_METRE) for side in _SPAN)
    xs = _LOW[0] + (np.arange(wide) + 0.5) / PER_METRE
    ys = _LOW[1] + (np.arange(high) + 0.5) / PER_METRE
    points = np.stack(np.meshgrid(xs, ys), -1)
    rng = np.random.default_rng(seed)
    pucker = _noise(rng, (high, wide), 0.009) + 0.6 * _noise(rng, (high, wide), 0.022)
    height = _noise(rng, (high, wide), 0.0009) * 5e-5 + _noise(rng, (high, wide), 0.003) * 6e-5
    tint = np.ones((high, wide), np.float32)

    neck = np.asarray(pattern.neckline(cut, depth, 0.0006))
    from_neck, along_neck = _to_line(points, neck)
    rib = from_neck < pattern.RIB
    ribs = np.sin(along_neck * 2 * np.pi / 0.0034)
    round_edge = np.clip(from_neck / 0.003, 0, 1)
    height += rib * (0.0011 * np.sqrt(1 - (1 - round_edge) ** 2) + 0.00022 * ribs)
    tint *= 1 - rib * 0.07 * (0.5 - 0.5 * ribs)
    sleeve = (np.abs(points[..., 0]) > cut.chest / 2) & (points[..., 1] > -cut.armhole - 0.13)
    for at, run, lines in (
        (from_neck - pattern.RIB, along_neck, (0.0022,)),
        (points[..., 1] + cut.length - 0.021, points[..., 0], (0.0, -0.0045)),
        (np.where(sleeve, pattern.from_cuff(cut, points) - 0.021, 1.0), points[..., 1], (0.0, -0.0045)),
    ):
        groove = np.exp(-((at / 0.0011) ** 2))
        height += 0.00055 * (at < 0) - 0.0006 * groove + 0.00045 * pucker * np.exp(-np.abs(at) / 0.008)
        tint *= 1 - 0.16 * groove
        for line in lines:
            stitch = np.exp(-(((at - line) / 0.0006) ** 2)) * (np.mod(run, 0.0042) < 0.0032)
            height += 0.00025 * stitch - 0.0003 * np.exp(-(((at - line) / 0.0012) ** 2))
            tint *= 1 - 0.10 * stitch
    from_arm, _ = _to_line(np.stack((np.abs(points[..., 0]), points[..., 1]), -1), _armhole(cut))
    groove = np.exp(-((from_arm / 0.0013) ** 2))
    height += (
        -0.0012 * groove
        + 0.0007 * np.exp(-((from_arm / 0.006) ** 2))
        + 0.0007 * pucker * np.exp(-from_arm / 0.010)
    )
    tint *= 1 - 0.22 * groove
    from_top, _ = _to_line(
        np.stack((np.abs(points[..., 0]), points[..., 1]), -1),
        np.array([[cut.neck / 2, 0.0], [cut.shoulder / 2, -cut.slope]]),
    )
    groove = np.exp(-((from_top / 0.0013) ** 2))
    height += -0.0008 * groove + 0.0004 * pucker * np.exp(-from_top / 0.008)
    tint *= 1 - 0.18 * groove
    return height.astype(np.float32), tint.astype(np.float32)


def _armhole(cut: Cut) -> Points:
    tip, under = (
        np.array([cut.shoulder / 2, -cut.slope]),
        np.array([cut.chest / 2 + 0.004, -cut.armhole - 0.004]),
    )
    middle = np.array([cut.shoulder / 2 - 0.022, -cut.slope - (cut.armhole - cut.slope) * 0.62])
    t = np.linspace(0, 1, 300)[:, None]
    return np.asarray((1 - t) ** 2 * tip + 2 * t * (1 - t) * middle + t * t * under)


def _to_line(points: Points, line: Points) -> tuple[Points, Points]:
    """Distance to a line, and how far along it the nearest point is."""
    runs = np.concatenate(([0], np.cumsum(np.linalg.norm(np.diff(line, axis=0), axis=1))))
    fine = np.linspace(0, runs[-1], int(runs[-1] / 0.0003) + 2)
    dense = np.stack([np.interp(fine, runs, line[:, axis]) for axis in (0, 1)], 1)
    far, nearest = cKDTree(dense).query(points.reshape(-1, 2), distance_upper_bound=0.06)
    far, nearest = np.minimum(far, 0.06), np.minimum(nearest, len(fine) - 1)
    return far.reshape(points.shape[:2]), fine[nearest].reshape(points.shape[:2])


def _noise(rng: np.random.Generator, shape: tuple[int, int], length: float) -> Field:
    """Smooth noise of mean 0 and deviation 1; `length` is its grain in metres."""
    grain = length * PER_METRE
    coarse = max(1.0, grain / 3)
    small = rng.normal(size=(int(shape[0] / coarse) + 4, int(shape[1] / coarse) + 4)).astype(np.float32)
    soft = cv2.GaussianBlur(small, (0, 0), grain / coarse * 0.45)
    full = np.asarray(cv2.resize(soft, shape[::-1], interpolation=cv2.INTER_CUBIC), np.float32)
    return (full - full.mean()) / full.std()
