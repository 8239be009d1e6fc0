"""New clusters come from a template, where there is a sound one of their kind; each has a secret key of its own."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path

import pytest
from localbase.cli.cluster_template import make_cluster
from localbase.cli.server_apart import server_apart
from localbase.core.project import open_project
from localbase.postgres.cluster import Cluster, cluster_of
from localbase.postgres.migrate import bootstrap_platform, platform_files

_NO_FOLDER = Path("/nowhere")


@pytest.fixture
def folder(tmp_path: Path) -> Iterator[Path]:
    """A folder that Postgres's account reaches."""
    found = tmp_path
    while not found.stat().st_mode & stat.S_IXOTH:
        found.chmod(found.stat().st_mode | stat.S_IXOTH)
        found = found.parent
    (tmp_path / "supabase").mkdir()
    yield tmp_path


class Clusters:
    """New clusters of one user, whose templates lie in `cache`."""

    def __init__(self, folder: Path, environ: Mapping[str, str] | None = None) -> None:
        self.cache = folder / "cache"
        self.store = self.cache / "localbase" / "clusters"
        self._environ = {"XDG_CACHE_HOME": str(self.cache)} if environ is None else environ
        self._folder = folder
        self._made = 0

    def make(self, *, release: str | None = None, programs: bool = True) -> Cluster:
        """The next one; without `programs` nothing can be run for it."""
        self._made += 1
        found = cluster_of(open_project(self._folder, {}))
        binaries = found.binaries
        if release is not None:
            binaries = replace(binaries, release=release)
        if not programs:
            binaries = replace(binaries, folder=_NO_FOLDER)
        cluster = replace(found, binaries=binaries, data=self._folder / f"data-{self._made}")
        make_cluster(cluster, self._environ)
        return replace(cluster, binaries=found.binaries)

    def templates(self) -> set[str]:
        return {path.stem for path in self.store.glob("*.size")}


def platform(cluster: Cluster) -> list[str]:
    """Which of the platform's files the cluster has before anything of the project is applied."""
    with server_apart(cluster) as connection:
        row = connection.execute("select to_regclass('_localbase.platform') is not null").fetchone()
        if row != (True,):
            return []
        return [name for (name,) in connection.execute("select name from _localbase.platform order by name")]


def test_third_cluster_of_a_kind_is_a_copy(folder: Path) -> None:
    clusters = Clusters(folder)
    first = clusters.make()
    assert clusters.templates() == set()
    second = clusters.make()
    assert len(clusters.templates()) == 1
    third = clusters.make(programs=False)
    assert [platform(each) for each in (first, second, third)] == [[], platform_files(), platform_files()]
    keys = {(each.data / "localbase" / "vault.key").read_bytes() for each in (first, second, third)}
    assert len(keys) == 3
    assert list(clusters.store.rglob("vault.key")) == []
    with server_apart(third) as connection:
        bootstrap_platform(connection)
        connection.execute("select vault.create_secret('a secret', 'name')")
        row = connection.execute("select decrypted_secret from vault.decrypted_secrets").fetchone()
    assert row == ("a secret",)


def test_damaged_template_is_made_anew(folder: Path) -> None:
    clusters = Clusters(folder)
    for _ in range(2):
        clusters.make()
    (name,) = clusters.templates()
    os.truncate(clusters.store / name / "global" / "pg_control", 0)
    with pytest.raises(FileNotFoundError, match="initdb"):
        clusters.make(programs=False)
    assert platform(clusters.make()) == platform_files()
    assert platform(clusters.make(programs=False)) == platform_files()


def test_cluster_of_another_release_is_made_from_nothing(folder: Path) -> None:
    clusters = Clusters(folder)
    for _ in range(2):
        clusters.make()
    assert platform(clusters.make(release="another")) == []


def test_templates_that_were_not_used_for_long_go(folder: Path) -> None:
    clusters = Clusters(folder)
    old = [clusters.store / name for name in ("older", "old", "newer")]
    for age, template in enumerate(old):
        template.mkdir(parents=True)
        template.with_suffix(".size").write_text("0")
        os.utime(template, (age, age))
    (clusters.store / "partial").mkdir()
    for _ in range(2):
        clusters.make()
    (made,) = clusters.templates() - {"old", "newer"}
    assert {path.name for path in clusters.store.iterdir() if path.is_dir()} == {"old", "newer", made}


@pytest.mark.parametrize("release", ["", None])
def test_nothing_is_written_for_other_programs_or_without_a_home(folder: Path, release: str | None) -> None:
    clusters = Clusters(folder, {} if release is None else None)
    for _ in range(2):
        assert platform(clusters.make(release=release)) == []
    assert not clusters.cache.exists()


@pytest.mark.parametrize("kind", ["link", "other's", "file"])
def test_folder_that_is_not_the_users_own_is_not_used(folder: Path, kind: str) -> None:
    clusters = Clusters(folder)
    clusters.store.parent.mkdir(parents=True)
    elsewhere = folder / "elsewhere"
    elsewhere.mkdir()
    if kind == "link":
        clusters.store.symlink_to(elsewhere)
    elif kind == "file":
        clusters.store.write_text("")
    elif os.geteuid() == 0:
        clusters.store.mkdir()
        os.chown(clusters.store, 4321, 4321)
    else:
        pytest.skip("only root gives a folder away")
    for _ in range(2):
        assert platform(clusters.make()) == []
    assert list(elsewhere.iterdir()) == []
    assert kind != "other's" or list(clusters.store.iterdir()) == []


def test_folder_without_locks_costs_the_template_alone(folder: Path) -> None:
    clusters = Clusters(folder)
    # As on a disk that is full, or one of the network that knows no locks.
    (clusters.store / "lock").mkdir(parents=True)
    for _ in range(2):
        clusters.make()
    assert clusters.templates() == set()
