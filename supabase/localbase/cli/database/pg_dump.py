"""`pg_dump` and `pg_dumpall` of the project's own Postgres, and their scripts made fit for a new Supabase project.

There the platform's schemas, roles and default privileges are already, and the role that restores is no superuser.
"""

from __future__ import annotations

import os
import re
import subprocess
from collections.abc import Callable, Iterator, Sequence

from localbase.cli.database.db_url import Target, without_password
from localbase.core.errors import UserError
from localbase.core.project import Project
from localbase.postgres.cluster import cluster_of
from localbase.postgres.scripts.statements import split

PLATFORM_ROLES = frozenset(
    {
        *(
            "anon",
            "authenticated",
            "authenticator",
            "cli_login_postgres",
            "dashboard_user",
            "pgbouncer",
            "postgres",
        ),
        *(
            "service_role",
            "supabase_admin",
            "supabase_auth_admin",
            "supabase_etl_admin",
            "supabase_functions_admin",
        ),
        *("supabase_read_only_user", "supabase_realtime_admin", "supabase_replication_admin"),
        *("supabase_storage_admin", "supabase_superuser", "supabase_privileged_role"),
    }
)
_META_COMMAND = re.compile(r"^\\(?:un)?restrict .*\n", re.MULTILINE)
_LEFT_OUT = re.compile(
    r"""(?:create|alter|comment\s+on)\s+event\s+trigger\b
      | comment\s+on\s+extension\b
      | comment\s+on\s+schema\s+"public"\s+is\s+'standard
      | set\s+session\s+authorization\b | reset\s+session\s+authorization\b
      | set\s+(?:transaction_timeout|default_table_access_method|default_tablespace|row_security)\b
      | alter\s+default\s+privileges\s+for\s+role\s+"supabase_admin"
      | alter\s+(?:event\s+trigger|schema|extension)\b.*\bowner\s+to
      # The platform's gifts, which the project's role may not grant to itself.
      | grant\b.*\bto\s+"postgres"\s+with\s+grant\s+option\b
    """,
    re.IGNORECASE | re.VERBOSE | re.DOTALL,
)
_CREATE_SCHEMA = re.compile(r"create schema (?!if not exists)", re.IGNORECASE)


def run_program(project: Project, target: Target, program: str, arguments: Sequence[str]) -> str:
    """Return what `pg_dump` or `pg_dumpall` prints. The address goes by the environment, for the password's sake."""
    binaries = cluster_of(project).binaries
    with target.connect() as connection:
        major = connection.info.server_version // 10000
    if major > binaries.major:
        raise UserError(
            f"{target.name} is Postgres {major}; pg_dump of Postgres {binaries.major} cannot read it.",
            f"Set PG_BIN to the bin folder of a Postgres {major}.",
        )
    environ = {name: value for name, value in os.environ.items() if not name.startswith("PG")}
    done = subprocess.run(
        [binaries.path(program), *arguments],
        env={**environ, **target.environ()},
        cwd="/",
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=False,
    )
    if done.returncode:
        said = without_password(done.stderr.strip(), target.parameters)
        raise UserError(
            f"{program} of {target.name} failed:\n  {said}", "Check that the role may read all of it."
        )
    return done.stdout


def portable_schema(script: str, *, remarks: bool) -> Iterator[str]:
    """The statements of a schema's dump that a new project can run, with pg_dump's remarks above them if wanted."""
    script = without_meta_commands(script)
    lines = script.splitlines()
    for piece in split(script):
        if not _LEFT_OUT.match(piece.sql):
            above = _remarks_above(lines, piece.line - 1) if remarks else ""
            yield above + _CREATE_SCHEMA.sub("CREATE SCHEMA IF NOT EXISTS ", piece.sql, count=1)


def _remarks_above(lines: Sequence[str], line: int) -> str:
    start = line
    while start and (not lines[start - 1] or lines[start - 1].startswith("--")):
        start -= 1
    return "".join(f"{text}\n" for text in lines[start:line] if text)


def without_meta_commands(script: str) -> str:
    """A dump without what only psql understands."""
    return _META_COMMAND.sub("", script)


def portable_roles(script: str) -> Iterator[str]:
    """The statements that make the project's own roles, and settings of the platform's."""
    for piece in split(without_meta_commands(script)):
        words = re.findall(r'"(?:[^"]|"")*"|\S+', piece.sql)
        role = words[2].strip('";') if len(words) > 2 else ""
        rule = _ROLE_RULES.get(" ".join(words[:2]).lower())
        if rule is not None and (text := rule(piece.sql, words, role)):
            yield text


def _created(sql: str, _: Sequence[str], role: str) -> str:
    return "" if role in PLATFORM_ROLES or role.startswith("pg_") else sql


def _altered(sql: str, words: Sequence[str], role: str) -> str:
    if len(words) > 3 and words[3].lower() == "set":
        # Settings of the services' roles are the platform's own.
        return "" if role.startswith(("supabase_", "pg_")) else sql
    if role in PLATFORM_ROLES or role.startswith("pg_"):
        return ""
    # Only a superuser may name these attributes, even to deny them.
    return re.sub(r"\s(?:NO)?(?:SUPERUSER|REPLICATION|BYPASSRLS)\b", "", sql)


def _granted(sql: str, words: Sequence[str], _: str) -> str:
    roles = [word.strip('";') for word in (words[1], words[3] if len(words) > 3 else "")]
    if all(role in PLATFORM_ROLES or role.startswith("pg_") for role in roles):
        return ""
    if roles[1] == "postgres" and "WITH ADMIN OPTION" in sql:
        return ""  # the role that makes another has it from Postgres, and may not grant it to itself
    return re.sub(r"\sGRANTED BY \S+", "", sql)


_ROLE_RULES: dict[str, Callable[[str, Sequence[str], str], str]] = {
    "create role": _created,
    "alter role": _altered,
}


def role_grants(script: str) -> Iterator[str]:
    """Memberships of the project's own roles."""
    for piece in split(without_meta_commands(script)):
        words = re.findall(r'"(?:[^"]|"")*"|\S+', piece.sql)
        # What the platform lets a role set is no membership, and a superuser's to grant.
        if [word.lower() for word in words[1:3]] == ["set", "on"]:
            continue
        if words[0].lower() == "grant" and (text := _granted(piece.sql, words, "")):
            yield text
