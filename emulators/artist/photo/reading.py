"""Images in every format that a phone or a program saves: upright RGBA of a size that can be worked with."""

from __future__ import annotations

import io
import struct
import warnings

import numpy as np
from PIL import Image, ImageOps, UnidentifiedImageError

# decoded it takes 100 MB; the shop sends no more
_MOST_PIXELS = 25_000_000


class UnreadablePhotoError(ValueError):
    """The bytes are not a picture that pillow can read, or one of too many pixels."""


def open_photo(content: bytes, longest: int | None = None) -> Image.Image:
    """RGBA, upright, the first frame of an animation; at most `longest` pixels on its longer side.

    Raises UnreadablePhotoError.
    """
    try:
        with warnings.catch_warnings():
            # past Pillow's own limit it warns before the size can be read
            warnings.simplefilter("ignore", Image.DecompressionBombWarning)
            with Image.open(io.BytesIO(content)) as picture:
                if picture.width * picture.height > _MOST_PIXELS:
                    raise UnreadablePhotoError(
                        f"The input image is larger than {_MOST_PIXELS // 1_000_000} megapixels."
                    )
                return _upright(picture, longest)
    except UnreadablePhotoError:
        raise
    except (
        UnidentifiedImageError, OSError, ValueError, SyntaxError, EOFError, struct.error, Image.DecompressionBombError,
    ) as error:  # fmt: skip
        raise UnreadablePhotoError("The input image could not be read.") from error


def _upright(picture: Image.Image, longest: int | None) -> Image.Image:
    picture.seek(0)
    if longest:
        # JPEG decodes at an eighth, a quarter or half of its size in a fraction of the time.
        picture.draft("RGB", (longest, longest))
    plain = _eight_bits(picture)
    if longest and max(plain.size) > longest:
        plain.thumbnail((longest, longest), Image.Resampling.LANCZOS, reducing_gap=2.0)
    return ImageOps.exif_transpose(plain).convert("RGBA")


def _eight_bits(picture: Image.Image) -> Image.Image:
    """RGB or RGBA; 16 and 32 bits a channel are scaled down rather than cut off."""
    exif = picture.getexif()
    if picture.mode.startswith("I") or picture.mode == "F":
        values = np.asarray(picture, np.float32)
        low, high = float(np.nan_to_num(values).min()), float(np.nan_to_num(values).max())
        top = 65535.0 if 255 < high <= 65535 and low >= 0 else max(high, 1.0)
        plain = Image.fromarray((np.nan_to_num(values) / top * 255).clip(0, 255).astype(np.uint8)).convert(
            "RGB"
        )
    elif picture.mode in ("RGB", "RGBA"):
        picture.load()
        plain = picture
    else:
        has_alpha = "A" in picture.mode or "a" in picture.mode or "transparency" in picture.info
        plain = picture.convert("RGBA" if has_alpha else "RGB")
    if exif:
        plain.info["exif"] = exif.tobytes()
    return plain
