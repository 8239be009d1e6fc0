"""A stack of its own for a benchmark: generated, started, and gone afterwards."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from localbase.core.project import Project, open_project

# Beside another stack it chooses others.
_CONFIG = """
project_id = "{name}"
[api]
port = 24321
schemas = ["public"]
[db]
port = 24322
[local_smtp]
port = 24324
smtp_port = 24325
{more}
"""
_WITHOUT_FUNCTIONS = "[edge_runtime]\nenabled = false\n"


def run_command(project: Project, *verbs: str, environ: Mapping[str, str] | None = None) -> None:
    """Runs localbase's command for the project. Raises `CalledProcessError` if it fails."""
    command = [sys.executable, "-m", "localbase", "--workdir", str(project.root), *verbs]
    subprocess.run(
        command,
        check=True,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        env=os.environ | (environ or {}),
    )


@contextmanager
def scratch_stack(
    name: str,
    migration: str = "select 1;",
    config: str = "",
    *,
    environ: Mapping[str, str] | None = None,
    functions: Mapping[str, str] | None = None,
) -> Iterator[Project]:
    """A running project with one migration, further tables of `config.toml`, and functions by their slugs.

    `environ` overrides its settings.
    """
    more = config if functions else config + _WITHOUT_FUNCTIONS
    with tempfile.TemporaryDirectory(prefix="localbase-bench-") as folder:
        root = Path(folder)
        # Postgres runs as another user when this runs as root.
        root.chmod(0o755)
        (root / "supabase" / "migrations").mkdir(parents=True)
        (root / "supabase" / "config.toml").write_text(_CONFIG.format(name=name, more=more))
        (root / "supabase" / "migrations" / "20260101000000_bench.sql").write_text(migration)
        for slug, code in (functions or {}).items():
            (root / "supabase" / "functions" / slug).mkdir(parents=True)
            (root / "supabase" / "functions" / slug / "main.py").write_text(code)
        project = open_project(root)
        try:
            run_command(project, "start", environ=environ)
            # Beside another stack it has chosen ports.
            yield open_project(root)
        finally:
            run_command(project, "stop")
