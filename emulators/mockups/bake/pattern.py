"""The cutting pattern of a tee: two flat panels with sleeves, sewn along shoulders, sleeves and sides.

Metres in the pattern's plane: x to the wearer's left, y up, origin between the tops of the shoulders.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from scipy.spatial import Delaunay, cKDTree

Points = npt.NDArray[np.float64]
Faces = npt.NDArray[np.int64]

RIB = 0.021
"""Width of the ribbed collar."""


@dataclass(frozen=True)
class Cut:
    """Sizes of a finished tee, laid flat. The sleeve's angle is below the horizontal, in degrees."""

    chest: float = 0.508
    length: float = 0.737
    neck: float = 0.158
    neck_depth: float = 0.083
    back_depth: float = 0.016
    shoulder: float = 0.47
    slope: float = 0.047
    sleeve: float = 0.215
    cuff: float = 0.19
    angle: float = 30.0
    armhole: float = 0.262


@dataclass(frozen=True)
class Cloth:
    """A sewn mesh. `flat` is each vertex in its panel; `back` marks the vertices that only the back panel has.

    `corners` is the pattern's place of each face's three corners (seams belong to both panels);
    `behind` marks the back panel's faces.
    """

    flat: Points
    back: npt.NDArray[np.bool_]
    seam: npt.NDArray[np.float64]
    faces: Faces
    corners: Points
    behind: npt.NDArray[np.bool_]


def sew(cut: Cut, step: float) -> Cloth:
    """Both panels as triangles with edges of about `step` metres. `seam` is the distance from the nearest seam."""
    top, side = _along(_top(cut), step), _along(_side(cut), step)
    cuff = _along(np.array([top[-1], side[0]]), step)[1:-1]
    hem = _hem(cut, step)
    seam = np.concatenate((top, side, _mirror(top), _mirror(side)))
    fronts, backs = (
        np.concatenate(
            (top, cuff, side, hem, _mirror(side)[::-1], _mirror(cuff)[::-1], _mirror(top)[::-1], neck[1:-1])
        )
        for neck in (neckline(cut, cut.neck_depth, step), neckline(cut, cut.back_depth, step))
    )
    shared = {tuple(point): at for at, point in enumerate(np.round(seam, 6))}
    flat, back, faces, corners, behind = list(seam), [False] * len(seam), [], [], []
    for is_back, edge in ((False, fronts), (True, backs)):
        points, triangles = _filled(edge, step)
        places = []
        for point in points:
            at = shared.get(tuple(np.round(point, 6)))
            if at is None:
                at = len(flat)
                flat.append(point)
                back.append(is_back)
            places.append(at)
        # Seen from outside both panels turn the same way.
        triangles = triangles[:, ::-1] if is_back else triangles
        faces.append(np.array(places)[triangles])
        corners.append(points[triangles])
        behind.append(np.full(len(triangles), is_back))
    flat_points = np.array(flat)
    distance, _ = cKDTree(seam).query(flat_points)
    return Cloth(
        flat_points,
        np.array(back),
        distance,
        np.concatenate(faces),
        np.concatenate(corners),
        np.concatenate(behind),
    )


def from_cuff(cut: Cut, points: Points) -> npt.NDArray[np.float64]:
    """Return how far points of the pattern lie from the sleeves' ends."""
    angle = np.radians(cut.angle)
    outward = np.array([np.cos(angle), -np.sin(angle)])
    right = np.stack((np.abs(points[..., 0]), points[..., 1]), -1)
    return np.asarray((_top(cut)[-1] - right) @ outward)


def _top(cut: Cut) -> Points:
    tip = np.array([cut.shoulder / 2, -cut.slope])
    angle = np.radians(cut.angle)
    end = tip + cut.sleeve * np.array([np.cos(angle), -np.sin(angle)])
    return _rounded(np.array([[cut.neck / 2, 0.0], tip, end]), 0.05)


def _side(cut: Cut) -> Points:
    angle = np.radians(cut.angle)
    end = _top(cut)[-1]
    cuff = end + cut.cuff * np.array([-np.sin(angle), -np.cos(angle)])
    under = np.array([cut.chest / 2, -cut.armhole])
    return _rounded(np.array([cuff, under, [cut.chest / 2, -cut.length]]), 0.035)


def _hem(cut: Cut, step: float) -> Points:
    xs = np.linspace(cut.chest / 2, -cut.chest / 2, round(cut.chest / step) + 1)[1:-1]
    return np.stack((xs, np.full(len(xs), -cut.length)), 1)


def neckline(cut: Cut, depth: float, step: float) -> Points:
    """From the wearer's right shoulder to the left one, below the neck."""
    turn = np.linspace(np.pi, 0, 200)
    power = 0.86
    x = np.sign(np.cos(turn)) * np.abs(np.cos(turn)) ** power * cut.neck / 2
    y = -(np.sin(turn) ** power) * depth
    return _along(np.stack((x, y), 1), step)


def _rounded(corner: Points, reach: float) -> Points:
    """Three points with a curve of `reach` on both sides of the middle one."""
    start, middle, end = corner
    before = middle + (start - middle) / np.linalg.norm(start - middle) * reach
    after = middle + (end - middle) / np.linalg.norm(end - middle) * reach
    t = np.linspace(0, 1, 24)[:, None]
    curve = (1 - t) ** 2 * before + 2 * t * (1 - t) * middle + t * t * after
    return np.concatenate((start[None], curve, end[None]))


def _along(line: Points, step: float) -> Points:
    """The line in equal steps."""
    runs = np.concatenate(([0], np.cumsum(np.linalg.norm(np.diff(line, axis=0), axis=1))))
    at = np.linspace(0, runs[-1], max(2, round(runs[-1] / step) + 1))
    return np.stack([np.interp(at, runs, line[:, axis]) for axis in (0, 1)], 1)


def _mirror(points: Points) -> Points:
    return points * np.array([-1.0, 1.0])


def _filled(edge: Points, step: float) -> tuple[Points, Faces]:
    """A triangle grid within a closed outline: the outline's points first."""
    low, high = edge.min(0), edge.max(0)
    rows = np.arange(low[1], high[1], step * np.sqrt(3) / 2)
    grid = np.concatenate(
        [
            np.stack(
                (
                    np.arange(low[0] + (row % 2) * step / 2, high[0], step),
                    np.full_like(np.arange(low[0] + (row % 2) * step / 2, high[0], step), y),
                ),
                1,
            )
            for row, y in enumerate(rows)
        ]
    )
    clear = cKDTree(edge).query(grid)[0] > step * 0.6
    points = np.concatenate((edge, grid[clear & _inside(grid, edge)]))
    triangles = Delaunay(points).simplices
    triangles = triangles[_inside(points[triangles].mean(1), edge)]
    a, b, c = (points[triangles[:, at]] for at in range(3))
    area = (b[:, 0] - a[:, 0]) * (c[:, 1] - a[:, 1]) - (b[:, 1] - a[:, 1]) * (c[:, 0] - a[:, 0])
    triangles = triangles[np.abs(area) > step * step * 0.02]
    return points, np.where(
        (area[np.abs(area) > step * step * 0.02] < 0)[:, None], triangles[:, ::-1], triangles
    )


def _inside(points: Points, edge: Points) -> npt.NDArray[np.bool_]:
    crossings = np.zeros(len(points), int)
    for (ax, ay), (bx, by) in zip(edge, np.roll(edge, -1, 0), strict=True):
        spans = (ay > points[:, 1]) != (by > points[:, 1])
        if ay != by:
            crossings += spans & (points[:, 0] < (bx - ax) * (points[:, 1] - ay) / (by - ay) + ax)
    return np.asarray(crossings % 2 == 1)
