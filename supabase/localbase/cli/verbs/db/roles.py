"""`db roles`: the file of SQL that makes a Postgres of one's own ready (`[db] external_url`)."""

from __future__ import annotations

import argparse

from localbase.cli.call import Call
from localbase.core.errors import UserError
from localbase.postgres.external_roles import roles_file


def roles_arguments(parser: argparse.ArgumentParser) -> None:
    """The one thing it does."""
    parser.add_argument("--print", action="store_true", dest="prints", help="print the file")


def run_roles(call: Call) -> int:
    """Prints it: localbase itself never logs in as a superuser of that server."""
    if not call.options.prints:
        raise UserError(
            "The owner's superuser makes the roles, not this command.",
            "`localbase db roles --print > roles.sql` writes the file for that.",
        )
    text = roles_file(call.project)
    call.output.show({"sql": text}, text.rstrip("\n"))
    return 0
