"""Starting a stack: are its ports free, its processes, and the wait until all of them serve."""

from __future__ import annotations

from collections.abc import Collection

from localbase.cli import stack
from localbase.cli.addresses import show_addresses
from localbase.cli.processes import stack_environ, stack_processes
from localbase.core.project import Project
from localbase.postgres.cluster import Cluster


def require_ports(project: Project, cluster: Cluster, held: Collection[int] = ()) -> None:
    """Raises `UserError` for ports that another program has. `held` are those that the stack has itself."""
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
    processes = stack_processes(project, cluster, {})
    ports += [(process.port, process.setting) for process in processes if process.setting and process.port]
    stack.require_free_ports([(port, setting) for port, setting in ports if port not in held])


def launch(project: Project, cluster: Cluster, lock: int) -> None:
    """Starts the supervisor on a database that is ready, waits until all serves, and shows the addresses."""
    stack.launch(project, stack_environ(project), lock)
    wait_ready(project, cluster)


def wait_ready(project: Project, cluster: Cluster) -> None:
    """Waits until every process of a stack that has just been started serves, and shows the addresses."""
    wait_served(project, cluster)
    show_addresses(project)


def wait_served(project: Project, cluster: Cluster) -> None:
    """Waits until every process of a stack that has just been started serves."""
    ports = stack.wait_report(project)["ports"]
    stack.wait_ready(project, stack_processes(project, cluster, ports))
