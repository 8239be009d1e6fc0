"""The schemas of a project: all but Postgres's and the platform's, or those that are named."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from localbase.core.errors import UserError

# Made by the platform, here or on a hosted project, and changed by its own migrations only.
PLATFORM_SCHEMAS = frozenset(
    {
        *("_analytics", "_localbase", "_realtime", "_supavisor", "auth"),
        *("cron", "dbdev", "extensions", "graphql", "graphql_public"),
        *("information_schema", "net", "pgbouncer", "pgmq", "pgmq_public"),
        *("pgsodium", "pgsodium_masks", "pgtle", "realtime", "repack"),
        *("storage", "supabase_functions", "supabase_migrations", "tiger", "tiger_data"),
        *("topology", "vault"),
    }
)
# Here projects have policies and triggers of their own.
ATTACHED_SCHEMAS = frozenset({"auth", "storage", "realtime"})
# Every hosted project has these, each of a version of its own.
PLATFORM_EXTENSIONS = frozenset(
    {
        *(
            "plpgsql",
            "pg_graphql",
            "pg_stat_statements",
            "pgcrypto",
            "supabase_vault",
            '"uuid-ossp"',
            "pgjwt",
        ),
        *("pgsodium", "pg_net"),
    }
)


def chosen_schemas(names: Iterable[str], chosen: Sequence[str]) -> frozenset[str]:
    """Those of `names` that are compared: `chosen` if there are any, else the project's own."""
    if chosen:
        return frozenset(chosen) & frozenset(names)
    return frozenset(
        name for name in names if name not in PLATFORM_SCHEMAS and not name.startswith(("pg_", "_localbase"))
    )


def split_schemas(values: Sequence[str] | None) -> tuple[str, ...]:
    """The schemas that `--schema` names, several in one value or the flag several times."""
    names = tuple(name.strip() for value in values or () for name in value.split(","))
    if any(not name for name in names):
        raise UserError("--schema names no schema.", "For example: --schema public,private")
    return names
