"""The large shop's own project: the repository's migrations and settings, with a database and ports of its own."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

from localbase.core.project import Project, open_project

ROOT = Path(__file__).resolve().parents[2]
_FIRST_PORT = 28800
ENVIRON = {
    "SUPABASE_PROJECT_ID": "teesmith-large",
    "SUPABASE_API_PORT": str(_FIRST_PORT + 21),
    "SUPABASE_DB_PORT": str(_FIRST_PORT + 22),
    "SUPABASE_LOCAL_SMTP_PORT": str(_FIRST_PORT + 24),
    "SUPABASE_LOCAL_SMTP_SMTP_PORT": str(_FIRST_PORT + 25),
    "SUPABASE_AUTH_SITE_URL": f"http://127.0.0.1:{_FIRST_PORT}",
    "EMULATORS_PORT": str(_FIRST_PORT + 30),
}


def large_project(environ: Mapping[str, str] = os.environ) -> Project:
    """The project, running or not. It never is the developer's: its name and its ports are fixed."""
    return open_project(ROOT, {**environ, **ENVIRON})


def run_supabase(*verbs: str, environ: Mapping[str, str] = os.environ) -> None:
    """`start`, `stop` or `db reset` for this project. Raises `CalledProcessError` if it fails.

    Not by `make start`, which has a print product made for each design that lacks one.
    """
    command = [
        sys.executable,
        "-m",
        "emulators",
        "run",
        "--",
        sys.executable,
        "-m",
        "localbase",
        "--workdir",
        str(ROOT),
    ]
    subprocess.run([*command, *verbs], cwd=ROOT, env={**environ, **ENVIRON}, stdout=sys.stderr, check=True)
