"""No query of web or functions reads more as the shop grows: what each reads among thousands of rows is counted."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any

import psycopg
import pytest
from localbase.core.authenticator import Authenticator
from localbase.core.project import open_project

from bench.large.chance import Scale
from bench.large.fill import fill
from bench.large.measure import Gateway, schema_of
from bench.large.queries import QUERIES
from bench.large.query import Query
from bench.large.subjects import find_subjects
from tests.support.stacks import Stack

_SCALE = Scale(users=1_000, designs=12_000, public=5_000, likes=12_000, orders=2_000, sessions=6_000)
# Twice what the gallery's search may read; a table or an index that is read whole has more.
_MOST_ROWS = 4_500
# These read all that a person, a page of people or a design has. A word that thousands of old designs have, but nothing
# new, is looked up among all of those. A file of the sitemap has tens of thousands of designs.
_MORE = (
    "functions: list_sitemaps",
    "functions: get_sitemap",
    "admin: users",
    "specified: my likes",
    "specified: like count",
    "specified: analytics",
    "search: only old designs have it",
)


@pytest.fixture(scope="module")
def gateway(stack: Stack) -> Iterator[Gateway]:
    """A filled database in a transaction that is taken back. No plan may scan a table where an index could serve."""
    project = open_project(stack.root, {**os.environ, **stack.environ})
    schema_cache = asyncio.run(schema_of(project))
    connection: psycopg.Connection[Any]
    with psycopg.connect(stack.admin_db_url, autocommit=True) as connection:
        # What other tests have left of dead rows is not what a query reads.
        connection.execute("vacuum")
        connection.execute("begin")
        fill(connection, _SCALE, datetime.now(UTC))
        # So few rows are sometimes read whole with good reason; what has no index is read whole all the same.
        connection.execute("set enable_seqscan = off")
        yield Gateway(
            connection, schema_cache, Authenticator(project.settings.keys), find_subjects(connection)
        )
        connection.execute("rollback")
        connection.execute("vacuum")


@pytest.mark.parametrize("query", QUERIES, ids=lambda query: query.name)
def test_query_reads_few_rows_however_many_there_are(gateway: Gateway, query: Query) -> None:
    measured = gateway.measure(query, times=1, warm=False)
    assert measured.sequential == {}
    assert measured.rows_read <= _MOST_ROWS or query.name.startswith(_MORE)
    assert measured.buffers <= query.most_buffers or query.name == "specified: analytics"
