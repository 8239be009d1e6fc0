"""SVG files that people bring along, cleaned: what is kept is listed; it needs no script, no font and no other file.

Every renderer draws outlines alike, but not live text, filters and pictures inside: a file with these is refused with a
sentence that says what to change. What draws nothing (metadata, scripts, animations) is left out.
"""

from __future__ import annotations

import math
import re
import subprocess
import sys
import xml.etree.ElementTree as ET
from collections.abc import Iterator
from dataclasses import dataclass

from _shared.core.errors import ShopError

_SVG, _XLINK = "{http://www.w3.org/2000/svg}", "{http://www.w3.org/1999/xlink}"
_LARGEST_BYTES = 1024 * 1024
_MOST_ELEMENTS, _MOST_COPIES, _DEEPEST = 5_000, 20_000, 50
# of the longer side, in the file's own units once it is cleaned
_UNITS = 2000
_LONGEST_RATIO = 50
# a print is twenty times as many pixels as the trial, and waits for as long
_TRIAL_WIDTH, _TRIAL_SECONDS = 1024, 4

_KEPT = frozenset((
    "svg", "g", "defs", "symbol", "use", "path", "rect", "circle", "ellipse", "line", "polyline", "polygon",
    "linearGradient", "radialGradient", "stop", "clipPath", "mask", "style",
))  # fmt: skip
_LEFT_OUT = frozenset((
    "title", "desc", "metadata", "script", "animate", "animateTransform", "animateMotion", "animateColor", "set",
))  # fmt: skip
_SAID = {
    "text": "live text. Please turn it into outlines (paths)",
    "image": "pictures inside. Please bring them along as files of their own",
    "filter": "filters, such as blur or shadow. Please flatten them",
    "pattern": "patterns. Please expand them into shapes",
}
_DOCTYPE = re.compile(r"<!DOCTYPE\s+svg[^\[>]*>", re.IGNORECASE)
_ID = re.compile(r"[\w.:-]{1,100}")
_URL = re.compile(r"url\(\s*(['\"]?)(#[\w.:-]{1,100})?\1\s*\)", re.IGNORECASE)
_LENGTH = re.compile(r"\s*([0-9.eE+]{1,20})(px|pt|mm|cm|in)?\s*")
_FORBIDDEN_IN_STYLES = ("filter", "@", "\\", "<", "/*", "expression", "javascript", "data:")
_DRAW = (
    "import sys; sys.path[:] = sys.argv[2:]; import resource; resource.setrlimit(resource.RLIMIT_CPU, (5, 5)); "
    "import resvg_py; sys.stdout.buffer.write(bytes(resvg_py.svg_to_bytes("
    "svg_string=sys.stdin.buffer.read().decode(), width=int(sys.argv[1]), skip_system_fonts=True)))"
)


@dataclass(frozen=True)
class CleanSvg:
    """`width` and `height` are the drawing's, the longer of them 2,000; `trial` is a small PNG of it."""

    data: bytes
    width: int
    height: int
    trial: bytes


def looks_like_svg(data: bytes) -> bool:
    """Tell whether it is XML rather than a picture of pixels."""
    return data.lstrip(b"\xef\xbb\xbf \t\r\n")[:1] == b"<"


def clean_svg(data: bytes) -> CleanSvg:
    """The file, safe to show and to print. 400 with what is wrong with it, 413 where it is too large."""
    root = _parsed(data)
    if root.tag != f"{_SVG}svg":
        raise _refused("This is not an SVG file that we can read.")
    width, height = _size(root)
    clean = _cleaned(root)
    clean.attrib.update({"width": str(width), "height": str(height), "preserveAspectRatio": "none"})
    for name in ("x", "y", "transform"):
        clean.attrib.pop(name, None)
    _check_copies(clean)
    ET.register_namespace("", _SVG[1:-1])
    text = ET.tostring(clean, encoding="utf-8")
    return CleanSvg(text, width, height, _trial(text, width, height))


def _parsed(data: bytes) -> ET.Element:
    if len(data) > _LARGEST_BYTES:
        raise ShopError(413, "artwork_too_large", "This SVG is larger than 1 MB. Please make it simpler.")
    try:
        text = _DOCTYPE.sub("", data.decode("utf-8-sig"), count=1)
        # what could declare entities, which grow without an end, is none of the two
        if re.search(r"<!\s*(DOCTYPE|ENTITY)", text, re.IGNORECASE):
            raise _refused("This SVG declares entities, which we do not read. Please export it anew.")
        return ET.fromstring(text)  # noqa: S314 - no entities, no external references: expat alone
    except (UnicodeDecodeError, ET.ParseError, ValueError, RecursionError) as error:
        raise _refused("This is not an SVG file that we can read.") from error


def _size(root: ET.Element) -> tuple[int, int]:
    """The drawing's width and height, by its view box or else its own size; the view box is set where it lacks one."""
    box = [part for part in re.split(r"[\s,]+", root.get("viewBox", "").strip()) if part]
    try:
        if box:
            left, top, width, height = (float(part) for part in box)
        else:
            (width, height), left, top = (
                (_length(root.get(name, "")) for name in ("width", "height")),
                0.0,
                0.0,
            )
            root.set("viewBox", f"0 0 {width:g} {height:g}")
    except ValueError as error:
        raise _refused("This SVG does not say how large it is: it needs a viewBox.") from error
    if not all(map(math.isfinite, (left, top, width, height))) or min(width, height) <= 0:
        raise _refused("This SVG does not say how large it is: it needs a viewBox.")
    if max(width / height, height / width) > _LONGEST_RATIO:
        raise _refused("This SVG is a line: it is more than fifty times as long as it is wide.")
    scale = _UNITS / max(width, height)
    return max(round(width * scale), 1), max(round(height * scale), 1)


def _length(text: str) -> float:
    match = _LENGTH.fullmatch(text)
    if match is None:
        raise ValueError(text)
    return float(match[1])


def _cleaned(root: ET.Element) -> ET.Element:
    """A copy of what is kept. By a list of what is to do, for a recursion ends where Python's does."""
    clean = ET.Element(root.tag, _attributes(root))
    waiting = [(root, clean, 1)]
    kept = 1
    while waiting:
        element, copy, depth = waiting.pop()
        for child in element:
            name = _name(child)
            if not name or name in _LEFT_OUT:
                continue
            if name == "a":  # a link: what is drawn in it stays
                name = "g"
            if name not in _KEPT:
                said = _SAID.get("text" if name == "tspan" else name, f"<{name[:40]}>")
                raise _refused(f"This SVG has {said}.")
            kept += 1
            if kept > _MOST_ELEMENTS or depth >= _DEEPEST:
                raise _refused("This SVG has too many parts. Please make it simpler.")
            part = ET.SubElement(copy, f"{_SVG}{name}", _attributes(child))
            if name == "style":
                part.text = _style(child.text or "")
            else:
                waiting.append((child, part, depth + 1))
    return clean


def _name(element: ET.Element) -> str:
    """An element's name in SVG; empty for another language's, and for comments."""
    tag = element.tag
    return tag.removeprefix(_SVG) if isinstance(tag, str) and tag.startswith(_SVG) else ""


def _attributes(element: ET.Element) -> dict[str, str]:
    kept = {}
    for name, value in element.attrib.items():
        plain = name.removeprefix(_XLINK)
        if plain.startswith("{") or plain.lower().startswith("on") or plain == "filter":
            continue
        if plain == "href":
            if value.startswith("#") and _ID.fullmatch(value[1:]):
                kept["href"] = value
        elif plain == "style":
            kept["style"] = _style(value)
        elif plain in ("id", "class") and not all(_ID.fullmatch(part) for part in value.split()):
            continue
        elif name == plain and "url(" not in _URL.sub("", value).lower():
            kept[name] = value
    return kept


def _style(css: str) -> str:
    """CSS without anything but declarations of paint; 400 for what else it holds."""
    text = re.sub(r"/\*.*?\*/", "", css, flags=re.DOTALL)
    if any(word in text.lower() for word in _FORBIDDEN_IN_STYLES):
        raise _refused("This SVG has styles that reach beyond it. Please export it with plain attributes.")
    if "url(" in _URL.sub(lambda match: "" if match[2] else "url(", text).lower():
        raise _refused("This SVG has styles that reach beyond it. Please export it with plain attributes.")
    return text


def _check_copies(root: ET.Element) -> None:
    """Refuse `use` of `use`: a few lines can stand for a billion shapes."""
    by_id = {element.get("id", ""): element for element in root.iter()}
    sizes: dict[ET.Element, int] = {}

    def drawn(element: ET.Element, above: frozenset[str]) -> int:
        if element in sizes:
            return sizes[element]
        total = 1 + sum(drawn(child, above) for child in element)
        reference = element.get("href", "")[1:]
        if reference and element.tag == f"{_SVG}use" and reference in by_id:
            if reference in above or len(above) > _DEEPEST:
                raise _refused("This SVG is made of itself. Please expand its copies.")
            total += drawn(by_id[reference], above | {reference})
        if total > _MOST_COPIES:
            raise _refused("This SVG has too many parts. Please make it simpler.")
        sizes[element] = total
        return total

    try:
        drawn(root, frozenset())
    except RecursionError as error:
        raise _refused("This SVG is made of itself. Please expand its copies.") from error


def _trial(svg: bytes, width: int, height: int) -> bytes:
    """A PNG of it, drawn in a process that ends with its time."""
    pixels = max(round(_TRIAL_WIDTH * min(width / height, 1)), 1)
    command = [sys.executable, "-c", _DRAW, str(pixels), *_paths()]
    try:
        drawn = subprocess.run(command, input=svg, capture_output=True, timeout=_TRIAL_SECONDS, check=True)
    except subprocess.TimeoutExpired as error:
        raise _refused("This SVG takes too long to draw. Please make it simpler.") from error
    except subprocess.CalledProcessError as error:
        problem = _refused("This SVG cannot be drawn. Please export it anew.")
        problem.cause = error.stderr[-500:]
        raise problem from error
    return drawn.stdout


def _paths() -> Iterator[str]:
    return (path for path in sys.path if path)


def _refused(sentence: str) -> ShopError:
    return ShopError(400, "artwork_refused", sentence)
