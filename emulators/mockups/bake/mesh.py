"""Triangle meshes made smooth: Loop's subdivision with the pattern's places carried along."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

Points = npt.NDArray[np.float64]
Faces = npt.NDArray[np.int64]


def subdivided(points: Points, faces: Faces, corners: Points) -> tuple[Points, Faces, Points]:
    """Each triangle as four. `corners` (places in the pattern) are divided evenly, not smoothed."""
    directed = np.concatenate([faces[:, [a, (a + 1) % 3]] for a in range(3)])
    opposite = np.concatenate([faces[:, (a + 2) % 3] for a in range(3)])
    sides, which, uses = np.unique(np.sort(directed, 1), axis=0, return_inverse=True, return_counts=True)
    which = which.reshape(-1)
    ends = points[sides]
    across = np.zeros((len(sides), 3))
    np.add.at(across, which, points[opposite])
    inner = (uses == 2)[:, None]
    middles = np.where(inner, ends.sum(1) * 0.375 + across * 0.125, ends.mean(1))

    count = len(points)
    edge = np.zeros(count, bool)
    rim = sides[uses == 1]
    edge[rim] = True
    valence, around = np.zeros(count), np.zeros((count, 3))
    for a, b in ((0, 1), (1, 0)):
        np.add.at(valence, sides[:, a], 1)
        np.add.at(around, sides[:, a], points[sides[:, b]])
    n = np.maximum(valence, 1)
    beta = (0.625 - (0.375 + 0.25 * np.cos(2 * np.pi / n)) ** 2) / n
    smooth = points * (1 - n * beta)[:, None] + around * beta[:, None]
    along = np.zeros((count, 3))
    for a, b in ((0, 1), (1, 0)):
        np.add.at(along, rim[:, a], points[rim[:, b]])
    smooth[edge] = points[edge] * 0.75 + along[edge] * 0.125

    m = which.reshape(3, -1).T + count
    a, b, c = faces.T
    ab, bc, ca = m.T
    split = np.stack([np.stack(t, 1) for t in ((a, ab, ca), (ab, b, bc), (ca, bc, c), (ab, bc, ca))], 1)
    pa, pb, pc = (corners[:, at] for at in range(3))
    pab, pbc, pca = (pa + pb) / 2, (pb + pc) / 2, (pc + pa) / 2
    places = np.stack(
        [np.stack(t, 1) for t in ((pa, pab, pca), (pab, pb, pbc), (pca, pbc, pc), (pab, pbc, pca))], 1
    )
    return np.concatenate((smooth, middles)), split.reshape(-1, 3), places.reshape(-1, 3, 2)
