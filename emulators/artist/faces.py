"""The face for each sign: free display faces for Latin letters, Noto for other scripts and for emoji.

All are installed by npm, cut into files by script, each with a list of what it is for (`unicode.json`).
"""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Iterator
from functools import lru_cache
from itertools import groupby
from typing import TypeVar

from PIL import ImageFont, features

from emulators.assets import Assets

File = tuple[str, str]
"""Package and file."""
Part = TypeVar("Part")

_VARIABLE = "@fontsource-variable/"
_NOTO = f"{_VARIABLE}noto-sans-"
# face → npm package and file; all OFL
_FACES = {
    "poster": ("@fontsource/anton", "anton-latin-400-normal.woff2"),
    "slab": ("@fontsource/alfa-slab-one", "alfa-slab-one-latin-400-normal.woff2"),
    "comic": ("@fontsource/bangers", "bangers-latin-400-normal.woff2"),
    "script": ("@fontsource/pacifico", "pacifico-latin-400-normal.woff2"),
    "deco": ("@fontsource/righteous", "righteous-latin-400-normal.woff2"),
    "marker": ("@fontsource/permanent-marker", "permanent-marker-latin-400-normal.woff2"),
    "grotesque": (
        f"{_VARIABLE}bricolage-grotesque", "bricolage-grotesque-latin-standard-normal.woff2",
    ),
    "world": ("@fontsource/noto-sans", "noto-sans-latin-800-normal.woff2"),
}  # fmt: skip
# The files that a letter may come from, beside the face's own: those of the shop's display face, then other scripts.
_OWN = ("latin", "latin-ext")
_ELSEWHERE = (
    ("grotesque", "latin"), ("grotesque", "latin-ext"), ("world", "cyrillic"), ("world", "cyrillic-ext"),
    ("world", "greek"), ("world", "greek-ext"), ("world", "vietnamese"),
)  # fmt: skip
# letters that stand by themselves, in their order
_PLAIN = tuple(f"{_NOTO}{script}" for script in ("armenian", "georgian", "ethiopic", "symbols"))
# letters that join, move and change places: a library has to shape them
_SHAPED = tuple(
    f"{_NOTO}{script}"
    for script in (
        "arabic", "hebrew", "devanagari", "bengali", "gurmukhi", "gujarati", "tamil", "telugu", "kannada", "malayalam",
        "sinhala", "thai", "lao", "khmer", "myanmar",
    )
)  # fmt: skip
_EMOJI = f"{_VARIABLE}noto-emoji"
# the same Han character is written differently; the text's own letters tell by whom
_HAN = {"kana": f"{_NOTO}jp", "hangul": f"{_NOTO}kr", "": f"{_NOTO}sc", "traditional": f"{_NOTO}tc"}
_HEAVY = {b"weight": 800, b"width": 100, b"optical size": 96}

# Signs that a face draws so freely that they read as others: an ampersand that looks like a plus.
_MISREAD = {"marker": "&", "deco": "&"}
_JOINER = "\u200d"
_JOINING = (_JOINER, "\ufe0f")
# how an emoji is to be shown and of which skin: one ink has neither. Direction marks: the letters say it themselves
_UNSEEN = re.compile(
    "\ufe0f(?!\u20e3)|[\ufe0e\U0001f3fb-\U0001f3ff\u200b\u200e\u200f\u202a-\u202e\u2060\u2066-\u2069\ufeff]"
)

CAN_SHAPE = bool(features.check("raqm"))


def cleaned(text: str) -> str:
    """Letters with their accents in one sign, one space between words, nothing that is not seen."""
    return " ".join(unicodedata.normalize("NFC", _UNSEEN.sub("", text)).split())


def clusters(text: str) -> Iterator[str]:
    """The signs of `text`, each with the marks on it: what is drawn by one file or not at all."""
    cluster = ""
    for sign in text:
        is_flag = len(cluster) == 1 and _is_flag_letter(cluster) and _is_flag_letter(sign)
        if cluster and (
            unicodedata.category(sign)[0] == "M" or sign == _JOINER or cluster.endswith(_JOINER) or is_flag
        ):
            cluster += sign
        else:
            if cluster:
                yield cluster
            cluster = sign
    if cluster:
        yield cluster


def _is_flag_letter(sign: str) -> bool:
    return "\U0001f1e6" <= sign <= "\U0001f1ff"


@lru_cache(maxsize=128)
def load(assets: Assets, file: File, size: int) -> ImageFont.FreeTypeFont:
    """The file's face at `size` pixels, heavy."""
    font = ImageFont.truetype(str(assets.font(*file)), size)
    if file[0].startswith(_VARIABLE):
        font.set_variation_by_axes(
            [min(_HEAVY[axis["name"].lower()], axis["maximum"] or 0) for axis in font.get_variation_axes()]
        )
    return font


def file_of_face(assets: Assets, face: str, subset: str = "latin") -> File:
    """The file of a display face; the shop's own replaces one that is not installed."""
    for name in (face, "grotesque"):
        package, latin = _FACES[name]
        file = package, latin.replace("-latin-", f"-{subset}-")
        if assets.font(*file).exists():
            return file
    raise FileNotFoundError(f"none of the display faces is installed under {assets.modules}")


@lru_cache(maxsize=4096)
def _draws(assets: Assets, file: File, cluster: str) -> bool:
    """Tell whether the file draws `cluster`, and each sign of it, as anything but its box for unknown letters."""
    font = load(assets, file, 40)
    box = bytes(font.getmask("\uffff"))
    try:
        if any(bytes(font.getmask(sign)) == box for sign in cluster if sign not in _JOINING):
            return False
    except OSError:  # a whole sentence in one sign (U+FDFD) is more than FreeType rasterizes, at any size
        return False
    # joined emoji are one picture, or are not in the face
    is_joined = file[0] == _EMOJI and any(sign in cluster for sign in _JOINING)
    return not is_joined or font.getlength(cluster) < 0.9 * sum(map(font.getlength, cluster))


@lru_cache(maxsize=32)
def _files_by_sign(assets: Assets, package: str) -> dict[int, list[str]]:
    """Code point → the files of `package` that are for it."""
    ranges = json.loads((assets.modules / package / "unicode.json").read_text(encoding="utf-8"))
    files: dict[int, list[str]] = {}
    for subset, listed in ranges.items():
        if subset.startswith("latin"):  # the display faces draw those
            continue
        name = f"{package.removeprefix(_VARIABLE)}-{subset.strip('[]')}-wght-normal.woff2"
        for first, last in re.findall(r"U\+([0-9a-f]+)(?:-([0-9a-f]+))?", listed, re.IGNORECASE):
            for point in range(int(first, 16), int(last or first, 16) + 1):
                files.setdefault(point, []).append(name)
    return files


def _packages(text: str) -> tuple[str, ...]:
    """The packages for signs beyond Latin, Greek and Cyrillic, in the order in which `text` wants them."""
    names = {unicodedata.name(sign, "").partition(" ")[0] for sign in text}
    first = "kana" if names & {"HIRAGANA", "KATAKANA"} else "hangul" if "HANGUL" in names else ""
    han = dict.fromkeys((_HAN[first], *_HAN.values()))
    return (*(_SHAPED if CAN_SHAPE else ()), *_PLAIN, _EMOJI, *han)


def _candidates(assets: Assets, face: str, text: str, cluster: str) -> Iterator[File]:
    if cluster[0] not in _MISREAD.get(face, ""):
        yield from (file_of_face(assets, face, subset) for subset in _OWN)
    yield from (file_of_face(assets, name, subset) for name, subset in _ELSEWHERE)
    for package in _packages(text):
        if (assets.modules / package).exists():
            yield from ((package, name) for name in _files_by_sign(assets, package).get(ord(cluster[0]), ()))


@lru_cache(maxsize=1024)
def file_of(assets: Assets, face: str, text: str, cluster: str) -> File | None:
    """The file that draws `cluster`, a part of `text`; None where there is none."""
    if cluster.isspace():
        return file_of_face(assets, face)
    return next(
        (file for file in _candidates(assets, face, text, cluster) if _draws(assets, file, cluster)), None
    )


def is_shaped(file: File) -> bool:
    """Tell whether its letters depend on their neighbours."""
    return file[0] in _SHAPED


def missing(assets: Assets, text: str) -> list[str]:
    """The signs of `text` that no face holds, in small letters or in capitals."""
    both = f"{cleaned(text)} {cleaned(text).upper()}"
    return list(
        dict.fromkeys(
            cluster for cluster in clusters(both) if file_of(assets, "grotesque", both, cluster) is None
        )
    )


def drawable(assets: Assets, text: str) -> str:
    """`text` without the signs that no face holds."""
    text = cleaned(text)
    kept = "".join(cluster for cluster in clusters(text) if file_of(assets, "grotesque", text, cluster))
    return " ".join(kept.split())


_LETTERS = {"L": "ltr", "R": "rtl", "AL": "rtl"}
_STRONG = {**_LETTERS, "EN": "ltr", "AN": "ltr"}


def direction_of(text: str) -> str:
    """ "ltr" or "rtl", by the first letter."""
    found = (_LETTERS.get(unicodedata.bidirectional(sign)) for sign in text)
    return next((direction for direction in found if direction), "ltr")


def directions(signs: list[str]) -> list[str]:
    """For each sign: what stands between letters goes like those around it, or else like the text.

    Unicode's bidirectional algorithm (UAX #9), as far as one line of lettering needs it.
    """
    base = direction_of("".join(signs))
    strong = [_STRONG.get(unicodedata.bidirectional(sign[0]), "") for sign in signs]
    found: list[str] = []
    for place, direction in enumerate(strong):
        before = found[-1] if found else base
        after = next((each for each in strong[place:] if each), base)
        found.append(direction or (before if before == after else base))
    return found


def in_visual_order(parts: list[tuple[Part, str]], base: str) -> list[Part]:
    """From left to right, of parts with their directions in a text of direction `base`."""
    ordered: list[Part] = []
    for direction, group in groupby(parts[::-1] if base == "rtl" else parts, key=lambda part: part[1]):
        same = [part for part, _ in group]
        ordered += same if direction == base else same[::-1]
    return ordered
