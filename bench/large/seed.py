"""`make seed-large`: fills a project of its own with a shop of a million designs. Throws its earlier data away.

The rows are the same on every run but for the day: their moments lie before the last midnight. Names are mostly of
common words; people, likes and orders are as uneven as in a real shop.
"""

from __future__ import annotations

import argparse
import sys
import time
from datetime import UTC, datetime

import psycopg
from localbase.postgres.cluster import cluster_of

from bench.large.chance import Scale
from bench.large.fill import COLUMNS, fill
from bench.large.project import large_project, run_supabase


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m bench.large.seed", description=__doc__)
    parser.add_argument("--share", type=int, default=1, help="how many times smaller than a million designs")
    arguments = parser.parse_args()
    began = time.monotonic()

    def say(text: str) -> None:
        sys.stdout.write(f"{time.monotonic() - began:6.1f} s  {text}\n")
        sys.stdout.flush()

    run_supabase("db", "reset")
    project = large_project()
    say(f"project {project.settings.project_id} on {project.settings.api_url}, with fresh data")
    midnight = datetime.now(UTC).replace(hour=0, minute=0, second=0, microsecond=0)
    with psycopg.connect(cluster_of(project).url("supabase_admin"), autocommit=True) as connection:
        fill(
            connection,
            Scale().part(arguments.share),
            midnight,
            lambda table, rows: say(f"{table}: {rows:,} rows"),
        )
        say("counters and statistics")
        for table in COLUMNS:
            connection.execute(f"vacuum (analyze) {table}")
        say("vacuumed")
        (size,) = connection.execute(
            "select pg_size_pretty(pg_database_size(current_database()))"
        ).fetchone() or ("",)
    say(f"done; the database holds {size}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
