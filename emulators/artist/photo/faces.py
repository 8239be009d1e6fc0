"""Faces: where they are (MediaPipe's short-range detector) and 468 points on each (its face mesh)."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from functools import lru_cache

import cv2
import numpy as np
import numpy.typing as npt

from emulators.artist.photo.subject import MODELS, Colours

Points = npt.NDArray[np.float32]

OVAL = (10, 338, 297, 332, 284, 251, 389, 356, 454, 323, 361, 288, 397, 365, 379, 378, 400, 377, 152, 148, 176, 149,
        150, 136, 172, 58, 132, 93, 234, 127, 162, 21, 54, 103, 67, 109)  # fmt: skip
LEFT_EYE = (33, 7, 163, 144, 145, 153, 154, 155, 133, 173, 157, 158, 159, 160, 161, 246)
RIGHT_EYE = (362, 382, 381, 380, 374, 373, 390, 249, 263, 466, 388, 387, 386, 385, 384, 398)
LEFT_BROW = (70, 63, 105, 66, 107, 55, 65, 52, 53, 46)
RIGHT_BROW = (336, 296, 334, 293, 300, 276, 283, 282, 295, 285)
LIPS = (61, 185, 40, 39, 37, 0, 267, 269, 270, 409, 291, 375, 321, 405, 314, 17, 84, 181, 91, 146)
MOUTH = (78, 191, 80, 81, 82, 13, 312, 311, 310, 415, 308, 324, 318, 402, 317, 14, 87, 178, 88, 95)
NOSE = (129, 98, 97, 2, 326, 327, 358)


@dataclass(frozen=True)
class Face:
    """`points` are 468 (x, y) in pixels of the picture."""

    points: Points

    @property
    def middle(self) -> tuple[float, float]:
        x, y = self.points[list(OVAL)].mean(axis=0)
        return float(x), float(y)

    @property
    def height(self) -> float:
        """From the hairline to the chin."""
        return float(np.linalg.norm(self.points[10] - self.points[152]))

    @property
    def width(self) -> float:
        return float(np.linalg.norm(self.points[234] - self.points[454]))

    @property
    def turn(self) -> float:
        """The head's tilt in degrees, clockwise."""
        dx, dy = self.points[list(RIGHT_EYE)].mean(axis=0) - self.points[list(LEFT_EYE)].mean(axis=0)
        return math.degrees(math.atan2(float(dy), float(dx)))

    def moved(self, scale: float, dx: float, dy: float) -> Face:
        return replace(self, points=(self.points * scale + (dx, dy)).astype(np.float32))

    def part(self, indices: tuple[int, ...]) -> Points:
        return self.points[list(indices)]


@lru_cache(maxsize=1)
def _detector() -> cv2.dnn.Net:
    return cv2.dnn.readNetFromTFLite(
        str(MODELS / "face_detection_short_range.tflite"), cv2.dnn.ENGINE_CLASSIC
    )


@lru_cache(maxsize=1)
def _mesh() -> cv2.dnn.Net:
    return cv2.dnn.readNetFromTFLite(str(MODELS / "face_landmark.tflite"), cv2.dnn.ENGINE_CLASSIC)


@lru_cache(maxsize=1)
def _anchors() -> Points:
    """Middles of the detector's 896 boxes, in its 128 pixels."""
    rows = []
    for cells, each in ((16, 2), (8, 6)):
        at = (np.arange(cells) + 0.5) * (128 / cells)
        ys, xs = np.meshgrid(at, at, indexing="ij")
        rows.append(np.repeat(np.stack([xs.ravel(), ys.ravel()], -1), each, axis=0))
    return np.concatenate(rows).astype(np.float32)


def find_faces(colours: Colours, most: int = 6) -> tuple[Face, ...]:
    """Faces from the largest to the smallest; the detector sees the whole and, for smaller ones, four quarters."""
    height, width = colours.shape[:2]
    longest = max(height, width)
    tiles = [(0.0, 0.0, float(longest))]
    part = longest * 0.6
    for x in {0.0, max(0.0, width - part)}:
        for y in {0.0, max(0.0, height - part)}:
            tiles.append((x, y, part))
    detections: list[tuple[float, Points]] = []
    for tile in sorted(tiles, key=lambda each: -each[2]):
        detections += _detect(colours, tile)
    kept: list[tuple[float, Points]] = []
    for score, marks in sorted(detections, key=lambda each: -each[0]):
        size = np.ptp(marks[:2], axis=0).max()
        if all(np.linalg.norm(marks[:2].mean(0) - other[:2].mean(0)) > 0.5 * size for _, other in kept):
            kept.append((score, marks))
    faces = [face for _, marks in kept[:most] if (face := _landmarks(colours, marks)) is not None]
    return tuple(sorted(faces, key=lambda face: -face.height))


def _detect(colours: Colours, tile: tuple[float, float, float]) -> list[tuple[float, Points]]:
    """(score, [top left, bottom right, right eye, left eye, nose, mouth, ears]) of each face in a square tile."""
    x, y, side = tile
    scale = 128 / side
    matrix = np.array([[scale, 0, -x * scale], [0, scale, -y * scale]], np.float32)
    view = cv2.warpAffine(colours, matrix, (128, 128), flags=cv2.INTER_AREA)
    network = _detector()
    network.setInput(np.ascontiguousarray(view.transpose(2, 0, 1)[None] / 127.5 - 1, np.float32))
    boxes, scores = network.forward(("regressors", "classificators"))
    sure = 1 / (1 + np.exp(-np.asarray(scores, np.float32).reshape(-1).clip(-60, 60)))
    rows = np.asarray(boxes, np.float32).reshape(-1, 16)
    detections = []
    for number in np.flatnonzero(sure > 0.6):
        middle = rows[number, :2] + _anchors()[number]
        half = rows[number, 2:4] / 2
        marks = rows[number, 4:].reshape(6, 2) + _anchors()[number]
        points = np.concatenate([[middle - half, middle + half], marks]) / scale + (x, y)
        detections.append((float(sure[number]), points.astype(np.float32)))
    return detections


def _landmarks(colours: Colours, marks: Points) -> Face | None:
    """The mesh on an upright crop and is half as large again as the face."""
    size = float(np.ptp(marks[:2], axis=0).max()) * 1.5
    middle = marks[:2].mean(axis=0)
    dx, dy = marks[3] - marks[2]
    if size < 24:
        return None
    turn = math.atan2(float(dy), float(dx))
    cos, sin = math.cos(turn) * 192 / size, math.sin(turn) * 192 / size
    matrix = np.array(
        [
            [cos, sin, 96 - cos * middle[0] - sin * middle[1]],
            [-sin, cos, 96 + sin * middle[0] - cos * middle[1]],
        ],
        np.float32,
    )
    view = cv2.warpAffine(colours, matrix, (192, 192), borderMode=cv2.BORDER_REPLICATE)
    network = _mesh()
    network.setInput(np.ascontiguousarray(view.transpose(2, 0, 1)[None] / 255, np.float32))
    points, flag = network.forward(("conv2d_21", "conv2d_31"))
    if float(np.asarray(flag).reshape(-1)[0]) < 0:
        return None
    flat = np.asarray(points, np.float32).reshape(468, 3)[:, :2]
    back = np.asarray(cv2.invertAffineTransform(matrix), np.float32)
    return Face((flat @ back[:, :2].T + back[:, 2]).astype(np.float32))
