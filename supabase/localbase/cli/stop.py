"""`supabase stop`: ends every process of the stack; the data stays."""

from __future__ import annotations

from localbase.cli import stack
from localbase.cli.lock import command_lock
from localbase.cli.terminal import say
from localbase.core.project import Project


def stop(project: Project) -> int:
    """Stops the stack; it is no error if it does not run."""
    name = project.settings.project_id
    if not project.state.exists():
        # Nothing was ever started, perhaps because nothing can be written here.
        say(f"{name} is not running.")
        return 0
    with command_lock(project, "stop"):
        say(f"Stopped {name}; its data is kept." if stack.stop(project) else f"{name} is not running.")
    return 0
