"""The environment of the commands: the process's variables over those of the root's `.env`."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from dotenv import dotenv_values

from deploy.errors import CommandError

ROOT = Path(__file__).resolve().parent.parent


def read_environ(environ: Mapping[str, str], dotenv: Path = ROOT / ".env") -> dict[str, str]:
    """Name → value, without the empty ones. A variable of the process wins over the file's."""
    in_file = {name: value for name, value in dotenv_values(dotenv, interpolate=False).items() if value}
    return {**in_file, **{name: value for name, value in environ.items() if value}}


def require(environ: Mapping[str, str], *names: str) -> tuple[str, ...]:
    """The values of `names`; one error names all that are missing."""
    missing = [name for name in names if not environ.get(name)]
    if missing:
        raise CommandError(f"Set {', '.join(missing)} in the environment or in .env (see .env.example).")
    return tuple(environ[name] for name in names)
