"""Drawing one picture, in a process of its own: what a file holds is not to be trusted, so it decodes behind limits.

Only the first frame is drawn. What a camera wrote beside the pixels (place, time, device) is left out; the colour
profile stays.
"""

from __future__ import annotations

import io
import warnings
from typing import IO, Any

from PIL import Image, ImageFilter, ImageOps

from localbase.storage.images.vector import drawn as drawn_svg
from localbase.storage.images.vector import is_svg

# Told from the file's head, before any pixel is decoded.
MOST_PIXELS = 50_000_000
MOST_FRAMES = 1000
_READABLE = ("JPEG", "PNG", "WEBP", "GIF", "AVIF", "BMP")
_MIMES = {
    "JPEG": "image/jpeg",
    "PNG": "image/png",
    "WEBP": "image/webp",
    "GIF": "image/gif",
    "AVIF": "image/avif",
}
_DEFAULT_QUALITY = 80
_LONGEST_VECTOR_SIDE = 4000
# The kinds of pixels that a colour profile speaks of, by the colour space in its header (ICC.1, 7.2.6).
_PROFILED = {b"RGB ": ("RGB", "RGBA", "P"), b"GRAY": ("L", "LA"), b"CMYK": ("CMYK",)}
# Which part of what is cut off stays to the left and above, for each point of the compass.
_COMPASS = {
    "ce": (0.5, 0.5),
    "no": (0.5, 0.0),
    "so": (0.5, 1.0),
    "ea": (1.0, 0.5),
    "we": (0.0, 0.5),
    "noea": (1.0, 0.0),
    "nowe": (0.0, 0.0),
    "soea": (1.0, 1.0),
    "sowe": (0.0, 1.0),
}


class Unfit(Exception):
    """A file that is no picture, or one beyond the limits; the message is for the caller."""


def draw(data: bytes, options: dict[str, Any], *, takes_webp: bool) -> tuple[bytes, str]:
    """The picture in `data` as `options` (`Transformation`) say; its bytes and media type. Raises `Unfit`."""
    try:
        if is_svg(data):
            if options["format"] not in ("webp", "avif"):
                return data, "image/svg+xml"
            image = drawn_svg(data, _LONGEST_VECTOR_SIDE)
        else:
            image = _opened(io.BytesIO(data))
        kind = _format_of(image, options, takes_webp=takes_webp)
        width, height = options["width"], options["height"]
        if image.format in ("JPEG", "MPO") and (width or height):
            # Decodes at a half, a quarter or an eighth where that is large enough.
            image.draft(None, _enough(image, width, height))
        profile = image.info.get("icc_profile")
        upright = ImageOps.exif_transpose(_in_bytes(image))
        drawn = _resized(upright, options) if width or height else upright
        return _encoded(drawn, kind, options["quality"] or _DEFAULT_QUALITY, profile), _MIMES[kind]
    except (OSError, ValueError, SyntaxError, EOFError) as error:
        raise Unfit("The source image is invalid or unsupported for rendering") from error
    except (MemoryError, Image.DecompressionBombError) as error:
        raise Unfit("The source image resolution is too large to process") from error


def _opened(source: IO[bytes]) -> Image.Image:
    # Pillow warns from a size on that is larger than the limit here.
    warnings.simplefilter("ignore")
    image = Image.open(source, formats=_READABLE)
    if image.width * image.height > MOST_PIXELS:
        raise Unfit("The source image resolution is too large to process")
    # Counting goes from frame to frame without decoding.
    if getattr(image, "n_frames", 1) > MOST_FRAMES:
        raise Unfit("The source image has too many frames to process")
    return image


def _in_bytes(image: Image.Image) -> Image.Image:
    """Grey of 16 bits as one of 8: Pillow's own conversion would show nearly all of it as white."""
    return image.point(lambda grey: grey / 256).convert("L") if image.mode.startswith("I;16") else image


def _format_of(image: Image.Image, options: dict[str, Any], *, takes_webp: bool) -> str:
    if options["format"] in ("webp", "avif"):
        return str(options["format"]).upper()
    if options["format"] is None and takes_webp:
        return "WEBP"
    # A photo with further ones behind it (MPO), as many cameras write it, is a JPEG to all that show it.
    return {"BMP": "PNG", "MPO": "JPEG"}.get(str(image.format), str(image.format))


def _enough(image: Image.Image, width: int | None, height: int | None) -> tuple[int, int]:
    """Sides that no transformation asks more of, on the picture as it lies in the file: it may still be turned."""
    side = max(width or 0, height or 0)
    shorter = max(1, min(image.size))
    scale = max(1.0, side / shorter)
    return max(1, int(min(image.width, side * scale))), max(1, int(min(image.height, side * scale)))


def _resized(image: Image.Image, options: dict[str, Any]) -> Image.Image:
    """Never larger than the original."""
    width, height = options["width"], options["height"]
    if options["resize"] == "fill" and width and height:
        return _scaled(image, min(width, image.width), min(height, image.height))
    ratios = [target / own for target, own in ((width, image.width), (height, image.height)) if target]
    covers = options["resize"] == "cover"
    ratio = min(1.0, max(ratios) if covers else min(ratios))
    scaled = _scaled(image, max(1, round(image.width * ratio)), max(1, round(image.height * ratio)))
    if not (covers and width and height):
        return scaled
    box = min(width, scaled.width), min(height, scaled.height)
    return scaled if box == scaled.size else _cropped(scaled, box, options)


def _scaled(image: Image.Image, width: int, height: int) -> Image.Image:
    if (width, height) == image.size:
        return image
    if image.mode not in ("RGB", "RGBA", "L"):
        # A palette's numbers are no colours that could be mixed.
        image = image.convert("RGBA" if _has_alpha(image) else "RGB")
    return image.resize((width, height), Image.Resampling.LANCZOS, reducing_gap=3.0)


def _cropped(image: Image.Image, box: tuple[int, int], options: dict[str, Any]) -> Image.Image:
    left, top = (
        _place(image.size[axis] - box[axis], image.size[axis], box[axis], axis, image, options)
        for axis in (0, 1)
    )
    return image.crop((left, top, left + box[0], top + box[1]))


def _place(spare: int, whole: int, side: int, axis: int, image: Image.Image, options: dict[str, Any]) -> int:
    """Return where along an axis the cut begins, in pixels from 0 to `spare`."""
    gravity = options["gravity"] or "ce"
    # Offsets are those of a gravity.
    offset = options["y_offset" if axis else "x_offset"] or 0.0 if options["gravity"] else 0.0
    if gravity == "sm":
        return _busiest(image, axis, side)
    if gravity == "fp":
        return min(spare, max(0, round(offset * whole - side / 2)))
    share = _COMPASS[gravity][axis]
    shift = offset if abs(offset) >= 1 else offset * whole
    # From an edge an offset leads inwards, from the centre to the right and down.
    return min(spare, max(0, round(share * spare + (-shift if share == 1.0 else shift))))


def _busiest(image: Image.Image, axis: int, side: int) -> int:
    """Return where the stretch begins that has the most edges in it: a stand-in for what a viewer looks at."""
    small = image.convert("L")
    small.thumbnail((128, 128))
    edges = small.filter(ImageFilter.FIND_EDGES)
    lines = edges.resize((edges.width, 1) if axis == 0 else (1, edges.height), Image.Resampling.BOX)
    sums = list(lines.getdata())
    whole = image.size[axis]
    length = max(1, min(len(sums), round(side * len(sums) / whole)))
    best = max(range(len(sums) - length + 1), key=lambda start: sum(sums[start : start + length]))
    return min(whole - side, round(best * whole / len(sums)))


def _has_alpha(image: Image.Image) -> bool:
    return image.mode in ("RGBA", "LA", "PA", "La", "RGBa") or "transparency" in image.info


def _encoded(image: Image.Image, kind: str, quality: int, profile: bytes | None) -> bytes:
    if kind == "JPEG" and image.mode not in ("RGB", "L", "CMYK"):
        image = image.convert("RGB")
    elif kind in ("WEBP", "AVIF") and image.mode not in ("RGB", "RGBA"):
        image = image.convert("RGBA" if _has_alpha(image) else "RGB")
    # Another kind's would give false colours, and some readers refuse the picture.
    fits = profile is not None and image.mode in _PROFILED.get(profile[16:20], ())
    parameters: dict[str, Any] = {"icc_profile": profile if fits else None}
    if kind in ("JPEG", "WEBP", "AVIF"):
        parameters["quality"] = quality
    if kind == "AVIF":
        parameters["speed"] = 8
    out = io.BytesIO()
    image.save(out, kind, **parameters)
    return out.getvalue()
