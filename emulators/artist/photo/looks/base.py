"""Every look's material, and the parts that several of them share."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import cv2
import numpy as np

from emulators.artist import filters
from emulators.artist.filters import Field
from emulators.artist.palette import Palette
from emulators.artist.photo import faces, lines, sheet
from emulators.artist.photo.board import HALF, Board
from emulators.artist.photo.lines import Flow
from emulators.artist.photo.sheet import Sheet
from emulators.artist.photo.subject import Colours
from emulators.artist.photo.wishes import Wishes


@dataclass(frozen=True)
class Scene:
    """One photograph to draw: where it lies, the inks, the shopper's wishes, and the seed's random numbers."""

    board: Board
    palette: Palette
    wishes: Wishes
    rng: np.random.Generator

    @cached_property
    def flow(self) -> Flow:
        return lines.flow_of(self.board.colours)

    @cached_property
    def smooth(self) -> Colours:
        """Broad soft fields; skin without its shine, which as a flat ink would be a white patch."""
        colours = lines.smooth(self.board.colours, self.flow)
        for face in self.board.faces:
            colours = _powdered(colours, face, self.features())
        return colours

    @cached_property
    def tone(self) -> Field:
        """Brightness of the smoothed photograph at HALF, 0 to 1."""
        weights = np.array([0.299, 0.587, 0.114], np.float32)
        return np.asarray((self.smooth.astype(np.float32) @ weights) / 255, np.float32)

    @cached_property
    def figure(self) -> Field:
        """The figure at SIDE, crisp."""
        return sheet.crisp(self.board.figure)

    @cached_property
    def window(self) -> Field | None:
        return None if self.board.window is None else sheet.crisp(self.board.window)

    @cached_property
    def bend(self) -> Field:
        """Return how far hatching is pushed aside by the form under it, in pixels of SIDE."""
        return sheet.large(filters.blur(self.tone, 16)) * 90 + (sheet.grain(self.rng, 8, 2) - 0.5) * 10

    @cached_property
    def pressure(self) -> Field:
        """Return how hard the pen is pressed, about one half."""
        return 0.5 + 0.2 * sheet.grain(self.rng, 60, 2)

    @property
    def has_ground(self) -> bool:
        """Tell whether something is to be drawn behind the figure."""
        return self.board.window is not None and not self.board.is_scene

    def edges(self, width: float = 1.3) -> Field:
        """Line response, weaker where there is only texture: cloth weave, fur, leaves."""
        response = lines.edges(self.tone, self.flow, width)
        return np.asarray(response, np.float32)

    def features(self) -> Field:
        """Eyes, brows and mouth, softly: where a line more helps and a line less hurts."""
        field = np.zeros((HALF, HALF), np.float32)
        for face in self.board.faces:
            for part in (faces.LEFT_EYE, faces.RIGHT_EYE, faces.LEFT_BROW, faces.RIGHT_BROW, faces.LIPS):
                hull = cv2.convexHull(face.part(part)).astype(np.int32)
                cv2.fillPoly(field, [hull], 1.0)
        return filters.blur(field, 3)


def smile(scene: Scene, paper: Sheet) -> None:
    """Teeth and the whites of eyes: too small to win an ink of their own, and what a likeness lives by."""
    for face in scene.board.faces:
        for part, share in ((faces.MOUTH, 45), (faces.LEFT_EYE, 62), (faces.RIGHT_EYE, 62)):
            opening = polygon(face.part(part), 0.7)
            seen = scene.board.tone[opening > 0.7]
            if len(seen) > 12 and np.ptp(seen) > 0.12:
                bright = np.clip((scene.board.tone - float(np.percentile(seen, share))) * 12 + 0.5, 0, 1)
                paper.ink(sheet.crisp(np.asarray(opening * bright, np.float32)), "#fdf6ea")


def _powdered(colours: Colours, face: faces.Face, features: Field) -> Colours:
    """Highlights on the skin brought down to its bright parts, and to its own hue."""
    skin = polygon(face.part(faces.OVAL), 4) * (1 - np.clip(features * 1.6, 0, 1))
    if not (skin > 0.9).any():
        return colours
    whole = np.asarray(cv2.cvtColor(colours, cv2.COLOR_RGB2LAB), np.uint8)
    x, y, width, height = cv2.boundingRect((skin > 0).astype(np.uint8))
    here = slice(y, y + height), slice(x, x + width)
    lab, skin = whole[here].astype(np.float32), skin[here]
    seen = lab[skin > 0.9]
    top = float(np.percentile(seen[:, 0], 78))
    over = np.clip(lab[..., 0] - top, 0, None)
    shine = (np.clip(over / 16, 0, 1) * skin)[..., None]
    calm = lab.copy()
    calm[..., 0] = np.where(over > 0, top + over * 0.25, lab[..., 0])
    calm[..., 1:] = np.median(seen[:, 1:], axis=0)
    mixed = lab * (1 - shine) + calm * shine
    whole[here] = mixed.clip(0, 255).astype(np.uint8)
    return np.asarray(cv2.cvtColor(whole, cv2.COLOR_LAB2RGB), np.uint8)


def outlined(print_: Sheet, shape: Field, width: float, ink: str) -> None:
    """Lays `ink` under everything that follows: the shape grown by `width` pixels of SIDE."""
    print_.ink(sheet.widen(shape, width), ink)


def polygon(points: Field, blur: float = 0.8) -> Field:
    """A filled polygon at HALF."""
    field = np.zeros((HALF, HALF), np.float32)
    cv2.fillPoly(field, [np.round(points * 16).astype(np.int32)], 1.0, cv2.LINE_AA, 4)
    return filters.blur(field, blur)
