"""The processes of a stack: localbase's own, and those that a project lists in `supabase/processes.toml`.

A project's process is a table `[name]` with `command` (a list; `python` is the one that runs localbase), and optionally
`ready` (an address that answers 200 once it serves), `setting` (what to change when its port is taken) and `title` (its
line in the table of addresses). `${NAME:-default}` stands for a variable.
"""

from __future__ import annotations

import re
import sys
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from localbase.core.errors import UserError
from localbase.core.project import Project
from localbase.postgres.cluster import Account, Cluster

_VARIABLE = re.compile(r"\$\{(\w+)(?::-([^}]*))?\}")


@dataclass(frozen=True, slots=True)
class Process:
    """One process to keep running. `ready` is an HTTP address that answers 200 when it serves."""

    name: str
    command: tuple[str, ...]
    cwd: Path
    ready: str = ""
    title: str = ""
    setting: str = ""
    account: Account | None = None
    environ: Mapping[str, str] = field(default_factory=dict)

    @property
    def address(self) -> str:
        """What a person opens: the ready address without its path."""
        parts = urlsplit(self.ready)
        return f"{parts.scheme}://{parts.netloc}" if parts.netloc else ""

    @property
    def port(self) -> int | None:
        """The port that it will listen on, as far as `ready` tells."""
        return urlsplit(self.ready).port


def stack_environ(project: Project) -> dict[str, str]:
    """What every process of the stack finds in its environment: the hosted platform's names for functions."""
    settings, keys = project.settings, project.settings.keys
    given = {
        "SUPABASE_URL": settings.api_url,
        "SUPABASE_PUBLIC_URL": settings.api_url,
        "SUPABASE_ANON_KEY": keys.anon,
        "SUPABASE_SERVICE_ROLE_KEY": keys.service_role,
        "SUPABASE_PUBLISHABLE_KEY": keys.publishable,
        "SUPABASE_SECRET_KEY": keys.secret,
        "SUPABASE_DB_URL": settings.db_url,
        "JWT_SECRET": keys.jwt_secret,
        "SITE_URL": settings.auth.site_url,
        "LOCALBASE_DATA": str(project.state),
        "PYTHONUNBUFFERED": "1",
    }
    mail = {"SMTP_HOST": "127.0.0.1", "SMTP_PORT": str(settings.local_smtp.smtp_port)}
    own_mail_server = {} if project.environ.get("SMTP_HOST") else mail
    return {**project.environ, **settings.edge_runtime.secrets, **own_mail_server, **given}


def stack_processes(project: Project, cluster: Cluster, worker_port: int) -> list[Process]:
    """Everything that makes up the stack, in the order of starting."""
    environ = stack_environ(project) | {"LOCALBASE_FUNCTIONS_PORT": str(worker_port)}
    python = sys.executable
    own = ("--workdir", str(project.root))
    settings = project.settings
    processes = [
        Process("postgres", tuple(cluster.command()), Path("/"), account=cluster.account),
        Process(
            "gateway",
            (python, "-m", "localbase.serve", *own),
            project.root,
            ready=f"{settings.api_url}/health",
            environ=environ,
        ),
    ]
    if settings.edge_runtime.enabled and project.functions.is_dir():
        command = (python, "-m", "localbase.functions.worker", str(project.functions))
        ready = f"http://127.0.0.1:{worker_port}/_health"
        processes.append(Process("functions", command, project.root, ready=ready, environ=environ))
    return processes + project_processes(project, environ)


def project_processes(project: Project, environ: Mapping[str, str]) -> list[Process]:
    """The processes of `supabase/processes.toml`; none without that file."""
    path = project.supabase / "processes.toml"
    if not path.is_file():
        return []
    try:
        tables = tomllib.loads(path.read_text(encoding="utf-8"))
    except tomllib.TOMLDecodeError as error:
        raise UserError(f"{path} is not valid TOML: {error}", "Mend the line and try again.") from error
    return [_project_process(path, name, table, project, environ) for name, table in tables.items()]


def _project_process(
    path: Path, name: str, table: Any, project: Project, environ: Mapping[str, str]
) -> Process:
    command = table.get("command") if isinstance(table, dict) else None
    if not isinstance(command, list) or not command or not all(isinstance(part, str) for part in command):
        raise UserError(f'{path}: [{name}] needs command = ["program", …].', "Mend it and try again.")
    parts = [_expand(part, environ) for part in command]
    if parts[0] in ("python", "python3"):
        parts[0] = sys.executable
    return Process(
        name,
        tuple(parts),
        project.root,
        ready=_expand(str(table.get("ready", "")), environ),
        title=str(table.get("title", "")),
        setting=str(table.get("setting", f"supabase/processes.toml, [{name}]")),
        environ=environ,
    )


def _expand(text: str, environ: Mapping[str, str]) -> str:
    return _VARIABLE.sub(lambda match: environ.get(match[1]) or match[2] or "", text)
