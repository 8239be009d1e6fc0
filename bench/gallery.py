"""The gallery among 100,000 public designs: its first page and searches as the page asks them, in the database.

Everything happens in one transaction of the running stack's database, which is taken back at the end.
"""

from __future__ import annotations

import json
import statistics
from collections.abc import Iterator
from typing import Any, LiteralString

import psycopg
from localbase.core.project import Project
from localbase.postgres.cluster import cluster_of

from bench.figures import Figure

_COUNT = 100_000
_TIMES = 9
_FILL: tuple[LiteralString, ...] = (
    "create temporary table words on commit drop as "
    "select array['fox','moon','bicycle','coffee','mountain','robot','wave','garden','ghost','guitar'] as w",
    # Triggers count each row in one row of totals, of which a transaction keeps every version: a hundred thousand.
    "set local session_replication_role = replica",
    """
    with made as (
      insert into public.designs (user_id, name, thumbnail_data, created_at)
      select (select id from auth.users order by id limit 1),
             w[1 + i %% 10] || ' ' || w[1 + i / 7 %% 10] || ' ' || left(md5(i::text), 8), md5(i::text),
             now() - i * interval '1 minute'
      from words, generate_series(1, %(count)s) i returning id, user_id, created_at, name)
    insert into public.public_designs (design_id, user_id, created_at, name)
    select id, user_id, created_at, name from made
    """,
    "set local session_replication_role = origin",
    "analyze public.designs, public.public_designs",
)
_PAGE: LiteralString = """
    select p.user_id, p.created_at, d.id, d.name, d.thumbnail_data, d.printify_product_id, d.selected_colors
    from public.public_designs p join public.designs d on d.id = p.design_id
    order by p.created_at desc limit 24"""
_SEARCH: LiteralString = """
    select p.user_id, p.created_at, d.id, d.name, d.thumbnail_data, d.printify_product_id, d.selected_colors
    from public.search_public_designs(%(word)s, page_size => 25) p join public.designs d on d.id = p.design_id
    order by p.created_at desc limit 25"""


def gallery_figures(project: Project) -> Iterator[Figure]:
    """Milliseconds in the database, planning included."""
    with psycopg.connect(cluster_of(project).url("supabase_admin")) as connection:
        for statement in _FILL:
            connection.execute(statement, {"count": _COUNT} if "%(count)s" in statement else None)
        connection.execute("set local role anon")
        for name, statement, word in (
            ("gallery page of 24 among 100,000", _PAGE, ""),
            ("gallery search for a rare word among 100,000", _SEARCH, "c4ca4238"),
            ("gallery search for what one in 70 is called", _SEARCH, "fox moon"),
            # More than a few, and not enough of them among the newest.
            ("gallery search for what one in 160 is called", _SEARCH, "moon 1"),
        ):
            yield Figure(name, _in_database(connection, statement, {"word": word} if word else {}), 15, "ms")
        connection.rollback()
        connection.autocommit = True
        connection.execute("vacuum full public.designs, public.public_designs")


def _in_database(
    connection: psycopg.Connection[Any], statement: LiteralString, values: dict[str, str]
) -> float:
    spent: list[float] = []
    for _ in range(_TIMES):
        row = connection.execute(f"explain (analyze, format json, summary) {statement}", values).fetchone()
        plan = row[0][0] if row and not isinstance(row[0], str) else json.loads(row[0] if row else "[{}]")[0]
        spent.append(plan["Planning Time"] + plan["Execution Time"])
    return statistics.median(spent)
