"""Statements of a project's files that the platform performs, because Postgres wants a superuser for them.

On the hosted platform the extension supautils does it, for the role `postgres` alone: extensions, event triggers,
foreign data wrappers. What is made belongs to `postgres` here as there.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from localbase.postgres.allowlist import allowlist
from localbase.postgres.extensions import (
    MEMBERSHIP,
    MOVE,
    SEQUENCE,
    dropped,
    left_out_note,
    offering,
    without_version,
)
from localbase.postgres.extensions import STATEMENT as EXTENSION

if TYPE_CHECKING:
    import psycopg

    from localbase.postgres.report import Report

# Not where letters of both cases are one: to compile these ranges would take a quarter of a command's start.
_NAME = r'("(?:[^"]|"")+"|[A-Za-z_\x80-\uffff][\w$\x80-\uffff]*)'
_KINDS = {
    "event trigger": re.compile(rf"(?i:create\s+event\s+trigger)\s+{_NAME}\s"),
    "foreign data wrapper": re.compile(rf"(?i:create\s+foreign\s+data\s+wrapper)\s+{_NAME}(?:\s|$)"),
}
_ROLE = re.compile(rf"(?i:(?:create|alter)\s+(?:role|user))\s+{_NAME}\s(.*)", re.DOTALL)
_QUOTED = re.compile(r"'(?:[^']|'')*'|\"(?:[^\"]|\"\")*\"")
_ROLE_RIGHTS = re.compile(r"\b(?:no)?(?:bypassrls|replication)\b", re.IGNORECASE)
_ROLE_LIMITS = re.compile(
    r"\b(?:no)?superuser\b|\bin\s+(?:role|group)\b|\b(?:set|reset|rename)\b", re.IGNORECASE
)

_MAY = "select pg_catalog.pg_has_role(current_user, 'postgres', 'usage')"
_AVAILABLE = """
select coalesce(v.superuser and not v.trusted, true) from pg_catalog.pg_available_extensions e
left join pg_catalog.pg_available_extension_versions v on v.name = e.name and v.version = e.default_version
where e.name = %s
"""
# Upstream's can be moved, and ours are where they are in SQL.
_RELOCATABLE = ("pgcrypto", "uuid-ossp")
_NAMES = """
select quote_ident(n.nspname), array_agg(distinct coalesce(p.proname, t.typname))
from pg_catalog.pg_extension e
join pg_catalog.pg_namespace n on n.oid = e.extnamespace
join pg_catalog.pg_depend d on d.refclassid = 'pg_catalog.pg_extension'::regclass and d.refobjid = e.oid
left join pg_catalog.pg_proc p on d.classid = 'pg_catalog.pg_proc'::regclass and p.oid = d.objid
left join pg_catalog.pg_type t on d.classid = 'pg_catalog.pg_type'::regclass and t.oid = d.objid
where e.extname = %s and not e.extrelocatable and coalesce(p.proname, t.typname) is not null
group by 1
"""
_SET_RELOCATABLE = "update pg_catalog.pg_extension set extrelocatable = %s where extname = %s"
_RENAME = """
update pg_catalog.pg_proc p set prosrc = pg_catalog.regexp_replace(p.prosrc, %(old)s, %(new)s, 'g')
from pg_catalog.pg_depend d, pg_catalog.pg_language l
where d.classid = 'pg_catalog.pg_proc'::regclass and d.objid = p.oid and d.deptype = 'e'
  and d.refclassid = 'pg_catalog.pg_extension'::regclass
  and l.oid = p.prolang and l.lanname in ('sql', 'plpgsql') and p.prosrc ~ %(old)s
"""
_FUNCTION = """
select p.oid::pg_catalog.regprocedure::text, r.rolsuper, r.rolname
from pg_catalog.pg_event_trigger t
join pg_catalog.pg_proc p on p.oid = t.evtfoid
join pg_catalog.pg_roles r on r.oid = p.proowner
where t.evtname = %s
"""
# No `alter function`: that would be an event.
_RUN_AS_OWNER = """
update pg_catalog.pg_proc p set prosecdef = true from pg_catalog.pg_event_trigger t
where p.oid = t.evtfoid and t.evtname = %s
"""


def run_privileged(connection: psycopg.Connection, sql: str, report: Report) -> bool:
    """Performs `sql` if it is such a statement; False if it is for the project's role itself.

    The connection is the platform's, its session authorization `postgres`. Raises `psycopg.Error`.
    """
    if match := EXTENSION.match(sql):
        return _run_on_extension(connection, sql, match[1].lower(), match[2] or match[3].lower(), report)
    if match := SEQUENCE.match(sql):
        return _sets_what_is_left_out(connection, match[1], report)
    for kind, pattern in _KINDS.items():
        if match := pattern.match(sql):
            if not _may(connection):
                return False
            with _as_platform(connection):
                connection.execute(sql.encode())
                _TAKEN_OVER[kind](connection, match[1])
            return True
    return _run_on_role(connection, sql)


def _run_on_extension(
    connection: psycopg.Connection, sql: str, verb: str, extension: str, report: Report
) -> bool:
    names = [extension]
    if verb == "drop" and (parts := dropped(sql)):
        head, all_names, end = parts
        names = [name for name in all_names if not _is_left_out(connection, name, report)]
        if not names:
            return True
        sql = head + ", ".join('"{}"'.format(name.replace('"', '""')) for name in names) + end
    row = connection.execute(_AVAILABLE, [names[0]]).fetchone()
    if row is None and verb != "drop":
        return _is_left_out(connection, extension, report)
    if verb in ("create", "alter"):
        sql = without_version(sql)
    allowed = set(names) <= set(allowlist()["extensions"]) and not MEMBERSHIP.match(sql)
    if allowed and (verb != "create" or (row is not None and row[0])) and _may(connection):
        with _as_platform(connection):
            _perform(connection, extension, sql)
    else:
        connection.execute(sql.encode())
    return True


def _perform(connection: psycopg.Connection, extension: str, sql: str) -> None:
    """Runs the statement. Ours in SQL, whose functions name their schema, take the new name with them."""
    move = MOVE.match(sql)
    row = connection.execute(_NAMES, [extension]).fetchone() if move and extension in _RELOCATABLE else None
    if move is None or row is None:
        connection.execute(sql.encode())
        return
    schema, names = row
    connection.execute(_SET_RELOCATABLE, [True, extension])
    connection.execute(sql.encode())
    connection.execute(_SET_RELOCATABLE, [False, extension])
    begin = "" if schema.startswith('"') else r"\m"
    old = rf"{begin}{re.escape(schema)}\.({'|'.join(map(re.escape, names))})\M"
    schema = move[1].replace("\\", "\\\\")
    connection.execute(_RENAME, {"old": old, "new": rf"{schema}.\1"})


def _is_left_out(connection: psycopg.Connection, extension: str, report: Report) -> bool:
    note = left_out_note(extension)
    if note is None or connection.execute(_AVAILABLE, [extension]).fetchone():
        return False
    report.note(note)
    return True


def _sets_what_is_left_out(connection: psycopg.Connection, schema: str, report: Report) -> bool:
    extension = offering(schema)
    there = connection.execute("select from pg_catalog.pg_namespace where nspname = %s", [schema]).fetchone()
    return extension is not None and there is None and _is_left_out(connection, extension, report)


def _run_on_role(connection: psycopg.Connection, sql: str) -> bool:
    """Before Postgres 16 only a superuser gives the right to read past policies, or to replicate."""
    match = _ROLE.match(sql) if connection.info.server_version < 160000 else None
    options = _QUOTED.sub("''", match[2]) if match else ""
    if match is None or not _ROLE_RIGHTS.search(options) or _ROLE_LIMITS.search(options):
        return False
    name = _unquoted(match[1])
    guarded = connection.execute(
        "select from pg_catalog.pg_roles where rolname = %s and (rolsuper or rolname = any (%s))",
        [name, allowlist()["reserved_roles"]],
    ).fetchone()
    if guarded is not None or name in allowlist()["reserved_roles"] or not _may(connection):
        return False
    with _as_platform(connection):
        connection.execute(sql.encode())
    return True


def _may(connection: psycopg.Connection) -> bool:
    """Tell whether the script is at work as `postgres`: it may have taken another role."""
    row = connection.execute(_MAY).fetchone()
    return row is not None and bool(row[0])


@contextmanager
def _as_platform(connection: psycopg.Connection) -> Iterator[None]:
    # One step: where it fails, the session's role is what it was.
    with connection.transaction():
        connection.execute("reset session authorization")
        yield
        connection.execute("set session authorization postgres")


def _own_wrapper(connection: psycopg.Connection, name: str) -> None:
    _give(connection, f"alter foreign data wrapper {name} owner to postgres")


def _own_event_trigger(connection: psycopg.Connection, name: str) -> None:
    """Its function runs as its owner from now on: nobody's event gives it more rights (`06_privileges.sql`)."""
    import psycopg

    row = connection.execute(_FUNCTION, [_unquoted(name)]).fetchone()
    assert row is not None
    if row[1]:
        raise psycopg.errors.InsufficientPrivilege(
            "Non-superuser owned event trigger must execute a non-superuser owned function"
            f' (the function "{row[0]}" is owned by "{row[2]}", a superuser)'
        )
    connection.execute(_RUN_AS_OWNER, [_unquoted(name)])
    _give(connection, f"alter event trigger {name} owner to postgres")


def _give(connection: psycopg.Connection, statement: str) -> None:
    """Gives what only a superuser may own. No other session sees that `postgres` is one for that moment."""
    connection.execute("alter role postgres superuser")
    connection.execute(statement.encode())
    connection.execute("alter role postgres nosuperuser")


def _unquoted(name: str) -> str:
    # Postgres folds letters of ASCII, and no others.
    return name[1:-1].replace('""', '"') if name.startswith('"') else name.encode().lower().decode()


_TAKEN_OVER: dict[str, Callable[[psycopg.Connection, str], None]] = {
    "event trigger": _own_event_trigger,
    "foreign data wrapper": _own_wrapper,
}
