"""Snapshots: database, stored files, mails and the state of a project's own processes, saved and brought back together.

A snapshot is a copy of the data of a stopped stack. A running one stops for as long as the copy takes; its sockets are
held, so clients wait and none is refused (`cli/stack/restart.py`). To load one is to put a copy of it in the place of
all data, as `db reset` does with a fresh database (`cli/database/replacement.py`).
"""

from __future__ import annotations

import os
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path

from localbase.cli.data.copies import DATABASE, STORED, copy_data, copy_database, copy_stored
from localbase.cli.data.exchange import DataSwap
from localbase.cli.data.snapshot_store import Snapshot, digest_of, save_copy, store_of
from localbase.cli.database.database import data_swap
from localbase.cli.database.external import require_own_server
from localbase.cli.database.replacement import replace_data
from localbase.cli.database.upgrade import upgraded
from localbase.cli.stack import stack
from localbase.cli.stack.lock import command_lock
from localbase.cli.stack.restart import copy_at_rest, settle
from localbase.cli.stack.startup import wait_served
from localbase.cli.terminal import Progress
from localbase.core.errors import UserError
from localbase.core.project import Project
from localbase.postgres import damage
from localbase.postgres.cluster import Cluster, cluster_of
from localbase.postgres.damage import stop_server
from localbase.postgres.platform_version import is_of_this_version
from localbase.postgres.scripts.files import local_migrations
from localbase.postgres.scripts.run import Script

_BACKUP = "Use its own tools (pg_dump, pg_basebackup), or `supabase db dump`."


@dataclass(frozen=True, slots=True)
class Loaded:
    """The result of a load: whether the stack runs, and how migrations differ from the project's files."""

    running: bool
    # Files that the snapshot has not applied, versions that have no file, and files whose text is another.
    pending: tuple[str, ...]
    missing: tuple[str, ...]
    changed: tuple[str, ...]


def snapshots(project: Project) -> list[Snapshot]:
    """The project's snapshots, oldest first."""
    return store_of(project, cluster_of(project)).all()


def save(project: Project, name: str, *, force: bool = False) -> Snapshot:
    """Saves all data under `name`. Raises `UserError` where that is taken, without `force`."""
    require_own_server(project, "A snapshot is a copy of the database's files", _BACKUP)
    cluster = cluster_of(project)
    store = store_of(project, cluster)
    store.exists(name)  # what is no name is rejected before anything is made
    with command_lock(project, "snapshot save"):
        running = stack.is_running(project)
        if running:
            settle(project)
        store.prepare()
        if store.exists(name) and not force:
            raise UserError(
                f"There is a snapshot {name} already.", "Choose another name, or replace it with --force."
            )
        swap = data_swap(project, cluster)
        if not running:
            stop_server(cluster)
            swap.recover()
        if not damage.has_data(cluster):
            raise UserError("There is no data to save yet.", "Make some with `localbase start`.")
        try:
            snapshot = save_copy(
                store, name, cluster, lambda folder: _copy(project, cluster, swap, folder, running=running)
            )
        finally:
            if running:
                wait_served(project, cluster)
    return snapshot


def load(project: Project, name: str) -> Loaded:
    """Puts the data of a snapshot in the place of all present data. What fails leaves that as it was."""
    require_own_server(project, "A snapshot is a copy of the database's files", _BACKUP)
    cluster = cluster_of(project)
    store = store_of(project, cluster)
    store.exists(name)
    with command_lock(project, "snapshot load"):
        store.prepare()
        snapshot = store.get(name)
        if snapshot.postgres != cluster.binaries.major:
            raise UserError(
                f"The snapshot {name} was saved by Postgres {snapshot.postgres}, "
                f"but {cluster.binaries.folder} is Postgres {cluster.binaries.major}.",
                f"Set PG_BIN to a Postgres {snapshot.postgres}. The present data is untouched.",
            )
        pending, missing, changed = _differences(project, snapshot)
        running = replace_data(
            project, cluster, lambda swap: _copied(store.data(snapshot), snapshot, cluster, swap), {}
        )
    return Loaded(running, pending, missing, changed)


def delete(project: Project, name: str) -> None:
    """Deletes a snapshot."""
    store = store_of(project, cluster_of(project))
    store.exists(name)
    with command_lock(project, "snapshot delete"):
        store.prepare()
        store.delete(name)


def is_ignored_by_git(folder: Path) -> bool:
    """Tell whether git leaves the folder out; also where there is no git, or no repository."""
    try:
        done = subprocess.run(
            ["git", "-C", str(folder), "check-ignore", "--quiet", str(folder / "x")],
            capture_output=True,
            check=False,
        )
    except OSError:
        return True
    return done.returncode != 1


def _copy(project: Project, cluster: Cluster, swap: DataSwap, folder: Path, *, running: bool) -> None:
    if not running:
        copy_data(swap, folder)
        return
    if "listening" not in stack.wait_report(project):
        raise UserError(
            "The running stack was started by an earlier localbase.", "Stop and start it, and try again."
        )
    copy_at_rest(project, cluster.data, folder)


def _copied(source: Path, snapshot: Snapshot, cluster: Cluster, swap: DataSwap) -> Path:
    fresh = swap.new_folder(os.getpid())
    fresh.parent.mkdir(parents=True, exist_ok=True)
    try:
        copy_database(source / DATABASE, fresh)
        if not is_of_this_version(cluster.at(fresh)):
            with Progress().step("bringing the data to this version"):
                made = upgraded(cluster.at(fresh), fresh.with_name(f"{fresh.name}-upgraded"))
                shutil.rmtree(fresh)
                made.rename(fresh)
        staged = swap.stage(fresh, os.getpid())
        copy_stored(sorted((source / STORED).iterdir()), staged)
    except FileNotFoundError as error:
        raise UserError(
            f"The snapshot {snapshot.name} is damaged: {error.filename} is missing.",
            f"Delete it with `localbase snapshot delete {snapshot.name}`. The present data is untouched.",
        ) from error
    return fresh


def _differences(
    project: Project, snapshot: Snapshot
) -> tuple[tuple[str, ...], tuple[str, ...], tuple[str, ...]]:
    if not project.settings.db.migrations.enabled:
        return (), (), ()
    files = {migration.version: migration.path for migration in local_migrations(project)}
    pending = tuple(path.name for version, path in files.items() if version not in snapshot.migrations)
    missing = tuple(version for version in snapshot.migrations if version not in files)
    changed = tuple(
        files[version].name
        for version, digest in snapshot.migrations.items()
        if digest and version in files and digest != _digest_of_file(files[version])
    )
    return pending, missing, changed


def _digest_of_file(path: Path) -> str:
    return digest_of(Script(path).statements)
