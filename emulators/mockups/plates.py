"""Each view's renderings, read from `maps` and brought to the requested size."""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path

import cv2
import numpy as np
import numpy.typing as npt
from PIL import Image

Bytes = npt.NDArray[np.uint8]
Field = npt.NDArray[np.float32]

VIEWS = ("front", "back", "hanger", "flat", "male", "female")
_MAPS = Path(__file__).parent / "maps"
BRIGHTEST = 1.6
_KEPT = 4

Box = tuple[int, int, int, int]


@dataclass(frozen=True)
class Plate:
    """A view in a size. `box` (left, upper, right, lower) is the shirt's, in pixels; what follows is cut to it.

    `light` is the square root of what falls on white cloth, with 255 for `BRIGHTEST` of a full light;
    `sheen` is what cloth of any dye throws back besides, linear.
    `area_box` is the print area's, within `box`; `across` and `down` say where on the area a pixel is (0 to 1),
    `front` how much of it is the printed panel.
    """

    ground: Bytes
    box: Box
    cover: Bytes
    light: Bytes
    sheen: Bytes
    area_box: Box
    across: Field
    down: Field
    front: Field


@lru_cache(maxsize=_KEPT)
def plate(view: str, size: int) -> Plate:
    """The plate of a view at `size` pixels square. ValueError when there is no such view."""
    if view not in VIEWS:
        raise ValueError(f"There is no view {view!r}; the views are {', '.join(VIEWS)}.")
    mask = _sized(_read(view, "mask"), size)
    box = _bounds(mask[..., 0])
    left, upper, right, lower = box
    crop = (slice(upper, lower), slice(left, right))
    x0, y0, x1, y1 = (round(edge * size) for edge in _places()[view])
    place = cv2.resize(_read_places(view), (x1 - x0, y1 - y0), interpolation=cv2.INTER_LINEAR)
    return Plate(
        ground=_sized(_read(view, "plate"), size),
        box=box,
        cover=np.ascontiguousarray(mask[..., 0][crop]),
        light=np.ascontiguousarray(_sized(_read(view, "light")[..., 0], size)[crop]),
        sheen=np.ascontiguousarray(_sized(_read(view, "sheen")[..., 0], size)[crop]),
        area_box=(x0 - left, y0 - upper, x1 - left, y1 - upper),
        across=np.ascontiguousarray(place[..., 0], np.float32),
        down=np.ascontiguousarray(place[..., 1], np.float32),
        front=np.multiply(mask[y0:y1, x0:x1, 1], 1 / 255, dtype=np.float32),
    )


def _read(view: str, name: str) -> Bytes:
    with Image.open(_MAPS / f"{view}-{name}.webp") as picture:
        return np.asarray(picture)


def _read_places(view: str) -> Field:
    """Across and down the print area (0 to 1) at each pixel; 16 bits stand for -0.5 to 1.5."""
    path = _MAPS / f"{view}-place.png"
    coded = cv2.imread(str(path), cv2.IMREAD_UNCHANGED)
    if coded is None:
        raise FileNotFoundError(path)
    return np.asarray(coded * np.float32(2 / 65535) - np.float32(0.5), np.float32)


@cache
def _places() -> dict[str, list[float]]:
    places: dict[str, list[float]] = json.loads((_MAPS / "places.json").read_text())
    return places


def _sized(picture: Bytes, size: int) -> Bytes:
    if picture.shape[0] == size:
        return picture
    how = cv2.INTER_AREA if size < picture.shape[0] else cv2.INTER_CUBIC
    return np.asarray(cv2.resize(picture, (size, size), interpolation=how), np.uint8)


def _bounds(cover: Bytes) -> Box:
    columns, rows = np.nonzero(cover.any(axis=0))[0], np.nonzero(cover.any(axis=1))[0]
    return int(columns[0]), int(rows[0]), int(columns[-1]) + 1, int(rows[-1]) + 1
