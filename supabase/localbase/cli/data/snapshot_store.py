"""The folder of snapshots: `supabase/.localbase/<project>.snapshots`, beside the state that a reset throws away.

`<name>.json` describes a snapshot and names the folder of its data; to write it is what makes the snapshot. So one that
was killed half way is never listed, and one that takes the place of another does so in a moment.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import secrets
import shutil
import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from localbase.cli.data.copies import DATABASE, remove_tree, sync, sync_tree, tree_bytes
from localbase.cli.data.temporary_server import server_apart
from localbase.core.errors import UserError
from localbase.core.project import Project
from localbase.postgres import history
from localbase.postgres.cluster import Cluster
from localbase.postgres.platform_version import this_version

_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,63}")
_FOLDER = re.compile(r"[0-9a-f]{32}")


@dataclass(frozen=True, slots=True)
class Snapshot:
    """A snapshot's description. `migrations` are the applied versions with a digest of their statements."""

    name: str
    saved_at: str
    localbase: str
    postgres: int
    platform: tuple[str, ...]
    migrations: dict[str, str]
    bytes: int
    folder: str


@dataclass(frozen=True, slots=True)
class SnapshotStore:
    """The snapshots of one project. Only a command that holds the project's lock may change them."""

    folder: Path
    # Postgres runs as another user, who must reach a snapshot's database.
    shared: bool = False
    # Has the disk hold an open file.
    fsync: Callable[[int], None] = os.fsync

    def prepare(self) -> None:
        """Makes the folder, and takes away what killed commands have left. Raises `UserError` where it is not ours."""
        mode = 0o711 if self.shared else 0o700
        if self.folder.is_symlink() or (self.folder.exists() and not self.folder.is_dir()):
            raise UserError(f"{self.folder} is not a folder.", "Move it away and try again.")
        self.folder.mkdir(mode=mode, parents=True, exist_ok=True)
        if self.folder.stat().st_uid != os.geteuid():
            raise UserError(
                f"{self.folder} belongs to another user.",
                "Work as that user, or give the folder back (chown -R).",
            )
        self.folder.chmod(mode)
        used_names = {snapshot.folder for snapshot in self.all()} | {f"{name}.json" for name in self._names()}
        for path in self.folder.iterdir():
            # Files of a person's own, if there are any, stay.
            if path.name not in used_names and (
                _FOLDER.fullmatch(path.name) or path.name.endswith(".partial")
            ):
                remove_tree(path)

    def new_folder(self) -> Path:
        """A new, empty folder for a snapshot's data."""
        path = self.folder / secrets.token_hex(16)
        path.mkdir(mode=0o711 if self.shared else 0o700)
        return path

    def add(self, snapshot: Snapshot) -> None:
        """Lists a snapshot with complete data, in the place of an earlier one of its name, if there is one.

        The disk holds the new one before it is listed, and the list before the earlier one goes.
        """
        sync_tree(self.data(snapshot), self.fsync)
        partial = self.folder / f"{snapshot.folder}.partial"
        descriptor = os.open(partial, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(descriptor, "w", encoding="utf-8") as file:
            json.dump(asdict(snapshot), file)
            file.flush()
            self.fsync(file.fileno())
        partial.replace(self._file(snapshot.name))
        sync(self.folder, self.fsync)
        # A person may have put all local data on another disk, and left a link.
        sync(self.folder.parent.resolve(), self.fsync)
        self.prepare()

    def discard(self, folder: Path) -> None:
        """Removes the folder of a snapshot that could not be saved, unless it is listed already."""
        if folder.name not in {snapshot.folder for snapshot in self.all()}:
            shutil.rmtree(folder, ignore_errors=True)

    def all(self) -> list[Snapshot]:
        """All snapshots, oldest first. A description that cannot be read is none."""
        snapshots = []
        for name in self._names():
            snapshot = self._read(name)
            if snapshot is not None:
                snapshots.append(snapshot)
        return sorted(snapshots, key=lambda snapshot: (snapshot.saved_at, snapshot.name))

    def exists(self, name: str) -> bool:
        """Tell whether the name is taken. Raises `UserError` for what is no name."""
        return self._file(name).exists()

    def get(self, name: str) -> Snapshot:
        """The snapshot of that name. Raises `UserError` where there is none."""
        if not self.exists(name):
            names = ", ".join(snapshot.name for snapshot in self.all())
            raise UserError(
                f"There is no snapshot {name}.",
                f"There are: {names}." if names else "Make it with `localbase snapshot save NAME`.",
            )
        snapshot = self._read(name)
        if snapshot is None:
            raise UserError(
                f"{self._file(name)} does not describe a snapshot.",
                f"Delete it with `localbase snapshot delete {name}`.",
            )
        return snapshot

    def data(self, snapshot: Snapshot) -> Path:
        """The folder of its data."""
        return self.folder / snapshot.folder

    def delete(self, name: str) -> None:
        """Deletes a snapshot. Raises `UserError` where there is none."""
        if not self.exists(name):
            self.get(name)
        self._file(name).unlink()
        self.prepare()

    def _file(self, name: str) -> Path:
        if not _NAME.fullmatch(name):
            raise UserError(
                f"{name!r} cannot be the name of a snapshot.",
                "Use up to 64 letters, digits, dots, hyphens and underscores; begin with a letter or a digit.",
            )
        return self.folder / f"{name}.json"

    def _names(self) -> list[str]:
        names = [path.name.removesuffix(".json") for path in self.folder.glob("*.json")]
        return [name for name in names if _NAME.fullmatch(name)]

    def _read(self, name: str) -> Snapshot | None:
        try:
            fields = json.loads(self._file(name).read_text(encoding="utf-8"))
            snapshot = Snapshot(**{**fields, "platform": tuple(fields["platform"])})
        except (OSError, ValueError, TypeError, KeyError):
            return None
        sound = (
            snapshot.name == name
            and isinstance(snapshot.folder, str)
            and _FOLDER.fullmatch(snapshot.folder) is not None
            and isinstance(snapshot.migrations, dict)
            and isinstance(snapshot.bytes, int)
            and isinstance(snapshot.postgres, int)
        )
        return snapshot if sound else None


def store_of(project: Project, cluster: Cluster) -> SnapshotStore:
    """The project's snapshots: below its own folder, unless Postgres's user cannot reach that."""
    beside = project.state if cluster.data.parent == project.state else cluster.data
    return SnapshotStore(beside.with_name(f"{beside.name}.snapshots"), shared=cluster.account is not None)


def save_copy(store: SnapshotStore, name: str, cluster: Cluster, copy: Callable[[Path], None]) -> Snapshot:
    """Saves what `copy` lays into the folder that it gets; `cluster` has the programs. What fails leaves nothing."""
    folder = store.new_folder()
    try:
        copy(folder)
        snapshot = _describe(name, cluster.at(folder / DATABASE), folder)
        store.add(snapshot)
    except BaseException:
        store.discard(folder)
        raise
    return snapshot


def _describe(name: str, cluster: Cluster, folder: Path) -> Snapshot:
    """Starts a server on the copy, which proves that it is whole, and leaves it as one that was stopped."""
    with server_apart(cluster) as connection:
        applied = history.read_history(connection)
        platform = connection.execute("select name from _localbase.platform order by name").fetchall()
    return Snapshot(
        name=name,
        saved_at=time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime()),
        localbase=this_version(),
        postgres=cluster.binaries.major,
        platform=tuple(row[0] for row in platform),
        migrations={each.version: digest_of(each.statements) for each in applied},
        bytes=tree_bytes(folder),
        folder=folder.name,
    )


def digest_of(statements: Sequence[str] | None) -> str:
    """A migration's digest. Empty where other tools have recorded no statements."""
    return hashlib.sha256(json.dumps(statements).encode()).hexdigest() if statements else ""
