"""`secrets …`: the variables that functions see."""

from __future__ import annotations

import argparse
import hashlib
from pathlib import Path

from localbase.cli.call import Call
from localbase.cli.secrets_file import read_secrets, remove_secrets, write_secrets
from localbase.cli.terminal import say
from localbase.core.errors import UserError
from localbase.core.project import read_dotenv

# `secrets list`: the names of the functions' variables, with digests of their values.


def list_arguments(_: argparse.ArgumentParser) -> None:
    """It takes none."""


def run_list(call: Call) -> int:
    """Shows no value: only its SHA-256, which says whether two are the same."""
    rows = [
        {"name": name, "value": hashlib.sha256(value.encode()).hexdigest()}
        for name, value in sorted(read_secrets(call.project).items())
    ]
    width = max([4, *(len(row["name"]) for row in rows)])
    lines = [
        f"{'NAME'.ljust(width)}  DIGEST",
        *(f"{row['name'].ljust(width)}  {row['value']}" for row in rows),
    ]
    call.output.show(rows, "\n".join(lines))
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
    path = write_secrets(call.project, secrets)
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
    there = read_secrets(call.project)
    names = list(there) if options.all else options.name
    if not names and not options.all:
        raise UserError("No secret is named.", "Name one, or add --all for every one.")
    if missing := [name for name in names if name not in there]:
        raise UserError(f"{', '.join(missing)} is not set.", "`secrets list` shows those that are.")
    if not options.dry_run:
        remove_secrets(call.project, names)
    say(f"{'Would unset' if options.dry_run else 'Unset'} {', '.join(names) or 'nothing'}.")
    call.output.show(names, "")
    return 0
