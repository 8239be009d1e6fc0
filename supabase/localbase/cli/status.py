"""`supabase status`: the stack's addresses and keys, for a person, a shell (`-o env`) or a program (`-o json`)."""

from __future__ import annotations

import json

from localbase.cli import stack
from localbase.cli.processes import project_processes, stack_environ
from localbase.cli.terminal import say, show_table
from localbase.core.project import Project
from localbase.core.settings import Settings


def status(project: Project, output: str) -> int:
    """Shows the values; 1 when the stack does not run (they are shown all the same)."""
    running = stack.is_running(project)
    if output == "pretty" and running:
        show_addresses(project)
    elif output == "json":
        print(json.dumps(values(project), indent=2))
    elif output == "env":
        print("\n".join(f'{name}="{value}"' for name, value in values(project).items()))
    if not running:
        say(f"{project.settings.project_id} is not running. Start it with `supabase start`.")
    return 0 if running else 1


def values(project: Project) -> dict[str, str]:
    """The official CLI's names, and `SITE_URL`."""
    settings, keys = project.settings, project.settings.keys
    return {
        "API_URL": settings.api_url,
        "REST_URL": f"{settings.api_url}/rest/v1",
        "FUNCTIONS_URL": f"{settings.api_url}/functions/v1",
        "STORAGE_URL": f"{settings.api_url}/storage/v1",
        "DB_URL": settings.db_url,
        "MAILPIT_URL": settings.mailbox_url,
        "INBUCKET_URL": settings.mailbox_url,
        "SITE_URL": settings.auth.site_url,
        "PUBLISHABLE_KEY": keys.publishable,
        "SECRET_KEY": keys.secret,
        "JWT_SECRET": keys.jwt_secret,
        "ANON_KEY": keys.anon,
        "SERVICE_ROLE_KEY": keys.service_role,
        **_s3_values(settings),
    }


def _s3_values(settings: Settings) -> dict[str, str]:
    protocol = settings.storage.s3_protocol
    if not protocol.enabled:
        return {}
    address = {"STORAGE_S3_URL": f"{settings.api_url}/storage/v1/s3", "S3_PROTOCOL_REGION": protocol.region}
    if settings.s3_keys is None:
        return address
    access_key, secret = settings.s3_keys
    return {**address, "S3_PROTOCOL_ACCESS_KEY_ID": access_key, "S3_PROTOCOL_ACCESS_KEY_SECRET": secret}


def show_addresses(project: Project) -> None:
    """The table that a person reads after a start."""
    settings = project.settings
    own = [(p.title, p.address) for p in project_processes(project, stack_environ(project)) if p.title]
    print()
    show_table(
        [
            *own,
            ("API", settings.api_url),
            ("Mailbox", settings.mailbox_url),
            ("Database", settings.db_url),
            ("Publishable key", settings.keys.publishable),
            ("Secret key", settings.keys.secret),
            ("Logs", str(project.state / "logs")),
        ]
    )
    print()
