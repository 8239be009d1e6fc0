"""Pictures as they arrive and leave: base64 or data URLs in, checked; base64 PNG out."""

from __future__ import annotations

import base64
import binascii
import io
from dataclasses import dataclass

from PIL import Image, ImageOps, UnidentifiedImageError

from _shared.errors import ShopError

LARGEST_BYTES = 10 * 1024 * 1024
# what the largest cameras give: 8000 pixels a side
_MOST_PIXELS = 64_000_000
_FORMATS = ("PNG", "JPEG", "GIF", "WEBP")


@dataclass(frozen=True)
class Picture:
    """A picture that was opened once and found to be one."""

    data: bytes
    format: str
    width: int
    height: int

    @property
    def base64(self) -> str:
        return base64.b64encode(self.data).decode("ascii")


def decode_picture(text: str, *, largest: int = LARGEST_BYTES) -> Picture:
    """Base64, with or without a `data:` prefix. 413 beyond `largest` bytes, 400 when it is no picture."""
    encoded = text.partition(",")[2] if text.startswith("data:") else text
    if len(encoded) > largest * 4 // 3 + 8:
        raise _too_large(largest)
    try:
        data = base64.b64decode(encoded, validate=True)
    except (binascii.Error, ValueError) as error:
        raise _not_a_picture() from error
    if len(data) > largest:
        raise _too_large(largest)
    return open_picture(data)


def open_picture(data: bytes) -> Picture:
    """Reads the whole picture, so that a broken end is found here and not at the printer."""
    try:
        with Image.open(io.BytesIO(data), formats=_FORMATS) as image:
            if image.width * image.height > _MOST_PIXELS:
                raise ShopError(
                    413, "image_too_large", "This picture has too many pixels. Please use a smaller one."
                )
            image.load()
            return Picture(data=data, format=str(image.format), width=image.width, height=image.height)
    except (UnidentifiedImageError, OSError, SyntaxError, ValueError, Image.DecompressionBombError) as error:
        raise _not_a_picture() from error


def as_png(picture: Picture) -> Picture:
    """The same picture as PNG; a PNG stays byte for byte."""
    if picture.format == "PNG":
        return picture
    with Image.open(io.BytesIO(picture.data), formats=_FORMATS) as image:
        return _encode(image.convert("RGBA" if "A" in image.getbands() else "RGB"), "PNG")


def for_artist(picture: Picture, longest_side: int = 1536) -> tuple[bytes, str]:
    """The picture's bytes and media type for an artist: upright, small enough, without the camera's metadata."""
    with Image.open(io.BytesIO(picture.data), formats=_FORMATS) as image:
        upright = ImageOps.exif_transpose(image)
        see_through = upright.has_transparency_data
        upright = upright.convert("RGBA" if see_through else "RGB")
        upright.thumbnail((longest_side, longest_side), Image.Resampling.LANCZOS)
        kind = "PNG" if see_through else "JPEG"
        return _encode(upright, kind).data, f"image/{kind.lower()}"


def clear_share(picture: Picture) -> float:
    """The share of pixels, 0 to 1, that let the cloth show."""
    with Image.open(io.BytesIO(picture.data), formats=_FORMATS) as image:
        if not image.has_transparency_data:
            return 0.0
        counts = image.convert("RGBA").getchannel("A").histogram()
        return sum(counts[:128]) / sum(counts)


def _encode(image: Image.Image, kind: str) -> Picture:
    out = io.BytesIO()
    image.save(out, kind, quality=90) if kind == "JPEG" else image.save(out, kind)
    return Picture(data=out.getvalue(), format=kind, width=image.width, height=image.height)


def _too_large(largest: int) -> ShopError:
    return ShopError(413, "image_too_large", f"This picture is larger than {largest // (1024 * 1024)} MB.")


def _not_a_picture() -> ShopError:
    return ShopError(
        400, "not_an_image", "This is not a picture that we can read. Please use PNG, JPG, GIF or WebP."
    )
