"""The prompt, read: the labelled lines that the shop writes, or a plain sentence."""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass, replace

from emulators.artist.faces import cleaned

STYLES = (
    "realistic photo", "cartoon", "sketch", "watercolor", "minimalist", "vintage", "abstract", "doodle", "line art",
    "caricature", "pop art", "ghibli",
)  # fmt: skip
MOODS = ("colorful", "bold", "pastel", "muted", "monochrome", "earthy", "dark", "bright", "elegant")

_LABEL = re.compile(
    r"^\s*(idea|style|tone|mood|shirt colou?r|lettering|instructions)\s*:\s*(.*)$", re.IGNORECASE
)
# Lines with a label that is not ours are notes for other models.
_FOREIGN = re.compile(r"^\s*[A-Z][A-Za-z ]{1,28}:\s")
_HEX = re.compile(r"#[0-9a-fA-F]{6}\b")
_QUOTED = re.compile(r"""["“”«»]([^"“”«»]{1,100})["“”«»]""")
_INCLUDED = re.compile(
    r"""\s*(?:with )?(?:the )?text to include:?\s*["“]?([^"”\n]{1,100}?)["”]?\s*\.?\s*$""", re.IGNORECASE
)


@dataclass(frozen=True)
class Brief:
    """The wishes. `style` and `mood` are of the lists above; `shirt` is a hex colour.

    `style_words` is the style in the shopper's own words.
    """

    idea: str
    style: str = "realistic photo"
    mood: str = "colorful"
    shirt: str = "#FFFFFF"
    lettering: str = ""
    seed: int = 0
    style_words: str = ""


def read_brief(prompt: str, seed: int | None = None) -> Brief:
    """Parses a prompt. Without a seed, the prompt itself is the seed: the same words, the same picture."""
    fields: dict[str, str] = {}
    rest: list[str] = []
    current = ""
    for line in prompt.splitlines():
        match = _LABEL.match(line)
        if match:
            current = match.group(1).lower().replace("colour", "color")
            fields[current] = match.group(2).strip()
        elif fields and _FOREIGN.match(line):
            current = ""
        elif current == "idea" and line.strip():
            fields["idea"] += " " + line.strip()
        elif line.strip():
            rest.append(line.strip())
    idea = fields.get("idea") or fields.get("instructions") or ("" if fields else " ".join(rest))
    lettering = fields.get("lettering", "").strip().strip('"“”')
    included = _INCLUDED.search(idea)
    if included:
        lettering = lettering or included.group(1)
        idea = idea[: included.start()]
    quoted = _QUOTED.search(idea)
    if quoted:
        lettering = lettering or quoted.group(1)
        idea = idea.replace(quoted.group(0), " ")
    whole = prompt.lower()
    shirt = _HEX.search(fields.get("shirt color", ""))
    brief = Brief(
        idea=idea.strip(" .,"),
        style=_choose(fields.get("style", ""), whole if not fields else "", STYLES, "realistic photo"),
        mood=_choose(
            fields.get("tone", fields.get("mood", "")), whole if not fields else "", MOODS, "colorful"
        ),
        shirt=shirt.group(0) if shirt else "#FFFFFF",
        lettering=cleaned(lettering)[:100],
        style_words=fields.get("style", "" if fields else prompt),
    )
    if seed is None:
        seed = int.from_bytes(hashlib.sha256(prompt.encode()).digest()[:4], "big")
    return replace(brief, seed=seed)


def _choose(field: str, prompt: str, names: tuple[str, ...], default: str) -> str:
    field = field.lower().strip().replace("colour", "color")
    for name in names:
        if name in field:
            return name
    for name in names:
        if name in prompt:
            return name
    return default
