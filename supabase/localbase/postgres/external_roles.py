"""What an owner's superuser runs once on a Postgres of their own, as one file of SQL (`db roles --print`).

It holds no password: of each role's it has the verifier that the server would store (RFC 5803), so neither the file nor
the server's log can be used to log in.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import secrets
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from localbase.core.database_address import name_of, parameters_of
from localbase.core.errors import UserError
from localbase.core.project import Project
from localbase.postgres import external, migrate
from localbase.postgres.allowlist import allowlist
from localbase.postgres.extensions import STATEMENT
from localbase.postgres.scripts.files import local_migrations
from localbase.postgres.scripts.run import Script

if TYPE_CHECKING:
    import psycopg

_ROLES = Path(__file__).parent / "external_roles.sql"
_ITERATIONS = 4096
_SHORTEST = 16
_ALWAYS = ("pgcrypto", "uuid-ossp", "pg_stat_statements")
# Webhooks and secrets use them; a project may do without.
_WHERE_THERE = ("pg_net", "supabase_vault")
_HEAD = """\
-- For the superuser of {place}, in the database {name}, once:
--   psql --no-psqlrc --set=ON_ERROR_STOP=1 --dbname={name} --file=roles.sql
-- Everything that localbase does afterwards it does without a superuser.
begin;
set local client_min_messages = warning;
"""
_EXTENSION = """\
do $$
declare
  home name;
begin
  if not exists (select from pg_available_extensions where name = {name}) then
    {missing};
  end if;
  select v.schema into home from pg_available_extensions e
  join pg_available_extension_versions v on v.name = e.name and v.version = e.default_version
  where e.name = {name} and v.superuser and not v.trusted;
  if not found then
    return;  -- the project's own role may make it
  end if;
  execute 'create extension if not exists ' || quote_ident({name})
    || case when home is null then ' with schema extensions' else '' end || ' cascade';
end
$$;
"""
_MADE_BY_ROLE = """
select n from unnest(%s::text[]) as n where not exists (
  select from pg_catalog.pg_available_extensions e join pg_catalog.pg_available_extension_versions v
    on v.name = e.name and v.version = e.default_version
  where e.name = n and (v.trusted or not v.superuser))
"""


def needed_extensions(connection: psycopg.Connection, project: Project) -> list[str]:
    """Those that the project needs and its own role may not make: the platform's, and its migrations'."""
    rows = connection.execute(_MADE_BY_ROLE, [sorted(_named(project))]).fetchall()
    return sorted({*_ALWAYS, *(name for (name,) in rows)})


def roles_file(project: Project) -> str:
    """The file. Raises `UserError` where db.external_url has no password that could stand on a public server."""
    address = project.settings.db.external_url
    if not address:
        raise UserError(
            "There is no db.external_url in supabase/config.toml.",
            'For example: external_url = "env(SHOP_DATABASE)", and in .env '
            f"SHOP_DATABASE=postgresql://postgres:{secrets.token_urlsafe(24)}@db.example:5432/shop",
        )
    parameters = parameters_of(address)
    password = parameters.get("password", "")
    if len(password) < _SHORTEST or not (password.isascii() and password.isprintable()):
        raise UserError(
            f"The password in db.external_url must have {_SHORTEST} characters of ASCII or more: all roles get it.",
            f"For example: {secrets.token_urlsafe(24)}",
        )
    return "\n".join([
        _HEAD.format(place=name_of(address).rpartition("/")[0], name=parameters["dbname"]),
        _right_database(parameters["dbname"]),
        _ROLES.read_text(encoding="utf-8"),
        "\n".join(f"alter role {role} password '{_verifier(password)}';" for role in external.LOGIN_ROLES),
        "",
        migrate.ROLE_SETTINGS.read_text(encoding="utf-8"),
        *_extensions(project),
        "commit;\n",
    ])  # fmt: skip


def _right_database(name: str) -> str:
    quoted = _literal(name)
    return (
        f"do $$ begin\n  if current_database() <> {quoted} then\n"
        f"    raise exception 'This is the database %, and db.external_url names %.', current_database(), {quoted};\n"
        "  end if;\nend $$;\n"
    )


def _named(project: Project) -> set[str]:
    """The extensions that the project's files create."""
    paths = [migration.path for migration in local_migrations(project)]
    names = set()
    for path in [*paths, project.supabase / "roles.sql"]:
        if path.is_file() and b"extension" in path.read_bytes().lower():
            matches = (STATEMENT.match(piece.sql) for piece in Script(path).pieces)
            names |= {(m[2] or m[3]).lower() for m in matches if m and m[1].lower() == "create"}
    return names


def _extensions(project: Project) -> Iterator[str]:
    for name in sorted(_named(project) - {*_ALWAYS, "plpgsql"}):
        text = f"This server does not have the extension {name}, which the project creates."
        hint = "Install its package there, or leave it out of the project."
        missing = f"raise exception {_literal(text)} using hint = {_literal(hint)}"
        yield _EXTENSION.format(name=_literal(name), missing=missing)
        if name in allowlist()["after_create"]:
            yield f"{allowlist()['after_create'][name].strip().replace('@schema@', 'extensions')};"
    for name in _WHERE_THERE:
        yield _EXTENSION.format(name=_literal(name), missing="return")


def _literal(text: str) -> str:
    quoted = text.replace("'", "''")
    return f"E'{quoted}'".replace("\\", "\\\\") if "\\" in text else f"'{quoted}'"


def _verifier(password: str) -> str:
    """As Postgres stores it. Each has a salt of its own."""
    salt = secrets.token_bytes(16)
    salted = hashlib.pbkdf2_hmac("sha256", password.encode(), salt, _ITERATIONS)
    client = hmac.digest(salted, b"Client Key", "sha256")
    server = hmac.digest(salted, b"Server Key", "sha256")
    parts = (salt, hashlib.sha256(client).digest(), server)
    salt_text, stored, server_text = (base64.b64encode(part).decode() for part in parts)
    return f"SCRAM-SHA-256${_ITERATIONS}:{salt_text}${stored}:{server_text}"
