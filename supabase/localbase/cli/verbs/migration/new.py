"""`migration new`: an empty migration."""

from __future__ import annotations

import argparse
import re
import time
from pathlib import Path

from localbase.cli.call import Call
from localbase.core.errors import UserError
from localbase.core.project import Project


def arguments(parser: argparse.ArgumentParser) -> None:
    """Its name."""
    parser.add_argument("name", help="what it does, in a few words")


def run(call: Call) -> int:
    """Makes `supabase/migrations/<timestamp>_<name>.sql`."""
    path = new_migration(call.project, call.options.name)
    call.output.show({"path": str(path)}, str(path))
    return 0


def new_migration(project: Project, name: str, content: str = "") -> Path:
    """A migration of the present moment, which must not be there yet. Raises `UserError` for a name without letters."""
    slug = re.sub(r"\W+", "_", name).strip("_").lower()
    if not slug:
        raise UserError("A migration needs a name.", "For example: supabase migration new add_gift_notes")
    folder = project.supabase / "migrations"
    folder.mkdir(exist_ok=True)
    path = folder / f"{time.strftime('%Y%m%d%H%M%S', time.gmtime())}_{slug}.sql"
    with path.open("x", encoding="utf-8") as file:
        file.write(content)
    return path
