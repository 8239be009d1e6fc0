"""`supabase gen types`: TypeScript types of the running database, made by the official CLI's own generator."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

from localbase.core.errors import UserError
from localbase.core.project import Project


def types(project: Project, schema: str) -> int:
    """Prints the types of `schema`."""
    program = project.root / "node_modules" / ".bin" / "supabase"
    found = str(program) if program.exists() else shutil.which("supabase", path=_path_without_us())
    if found is None:
        raise UserError(
            "Generating types needs the official CLI's generator.",
            "Run `npm install --save-dev supabase` first.",
        )
    address = f"{project.settings.db_url}?sslmode=disable"
    command = [found, "gen", "types", "--lang", "typescript", "--schema", schema, "--db-url", address]
    return subprocess.run(command, stdout=sys.stdout, check=False).returncode


def _path_without_us() -> str:
    import os

    own = Path(sys.executable).parent
    return os.pathsep.join(p for p in os.environ.get("PATH", "").split(os.pathsep) if Path(p) != own)
