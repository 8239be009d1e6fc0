"""Splits an SQL script into statements, as psql does: quotes, dollar quotes, comments, BEGIN ATOMIC bodies hold."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

_TOKEN = re.compile(
    r"""
    (?P<skip>--[^\n]*|\s+)
  | (?P<block>/\*)
  | (?P<string>[eE]'(?:[^'\\]|\\.|'')*'|'(?:[^']|'')*')
  | (?P<name>"(?:[^"]|"")*")
  | (?P<dollar>\$(?:[A-Za-z_\x80-\uffff][\w\x80-\uffff]*)?\$)
  | (?P<word>[A-Za-z_\x80-\uffff][\w$\x80-\uffff]*)
  | (?P<semicolon>;)
  | (?P<other>[^\s;'"$/A-Za-z_\x80-\uffff-]+|.)
    """,
    re.VERBOSE | re.DOTALL,
)
_COMMENT_EDGE = re.compile(r"/\*|\*/")


@dataclass(frozen=True, slots=True)
class Piece:
    """One statement without its semicolon, and the line of the script where it begins (from 1)."""

    sql: str
    line: int


def split(script: str) -> Iterator[Piece]:
    """The statements of `script`, in order."""
    start: int | None = None
    position = 0
    depth = 0  # of BEGIN ATOMIC … END bodies: their semicolons belong to the function
    previous = ""
    while match := _TOKEN.match(script, position):
        kind = match.lastgroup
        position = match.end()
        if kind == "skip":
            continue
        if kind == "block":
            position = _end_of_comment(script, position)
            continue
        if kind == "semicolon" and depth == 0:
            if start is not None:
                yield _piece(script, start, match.start())
            start, previous = None, ""
            continue
        if start is None:
            start = match.start()
        if kind == "dollar":
            end = script.find(match[0], position)
            position = len(script) if end < 0 else end + len(match[0])
        elif kind == "word":
            word = match[0].lower()
            if word == "atomic" and previous == "begin":
                depth = 1
            elif depth and word == "case":
                depth += 1
            elif depth and word == "end":
                depth -= 1
            previous = word
    if start is not None and script[start:].strip():
        yield _piece(script, start, len(script))


def _piece(script: str, start: int, end: int) -> Piece:
    return Piece(script[start:end].rstrip(), script.count("\n", 0, start) + 1)


def _end_of_comment(script: str, position: int) -> int:
    depth = 1
    while depth:
        edge = _COMMENT_EDGE.search(script, position)
        if edge is None:
            return len(script)
        depth += 1 if edge[0] == "/*" else -1
        position = edge.end()
    return position
