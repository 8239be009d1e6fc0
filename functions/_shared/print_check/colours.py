"""How different two colours look: CIEDE2000 (Sharma, Wu and Dalal 2005), and a picture's difference from a cloth."""

from __future__ import annotations

import math
from functools import lru_cache

from PIL import Image, ImageFilter

Rgb = tuple[int, int, int]
Lab = tuple[float, float, float]

# of the table that Pillow interpolates: a step of sixteen levels in each channel
_STEPS = 17
_WHITE = (0.95047, 1.0, 1.08883)
# the difference that the map's 255 stands for
_FARTHEST = 51.0


def lab(colour: Rgb) -> Lab:
    """CIELAB under D65 of an sRGB colour."""
    red, green, blue = (_linear(channel / 255) for channel in colour)
    x = 0.4124564 * red + 0.3575761 * green + 0.1804375 * blue
    y = 0.2126729 * red + 0.7151522 * green + 0.0721750 * blue
    z = 0.0193339 * red + 0.1191920 * green + 0.9503041 * blue
    fx, fy, fz = (_cube_root(value / white) for value, white in zip((x, y, z), _WHITE, strict=True))
    return 116 * fy - 16, 500 * (fx - fy), 200 * (fy - fz)


def difference(one: Lab, other: Lab) -> float:
    """CIEDE2000: 1 is just seen side by side, 10 at a glance."""
    (l1, a1, b1), (l2, a2, b2) = one, other
    chroma = (math.hypot(a1, b1) + math.hypot(a2, b2)) / 2
    stretch = 1.5 - 0.5 * math.sqrt(chroma**7 / (chroma**7 + 25**7))
    c1, c2 = math.hypot(a1 * stretch, b1), math.hypot(a2 * stretch, b2)
    h1, h2 = _hue(a1 * stretch, b1), _hue(a2 * stretch, b2)
    turn = 0.0 if c1 * c2 == 0 else (h2 - h1 + 180) % 360 - 180
    apart = 2 * math.sqrt(c1 * c2) * math.sin(math.radians(turn / 2))
    light, strong = (l1 + l2) / 2, (c1 + c2) / 2
    hue = h1 + h2 if c1 * c2 == 0 else h1 + turn / 2
    tone = (
        1
        - 0.17 * math.cos(math.radians(hue - 30))
        + 0.24 * math.cos(math.radians(2 * hue))
        + 0.32 * math.cos(math.radians(3 * hue + 6))
        - 0.20 * math.cos(math.radians(4 * hue - 63))
    )
    off = (light - 50) ** 2
    in_light = (l2 - l1) / (1 + 0.015 * off / math.sqrt(20 + off))
    in_strength = (c2 - c1) / (1 + 0.045 * strong)
    in_hue = apart / (1 + 0.015 * strong * tone)
    bend = -math.sin(math.radians(60 * math.exp(-(((hue % 360 - 275) / 25) ** 2))))
    bend *= 2 * math.sqrt(strong**7 / (strong**7 + 25**7))
    return math.sqrt(in_light**2 + in_strength**2 + in_hue**2 + bend * in_strength * in_hue)


def difference_map(picture: Image.Image, cloth: Rgb) -> Image.Image:
    """Five times each pixel's difference from the cloth, as `L`: what differs by 51 or more is 255."""
    return picture.convert("RGB").filter(_table(cloth)).getchannel(0)


@lru_cache(maxsize=32)
def _table(cloth: Rgb) -> ImageFilter.Color3DLUT:
    ground = lab(cloth)

    def far(red: float, green: float, blue: float) -> tuple[float, float, float]:
        ink = lab((round(red * 255), round(green * 255), round(blue * 255)))
        # lightness alone keeps them apart, and spares most of the work
        apart = abs(ink[0] - ground[0])
        value = 1.0 if apart > 1.8 * _FARTHEST else min(difference(ink, ground) / _FARTHEST, 1.0)
        return value, value, value

    return ImageFilter.Color3DLUT.generate(_STEPS, far)


def _linear(share: float) -> float:
    return share / 12.92 if share <= 0.04045 else float(((share + 0.055) / 1.055) ** 2.4)


def _cube_root(value: float) -> float:
    return float(value ** (1 / 3)) if value > 216 / 24389 else (24389 / 27 * value + 16) / 116


def _hue(a: float, b: float) -> float:
    return math.degrees(math.atan2(b, a)) % 360
