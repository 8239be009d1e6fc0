"""The database's part of a backup, read from the database itself: the shop's tables and Auth's accounts."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, LiteralString

import psycopg
from psycopg import sql

from deploy.errors import CommandError

Database = psycopg.Connection[Any]

# Who has an account, and how they prove it.
_ACCOUNTS = (
    "users", "identities", "mfa_factors", "webauthn_credentials", "oauth_clients", "oauth_consents", "sso_providers",
    "sso_domains", "saml_providers", "custom_oauth_providers", "audit_log_entries",
)  # fmt: skip
# Keys to accounts, good for minutes or until sign-out. In a file they would open accounts without a password, so they
# are not copied, and a restore ends them: everyone signs in again.
_SIGN_INS = (
    "sessions", "refresh_tokens", "mfa_amr_claims", "mfa_challenges", "webauthn_challenges", "one_time_tokens",
    "flow_state", "saml_relay_states", "oauth_authorizations", "oauth_client_states",
)  # fmt: skip

# Rows must read alike on every server, with any defaults: their checksums are compared.
_READING: LiteralString = (
    "set local timezone to 'UTC'; set local datestyle to 'ISO'; set local intervalstyle to 'postgres'; "
    "set local bytea_output to 'hex'; set local extra_float_digits to 1; set local statement_timeout to 0; "
    "set local idle_in_transaction_session_timeout to 0"
)
_TABLES: LiteralString = """
select n.nspname, c.relname,
  array(select a.attname::text from pg_catalog.pg_attribute a
    where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = '' order by a.attnum),
  array(select a.attname::text || case when t.typcollation <> 0 then ' C' else '' end
    from pg_catalog.pg_index i
    cross join unnest(i.indkey::smallint[]) with ordinality k (attnum, place)
    join pg_catalog.pg_attribute a on a.attrelid = c.oid and a.attnum = k.attnum
    join pg_catalog.pg_type t on t.oid = a.atttypid
    where i.indrelid = c.oid and i.indisprimary order by k.place)
from pg_catalog.pg_class c join pg_catalog.pg_namespace n on n.oid = c.relnamespace
where c.relkind = 'r' and (n.nspname in ('public', 'private') or n.nspname = 'auth' and c.relname = any (%s))
order by 1, 2
"""
_SEQUENCES: LiteralString = """
select format('%%I.%%I', n.nspname, s.relname)
from pg_catalog.pg_depend d
join pg_catalog.pg_class s on s.oid = d.objid and s.relkind = 'S'
join pg_catalog.pg_class c on c.oid = d.refobjid
join pg_catalog.pg_namespace n on n.oid = c.relnamespace
where d.deptype in ('a', 'i') and format('%%s.%%s', n.nspname, c.relname) = any (%s)
order by 1
"""


@dataclass(frozen=True)
class Table:
    """`columns` are those that are stored, `key` those of the primary key; ' C' after one means text."""

    schema: str
    name: str
    columns: tuple[str, ...]
    key: tuple[str, ...]

    @property
    def full_name(self) -> str:
        return f"{self.schema}.{self.name}"

    @property
    def identifier(self) -> sql.Identifier:
        return sql.Identifier(self.schema, self.name)

    def copy_out(self, columns: tuple[str, ...]) -> sql.Composed:
        """The rows of `columns` in the key's order, text by its bytes: servers sort languages differently."""
        order = [
            sql.SQL('{} collate "C"' if column.endswith(" C") else "{}").format(
                sql.Identifier(column.removesuffix(" C"))
            )
            for column in self.key
        ] or [sql.SQL('({}::text) collate "C"').format(sql.Identifier(self.name))]
        return sql.SQL("copy (select {} from {} order by {}) to stdout").format(
            sql.SQL(", ").join(map(sql.Identifier, columns)), self.identifier, sql.SQL(", ").join(order)
        )

    def copy_in(self, columns: tuple[str, ...]) -> sql.Composed:
        names = sql.SQL(", ").join(map(sql.Identifier, columns))
        return sql.SQL("copy {} ({}) from stdin").format(self.identifier, names)


def connect(url: str) -> Database:
    """A session that a pooler may give to others between two transactions: without prepared statements and settings.

    The error never has the address: it holds a password.
    """
    try:
        return psycopg.connect(url, connect_timeout=15, prepare_threshold=None)
    except psycopg.Error as error:
        raise CommandError(
            f"The database at SUPABASE_DB_URL does not answer: {type(error).__name__}"
        ) from error


def read_alike(database: Database) -> None:
    """Has the transaction read rows as every backup does, for as long as that takes."""
    database.execute(_READING)


def saved_tables(database: Database) -> list[Table]:
    rows = database.execute(_TABLES, [list(_ACCOUNTS)]).fetchall()
    return [Table(schema, name, tuple(columns), tuple(key)) for schema, name, columns, key in rows]


def sign_in_tables(database: Database) -> list[Table]:
    """Those of them that this project's Auth has."""
    rows = database.execute(_TABLES, [list(_SIGN_INS)]).fetchall()
    return [Table(schema, name, tuple(columns), ()) for schema, name, columns, _ in rows if schema == "auth"]


def sequences(database: Database, tables: list[Table]) -> list[str]:
    """Quoted names of the sequences that belong to columns of the tables."""
    names = [table.full_name for table in tables]
    return [str(name) for (name,) in database.execute(_SEQUENCES, [names])]


def applied_migrations(database: Database) -> list[str]:
    row = database.execute("select to_regclass('supabase_migrations.schema_migrations')").fetchone()
    if row is None or row[0] is None:
        return []
    rows = database.execute("select version from supabase_migrations.schema_migrations order by version")
    return [str(version) for (version,) in rows]
