"""The official CLI, for what only the hosted platform can answer, and for its generators."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

from localbase.core.errors import UserError

INSTALL = "npm install --save-dev supabase"


def find_official(root: Path) -> str | None:
    """The program: of the project's `node_modules` or one above it, or the first in PATH that is not this command."""
    for folder in (root, *root.parents):
        program = folder / "node_modules" / ".bin" / "supabase"
        if program.exists():
            return str(program)
    return shutil.which("supabase", path=_path_without_us())


def run_official(root: Path, arguments: Sequence[str]) -> int:
    """Runs it in place of this command; its exit code. Raises `UserError` (exit code 2) where it is missing."""
    executable = find_official(root)
    if executable is None:
        raise UserError(
            "This is for a hosted project: the official CLI does it, and it is not installed.",
            f"Run `{INSTALL}`; then this command hands it over.",
        )
    sys.stdout.flush()
    return subprocess.run([executable, *arguments], check=False).returncode


def _path_without_us() -> str:
    own = Path(sys.executable).parent
    return os.pathsep.join(p for p in os.environ.get("PATH", "").split(os.pathsep) if Path(p) != own)
