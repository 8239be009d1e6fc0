"""`status`: the stack's addresses and keys, for a person, a shell (`-o env`) or a program."""

from __future__ import annotations

import argparse

from localbase.cli import stack
from localbase.cli.addresses import show_addresses, values
from localbase.cli.call import Call
from localbase.cli.terminal import say


def arguments(_: argparse.ArgumentParser) -> None:
    """It takes none."""


def run(call: Call) -> int:
    """Shows the values; 1 when the stack does not run (they are shown to programs all the same)."""
    project = call.project
    running = stack.is_running(project)
    if not call.output.is_text:
        call.output.show(values(project), "")
    elif running:
        show_addresses(project)
    if not running:
        say(f"{project.settings.project_id} is not running. Start it with `supabase start`.")
    return 0 if running else 1
