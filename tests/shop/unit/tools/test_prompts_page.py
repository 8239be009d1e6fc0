"""docs/prompts.md says what the functions send, and holds what an owner has seen."""

from __future__ import annotations

import tomllib

from tools.prompts_page import PAGE, SEEN, page


def test_page_is_what_the_functions_send() -> None:
    assert PAGE.read_text(encoding="utf-8") == page(), "run: python -m tools.prompts_page"


def test_styles_that_an_owner_has_seen_exist() -> None:
    seen = tomllib.loads(SEEN.read_text(encoding="utf-8"))
    assert set(seen) == {"text", "tone", "photo"}
    for notes in seen.values():
        for name, note in notes.items():
            assert f"| {note} |" in next(
                line for line in page().splitlines() if line.startswith(f"| {name} |")
            )
