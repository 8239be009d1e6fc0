"""Pictures: read from requests, checked, decoded, converted.

A file of 300 kB can hold 60 million pixels, which take 250 MB as soon as they are decoded. So the header is read first,
and decides; a picture is decoded once, no larger than it is needed; of an animation only the first frame; and a process
works on two pictures at a time. Colours are sRGB everywhere: a file's own profile is applied while it is decoded.
"""

from __future__ import annotations

import base64
import binascii
import io
import math
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from PIL import Image, ImageCms, ImageOps, UnidentifiedImageError

from _shared.core.errors import ShopError

LARGEST_BYTES = 10 * 1024 * 1024
_MOST_MEGAPIXELS = 25
# their libraries decode whole pictures only, and hold them twice beside Pillow's own
_MOST_WHOLE_MEGAPIXELS = 12
_FORMATS = ("PNG", "JPEG", "GIF", "WEBP", "AVIF")
# a profile's colour space → the pixels that it is for
_PROFILED = {"RGB": "RGB", "CMYK": "CMYK", "GRAY": "L"}
# rows that are converted at a time while a picture is made smaller
_BAND = 256
_PROFILE_CHUNK = b"iCCP"
_RETRY_SECONDS = 10


@dataclass(frozen=True)
class Picture:
    """A picture's file, and what its header says."""

    data: bytes
    format: str
    width: int
    height: int

    @property
    def base64(self) -> str:
        return base64.b64encode(self.data).decode("ascii")


class PictureSlots:
    """Lets `at_once` threads work on pictures, and `waiting` more wait for `patience` seconds; the rest get 503."""

    def __init__(self, at_once: int = 2, waiting: int = 8, patience: float = 15.0) -> None:
        self._slots = threading.BoundedSemaphore(at_once)
        self._queue = threading.BoundedSemaphore(waiting)
        self._patience = patience

    @contextmanager
    def slot(self) -> Iterator[None]:
        """For a user's picture: the request can be repeated."""
        if not self._slots.acquire(blocking=False):
            if not self._queue.acquire(blocking=False):
                raise _busy("too many wait")
            try:
                if not self._slots.acquire(timeout=self._patience):
                    raise _busy(f"waited {self._patience:.0f} s")
            finally:
                self._queue.release()
        try:
            yield
        finally:
            self._slots.release()

    @contextmanager
    def paid_slot(self) -> Iterator[None]:
        """For a picture that a vendor was paid for: waits without a limit."""
        with self._slots:
            yield

    @contextmanager
    def vacated(self) -> Iterator[None]:
        """Inside a slot: releases it while a vendor works."""
        self._slots.release()
        try:
            yield
        finally:
            self._slots.acquire()


SLOTS = PictureSlots()
_Conversion = Callable[[Image.Image], Image.Image]


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
    with SLOTS.slot():
        return open_picture(data)


def open_picture(data: bytes, *, most_megapixels: int = 0) -> Picture:
    """Reads the header alone; damage after it is found by `decode`.

    413 beyond 25 megapixels (12 of WebP and AVIF), unless another limit is given.
    """
    is_webp = data[8:12] == b"WEBP"
    is_whole = is_webp or data[4:8] == b"ftyp"
    most_megapixels = most_megapixels or (_MOST_WHOLE_MEGAPIXELS if is_whole else _MOST_MEGAPIXELS)
    if is_webp:  # before libwebp opens it and allocates two whole pictures
        _check_pixels(*_webp_size(data), most_megapixels)
    with _reading(), Image.open(io.BytesIO(data), formats=_FORMATS) as image:
        _check_pixels(image.width, image.height, most_megapixels)
        return Picture(data=data, format=str(image.format), width=image.width, height=image.height)


def decode(picture: Picture, longest_side: int = 0) -> Image.Image:
    """Its pixels in sRGB, as RGBA where it has transparency; made smaller on the way if a longest side is given."""
    with _reading(), Image.open(io.BytesIO(picture.data), formats=_FORMATS) as image:
        if longest_side:
            share = longest_side / max(image.size)
            # JPEG decodes at a half, a quarter or an eighth of its size, and is never whole in memory
            image.draft(None, (round(image.width * share), round(image.height * share)))
        image.load()
        convert = _conversion(image)
        if longest_side and max(image.size) > longest_side:
            return _made_smaller(image, convert, longest_side)
        return convert(image)


def to_png(data: bytes) -> tuple[Picture, float]:
    """A model's output as PNG, and the share of its pixels that are transparent.

    A PNG without a colour profile stays byte for byte.
    """
    picture = open_picture(data)
    image = decode(picture)
    if image.mode == "RGBA":
        counts = image.getchannel("A").histogram()
        clear = sum(counts[:128]) / sum(counts)
    else:
        clear = 0.0
    is_plain = picture.format == "PNG" and _PROFILE_CHUNK not in data
    return (picture if is_plain else _encode(image, "PNG")), clear


def to_model_input(picture: Picture, longest_side: int = 1536) -> tuple[bytes, str]:
    """The picture's bytes and media type for a model: upright, small enough, without the camera's metadata."""
    small = decode(picture, longest_side)
    kind = "PNG" if small.mode == "RGBA" else "JPEG"
    upright = ImageOps.exif_transpose(small)
    upright.info = {}
    return _encode(upright, kind).data, f"image/{kind.lower()}"


def _made_smaller(image: Image.Image, convert: _Conversion, longest_side: int) -> Image.Image:
    """Band by band: converting the whole would hold it twice."""
    factor = max(max(image.size) // longest_side, 1)
    size = (-(-image.width // factor), -(-image.height // factor))
    small = Image.new("RGBA" if image.has_transparency_data else "RGB", size)
    rows = _BAND * factor
    for top in range(0, image.height, rows):
        band = convert(image.crop((0, top, image.width, min(top + rows, image.height))))
        small.paste(band.reduce(factor) if factor > 1 else band, (0, top // factor))
    small.thumbnail((longest_side, longest_side), Image.Resampling.LANCZOS)
    # which way up the camera was
    small.info = {name: value for name, value in image.info.items() if name == "exif"}
    return small


def _conversion(image: Image.Image) -> _Conversion:
    """Converts `image`, or a part of it, to RGB or RGBA in sRGB."""
    mode = "RGBA" if image.has_transparency_data else "RGB"
    to_srgb = _profile_of(image)

    def convert(part: Image.Image) -> Image.Image:
        part = _eight_bits(part)
        alpha = part.convert("RGBA").getchannel("A") if mode == "RGBA" else None
        if to_srgb:
            part = ImageCms.applyTransform(part.convert(to_srgb.input_mode), to_srgb) or part
        elif part.mode != mode:
            part = part.convert(mode)
        if to_srgb and alpha:
            part.putalpha(alpha)
        part.info.pop("icc_profile", None)
        return part

    return convert


def _profile_of(image: Image.Image) -> ImageCms.ImageCmsTransform | None:
    """From the image's own colour profile to sRGB; None without one, or with one of other colours or no sense."""
    if not (profile := image.info.get("icc_profile")):
        return None
    try:
        source = ImageCms.ImageCmsProfile(io.BytesIO(profile))
        pixels = _PROFILED.get(source.profile.xcolor_space.strip())
        # L and P are grey and RGB; a profile of four inks says nothing about three lights
        if pixels is None or (pixels == "CMYK") != (image.mode == "CMYK"):
            return None
        return ImageCms.buildTransform(source, ImageCms.createProfile("sRGB"), pixels, "RGB")
    except (ImageCms.PyCMSError, OSError):
        return None


def _eight_bits(image: Image.Image) -> Image.Image:
    """16 bits of grey scaled, where Pillow would cut them off, and the 16-bit colour that counts as transparent."""
    clear = image.info.get("transparency")
    if image.mode.startswith("I"):
        image = image.convert("I").point(lambda value: value / 256).convert("L")
        if isinstance(clear, int):
            image.info["transparency"] = clear >> 8
    elif isinstance(clear, tuple) and max(clear) > 255:
        image.info["transparency"] = tuple(value >> 8 for value in clear)
    return image


def _webp_size(data: bytes) -> tuple[int, int]:
    """Width and height by the first chunk (RFC 9649); 400 when it is none of the three kinds of first chunk."""
    kind, head = data[12:16], data[20:30]
    if len(head) == 10:
        if kind == b"VP8X":
            return 1 + int.from_bytes(head[4:7], "little"), 1 + int.from_bytes(head[7:10], "little")
        if kind == b"VP8 ":
            return (
                int.from_bytes(head[6:8], "little") & 0x3FFF,
                int.from_bytes(head[8:10], "little") & 0x3FFF,
            )
        if kind == b"VP8L":
            bits = int.from_bytes(head[1:5], "little")
            return 1 + (bits & 0x3FFF), 1 + (bits >> 14 & 0x3FFF)
    raise _not_a_picture()


@contextmanager
def _reading() -> Iterator[None]:
    try:
        yield
    except (UnidentifiedImageError, OSError, SyntaxError, ValueError, Image.DecompressionBombError) as error:
        raise _not_a_picture() from error


def _encode(image: Image.Image, kind: str) -> Picture:
    out = io.BytesIO()
    image.save(out, kind, quality=90) if kind == "JPEG" else image.save(out, kind)
    return Picture(data=out.getvalue(), format=kind, width=image.width, height=image.height)


def _check_pixels(width: int, height: int, most_megapixels: int) -> None:
    if width * height > most_megapixels * 1_000_000:
        side = math.isqrt(most_megapixels * 1_000_000) // 100 * 100
        raise ShopError(
            413,
            "image_too_large",
            f"This picture has {width} × {height} pixels, and we can take up to {most_megapixels} megapixels "
            f"({side} × {side}, for example). Please make it smaller and try again.",
        )


def _too_large(largest: int) -> ShopError:
    return ShopError(
        413,
        "image_too_large",
        f"This picture is larger than {largest // (1024 * 1024)} MB. Please make it smaller and try again.",
    )


def _not_a_picture() -> ShopError:
    return ShopError(
        400, "not_an_image", "This is not a picture that we can read. Please use PNG, JPG, GIF, WebP or AVIF."
    )


def _busy(cause: str) -> ShopError:
    return ShopError(
        503,
        "pictures_busy",
        "We have our hands full with other pictures right now.",
        cause=cause,
        retry_at=datetime.now(UTC) + timedelta(seconds=_RETRY_SECONDS),
    )
