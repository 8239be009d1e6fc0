"""CIEDE2000 of many pairs of sRGB colours at once, after Sharma, Wu and Dalal (2005)."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]


def lab(colors: npt.NDArray[np.uint8]) -> Floats:
    """CIELAB (D65) of rows of red, green, blue."""
    share = colors / 255
    linear = np.where(share <= 0.04045, share / 12.92, ((share + 0.055) / 1.055) ** 2.4)
    to_xyz = np.array(
        [
            [0.4124564, 0.3575761, 0.1804375],
            [0.2126729, 0.7151522, 0.0721750],
            [0.0193339, 0.1191920, 0.9503041],
        ]
    )
    xyz = linear @ to_xyz.T / np.array([0.95047, 1, 1.08883])
    root = np.where(xyz > 216 / 24389, np.cbrt(xyz), (24389 / 27 * xyz + 16) / 116)
    return np.stack(
        [116 * root[:, 1] - 16, 500 * (root[:, 0] - root[:, 1]), 200 * (root[:, 1] - root[:, 2])], axis=1
    )


def difference(one: Floats, other: Floats) -> Floats:
    """CIEDE2000 of rows of CIELAB colours."""
    mean_chroma = (np.hypot(one[:, 1], one[:, 2]) + np.hypot(other[:, 1], other[:, 2])) / 2
    stretch = 1 + 0.5 * (1 - np.sqrt(mean_chroma**7 / (mean_chroma**7 + 25**7)))
    a1, a2 = one[:, 1] * stretch, other[:, 1] * stretch
    c1, c2 = np.hypot(a1, one[:, 2]), np.hypot(a2, other[:, 2])
    h1, h2 = (np.degrees(np.arctan2(b, a)) % 360 for b, a in ((one[:, 2], a1), (other[:, 2], a2)))
    grey = c1 * c2 == 0
    turn = np.where(grey, 0, (h2 - h1 + 180) % 360 - 180)
    light, chroma = (one[:, 0] + other[:, 0]) / 2, (c1 + c2) / 2
    both = h1 + h2
    hue = np.where(grey, both, np.where(np.abs(h1 - h2) <= 180, both / 2, (both + 360) / 2 % 360))
    weight = (
        1
        - 0.17 * np.cos(np.radians(hue - 30))
        + 0.24 * np.cos(np.radians(2 * hue))
        + 0.32 * np.cos(np.radians(3 * hue + 6))
        - 0.20 * np.cos(np.radians(4 * hue - 63))
    )
    lightness = (other[:, 0] - one[:, 0]) / (1 + 0.015 * (light - 50) ** 2 / np.sqrt(20 + (light - 50) ** 2))
    colorful = (c2 - c1) / (1 + 0.045 * chroma)
    hueful = 2 * np.sqrt(c1 * c2) * np.sin(np.radians(turn / 2)) / (1 + 0.015 * chroma * weight)
    bend = np.radians(60 * np.exp(-(((hue - 275) / 25) ** 2)))
    mixed = -np.sin(bend) * 2 * np.sqrt(chroma**7 / (chroma**7 + 25**7))
    total = lightness**2 + colorful**2 + hueful**2 + mixed * colorful * hueful
    return np.asarray(np.sqrt(np.maximum(total, 0)))
