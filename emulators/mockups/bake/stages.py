"""The tee's place in each view: on a body, on a hanger, on a table."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

import body as bodies
import numpy as np
import numpy.typing as npt
import pattern
from body import Pose
from drape import Obstacle, Stuff, drape
from pattern import Cloth, Cut, Points

Waves = tuple[tuple[float, float], ...]


@dataclass(frozen=True)
class Staged:
    """A draped shirt and, where it is worn, the body in its pose."""

    cloth: Cloth
    points: Points
    cut: Cut
    body: bodies.Body | None = None
    pose: Points | None = None


@dataclass(frozen=True)
class Wearer:
    sex: str
    cut: Cut
    scale: float
    pose: Pose
    seed: int = 4


_BEHIND = (-0.20, 0.20, -0.17)
WEARERS = {
    "male": Wearer("male", Cut(angle=26, sleeve=0.2), 1.02, Pose(25, -12, _BEHIND, 5, 1.5)),
    "female": Wearer(
        "female",
        Cut(chest=0.45, length=0.66, neck=0.168, neck_depth=0.095, shoulder=0.405, slope=0.045, sleeve=0.165,
            cuff=0.165, armhole=0.225, angle=26),
        1.05, Pose(25, -12, _BEHIND, -6, -2),
    ),
    "front": Wearer("male", Cut(), 1.0, Pose(8, 0, None, 2, 0.5)),
    "back": Wearer("male", Cut(), 1.0, Pose(8, 0, None, 2, 0.5)),
}  # fmt: skip
"""Who wears what, and how they stand; `scale` is the body's."""


def worn(wearer: Wearer, data: Path, step: float) -> Staged:
    body = bodies.load(wearer.sex, data)
    body = replace(
        body,
        points=body.points * wearer.scale,
        joints={name: place * wearer.scale for name, place in body.joints.items()},
    )
    cloth = pattern.sew(wearer.cut, step)
    arm = body.joints["joint-l-elbow"] - body.joints["joint-l-shoulder"]
    below = np.degrees(np.arctan2(-arm[2], arm[0]))
    raised = np.radians(wearer.cut.angle - below)

    smooth = _softened(body)

    @cache
    def posed(share: float, twist: float = 0.0, lean: float = 0.0) -> Points:
        pose = replace(wearer.pose, twist=wearer.pose.twist + twist, lean=wearer.pose.lean + lean)
        return smooth(body.posed(pose, raised, share * share * (3 - 2 * share)))

    def at(frame: int) -> Points:
        # A turn and a bend before standing still: the creases stay.
        sway = np.sin(np.clip((frame - 60) / 70, 0, 1) * 2 * np.pi) * (1 if frame < 130 else 0)
        return posed(float(np.clip((frame - 30) / 60, 0, 1)), 22 * sway, 7 * sway)

    fine = _denser(body)

    def obstacle(frame: int) -> Obstacle:
        before, after = fine(at(frame)), fine(at(frame + 1))
        return Obstacle(before[0], after[0], after[1])

    start = _around(cloth, body, posed(0.0), wearer.cut)

    def gravity(frame: int) -> Points:
        # Lifted for a moment, the shirt falls back in other folds.
        return np.array([0, 0, -2.0 if frame < 15 else 5.0 if 100 < frame < 112 else -9.81])

    def drag(frame: int) -> float:
        return 12.0 if frame < 20 else 1.5 if frame < 130 else 4.0

    cotton = _cotton(cloth, wearer.cut, wearer.seed, 6e-7, ((0.3, 0.014), (0.14, 0.02)), friction=0.6)
    points = drape(start, cloth, cotton, 200, obstacle, gravity=gravity, drag=drag)
    return Staged(cloth, points, wearer.cut, body, at(199))


def turned(staged: Staged) -> Staged:
    """Seen from behind: the same shirt, turned half round."""
    about = np.array([-1.0, -1.0, 1.0])
    return replace(
        staged, points=staged.points * about, pose=None if staged.pose is None else staged.pose * about
    )


def _cotton(cloth: Cloth, cut: Cut, seed: int, bend: float, waves: Waves, **more: float) -> Stuff:
    """Washed cotton is never even (`waves`: lengths and amounts); collar and hems are stiff and drawn in."""
    rng = np.random.default_rng(seed)
    flat, scale = cloth.flat, np.ones(len(cloth.flat))
    for side in (False, True):
        mine = cloth.back == side
        for length, amount in waves:
            for _ in range(10):
                turn = rng.uniform(0, 2 * np.pi)
                wave = (
                    flat @ np.array([np.cos(turn), np.sin(turn)]) * 2 * np.pi / length / rng.uniform(0.7, 1.4)
                )
                scale[mine] += amount * np.sin(wave + rng.uniform(0, 7))[mine] / 10**0.5
    depth = np.where(cloth.back, cut.back_depth, cut.neck_depth)
    collar = np.hypot(flat[:, 0] / (cut.neck / 2 + pattern.RIB), flat[:, 1] / (depth + pattern.RIB)) < 1
    hem = flat[:, 1] < 0.022 - cut.length
    cuff = pattern.from_cuff(cut, flat) < 0.022
    scale[collar], scale[hem], scale[cuff] = 0.955, 1.0, 0.995
    stiff = np.where(collar, 30.0, np.where(hem | cuff, 9.0, 1.0))
    return Stuff(bend * stiff, scale, **more)


def _softened(body: bodies.Body) -> Callable[[Points], Points]:
    """Rounds off the trunk: what a shirt lies on is not anatomy."""
    skin = body.skin
    sides = np.unique(np.sort(np.concatenate([skin[:, [a, (a + 1) % 4]] for a in range(4)]), 1), axis=0)
    count = int(skin.max()) + 1
    height = body.points[:count, 2]
    neck, hips = body.joints["joint-neck"][2], body.joints["joint-pelvis"][2]
    trunk = np.clip((neck - 0.08 - height) / 0.05, 0, 1) * np.clip((height - hips) / 0.05, 0, 1)
    trunk *= body.arm[:count].sum(1) < 0.3
    degree = np.bincount(sides.reshape(-1), minlength=count)[:, None]

    def soften(points: Points) -> Points:
        rounded = points[:count]
        for _ in range(45):
            mean = np.zeros_like(rounded)
            for a, b in ((0, 1), (1, 0)):
                np.add.at(mean, sides[:, a], rounded[sides[:, b]])
            rounded = rounded + (mean / degree - rounded) * trunk[:, None] * 0.7
        return np.concatenate((rounded, points[count:]))

    return soften


def _denser(body: bodies.Body) -> Callable[[Points], tuple[Points, Points]]:
    """A function from the body's points to points and normals four times as dense."""
    skin = body.skin
    sides = np.unique(np.sort(np.concatenate([skin[:, [a, (a + 1) % 4]] for a in range(4)]), 1), axis=0)
    count = int(skin.max()) + 1

    def dense(points: Points) -> tuple[Points, Points]:
        face = points[skin]
        across = np.cross(face[:, 2] - face[:, 0], face[:, 3] - face[:, 1])
        normals = np.zeros((count, 3))
        for corner in range(4):
            np.add.at(normals, skin[:, corner], across)
        places = np.concatenate((points[:count], points[sides].mean(1), face.mean(1)))
        directions = np.concatenate((normals, normals[sides].mean(1), across))
        return places, directions / np.maximum(np.linalg.norm(directions, axis=1), 1e-12)[:, None]

    return dense


def _around(cloth: Cloth, body: bodies.Body, pose: Points, cut: Cut) -> Points:
    """The flat pattern around a body: panels before and behind it, like a tent from the seams."""
    count = int(body.skin.max()) + 1
    neck = body.joints["joint-neck"]
    trunk = pose[:count][body.arm[:count].sum(1) < 0.5]
    collar = trunk[np.abs(trunk[:, 0]) < cut.neck / 2 + 0.02]
    top = collar[np.abs(collar[:, 2] - neck[2]) < 0.06]
    middle = float(top[:, 1].mean())
    # The pattern's shoulder line is clear above the body's.
    shoulders = pose[:count]
    line = np.interp(
        np.abs(shoulders[:, 0]), [cut.neck / 2, cut.shoulder / 2, 0.42], [0.0, -cut.slope, -cut.slope - 0.105]
    )
    over = (shoulders[:, 2] - line)[np.abs(shoulders[:, 0]) > cut.neck / 2 + 0.01]
    beyond = np.abs(shoulders[:, 0])[np.abs(shoulders[:, 0]) > cut.neck / 2 + 0.01]
    height = float(over[beyond < 0.4].max()) + 0.015
    depth = np.minimum(cloth.seam * 2.2, 0.19)
    side = np.where(cloth.back, 1.0, -1.0)
    return np.stack((cloth.flat[:, 0], middle + 0.01 + side * depth, cloth.flat[:, 1] + height), 1)


def laid(step: float, seed: int = 11) -> Staged:
    """On a table, smoothed along its outline."""
    cut = Cut(angle=36, sleeve=0.205)
    cloth = pattern.sew(cut, step)
    rng = np.random.default_rng(seed)
    side = np.where(cloth.back, -1.0, 1.0)
    lift = np.zeros(len(cloth.flat))
    for _ in range(14):
        turn, length = rng.uniform(0, np.pi), rng.uniform(0.09, 0.3)
        lift += np.sin(
            cloth.flat @ np.array([np.cos(turn), np.sin(turn)]) * 2 * np.pi / length + rng.uniform(0, 7)
        )
    lift *= 0.01 / 14**0.5
    start = np.concatenate((cloth.flat, (lift + side * np.minimum(cloth.seam, 0.004))[:, None]), 1)
    start[:, 2] -= start[:, 2].min() - 0.002
    stuff = _cotton(cloth, cut, seed, 5e-7, ((0.25, 0.012), (0.12, 0.006)), friction=0.5)
    inner = np.clip(np.minimum(cloth.seam, cloth.flat[:, 1] + cut.length) / 0.06, 0, 1)
    stuff = replace(stuff, rest_scale=stuff.rest_scale + 0.013 * inner)
    # Its outline lies where the hand has smoothed it; the rest has nowhere to go but up.
    outline = (inner < 1e-6) & (np.sin(cloth.flat @ np.array([23.0, 31.0])) < 0.5)
    points = drape(
        start, cloth, stuff, 110, _nothing, floor=0.001, pinned=outline.astype(np.int64),
        # Light cloth: under its full weight the folds would be as narrow as worms.
        drag=lambda _: 2.0, gravity=lambda _: np.array([0, 0, -1.2]),
    )  # fmt: skip
    return Staged(cloth, points, cut)


def _nothing(_frame: int) -> None:
    return None


def hanger(steps: int = 140) -> tuple[Points, Points, npt.NDArray[np.int64]]:
    """A wooden hanger: points, outward normals and quads; its middle lies at the origin."""
    x = np.linspace(-0.215, 0.215, steps)
    away = np.abs(x)
    z = -0.33 * np.maximum(away - 0.02, 0) - 0.35 * np.maximum(away - 0.12, 0) ** 1.6
    y = -0.10 * (away / 0.215) ** 2 * 0.1
    centre = np.stack((x, y, z), 1)
    taper = np.clip((0.222 - away) / 0.02, 0.35, 1)
    turn = np.linspace(0, 2 * np.pi, 20, endpoint=False)
    ring = np.stack((np.zeros(20), np.cos(turn), np.sin(turn)), 1)
    points = (centre[:, None] + ring[None] * (np.array([0, 0.0075, 0.0125]) * taper[:, None, None])).reshape(
        -1, 3
    )
    normals = np.tile(ring / np.array([1, 0.0075, 0.0125]), (steps, 1, 1)).reshape(-1, 3)
    at = np.arange(steps - 1)[:, None] * 20 + np.arange(20)[None]
    right = np.arange(steps - 1)[:, None] * 20 + (np.arange(20)[None] + 1) % 20
    quads = np.stack((at, right, right + 20, at + 20), -1).reshape(-1, 4)
    return points, normals / np.linalg.norm(normals, axis=1)[:, None], quads


def hung(step: float, seed: int = 25) -> Staged:
    """On a hanger, after a swing."""
    cut = Cut(angle=40, sleeve=0.205)
    cloth = pattern.sew(cut, step)
    points, normals, _ = hanger()
    obstacle = Obstacle(points, points, normals)
    side = np.where(cloth.back, 1.0, -1.0)
    start = np.stack(
        (cloth.flat[:, 0], side * np.minimum(cloth.seam * 1.2, 0.03), cloth.flat[:, 1] + 0.022), 1
    )

    def gravity(frame: int) -> Points:
        push = 3.5 * np.sin(frame / 9) if 20 < frame < 90 else 0.0
        return np.array([0.7 * push, 0.4 * push, -9.81])

    cotton = _cotton(cloth, cut, seed, 5e-7, ((0.35, 0.028), (0.14, 0.02)), friction=0.7)
    rest = drape(
        start, cloth, cotton, 220, lambda _: obstacle, gravity=gravity,
        drag=lambda frame: 1.0 if frame < 120 else 4.0,
    )  # fmt: skip
    return Staged(cloth, rest, cut)
