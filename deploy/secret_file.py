"""Secrets that a command makes or receives: written into the owner's `.env`, for the owner's eyes, never printed."""

from __future__ import annotations

import os
import re
from pathlib import Path

_OWNER_ONLY = 0o600


def store_secret(file: Path, name: str, value: str) -> None:
    """Sets `name` in the file, in place of an earlier value, and leaves the other lines alone.

    The new file takes the old one's place whole: a crash in between must not lose the other secrets.
    """
    text = file.read_text(encoding="utf-8") if file.exists() else ""
    line = f"{name}={value}"
    assigned = re.compile(rf"^(?:export[ \t]+)?{re.escape(name)}[ \t]*=.*$", re.MULTILINE)
    if assigned.search(text):
        text = assigned.sub(lambda _: line, text)
    else:
        text = f"{text}{'' if not text or text.endswith(chr(10)) else chr(10)}{line}\n"
    fresh = file.with_name(f"{file.name}.new")
    fresh.unlink(missing_ok=True)
    descriptor = os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_EXCL, _OWNER_ONLY)
    with os.fdopen(descriptor, "w", encoding="utf-8") as out:
        out.write(text)
    fresh.replace(file)
