"""The output of commands: steps with their time, tables, and errors with what to do about them.

A step that lasts shows that it goes on: on a terminal its line counts the seconds, elsewhere a line comes every few
seconds. Output for programs goes to stdout, all of this to stderr. Colour is for terminals alone, and `NO_COLOR`
(https://no-color.org) switches it off.
"""

from __future__ import annotations

import io
import os
import re
import shutil
import sys
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TextIO

from localbase.core.errors import UserError

_TERMINAL_SECONDS, _PIPE_SECONDS = 1.0, 5.0
# A step that took less is not worth a second line where lines cannot be rewritten.
_WORTH_A_LINE_SECONDS = 2.0


_COMMAND = re.compile(r"`(?:supabase|localbase) (?=[a-z-])")
_STYLES = {"bold": "1", "dim": "2", "red": "31", "green": "32", "yellow": "33"}


def styled(text: str, style: str, stream: TextIO, environ: Mapping[str, str] = os.environ) -> str:
    """The text in a style (`bold`, `dim`, `red`, `green`, `yellow`), where `stream` is a terminal that may show one."""
    if not stream.isatty() or environ.get("NO_COLOR") or environ.get("TERM") == "dumb":
        return text
    return f"\x1b[{_STYLES[style]}m{text}\x1b[0m"


def program() -> str:
    """The name that this command was called by."""
    return "supabase" if Path(sys.argv[0]).name == "supabase" else "localbase"


def as_typed(text: str) -> str:
    """A text whose commands (`supabase start`) have the name that was typed."""
    return _COMMAND.sub(lambda _: f"`{program()} ", text)


def say(text: str) -> None:
    """A line for the person; machine-readable output goes through `print`."""
    _write(sys.stderr, f"{as_typed(text)}\n")


def _write(stream: TextIO, text: str) -> None:
    """Writes at once. A reader that has gone (`2>&1 | head`), or a full disk, misses the rest.

    That is no reason to stop half-way.
    """
    try:
        stream.write(text)
        stream.flush()
    except OSError:
        forget_output(stream)


def forget_output(stream: TextIO) -> None:
    """Throws away what is unwritten, and what is still to come: it must not fail once more at the exit."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


def open_standard_streams() -> None:
    """Opens those that are closed (`>&-`), before a file gets their number, and writes UTF-8 in every locale.

    So does the official CLI. A name of a file that is no UTF-8 is written as it is.
    """
    for number, name in enumerate(("stdin", "stdout", "stderr")):
        stream = getattr(sys, name)
        if stream is None:
            descriptor = os.open(os.devnull, os.O_RDWR)
            if descriptor != number:
                os.dup2(descriptor, number)
                os.close(descriptor)
            setattr(sys, name, os.fdopen(number, "w" if number else "r", encoding="utf-8", closefd=False))
        elif number and isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(encoding="utf-8", errors="surrogateescape")


def confirmed(question: str, *, yes: bool, stdin: TextIO | None = None) -> bool:
    """Tell whether the person at the terminal agrees. Without one, in a script, the command itself is the answer."""
    stdin = stdin or sys.stdin
    if yes or not stdin.isatty():
        return True
    sys.stderr.write(f"{question} [y/N] ")
    sys.stderr.flush()
    return stdin.readline().strip().lower() in {"y", "yes"}


class Progress:
    """The steps of a command, one after another. `every` is the time between two signs of life."""

    def __init__(
        self,
        out: TextIO | None = None,
        every: float | None = None,
        environ: Mapping[str, str] = os.environ,
    ) -> None:
        self._out = out or sys.stderr
        self._rewrites = self._out.isatty() and environ.get("TERM") != "dumb"
        self._every = every or (_TERMINAL_SECONDS if self._rewrites else _PIPE_SECONDS)
        # The unfinished line on the terminal; the ticking thread and the command both write.
        self._line = ""
        self._writing = threading.Lock()

    @contextmanager
    def step(self, title: str) -> Iterator[None]:
        """A named step: says that it begins, that it goes on, and how long it took."""
        began = time.monotonic()
        ended = threading.Event()
        self._show(f"  {title} …")
        ticking = threading.Thread(target=self._tick, args=(title, began, ended), daemon=True)
        ticking.start()
        outcome = " failed"
        try:
            yield
            outcome = ""
        finally:
            ended.set()
            ticking.join()
            seconds = time.monotonic() - began
            if self._rewrites or outcome or seconds >= _WORTH_A_LINE_SECONDS:
                self._show(f"  {title} …{outcome or f' {seconds:.1f} s'}")
            self._finish_line()

    def note(self, text: str) -> None:
        """A line of its own, in the middle of a step too."""
        with self._writing:
            line, self._line = self._line, ""
            _write(self._out, f"{_blank(line)}  {text}\n{line}")
            self._line = line

    def _tick(self, title: str, began: float, ended: threading.Event) -> None:
        while not ended.wait(self._every):
            self._show(f"  {title} … {time.monotonic() - began:.0f} s")

    def _show(self, line: str) -> None:
        with self._writing:
            if self._rewrites:
                # A line that wraps cannot be rewritten.
                line = line[: shutil.get_terminal_size().columns - 1]
                _write(self._out, f"{_blank(self._line)}{line}")
                self._line = line
            else:
                _write(self._out, f"{line}\n")

    def _finish_line(self) -> None:
        with self._writing:
            if self._line:
                _write(self._out, "\n")
            self._line = ""


def _blank(line: str) -> str:
    """Return what clears an unfinished line without an escape code."""
    return f"\r{' ' * len(line)}\r" if line else ""


def show_error(error: UserError) -> None:
    """Shows an error with its remedy."""
    say(f"\n{styled('error:', 'red', sys.stderr)} {error.message}")
    if error.remedy:
        say(f"  → {error.remedy}")


def aligned(rows: Sequence[Sequence[str]]) -> str:
    """Columns as wide as their widest text."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return "\n".join(
        "  ".join(text.ljust(width) for text, width in zip(row, widths, strict=True)).rstrip() for row in rows
    )


def table(rows: list[tuple[str, str]]) -> str:
    """Two aligned columns."""
    width = max(len(name) for name, _ in rows)
    return "\n".join(f"  {name.rjust(width)}  {value}" for name, value in rows)
