"""`secrets …`: the variables that functions see: `.env` in their folder, which is read at the next call of each."""

from __future__ import annotations

import argparse
import hashlib
import os
from collections.abc import Iterable, Mapping
from pathlib import Path

from dotenv import set_key, unset_key

from localbase.cli.call import Call
from localbase.cli.terminal import aligned, say
from localbase.core.errors import UserError
from localbase.core.project import Project, read_dotenv
from localbase.core.text_files import read_text
from localbase.functions.environment import reserved_names

# `secrets list`: the names of the functions' variables, with digests of their values.


def run_list(call: Call) -> int:
    """Shows no value: only its SHA-256, which says whether two are the same."""
    rows = [
        {"name": name, "value": hashlib.sha256(value.encode()).hexdigest()}
        for name, value in sorted(_read_secrets(call.project).items())
    ]
    call.output.show(rows, aligned([("NAME", "DIGEST"), *((row["name"], row["value"]) for row in rows)]))
    return 0


# `secrets set`: variables that functions see from their next call on.


def set_arguments(parser: argparse.ArgumentParser) -> None:
    """Options: the secrets."""
    parser.add_argument("secret", nargs="*", metavar="NAME=VALUE", help="a secret")
    parser.add_argument("--env-file", type=Path, help="a file of NAME=value lines")


def run_set(call: Call) -> int:
    """Writes them into the functions' `.env`."""
    options = call.options
    secrets: dict[str, str] = {}
    if options.env_file is not None:
        if not options.env_file.is_file():
            raise UserError(f"There is no file {options.env_file}.", "Name one that holds NAME=value lines.")
        secrets |= read_dotenv(options.env_file)
    for text in options.secret:
        name, sign, value = text.partition("=")
        if not sign:
            raise UserError(f"{text!r} is no NAME=VALUE.", "Write the value behind a `=`.")
        secrets[name] = value
    if not secrets:
        raise UserError("No secret is given.", "Write NAME=VALUE, or --env-file FILE.")
    path = _write_secrets(call.project, secrets)
    say(f"Set {', '.join(secrets)} in {path}.")
    call.output.show(sorted(secrets), "")
    return 0


# `secrets unset`: takes variables of functions away.


def unset_arguments(parser: argparse.ArgumentParser) -> None:
    """Options: the secrets' names."""
    parser.add_argument("name", nargs="*", help="a secret's name")
    parser.add_argument("--all", action="store_true", help="every secret")
    parser.add_argument("--dry-run", action="store_true", help="only say which ones")


def run_unset(call: Call) -> int:
    """Takes them out of the functions' `.env`."""
    options = call.options
    there = _read_secrets(call.project)
    names = list(there) if options.all else options.name
    if not names and not options.all:
        raise UserError("No secret is named.", "Name one, or add --all for every one.")
    if missing := [name for name in names if name not in there]:
        raise UserError(f"{', '.join(missing)} is not set.", "`secrets list` shows those that are.")
    if not options.dry_run:
        _remove_secrets(call.project, names)
    say(f"{'Would unset' if options.dry_run else 'Unset'} {', '.join(names) or 'nothing'}.")
    call.output.show(names, "")
    return 0


def _secrets_path(project: Project) -> Path:
    """The file. A project without functions gets the official CLI's folder for them."""
    folder = project.functions
    return (folder if folder.is_dir() else project.supabase / "functions") / ".env"


def _read_secrets(project: Project) -> dict[str, str]:
    """The secrets that are set."""
    return read_dotenv(_secrets_path(project))


def _write_secrets(project: Project, secrets: Mapping[str, str]) -> Path:
    """Sets them; the file's other lines stay. Raises `UserError` for names of the platform's own."""
    _require_own_names(secrets)
    path = _secrets_path(project)
    path.parent.mkdir(parents=True, exist_ok=True)
    if not path.exists():
        # Only for this user's eyes.
        os.close(os.open(path, os.O_WRONLY | os.O_CREAT, 0o600))
    _make_utf8(path)
    for name, value in secrets.items():
        set_key(path, name, value, quote_mode="always")
    return path


def _remove_secrets(project: Project, names: Iterable[str]) -> None:
    """Takes them out of the file."""
    _make_utf8(_secrets_path(project))
    for name in names:
        unset_key(_secrets_path(project), name)


def _make_utf8(path: Path) -> None:
    """Gives a file of another encoding, or with a byte-order mark, the form in which lines can be changed."""
    if path.is_file() and path.read_bytes() != (text := read_text(path).encode()):
        path.write_bytes(text)


def _require_own_names(secrets: Mapping[str, str]) -> None:
    """Raises `UserError` where a name is none, or is the platform's own."""
    for name in secrets:
        if not name.isidentifier():
            raise UserError(f"{name!r} is no name of a secret.", "Letters, digits and _ make one.")
    if names := reserved_names(secrets):
        raise UserError(
            f"{', '.join(names)}: names that begin with SUPABASE_ are the platform's own.",
            "Choose another name; functions find the project's address and keys under those.",
        )
