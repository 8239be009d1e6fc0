"""`supabase migration new | up | list`."""

from __future__ import annotations

import re
import time

from localbase.cli import stack
from localbase.cli.lock import command_lock
from localbase.cli.terminal import Progress, say, show_table
from localbase.core.errors import UserError
from localbase.core.project import Project
from localbase.postgres import migrate
from localbase.postgres.cluster import cluster_of


def new(project: Project, name: str) -> int:
    """Makes `supabase/migrations/<timestamp>_<name>.sql`."""
    slug = re.sub(r"\W+", "_", name).strip("_").lower()
    if not slug:
        raise UserError("A migration needs a name.", "For example: supabase migration new add_gift_notes")
    folder = project.supabase / "migrations"
    folder.mkdir(exist_ok=True)
    path = folder / f"{time.strftime('%Y%m%d%H%M%S', time.gmtime())}_{slug}.sql"
    path.touch(exist_ok=False)
    print(path)
    return 0


def up(project: Project) -> int:
    """Applies what is pending to the running database."""
    with command_lock(project, "migration up"):
        _require_running(project)
        with migrate.connect(cluster_of(project)) as connection:
            count = migrate.apply_migrations(connection, project, Progress())
    say(f"{count} applied." if count else "The database is up to date.")
    return 0


def show_list(project: Project) -> int:
    """Every version that is a file, in the database, or both."""
    _require_running(project)
    with migrate.connect(cluster_of(project)) as connection:
        applied = set(migrate.applied_versions(connection))
    local = {migration.version: migration.name for migration in migrate.local_migrations(project)}
    rows = [("Version", "State")]
    for version in sorted(applied | set(local)):
        state = "applied" if version in applied else "pending"
        rows.append((version, f"{state}  {local.get(version, '(no local file)')}"))
    show_table(rows)
    return 0


def _require_running(project: Project) -> None:
    if not stack.is_running(project):
        raise UserError(f"{project.settings.project_id} is not running.", "Start it with `supabase start`.")
