"""`stop`: ends every process of the stack; the data stays."""

from __future__ import annotations

import argparse

from localbase.cli import stack
from localbase.cli.call import Call
from localbase.cli.lock import command_lock
from localbase.cli.terminal import say


def arguments(_: argparse.ArgumentParser) -> None:
    """It takes none."""


def run(call: Call) -> int:
    """Stops the stack; it is no error if it does not run."""
    project = call.project
    name = project.settings.project_id
    if not project.state.exists():
        # Nothing was ever started, perhaps because nothing can be written here.
        say(f"{name} is not running.")
        return 0
    with command_lock(project, "stop"):
        say(f"Stopped {name}; its data is kept." if stack.stop(project) else f"{name} is not running.")
    return 0
