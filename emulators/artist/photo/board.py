"""The drawing board: the photograph, relit and laid in place, its subject, and the window around it.

Soft fields are worked out at HALF pixels a side and brought to SIDE only where an edge is cut: so edges come out as
crisp as drawn ones, at any size of the photograph.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import cv2
import numpy as np

from emulators.artist import filters
from emulators.artist.filters import Field
from emulators.artist.photo.faces import Face
from emulators.artist.photo.subject import Colours

SIDE = 1536
HALF = 768

Box = tuple[float, float, float, float]
"""x, y, width, height in pixels of the board at HALF."""

WHOLE: Box = (22, 22, HALF - 44, HALF - 44)
ABOVE_WORDS: Box = (22, 20, HALF - 44, 600)
BELOW_ARC: Box = (18, 132, HALF - 36, HALF - 150)


@dataclass(frozen=True)
class Photograph:
    """A photograph and what it shows. `matte` is None for a scene; `own` says the file was transparent itself."""

    colours: Colours
    matte: Field | None
    faces: tuple[Face, ...] = ()
    own: bool = False

    @property
    def cut_sides(self) -> tuple[bool, bool, bool, bool]:
        """Tell whether the photograph's left, top, right and bottom edge cut through the subject."""
        if self.matte is None or self.own:
            return False, False, False, False
        solid = self.matte > 0.5
        edges = solid[:, :3], solid[:3], solid[:, -3:], solid[-3:]
        reach = 0.16, 0.10, 0.16, 0.08
        return tuple(float(edge.mean()) > least for edge, least in zip(edges, reach, strict=True))  # type: ignore[return-value]


@dataclass(frozen=True)
class Board:
    """All at HALF: `colours` reach beyond the photograph's edges, `figure` is what is drawn of it.

    `window` is the shape behind the figure, None where the cloth shows around it; `is_scene` when figure and window
    are one.
    """

    colours: Colours
    figure: Field
    window: Field | None
    is_scene: bool
    faces: tuple[Face, ...]
    box: Box
    place: tuple[float, float, float]
    source: Colours
    cropped: bool = False

    @property
    def tone(self) -> Field:
        """Brightness, 0 to 1."""
        weights = np.array([0.299, 0.587, 0.114], np.float32)
        return np.asarray((self.colours.astype(np.float32) @ weights) / 255, np.float32)

    @property
    def is_cropped(self) -> bool:
        """Tell whether the window cuts the figure all around, because the photograph did."""
        return self.window is not None and (self.is_scene or self.cropped)

    def fine(self) -> Colours:
        """The photograph at SIDE, with all the detail that it has."""
        scale, dx, dy = self.place
        matrix = np.array([[scale * 2, 0, dx * 2], [0, scale * 2, dy * 2]], np.float32)
        how = cv2.INTER_CUBIC if scale * 2 > 1 else cv2.INTER_AREA
        moved = cv2.warpAffine(self.source, matrix, (SIDE, SIDE), flags=how, borderMode=cv2.BORDER_REPLICATE)
        return np.asarray(moved, np.uint8)

    def face_field(self, grown: float = 1.0) -> Field:
        """Return where faces are, softly."""
        field = np.zeros((HALF, HALF), np.float32)
        for face in self.faces:
            x, y = face.middle
            axes = (round(face.width * 0.62 * grown), round(face.height * 0.66 * grown))
            cv2.ellipse(field, (round(x), round(y)), axes, face.turn, 0, 360, 1.0, -1, cv2.LINE_AA)
        return filters.blur(field, 6)


def lay(photo: Photograph, box: Box, window: str, edge: str, close: bool) -> Board:
    """Lays `photo` into `box`.

    `window` names the shape behind the figure ("" for none) and `edge` the shape that ends a scene, or a subject that
    the photograph cuts off on its sides.
    """
    left, top, right, bottom = photo.cut_sides
    is_scene = photo.matte is None
    if is_scene or left + right + top >= 2 or (top and not photo.faces):
        shape = window or edge
        if shape in ("circle", "disc", "arch") and _spread(photo) > 0.42:
            shape = "postcard"  # a round window would cut the outer people off
        return _filled(photo, box, shape, is_scene, close)
    if window:
        return _standing(photo, box, window, bottom or left or right)
    return _free(photo, box, bottom or left or right or top)


def _spread(photo: Photograph) -> float:
    """Return how far apart faces are, in parts of the photograph's width."""
    if len(photo.faces) < 2:
        return 0.0
    across = [face.middle[0] for face in photo.faces]
    return (max(across) - min(across)) / float(photo.colours.shape[1])


def _moved(photo: Photograph, scale: float, dx: float, dy: float) -> tuple[Colours, Field, tuple[Face, ...]]:
    matrix = np.array([[scale, 0, dx], [0, scale, dy]], np.float32)
    how = cv2.INTER_CUBIC if scale > 1 else cv2.INTER_AREA
    size = (HALF, HALF)
    colours = cv2.warpAffine(photo.colours, matrix, size, flags=how, borderMode=cv2.BORDER_REPLICATE)
    matte = photo.matte if photo.matte is not None else np.ones(photo.colours.shape[:2], np.float32)
    field = cv2.warpAffine(matte, matrix, size, flags=cv2.INTER_CUBIC if scale > 1 else cv2.INTER_AREA)
    smooth = filters.blur(np.asarray(field, np.float32), max(0.8, scale * 0.9))
    return (
        np.asarray(colours, np.uint8),
        smooth.clip(0, 1),
        tuple(face.moved(scale, dx, dy) for face in photo.faces),
    )


def _extent(photo: Photograph) -> tuple[int, int, int, int]:
    """x, y, width, height of the subject in the photograph; of all of it for a scene."""
    height, width = photo.colours.shape[:2]
    if photo.matte is None or not (photo.matte > 0.5).any():
        return 0, 0, width, height
    rows, columns = np.nonzero(photo.matte > 0.5)
    x, y = int(columns.min()), int(rows.min())
    return x, y, int(columns.max()) - x + 1, int(rows.max()) - y + 1


def bust(photo: Photograph, most: float) -> Photograph:
    """Head and shoulders of a single person: at most `most` faces high, so that the face is large enough to know."""
    if (
        photo.matte is None
        or not photo.faces
        or (len(photo.faces) > 1 and photo.faces[1].height > photo.faces[0].height * 0.5)
    ):
        return photo
    face = photo.faces[0]
    _, y, _, height = _extent(photo)
    if height <= most * face.height * 1.15:
        return photo
    middle_x = face.middle[0]
    top = y
    end = min(photo.colours.shape[0], round(max(top, face.points[10, 1] - face.height) + most * face.height))
    reach = most * face.height * 0.5
    start, stop = max(0, round(middle_x - reach)), min(photo.colours.shape[1], round(middle_x + reach))
    if end - top < 40 or stop - start < 40:
        return photo
    part = slice(0, end), slice(start, stop)
    return replace(
        photo,
        colours=np.ascontiguousarray(photo.colours[part]),
        matte=np.ascontiguousarray(photo.matte[part]),
        own=False,
        faces=tuple(one.moved(1, -start, 0) for one in photo.faces[:1]),
    )


def _free(photo: Photograph, box: Box, is_cut: bool) -> Board:
    """The subject alone; where the photograph cuts it, it ends in the sweep of a portrait bust."""
    x, y, width, height = _extent(photo)
    scale = min(box[2] / width, box[3] / height)
    dx = box[0] + (box[2] - width * scale) / 2 - x * scale
    dy = box[1] + (box[3] - height * scale) / 2 - y * scale
    colours, figure, faces = _moved(photo, scale, dx, dy)
    if is_cut:
        area = (x * scale + dx, y * scale + dy, width * scale, height * scale)
        figure = figure * _sweep(area, photo.cut_sides, faces)
    return Board(colours, figure, None, False, faces, box, (scale, dx, dy), photo.colours)


def _sweep(area: Box, cut_sides: tuple[bool, bool, bool, bool], faces: tuple[Face, ...]) -> Field:
    """1 inside, 0 outside a rounded lower end. Rounded towards the sides only where those are cut too."""
    x, y, width, height = area
    ys, xs = np.mgrid[0:HALF, 0:HALF].astype(np.float32)
    middle = x + width / 2
    depth = height * (0.2 if faces else 0.12)
    across = np.clip(np.abs(xs - middle) / (width / 2 + 1), 0, 1)
    floor = y + height - 2 - depth * (1 - np.sqrt(np.clip(1 - across**2.2, 0, 1)))
    inside = np.clip(floor - ys + 0.5, 0, 1)
    if cut_sides[1]:
        ceiling = y + 2 + depth * (1 - np.sqrt(np.clip(1 - across**2.2, 0, 1)))
        inside *= np.clip(ys - ceiling + 0.5, 0, 1)
    return np.asarray(inside, np.float32)


def _standing(photo: Photograph, box: Box, window: str, is_cut: bool) -> Board:
    """The subject in front of a window: cut by it below, free to rise out of it above."""
    x, y, width, height = _extent(photo)
    # Room above the window for the head to rise into.
    rise = 0.07 * box[3] if is_cut and photo.faces else 0.0
    shape, (cx, cy, half_w, half_h) = window_shape(
        window, (box[0], box[1] + rise, box[2], box[3] - rise), 1.0
    )
    if is_cut:
        # The figure fills the window to its foot; its head comes near the top or a little past it.
        scale = min(2.0 * half_h / height, 2.3 * half_w / width)
        scale = max(scale, min(1.5 * half_w / width, 2.1 * half_h / height))
        scale = min(scale, (cy + half_h - box[1] - 3) / height)
        dy = cy + half_h - (y + height) * scale
    else:
        scale = min(1.62 * half_h / height, 1.62 * half_w / width)
        dy = cy - (y + height / 2) * scale
    dx = cx - (x + width / 2) * scale
    if photo.faces and is_cut:
        dx = 0.5 * dx + 0.5 * (cx - photo.faces[0].middle[0] * scale)
    colours, figure, faces = _moved(photo, scale, dx, dy)
    if is_cut:
        rows = np.arange(HALF, dtype=np.float32)[:, None]
        above = np.broadcast_to(np.clip((cy - rows) + 0.5, 0, 1), (HALF, HALF))
        if photo.cut_sides[0] or photo.cut_sides[2]:
            # Nothing of the photograph's own straight sides may rise out of the window.
            columns = np.arange(HALF, dtype=np.float32)[None]
            above = above * (np.abs(columns - cx) < half_w * 0.72)
        figure = figure * np.maximum(shape, above)
    return Board(colours, figure, shape, False, faces, box, (scale, dx, dy), photo.colours)


def _filled(photo: Photograph, box: Box, edge: str, is_scene: bool, close: bool) -> Board:
    """The photograph fills the shape, centred on its face or on its most salient part."""
    height, width = photo.colours.shape[:2]
    aspect = float(np.clip(width / height, 0.62, 2.4))
    shape, (cx, cy, half_w, half_h) = window_shape(edge, box, aspect)
    focus_x, focus_y = focus(photo)
    scale = max(2 * half_w / width, 2 * half_h / height) * 1.01
    if close:
        scale *= 1.14
    dx = float(np.clip(cx - focus_x * scale, cx + half_w - width * scale, cx - half_w))
    dy = float(np.clip(cy - focus_y * scale, cy + half_h - height * scale, cy - half_h))
    colours, matte, faces = _moved(photo, scale, dx, dy)
    figure = shape if is_scene else matte * shape
    return Board(colours, figure, shape, is_scene, faces, box, (scale, dx, dy), photo.colours, True)


def focus(photo: Photograph) -> tuple[float, float]:
    """The point that matters most: between the faces, or where the detail is."""
    height, width = photo.colours.shape[:2]
    if photo.faces:
        middles = np.array([face.middle for face in photo.faces])
        return float(middles[:, 0].mean()), float(middles[:, 1].mean())
    # Eyes, noses and lettering are where the detail is; a plain flank or sky weighs little.
    grey = cv2.GaussianBlur(cv2.cvtColor(photo.colours, cv2.COLOR_RGB2GRAY), (0, 0), 2).astype(np.float32)
    detail = np.abs(np.asarray(cv2.Laplacian(grey, cv2.CV_32F), np.float32))
    weight = cv2.GaussianBlur(detail, (0, 0), max(height, width) * 0.04)
    if photo.matte is not None:
        weight = weight * (photo.matte > 0.5)
    weight = np.asarray(weight, np.float32) ** 2 + 1e-6
    total = float(weight.sum())
    return float((weight.sum(0) @ np.arange(width)) / total), float(
        (weight.sum(1) @ np.arange(height)) / total
    )


def window_shape(name: str, box: Box, aspect: float) -> tuple[Field, tuple[float, float, float, float]]:
    """The shape, and its middle with its half width and half height."""
    x, y, width, height = box
    cx, cy = x + width / 2, y + height / 2
    shape = np.zeros((HALF, HALF), np.float32)
    if name in ("circle", "disc"):
        aspect = 1.0 if name == "disc" else float(np.clip(aspect, 0.82, 1.22))
        half_w = min(width / 2, height / 2 * aspect) - 2
        half_h = half_w / aspect
        axes = _fixed(half_w, half_h)
        cv2.ellipse(shape, _fixed(cx, cy), axes, 0, 0, 360, 1.0, -1, cv2.LINE_AA, 4)
        return shape, (cx, cy, half_w, half_h)
    aspect = 0.78 if name == "arch" else aspect
    half_w = min(width / 2, height / 2 * aspect) - 2
    half_h = half_w / aspect
    if name == "arch":
        cv2.circle(shape, _fixed(cx, cy - half_h + half_w), round(half_w * 16), 1.0, -1, cv2.LINE_AA, 4)
        corner = round(half_w * 0.08)
        _rounded(shape, cx - half_w, cy - half_h + half_w, cx + half_w, cy + half_h, corner)
        return shape, (cx, cy, half_w, half_h)
    roundness = {"panel": 0.03, "postcard": 0.12}.get(name, 0.06)
    corner = round(roundness * min(half_w, half_h) * 2)
    _rounded(shape, cx - half_w, cy - half_h, cx + half_w, cy + half_h, corner)
    return shape, (cx, cy, half_w, half_h)


def _fixed(x: float, y: float) -> tuple[int, int]:
    """A point with four binary places, as OpenCV draws it."""
    return round(x * 16), round(y * 16)


def _rounded(shape: Field, left: float, top: float, right: float, bottom: float, corner: int) -> None:
    ends = [(left + corner, top, right - corner, bottom), (left, top + corner, right, bottom - corner)]
    for x0, y0, x1, y1 in ends:
        cv2.rectangle(shape, (round(x0), round(y0)), (round(x1), round(y1)), 1.0, -1)
    for x0 in (left + corner, right - corner):
        for y0 in (top + corner, bottom - corner):
            cv2.circle(shape, _fixed(x0, y0), corner * 16, 1.0, -1, cv2.LINE_AA, 4)
