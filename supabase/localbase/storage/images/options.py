"""Options of a picture, read from a query, from the body that signs an address, or from the address's token."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any, Literal

from localbase.storage import errors

Resize = Literal["cover", "contain", "fill"]
Format = Literal["origin", "avif", "webp"]
Gravity = Literal["no", "so", "ea", "we", "noea", "nowe", "soea", "sowe", "ce", "sm", "fp"]

_RESIZES = ("cover", "contain", "fill")
_FORMATS = ("origin", "avif", "webp")
_COMPASS = ("no", "so", "ea", "we", "noea", "nowe", "soea", "sowe", "ce")
_GRAVITIES = (*_COMPASS, "sm", "fp")
_RESIZING_TYPES = {"cover": "fill", "contain": "fit", "fill": "force"}
_NAMES = ("width", "height", "resize", "format", "quality", "gravity", "x_offset", "y_offset")
_LONGEST_SIDE = 2000


@dataclass(frozen=True, slots=True)
class Transformation:
    """Width and height in pixels, None where the other side decides; quality in percent.

    `gravity` is what is left when `cover` cuts; its offsets are parts of a side below 1, and pixels from there on.
    """

    width: int | None = None
    height: int | None = None
    resize: Resize = "cover"
    format: Format | None = None
    quality: int | None = None
    gravity: Gravity | None = None
    x_offset: float | None = None
    y_offset: float | None = None

    def claim(self) -> str:
        """As a token carries it; "" where nothing is asked for (`src/storage/renderer/image.ts`)."""
        return ",".join(self._segments(f"resize:{self.resize}"))

    def header(self) -> str:
        """As `x-transformations` has it: in the terms of imgproxy, which draws upstream."""
        return ",".join(self._segments(f"resizing_type:{_RESIZING_TYPES[self.resize]}"))

    def _segments(self, resizing: str) -> list[str]:
        sides = [f"{name}:{side}" for name, side in (("height", self.height), ("width", self.width)) if side]
        gravity = self.gravity
        if gravity in ("fp", *_COMPASS) and (self.x_offset is not None or self.y_offset is not None):
            gravity = f"{gravity}:{_shortest(self.x_offset)}:{_shortest(self.y_offset)}"  # type: ignore[assignment]
        return [
            *sides,
            *([resizing] if sides else []),
            *([f"quality:{self.quality}"] if self.quality else []),
            *([f"format:{self.format}"] if self.format not in (None, "origin") else []),
            *([f"gravity:{gravity}"] if gravity else []),
        ]

    def line(self) -> str:
        """For a renderer, and for the key of a cache: the same text for the same picture."""
        return json.dumps(asdict(self))


def from_query(query: Mapping[str, str]) -> Transformation:
    """The options of a query. Raises 400 for one that is none."""
    return _checked({name: query[name] for name in _NAMES if name in query}, "querystring")


def from_body(transform: Any) -> Transformation | None:
    """`transform` of a body that signs an address; None for none. Raises 400."""
    if transform is None:
        return None
    if not isinstance(transform, dict):
        raise errors.invalid_request("body/transform must be object")
    transformation = _checked(
        {name: transform[name] for name in _NAMES if transform.get(name) is not None}, "body/transform"
    )
    return transformation if transformation.claim() else None


def from_claim(text: str) -> Transformation:
    """The options that a token carries. Raises 400."""
    options = dict(part.split(":", 1) for part in text.split(",") if ":" in part)
    gravity, *offsets = options.get("gravity", "").split(":")
    if gravity:
        options |= {"gravity": gravity, **dict(zip(("x_offset", "y_offset"), offsets, strict=False))}
    return _checked(options, "token")


def names_in(query: Mapping[str, str]) -> bool:
    """Tell whether a query asks for any of the options."""
    return any(name in query for name in _NAMES)


def _checked(options: dict[str, Any], place: str) -> Transformation:
    values: dict[str, Any] = {}
    for name in ("width", "height", "quality"):
        if name in options:
            values[name] = _whole(options[name], f"{place}/{name}")
    for name in ("width", "height"):
        if name in values:
            # Zero leaves the side open.
            values[name] = min(values[name], _LONGEST_SIDE) or None
    if "quality" in values and not 20 <= values["quality"] <= 100:
        bound = ">= 20" if values["quality"] < 20 else "<= 100"
        raise errors.invalid_request(f"{place}/quality must be {bound}")
    for name, choices in (("resize", _RESIZES), ("format", _FORMATS), ("gravity", _GRAVITIES)):
        if name in options:
            if options[name] not in choices:
                raise errors.invalid_request(f"{place}/{name} must be equal to one of the allowed values")
            values[name] = options[name]
    for name in ("x_offset", "y_offset"):
        if name in options:
            values[name] = _number(options[name], f"{place}/{name}")
    transformation = Transformation(**values)
    if transformation.gravity == "fp" and not all(
        offset is not None and 0 <= offset <= 1
        for offset in (transformation.x_offset, transformation.y_offset)
    ):
        raise errors.StorageError(
            400, "InvalidParameter", "Focal point requires x and y coordinates within 0-1 range"
        )
    return transformation


def _shortest(offset: float | None) -> str:
    """The number as JavaScript writes it: 0 for 0.0."""
    return str(int(offset) if offset is not None and offset == int(offset) else offset or 0)


def _whole(option: Any, place: str) -> int:
    if isinstance(option, str) and re.fullmatch(r"-?[0-9]{1,9}", option):
        option = int(option)
    if isinstance(option, bool) or not isinstance(option, int):
        raise errors.invalid_request(f"{place} must be integer")
    if option < 0:
        raise errors.invalid_request(f"{place} must be >= 0")
    return option


def _number(option: Any, place: str) -> float:
    try:
        if isinstance(option, bool):
            raise TypeError
        value = float(option)
    except (TypeError, ValueError, OverflowError):
        value = math.nan
    if not math.isfinite(value) or abs(value) > _LONGEST_SIDE:
        raise errors.invalid_request(f"{place} must be number")
    return value
