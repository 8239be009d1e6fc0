"""The store's list of snapshots: each that it names is complete, and names lead nowhere else."""

from __future__ import annotations

import errno
import os
from dataclasses import replace
from pathlib import Path

import pytest
from localbase.cli.data.snapshot_store import Snapshot, SnapshotStore
from localbase.core.errors import UserError


@pytest.fixture
def store(tmp_path: Path) -> SnapshotStore:
    made = SnapshotStore(tmp_path / "other.snapshots")
    made.prepare()
    return made


def add(store: SnapshotStore, name: str, text: str = "data") -> Snapshot:
    folder = store.new_folder()
    (folder / "file").write_text(text)
    snapshot = Snapshot(
        name, "2026-01-01T00:00:00Z", "0.2.0", 18, ("1.sql",), {"1": "a"}, len(text), folder.name
    )
    store.add(snapshot)
    return snapshot


def folders(store: SnapshotStore) -> set[str]:
    return {path.name for path in store.folder.iterdir() if path.is_dir()}


@pytest.mark.parametrize(
    "name", ["", ".", "..", "../x", "a/b", "/etc", ".hidden", "-f", "a b", "ä", "x\n", "a" * 65, "a\x00"]
)
def test_names_that_could_be_paths_or_options_are_rejected(store: SnapshotStore, name: str) -> None:
    for act in (store.exists, store.get, store.delete):
        with pytest.raises(UserError, match="cannot be the name of a snapshot"):
            act(name)


def test_added_snapshot_is_listed_with_all_that_is_known_of_it(store: SnapshotStore) -> None:
    snapshot = add(store, "first")
    assert store.all() == [snapshot]
    assert store.get("first") == snapshot
    assert (store.data(snapshot) / "file").read_text() == "data"


def test_begun_snapshot_is_not_listed_and_the_next_command_removes_it(store: SnapshotStore) -> None:
    first = add(store, "first")
    (store.new_folder() / "half").write_text("x")
    assert store.all() == [first]
    store.prepare()
    assert folders(store) == {first.folder}


def test_replaced_snapshot_leaves_no_data_behind(store: SnapshotStore) -> None:
    add(store, "first", "old")
    second = add(store, "first", "new")
    assert store.all() == [second]
    assert folders(store) == {second.folder}
    assert (store.data(second) / "file").read_text() == "new"


def test_snapshot_is_on_disk_before_it_is_listed_and_the_old_one_goes(store: SnapshotStore) -> None:
    old = add(store, "first", "old")
    synced: list[tuple[int, list[Snapshot], set[str]]] = []

    def fsync(descriptor: int) -> None:
        synced.append((os.fstat(descriptor).st_ino, store.all(), folders(store)))

    store = replace(store, fsync=fsync)
    folder = store.new_folder()
    (folder / "postgres").mkdir()
    (folder / "postgres" / "file").write_text("new")
    (folder / "link.toml").symlink_to(folder / "postgres" / "file")
    new = replace(old, folder=folder.name)
    store.add(new)
    data = {path.stat().st_ino for path in (folder, folder / "postgres", folder / "postgres" / "file")}
    before = {inode for inode, listed, _ in synced if listed == [old]}
    assert data <= before
    both = {old.folder, new.folder}
    assert (store.folder.stat().st_ino, [new], both) in synced
    assert folders(store) == {new.folder}


def test_deleted_snapshot_leaves_no_data_behind(store: SnapshotStore) -> None:
    add(store, "first")
    store.delete("first")
    assert (store.all(), list(store.folder.iterdir())) == ([], [])
    with pytest.raises(UserError, match="There is no snapshot first"):
        store.delete("first")


def test_unknown_name_is_answered_with_the_known_ones(store: SnapshotStore) -> None:
    with pytest.raises(UserError) as empty:
        store.get("first")
    assert empty.value.remedy == "Make it with `localbase snapshot save NAME`."
    add(store, "one")
    add(store, "two")
    with pytest.raises(UserError) as failed:
        store.get("first")
    assert failed.value.remedy == "There are: one, two."


@pytest.mark.parametrize("folder", ["../elsewhere", "/etc", "", "A" * 32, "0" * 31, "0" * 32 + "\n"])
def test_description_that_leads_elsewhere_is_none(store: SnapshotStore, folder: str) -> None:
    snapshot = add(store, "first")
    store.add(replace(snapshot, folder="f" * 32))
    path = store.folder / "first.json"
    path.write_text(path.read_text().replace('"' + "f" * 32 + '"', f'"{folder}"'.replace("\n", "\\n")))
    assert store.all() == []
    with pytest.raises(UserError, match="does not describe a snapshot"):
        store.get("first")
    store.delete("first")
    assert list(store.folder.iterdir()) == []


def test_data_that_is_a_link_is_unlinked_and_not_followed(store: SnapshotStore, tmp_path: Path) -> None:
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    (elsewhere / "precious").write_text("stays")
    (store.folder / ("0" * 32)).symlink_to(elsewhere)
    store.prepare()
    assert folders(store) == set()
    assert (elsewhere / "precious").read_text() == "stays"


def test_folder_that_is_a_link_is_rejected(tmp_path: Path) -> None:
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "link").symlink_to(tmp_path / "elsewhere")
    with pytest.raises(UserError, match="is not a folder"):
        SnapshotStore(tmp_path / "link").prepare()


def test_files_of_other_names_stay(store: SnapshotStore) -> None:
    (store.folder / "notes.txt").write_text("mine")
    store.prepare()
    assert (store.folder / "notes.txt").read_text() == "mine"


@pytest.mark.parametrize(("shared", "mode"), [(False, 0o700), (True, 0o711)])
def test_folder_is_closed_to_other_users(tmp_path: Path, shared: bool, mode: int) -> None:
    store = SnapshotStore(tmp_path / "s", shared=shared)
    store.prepare()
    assert store.folder.stat().st_mode & 0o777 == mode
    assert store.new_folder().stat().st_mode & 0o777 == mode


def test_folder_of_local_data_may_be_a_link(tmp_path: Path) -> None:
    (tmp_path / "disk").mkdir()
    (tmp_path / "local").symlink_to(tmp_path / "disk")
    store = SnapshotStore(tmp_path / "local" / "other.snapshots")
    store.prepare()
    snapshot = add(store, "first")
    assert store.all() == [snapshot]


def test_failure_after_a_snapshot_is_listed_loses_neither_name_nor_data(store: SnapshotStore) -> None:
    add(store, "first", "old")

    def fsync(descriptor: int) -> None:
        # The list's folder, once the new one is listed.
        if os.path.samestat(os.fstat(descriptor), store.folder.stat()):
            raise OSError(errno.EIO, "no disk")

    broken = replace(store, fsync=fsync)
    folder = broken.new_folder()
    (folder / "file").write_text("new")
    with pytest.raises(OSError, match="no disk"):
        broken.add(replace(store.get("first"), folder=folder.name))
    broken.discard(folder)
    store.prepare()
    assert (store.data(store.get("first")) / "file").read_text() == "new"


def test_folder_that_is_not_listed_is_discarded(store: SnapshotStore) -> None:
    folder = store.new_folder()
    (folder / "half").write_text("x")
    store.discard(folder)
    assert folders(store) == set()
