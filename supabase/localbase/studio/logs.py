"""The stack's logs as one: the newest lines of every process, by time, and by the id of a request."""

from __future__ import annotations

import json
from collections import deque
from collections.abc import Iterator
from pathlib import Path
from typing import Any

MOST_LINES = 500
# How much of a log's end is read: a page of lines, many times over.
_TAIL_BYTES = 4 << 20


def lines(folder: Path, *, service: str = "", search: str = "", limit: int = 200) -> list[dict[str, Any]]:
    """The newest lines, the newest first; of one process, or with a text in them (a request's id, a path, a user's)."""
    most, entries = min(limit, MOST_LINES), []
    folded_search = search.casefold()
    for path in sorted(folder.glob("*.log")):
        if service and path.stem != service:
            continue
        texts = (line for line in _tail(path) if folded_search in line.casefold())
        time = ""
        for line in deque(texts, maxlen=most):
            parsed = _parsed(path.stem, line)
            # A line that is no JSON stays with the one before it.
            time = parsed["time"] or time
            entries.append({**parsed, "time": time})
    # The lines of one moment stay in their order, the later one first.
    entries.reverse()
    entries.sort(key=lambda each: each["time"], reverse=True)
    return entries[:most]


def services(folder: Path) -> list[str]:
    """The processes that have a log."""
    return sorted(path.stem for path in folder.glob("*.log"))


def _tail(path: Path) -> Iterator[str]:
    with path.open("rb") as file:
        size = file.seek(0, 2)
        file.seek(max(0, size - _TAIL_BYTES))
        if size > _TAIL_BYTES:
            file.readline()
        for line in file:
            text = line.decode("utf-8", "replace").strip()
            if text:
                yield text


def _parsed(service: str, line: str) -> dict[str, Any]:
    try:
        fields = json.loads(line)
    except ValueError:
        fields = None
    if not isinstance(fields, dict):
        return {"service": service, "time": "", "message": line}
    return {**fields, "service": service, "time": str(fields.get("time", ""))}
