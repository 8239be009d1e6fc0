"""Long drawings and seedings say how far they are."""

from __future__ import annotations

import io

import pytest

from emulators.progress import Counted


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_a_pipe_gets_a_line_at_both_ends_and_one_every_few_seconds() -> None:
    out = io.StringIO()
    with Counted("drawing text", 3, out, every=0) as drawn:
        assert [drawn.done(item) for item in "abc"] == ["a", "b", "c"]
    assert out.getvalue().splitlines() == [
        "  drawing text …",
        "  drawing text: 1 of 3, 0 s",
        "  drawing text: 2 of 3, 0 s",
        "  drawing text: 3 of 3, 0 s",
        "  drawing text: 3 of 3, 0 s",
    ]


def test_items_that_come_fast_do_not_flood_a_pipe() -> None:
    out = io.StringIO()
    with Counted("making print products", out=out) as made:
        for number in range(1000):
            made.done(number)
    assert out.getvalue().splitlines() == [
        "  making print products …",
        "  making print products: 1000, 0 s",
    ]


def test_a_terminals_line_is_written_over(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TERM", "xterm")
    out = Terminal()
    with Counted("drawing text", 2, out) as drawn:
        drawn.done(1)
        drawn.done(2)
    assert out.getvalue().count("\n") == 1
    assert out.getvalue().endswith("\r  drawing text: 2 of 2, 0 s\n")
    assert "\x1b" not in out.getvalue()
