"""How a picture shall be shown: read from a query, from the body that signs an address, or from the address's token."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any, Literal

from localbase.storage import errors

Resize = Literal["cover", "contain", "fill"]
Format = Literal["origin", "avif", "webp"]
Gravity = Literal["no", "so", "ea", "we", "noea", "nowe", "soea", "sowe", "ce", "sm", "fp"]

_RESIZES = ("cover", "contain", "fill")
_FORMATS = ("origin", "avif", "webp")
_GRAVITIES = ("no", "so", "ea", "we", "noea", "nowe", "soea", "sowe", "ce", "sm", "fp")
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
    gravity: Gravity = "ce"
    x_offset: float | None = None
    y_offset: float | None = None

    def claim(self) -> str:
        """As a token carries it: all that differs from the defaults."""
        changed = {name: value for name, value in asdict(self).items() if value != _DEFAULTS[name]}
        return ",".join(f"{name}:{value}" for name, value in changed.items())

    def line(self) -> str:
        """For a renderer, and for the key of a cache: the same text for the same picture."""
        return json.dumps(asdict(self))


_DEFAULTS = asdict(Transformation())


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
    return transformation if transformation != Transformation() else None


def from_claim(text: str) -> Transformation:
    """The options that a token carries. Raises 400."""
    return _checked(dict(part.split(":", 1) for part in text.split(",") if ":" in part), "token")


def names_in(query: Mapping[str, str]) -> bool:
    """Whether a query asks for any of the options."""
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


def _whole(option: Any, place: str) -> int:
    if isinstance(option, str) and option.isascii() and option.isdecimal() and len(option) < 10:
        return int(option)
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
