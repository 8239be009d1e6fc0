"""`make bench-large`: measures every query on the large shop and writes the table of docs/scale.md.

python -m bench.large [--only gallery,search] [--times 5] [--no-write]
"""

from __future__ import annotations

import argparse
import asyncio
import sys

import psycopg
from localbase.core.authenticator import Authenticator
from localbase.postgres.cluster import cluster_of

from bench.large.contention import measure_contention
from bench.large.measure import Gateway, Measured, schema_of
from bench.large.project import ROOT, large_project, run_supabase
from bench.large.queries import QUERIES
from bench.large.report import line_of, written
from bench.large.subjects import find_subjects


def main() -> int:
    """1 when a query is over its limits."""
    parser = argparse.ArgumentParser(prog="python -m bench.large", description=__doc__)
    parser.add_argument("--only", default="", help="first words of the queries' names")
    parser.add_argument("--times", type=int, default=5)
    parser.add_argument("--no-write", action="store_true", help="leave docs/scale.md as it is")
    arguments = parser.parse_args()
    run_supabase("start")
    project = large_project()
    queries = [query for query in QUERIES if query.name.startswith(tuple(arguments.only.split(",")))]
    measured: list[Measured] = []
    with psycopg.connect(cluster_of(project).url("supabase_admin"), autocommit=True) as connection:
        gateway = Gateway(
            connection,
            asyncio.run(schema_of(project)),
            Authenticator(project.settings.keys),
            find_subjects(connection),
        )
        for query in queries:
            measured.append(gateway.measure(query, arguments.times))
            sys.stdout.write(f"{line_of(measured[-1])}\n")
            sys.stdout.flush()
    if not arguments.no_write and not arguments.only:
        page = ROOT / "docs" / "scale.md"
        page.write_text(written(page.read_text(), measured, measure_contention(project)))
    wrong = [measurement for measurement in measured if measurement.faults]
    sys.stdout.write(f"{len(measured)} queries, {len(wrong)} over their limits\n")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
