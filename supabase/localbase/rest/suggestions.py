"""Suggestions for names that do not exist: the nearest known name, if one is near.

Likeness is found as upstream's fuzzy set finds it: candidates share three- or two-letter pieces, the best of
them are compared by edit distance.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from math import sqrt

_NOT_WORD = re.compile(r"[^\w, ]+")
_CANDIDATES = 50
# Comparing takes time with the length, and Postgres has no name of more than 63 bytes.
_LONGEST = 128


def closest_match(name: str, candidates: Iterable[str], least: float = 0.33) -> str | None:
    """The candidate most like `name`, when their likeness is at least `least` (0 to 1)."""
    matches = ranked(name, candidates, least)
    return matches[0][1] if matches else None


def ranked(name: str, candidates: Iterable[str], least: float = 0.33) -> list[tuple[float, str]]:
    """Likeness and name of the candidates, best first. The same name has likeness 1."""
    if len(name) > _LONGEST:
        return []
    lowered = name.lower()
    names = list(dict.fromkeys(candidates))
    exact = [item for item in names if item.lower() == lowered]
    if exact:
        return [(1.0, item) for item in exact]
    for size in (3, 2):
        pieces = _pieces(lowered, size)
        scored = [(_cosine(pieces, _pieces(item.lower(), size)), item) for item in names]
        best = sorted((pair for pair in scored if pair[0] > 0), key=lambda pair: -pair[0])[:_CANDIDATES]
        likely = [(_likeness(lowered, item.lower()), item) for _, item in best]
        kept = sorted((pair for pair in likely if pair[0] >= least), key=lambda pair: -pair[0])
        if kept:
            return kept
    return []


def _pieces(text: str, size: int) -> Counter[str]:
    padded = f"-{_NOT_WORD.sub('', text)}-"
    padded += "-" * (size - len(padded))
    return Counter(padded[i : i + size] for i in range(len(padded) - size + 1))


def _cosine(a: Counter[str], b: Counter[str]) -> float:
    shared = sum(count * b[piece] for piece, count in a.items() if piece in b)
    return shared / sqrt(sum(n * n for n in a.values()) * sum(n * n for n in b.values())) if shared else 0.0


def _likeness(a: str, b: str) -> float:
    """1 minus the edit distance relative to the longer text."""
    row = list(range(len(b) + 1))
    for i, left in enumerate(a, 1):
        previous, row[0] = row[0], i
        for j, right in enumerate(b, 1):
            previous, row[j] = row[j], min(row[j] + 1, row[j - 1] + 1, previous + (left != right))
    return 1 - row[-1] / max(len(a), len(b), 1)
