"""Morphology of masks by shifted copies, which Pillow is ten times faster at than at its rank filters.

Copies wrap around: a mask needs as much clear room around it as it is grown.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from PIL import Image, ImageChops

_Meet = Callable[[Image.Image, Image.Image], Image.Image]
_ACROSS, _DOWN = ((1, 0), (-1, 0)), ((0, 1), (0, -1))


def grown(mask: Image.Image, by: int = 1) -> Image.Image:
    """Larger by a square of `by` pixels on each side."""
    for _ in range(by):
        mask = _square(mask, ImageChops.lighter)
    return mask


def shrunk(mask: Image.Image, by: int = 1) -> Image.Image:
    """Smaller by a square of `by` pixels on each side."""
    for _ in range(by):
        mask = _square(mask, ImageChops.darker)
    return mask


def opened(mask: Image.Image) -> Image.Image:
    """What holds a square or a plus of three pixels: a square is fair to straight lines, a plus to slanting ones."""
    crossed = _met(mask, (*_ACROSS, *_DOWN), ImageChops.darker)
    return ImageChops.lighter(grown(shrunk(mask)), _met(crossed, (*_ACROSS, *_DOWN), ImageChops.lighter))


def reached(seed: Image.Image, within: Image.Image) -> Image.Image:
    """What of `within` hangs together with the seed. For small masks: it takes a step a pixel of the longest way."""
    found = ImageChops.darker(seed, within)
    while (further := ImageChops.darker(grown(found), within)).tobytes() != found.tobytes():
        found = further
    return found


def _square(mask: Image.Image, meet: _Meet) -> Image.Image:
    return _met(_met(mask, _ACROSS, meet), _DOWN, meet)


def _met(mask: Image.Image, shifts: Iterable[tuple[int, int]], meet: _Meet) -> Image.Image:
    met = mask
    for across, down in shifts:
        met = meet(met, ImageChops.offset(mask, across, down))
    return met
