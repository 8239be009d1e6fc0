"""Settings of the database in `config.toml`: secrets of the vault, and the access to new tables.

Applied at every start, before the project's own roles and migrations, which may use both. The access to new tables only
where the setting has changed: what a migration took from the defaults must not come back.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from localbase.core.project import Project

if TYPE_CHECKING:
    # Imported where a connection is made: a restart of the stack needs none.
    import psycopg

# Noted in `_localbase.platform`, where the platform's defaults were taken back.
NOT_EXPOSED = "api.auto_expose_new_tables = false"
_ROLES = "anon, authenticated, service_role"
_NEW = "alter default privileges for role postgres in schema public "
# What the official CLI takes from its roles for `false`; the default privileges of the platform give all.
_RIGHTS = {
    "tables": "select, insert, update, delete",
    "sequences": "usage, select",
    "functions": "execute",
}


def apply_database_settings(connection: psycopg.Connection, project: Project) -> None:
    """`[db.vault]` and `api.auto_expose_new_tables`, as the project has them now."""
    with connection.transaction():
        _expose_new_tables(connection, exposed=project.settings.api.auto_expose_new_tables)
        for name, secret in project.settings.db.vault.items():
            _put_secret(connection, name, secret)


def _expose_new_tables(connection: psycopg.Connection, *, exposed: bool) -> None:
    noted = connection.execute("select from _localbase.platform where name = %s", [NOT_EXPOSED]).fetchone()
    if exposed == (noted is None):
        return
    for kind, rights in _RIGHTS.items():
        change = f"grant all on {kind} to {_ROLES}" if exposed else f"revoke {rights} on {kind} from {_ROLES}"
        connection.execute((_NEW + change).encode())
    note = "delete from _localbase.platform where name = %s"
    connection.execute(note if exposed else "insert into _localbase.platform values (%s)", [NOT_EXPOSED])


def _put_secret(connection: psycopg.Connection, name: str, secret: str) -> None:
    row = connection.execute(
        "select id, decrypted_secret from vault.decrypted_secrets where name = %s", [name]
    ).fetchone()
    if row is None:
        connection.execute("select vault.create_secret(%s, %s)", [secret, name])
    elif row[1] != secret:
        connection.execute("select vault.update_secret(%s, %s)", [row[0], secret])
