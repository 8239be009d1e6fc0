"""SVG as a source: drawn by resvg, without anything from outside the file.

As upstream's imgproxy, a vector picture becomes pixels only where a format is asked for; else it is shown as it is.
"""

from __future__ import annotations

import io
import re
from xml.etree import ElementTree

import defusedxml.ElementTree
from defusedxml.common import DefusedXmlException
from PIL import Image

_HEAD_BYTES = 4096
_HEAD = re.compile(rb"\s*(?:<(?:\?|!)[^<]*)*<(?:[A-Za-z_][\w.-]*:)?svg[\s/>]")
_LENGTH = re.compile(r"\s*\+?(\d{1,9}(?:\.\d{1,9})?|\.\d{1,9})\s*(px|pt|pc|mm|cm|in)?\s*")
_PIXELS = {None: 1.0, "px": 1.0, "pt": 4 / 3, "pc": 16.0, "mm": 96 / 25.4, "cm": 96 / 2.54, "in": 96.0}
_INSIDE = re.compile(r"\s*(?:#|data:image/(?:png|jpeg|jpg|gif|webp);base64,)")
_DEFAULT_SIDE = 100.0


def is_svg(data: bytes) -> bool:
    """Tell whether a file begins as an SVG document does: behind its declaration and comments."""
    return _HEAD.match(data[:_HEAD_BYTES].removeprefix(b"\xef\xbb\xbf")) is not None


def drawn(data: bytes, longest_side: int) -> Image.Image:
    """The picture in pixels, at its own size or smaller. Raises `ValueError` for what cannot be drawn."""
    # Here: other pictures do without it.
    import resvg_py

    try:
        root = defusedxml.ElementTree.fromstring(data)
        _drop_what_is_outside(root)
        _limit_size(root, longest_side)
        text = ElementTree.tostring(root, encoding="unicode")
    except (ElementTree.ParseError, DefusedXmlException, RecursionError, LookupError) as error:
        raise ValueError("no SVG document") from error
    pixels = resvg_py.svg_to_bytes(svg_string=text)
    image = Image.open(io.BytesIO(pixels), formats=("PNG",))
    image.load()
    return image


def _drop_what_is_outside(root: ElementTree.Element) -> None:
    """Takes out references to anything but the document's own parts and pictures written into it."""
    for element in root.iter():
        for name, value in list(element.attrib.items()):
            if name.rpartition("}")[2] == "href" and not _INSIDE.match(value):
                del element.attrib[name]


def _limit_size(root: ElementTree.Element, longest_side: int) -> None:
    """Writes the document's size into it, in pixels: its own, else that of its view box, and not above the limit."""
    box = [_pixels(part) for part in re.split(r"[\s,]+", root.get("viewBox", "").strip())[2:]]
    has_box = len(box) == 2 and all(box)
    box_width, box_height = (box[0] or 0, box[1] or 0) if has_box else (_DEFAULT_SIDE, _DEFAULT_SIDE)
    width, height = _pixels(root.get("width", "")), _pixels(root.get("height", ""))
    if width is None:
        width = box_width if height is None else height * box_width / box_height
    if height is None:
        height = width * box_height / box_width
    if not has_box:
        root.set("viewBox", f"0 0 {width} {height}")
    scale = min(1.0, longest_side / max(width, height))
    for name, side in (("width", width), ("height", height)):
        root.set(name, str(max(1, round(side * scale))))


def _pixels(text: str) -> float | None:
    """A length in pixels; None for none, or for a part of something else (`100%`)."""
    match = _LENGTH.fullmatch(text)
    return float(match[1]) * _PIXELS[match[2]] or None if match else None
