"""Why a design is reported or taken down: reasons.json, which the web client reads too and SQL repeats."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Literal

Reason = Literal["copyright", "hate", "sexual", "violence", "privacy", "other"]

_WORDS: Mapping[str, Mapping[str, str]] = json.loads(
    Path(__file__).with_name("reasons.json").read_text(encoding="utf-8")
)


def notice_of(reason: str) -> str:
    """The reason as the end of a sentence to the owner; empty for none."""
    return _WORDS[reason]["notice"] if reason else ""


def report_of(reason: str) -> str:
    """The reason as the person who reports chooses it: a sentence without its end."""
    return _WORDS[reason]["report"]
