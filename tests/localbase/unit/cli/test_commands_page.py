"""The page of all commands is the table's."""

from __future__ import annotations

from tools.commands_page import PAGE, page


def test_page_of_commands_is_not_stale() -> None:
    assert PAGE.read_text(encoding="utf-8") == page(), "run: python -m tools.commands_page"
