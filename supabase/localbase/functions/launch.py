"""The values that a function's process is started with."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from localbase.functions.limits import ProcessLimits
from localbase.functions.sources import FunctionSource


@dataclass(frozen=True, slots=True)
class Launch:
    """`root` is the folder of all functions; `deno` the program, for a function that needs it."""

    source: FunctionSource
    root: Path
    environ: Mapping[str, str]
    limits: ProcessLimits
    deno: str | None = None
