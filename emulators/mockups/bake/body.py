"""A human body from MakeHuman's base mesh and targets (CC0), posed by its rig. Metres, z up, facing -y."""

from __future__ import annotations

import gzip
import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

Points = npt.NDArray[np.float64]
Faces = npt.NDArray[np.int64]

TARGETS = {
    "male": {
        "macrodetails/caucasian-male-young": 0.75,
        "macrodetails/african-male-young": 0.25,
        "macrodetails/universal-male-young-averagemuscle-averageweight": 0.75,
        "macrodetails/universal-male-young-maxmuscle-averageweight": 0.25,
        "macrodetails/proportions/male-young-averagemuscle-averageweight-idealproportions": 0.6,
    },
    "female": {
        "macrodetails/caucasian-female-young": 0.7,
        "macrodetails/asian-female-young": 0.3,
        "macrodetails/universal-female-young-averagemuscle-averageweight": 0.8,
        "macrodetails/universal-female-young-averagemuscle-minweight": 0.2,
        "macrodetails/proportions/female-young-averagemuscle-averageweight-idealproportions": 0.6,
        "breast/female-young-averagemuscle-averageweight-averagecup-maxfirmness": 0.5,
    },
}
"""Weights of the targets, by sex."""

_FOREARM = ("lowerarm", "wrist", "finger", "metacarpal")


@dataclass(frozen=True)
class Pose:
    """Degrees: arms lowered and forward, trunk twisted and leaning. `reach` is the left forearm's direction."""

    lower: float = 0.0
    forward: float = 0.0
    reach: tuple[float, float, float] | None = None
    twist: float = 0.0
    lean: float = 0.0


@dataclass(frozen=True)
class Body:
    """The rest pose. `arm` and `forearm` are each vertex's share (0 to 1) in those bones, left then right."""

    points: Points
    skin: Faces
    tights: Faces
    joints: dict[str, Points]
    arm: Points
    forearm: Points
    shoulder: Points

    def posed(self, pose: Pose, raised: float, share: float) -> Points:
        """The points on the way (`share` 0 to 1) from arms at `raised` (radians) to the pose."""
        points = self.points.copy()
        lower = raised + (np.radians(pose.lower) - raised) * share
        forward, clavicle = np.radians(pose.forward) * share, 0.12 * lower
        for side, name in enumerate(("l", "r")):
            sign = 1.0 if side == 0 else -1.0
            weight, all_arm = self.arm[:, side], self.arm[:, side] + self.shoulder[:, side]
            shoulder, elbow, hand = (
                self.joints[f"joint-{name}-{at}"] for at in ("shoulder", "elbow", "hand")
            )
            for centre, axis, angle, moved in (
                (shoulder, (0, 1, 0), sign * lower, weight),
                (shoulder, (1, 0, 0), -forward, weight),
                (self.joints[f"joint-{name}-clavicle"], (0, 1, 0), sign * clavicle, all_arm),
            ):
                points = _turned(points, centre, np.array(axis, float), angle, moved)
                elbow, hand = (
                    _turned(at[None], centre, np.array(axis, float), angle, np.ones(1))[0]
                    for at in (elbow, hand)
                )
            if pose.reach is not None:
                now = (hand - elbow) / np.linalg.norm(hand - elbow)
                goal = np.array(pose.reach) * np.array([sign, 1, 1]) / np.linalg.norm(pose.reach)
                axis = np.cross(now, goal)
                angle = np.arctan2(np.linalg.norm(axis), now @ goal) * share
                points = _turned(points, elbow, axis / np.linalg.norm(axis), angle, self.forearm[:, side])
        hips, chest = self.joints["joint-pelvis"][2], self.joints["joint-neck"][2]
        height = np.clip((points[:, 2] - hips) / (chest - hips), 0, 1)
        up = height * height * (3 - 2 * height)
        points = _turned(
            points, self.joints["joint-pelvis"], np.array([0.0, 0, 1]), np.radians(pose.twist) * share, up
        )
        return _turned(
            points, self.joints["joint-pelvis"], np.array([0.0, 1, 0]), np.radians(pose.lean) * share, up
        )


def _turned(points: Points, centre: Points, axis: Points, angle: float, weight: Points) -> Points:
    """Rodrigues' rotation with an angle for each vertex: the weights blend angles, so that joints keep their girth."""
    k = axis
    angles = (angle * np.clip(weight, 0, 1))[:, None]
    v = points - centre
    turned = (
        v * np.cos(angles) + np.cross(k, v) * np.sin(angles) + k * (v @ k)[:, None] * (1 - np.cos(angles))
    )
    return np.asarray(turned + centre)


def load(sex: str, data: Path) -> Body:
    """Reads MPFB's data folder (`3dobjs`, `targets`, `rigs`)."""
    raw, faces, groups = _mesh(data / "3dobjs" / "base.obj")
    for name, amount in TARGETS[sex].items():
        with gzip.open(data / "targets" / f"{name}.target.gz", "rt") as lines:
            rows = [line.split() for line in lines if line[:1].isdigit()]
        for vertex, *moved in rows:
            raw[int(vertex)] += np.array(moved, float) * amount
    points = np.stack((raw[:, 0], -raw[:, 2], raw[:, 1]), 1) * 0.1
    joints = {
        name: points[np.unique([corner for face in group for corner in faces[face]])].mean(0)
        for name, group in groups.items()
        if name.startswith("joint-")
    }
    weights = json.loads((data / "rigs" / "standard" / "weights.default.json").read_text())["weights"]
    return Body(
        points,
        np.array([faces[at] for at in groups["body"]]),
        np.array([faces[at] for at in groups["helper-tights"]]),
        joints,
        _share(weights, ("upperarm", *_FOREARM), len(points)),
        _share(weights, _FOREARM, len(points)),
        _share(weights, ("shoulder01", "clavicle"), len(points)),
    )


def _mesh(path: Path) -> tuple[Points, list[list[int]], dict[str, list[int]]]:
    points, faces = [], []
    groups: dict[str, list[int]] = {}
    group = ""
    for line in path.read_text().splitlines():
        kind, _, rest = line.partition(" ")
        if kind == "v":
            points.append([float(part) for part in rest.split()[:3]])
        elif kind == "g":
            group = rest.strip()
        elif kind == "f":
            groups.setdefault(group, []).append(len(faces))
            faces.append([int(part.split("/")[0]) - 1 for part in rest.split()])
    return np.array(points), faces, groups


def _share(weights: dict[str, Any], bones: tuple[str, ...], count: int) -> Points:
    shares = np.zeros((count, 2))
    for bone, rows in weights.items():
        if bone.startswith(bones) and bone[-2:] in (".L", ".R"):
            for vertex, amount in rows:
                shares[vertex, 0 if bone.endswith("L") else 1] += amount
    return shares
