"""A rendered shirt dyed in a colour, with a picture printed on it: linear light in, an sRGB picture out."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cache, lru_cache

import cv2
import numpy as np
import numpy.typing as npt
from PIL import Image

from emulators.mockups.plates import BRIGHTEST, Field, Plate, plate

_AREA_SHAPE = 5100 / 4500
# Yarn of two shades, by the dye's colour: how far the fibres differ.
_MELANGE = {"#97999B": 0.11}
# The fullest print still lets some cloth through.
_COVERING = 0.985
# Pixels of the picture to a pixel of the mockup when it is laid on: enough to stay sharp where it is bent.
_OVERSAMPLE = 1.25
_STEPS = 4096
_SHEEN = 0.06 / 255


@dataclass(frozen=True)
class Placement:
    """A picture on the print area: centre and width as fractions of the area, angle in degrees."""

    picture: Image.Image
    x: float = 0.5
    y: float = 0.5
    scale: float = 1.0
    angle: float = 0.0


def draw_mockup(view: str, colour: str, placement: Placement | None, size: int) -> Image.Image:
    """The view as an RGB picture of `size` pixels square. ValueError when there is no such view."""
    stage = plate(view, size)
    dye = _linear(colour)
    # Dark cloth shows its folds in deeper shade; in white cloth, light goes from fold to fold.
    depth = 1.16 - 0.24 * float(dye.mean())
    light = np.power(np.square(np.arange(256) / 255) * BRIGHTEST, depth).astype(np.float32)[stage.light]
    shirt = _dyed(stage, dye, light, _yarn(stage, colour.upper(), size))
    if placement is not None:
        left, upper, right, lower = stage.area_box
        within = (slice(upper, lower), slice(left, right))
        shirt[within] = _printed(stage, shirt[within], light[within], stage.sheen[within], placement)
    picture = stage.ground.copy()
    left, upper, right, lower = stage.box
    shown = picture[upper:lower, left:right]
    shown[:] = _blended(shown, _developed(shirt), stage.cover)
    return Image.fromarray(picture, "RGB")


def _linear(colour: str) -> Field:
    digits = colour.lstrip("#")
    srgb = np.array([int(digits[at : at + 2], 16) for at in (0, 2, 4)], np.float32) / 255
    return np.where(srgb <= 0.04045, srgb / 12.92, ((srgb + 0.055) / 1.055) ** 2.4).astype(np.float32)


def _dyed(stage: Plate, dye: Field, light: Field, yarn: Field) -> Field:
    # No cotton is as black as ink, none as white as paper.
    cotton = 0.010 + (1 - 0.08 * float(dye.mean())) * dye
    # Fibres standing off the cloth catch the light at its turns, in every dye.
    glow = _SHEEN * (1 - 0.7 * float(dye.mean())) * stage.sheen.astype(np.float32)
    lit = light * yarn
    return np.asarray(cv2.merge([lit * channel + glow for channel in cotton.astype(np.float32)]), np.float32)


def _printed(
    stage: Plate, shirt: Field, light: Field, sheen: npt.NDArray[np.uint8], placement: Placement
) -> Field:
    """The print area's cloth under a thin film of ink that takes the cloth's light."""
    ink, cover = _laid(stage, placement)
    lit = ink * (light * 0.95)[..., None] + (sheen * np.float32(0.03 / 255) + np.float32(0.006))[..., None]
    cover = (cover * stage.front * _COVERING)[..., None]
    return np.asarray(shirt * (1 - cover) + lit * cover, np.float32)


def _laid(stage: Plate, placement: Placement) -> tuple[Field, Field]:
    """The picture where the cloth carries it: linear colours and coverage."""
    picture = placement.picture.convert("RGBA")
    turn = math.radians(placement.angle)
    off_x = stage.across - placement.x
    off_y = (stage.down - placement.y) * _AREA_SHAPE
    width = max(placement.scale, 1e-3)
    height = width * picture.height / picture.width
    share_x = (off_x * math.cos(turn) + off_y * math.sin(turn)) / width + 0.5
    share_y = (off_y * math.cos(turn) - off_x * math.sin(turn)) / height + 0.5
    pixels = stage.area_box[2] - stage.area_box[0]
    art = _art(picture, max(2, round(pixels * width * _OVERSAMPLE)))
    rows, columns = art.shape[:2]
    laid = cv2.remap(
        art, share_x * columns - 0.5, share_y * rows - 0.5, cv2.INTER_LINEAR, borderMode=cv2.BORDER_CONSTANT
    )
    within = (np.abs(stage.across - 0.5) < 0.5) & (np.abs(stage.down - 0.5) < 0.5)
    cover = np.asarray(laid[..., 3] * within, np.float32)
    return np.asarray(laid[..., :3] / np.maximum(laid[..., 3:], np.float32(1e-3)), np.float32), cover


def _art(picture: Image.Image, width: int) -> Field:
    """The picture at `width` pixels: linear, premultiplied, with a transparent rim so that edges stay soft."""
    width = min(width, picture.width * 2)
    size = (width, max(2, round(width * picture.height / picture.width)))
    pixels = np.asarray(picture.convert("RGBa").resize(size, Image.Resampling.LANCZOS, reducing_gap=2.0))
    alpha = pixels[..., 3:].astype(np.float32) / 255
    straight = pixels[..., :3] / np.maximum(alpha, 1 / 255)
    linear = _to_linear()[np.clip(straight, 0, 255).astype(np.uint8)]
    return np.concatenate((linear * alpha, alpha), 2)


def _yarn(stage: Plate, colour: str, size: int) -> Field:
    """Grain of the cloth as a factor, the same for every print; stronger where yarns of two shades are spun."""
    rows, columns = stage.cover.shape
    return _grain(size, _MELANGE.get(colour, 0.0))[:rows, :columns]


@lru_cache(maxsize=3)
def _grain(size: int, melange: float) -> Field:
    rng = np.random.default_rng(5)
    noise = rng.standard_normal((2, 1200, 1200), np.float32)
    fine = cv2.GaussianBlur(noise[0], (0, 0), 0.6)
    fibres = cv2.GaussianBlur(noise[1], (0, 0), sigmaX=2.2, sigmaY=0.7)
    total = 1 + fine * (0.014 / float(fine.std())) + fibres * (melange / float(fibres.std()))
    how = cv2.INTER_AREA if size < 1200 else cv2.INTER_CUBIC
    return np.asarray(cv2.resize(total, (size, size), interpolation=how), np.float32)


@cache
def _to_linear() -> Field:
    srgb = np.arange(256, dtype=np.float32) / 255
    return np.where(srgb <= 0.04045, srgb / 12.92, ((srgb + 0.055) / 1.055) ** 2.4).astype(np.float32)


@cache
def _curve() -> npt.NDArray[np.uint8]:
    """Linear light (0 to 1.5 in steps) as sRGB; what is brighter than 0.75 rolls off and never is cut."""
    linear = np.linspace(0, 1.5, _STEPS)
    linear = np.where(linear > 0.75, 0.75 + 0.24 * np.tanh((linear - 0.75) / 0.24), linear)
    srgb = np.where(linear <= 0.0031308, linear * 12.92, 1.055 * linear ** (1 / 2.4) - 0.055)
    return (srgb * 255 + 0.5).astype(np.uint8)


def _developed(shirt: Field) -> npt.NDArray[np.uint8]:
    index = np.clip(shirt * ((_STEPS - 1) / 1.5), 0, _STEPS - 1).astype(np.uint16)
    return np.asarray(_curve()[index])


def _blended(
    ground: npt.NDArray[np.uint8], shirt: npt.NDArray[np.uint8], cover: npt.NDArray[np.uint8]
) -> npt.NDArray[np.uint8]:
    share = cover[..., None].astype(np.uint16)
    return ((shirt * share + ground * (255 - share) + 127) // 255).astype(np.uint8)
