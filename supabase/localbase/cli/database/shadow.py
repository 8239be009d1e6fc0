"""The schema that files say, read from a database that is made of them for the purpose and thrown away."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

import psycopg

from localbase.cli.data.cluster_template import make_cluster
from localbase.cli.data.temporary_server import server_apart
from localbase.cli.database.database import data_swap, discard_abandoned, http_answered
from localbase.cli.terminal import Progress
from localbase.core.project import Project
from localbase.postgres import migrate
from localbase.postgres.cluster import Cluster, cluster_of
from localbase.postgres.database_settings import apply_database_settings
from localbase.postgres.schema.model import SchemaModel
from localbase.postgres.schema.read import read_model
from localbase.postgres.scripts.failure import ScriptError
from localbase.postgres.scripts.files import schema_files


@contextmanager
def shadow_cluster(project: Project) -> Iterator[Cluster]:
    """An empty cluster beside the project's, which may be running. The caller holds the project's lock."""
    cluster = cluster_of(project)
    swap = data_swap(project, cluster)
    discard_abandoned(swap, cluster)
    folder = swap.new_folder(os.getpid())
    folder.parent.mkdir(parents=True, exist_ok=True)
    made = cluster.at(folder)
    try:
        make_cluster(made)
        yield made
    except ScriptError as error:
        raise error.of_discarded() from error
    finally:
        shutil.rmtree(folder, ignore_errors=True)


@contextmanager
def shadow_database(
    project: Project, *, until: str = "", migrations: bool = True
) -> Iterator[psycopg.Connection]:
    """A database of the platform, the project's roles and its migrations, without data."""
    with (
        shadow_cluster(project) as cluster,
        server_apart(cluster) as connection,
        http_answered(cluster, project),
    ):
        progress = Progress()
        migrate.bootstrap_platform(connection)
        apply_database_settings(connection, project)
        migrate.apply_roles(connection, project, progress)
        if migrations:
            migrate.apply_migrations(connection, project, progress, until=until)
        yield connection


def migrations_model(project: Project, schemas: Sequence[str]) -> SchemaModel:
    """The schema that the migrations make."""
    with shadow_database(project) as connection:
        return read_model(connection, schemas)


def declared_model(project: Project, schemas: Sequence[str]) -> SchemaModel:
    """The schema that the files of `[db.migrations] schema_paths` make."""
    with shadow_database(project, migrations=False) as connection:
        migrate.apply_files(connection, schema_files(project), Progress())
        return read_model(connection, schemas)
