"""Photographs: read whatever a phone gives, restyled so that the subject stays recognisable."""

from __future__ import annotations

import io
from collections.abc import Callable
from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt
from PIL import Image, ImageOps, UnidentifiedImageError

from emulators.replicate.artist import filters
from emulators.replicate.artist.brief import Brief
from emulators.replicate.artist.compose import Layers
from emulators.replicate.artist.filters import Field
from emulators.replicate.artist.lettering import STYLE_FACES, break_rows, case, line, stack
from emulators.replicate.artist.palette import Palette, make_palette, mix, rgb
from emulators.replicate.artist.styles.flat import inked_words, worn
from emulators.replicate.artist.styles.paint import wash
from emulators.replicate.artist.svg import Pixels
from emulators.replicate.assets import Assets

Colours = npt.NDArray[np.uint8]

SIDE = 1024
_LARGEST = 1536


class UnreadablePhotoError(ValueError):
    """The bytes are not a picture that pillow can read."""


def open_photo(content: bytes) -> Image.Image:
    """RGBA, upright, the first frame of an animation."""
    try:
        with Image.open(io.BytesIO(content)) as picture:
            picture.seek(0)
            upright = ImageOps.exif_transpose(picture)
            return upright.convert("RGBA")
    except (UnidentifiedImageError, OSError, ValueError, Image.DecompressionBombError) as error:
        raise UnreadablePhotoError("The input image could not be read.") from error


def cut_out(picture: Image.Image) -> Image.Image:
    """The subject without its background: what differs from the border, by GrabCut on a small copy."""
    small = picture.convert("RGB")
    small.thumbnail((320, 320))
    pixels = np.array(small)
    height, width = pixels.shape[:2]
    mask = np.full((height, width), cv2.GC_PR_FGD, np.uint8)
    rim = max(2, round(min(height, width) * 0.03))
    mask[:rim] = mask[-rim:] = cv2.GC_BGD
    mask[:, :rim] = mask[:, -rim:] = cv2.GC_BGD
    models = np.zeros((1, 65)), np.zeros((1, 65))
    cv2.setRNGSeed(1)
    cv2.grabCut(pixels, mask, (0, 0, 1, 1), models[0], models[1], 5, cv2.GC_INIT_WITH_MASK)
    found = np.isin(mask, (cv2.GC_FGD, cv2.GC_PR_FGD)).astype(np.float32)
    if not 0.04 < found.mean() < 0.97:
        found = np.ones_like(found)
    soft = cv2.resize(cv2.GaussianBlur(found, (0, 0), 1.5), picture.size, interpolation=cv2.INTER_CUBIC)
    alpha = np.clip((soft - 0.35) / 0.3, 0, 1) * (np.array(picture.getchannel("A")) / 255)
    result = picture.copy()
    result.putalpha(Image.fromarray((alpha * 255).astype(np.uint8)))
    return result


@dataclass(frozen=True)
class Photo:
    """A photograph laid on the canvas: colours everywhere, `shown` where it is the subject."""

    colours: Colours
    shown: Field
    smooth: Colours
    tone: Field
    palette: Palette
    rng: np.random.Generator


def restyle_photo(content: bytes, brief: Brief, assets: Assets) -> Image.Image:
    """`brief.style` on the photograph, lettering below it; RGBA, SIDE pixels square."""
    palette = make_palette(brief.mood, brief.shirt, brief.seed % 5)
    rng = np.random.default_rng(brief.seed)
    picture = open_photo(content)
    style = _style(brief)
    photo = _lay(picture, bool(brief.lettering), palette, rng, round_=style in ("vintage", "ghibli"))
    drawn = _STYLES[style](photo)
    if brief.lettering:
        drawn = filters.over(drawn, _words(brief, style, palette, assets))
    return Image.fromarray(filters.harden(drawn), "RGBA")


_OTHER = {
    "anime": "ghibli", "paint": "watercolor", "oil": "ghibli", "comic": "pop art", "warhol": "pop art",
    "poster": "pop art",
    "pencil": "sketch", "charcoal": "sketch", "draw": "sketch", "retro": "vintage", "old": "vintage", "ink": "line art",
    "outline": "line art", "minimal": "line art", "funny": "caricature", "toon": "cartoon", "pixar": "cartoon",
}  # fmt: skip


def _style(brief: Brief) -> str:
    asked = brief.asked.lower()
    if brief.style in _STYLES and brief.style in asked.replace("colour", "color"):
        return brief.style
    return next((style for word, style in _OTHER.items() if word in asked), "realistic photo")


def _lay(
    picture: Image.Image, has_words: bool, palette: Palette, rng: np.random.Generator, *, round_: bool
) -> Photo:
    """Fits the photograph into its part of the canvas and gives it a torn, round or own outline."""
    box = (72, 24, 880, 770) if has_words else (40, 40, 944, 944)
    own_outline = np.array(picture.getchannel("A")).min() < 128
    if round_ and not own_outline:
        # The middle square, a little above the middle: faces are there.
        short = min(picture.size)
        picture = ImageOps.fit(picture, (short, short), centering=(0.5, 0.38))
    picture.thumbnail((_LARGEST, _LARGEST), Image.Resampling.LANCZOS)
    scale = min(box[2] / picture.width, box[3] / picture.height)
    size = (max(1, round(picture.width * scale)), max(1, round(picture.height * scale)))
    fitted = np.array(picture.resize(size, Image.Resampling.LANCZOS))
    x, y = box[0] + (box[2] - size[0]) // 2, box[1] + (box[3] - size[1]) // 2
    pads = ((y, SIDE - y - size[1]), (x, SIDE - x - size[0]), (0, 0))
    colours = np.pad(fitted[..., :3], pads, mode="edge").astype(np.uint8)
    shown: Field = np.pad((fitted[..., 3] / 255).astype(np.float32), pads[:2])
    if not own_outline:
        shown = _round(shown, x, y, size) if round_ else _torn(shown, rng)
    smooth = np.asarray(
        cv2.edgePreservingFilter(_lively(colours), flags=1, sigma_s=30, sigma_r=0.32), np.uint8
    )
    tone = filters.luma(np.dstack([smooth, smooth[..., :1]]))
    low, high = np.percentile(tone[shown > 0.5], (2, 98)) if (shown > 0.5).any() else (0.0, 1.0)
    return Photo(
        colours, shown, smooth, np.clip((tone - low) / max(high - low, 0.05), 0, 0.999), palette, rng
    )


def _round(shown: Field, x: int, y: int, size: tuple[int, int]) -> Field:
    disc = np.zeros_like(shown)
    cv2.circle(disc, (x + size[0] // 2, y + size[1] // 2), min(size) // 2 - 2, 1, -1, cv2.LINE_AA)
    return shown * disc


def _torn(shown: Field, rng: np.random.Generator) -> Field:
    """The edge of a brush stroke instead of a straight cut."""
    inside = filters.depth(np.pad(shown, 1))[1:-1, 1:-1]
    rough = filters.noise(rng, shown.shape[0], 7, 4) * 46 + filters.noise(rng, shown.shape[0], 46, 2) * 16
    return (inside > 6 + rough * 0.7).astype(np.float32)


def _lively(colours: Colours) -> Colours:
    """Even light and a little more colour: cloth swallows both."""
    lab = np.asarray(cv2.cvtColor(colours, cv2.COLOR_RGB2LAB), np.uint8)
    lab[..., 0] = cv2.createCLAHE(1.8, (6, 6)).apply(lab[..., 0])
    chroma = (lab[..., 1:].astype(np.float32) - 128) * 1.22 + 128
    lab[..., 1:] = chroma.clip(0, 255).astype(np.uint8)
    return np.asarray(cv2.cvtColor(lab, cv2.COLOR_LAB2RGB), np.uint8)


def _lines(photo: Photo, weight: float, sharp: float = 1.3) -> Field:
    """Ink along what is darker than its surroundings: extended difference of Gaussians."""
    tone = filters.luma(np.dstack([photo.smooth, photo.smooth[..., :1]])) * 255
    difference = filters.blur(tone, sharp) - 0.985 * filters.blur(tone, sharp * 1.7)
    ink = np.clip(-(difference - 0.012 * tone - weight) * 0.55, 0, 1)
    dark = (ink > 0.35).astype(np.uint8)
    count, labels, stats, _ = cv2.connectedComponentsWithStats(dark, connectivity=8)
    keep = np.zeros(count, bool)
    keep[1:] = stats[1:, cv2.CC_STAT_AREA] > 26
    return filters.blur(keep[labels].astype(np.float32), 0.7)


def _few_colours(colours: Colours, count: int) -> Colours:
    """The picture in its own `count` colours, without speckle."""
    small = cv2.resize(colours, (160, 160), interpolation=cv2.INTER_AREA).reshape(-1, 3).astype(np.float32)
    cv2.setRNGSeed(7)
    stop = (cv2.TERM_CRITERIA_EPS + cv2.TERM_CRITERIA_MAX_ITER, 18, 0.8)
    _, _, centres = cv2.kmeans(small, count, np.empty((0,), np.int32), stop, 2, cv2.KMEANS_PP_CENTERS)
    inks = tuple("#" + "".join(f"{int(part):02x}" for part in centre.clip(0, 255)) for centre in centres)
    flat = filters.posterise(np.dstack([colours, np.full(colours.shape[:2], 255, np.uint8)]), inks)
    return np.asarray(cv2.medianBlur(np.ascontiguousarray(flat[..., :3]), 7), np.uint8)


def _cartoon(photo: Photo) -> Pixels:
    flat = _few_colours(photo.smooth, 20)
    lines = _lines(photo, 0.9)
    rim = filters.grow(photo.shown, 7)
    return filters.stacked(
        filters.solid(rim, photo.palette.line),
        filters.with_alpha(flat, photo.shown),
        filters.solid(lines * photo.shown, photo.palette.dark),
    )


def _caricature(photo: Photo) -> Pixels:
    """The middle of the upper half swells: where the face is."""
    ys, xs = np.mgrid[0:SIDE, 0:SIDE].astype(np.float32)
    rows, columns = np.nonzero(photo.shown > 0.5)
    middle_x = float(columns.mean()) if len(columns) else SIDE / 2
    middle_y = float(np.percentile(rows, 38)) if len(rows) else SIDE / 2
    dx, dy = xs - middle_x, ys - middle_y
    away = np.sqrt(dx * dx + dy * dy) / (SIDE * 0.44)
    pull = np.where(away < 1, 0.46 * (1 - away) ** 2 * (1 + 0.5 * away), 0).astype(np.float32)
    warped = Photo(
        filters.displace(photo.colours, -dx * pull, -dy * pull), photo.shown,
        filters.displace(photo.smooth, -dx * pull, -dy * pull), photo.tone, photo.palette, photo.rng,
    )  # fmt: skip
    flat = _few_colours(warped.smooth, 20)
    lines = filters.grow((_lines(warped, 0.7) > 0.5).astype(np.float32), 1.2)
    shade = filters.hatch(photo.rng, SIDE, 52, 11, 2.6) * (
        filters.luma(np.dstack([flat, flat[..., :1]])) < 0.3
    )
    ink = photo.palette.dark
    return filters.stacked(
        filters.solid(filters.grow(photo.shown, 9), photo.palette.line), filters.with_alpha(flat, photo.shown),
        filters.solid(shade * photo.shown, ink), filters.solid(lines * photo.shown, ink),
    )  # fmt: skip


def _line_art(photo: Photo) -> Pixels:
    lines = _lines(photo, 0.35, 1.7)
    fade = filters.blur(photo.shown, 14) > 0.72
    return filters.solid(lines * fade, photo.palette.line)


def _sketch(photo: Photo) -> Pixels:
    """Lines and hatching, chalk on a dark shirt."""
    tone = 1 - photo.tone if photo.palette.on_dark else photo.tone
    drawn = _lines(photo, 0.5, 1.5)
    if photo.palette.on_dark:
        drawn = np.maximum(
            drawn * 0,
            filters.contours(np.dstack([photo.smooth, np.full_like(photo.smooth[..., :1], 255)]), 2.4, 60),
        )
    for level, degrees, spacing, width in (
        (0.52, 45, 9, 1.9),
        (0.36, -42, 9, 2.0),
        (0.22, 10, 8, 2.1),
        (0.1, 80, 6, 2.3),
    ):
        region = filters.blur((tone < level).astype(np.float32), 2) > 0.5
        drawn = np.maximum(drawn, filters.hatch(photo.rng, SIDE, degrees, spacing, width) * region)
    grain = filters.noise(photo.rng, SIDE, 150, 2) > 0.1
    return filters.solid(drawn * photo.shown * grain, photo.palette.line)


def _watercolor(photo: Photo) -> Pixels:
    soft = np.asarray(cv2.medianBlur(photo.smooth, 9), np.uint8)
    flow, grain = filters.noise(photo.rng, SIDE, 6, 5), filters.noise(photo.rng, SIDE, 90, 3)
    paint = wash(filters.wobble(filters.with_alpha(soft, photo.shown), photo.rng, 5, 12), flow, grain, 0.34)
    lines = _lines(photo, 2.4) * filters.alpha(paint) * 0.5
    picture = filters.over(paint, filters.solid(lines, "#3b2f3f"))
    if not photo.palette.on_dark:
        return picture
    return filters.over(filters.solid(filters.grow(photo.shown, 16), "#fbf6ea"), picture)


def _pop_art(photo: Photo) -> Pixels:
    palette = photo.palette
    ordered = sorted(palette.inks[:4], key=lambda ink: sum(rgb(ink)))
    inks = (palette.dark, *ordered[:2], ordered[-1], palette.light)
    flat = np.asarray(cv2.medianBlur(np.ascontiguousarray(filters.by_tone(photo.tone, inks)), 9), np.uint8)
    dots = filters.halftone(np.clip(0.62 - photo.tone, 0, 0.55), 13, 20)
    return filters.stacked(
        filters.solid(filters.grow(photo.shown, 10), palette.dark), filters.with_alpha(flat, photo.shown),
        filters.solid(dots * photo.shown * 0.8, palette.dark),
        filters.solid(_lines(photo, 0.8) * photo.shown, palette.dark),
    )  # fmt: skip


def _vintage(photo: Photo) -> Pixels:
    ink = mix(photo.palette.inks[0], "#9a6b3f", 0.35)
    inks = ("#2e2019", mix("#2e2019", ink, 0.55), ink, "#ecdcb9")
    flat = filters.by_tone(
        np.clip(photo.tone + (filters.noise(photo.rng, SIDE, 200, 2) - 0.5) * 0.06, 0, 0.999), inks
    )
    screen = filters.halftone(np.clip(0.75 - photo.tone, 0, 0.8), 9, 30) * 0.6
    picture = filters.over(
        filters.with_alpha(flat, photo.shown), filters.solid(screen * photo.shown, inks[0])
    )
    ring = filters.grow(photo.shown, 22) * (1 - filters.grow(photo.shown, 10))
    return worn(
        filters.over(filters.solid(ring, inks[3] if photo.palette.on_dark else inks[0]), picture),
        photo.rng,
    )


def _ghibli(photo: Photo) -> Pixels:
    flat = _few_colours(np.asarray(cv2.medianBlur(photo.smooth, 7), np.uint8), 24).astype(np.float32)
    ys, xs = np.mgrid[0:SIDE, 0:SIDE].astype(np.float32) / SIDE
    glow = np.exp(-(((xs - 0.3) / 0.55) ** 2 + ((ys - 0.15) / 0.5) ** 2)) * 0.3
    warm = np.array(rgb("#fff0c2"), np.float32)
    brush = filters.noise(photo.rng, SIDE, 26, 3)[..., None]
    painted = flat * (0.96 + 0.12 * (brush - 0.5)) * np.array([1.03, 1.01, 0.95], np.float32)
    painted += (warm - painted) * glow[..., None]
    lines = _lines(photo, 1.0) * photo.shown
    return filters.over(
        filters.with_alpha(painted.clip(0, 255).astype(np.uint8), photo.shown),
        filters.solid(lines * 0.85, "#4a2f20"),
    )


def _painted(photo: Photo) -> Pixels:
    """For a style of the shopper's own words: a rich, slightly painted print of the photograph."""
    mixed = cv2.addWeighted(_lively(photo.colours), 0.45, photo.smooth, 0.55, 0)
    return filters.with_alpha(np.asarray(mixed, np.uint8), photo.shown)


_STYLES: dict[str, Callable[[Photo], Pixels]] = {
    "caricature": _caricature, "cartoon": _cartoon, "line art": _line_art, "pop art": _pop_art,
    "watercolor": _watercolor, "sketch": _sketch, "vintage": _vintage, "ghibli": _ghibli, "realistic photo": _painted,
}  # fmt: skip


def _words(brief: Brief, style: str, palette: Palette, assets: Assets) -> Pixels:
    face = STYLE_FACES[style]
    rows = break_rows(case(brief.lettering, face), 16)
    box = (70.0, 838.0, 884.0, 156.0)
    mask = line(assets, face, rows[0], SIDE, box) if len(rows) == 1 else stack(assets, face, rows, SIDE, box)
    blank = np.zeros((SIDE, SIDE, 4), np.uint8)
    layers = Layers(blank, blank, blank, mask, palette.readable())
    outline = 8 if style in ("cartoon", "pop art", "caricature") else 0.5
    return inked_words(layers, palette, outline, 10 if outline > 1 else 0)
