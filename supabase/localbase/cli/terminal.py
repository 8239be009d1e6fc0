"""What the commands print: steps with their time, tables, and errors with what to do about them."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager

from localbase.core.errors import UserError


def say(text: str) -> None:
    """A line for the person; machine-readable output goes through `print`."""
    print(text, file=sys.stderr, flush=True)


@contextmanager
def step(title: str) -> Iterator[None]:
    """A named step: says that it begins, and how long it took."""
    started = time.monotonic()
    print(f"  {title} …", end="", file=sys.stderr, flush=True)
    try:
        yield
    except BaseException:
        print(" failed", file=sys.stderr, flush=True)
        raise
    print(f" {time.monotonic() - started:.1f} s", file=sys.stderr, flush=True)


def show_error(error: UserError) -> None:
    """What went wrong and what to do."""
    say(f"\nerror: {error.message}")
    if error.remedy:
        say(f"  → {error.remedy}")


def show_table(rows: list[tuple[str, str]]) -> None:
    """Two aligned columns."""
    width = max(len(name) for name, _ in rows)
    for name, value in rows:
        print(f"  {name.rjust(width)}  {value}")
