"""`db start`: Postgres alone, migrated and seeded."""

from __future__ import annotations

import argparse

from localbase.cli.call import Call
from localbase.cli.database.database import prepare_database
from localbase.cli.database.external import require_own_server
from localbase.cli.stack import stack
from localbase.cli.stack.exclusion import DATABASE_ONLY
from localbase.cli.stack.lock import command_lock
from localbase.cli.stack.startup import start_stack
from localbase.cli.terminal import say
from localbase.core.errors import UserError
from localbase.postgres.cluster import cluster_of
from localbase.postgres.damage import stop_server


def start_arguments(parser: argparse.ArgumentParser) -> None:
    """Nothing that has a meaning here."""
    parser.add_argument("--from-backup", metavar="PATH", help=argparse.SUPPRESS)


def run_start(call: Call) -> int:
    """Starts the server, or says that it runs already."""
    project = call.project
    if call.options.from_backup:
        raise UserError(
            "--from-backup is not done here.",
            "Start first, then: psql <the address of `supabase status`> -f the backup.",
        )
    require_own_server(project, "`db start` starts Postgres alone", "`supabase start` starts all else on it.")
    with command_lock(project, "db start") as lock:
        if stack.is_running(project):
            say(f"{project.settings.project_id} is already running.")
        else:
            stop_server(cluster_of(project))
            project = start_stack(project, call.environ, lock, prepare_database, [DATABASE_ONLY])
    call.output.show({"DB_URL": project.settings.db_url}, f"DB URL: {project.settings.db_url}")
    return 0
