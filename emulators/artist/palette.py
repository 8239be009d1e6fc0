"""Inks: nine moods, chosen so that they show on the shirt."""

from __future__ import annotations

import colorsys
import math
import re
from collections.abc import Callable
from dataclasses import dataclass

RGB = tuple[int, int, int]

# Five inks for ornaments and lettering, then the darkest and the lightest of the mood.
_MOODS: dict[str, tuple[tuple[str, ...], str, str]] = {
    "colorful": (("#F0492F", "#2746E6", "#FFC53A", "#35B38A", "#8B4FD9"), "#231A2E", "#FFF6E3"),
    "bold": (("#E4002B", "#FFD400", "#0B4DFF", "#FF6A00", "#00A86B"), "#0D0D0D", "#FFFFFF"),
    "pastel": (("#F4A9BC", "#9FD8C4", "#FBD98A", "#B9B1EE", "#93C9F0"), "#5A4A6B", "#FFF9F2"),
    "muted": (("#B5838D", "#7F9183", "#C9A876", "#6D8296", "#A37B5F"), "#3D3A3A", "#EFE7DA"),
    "monochrome": (("#2B2B2B", "#8C8C8C", "#5A5A5A", "#BDBDBD", "#404040"), "#121212", "#F4F4F4"),
    "earthy": (("#A4472A", "#5E6B3A", "#D39B4A", "#7A4E2D", "#3F6259"), "#33241A", "#F3E5CB"),
    "dark": (("#7A1F3D", "#0F4C5C", "#C8963E", "#4B3A78", "#2E5E4E"), "#14121C", "#E6DCCB"),
    "bright": (("#FF3B6B", "#00B5F1", "#FFD60A", "#00C985", "#FF7A00"), "#1B1446", "#FFFFFF"),
    "elegant": (("#C9A24B", "#1D2B4A", "#6B2737", "#8F9BA6", "#E3CFA0"), "#171A26", "#F6EEDD"),
}

_HEX = re.compile(r"#(?:[0-9a-fA-F]{6}|[0-9a-fA-F]{3})\b")


def rgb(colour: str) -> RGB:
    digits = colour.lstrip("#")
    if len(digits) == 3:
        digits = "".join(digit * 2 for digit in digits)
    return int(digits[0:2], 16), int(digits[2:4], 16), int(digits[4:6], 16)


def hexed(colour: tuple[float, float, float]) -> str:
    return "#" + "".join(f"{max(0, min(255, round(part))):02x}" for part in colour)


def luminance(colour: str) -> float:
    """Relative luminance, 0 to 1."""
    parts = [part / 255 for part in rgb(colour)]
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one: str, other: str) -> float:
    """WCAG contrast, 1 to 21."""
    lighter, darker = sorted((luminance(one), luminance(other)), reverse=True)
    return (lighter + 0.05) / (darker + 0.05)


def distance(one: str, other: str) -> float:
    return math.dist(rgb(one), rgb(other))


def mix(one: str, other: str, share: float) -> str:
    a, b = rgb(one), rgb(other)
    return hexed((a[0] + (b[0] - a[0]) * share, a[1] + (b[1] - a[1]) * share, a[2] + (b[2] - a[2]) * share))


@dataclass(frozen=True)
class Palette:
    """`inks` stand out from the shirt and from each other; `line` is the ink for contours."""

    mood: str
    shirt: str
    inks: tuple[str, ...]
    dark: str
    light: str
    named: tuple[str, ...] = ()
    """Colours that the idea names: styles with few inks keep them."""
    paper: bool = False
    """Whether the picture lies on paper of its own; `shirt` is the paper's colour then."""

    @property
    def on_dark(self) -> bool:
        return luminance(self.shirt) < 0.22

    @property
    def line(self) -> str:
        """The ink for what must read on the shirt itself."""
        return self.light if contrast(self.light, self.shirt) > contrast(self.dark, self.shirt) else self.dark

    def on(self, ground: str) -> str:
        """The dark or the light, whichever reads on `ground`."""
        return max((self.dark, self.light), key=lambda ink: contrast(ink, ground))

    def readable(self) -> str:
        """The most colourful ink that still reads on the shirt as lettering."""
        return next((ink for ink in self.inks if contrast(ink, self.shirt) >= 3), self.line)

    def recolour(self, svg: str, tint: str | None = None) -> str:
        """The same drawing in this mood's colours, or in shades of `tint`."""
        change = _tinted(tint) if tint else (lambda colour: colour)
        # A colour that the idea names outranks the mood, unless the mood is to have no colour at all.
        mood = None if tint and self.mood != "monochrome" else _RECOLOURINGS.get(self.mood)

        def swap(match: re.Match[str]) -> str:
            colour = change(match.group(0))
            return mood(self, colour) if mood else colour

        return _HEX.sub(swap, svg)


def make_palette(mood: str, shirt: str, turn: int) -> Palette:
    """`turn` rotates the inks, so that seeds differ in colour too."""
    inks, dark, light = _MOODS[mood]
    turned = inks[turn % len(inks) :] + inks[: turn % len(inks)]
    seen = [ink for ink in turned if distance(ink, shirt) > 90 and contrast(ink, shirt) > 1.25]
    fallback = [mix(ink, light if luminance(shirt) < 0.3 else dark, 0.45) for ink in turned]
    chosen = (seen + [ink for ink in fallback if distance(ink, shirt) > 80 and contrast(ink, shirt) > 1.25])[
        :5
    ]
    chosen = chosen or [dark if contrast(dark, shirt) > contrast(light, shirt) else light]
    while max(contrast(dark, shirt), contrast(light, shirt)) < 3.6:
        dark, light = mix(dark, "#000000", 0.4), mix(light, "#ffffff", 0.4)
        if luminance(dark) < 0.002 and luminance(light) > 0.99:
            break
    return Palette(mood, shirt, tuple(chosen), dark, light)


def _hls(colour: str) -> tuple[float, float, float]:
    red, green, blue = rgb(colour)
    return colorsys.rgb_to_hls(red / 255, green / 255, blue / 255)


def _from_hls(hue: float, light: float, saturation: float) -> str:
    red, green, blue = colorsys.hls_to_rgb(hue % 1, max(0, min(1, light)), max(0, min(1, saturation)))
    return hexed((red * 255, green * 255, blue * 255))


def _tinted(tint: str) -> Callable[[str], str]:
    hue, light, saturation = _hls(tint)

    def change(colour: str) -> str:
        _, own_light, own_saturation = _hls(colour)
        if own_saturation < 0.12 and own_light > 0.85:
            return colour
        spread = own_light - 0.5
        return _from_hls(hue, light + spread * 0.62, saturation * (0.6 + 0.4 * own_saturation))

    return change


def _pastel(_: Palette, colour: str) -> str:
    hue, light, saturation = _hls(colour)
    return _from_hls(hue, 0.5 + light * 0.46, saturation * 0.78)


def _muted(_: Palette, colour: str) -> str:
    hue, light, saturation = _hls(colour)
    return mix(_from_hls(hue, 0.12 + light * 0.76, saturation * 0.42), "#8C7A6B", 0.12)


def _bold(_: Palette, colour: str) -> str:
    hue, light, saturation = _hls(colour)
    return _from_hls(hue, 0.5 + (light - 0.5) * 1.12, min(1, saturation * 1.25))


def _bright(_: Palette, colour: str) -> str:
    hue, light, saturation = _hls(colour)
    return _from_hls(hue, min(1, light * 0.94 + 0.1), min(1, saturation * 1.4))


def _ramp(*stops: str) -> Callable[[Palette, str], str]:
    def change(_: Palette, colour: str) -> str:
        place = min(_hls(colour)[1] * 0.75 + luminance(colour) * 0.25, 0.999) * (len(stops) - 1)
        return mix(stops[int(place)], stops[int(place) + 1], place - int(place))

    return change


def _earthy(_: Palette, colour: str) -> str:
    hue, light, saturation = _hls(colour)
    # Blues and violets go to moss and slate, reds and yellows to clay and ochre.
    warm = 0.075 + 0.05 * ((hue * 3) % 1) if hue < 0.2 or hue > 0.8 else 0.2 + 0.18 * (hue - 0.2)
    return mix(_from_hls(warm, 0.08 + light * 0.82, saturation * 0.62), "#A4713F", 0.14)


def _dark(palette: Palette, colour: str) -> str:
    hue, light, saturation = _hls(colour)
    floor = 0.16 if palette.on_dark else 0.05
    return _from_hls(hue, floor + light * 0.62, saturation * 0.85)


_RECOLOURINGS: dict[str, Callable[[Palette, str], str]] = {
    "pastel": _pastel,
    "muted": _muted,
    "bold": _bold,
    "bright": _bright,
    "monochrome": _ramp("#141414", "#5b5b5b", "#a8a8a8", "#f6f6f6"),
    "earthy": _earthy,
    "dark": _dark,
    "elegant": _ramp("#171a26", "#4a3d36", "#b08d3f", "#dcc07a", "#f8f1e0"),
}
