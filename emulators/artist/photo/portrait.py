"""Portrait styles need a large, whole face: the photograph is cropped to it, or drawn in a style that needs none."""

from __future__ import annotations

from dataclasses import dataclass

from emulators.artist.photo.faces import Face

# A portrait style → the style in its place, and the fewest pixels from hairline to chin that it draws well: what is
# drawn of light and shade is blotched below them.
PORTRAITS = {"caricature": ("pop art", 48), "cartoon": ("pop art", 48), "line art": ("sketch", 0)}
# Faces high: free above the hairline, and of the shoulders below the chin.
_ABOVE, _BELOW, _BESIDE = 0.9, 1.7, 1.8
# a crop that leaves out less than this is none
_WORTH_IT = 0.3
# of the face's width that each cheek has at least
_LEAST_CHEEK = 0.2

Part = tuple[int, int, int, int]
"""Left, top, right and bottom in pixels."""


@dataclass(frozen=True)
class Fitting:
    """The style that is drawn; `remark` says so where it is another one than was asked for."""

    style: str
    remark: str = ""


def part_around(faces: tuple[Face, ...], width: int, height: int) -> Part | None:
    """Head and shoulders of the one person; None for several, for none, or where they fill the picture."""
    if not faces or any(other.height > faces[0].height / 2 for other in faces[1:]):
        return None
    face = faces[0]
    (x, _), size = face.middle, face.height
    left, right = max(0, round(x - _BESIDE * size)), min(width, round(x + _BESIDE * size))
    top = max(0, round(face.points[10, 1] - _ABOVE * size))
    bottom = min(height, round(face.points[152, 1] + _BELOW * size))
    if (right - left) * (bottom - top) > (1 - _WORTH_IT) * width * height:
        return None
    return left, top, right, bottom


def fitting(style: str, faces: tuple[Face, ...], width: int, height: int) -> Fitting:
    """`style`, or the one in its place where the largest face is too small, cut off or seen from the side."""
    if style not in PORTRAITS or not faces:
        return Fitting(style)
    face = faces[0]
    other, least = PORTRAITS[style]
    if face.height < least:
        trouble = "too small"
    elif _is_cut(face, width, height):
        trouble = "cut off"
    elif _is_turned(face):
        trouble = "seen too much from the side"
    else:
        return Fitting(style)
    return Fitting(other, f"It was drawn in the style {other}: the face is {trouble} for {style}.")


def _is_cut(face: Face, width: int, height: int) -> bool:
    x, y = face.points[:, 0], face.points[:, 1]
    return float(((x < 0) | (x > width) | (y < 0) | (y > height)).mean()) > 0.1


def _is_turned(face: Face) -> bool:
    """Tell whether one cheek is hardly seen: where the tip of the nose stands between both ears' ends of the face."""
    across = face.points[454] - face.points[234]
    place = float((face.points[1] - face.points[234]) @ across / max(float(across @ across), 1e-6))
    return not _LEAST_CHEEK < place < 1 - _LEAST_CHEEK
