"""The schedule in the project's own database: pg_cron makes the call through pg_net, with the key from the vault.

https://supabase.com/docs/guides/functions/schedule-functions. Needs the database's address (SUPABASE_DB_URL): no API
reaches `cron` and `vault`.
"""

from __future__ import annotations

import psycopg
from psycopg import sql
from psycopg.rows import scalar_row

from deploy.errors import CommandError
from deploy.sweep_call import SweepCall

_SECRET = "teesmith_sweep_key"  # noqa: S105 - its name in the vault
_EXTENSIONS = {"cron": "pg_cron", "net": "pg_net", "vault": "supabase_vault"}
_COMMAND = """select net.http_post(
  url := {url},
  headers := jsonb_build_object(
    'Content-Type', 'application/json',
    'Authorization', 'Bearer ' || (select decrypted_secret from vault.decrypted_secrets where name = {secret}),
    'apikey', (select decrypted_secret from vault.decrypted_secrets where name = {secret})
  ),
  body := '{{}}'::jsonb,
  timeout_milliseconds := {milliseconds}
)"""


class PgCron:
    """One database."""

    def __init__(self, url: str) -> None:
        self._url = url

    @staticmethod
    def show(call: SweepCall) -> str:
        """The statements for a schedule that does not exist yet, for a psql that has the key in its environment."""
        return "\n".join((
            f"\\getenv {call.key_name} {call.key_name}",
            *(f"create extension if not exists {name};" for name in _EXTENSIONS.values()),
            f"select vault.create_secret(:'{call.key_name}', '{_SECRET}');",
            f"select cron.schedule('{call.name}', '{call.schedule}', $job$\n{_command(call)}\n$job$);",
        ))  # fmt: skip

    def set(self, call: SweepCall) -> str:
        """Everything in one transaction; a sentence on what was done."""
        try:
            # A pooler may give the session to others: nothing stays prepared in it.
            with psycopg.connect(
                self._url, row_factory=scalar_row, connect_timeout=15, prepare_threshold=None
            ) as database:
                changed = [_extensions(database), _key(database, call), _job(database, call)]
        except psycopg.Error as error:
            raise CommandError(f"The database refused the schedule: {str(error).strip()}") from error
        if not any(changed):
            return f"schedule: pg_cron calls {call.url} every minute, nothing to change"
        return f"schedule: pg_cron calls {call.url} every minute"


def _command(call: SweepCall) -> str:
    return (
        sql.SQL(_COMMAND)
        .format(
            url=sql.Literal(call.url),
            secret=sql.Literal(_SECRET),
            milliseconds=sql.Literal(call.deadline_seconds * 1000),
        )
        .as_string()
    )


def _extensions(database: psycopg.Connection[object]) -> bool:
    """Tell whether one had to be created. Looked up by schema, which exists where the platform made the extension."""
    missing = database.execute(
        "select s from unnest(%s::text[]) s where to_regnamespace(s) is null", [list(_EXTENSIONS)]
    ).fetchall()
    for schema in missing:
        name = sql.Identifier(_EXTENSIONS[str(schema)])
        database.execute(sql.SQL("create extension if not exists {}").format(name))
    return bool(missing)


def _key(database: psycopg.Connection[object], call: SweepCall) -> bool:
    stored = database.execute(
        "select decrypted_secret from vault.decrypted_secrets where name = %s", [_SECRET]
    ).fetchone()
    if stored == call.key:
        return False
    if stored is None:
        database.execute("select vault.create_secret(%s, %s)", [call.key, _SECRET])
    else:
        database.execute(
            "select vault.update_secret(id, %s) from vault.decrypted_secrets where name = %s",
            [call.key, _SECRET],
        )
    return True


def _job(database: psycopg.Connection[object], call: SweepCall) -> bool:
    job = [call.name, call.schedule, _command(call)]
    existing = database.execute(
        "select 1 from cron.job where jobname = %s and schedule = %s and command = %s and active", job
    ).fetchone()
    if existing is not None:
        return False
    # a job of this name is replaced
    database.execute("select cron.schedule(%s, %s, %s)", job)
    return True
