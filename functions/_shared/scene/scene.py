"""A scene: the layers on a shirt's front and back, bottom layer first.

These models are the source of `scene.schema.json`, by which the web client checks the same (`python -m
tools.scene.schema` writes it). What a JSON Schema cannot say is checked by `parse_scene` here and in scene.ts.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Annotated, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, JsonValue, ValidationError

from _shared.core.errors import ShopError

LARGEST_BYTES = 64 * 1024
MOST_LAYERS = 20
DESIGN = "design"
_HERE = Path(__file__).parent
_UUID = "[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}"
# one to six lines without control characters
_LINES = r"^[^\x00-\x1f\x7f-\x9f]*(\n[^\x00-\x1f\x7f-\x9f]*){0,5}$"

Side = Literal["front", "back"]
SIDES: tuple[Side, Side] = ("front", "back")


def _ids(name: str) -> list[JsonValue]:
    return [entry["id"] for entry in json.loads((_HERE / name).read_text(encoding="utf-8"))]


def _among(ids: list[JsonValue]) -> AfterValidator:
    def check(value: str) -> str:
        if value not in ids:
            raise ValueError("is not in the table")
        return value

    return AfterValidator(check)


_FACES, _SHAPES = _ids("faces.json"), _ids("shapes.json")
Color = Annotated[str, Field(pattern="^#[0-9a-f]{6}$")]
Face = Annotated[str, _among(_FACES), Field(json_schema_extra={"enum": _FACES})]
Shape = Annotated[str, _among(_SHAPES), Field(json_schema_extra={"enum": _SHAPES})]


class _Part(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, strict=True, allow_inf_nan=False)


class _Layer(_Part):
    """`x` and `y` are the centre of the layer's box, `scale` the box's width before turning, as shares of the area."""

    id: str = Field(pattern="^[a-z0-9-]{1,36}$")
    x: float = Field(ge=-1, le=2)
    y: float = Field(ge=-1, le=2)
    scale: float = Field(ge=0.005, le=4)
    angle: float = Field(ge=-180, le=180)
    locked: bool = False


class Crop(_Part):
    """The part of a picture that is shown, as shares of the whole."""

    left: float = Field(ge=0, le=0.99)
    top: float = Field(ge=0, le=0.99)
    width: float = Field(ge=0.01, le=1)
    height: float = Field(ge=0.01, le=1)


WHOLE = Crop(left=0, top=0, width=1, height=1)


class PictureLayer(_Layer):
    """`source` is the design's own first picture, or an artwork's id; `color` is that of all its ink."""

    kind: Literal["picture"]
    source: str = Field(pattern=f"^({DESIGN}|{_UUID})$")
    crop: Crop | None = None
    color: Color | None = None


class Outline(_Part):
    """A line around letters; its width is a share of an em."""

    color: Color
    width: float = Field(ge=0, le=0.3)


class Shadow(_Part):
    """A copy of the letters behind them; `x` and `y` are shares of an em."""

    color: Color
    x: float = Field(ge=-0.5, le=0.5)
    y: float = Field(ge=-0.5, le=0.5)


class LetteringLayer(_Layer):
    """`curve` is the share of a whole circle that the longest line bends to: above 0 upwards, below downwards."""

    kind: Literal["lettering"]
    text: str = Field(min_length=1, max_length=200, pattern=_LINES)
    face: Face
    color: Color
    align: Literal["left", "center", "right"] = "center"
    curve: float = Field(default=0, ge=-1, le=1)
    outline: Outline | None = None
    shadow: Shadow | None = None


class ShapeLayer(_Layer):
    """`ratio` is the box's height divided by its width."""

    kind: Literal["shape"]
    shape: Shape
    color: Color
    ratio: float = Field(ge=0.02, le=50)


Layer = Annotated[PictureLayer | LetteringLayer | ShapeLayer, Field(discriminator="kind")]


class Scene(_Part):
    version: Literal[1]
    front: list[Layer] = Field(max_length=MOST_LAYERS)
    back: list[Layer] = Field(max_length=MOST_LAYERS)

    def side(self, side: Side) -> list[Layer]:
        return self.front if side == "front" else self.back

    def sources(self) -> set[str]:
        """The pictures that are needed to draw it."""
        layers: Iterable[Layer] = (*self.front, *self.back)
        return {layer.source for layer in layers if isinstance(layer, PictureLayer)}


def parse_scene(value: object) -> Scene:
    """The scene of a decoded JSON value. 400 for what is none."""
    try:
        text = json.dumps(value, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
        if len(text.encode("utf-8")) > LARGEST_BYTES:
            raise ValueError("more than 64 kB")
        scene = Scene.model_validate_json(text)
        _check_whole(scene)
    except (ValidationError, ValueError, TypeError, RecursionError) as error:
        raise ShopError(
            400,
            "scene_invalid",
            "This drawing cannot be read. Please reload the page and try again.",
            cause=error,
        ) from error
    return scene


def _check_whole(scene: Scene) -> None:
    layers = [*scene.front, *scene.back]
    if len({layer.id for layer in layers}) < len(layers):
        raise ValueError("two layers have one id")
    for layer in layers:
        crop = layer.crop if isinstance(layer, PictureLayer) else None
        if crop and (crop.left + crop.width > 1 or crop.top + crop.height > 1):
            raise ValueError("a crop beyond its picture")
