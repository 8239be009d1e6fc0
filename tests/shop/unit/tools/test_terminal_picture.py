"""The picture of a terminal: what it shows at the end, as text of an SVG."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from defusedxml import ElementTree

from tools.terminal_picture import draw, record, screen, text_of


def test_line_that_is_written_anew_shows_its_last_form() -> None:
    assert screen("  gateway …\r            \r  gateway … 0.9 s\r\ndone\r\n") == [
        [("  gateway … 0.9 s", "")],
        [("done", "")],
    ]


def test_styles_end_where_the_terminal_ends_them() -> None:
    (line,) = screen("\x1b[?25l\x1b[31merror:\x1b[0m no \x1b[1mport\x1b[0m\n")
    assert line == [("error:", "red"), (" no ", ""), ("port", "bold")]


def test_empty_lines_stay() -> None:
    assert screen("one\r\n\r\ntwo\r\n") == [[("one", "")], [], [("two", "")]]


def test_picture_is_svg_whose_text_is_the_output() -> None:
    picture = draw("a <title>", "supabase start", screen("<&> \x1b[32mok\x1b[0m\n\n  two\n"))
    root = ElementTree.fromstring(picture)
    assert root.get("aria-label") == "a <title>"
    assert text_of(picture) == ["$ supabase start", "<&> ok", "  two"]
    # Both appearances, and no font or picture of another place.
    assert "prefers-color-scheme: dark" in picture
    assert "url(" not in picture
    assert "@import" not in picture


def test_record_is_of_a_terminal(tmp_path: Path) -> None:
    code = (
        "import os, sys; print(sys.stdout.isatty(), os.getcwd()); print(sys.stderr.isatty(), file=sys.stderr)"
    )
    output = record([sys.executable, "-c", code], tmp_path, os.environ)
    assert output == f"True {tmp_path}\r\nTrue\r\n"


def test_failed_command_is_an_error_with_its_output(tmp_path: Path) -> None:
    with pytest.raises(subprocess.CalledProcessError) as raised:
        record([sys.executable, "-c", "print('no port'); raise SystemExit(3)"], tmp_path, os.environ)
    assert (raised.value.returncode, raised.value.output) == (3, b"no port\r\n")
