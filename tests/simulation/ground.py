"""A Postgres of its own for the simulation, with the shop's tables and catalog.

There `now()` is a function of ours, which everything that the migrations make is bound to: the beginning of the
transaction, and what the simulation's clock has added since.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import psycopg

from tests.support.plain_postgres import plain_postgres
from tests.support.stacks import ROOT

# Calls by the name's own OID go past pg_proc, so it must be another function, not another body.
_TIME = """
set allow_system_table_mods = on;
update pg_proc set proname = 'real_now' where oid = 'pg_catalog.now()'::regprocedure;
create function pg_catalog.now() returns timestamptz language sql stable as $$
  select pg_catalog.real_now()
    + make_interval(secs => coalesce(nullif(current_setting('simulation.elapsed', true), ''), '0')::float8)
$$;
"""


@contextmanager
def ground() -> Iterator[str]:
    """The superuser's address."""
    files = [
        *sorted((ROOT / "sql" / "migrations").glob("*.sql")),
        *sorted((ROOT / "sql" / "seed").glob("[12]0_*.sql")),
    ]
    with plain_postgres(17) as cluster:
        with psycopg.connect(cluster.url(), autocommit=True) as connection:
            connection.execute(_TIME)
        with psycopg.connect(cluster.url("postgres"), autocommit=True) as connection:
            for file in files:
                connection.execute(file.read_bytes())
        yield cluster.url()
