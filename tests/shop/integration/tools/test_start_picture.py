"""The picture of a start on localbase's front page shows what `localbase start` prints today."""

from __future__ import annotations

import re

from tests.support.ports import ports_of
from tests.support.stacks import clean_environ
from tools.terminal_picture import PICTURE, PROJECT, draw, start_of, text_of

# What differs from one machine to the next: seconds, and the ports of the tests.
_SECONDS = re.compile(r"\d+\.\d s$")
_PORT = re.compile(r"(?<=127\.0\.0\.1:)\d{5}")


def stable(lines: list[str]) -> list[str]:
    return [_PORT.sub("PORT", _SECONDS.sub("N s", line)) for line in lines]


def test_picture_shows_what_a_start_prints() -> None:
    # A reader's start has Studio, which the tests' other stacks leave out.
    environ = clean_environ({**ports_of("picture"), "SUPABASE_STUDIO_ENABLED": "true"})
    lines = start_of(PROJECT, environ)
    today = text_of(draw("today", "localbase start", lines))
    assert stable(text_of(PICTURE.read_text(encoding="utf-8"))) == stable(today), (
        "run: python -m tools.terminal_picture"
    )


def test_picture_shows_the_official_ports_and_is_small() -> None:
    picture = PICTURE.read_text(encoding="utf-8")
    ports = _PORT.findall("\n".join(text_of(picture)))
    assert ports == ["54321", "54323", "54324", "54322"]
    assert len(picture.encode()) < 10_000
