"""Cloth in motion: position-based dynamics with stretch, bending, bodies, the ground and the cloth itself.

Substeps with one pass of compliant constraints each (Macklin 2019); bending is Bergou's quadratic model.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numba
import numpy as np
import numpy.typing as npt
from pattern import Cloth, Points
from scipy.spatial import cKDTree

WEIGHT = 0.18
"""Kilograms to a square metre."""


@dataclass(frozen=True)
class Stuff:
    """The cloth's properties: bending stiffness (N·m) and rest scale at each vertex, give of its threads, and so on.

    `thickness` is the distance between layers in metres.
    """

    bend: Points
    rest_scale: Points
    give: float = 2e-4
    thickness: float = 0.0065
    drag: float = 1.2
    friction: float = 0.45


@dataclass(frozen=True)
class Obstacle:
    """A closed surface as points with outward normals, at the start and the end of a frame."""

    before: Points
    after: Points
    normals: Points


@dataclass
class Springs:
    pairs: npt.NDArray[np.int64]
    rest: Points
    hinges: npt.NDArray[np.int64]
    cots: Points
    stiff: Points
    mass: Points


def springs(cloth: Cloth, bend: Points, rest_scale: Points) -> Springs:
    """`bend` is the stiffness at each vertex; `rest_scale` stretches the rest lengths there (1 leaves them)."""
    corners = cloth.corners
    sides: dict[tuple[int, int], list[tuple[float, int, float, float, float]]] = {}
    area = 0.5 * np.abs(np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0]))
    mass = np.zeros(len(cloth.flat))
    for face, (triangle, places) in enumerate(zip(cloth.faces, corners, strict=True)):
        mass[triangle] += area[face] * WEIGHT / 3
        for at in range(3):
            i, j, k = triangle[at], triangle[(at + 1) % 3], triangle[(at + 2) % 3]
            pi, pj, pk = places[at], places[(at + 1) % 3], places[(at + 2) % 3]
            length = float(np.linalg.norm(pj - pi))
            cot_i, cot_j = _cot(pi, pj, pk), _cot(pj, pi, pk)
            if i > j:
                i, j, cot_i, cot_j = j, i, cot_j, cot_i
            sides.setdefault((i, j), []).append((length, k, cot_i, cot_j, area[face]))
    pairs, rest, hinges, cots, stiff = [], [], [], [], []
    for (i, j), adjacent in sides.items():
        pairs.append((i, j))
        rest.append(np.mean([side[0] for side in adjacent]))
        if len(adjacent) == 2:
            (_, k, cik, cjk, a), (_, m, cim, cjm, b) = adjacent
            hinges.append((i, j, k, m))
            cots.append((cjk + cjm, cik + cim, -(cik + cjk), -(cim + cjm)))
            stiff.append(3 * min(bend[i], bend[j]) / (a + b))
    order = np.random.default_rng(1).permutation(len(pairs))
    pairs_ = np.array(pairs)[order]
    rest_ = np.array(rest)[order] * rest_scale[pairs_].mean(1)
    return Springs(pairs_, rest_, np.array(hinges), np.array(cots), np.array(stiff), mass)


def _cot(corner: Points, one: Points, two: Points) -> float:
    u, v = one - corner, two - corner
    return float(u @ v / max(abs(u[0] * v[1] - u[1] * v[0]), 1e-9))


@numba.njit(cache=True, fastmath=True)
def _substeps(
    x,
    v,
    w,
    pairs,
    rest,
    give,
    hinges,
    cots,
    soft,
    near,
    before,
    after,
    normals,
    offset,
    layers,
    thickness,
    friction,
    gravity,
    drag,
    dt,
    steps,
    floor,
    pinned,
):  # type: ignore[no-untyped-def]
    count = len(x)
    old = x.copy()
    a_give = give / (dt * dt)
    for step in range(steps):
        for i in range(count):
            for c in range(3):
                old[i, c] = x[i, c]
                if pinned[i] == 0:
                    v[i, c] += gravity[c] * dt
                    v[i, c] *= 1 - drag * dt
            speed = (v[i, 0] ** 2 + v[i, 1] ** 2 + v[i, 2] ** 2) ** 0.5
            if speed > 3.0:
                for c in range(3):
                    v[i, c] *= 3.0 / speed
            if pinned[i] == 0:
                for c in range(3):
                    x[i, c] += v[i, c] * dt
        for n in range(len(pairs)):
            i, j = pairs[n, 0], pairs[n, 1]
            dx, dy, dz = x[i, 0] - x[j, 0], x[i, 1] - x[j, 1], x[i, 2] - x[j, 2]
            far = (dx * dx + dy * dy + dz * dz) ** 0.5 + 1e-12
            ww = w[i] + w[j]
            pull = (far - rest[n]) / (ww + a_give) / far
            x[i, 0] -= dx * pull * w[i]
            x[i, 1] -= dy * pull * w[i]
            x[i, 2] -= dz * pull * w[i]
            x[j, 0] += dx * pull * w[j]
            x[j, 1] += dy * pull * w[j]
            x[j, 2] += dz * pull * w[j]
        for n in range(len(hinges)):
            lx = ly = lz = 0.0
            total = soft[n] / (dt * dt)
            for c in range(4):
                i = hinges[n, c]
                k = cots[n, c]
                lx += k * x[i, 0]
                ly += k * x[i, 1]
                lz += k * x[i, 2]
                total += k * k * w[i]
            for c in range(4):
                i = hinges[n, c]
                f = cots[n, c] * w[i] / total
                x[i, 0] -= lx * f
                x[i, 1] -= ly * f
                x[i, 2] -= lz * f
        for n in range(len(layers)):
            i, j = layers[n, 0], layers[n, 1]
            dx, dy, dz = x[i, 0] - x[j, 0], x[i, 1] - x[j, 1], x[i, 2] - x[j, 2]
            far2 = dx * dx + dy * dy + dz * dz
            if far2 < thickness * thickness and far2 > 1e-14:
                far = far2**0.5
                ww = w[i] + w[j]
                push = 0.5 * (thickness - far) / ww / far
                x[i, 0] += dx * push * w[i]
                x[i, 1] += dy * push * w[i]
                x[i, 2] += dz * push * w[i]
                x[j, 0] -= dx * push * w[j]
                x[j, 1] -= dy * push * w[j]
                x[j, 2] -= dz * push * w[j]
                # Layers that touch drag each other along.
                for c in range(3):
                    mean = 0.5 * (x[i, c] - old[i, c] + x[j, c] - old[j, c])
                    x[i, c] += 0.15 * (mean - (x[i, c] - old[i, c])) * (w[i] > 0)
                    x[j, c] += 0.15 * (mean - (x[j, c] - old[j, c])) * (w[j] > 0)
        share = (step + 1) / steps
        for i in range(count):
            b = near[i]
            if b >= 0 and w[i] > 0:
                depth = offset
                for c in range(3):
                    depth -= (x[i, c] - before[b, c] * (1 - share) - after[b, c] * share) * normals[b, c]
                if depth > 0 and depth < 0.05:
                    slip = 0.0
                    for c in range(3):
                        x[i, c] += normals[b, c] * depth
                    mx = x[i, 0] - old[i, 0] - (after[b, 0] - before[b, 0]) / steps
                    my = x[i, 1] - old[i, 1] - (after[b, 1] - before[b, 1]) / steps
                    mz = x[i, 2] - old[i, 2] - (after[b, 2] - before[b, 2]) / steps
                    along = mx * normals[b, 0] + my * normals[b, 1] + mz * normals[b, 2]
                    mx -= along * normals[b, 0]
                    my -= along * normals[b, 1]
                    mz -= along * normals[b, 2]
                    slip = (mx * mx + my * my + mz * mz) ** 0.5
                    if slip > 1e-12:
                        hold = min(1.0, friction * depth / slip)
                        x[i, 0] -= mx * hold
                        x[i, 1] -= my * hold
                        x[i, 2] -= mz * hold
            if x[i, 2] < floor and w[i] > 0:
                depth = floor - x[i, 2]
                x[i, 2] = floor
                mx, my = x[i, 0] - old[i, 0], x[i, 1] - old[i, 1]
                slip = (mx * mx + my * my) ** 0.5
                if slip > 1e-12:
                    hold = min(1.0, friction * depth / slip)
                    x[i, 0] -= mx * hold
                    x[i, 1] -= my * hold
        for i in range(count):
            for c in range(3):
                v[i, c] = (x[i, c] - old[i, c]) / dt


def drape(
    start: Points,
    cloth: Cloth,
    stuff: Stuff,
    frames: int,
    obstacle: Callable[[int], Obstacle | None],
    *,
    floor: float = -9.0,
    substeps: int = 16,
    gravity: Callable[[int], Points] | None = None,
    drag: Callable[[int], float] | None = None,
    pinned: npt.NDArray[np.int64] | None = None,
    offset: float = 0.003,
) -> Points:
    """Return where the cloth comes to lie after `frames` sixtieths of a second."""
    bonds = springs(cloth, stuff.bend, stuff.rest_scale)
    x, v = start.astype(float).copy(), np.zeros_like(start, float)
    held = np.zeros(len(x), np.int64) if pinned is None else pinned
    w = np.where(held > 0, 0.0, 1 / bonds.mass)
    nothing = np.zeros((1, 3))
    for frame in range(frames):
        body = obstacle(frame)
        near = np.full(len(x), -1)
        if body is not None:
            far, near = cKDTree(body.after).query(x, distance_upper_bound=0.12)
            near = np.where(np.isfinite(far), near, -1)
        layers = _layers(x, cloth, stuff.thickness * 1.8)
        _substeps(
            x, v, w, bonds.pairs, bonds.rest, stuff.give, bonds.hinges, bonds.cots, 1 / bonds.stiff, near,
            nothing if body is None else body.before, nothing if body is None else body.after,
            nothing if body is None else body.normals, offset, layers, stuff.thickness, stuff.friction,
            np.array([0, 0, -9.81]) if gravity is None else gravity(frame),
            stuff.drag if drag is None else drag(frame), 1 / 60 / substeps, substeps, floor, held,
        )  # fmt: skip
    return x


def _layers(x: Points, cloth: Cloth, reach: float) -> npt.NDArray[np.int64]:
    """Pairs of vertices that are close now but not neighbours in the cloth."""
    pairs = cKDTree(x).query_pairs(reach, output_type="ndarray")
    flat, back = cloth.flat, cloth.back
    same = (back[pairs[:, 0]] == back[pairs[:, 1]]) | (cloth.seam[pairs].min(1) < 0.012)
    close = np.linalg.norm(flat[pairs[:, 0]] - flat[pairs[:, 1]], axis=1) < 0.022
    return np.asarray(pairs[~(same & close)].reshape(-1, 2))
