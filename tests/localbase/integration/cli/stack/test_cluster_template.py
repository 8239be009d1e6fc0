"""New clusters come from a template, where there is a sound one of their kind; each has a secret key of its own."""

from __future__ import annotations

import fcntl
import os
import stat
import subprocess
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

import psycopg
import pytest
from localbase.cli.data.cluster_template import make_cluster
from localbase.cli.data.temporary_server import server_apart
from localbase.core.project import open_project
from localbase.postgres.binaries import find_binaries
from localbase.postgres.cluster import Cluster, cluster_of
from localbase.postgres.migrate import bootstrap_platform, platform_paths

from tests.localbase.integration.small_project import open_to_postgres
from tests.support.random_cases import few

_NO_FOLDER = Path("/nowhere")

PLATFORM = [path.name for path in platform_paths()]


@pytest.fixture
def folder(tmp_path: Path) -> Iterator[Path]:
    """A folder that Postgres's account reaches."""
    ancestor = tmp_path
    while not ancestor.stat().st_mode & stat.S_IXOTH:
        ancestor.chmod(ancestor.stat().st_mode | stat.S_IXOTH)
        ancestor = ancestor.parent
    (tmp_path / "supabase").mkdir()
    yield tmp_path


# What the real one has made at its first run, the others copy.
_INITDB = """#!/bin/sh
set -e
if [ -d {made} ]; then
    mkdir -p "$2"
    cp -a {made}/. "$2"
else
    {initdb} "$@"
    cp -a "$2" {made}
fi
"""


@pytest.fixture(scope="module")
def programs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of Postgres's programs, with an `initdb` that takes a tenth of the time."""
    shared = tmp_path_factory.mktemp("programs")
    open_to_postgres(shared)
    # Its user leaves a file there.
    shared.chmod(0o777)
    binaries = find_binaries({})
    folder = shared / "bin"
    folder.mkdir()
    (shared / "share").symlink_to(binaries.folder.parent / "share")
    for program in binaries.folder.iterdir():
        if program.name != "initdb":
            (folder / program.name).symlink_to(program)
    script = folder / "initdb"
    script.write_text(_INITDB.format(made=shared / "made", initdb=binaries.path("initdb")))
    script.chmod(0o755)
    return folder


class Clusters:
    """New clusters of one user, whose templates lie in `cache`, made by `programs` (default: Postgres's own)."""

    def __init__(
        self, folder: Path, environ: Mapping[str, str] | None = None, programs: Path | None = None
    ) -> None:
        self.cache = folder / "cache"
        self.store = self.cache / "localbase" / "clusters"
        self._environ = {"XDG_CACHE_HOME": str(self.cache)} if environ is None else environ
        self._folder = folder
        self._programs = programs
        self._made = 0

    def make(self, *, release: str | None = None, programs: bool = True) -> Cluster:
        """The next one; without `programs` nothing can be run for it."""
        self._made += 1
        project_cluster = cluster_of(open_project(self._folder, {}))
        binaries = project_cluster.binaries
        if release is not None:
            binaries = replace(binaries, release=release)
        if folder := self._programs if programs else _NO_FOLDER:
            binaries = replace(binaries, folder=folder)
        cluster = replace(project_cluster, binaries=binaries, data=self._folder / f"data-{self._made}")
        if not programs:
            self._wait_until_kept()
        make_cluster(cluster, self._environ)
        return replace(cluster, binaries=project_cluster.binaries)

    def _wait_until_kept(self) -> None:
        """Whoever makes a copy a template holds the lock meanwhile."""
        with suppress(OSError), (self.store / "lock").open() as lock:
            fcntl.flock(lock, fcntl.LOCK_SH)

    def templates(self) -> set[str]:
        self._wait_until_kept()
        return {path.stem for path in self.store.glob("*.tree")}


@pytest.fixture(scope="module")
def kept(programs: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A cache with a sound template."""
    folder = tmp_path_factory.mktemp("kept")
    (folder / "supabase").mkdir()
    clusters = Clusters(folder, programs=programs)
    clusters.make()
    assert len(clusters.templates()) == 1
    return clusters.cache


@pytest.fixture
def clusters(folder: Path, kept: Path, programs: Path) -> Clusters:
    """A user whose cache has a sound template."""
    made = Clusters(folder, programs=programs)
    subprocess.run(["cp", "-a", kept, made.cache], check=True)
    return made


def platform(cluster: Cluster) -> list[str]:
    """Return which of the platform's files the cluster has before anything of the project is applied."""
    with server_apart(cluster) as connection:
        row = connection.execute("select to_regclass('_localbase.platform') is not null").fetchone()
        if row != (True,):
            return []
        return [name for (name,) in connection.execute("select name from _localbase.platform order by name")]


def test_second_cluster_of_a_kind_is_a_copy(folder: Path) -> None:
    clusters = Clusters(folder)
    first = clusters.make()
    assert len(clusters.templates()) == 1
    second = clusters.make(programs=False)
    assert [platform(each) for each in (first, second)] == [PLATFORM, PLATFORM]
    keys = {(each.data / "localbase" / "vault.key").read_bytes() for each in (first, second)}
    assert len(keys) == 2
    assert list(clusters.store.rglob("vault.key")) == []
    with server_apart(second) as connection:
        bootstrap_platform(connection)
        connection.execute("select vault.create_secret('a secret', 'name')")
        row = connection.execute("select decrypted_secret from vault.decrypted_secrets").fetchone()
    assert row == ("a secret",)


def shorten(template: Path) -> None:
    """As a full disk does."""
    os.truncate(template / "global" / "pg_control", 0)


def remove_empty_folders(template: Path) -> None:
    """As who tidies a cache: `find ~/.cache -type d -empty -delete`."""
    for path in template.rglob("*"):
        if path.is_dir() and not list(path.iterdir()):
            path.rmdir()


def open_to_all(template: Path) -> None:
    """As `chmod -R go+rX ~/.cache`: Postgres starts on no such folder."""
    for path in (template, *template.rglob("*")):
        mode = path.stat().st_mode
        path.chmod(mode | (0o055 if path.is_dir() else 0o044))


def give_to_another(template: Path) -> None:
    """As `chown -R root ~/.cache`, where Postgres runs as another user."""
    if os.geteuid() != 0:
        pytest.skip("only root gives a folder away")
    for path in (template, *template.rglob("*")):
        os.chown(path, 0, 0)


@pytest.mark.parametrize("damage", few([shorten, open_to_all, remove_empty_folders, give_to_another], 2))
def test_damaged_template_is_made_anew(clusters: Clusters, damage: Callable[[Path], None]) -> None:
    (name,) = clusters.templates()
    damage(clusters.store / name)
    with pytest.raises(FileNotFoundError, match="initdb"):
        clusters.make(programs=False)
    assert platform(clusters.make()) == PLATFORM
    assert platform(clusters.make(programs=False)) == PLATFORM


def test_copy_has_a_partition_of_today_however_old_its_template_is(clusters: Clusters) -> None:
    cluster = clusters.make()
    with server_apart(cluster) as connection:
        bootstrap_platform(connection)
        # As in a template that was made on another day.
        connection.execute("set role supabase_realtime_admin")
        connection.execute("select realtime.maintain_messages(date '2031-05-06')")
    with server_apart(cluster) as connection:
        bootstrap_platform(connection)
        connection.execute("select realtime.send('{\"a\": 1}', 'event', 'topic', false)")
        assert connection.execute("select payload ->> 'a' from realtime.messages").fetchall() == [("1",)]
        owners = """select distinct relowner::regrole::text from pg_class
            where relname like 'messages_20%' and relkind = 'r'"""
        assert connection.execute(owners).fetchall() == [("supabase_realtime_admin",)]


def test_cluster_whose_partitions_a_project_holds_back_starts(clusters: Clusters) -> None:
    cluster = clusters.make()
    with server_apart(cluster) as connection:
        bootstrap_platform(connection)
        connection.execute("set role supabase_realtime_admin")
        connection.execute("select realtime.maintain_messages((now() at time zone 'utc')::date - 10)")
        connection.execute("reset role")
        # The next maintenance would drop a partition that it refers to.
        connection.execute(
            "create table public.marks (id uuid, at timestamp,"
            " foreign key (id, at) references realtime.messages (id, inserted_at))"
        )
    with server_apart(cluster) as connection:
        with pytest.raises(psycopg.errors.DependentObjectsStillExist):
            connection.execute("select realtime.maintain_messages((now() at time zone 'utc')::date)")
        bootstrap_platform(connection)
        assert connection.execute("select count(*) from public.marks").fetchone() == (0,)


def test_cluster_behind_a_link_is_used(clusters: Clusters) -> None:
    cluster = clusters.make()
    moved = cluster.data.with_name("elsewhere")
    cluster.data.rename(moved)
    cluster.data.symlink_to(moved)
    cluster.install_extensions()
    with server_apart(cluster) as connection:
        assert connection.execute("select 1").fetchone() == (1,)


def test_cluster_of_another_release_is_made_from_nothing(clusters: Clusters) -> None:
    with pytest.raises(FileNotFoundError, match="initdb"):
        clusters.make(release="another", programs=False)


def test_templates_that_were_not_used_for_long_go(folder: Path, programs: Path) -> None:
    clusters = Clusters(folder, programs=programs)
    old = [clusters.store / name for name in ("older", "old", "newer")]
    for age, template in enumerate(old):
        template.mkdir(parents=True)
        template.with_suffix(".tree").write_text("0")
        os.utime(template, (age, age))
    (clusters.store / "partial").mkdir()
    clusters.make()
    (made,) = clusters.templates() - {"old", "newer"}
    assert {path.name for path in clusters.store.iterdir() if path.is_dir()} == {"old", "newer", made}


@pytest.mark.parametrize("release", ["", None])
def test_nothing_is_written_for_other_programs_or_without_a_home(
    folder: Path, programs: Path, release: str | None
) -> None:
    clusters = Clusters(folder, {} if release is None else None, programs)
    assert platform(clusters.make(release=release)) == []
    assert not clusters.cache.exists()


@pytest.mark.parametrize("kind", ["link", "other's", "file"])
def test_folder_that_is_not_the_users_own_is_not_used(folder: Path, programs: Path, kind: str) -> None:
    clusters = Clusters(folder, programs=programs)
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
    assert platform(clusters.make()) == []
    assert list(elsewhere.iterdir()) == []
    assert kind != "other's" or list(clusters.store.iterdir()) == []


def test_folder_without_locks_costs_the_template_alone(folder: Path, programs: Path) -> None:
    clusters = Clusters(folder, programs=programs)
    # As on a disk that is full, or one of the network that knows no locks.
    (clusters.store / "lock").mkdir(parents=True)
    clusters.make()
    assert clusters.templates() == set()


def test_lock_that_another_command_holds_costs_the_template_alone(clusters: Clusters) -> None:
    # As a command does that was stopped (Ctrl-Z) while it left a template.
    with (clusters.store / "lock").open("a") as lock, ThreadPoolExecutor(1) as pool:
        fcntl.flock(lock, fcntl.LOCK_EX)
        try:
            cluster = pool.submit(clusters.make).result(timeout=60)
        finally:
            fcntl.flock(lock, fcntl.LOCK_UN)
    assert platform(cluster) == PLATFORM
    assert platform(clusters.make(programs=False)) == PLATFORM


@pytest.mark.skipif(os.geteuid() != 0, reason="only root gives a folder away")
@pytest.mark.parametrize("variable", ["HOME", "XDG_CACHE_HOME"])
def test_home_of_another_user_stays_as_it_is(folder: Path, programs: Path, variable: str) -> None:
    home = folder / "home"
    home.mkdir()
    os.chown(home, 4321, 4321)
    # As `sudo` without `-H` leaves the environment.
    clusters = Clusters(folder, {variable: str(home)}, programs)
    assert platform(clusters.make()) == []
    assert list(home.iterdir()) == []


@pytest.mark.parametrize("variable", ["HOME", "XDG_CACHE_HOME"])
def test_folder_that_others_may_write_is_not_used(folder: Path, programs: Path, variable: str) -> None:
    shared = folder / "shared"
    shared.mkdir()
    shared.chmod(0o777)
    clusters = Clusters(folder, {variable: str(shared)}, programs)
    assert platform(clusters.make()) == []
    assert list(shared.iterdir()) == []


def test_template_of_other_locales_is_not_used(folder: Path, clusters: Clusters) -> None:
    environ = {"XDG_CACHE_HOME": str(clusters.cache)}
    clusters = Clusters(folder, environ)
    locales = folder / "locales"
    locales.mkdir()
    script = locales / "locale"
    script.write_text("#!/bin/sh\necho C\necho xx_XX.utf8\n")
    script.chmod(0o755)
    # One more locale, and a system that lists none.
    for path in (locales, folder / "empty"):
        environ["PATH"] = str(path)
        with pytest.raises(FileNotFoundError, match="initdb"):
            clusters.make(programs=False)
    del environ["PATH"]
    assert platform(clusters.make(programs=False)) == PLATFORM
