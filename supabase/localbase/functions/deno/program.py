"""The program of Deno: of the project's npm packages first, then on the PATH.

Each look is afresh, so that a Deno which was installed meanwhile serves the next call.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Mapping
from pathlib import Path

HINT = "npm install --save-dev deno"
MISSING = f"Deno is not installed; install it in the project: {HINT}"


class DenoMissing(Exception):
    """There is no Deno."""


def find_deno(root: Path, environ: Mapping[str, str]) -> str | None:
    """The program for the project at `root`.

    npm's own `deno` is a script that starts Node, which starts the program and hides its end from its parent. So the
    program is looked for in the package of this system.
    """
    packages = root / "node_modules"
    for program in sorted(packages.glob("@deno/*/deno")):
        if os.access(program, os.X_OK):
            return str(program)
    return shutil.which("deno", path=environ.get("PATH", os.defpath))


def warning_about_missing(slugs: list[str]) -> str:
    """Return what is said at start and in lists of functions that need it."""
    names = ", ".join(slugs)
    return f"{names}: TypeScript functions need Deno, which is not installed ({HINT})"
