"""Exaggeration: a head too large for its body, features too large for the head."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np

from emulators.artist.filters import Field
from emulators.artist.photo import faces
from emulators.artist.photo.board import Photograph, focus
from emulators.artist.photo.faces import Face


def exaggerate(photo: Photograph) -> Photograph:
    """The photograph warped, and its faces' points with it."""
    height, width = photo.colours.shape[:2]
    ys, xs = np.mgrid[0:height, 0:width].astype(np.float32)
    face = photo.faces[0] if photo.faces else None
    if face is not None and len(photo.faces) == 1 and photo.matte is not None:
        xs, ys = _small_body(xs, ys, face)
    for one in photo.faces:
        xs, ys = _large_features(xs, ys, one)
    if face is None:
        xs, ys = _swollen(xs, ys, photo)
    colours = cv2.remap(photo.colours, xs, ys, cv2.INTER_CUBIC, borderMode=cv2.BORDER_REPLICATE)
    warped = replace(
        photo,
        colours=np.asarray(colours, np.uint8),
        faces=tuple(_followed(one, xs, ys) for one in photo.faces),
    )
    if photo.matte is None:
        return warped
    matte = np.asarray(
        cv2.remap(photo.matte, xs, ys, cv2.INTER_LINEAR, borderMode=cv2.BORDER_CONSTANT), np.float32
    )
    # The small body ends above the photograph's lower edge: what lay below was never photographed.
    end = int(np.flatnonzero(ys[:, width // 2] <= height - 1)[-1]) + 1
    return replace(
        warped, colours=np.ascontiguousarray(warped.colours[:end]), matte=np.ascontiguousarray(matte[:end])
    )


def _small_body(xs: Field, ys: Field, face: Face) -> tuple[Field, Field]:
    """Below the chin everything is drawn at three fifths of its size around the neck."""
    chin_x, chin_y = (float(part) for part in face.points[152])
    start, end = chin_y + 0.02 * face.height, chin_y + 0.55 * face.height
    share = np.clip((ys - start) / (end - start), 0, 1)
    share = share * share * (3 - 2 * share)
    stretch = 1 + 0.62 * share
    past = np.clip(ys - start, 0, None)
    return (
        np.asarray(chin_x + (xs - chin_x) * stretch, np.float32),
        np.asarray(ys + past * 0.5 * share, np.float32),
    )


def _large_features(xs: Field, ys: Field, face: Face) -> tuple[Field, Field]:
    eye_reach = face.width * 0.26
    marks = [(face.part(part).mean(axis=0), eye_reach, 0.34) for part in (faces.LEFT_EYE, faces.RIGHT_EYE)]
    marks.append((face.part(faces.LIPS).mean(axis=0), face.width * 0.36, 0.3))
    marks.append((face.points[4], face.width * 0.2, 0.22))
    for middle, reach, strength in marks:
        xs, ys = _bulge(xs, ys, (float(middle[0]), float(middle[1])), reach, strength)
    # The crown a little wider than the jaw.
    x, y = face.middle
    return _bulge(xs, ys, (x, y - face.height * 0.35), face.height * 0.9, 0.14)


def _swollen(xs: Field, ys: Field, photo: Photograph) -> tuple[Field, Field]:
    """Without a human face: the upper middle of the subject swells, as a dog's head before a lens."""
    if photo.matte is not None and (photo.matte > 0.5).any():
        rows, columns = np.nonzero(photo.matte > 0.5)
        middle = focus(photo)
        reach = 0.72 * float(min(np.ptp(rows), np.ptp(columns)) + 1)
    else:
        height, width = photo.colours.shape[:2]
        middle, reach = (width / 2, height * 0.45), 0.55 * min(width, height)
    return _bulge(xs, ys, middle, reach, 0.5)


def _bulge(
    xs: Field, ys: Field, middle: tuple[float, float], reach: float, strength: float
) -> tuple[Field, Field]:
    """Enlarges around `middle`, in the very middle by 1 / (1 - strength); never folds for strengths below one."""
    dx, dy = xs - middle[0], ys - middle[1]
    away = np.sqrt(dx * dx + dy * dy) / max(reach, 1.0)
    pull = np.where(away < 1, strength * (1 - away * away) ** 2, 0).astype(np.float32)
    return np.asarray(xs - dx * pull, np.float32), np.asarray(ys - dy * pull, np.float32)


def _followed(face: Face, xs: Field, ys: Field) -> Face:
    """The face's points where the warp has taken them: the inverse of a map, found by stepping towards it."""
    at = face.points.astype(np.float32).copy()
    for _ in range(14):
        x, y = (np.ascontiguousarray(at[:, axis]) for axis in (0, 1))
        now = np.stack(
            [
                cv2.remap(field, x, y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE).ravel()
                for field in (xs, ys)
            ],
            -1,
        )
        at += (face.points - now) * 0.8
    return Face(at)
