"""The log of functions, as far as functions have written it."""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterator
from pathlib import Path

from localbase.core.log_text import as_text
from localbase.core.project import Project

_FOLLOW_SECONDS = 0.2
# A line that the functions' host has written: time, level, function, and what it says.
_LINE = re.compile(r"(\S+ \S+) (\w+) functions\.([\w-]+) (.*)", re.DOTALL)


def print_all(lines: Iterator[str], slug: str | None) -> None:
    """Prints the lines that a function has logged, of all functions or of one."""
    for line in lines:
        if text := shown(line, slug):
            print(text, flush=True)


def shown(line: str, slug: str | None) -> str:
    """The line as it is shown; empty if it is another function's, or none of a function."""
    match = _LINE.match(as_text(line))
    if not match or (slug is not None and match[3] != slug):
        return ""
    time_, level, name, text = match.groups()
    return f"{time_[:19]} {name} {'' if level == 'INFO' else level + ' '}{text}"


def followed(path: Path, start: int, wait: Callable[[float], None] = time.sleep) -> Iterator[str]:
    """The lines that are added to `path` behind `start`, for ever; also of a new file of that name."""
    rest = ""
    while True:
        try:
            with path.open(encoding="utf-8", errors="replace") as file:
                size = path.stat().st_size
                file.seek(start if size >= start else 0)
                *lines, rest = (rest + file.read()).split("\n")
                start = file.tell()
        except FileNotFoundError:
            lines, start = [], 0
        yield from lines
        wait(_FOLLOW_SECONDS)  # another process writes the file, and says nothing of it


def log_path(project: Project) -> Path:
    """The log of the process that runs functions."""
    return project.state / "logs" / "functions.log"
