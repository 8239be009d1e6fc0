"""The processes of a stack: localbase's own, and those that a project lists in `supabase/processes.toml`.

A project's process is a table `[name]` with `command` (a list; `python` is the one that runs localbase), and optionally
`ready` (an address that answers 200 once it serves), `setting` (what to change when its port is taken), `title` (its
line in the table of addresses), and `socket`: the name of a variable in which it finds the descriptor of a listening
socket on the port of `ready`, at `host` (127.0.0.1), that stays open while it restarts. `${NAME:-default}` is replaced
by a variable.
"""

from __future__ import annotations

import re
import sys
import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from localbase.cli.stack.exclusion import is_database_only
from localbase.cli.stack.health import Target
from localbase.cli.stack.sockets import Listener
from localbase.core.errors import UserError
from localbase.core.project import Project
from localbase.core.text_files import read_text
from localbase.core.web.identity import IDENTITY
from localbase.gateway.workers import worker_count
from localbase.postgres.cluster import Account, Cluster
from localbase.postgres.damage import remove_stale_lock

# The connection between the gateway's processes: the first listens there.
_LOOPBACK = ("127.0.0.1", "localhost")
# Apple's frameworks end a forked process that uses them, as a look-up of proxies does, unless this is set.
_FORKS_ON_MACOS = {"OBJC_DISABLE_INITIALIZE_FORK_SAFETY": "YES"} if sys.platform == "darwin" else {}
# The variable at the place of the port in the address of a process.
_PORT_VARIABLE = re.compile(r"^http://(?:127\.0\.0\.1|localhost):\$\{(\w+)(?::-\d*)?\}")
_VARIABLE = re.compile(r"\$\{(\w+)(?::-([^}]*))?\}")


@dataclass(frozen=True, slots=True)
class Process:
    """One process to keep running.

    `ready` is an HTTP address that answers 200 when it serves, `listeners` are sockets that are held for it, `health`
    finds it hanging. Of a stack that is stopped the highest tier ends first.
    """

    name: str
    command: tuple[str, ...]
    cwd: Path
    ready: str = ""
    title: str = ""
    setting: str = ""
    account: Account | None = None
    environ: Mapping[str, str] = field(default_factory=dict)
    listeners: tuple[Listener, ...] = ()
    # Whether it takes the connections that others give it; None for a process that does neither.
    takes_connections: bool | None = None
    health: Target | None = None
    tier: int = 2
    # Started at the first connection to one of its sockets.
    is_on_demand: bool = False
    # Called before a start, where nothing of the one before runs any more.
    clear: Callable[[], None] | None = None

    @property
    def address(self) -> str:
        """Return what a person opens: the ready address without its path."""
        parts = urlsplit(self.ready)
        return f"{parts.scheme}://{parts.netloc}" if parts.netloc else ""

    @property
    def port(self) -> int | None:
        """The port that it will listen on, if `ready` names one."""
        return urlsplit(self.ready).port

    @property
    def is_own(self) -> bool:
        """Tell whether it is a part of localbase, which says whose it is."""
        return self.command[1:2] == ("-m",) and self.command[2].startswith("localbase.")

    @property
    def bound_port(self) -> int | None:
        """The port that it binds by itself."""
        return None if self.listeners or self.health is None else self.health.port


def stack_environ(project: Project) -> dict[str, str]:
    """Return what every process of the stack finds in its environment: the hosted platform's names for functions."""
    settings, keys = project.settings, project.settings.keys
    platform_environ = {
        "SUPABASE_URL": settings.api_url,
        "SUPABASE_PUBLIC_URL": settings.api_url,
        "FUNCTIONS_URL": f"{settings.api_url}/functions/v1",
        "SUPABASE_ANON_KEY": keys.anon,
        "SUPABASE_SERVICE_ROLE_KEY": keys.service_role,
        "SUPABASE_PUBLISHABLE_KEY": keys.publishable,
        "SUPABASE_SECRET_KEY": keys.secret,
        "SUPABASE_DB_URL": settings.db_url,
        "JWT_SECRET": keys.jwt_secret,
        "SITE_URL": settings.auth.site_url,
        "LOCALBASE_DATA": str(project.state),
        IDENTITY: project.identity,
        "PYTHONUNBUFFERED": "1",
    }
    mail = {"SMTP_HOST": "127.0.0.1", "SMTP_PORT": str(settings.local_smtp.smtp_port)}
    own_mail_server = {} if project.environ.get("SMTP_HOST") else mail
    # Names of the platform are its own: the functions' host warns of the others.
    secrets = {n: v for n, v in settings.edge_runtime.secrets.items() if not n.startswith("SUPABASE_")}
    return {**project.environ, **secrets, **own_mail_server, **platform_environ}


def private_ports(project: Project) -> list[str]:
    """Names of the processes whose ports the supervisor chooses."""
    return [
        *_gateway_names(project),
        *(["functions"] if project.settings.edge_runtime.enabled else []),
    ]


def stack_processes(project: Project, cluster: Cluster, ports: Mapping[str, int]) -> list[Process]:
    """Everything that makes up the stack, in the order of starting. `ports` are those of `private_ports`."""
    functions_port = ports.get("functions", 0)
    environ = stack_environ(project) | {"LOCALBASE_FUNCTIONS_PORT": str(functions_port)}
    python = sys.executable
    postgres = Process(
        "postgres",
        tuple(cluster.command()),
        Path("/"),
        account=cluster.account,
        health=Target.postgres(cluster.port),
        tier=0,
        clear=partial(remove_stale_lock, cluster),
    )
    if is_database_only(project):
        return [postgres]
    processes = [*([] if cluster.external else [postgres]), *_gateways(project, ports, environ)]
    if project.settings.edge_runtime.enabled:
        is_on_demand = not project.functions.is_dir()
        command = (python, "-m", "localbase.functions.worker", "--workdir", str(project.root))
        processes.append(
            Process(
                "functions",
                command,
                project.root,
                ready="" if is_on_demand else f"http://127.0.0.1:{functions_port}/_health",
                is_on_demand=is_on_demand,
                # Threads that wait would keep what glibc has given them for pictures: large blocks go back at once.
                environ={"MALLOC_MMAP_THRESHOLD_": "1000000", **_FORKS_ON_MACOS, **environ},
                listeners=(Listener("LOCALBASE_FUNCTIONS_FD", functions_port),),
                health=Target.http(functions_port, "/_health"),
            )
        )
    return [*processes, *_studio(project, environ), *project_processes(project, environ)]


def _studio(project: Project, environ: Mapping[str, str]) -> list[Process]:
    settings = project.settings.studio
    if not settings.enabled:
        return []
    return [
        Process(
            "studio",
            (sys.executable, "-m", "localbase.studio.server", "--workdir", str(project.root)),
            project.root,
            is_on_demand=True,
            setting="studio.port in supabase/config.toml, or SUPABASE_STUDIO_PORT",
            environ=environ,
            listeners=(Listener("LOCALBASE_STUDIO_FD", settings.port),),
            health=Target.http(settings.port, "/live"),
        )
    ]


def _gateways(project: Project, ports: Mapping[str, int], environ: Mapping[str, str]) -> list[Process]:
    """The gateway, and the others that share its port. The first serves the mailbox too."""
    settings = project.settings
    api = Listener("LOCALBASE_API_FD", settings.api.port)
    mail: tuple[Listener, ...] = (
        Listener("LOCALBASE_MAILBOX_FD", settings.local_smtp.port),
        Listener("LOCALBASE_SMTP_FD", settings.local_smtp.smtp_port),
    )
    if not settings.local_smtp.enabled:
        mail = ()
    gateways = []
    names = _gateway_names(project)
    for index, name in enumerate(names):
        port = ports.get(name, 0)
        own = Listener("LOCALBASE_LIVE_FD", port)
        gateways.append(
            Process(
                name,
                (
                    sys.executable,
                    "-m",
                    "localbase.gateway.server",
                    "--workdir",
                    str(project.root),
                    "--worker",
                    str(index),
                ),
                project.root,
                # Each has a probe of its own: at the common port another could answer for one that hangs.
                ready=f"http://127.0.0.1:{port}/live",
                environ=environ,
                listeners=(own, api, *(mail if index == 0 else ())),
                takes_connections=index == 0 if len(names) > 1 else None,
                health=Target.http(port, "/live"),
                tier=1,
            )
        )
    return gateways


def _gateway_names(project: Project) -> list[str]:
    count = worker_count(project.environ)
    return ["gateway", *(f"gateway-{number}" for number in range(2, count + 1))]


def project_processes(project: Project, environ: Mapping[str, str]) -> list[Process]:
    """The processes of `supabase/processes.toml`; none without that file."""
    path = project.supabase / "processes.toml"
    if not path.is_file():
        return []
    try:
        tables = tomllib.loads(read_text(path))
    except tomllib.TOMLDecodeError as error:
        raise UserError(f"{path} is not valid TOML: {error}", "Mend the line and try again.") from error
    return [_project_process(path, name, table, project, environ) for name, table in tables.items()]


def port_variables(project: Project) -> dict[int, str]:
    """The ports of the project's own processes, each with the variable that names it.

    That is `SITE_URL` where the site's address does, and empty where processes.toml has the number itself.
    """
    path = project.supabase / "processes.toml"
    variables = {}
    for process in project_processes(project, stack_environ(project)):
        if process.port is not None:
            ready = str(tomllib.loads(read_text(path))[process.name].get("ready", ""))
            match = _PORT_VARIABLE.match(ready)
            variables[process.port] = (
                match[1] if match else "SITE_URL" if ready.startswith("${SITE_URL}") else ""
            )
    return variables


def _project_process(
    path: Path, name: str, table: Any, project: Project, environ: Mapping[str, str]
) -> Process:
    command = table.get("command") if isinstance(table, dict) else None
    if not isinstance(command, list) or not command or not all(isinstance(part, str) for part in command):
        raise UserError(f'{path}: [{name}] needs command = ["program", …].', "Mend it and try again.")
    parts = [_expand(part, environ) for part in command]
    if parts[0] in ("python", "python3"):
        parts[0] = sys.executable
    ready = _expand(str(table.get("ready", "")), environ)
    address = urlsplit(ready)
    # Only an address of this machine is known to belong to the process.
    try:
        port = address.port if address.scheme == "http" and address.hostname in _LOOPBACK else None
    except ValueError as error:
        raise UserError(f"{path}: [{name}] ready = {ready!r}: {error}.", "Mend it and try again.") from error
    variable = str(table.get("socket", ""))
    host = _expand(str(table.get("host", "127.0.0.1")), environ)
    return Process(
        name,
        tuple(parts),
        project.root,
        ready=ready,
        title=str(table.get("title", "")),
        setting=str(table.get("setting", f"supabase/processes.toml, [{name}]")),
        environ=environ,
        listeners=(Listener(variable, port, host),) if variable and port else (),
        health=Target.http(port, address.path) if port else None,
    )


def _expand(text: str, environ: Mapping[str, str]) -> str:
    return _VARIABLE.sub(lambda match: environ.get(match[1]) or match[2] or "", text)
