"""Emoji in an idea, said in words: "🐱 on 🍕" is "cat face on pizza"."""

from __future__ import annotations

import json
import re
from functools import lru_cache

from emulators.assets import Assets

_PICTOGRAM = re.compile("[\u2190-\u2bff\U0001f000-\U0001faff]")
# how a sign is to be shown and of which skin; it names nothing
_MODIFIER = re.compile("[\ufe0e\ufe0f\u200d\U0001f3fb-\U0001f3ff]")


def in_words(assets: Assets, text: str) -> str:
    """`text` with each emoji replaced by its name."""
    if not _PICTOGRAM.search(text):
        return text
    names = _names(assets)
    return " ".join(
        _PICTOGRAM.sub(lambda found: f" {names.get(found.group(), '')} ", _MODIFIER.sub("", text)).split()
    )


@lru_cache(maxsize=2)
def _names(assets: Assets) -> dict[str, str]:
    entries = json.loads(assets.words.read_text(encoding="utf-8"))
    named = ((_MODIFIER.sub("", entry["emoji"]), entry["label"]) for entry in entries)
    return {sign: label for sign, label in named if len(sign) == 1}
