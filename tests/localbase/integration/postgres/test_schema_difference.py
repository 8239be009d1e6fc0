"""The difference of two schemas, applied, leaves none: for each pair, and for pairs drawn from all schemas."""

from __future__ import annotations

import random
from collections.abc import Iterator
from contextlib import contextmanager

import psycopg
import pytest
from localbase.postgres.schema.difference import difference, to_sql
from localbase.postgres.schema.model import SchemaModel
from localbase.postgres.schema.read import read_model

from tests.localbase.integration.postgres.schema_pairs import PAIRS
from tests.localbase.integration.schema_cluster import SchemaCluster, run_as_project
from tests.support.random_cases import cases

_SCHEMAS = [side for pair in PAIRS.values() for side in pair]


@pytest.fixture(scope="module")
def scratch(cluster: SchemaCluster) -> Iterator[psycopg.Connection]:
    with cluster.database() as connection:
        yield connection


def _model_of(scratch: psycopg.Connection, script: str) -> SchemaModel:
    """The model of a schema that is made only for the time of the reading."""
    with scratch.transaction(force_rollback=True):
        run_as_project(scratch, script)
        return read_model(scratch)


@contextmanager
def _made(cluster: SchemaCluster, scratch: psycopg.Connection, script: str) -> Iterator[psycopg.Connection]:
    """A connection to a database with the schema, which is undone.

    A type of the same transaction may use its new labels at once, so that one with labels is committed.
    """
    if "as enum" in script:
        with cluster.database() as connection:
            run_as_project(connection, script)
            yield connection
    else:
        with scratch.transaction(force_rollback=True):
            run_as_project(scratch, script)
            yield scratch


@pytest.mark.parametrize("name", PAIRS)
def test_difference_applied_leaves_none(
    cluster: SchemaCluster, scratch: psycopg.Connection, name: str
) -> None:
    before, after = PAIRS[name]
    target = _model_of(scratch, after)
    with _made(cluster, scratch, before) as connection:
        script = to_sql(difference(read_model(connection), target))
        run_as_project(connection, script)
        assert to_sql(difference(read_model(connection), target)) == "", script
        assert to_sql(difference(target, read_model(connection))) == "", script


@pytest.mark.parametrize("seed", range(cases(12)))
def test_difference_of_any_two_schemas_leaves_none(scratch: psycopg.Connection, seed: int) -> None:
    before, after = random.Random(seed).sample(_SCHEMAS, 2)
    target = _model_of(scratch, after)
    with scratch.transaction(force_rollback=True):
        run_as_project(scratch, before)
        script = to_sql(difference(read_model(scratch), target))
        run_as_project(scratch, script)
        assert to_sql(difference(read_model(scratch), target)) == "", script


def test_pairs_of_schemas_are_at_least_thirty() -> None:
    assert len(PAIRS) >= 30
