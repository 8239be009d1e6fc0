"""`secrets unset`: takes variables of functions away."""

from __future__ import annotations

import argparse

from localbase.cli.call import Call
from localbase.cli.secrets_file import read_secrets, remove_secrets
from localbase.cli.terminal import say
from localbase.core.errors import UserError


def arguments(parser: argparse.ArgumentParser) -> None:
    """Which ones."""
    parser.add_argument("name", nargs="*", help="a secret's name")
    parser.add_argument("--all", action="store_true", help="every secret")
    parser.add_argument("--dry-run", action="store_true", help="only say which ones")


def run(call: Call) -> int:
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
