"""Progress of a command: seconds are counted on a terminal's line, elsewhere lines follow each other."""

from __future__ import annotations

import io
import re
import threading

import pytest
from localbase.cli.terminal import Progress, confirmed


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def shown_until(out: io.StringIO, pattern: str) -> None:
    """Waits until the ticking thread has written it."""
    for _ in range(500):
        if re.search(pattern, out.getvalue()):
            return
        threading.Event().wait(0.01)
    raise AssertionError(f"{pattern} never came: {out.getvalue()!r}")


def test_pipe_gets_a_first_line_and_one_every_few_seconds() -> None:
    out = io.StringIO()
    with Progress(out, every=0.05).step("making the database"):
        shown_until(out, r"(?s)… 0 s\n.*… 0 s\n")
    lines = out.getvalue().splitlines()
    assert lines[0] == "  making the database …"
    assert set(lines[1:]) == {"  making the database … 0 s"}


def test_short_step_is_one_line_on_a_pipe() -> None:
    out = io.StringIO()
    with Progress(out).step("seed 10.sql"):
        pass
    assert out.getvalue() == "  seed 10.sql …\n"


def test_terminal_line_is_rewritten_without_escape_codes() -> None:
    out = Terminal()
    with Progress(out, every=0.05, environ={"TERM": "xterm"}).step("making the database"):
        shown_until(out, "… 0 s")
    assert "\x1b" not in out.getvalue()
    assert out.getvalue().count("\n") == 1
    assert re.search(r"\r  making the database … 0\.\d s\n$", out.getvalue())


def test_failed_step_is_reported() -> None:
    out = io.StringIO()
    with pytest.raises(ValueError, match="no"), Progress(out).step("migration 1_a.sql"):
        raise ValueError("no")
    assert out.getvalue() == "  migration 1_a.sql …\n  migration 1_a.sql … failed\n"


def test_note_during_a_step_has_its_own_line() -> None:
    out = Terminal()
    progress = Progress(out, environ={"TERM": "xterm"})
    with progress.step("migration 1_a.sql"):
        progress.note("left out: extension pg_graphql")
    screen = [line.rpartition("\r")[2] for line in out.getvalue().split("\n")]
    assert screen[0] == "  left out: extension pg_graphql"
    assert screen[1].startswith("  migration 1_a.sql … 0.")


def test_dumb_terminal_is_written_like_a_pipe() -> None:
    out = Terminal()
    with Progress(out, environ={"TERM": "dumb"}).step("seed"):
        pass
    assert out.getvalue() == "  seed …\n"


@pytest.mark.parametrize(
    ("stdin", "yes", "agreed"),
    [
        (Terminal("y\n"), False, True),
        (Terminal("Yes\n"), False, True),
        (Terminal("\n"), False, False),
        (Terminal("no\n"), False, False),
        (Terminal(""), True, True),
        (io.StringIO(""), False, True),
    ],
)
def test_question_is_for_a_person_at_a_terminal(stdin: io.StringIO, yes: bool, agreed: bool) -> None:
    assert confirmed("Remove it?", yes=yes, stdin=stdin) == agreed
