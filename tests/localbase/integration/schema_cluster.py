"""A Supabase cluster without the services, for tests of its schema: one server, a database for each test."""

from __future__ import annotations

import itertools
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

import psycopg
from localbase.cli.data.cluster_template import make_cluster
from localbase.cli.data.temporary_server import server_apart
from localbase.core.project import open_project
from localbase.postgres.cluster import cluster_of
from localbase.postgres.migrate import bootstrap_platform


class SchemaCluster:
    """Its databases are copies of one that has the platform's schemas only."""

    def __init__(self, connection: psycopg.Connection) -> None:
        self._connection = connection
        self._numbers = itertools.count()

    @property
    def server(self) -> psycopg.Connection:
        """The platform's own connection, to make databases of another kind."""
        return self._connection

    @contextmanager
    def database(self, name: str = "", *, kept: bool = False) -> Iterator[psycopg.Connection]:
        """A connection of the platform's to a new database.

        At the end it is dropped, which waits for a checkpoint, or `kept` as long as the cluster.
        """
        name = name or f"copy_{next(self._numbers)}"
        # Logging each page, as is the default, takes twice as long.
        made = f"create database {name} template platform owner postgres strategy file_copy"
        self._connection.execute(made.encode())
        with psycopg.connect(self._connection.info.dsn, password="postgres", dbname=name) as connection:
            connection.autocommit = True
            yield connection
        if not kept:
            self._connection.execute(f"drop database {name}".encode())


def run_as_project(connection: psycopg.Connection, script: str) -> None:
    """Runs SQL as a migration runs: as the project's role, in one transaction."""
    with connection.transaction():
        connection.execute("set local session authorization postgres")
        connection.execute("set local check_function_bodies = off")
        connection.execute(script.encode())
        connection.execute("set local session authorization default")


@contextmanager
def schema_cluster(environ: Mapping[str, str] | None = None) -> Iterator[SchemaCluster]:
    """A cluster in a folder of its own."""
    with tempfile.TemporaryDirectory(prefix="localbase-schemas-") as folder:
        root = Path(folder)
        root.chmod(0o755)
        (root / "supabase").mkdir()
        cluster = cluster_of(open_project(root, environ or {}))
        cluster = cluster.at(root / "data")
        make_cluster(cluster)
        with server_apart(cluster) as connection:
            bootstrap_platform(connection)
            # Nothing of it outlives the tests: a database is made and dropped without waiting for the disk.
            connection.autocommit = True
            connection.execute("alter system set fsync = off")
        # A database that is copied must have no connections: the platform's own becomes the template.
        with server_apart(cluster) as connection:
            connection.execute("create database other")
            dsn = connection.info.dsn
            with psycopg.connect(dsn, password="postgres", dbname="other", autocommit=True) as other:
                connection.close()
                other.execute("alter database postgres rename to platform")
                yield SchemaCluster(other)
