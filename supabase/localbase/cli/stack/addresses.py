"""The stack's addresses and keys, for a person and for programs."""

from __future__ import annotations

from localbase.cli.stack.processes import project_processes, stack_environ
from localbase.cli.terminal import table
from localbase.core.errors import UserError
from localbase.core.moved_ports import moved_file, read_moved
from localbase.core.project import Project
from localbase.core.settings import Settings

# The official CLI's keys of the values, for `--override-name`.
_KEYS = {
    "api.url": "API_URL",
    "api.rest_url": "REST_URL",
    "api.functions_url": "FUNCTIONS_URL",
    "api.storage_url": "STORAGE_URL",
    "db.url": "DB_URL",
    "studio.url": "STUDIO_URL",
    "mailpit.url": "MAILPIT_URL",
    "inbucket.url": "INBUCKET_URL",
    "auth.site_url": "SITE_URL",
    "auth.publishable_key": "PUBLISHABLE_KEY",
    "auth.secret_key": "SECRET_KEY",
    "auth.jwt_secret": "JWT_SECRET",
    "auth.anon_key": "ANON_KEY",
    "auth.service_role_key": "SERVICE_ROLE_KEY",
    "storage.s3_url": "STORAGE_S3_URL",
    "storage.s3_region": "S3_PROTOCOL_REGION",
    "storage.s3_access_key_id": "S3_PROTOCOL_ACCESS_KEY_ID",
    "storage.s3_secret_access_key": "S3_PROTOCOL_ACCESS_KEY_SECRET",
}


def overridden(values: dict[str, str], overrides: list[str]) -> dict[str, str]:
    """The values under other names: each override is `key=NAME`, or several with commas. Raises `UserError`."""
    names = {}
    for text in ",".join(overrides).split(",") if overrides else []:
        key, _, name = text.strip().partition("=")
        if key not in _KEYS or not name.isidentifier():
            raise UserError(
                f"--override-name {text!r} is no key and name.",
                f"Write KEY=NAME, the key being one of {', '.join(_KEYS)}.",
            )
        names[_KEYS[key]] = name
    return {names.get(name, name): value for name, value in values.items()}


def values(project: Project) -> dict[str, str]:
    """The official CLI's names, and `SITE_URL`."""
    settings, keys = project.settings, project.settings.keys
    return {
        "API_URL": settings.api_url,
        "REST_URL": f"{settings.api_url}/rest/v1",
        "FUNCTIONS_URL": f"{settings.api_url}/functions/v1",
        "STORAGE_URL": f"{settings.api_url}/storage/v1",
        "DB_URL": settings.shown_db_url,
        **({"STUDIO_URL": settings.studio_url} if settings.studio.enabled else {}),
        "MAILPIT_URL": settings.mailbox_url,
        "INBUCKET_URL": settings.mailbox_url,
        "SITE_URL": settings.auth.site_url,
        "PUBLISHABLE_KEY": keys.publishable,
        "SECRET_KEY": keys.secret,
        "JWT_SECRET": keys.jwt_secret,
        "ANON_KEY": keys.anon,
        "SERVICE_ROLE_KEY": keys.service_role,
        **_s3_values(settings),
        **_moved_values(project),
    }


def _moved_values(project: Project) -> dict[str, str]:
    """Variables that name ports of the project's own processes, where those have others than their own."""
    moved = read_moved(moved_file(project.state)).environ
    return {name: project.environ[name] for name in moved if name in project.environ}


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
    rows = [
        *own,
        ("API", settings.api_url),
        *([("Studio", settings.studio_url)] if settings.studio.enabled else []),
        *([("Mailbox", settings.mailbox_url)] if settings.local_smtp.enabled else []),
        ("Database", settings.shown_db_url),
        ("Publishable key", settings.keys.publishable),
        ("Secret key", settings.keys.secret),
        ("Logs", str(project.state / "logs")),
    ]
    print(f"\n{table(rows)}\n")
