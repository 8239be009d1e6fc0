"""The secrets of functions: `.env` in the folder of functions, which is read at the next call of each."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from pathlib import Path

from dotenv import set_key, unset_key

from localbase.core.errors import UserError
from localbase.core.project import Project, read_dotenv
from localbase.core.text_files import read_text
from localbase.functions.environment import reserved_names


def secrets_path(project: Project) -> Path:
    """The file. A project without functions gets the official CLI's folder for them."""
    folder = project.functions
    return (folder if folder.is_dir() else project.supabase / "functions") / ".env"


def read_secrets(project: Project) -> dict[str, str]:
    """The secrets that are set."""
    return read_dotenv(secrets_path(project))


def write_secrets(project: Project, secrets: Mapping[str, str]) -> Path:
    """Sets them; the file's other lines stay. Raises `UserError` for names of the platform's own."""
    require_own_names(secrets)
    path = secrets_path(project)
    path.parent.mkdir(parents=True, exist_ok=True)
    if not path.exists():
        # Only for this user's eyes.
        os.close(os.open(path, os.O_WRONLY | os.O_CREAT, 0o600))
    _make_utf8(path)
    for name, value in secrets.items():
        set_key(path, name, value, quote_mode="always")
    return path


def remove_secrets(project: Project, names: Iterable[str]) -> None:
    """Takes them out of the file."""
    _make_utf8(secrets_path(project))
    for name in names:
        unset_key(secrets_path(project), name)


def _make_utf8(path: Path) -> None:
    """Gives a file of another encoding, or with a byte-order mark, the form in which lines can be changed."""
    if path.is_file() and path.read_bytes() != (text := read_text(path).encode()):
        path.write_bytes(text)


def require_own_names(secrets: Mapping[str, str]) -> None:
    """Raises `UserError` where a name is none, or is the platform's own."""
    for name in secrets:
        if not name.isidentifier():
            raise UserError(f"{name!r} is no name of a secret.", "Letters, digits and _ make one.")
    if names := reserved_names(secrets):
        raise UserError(
            f"{', '.join(names)}: names that begin with SUPABASE_ are the platform's own.",
            "Choose another name; functions find the project's address and keys under those.",
        )
