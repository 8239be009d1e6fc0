"""Progress lines of long drawings and seedings."""

from __future__ import annotations

import io
import os
import subprocess
import sys

from emulators.core.progress import Counted
from tests.support.stacks import ROOT

_TWO_ITEMS = """
from emulators.core.progress import Counted
with Counted("drawing text", 2) as drawn:
    drawn.done(1)
    drawn.done(2)
"""


def on_terminal(environ: dict[str, str]) -> str:
    """Return what a process with this environment writes to a terminal, where a line feed is two characters."""
    master, slave = os.openpty()
    try:
        subprocess.run(
            [sys.executable, "-c", _TWO_ITEMS],
            stderr=slave,
            env=environ | {"PYTHONIOENCODING": "utf-8"},
            cwd=ROOT,
            check=True,
        )
        return os.read(master, 4096).decode()
    finally:
        os.close(master)
        os.close(slave)


def test_pipe_gets_a_first_and_last_line_and_one_every_few_seconds() -> None:
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


def test_terminal_line_is_rewritten_without_escape_codes() -> None:
    shown = on_terminal({"TERM": "xterm"})
    assert shown.count("\n") == 1
    assert shown.endswith("\r  drawing text: 2 of 2, 0 s\r\n")
    assert "\x1b" not in shown


def test_dumb_terminal_gets_plain_lines() -> None:
    assert on_terminal({"TERM": "dumb"}) == "  drawing text …\r\n  drawing text: 2 of 2, 0 s\r\n"
