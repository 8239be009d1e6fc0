"""`supabase start`: makes the database if need be, migrates and seeds it, starts every process, shows the addresses."""

from __future__ import annotations

import shutil
import subprocess
import time

import psycopg

from localbase.cli import stack
from localbase.cli.processes import stack_environ, stack_processes
from localbase.cli.status import show_addresses
from localbase.cli.terminal import say, step
from localbase.core.errors import UserError
from localbase.core.project import Project
from localbase.postgres import migrate
from localbase.postgres.cluster import Cluster, cluster_of


def start(project: Project) -> int:
    """Starts the stack, or says that it runs already."""
    if stack.is_running(project):
        say(f"{project.settings.project_id} is already running.")
        show_addresses(project)
        return 0
    cluster = cluster_of(project)
    stack.stop_stray_postgres(cluster)
    processes = stack_processes(project, cluster, worker_port=0)
    settings = project.settings
    ports = [
        (settings.api.port, "api.port in supabase/config.toml, or SUPABASE_API_PORT"),
        (settings.db.port, "db.port in supabase/config.toml, or SUPABASE_DB_PORT"),
        (settings.local_smtp.port, "local_smtp.port in supabase/config.toml, or SUPABASE_LOCAL_SMTP_PORT"),
        (
            settings.local_smtp.smtp_port,
            "local_smtp.smtp_port in supabase/config.toml, or SUPABASE_LOCAL_SMTP_SMTP_PORT",
        ),
    ]
    ports += [(process.port, process.setting) for process in processes if process.setting and process.port]
    stack.require_free_ports(ports)
    say(f"Starting {settings.project_id}")
    prepare_database(project, cluster)
    stack.launch(project, stack_environ(project))
    started = time.monotonic()
    port = int(stack.wait_report(project)["functions_port"])
    stack.wait_ready(
        project,
        stack_processes(project, cluster, port),
        lambda process: say(f"  {process.name} … {time.monotonic() - started:.1f} s"),
    )
    show_addresses(project)
    return 0


def prepare_database(project: Project, cluster: Cluster) -> None:
    """Brings the cluster up to the project's newest migration and seed, with a server of its own for that time."""
    fresh = not (cluster.data / "PG_VERSION").exists()
    if fresh:
        with step("making the database"):
            cluster.initialise()
    else:
        cluster.initialise()
    try:
        _migrate(project, cluster)
    except BaseException:
        if fresh:
            # Half a first start is worth nothing: the next one begins anew.
            shutil.rmtree(cluster.data, ignore_errors=True)
        raise


def _migrate(project: Project, cluster: Cluster) -> None:
    account = cluster.account
    server = subprocess.Popen(
        cluster.command(),
        cwd="/",
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
        user=account.uid if account else None,
        group=account.gid if account else None,
        extra_groups=[] if account else None,
    )
    try:
        with _connected(server, cluster) as connection:
            migrate.lay_platform(connection)
            migrate.apply_roles(connection, project, lambda text: say(f"  {text}"))
            migrate.apply_migrations(connection, project, lambda text: say(f"  {text}"))
            migrate.apply_seed(connection, project, lambda text: say(f"  {text}"))
    finally:
        # SIGINT is Postgres's fast shutdown.
        server.send_signal(2)
        server.communicate()


def _connected(server: subprocess.Popen[str], cluster: Cluster) -> psycopg.Connection:
    deadline = time.monotonic() + 60
    while True:
        try:
            return migrate.connect(cluster)
        except psycopg.OperationalError as error:
            if server.poll() is not None:
                log = server.stderr.read() if server.stderr else ""
                raise UserError(
                    f"Postgres did not start:\n{log.strip()}", f"Look at {cluster.data}."
                ) from error
            if time.monotonic() > deadline:
                raise UserError(f"Postgres does not answer: {error}", f"Look at {cluster.data}.") from error
            time.sleep(0.02)  # the server says nowhere else that it accepts connections
