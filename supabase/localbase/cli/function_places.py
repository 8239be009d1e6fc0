"""Two folders of functions in one project: only one of them is served."""

from __future__ import annotations

from localbase.cli.terminal import say
from localbase.core.project import Project


def warn_of_two_places(project: Project) -> None:
    """Says so where functions lie beside `supabase/` while `supabase/functions` is served."""
    if (unread := project.unread_functions) is not None:
        say(f"warning: functions are served from {project.functions} alone; those in {unread} are not.")
