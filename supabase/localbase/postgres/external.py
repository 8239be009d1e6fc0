"""A Postgres that the owner runs (`[db] external_url`), and what keeps a project from using it.

localbase starts no server there and is no superuser: it logs in as the roles of `db roles --print`, which share the
password of the address, and `postgres` is the one that owns the database.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from localbase.core.database_address import PROJECT_ROLE, name_of, parameters_of, url_of
from localbase.core.errors import UserError
from localbase.postgres.binaries import OLDEST_MAJOR

if TYPE_CHECKING:
    import psycopg

# Where two processes of two gateways change the platform's schemas or migrate, one waits for the other: a key of
# Postgres's advisory locks, as is that of `gateway/lead.py`.
_PREPARING = 0x6C6F63616C0001
_ROLES_FILE = "localbase db roles --print"
LOGIN_ROLES = (
    PROJECT_ROLE,
    "authenticator",
    "supabase_auth_admin",
    "supabase_storage_admin",
    "supabase_realtime_admin",
    "supabase_replication_admin",
)
_ROLES = (*LOGIN_ROLES, "anon", "authenticated", "service_role", "dashboard_user", "supabase_functions_admin")
_STATE = """
select pg_catalog.current_setting('wal_level') as wal_level,
  (select r.rolsuper from pg_catalog.pg_roles r where r.rolname = current_user) as is_superuser,
  array(select n from pg_catalog.unnest(%(roles)s::text[]) as n
    where not exists (select from pg_catalog.pg_roles where rolname = n)) as missing_roles,
  array(select n from pg_catalog.unnest(%(extensions)s::text[]) as n
    where not exists (select from pg_catalog.pg_extension where extname = n)) as missing_extensions,
  pg_catalog.to_regnamespace('extensions') is not null as has_schema,
  pg_catalog.pg_is_in_recovery() as is_replica,
  pg_catalog.to_regnamespace('auth') is not null as has_auth,
  pg_catalog.to_regclass('_localbase.platform') is not null as is_own,
  (select pg_catalog.pg_get_userbyid(datdba) from pg_catalog.pg_database
    where datname = pg_catalog.current_database()) as owner
"""


def connect(address: str) -> psycopg.Connection:
    """A connection as the project's own role that commits each statement. Raises `UserError`."""
    import psycopg

    try:
        return psycopg.connect(url_of(address, PROJECT_ROLE), autocommit=True)
    except psycopg.Error as error:
        said = " ".join(str(error).split()) or type(error).__name__
        password = parameters_of(address).get("password")
        said = said.replace(password, "********") if password else said
        is_refused = isinstance(error, psycopg.OperationalError) and (
            'role "' in said or "password authentication failed" in said
        )
        raise UserError(
            f"The database {name_of(address)} of db.external_url does not let {PROJECT_ROLE} in: {said}"
            if is_refused
            else f"The database {name_of(address)} of db.external_url cannot be reached: {said}",
            f"Run what `{_ROLES_FILE}` prints there, as its superuser: it makes the roles, with that password."
            if is_refused
            else "Start that server, or correct the address in supabase/config.toml.",
        ) from None


def require_fit(
    connection: psycopg.Connection, address: str, extensions: list[str], *, realtime: bool
) -> None:
    """Raises `UserError` for a database that the project cannot be served from. `extensions` are those it needs."""
    from psycopg.rows import dict_row

    name, version = name_of(address), connection.info.server_version
    if version // 10000 < OLDEST_MAJOR:
        raise UserError(
            f"{name} is Postgres {version // 10000}; localbase needs {OLDEST_MAJOR} or later.",
            "Name a newer server in db.external_url.",
        )
    values = {"roles": list(_ROLES), "extensions": extensions}
    with connection.cursor(row_factory=dict_row) as cursor:
        state = cursor.execute(_STATE, values).fetchone()
    assert state is not None
    if state["is_replica"]:
        raise UserError(
            f"{name} is a replica, which takes no writes.",
            "Name its primary in db.external_url, or all servers with target_session_attrs=read-write.",
        )
    run_file = f"Run what `{_ROLES_FILE}` prints there, as its superuser."
    if state["has_auth"] and not state["is_own"]:
        raise UserError(
            f"{name} has a schema auth that localbase did not make: it may be another project's, or Supabase's own.",
            "Make a database of its own for this project (create database shop), and name that in db.external_url.",
        )
    if state["is_superuser"]:
        raise UserError(
            f"{name}: the role {PROJECT_ROLE} is a superuser there, and localbase takes no such rights.",
            "Use a server whose superuser has another name (initdb --username=owner).",
        )
    if state["missing_roles"]:
        raise UserError(f"{name} lacks the roles {', '.join(state['missing_roles'])}.", run_file)
    if state["owner"] != PROJECT_ROLE or not state["has_schema"]:
        raise UserError(f"{name} does not belong to the role {PROJECT_ROLE} yet.", run_file)
    if state["missing_extensions"]:
        raise UserError(f"{name} lacks the extensions {', '.join(state['missing_extensions'])}.", run_file)
    if realtime and state["wal_level"] != "logical":
        raise UserError(
            f"{name} has wal_level {state['wal_level']}, and Realtime reads changes from a logical log.",
            "Run `alter system set wal_level = logical` there as its superuser, and start that server anew; "
            "or set [realtime] enabled = false.",
        )


def wait_for_turn(connection: psycopg.Connection, waiting: Callable[[], None]) -> None:
    """Has one process at a time prepare the database. The connection's end gives the turn on.

    `waiting` is called where another has it.
    """
    row = connection.execute("select pg_catalog.pg_try_advisory_lock(%s)", [_PREPARING]).fetchone()
    if row is not None and not row[0]:
        waiting()
        connection.execute("select pg_catalog.pg_advisory_lock(%s)", [_PREPARING])
