"""`python -m tools.prompts_page` writes `docs/prompts.md`: what image models are asked for."""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Iterable
from pathlib import Path

from _shared.designs.design_requests import MOODS, TEXT_STYLES, PhotoRequest, TextRequest
from _shared.designs.image_models import ImageRequest, inputs_for, longest_prompt
from _shared.designs.prompts import photo_prompt, text_prompt

_ROOT = Path(__file__).resolve().parents[1]

PAGE = _ROOT / "docs" / "prompts.md"
SEEN = Path(__file__).with_name("prompts_seen.toml")
_DRAWERS = (
    "openai/gpt-image-1.5", "black-forest-labs/flux-1.1-pro", "black-forest-labs/flux-2-pro",
    "black-forest-labs/flux-kontext-pro", "google/nano-banana-2", "ideogram-ai/ideogram-v3-quality",
    "recraft-ai/recraft-v3",
)  # fmt: skip
_EDITORS = (
    "openai/gpt-image-1.5", "black-forest-labs/flux-2-pro", "black-forest-labs/flux-kontext-pro",
    "google/nano-banana-2",
)  # fmt: skip
# the wizard names them; a function takes any words
_OPTIONS = _ROOT / "web" / "src" / "features" / "design" / "options.ts"
_HEAD = """# What image models are asked for

Made by `python -m tools.prompts_page` from the functions' own code; a test says when it is stale. Each prompt is
labelled lines: the shopper's, then ours. Every style goes to every model in the same words; where a model takes fewer
signs, the idea is cut and nothing else. "Seen with a real model" is what an owner has written into
[tools/prompts_seen.toml](../tools/prompts_seen.toml); empty means that nobody has looked yet.
"""


def _photo_styles() -> list[str]:
    listed = re.search(r"PICTURE_STYLES = \[(.*?)\]", _OPTIONS.read_text(encoding="utf-8"), re.DOTALL)
    assert listed
    return re.findall(r'"(.+?)"', listed[1])


def page() -> str:
    """The whole page."""
    seen = tomllib.loads(SEEN.read_text(encoding="utf-8"))
    texts = {style: _lines(text_prompt(_text(style=style))) for style in TEXT_STYLES}
    tones = {mood: _lines(text_prompt(_text(mood=mood))) for mood in MOODS}
    photos = {style: _lines(photo_prompt(_photo(style))) for style in _photo_styles()}
    return (
        "\n\n".join(
            (
                _HEAD.rstrip(),
                "## From words\n\n" + _block(text_prompt(_text(has_typography=True))),
                "On a light shirt the Palette line ends so: "
                + _lines(text_prompt(_text(background_color_hex="#FFFFFF")))["Palette"].partition("; ")[2]
                + ".",
                "Without text on the shirt: " + texts["Sketch"]["Typography"] + ".",
                _table(
                    "style", "Look", ((style, lines["Look"]) for style, lines in texts.items()), seen["text"]
                ),
                _table(
                    "tone",
                    "Palette",
                    ((mood, lines["Palette"].partition(";")[0]) for mood, lines in tones.items()),
                    seen["tone"],
                ),
                _models(_DRAWERS, photo=""),
                "## From a photo\n\n" + _block(photo_prompt(_photo("Sketch"))),
                "The line Ground is left out where the shopper wants the background to stay.",
                _table(
                    "style",
                    "Look",
                    ((style, lines["Look"]) for style, lines in photos.items()),
                    seen["photo"],
                ),
                _models(_EDITORS, photo="…"),
            )
        )
        + "\n"
    )


def _text(**changes: object) -> TextRequest:
    words = "A fox riding a bicycle" + ('. Text to include: "Go on"' if changes.get("has_typography") else "")
    request = {
        "prompt": words, "style": "Sketch", "mood": "dark", "background_color_name": "Navy",
        "background_color_hex": "#1F2A44",
    }  # fmt: skip
    return TextRequest.model_validate(request | changes)


def _photo(style: str) -> PhotoRequest:
    return PhotoRequest(
        style=style, instructions="Give the dog sunglasses", typography="Good boy",
        background_color_name="Navy", background_color_hex="#1F2A44",
    )  # fmt: skip


def _lines(prompt: str) -> dict[str, str]:
    return dict(line.split(": ", 1) for line in prompt.splitlines()[1:])


def _block(prompt: str) -> str:
    return f"```text\n{prompt}\n```"


def _table(name: str, line: str, rows: Iterable[tuple[str, str]], seen: dict[str, str]) -> str:
    head = f"| {name} | {line} | seen with a real model |\n| --- | --- | --- |\n"
    return head + "\n".join(f"| {key} | {text} | {seen.get(key, '')} |" for key, text in rows)


def _models(names: tuple[str, ...], *, photo: str) -> str:
    rows = []
    for name in names:
        inputs = inputs_for(name, ImageRequest("", 7, photo=photo))
        others = {key: value for key, value in inputs.items() if key not in ("prompt", "seed")}
        rows.append(
            f"| `{name}` | `{json.dumps(others, ensure_ascii=False)}` | {longest_prompt(name) or ''} |"
        )
    return "| model | inputs beside prompt and seed | signs at most |\n| --- | --- | --- |\n" + "\n".join(
        rows
    )


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
