"""The functions' log, as a host would collect it."""

from __future__ import annotations

import io
import json
import logging
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from _shared.core.logs import formatter_of


@contextmanager
def captured_lines() -> Iterator[list[dict[str, Any]]]:
    """The lines that the block logs, complete when it ends."""
    lines: list[dict[str, Any]] = []
    out = io.StringIO()
    handler = logging.StreamHandler(out)
    handler.setFormatter(formatter_of({}))
    logger = logging.getLogger("teesmith.functions")
    logger.addHandler(handler)
    try:
        yield lines
    finally:
        logger.removeHandler(handler)
        lines += [json.loads(line) for line in out.getvalue().splitlines()]
