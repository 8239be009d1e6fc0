"""`python maps.py RENDERED MAPS VIEW...`: turns renders into the small pictures that the studio composes from.

For each view: `plate` (what is behind and around the shirt), `light` (square root of the light on white cloth),
`sheen` (what even black cloth reflects), `mask` (red: where the shirt is, green: where its printed panel is) and
`place` (16 bits: across and down the print area; half as many pixels, only around the area).
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path

import cv2
import numpy as np
import numpy.typing as npt
import OpenEXR
from pattern import RIB
from PIL import Image

Field = npt.NDArray[np.float32]

GREY = 0.72
PAPER = np.array([0.922, 0.880, 0.799], np.float32)
"""The ground's colour, linear."""
BRIGHTEST = 1.6
"""The light that the light map's 255 stands for."""
MIDDLE = 0.78
"""The light of half the shirt."""
GRAIN, CLARITY = 0.6, 0.7
FLATTER = {"hanger": 1.5, "flat": 1.0}
"""Clarity of the views whose cloth has few folds."""
AREA_SHAPE = 5100 / 4500
BELOW_COLLAR = 0.052
"""From the collar's seam to the print area's upper edge, metres."""
MARGIN = 0.06
"""How far the place map reaches beyond the area, as a share of it."""
IRONED = {
    "front": ((0.402, 0.327, 0.036),),
    "male": ((0.415, 0.335, 0.036),),
    "female": ((0.352, 0.362, 0.042), (0.606, 0.364, 0.04)),
}
"""Creases that look like a body's: x, y and reach as shares of the picture."""
SHADOW = {"front": 0.5, "back": 0.5}
"""How much of the shadow is kept, where nothing but a shadow is on the ground."""
WIDTHS = {"female": 0.23}
ASIDE = {"female": 0.009}
"""The shirt has turned on the body; how far its print is set against that, metres."""
_WIDTH = 0.32


def layers(path: Path) -> dict[str, Field]:
    return {
        name.removeprefix("ViewLayer."): np.asarray(channel.pixels, np.float32)
        for part in OpenEXR.File(str(path)).parts
        for name, channel in part.channels.items()
    }


def spread(field: Field, sound: npt.NDArray[np.bool_]) -> Field:
    """The field with everything unsound replaced by the nearest sound value."""
    _, labels = cv2.distanceTransformWithLabels(
        (~sound).astype(np.uint8), cv2.DIST_L2, 5, labelType=cv2.DIST_LABEL_PIXEL
    )
    values = np.zeros(labels.max() + 1, np.float32)
    values[labels[sound]] = field[sound]
    return values[labels]


def _ironed(light: Field, places: tuple[tuple[float, float, float], ...]) -> Field:
    """Small creases taken out around places (see `IRONED`)."""
    size = light.shape[0]
    ys, xs = np.mgrid[0:size, 0:size].astype(np.float32) / size
    for x, y, reach in places:
        share = np.exp(-((np.hypot(xs - x, ys - y) / reach) ** 4)).astype(np.float32)
        light = light + (cv2.GaussianBlur(light, (0, 0), reach * size * 0.55) - light) * share
    return light


def srgb(linear: Field) -> Field:
    linear = np.clip(linear, 0, 1)
    return np.where(linear < 0.0031308, linear * 12.92, 1.055 * linear ** (1 / 2.4) - 0.055).astype(
        np.float32
    )


def write(view: str, rendered: Path, staged: Path, out: Path) -> None:
    cloth, plate = layers(rendered / f"{view}-cloth.exr"), layers(rendered / f"{view}-plate.exr")
    size = cloth["cover.X"].shape[0]
    ground = cv2.resize(plate["Combined"][..., :3], (size, size), interpolation=cv2.INTER_CUBIC)
    corners = np.concatenate([ground[:200, :120].reshape(-1, 3), ground[:200, -120:].reshape(-1, 3)])
    ground = ground * (PAPER / np.median(corners, 0))
    ground = PAPER + (ground - PAPER) * SHADOW.get(view, 1.0)
    # Highlights roll off instead of being cut.
    ground = np.where(ground > 0.92, 0.92 + 0.08 * np.tanh((ground - 0.92) / 0.08), ground).astype(np.float32)
    # A little grain, or the wide soft shadows would show bands.
    grain = np.random.default_rng(3).normal(0.5, 1.1, (size, size, 1))
    seen = np.clip(srgb(ground) * 255 + grain, 0, 255).astype(np.uint8)
    Image.fromarray(seen).save(out / f"{view}-plate.webp", quality=96, method=6)

    cover = np.clip(cloth["cover.X"], 0, 1)
    sound = cover > 0.97
    light = cloth["Combined"][..., :3] @ np.array([0.2126, 0.7152, 0.0722], np.float32) / GREY
    light = spread(light, sound)
    light = _ironed(light, IRONED.get(view, ()))
    # A photographer's clarity: folds stand out from the slow fall of the light.
    fine, folds, slow = (cv2.GaussianBlur(light, (0, 0), size * reach) for reach in (0.0018, 0.004, 0.035))
    light = light * (fine / light) ** (1 - GRAIN) * (folds / slow) ** FLATTER.get(view, CLARITY)
    light = light * (MIDDLE / np.median(light[sound]))
    facing = spread(np.abs(cloth["facing.X"]), sound)
    sheen = _ironed(np.clip(1 - facing, 0, 1) ** 2 * light, IRONED.get(view, ()))
    grey = (np.sqrt(np.clip(light / BRIGHTEST, 0, 1)) * 255 + 0.5).astype(np.uint8)
    Image.fromarray(grey).save(out / f"{view}-light.webp", quality=94, method=6)
    half = cv2.resize(
        (np.clip(sheen, 0, 1) * 255).astype(np.float32), (size // 2, size // 2), interpolation=cv2.INTER_AREA
    )
    Image.fromarray((half + 0.5).astype(np.uint8)).save(out / f"{view}-sheen.webp", quality=80, method=6)
    front = np.clip(cloth["front.X"] * (1 - cloth["inside.X"]), 0, 1)
    masks = np.stack((cover, front, np.zeros_like(cover)), -1)
    Image.fromarray((masks * 255 + 0.5).astype(np.uint8)).save(
        out / f"{view}-mask.webp", lossless=True, quality=100, method=6
    )
    _write_place(view, cloth, front > 0.97, staged, out)


def _write_place(
    view: str, cloth: dict[str, Field], sound: npt.NDArray[np.bool_], staged: Path, out: Path
) -> None:
    kept = np.load(staged)
    cut = dict(zip(kept["cut_names"], kept["cut_values"], strict=True))
    width = WIDTHS.get(view, _WIDTH)
    top = -cut["back_depth" if view == "back" else "neck_depth"] - RIB - BELOW_COLLAR
    cover = np.maximum(cloth["cover.X"], 1e-3)
    across = spread(cloth["across.X"] / cover - ASIDE.get(view, 0.0), sound) / width + 0.5
    down = spread((top - cloth["down.X"] / cover) / (width * AREA_SHAPE), sound)
    inside = sound & (np.abs(across - 0.5) < 0.5 + MARGIN) & (np.abs(down - 0.5) < 0.5 + MARGIN)
    rows, columns = np.nonzero(inside)
    box = [int(edge) // 2 * 2 for edge in (columns.min(), rows.min(), columns.max() + 2, rows.max() + 2)]
    place = np.stack((across, down, np.zeros_like(down)), -1)[box[1] : box[3], box[0] : box[2]]
    place = cv2.resize(place, ((box[2] - box[0]) // 2, (box[3] - box[1]) // 2), interpolation=cv2.INTER_AREA)
    coded = np.clip((place + 0.5) / 2 * 65535, 0, 65535)
    coded[..., 2] = 0
    cv2.imwrite(str(out / f"{view}-place.png"), coded.astype(np.uint16), [cv2.IMWRITE_PNG_COMPRESSION, 9])
    table = out / "places.json"
    boxes = json.loads(table.read_text()) if table.exists() else {}
    boxes[view] = [round(edge / cover.shape[0], 6) for edge in box]
    table.write_text(json.dumps(boxes, indent=1, sort_keys=True) + "\n")


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("rendered", type=Path)
    parser.add_argument("maps", type=Path)
    parser.add_argument("views", nargs="+")
    options = parser.parse_args()
    options.maps.mkdir(parents=True, exist_ok=True)
    for view in options.views:
        write(view, options.rendered, options.rendered / f"{view}.npz", options.maps)


if __name__ == "__main__":
    main()
