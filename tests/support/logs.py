"""The logs of a stack's processes: one JSON object a line."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from localbase.core.log_text import as_text


def log_lines(state: Path, name: str) -> list[str]:
    """The lines of a process's log since the stack's start, as they are."""
    return (state / "logs" / f"{name}.log").read_text(errors="replace").splitlines()


def read_log(state: Path, name: str) -> str:
    """The log as a person reads it."""
    return "".join(f"{as_text(line)}\n" for line in log_lines(state, name))


def records(state: Path, name: str) -> list[dict[str, Any]]:
    """The lines that are JSON objects."""
    values = [json.loads(line) for line in log_lines(state, name) if line.startswith("{")]
    return [record for record in values if isinstance(record, dict)]
