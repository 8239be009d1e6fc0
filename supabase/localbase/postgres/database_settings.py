"""What `config.toml` says of the database beyond its ports: secrets of the vault, and who may reach new tables.

Applied at every start, before the project's own roles and migrations, which may use both.
"""

from __future__ import annotations

import psycopg
from psycopg import sql

from localbase.core.project import Project

_REACHING = sql.SQL(
    "alter default privileges for role postgres in schema public {verb} all on {kind} "
    "{to} anon, authenticated, service_role"
)


def apply_database_settings(connection: psycopg.Connection, project: Project) -> None:
    """`[db.vault]` and `api.auto_expose_new_tables`, as the project has them now."""
    with connection.transaction():
        exposes = project.settings.api.auto_expose_new_tables
        for kind in ("tables", "functions", "sequences"):
            connection.execute(
                _REACHING.format(
                    verb=sql.SQL("grant" if exposes else "revoke"),
                    kind=sql.SQL(kind),
                    to=sql.SQL("to" if exposes else "from"),
                )
            )
        for name, secret in project.settings.db.vault.items():
            _put_secret(connection, name, secret)


def _put_secret(connection: psycopg.Connection, name: str, secret: str) -> None:
    found = connection.execute(
        "select id, decrypted_secret from vault.decrypted_secrets where name = %s", [name]
    ).fetchone()
    if found is None:
        connection.execute("select vault.create_secret(%s, %s)", [secret, name])
    elif found[1] != secret:
        connection.execute("select vault.update_secret(%s, %s)", [found[0], secret])
