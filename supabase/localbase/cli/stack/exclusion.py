"""`start --exclude`: services that are left out, under the names of the official CLI's containers.

A service that is left out is one whose section in config.toml says `enabled = false`: the stack's processes find that
in their environment. The names lie there too, for a restart and for other commands.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable

from localbase.core.errors import UserError
from localbase.core.project import Project, open_project

_NAMES = "LOCALBASE_EXCLUDED"
# `db start`: everything but Postgres is left out.
DATABASE_ONLY = "all-but-postgres"
# The container, the short name that is taken too, and the setting that switches it off.
_SETTINGS = {
    DATABASE_ONLY: "LOCALBASE_SERVICES",
    "edge-runtime": "SUPABASE_EDGE_RUNTIME_ENABLED",
    "imgproxy": "SUPABASE_STORAGE_IMAGE_TRANSFORMATION_ENABLED",
    "mailpit": "SUPABASE_LOCAL_SMTP_ENABLED",
    "realtime": "SUPABASE_REALTIME_ENABLED",
    "storage-api": "SUPABASE_STORAGE_ENABLED",
    "studio": "SUPABASE_STUDIO_ENABLED",
}
_SHORT = {"functions": "edge-runtime", "inbucket": "mailpit", "mail": "mailpit", "storage": "storage-api"}
# One process with the gateway: they take no memory of their own.
IN_THE_GATEWAY = ("gotrue", "kong", "postgrest")
_ABSENT = ("logflare", "postgres-meta", "supavisor", "vector")


def parse_names(texts: Iterable[str]) -> list[str]:
    """The names of containers in `texts`, each with commas between several. Raises `UserError` for unknown ones."""
    names = [name.strip() for text in texts for name in text.split(",") if name.strip()]
    excluded = sorted({_SHORT.get(name, name) for name in names})
    services = {*_SETTINGS, *IN_THE_GATEWAY, *_ABSENT} - {DATABASE_ONLY}
    if unknown := [name for name in excluded if name not in services]:
        raise UserError(
            f"There is no service {', '.join(map(repr, unknown))} to leave out.",
            f"These can be: {', '.join(sorted(_SETTINGS.keys() - {DATABASE_ONLY}))}.",
        )
    return excluded


def variables(names: Collection[str]) -> dict[str, str]:
    """Return what the processes of a stack without these services find in their environment."""
    left_out = [name for name in names if name in _SETTINGS]
    if not left_out:
        return {}
    return {_NAMES: ",".join(left_out), **{_SETTINGS[name]: "false" for name in left_out}}


def without(project: Project, names: Collection[str]) -> Project:
    """The project as its stack sees it without these services."""
    extra = variables(names)
    return open_project(project.root, {**project.environ, **extra}) if extra else project


def is_database_only(project: Project) -> bool:
    """Tell whether the project is seen as a stack of Postgres alone."""
    return project.environ.get(_SETTINGS[DATABASE_ONLY]) == "false"


def excluded_names(project: Project) -> list[str]:
    """The services that the stack of this process was started without."""
    return [name for name in project.environ.get(_NAMES, "").split(",") if name]
