"""`functions logs`: what functions have logged."""

from __future__ import annotations

import argparse
from collections import deque

from localbase.cli.call import Call
from localbase.cli.function_logs import followed, log_path, print_all, shown
from localbase.core.errors import UserError
from localbase.functions.catalog import Catalog


def arguments(parser: argparse.ArgumentParser) -> None:
    """Of which function, and how much."""
    parser.add_argument("slug", nargs="?", help="of this function alone")
    parser.add_argument("-n", "--lines", type=count, default=100, help="how many of the last lines (100)")
    parser.add_argument("-f", "--follow", action="store_true", help="go on with the lines to come")


def count(text: str) -> int:
    """A number of lines."""
    if not (text.isascii() and text.isdecimal() and len(text) < 10):
        raise argparse.ArgumentTypeError(f"{text!r} is no number of lines")
    return int(text)


def run(call: Call) -> int:
    """Prints the last lines that functions have logged, of all or of one, and those to come."""
    project, slug = call.project, call.options.slug
    if slug is not None and Catalog(project).find(slug) is None:
        raise UserError(
            f"There is no function {slug!r}.", "`supabase functions list` shows those that exist."
        )
    path = log_path(project)
    size = path.stat().st_size if path.exists() else 0
    last: deque[str] = deque(maxlen=call.options.lines)
    for old in (path.with_suffix(".log.1"), path):
        if old.exists():
            with old.open(encoding="utf-8", errors="replace") as file:
                last.extend(text for line in file if (text := shown(line, slug)))
    for text in last:
        print(text)
    if call.options.follow:
        print_all(followed(path, size), slug)
    return 0
