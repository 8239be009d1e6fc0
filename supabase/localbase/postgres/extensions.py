"""`create extension` in a project's files: which the hosted platform has, and what to do about those that are not here.

A dump of a hosted project creates what the platform has from the start. Where this Postgres lacks one of those it is
left out, and that is said; any other is the file's error, with a way to get it.
"""

from __future__ import annotations

import re

STATEMENT = re.compile(
    r"^(create|drop|comment\s+on)\s+extension\s+(?:if\s+(?:not\s+)?exists\s+)?(?:\"([^\"]+)\"|(\w+))",
    re.IGNORECASE,
)
_VERSION = re.compile(r"""\s+version\s+(?:'[^']*'|"[^"]*"|[\w.]+)(?=\s|;|$)""", re.IGNORECASE)

_WITH_PG_BIN = "a Postgres that has it can be named in PG_BIN"
# The platform's own, each with what there is instead.
_PLATFORM = {
    "http": "requests are made by pg_net (net.http_get, net.http_post)",
    "hypopg": _WITH_PG_BIN,
    "index_advisor": _WITH_PG_BIN,
    "pg_cron": _WITH_PG_BIN,
    "pg_graphql": "there is no GraphQL API; the Data API serves the same tables",
    "pg_net": _WITH_PG_BIN,
    "pg_stat_statements": _WITH_PG_BIN,
    "pgjwt": _WITH_PG_BIN,
    "pgmq": _WITH_PG_BIN,
    "pgsodium": "secrets are for the vault (vault.create_secret)",
    "pgtap": _WITH_PG_BIN,
    "supabase_vault": _WITH_PG_BIN,
    "wrappers": "foreign data is reached by postgres_fdw",
}
# Of those that projects use, with Debian's name.
_DEBIAN = {
    "pg_hashids": "pg-hashids", "pg_jsonschema": "pg-jsonschema", "pg_partman": "partman", "pg_repack": "repack",
    "pgaudit": "pgaudit", "pgrouting": "pgrouting", "plpgsql_check": "plpgsql-check", "plv8": "plv8",
    "postgis": "postgis-3", "postgis_topology": "postgis-3", "rum": "rum", "timescaledb": "timescaledb",
}  # fmt: skip


def left_out_note(extension: str) -> str | None:
    """What is said of a platform's extension that is not here; None for any other."""
    instead = _PLATFORM.get(extension)
    if instead is None:
        return None
    return f"left out: extension {extension}, which this Postgres does not have; {instead}"


def missing_remedy(extension: str) -> str:
    """How to get an extension that is not here."""
    package = _DEBIAN.get(extension)
    named = f" (Debian: postgresql-17-{package})" if package else ""
    return (
        f"The embedded Postgres does not have {extension}. Install it with a system Postgres{named}"
        " and name its programs: PG_BIN=/usr/lib/postgresql/17/bin; or leave the line out of local runs."
    )


def without_version(statement: str) -> str:
    """The statement for any version: dumps name the hosted one, of which there is one here."""
    return _VERSION.sub("", statement)
