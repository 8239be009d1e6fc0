"""`secrets set`: variables that functions see from their next call on."""

from __future__ import annotations

import argparse
from pathlib import Path

from localbase.cli.call import Call
from localbase.cli.secrets_file import write_secrets
from localbase.cli.terminal import say
from localbase.core.errors import UserError
from localbase.core.project import read_dotenv


def arguments(parser: argparse.ArgumentParser) -> None:
    """Which ones."""
    parser.add_argument("secret", nargs="*", metavar="NAME=VALUE", help="a secret")
    parser.add_argument("--env-file", type=Path, help="a file of NAME=value lines")


def run(call: Call) -> int:
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
