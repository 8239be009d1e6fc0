"""Extensions in a project's files: which the hosted platform has, and what to do about those that are not here.

A dump of a hosted project creates what the platform has from the start. Where this Postgres lacks one of those it is
left out, and that is said; any other is the file's error, with a way to get it.
"""

from __future__ import annotations

import re
from pathlib import Path

from localbase.postgres.allowlist import allowlist

STATEMENT = re.compile(
    r"^(create|drop|alter|comment\s+on)\s+extension\s+(?:if\s+(?:not\s+)?exists\s+)?(?:\"([^\"]+)\"|(\w+))",
    re.IGNORECASE,
)
# What pg_dump writes after an extension's rows.
SEQUENCE = re.compile(r"""^select\s+pg_catalog\.setval\s*\(\s*'"?(\w+)"?\.""", re.IGNORECASE)
_VERSION = re.compile(r"""\s+version\s+(?:'[^']*'|"[^"]*"|[\w.]+)(?=\s|;|$)""", re.IGNORECASE)
_UPDATE_TO = re.compile(r"(\supdate)\s+to\s+(?:'[^']*'|\"[^\"]*\"|[\w.]+)\s*$", re.IGNORECASE)
_DROP = re.compile(
    r'(drop\s+extension\s+(?:if\s+exists\s+)?)((?:"[^"]+"|\w+)(?:\s*,\s*(?:"[^"]+"|\w+))*)(.*)',
    re.IGNORECASE | re.DOTALL,
)
_NAME = re.compile(r'"([^"]+)"|(\w+)')
MOVE = re.compile(r'alter\s+extension\s+\S+\s+set\s+schema\s+("(?:[^"]|"")+"|\w+)', re.IGNORECASE)
MEMBERSHIP = re.compile(r"alter\s+extension\s+\S+\s+(?:add|drop)\s", re.IGNORECASE)
_OWN_LINES = re.compile(r"^\s*(?:trusted|directory)\s*=.*$\n?", re.MULTILINE)
_DIRECTORY = re.compile(r"^\s*directory\s*=\s*'([^']*)'", re.MULTILINE)

_DEBIANS = 15
_WITH_PG_BIN = "a Postgres that has it can be named in PG_BIN"
# What there is instead of some of the platform's extensions.
_INSTEAD = {
    "pg_graphql": "there is no GraphQL API; the Data API serves the same tables",
    "pgsodium": "secrets are for the vault (vault.create_secret)",
    "wrappers": "foreign data is reached by postgres_fdw",
}
# Columns have the types of these: without them a project has no tables, and half of one helps nobody.
_NEEDED = frozenset({
    "postgis", "postgis_raster", "postgis_sfcgal", "postgis_tiger_geocoder", "postgis_topology", "vector", "citext",
    "cube", "hstore", "isn", "ltree", "seg",
})  # fmt: skip
# Those that Debian packages, with the part of the package's name that follows the version of Postgres.
_DEBIAN = {
    "hypopg": "hypopg", "http": "http", "pg_cron": "cron", "pg_hashids": "pg-hashids", "pg_partman": "partman",
    "pg_repack": "repack", "pgaudit": "pgaudit", "pgrouting": "pgrouting", "pgtap": "pgtap",
    "plpgsql_check": "plpgsql-check", "postgis": "postgis-3", "postgis_raster": "postgis-3",
    "postgis_sfcgal": "postgis-3", "postgis_tiger_geocoder": "postgis-3", "postgis_topology": "postgis-3",
    "rum": "rum", "vector": "pgvector",
}  # fmt: skip


# What an error names where a statement uses one that was left out.
_OFFERS = {
    "http": r"http(_(get|post|put|patch|delete|head|header|request|response|\w*curlopt\w*))?|urlencode",
    "hypopg": r"hypopg\w*",
    "index_advisor": r"index_advisor",
    "pg_graphql": r"graphql",
    "pg_hashids": r"(id|hash)_(en|de)code(_once)?",
    "pg_jsonschema": r"jsonb?_matches_schema|jsonschema_(is_valid|validation_errors)",
    "pg_partman": r"create_parent|partman",
    "pg_stat_monitor": r"pg_stat_monitor\w*",
    "pg_tle": r"pgtle",
    "pgroonga": r"pgroonga\w*",
    "pgrouting": r"pgr_\w+",
    "pgsodium": r"pgsodium",
    "plpgsql_check": r"plpgsql_(check|profiler|coverage)_\w+",
    "plv8": r"plv8",
    "rum": r"rum",
    "timescaledb": r"create_hypertable|time_bucket",
    "wrappers": r"(wasm|stripe|bigquery|clickhouse|firebase|airtable|s3|auth0|cognito|redis|mssql)_fdw_\w+",
}
_MISSING = re.compile(r'(?:function|procedure|type|schema|access method|language|relation) "?(?:\w+\.)*(\w+)')
UNDEFINED = ("42883", "42704", "42P01", "3F000")


def left_out_note(extension: str) -> str | None:
    """Return what is said of a platform's extension that is not here.

    None for any other, and for one that tables need.
    """
    if extension not in {*allowlist()["extensions"], "pgmq"} or extension in _NEEDED:
        return None
    instead = _INSTEAD.get(extension, _WITH_PG_BIN)
    return f"left out: extension {extension}, which this Postgres does not have; {instead}"


def user_of(message: str) -> str | None:
    """The extension whose function, type or other object Postgres's `message` misses; None for any other object."""
    match = _MISSING.match(message)
    return offering(match[1]) if match else None


def offering(name: str) -> str | None:
    """The extension that brings the schema, function or type `name`, among those that may be missing."""
    return next((each for each, pattern in _OFFERS.items() if re.fullmatch(pattern, name)), None)


def missing_remedy(extension: str, installed: Path = Path("/usr/lib/postgresql")) -> str:
    """Return how to get an extension that is not here.

    With the newest Postgres in `installed`, else with Debian 12's.
    """
    majors = [int(path.name) for path in installed.glob("[0-9]*") if path.name.isdigit()]
    major = max([_DEBIANS, *majors])
    programs = f"PG_BIN=/usr/lib/postgresql/{major}/bin localbase start"
    package = _DEBIAN.get(extension)
    if package is None:
        return (
            f"This Postgres does not have {extension}. Install it with a system Postgres and name its programs"
            f" ({programs}), or leave the line out of local runs."
        )
    return (
        f"This Postgres does not have {extension}; a system Postgres with it is named so:\n"
        f"    apt-get install postgresql-{major}-{package}\n    {programs}"
    )


def without_version(statement: str) -> str:
    """The statement for any version: dumps name the hosted one, of which there is one here."""
    return _VERSION.sub("", _UPDATE_TO.sub(r"\1", statement))


def dropped(statement: str) -> tuple[str, list[str], str] | None:
    """The beginning, the names and the end of a `drop extension`."""
    match = _DROP.match(statement)
    return match and (match[1], [name or word.lower() for name, word in _NAME.findall(match[2])], match[3])


def trusted_controls(folder: Path | None) -> dict[str, bytes]:
    """Control files that let any owner of a database create what the platform allows, of the extensions in `folder`."""
    if folder is None:
        return {}
    paths = (folder / f"{name}.control" for name in allowlist()["extensions"])
    return {path.name: _trusted(path).encode() for path in paths if path.is_file()}


def _trusted(path: Path) -> str:
    text = path.read_text(encoding="utf-8")
    directory = _DIRECTORY.search(text)
    # Where it is relative, then to the folder of the folder of control files.
    scripts = str(path.parent.parent / directory[1] if directory else path.parent).replace("'", "''")
    return f"{_OWN_LINES.sub('', text).rstrip()}\ntrusted = true\ndirectory = '{scripts}'\n"
