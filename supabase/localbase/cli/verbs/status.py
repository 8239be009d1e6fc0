"""`status`: the stack's addresses and keys, for a person, a shell (`-o env`) or a program."""

from __future__ import annotations

import argparse

from localbase.cli.call import Call
from localbase.cli.stack import stack
from localbase.cli.stack.addresses import overridden, show_addresses, values
from localbase.cli.stack.exclusion import without
from localbase.cli.terminal import say


def status_arguments(parser: argparse.ArgumentParser) -> None:
    """Names of one's own."""
    parser.add_argument(
        "--override-name",
        action="append",
        default=[],
        metavar="KEY=NAME",
        help="another name for a value, as api.url=NEXT_PUBLIC_SUPABASE_URL",
    )


def run_status(call: Call) -> int:
    """Shows the values; 1 when the stack does not run (they are shown to programs all the same)."""
    project = call.project
    running = stack.is_running(project)
    shown = overridden(values(project), call.options.override_name)
    if not call.output.is_text:
        call.output.show(shown, "")
    elif running:
        excluded = stack.report(project).get("excluded", [])
        show_addresses(without(project, excluded))
        if excluded:
            say(f"Left out: {', '.join(excluded)}.")
    if not running:
        say(f"{project.settings.project_id} is not running. Start it with `supabase start`.")
    return 0 if running else 1
