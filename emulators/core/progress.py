"""The progress of a long piece of work, for the person who waits: `drawing text: 12 of 120, 34 s`.

A terminal's line is written over at every item; elsewhere a line comes every few seconds. It goes to stderr, without
colours.
"""

from __future__ import annotations

import os
import sys
import time
from typing import TextIO, TypeVar

T = TypeVar("T")
_PIPE_SECONDS = 5.0


class Counted:
    """Work on `total` items, or on as many as come where that is not known. Used as a context."""

    def __init__(
        self, title: str, total: int | None = None, out: TextIO | None = None, every: float = _PIPE_SECONDS
    ) -> None:
        self._title = title
        self._total = total
        self._out = out or sys.stderr
        self._rewrites = self._out.isatty() and os.environ.get("TERM") != "dumb"
        self._every = every
        self._count = 0
        self._began = self._shown_at = time.monotonic()

    def __enter__(self) -> Counted:
        self._show(f"{self._title} …")
        return self

    def __exit__(self, *_: object) -> None:
        self._show(self._line())
        if self._rewrites:
            self._out.write("\n")

    def done(self, item: T) -> T:
        """Counts an item that is finished, and gives it back."""
        self._count += 1
        if self._rewrites or time.monotonic() - self._shown_at >= self._every:
            self._show(self._line())
        return item

    def _line(self) -> str:
        of = f" of {self._total}" if self._total is not None else ""
        return f"{self._title}: {self._count}{of}, {time.monotonic() - self._began:.0f} s"

    def _show(self, text: str) -> None:
        # Lines only grow, so that each covers the one before.
        self._out.write(f"\r  {text}" if self._rewrites else f"  {text}\n")
        self._out.flush()
        self._shown_at = time.monotonic()
