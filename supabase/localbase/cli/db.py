"""`supabase db reset`: the database, the stored files and the mails go; migrations and seed run afresh."""

from __future__ import annotations

import shutil

from localbase.cli import stack
from localbase.cli.start import start
from localbase.cli.terminal import say
from localbase.core.project import Project
from localbase.postgres.cluster import cluster_of


def reset(project: Project) -> int:
    """Leaves a freshly seeded, running stack."""
    say(f"Resetting {project.settings.project_id}: all local data goes.")
    stack.stop(project)
    cluster = cluster_of(project)
    stack.stop_stray_postgres(cluster)
    for path in (cluster.data, project.state):
        shutil.rmtree(path, ignore_errors=True)
    return start(project)
