"""Starting a stack: are its ports free, its processes, and the wait until all of them serve."""

from __future__ import annotations

from collections.abc import Collection

from localbase.cli import running, stack
from localbase.cli.addresses import show_addresses
from localbase.cli.exclusion import without
from localbase.cli.processes import stack_environ, stack_processes
from localbase.core.project import Project
from localbase.postgres.cluster import Cluster


def require_ports(project: Project, cluster: Cluster, held: Collection[int] = ()) -> None:
    """Raises `UserError` for ports that another program has. `held` are those that the stack has itself."""
    settings = project.settings
    ports = [
        (settings.api.port, "api.port in supabase/config.toml, or SUPABASE_API_PORT"),
        (settings.db.port, "db.port in supabase/config.toml, or SUPABASE_DB_PORT"),
    ]
    if settings.local_smtp.enabled:
        place = "{0} in supabase/config.toml, or SUPABASE_LOCAL_SMTP_{1}"
        ports += [
            (settings.local_smtp.port, place.format("local_smtp.port", "PORT")),
            (settings.local_smtp.smtp_port, place.format("local_smtp.smtp_port", "SMTP_PORT")),
        ]
    processes = stack_processes(project, cluster, {})
    ports += [(process.port, process.setting) for process in processes if process.setting and process.port]
    stack.require_free_ports([(port, setting) for port, setting in ports if port not in held])


def launch(project: Project, cluster: Cluster, lock: int, excluded: Collection[str] = ()) -> None:
    """Starts the supervisor on a database that is ready, waits until all serves, and shows the addresses.

    `excluded` are names of services that are left out.
    """
    start_supervisor(project, lock, excluded)
    wait_ready(project, cluster)


def start_supervisor(project: Project, lock: int, excluded: Collection[str] = ()) -> None:
    """Starts the supervisor, and does not wait for what it starts."""
    project = without(project, excluded)
    stack.launch(project, stack_environ(project), lock)
    running.register(project)


def wait_ready(project: Project, cluster: Cluster) -> None:
    """Waits until every process of a stack that has just been started serves, and shows the addresses."""
    served = wait_served(project, cluster)
    show_addresses(served)


def wait_served(project: Project, cluster: Cluster) -> Project:
    """Waits until every process of a stack that has just been started serves. The project without what is left out."""
    report = stack.wait_report(project)
    project = without(project, report["excluded"])
    stack.wait_ready(project, stack_processes(project, cluster, report["ports"]))
    return project
