"""Prompts for image models: the shopper's request and our own directions, one labelled line each.

Image models understand such lines, and the local artist reads those of the request. Text of users is folded
into its own line, so that no text of theirs can pose as another one.
"""

from __future__ import annotations

import re

from _shared.core.errors import ShopError
from _shared.designs.design_requests import LONGEST_TYPOGRAPHY, PhotoRequest, TextRequest

_LETTERING = re.compile(r"""\bText to include:?\s*["“'‘]?(?P<text>.*?)["”'’]?\s*\.?\s*$""", re.IGNORECASE)

_TEXT_LOOKS = {
    "Realistic photo": "a photorealistic cut-out with studio lighting, real materials, fine texture and depth",
    "Cartoon": "a bold cartoon with thick clean outlines, flat colours, one step of shade and halftone dots",
    "Sketch": "a hand-drawn pencil sketch with confident contour lines, hatching and cross-hatching",
    "Watercolor": "a watercolour painting with wet bleeds, pigment edges, paper texture and a few splashes",
    "Minimalist": "a minimalist illustration of few flat shapes, with much negative space and no small detail",
    "Vintage": "a worn vintage screen print of three or four inks, distressed, with visible print grain",
    "Abstract": "an abstract composition that builds the subject of overlapping geometric shapes",
    "Doodle": "a playful ink doodle with wobbly hand-drawn lines and small fillers around it",
    "Line art": "continuous line art of one even line weight, without any filling",
    "Caricature": "a caricature with a large head, exaggerated features and a lively expression",
}
_PHOTO_LOOKS = {
    "caricature": "a caricature: larger head, exaggerated yet recognisable features, bold ink and flat colours",
    "cartoon": "a clean cartoon: bold outlines, flat colours with one step of shade",
    "line art": "line art of one even line weight, with few confident lines and no filling",
    "pop art": "pop art: flat saturated inks, halftone dots, black outlines, slightly misregistered colours",
    "watercolor": "a watercolour painting: wet edges, pigment pooling, paper grain, splashes as its outline",
    "sketch": "a graphite sketch: contour lines with hatching that follows the form",
    "vintage": "a worn screen print of three or four inks with grain and a simple sunburst or badge behind",
    "ghibli": "a hand-painted anime film still: soft light, gentle colours, clean ink lines",
}
_PALETTES = {
    "colorful": "a rich, varied palette", "bold": "few strong, saturated colours with hard contrast",
    "pastel": "soft, pale colours", "muted": "subdued, slightly greyed colours",
    "monochrome": "one ink in several tones", "earthy": "clay, ochre, moss and bark",
    "dark": "deep, moody colours with small bright accents", "bright": "light, vivid, sunny colours",
    "elegant": "restrained colours with gold or cream accents",
}  # fmt: skip
_PRINT = (
    "centred, complete and filling the picture up to a small even margin; crisp opaque edges, no shadow on the ground, "
    "no border or frame around the picture, no shirt or other mock-up, no watermark or signature"
)


def text_prompt(request: TextRequest, longest: int | None = None) -> str:
    """The prompt for a design from words. The idea is cut where a model takes `longest` signs, and nothing else is."""
    idea, lettering = _parted(request)
    prompt = _text_lines(request, idea, lettering)
    if longest and len(prompt) > longest:
        room = len(idea) - (len(prompt) - longest)
        # at the end of a word, if there is one
        prompt = _text_lines(request, idea[: room + 1].rpartition(" ")[0] or idea[:room], lettering)
    return prompt


def _text_lines(request: TextRequest, idea: str, lettering: str) -> str:
    return _lines(
        "T-shirt print design, isolated on a transparent background.",
        ("Idea", idea),
        ("Style", request.style),
        ("Tone", request.mood),
        ("Shirt colour", f"{_one_line(request.background_color_name)} ({request.background_color_hex})"),
        ("Lettering", _quoted(lettering)),
        ("Look", _TEXT_LOOKS[request.style]),
        ("Palette", f"{_PALETTES[request.mood]}; {_against(request.background_color_hex)}"),
        ("Typography", _typography(lettering)),
        ("Print", _PRINT),
    )


def photo_prompt(request: PhotoRequest) -> str:
    """The prompt for a design from a photo."""
    lettering = _one_line(request.typography or "")
    look = _PHOTO_LOOKS.get(request.style.lower(), "exactly the style named above, drawn with care")
    return _lines(
        "Transform this photo into a t-shirt print design.",
        ("Style", _one_line(request.style)),
        ("Instructions", _one_line(request.instructions or "")),
        ("Shirt colour", f"{_one_line(request.background_color_name)} ({request.background_color_hex})"),
        ("Lettering", _quoted(lettering)),
        ("Look", look),
        (
            "Likeness",
            "keep the subject's identity, pose and proportions recognisable; people stay who they are",
        ),
        (
            "Ground",
            "" if keeps_background(request) else "the subject alone, isolated on a plain, solid white ground",
        ),
        ("Palette", _against(request.background_color_hex)),
        ("Typography", _typography(lettering)),
        ("Print", _PRINT),
    )


def is_lettered(request: TextRequest) -> bool:
    """Tell whether words are to be set."""
    return bool(_parted(request)[1])


def keeps_background(request: PhotoRequest) -> bool:
    """Tell whether the shopper wants the photo's background to stay."""
    return bool(
        re.search(
            r"\b(keep|leave|with|preserve)\b[^.]{0,25}\b(background|surroundings|scenery)\b",
            request.instructions or "",
            re.IGNORECASE,
        )
    )


def _parted(request: TextRequest) -> tuple[str, str]:
    """The idea, and the words to be set."""
    idea = _one_line(request.prompt)
    if request.has_typography and (match := _LETTERING.search(idea)):
        if len(match["text"]) > LONGEST_TYPOGRAPHY:
            raise ShopError(
                400,
                "lettering_too_long",
                f"The text on the shirt may have {LONGEST_TYPOGRAPHY} letters. One to three words print best.",
            )
        return idea[: match.start()].rstrip(" \t\n.;,").strip(), match["text"]
    return idea, ""


def _against(shirt: str) -> str:
    red, green, blue = (int(shirt[at : at + 2], 16) for at in (1, 3, 5))
    is_dark = 0.299 * red + 0.587 * green + 0.114 * blue < 128
    shirt_is, outlines = ("dark", "light") if is_dark else ("light", "dark")
    return (
        f"readable on a {shirt_is} shirt: {outlines} outlines where a shape meets the cloth, "
        "and nothing important in the shirt's own colour"
    )


def _typography(lettering: str) -> str:
    if not lettering:
        return "no words, letters or numbers anywhere"
    return "set exactly the lettering above, letter by letter, large and legible, within the picture; no other words"


def _one_line(text: str) -> str:
    return " ".join(text.split())


def _quoted(lettering: str) -> str:
    return '"' + lettering.replace('"', "'") + '"' if lettering else ""


def _lines(opening: str, *labelled: tuple[str, str]) -> str:
    return "\n".join([opening, *(f"{label}: {text}" for label, text in labelled if text)])
