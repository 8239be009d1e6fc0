"""`db start`: Postgres alone, migrated and seeded."""

from __future__ import annotations

import argparse

from localbase.cli import stack
from localbase.cli.call import Call
from localbase.cli.database import prepare_database, stop_server
from localbase.cli.exclusion import DATABASE_ONLY
from localbase.cli.launch import start_supervisor, wait_served
from localbase.cli.lock import command_lock
from localbase.cli.ports import with_free_ports
from localbase.cli.terminal import say
from localbase.core.errors import UserError
from localbase.postgres.cluster import cluster_of


def arguments(parser: argparse.ArgumentParser) -> None:
    """Nothing that has a meaning here."""
    parser.add_argument("--from-backup", metavar="PATH", help=argparse.SUPPRESS)


def run(call: Call) -> int:
    """Starts the server, or says that it runs already."""
    project = call.project
    if call.options.from_backup:
        raise UserError(
            "--from-backup is not done here.",
            "Start first, then: psql <the address of `supabase status`> -f the backup.",
        )
    with command_lock(project, "db start") as lock:
        if stack.is_running(project):
            say(f"{project.settings.project_id} is already running.")
        else:
            stop_server(cluster_of(project))
            project = with_free_ports(project, call.environ)
            cluster = cluster_of(project)
            setting = "db.port in supabase/config.toml, or SUPABASE_DB_PORT"
            stack.require_free_ports([(project.settings.db.port, setting)])
            prepare_database(project, cluster)
            start_supervisor(project, lock, [DATABASE_ONLY])
            wait_served(project, cluster)
    call.output.show({"DB_URL": project.settings.db_url}, f"DB URL: {project.settings.db_url}")
    return 0
