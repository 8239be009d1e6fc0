"""New clusters with the platform's schemas: copied from a template, where one of their kind is there.

`initdb` and the platform's files take most of the time in which a small project gets its database, and what they make
is the same for every project. The second new cluster of a kind leaves a copy of itself in the user's cache folder
(`$XDG_CACHE_HOME/localbase`, or `~/.cache/localbase`); the first does not, for there may never be another. A template
is named by a digest of all that it is made of: the release of the embedded Postgres, the modules that run it, the
platform's files. So one that is found is right, and one of other programs is not found. Without a folder of the user's
own, or with a Postgres of the system's, each cluster is made from nothing.
"""

from __future__ import annotations

import fcntl
import hashlib
import os
import shutil
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path

from localbase.cli.server_apart import server_apart
from localbase.cli.tree import OF_A_SERVER, copy_tree, dig_holes, sync_tree, tree_bytes
from localbase.postgres import cluster as cluster_module
from localbase.postgres import migrate
from localbase.postgres.cluster import EXTENSIONS, OWN_FOLDER, Cluster

# Of other releases, or of localbase in its development. Each takes 37 MB.
_MOST_TEMPLATES = 3
_DIGEST_CHARACTERS = 32


def make_cluster(cluster: Cluster, environ: Mapping[str, str] = os.environ) -> None:
    """Makes the cluster's data folder, which must not be there; a copied one has the platform's schemas already.

    Raises `UserError` where `initdb` fails.
    """
    store = _store(environ) if cluster.binaries.release else None
    if store is None:
        cluster.initialise()
        return
    template = store / _digest(cluster)
    if _copied(template, cluster):
        return
    cluster.initialise()
    if not _is_second(template):
        return
    with server_apart(cluster) as connection:
        migrate.bootstrap_platform(connection)
    # Where there is no room for it, the next one tries again.
    with suppress(OSError):
        _leave(cluster, template)


def _store(environ: Mapping[str, str]) -> Path | None:
    """The folder of the templates, which is the user's alone; None where there can be none."""
    cache = environ.get("XDG_CACHE_HOME", "")
    home = environ.get("HOME", "")
    base = Path(cache) if cache.startswith("/") else Path(home) / ".cache"
    if not base.is_absolute():
        return None
    store = base / "localbase" / "clusters"
    try:
        store.mkdir(parents=True, exist_ok=True)
        found = store.lstat()
        if store.is_symlink() or found.st_uid != os.geteuid():
            return None
        store.chmod(0o700)
    except OSError:
        return None
    return store


def _digest(cluster: Cluster) -> str:
    account = cluster.account
    digest = hashlib.sha256(f"{cluster.binaries.release} {account}\n".encode())
    modules = [Path(str(module.__file__)) for module in (cluster_module, migrate)]
    for path in [*modules, *migrate.platform_paths(), *sorted(EXTENSIONS.iterdir())]:
        content = path.read_bytes()
        digest.update(f"{path.name} {len(content)}\n".encode() + content)
    return digest.hexdigest()[:_DIGEST_CHARACTERS]


def _copied(template: Path, cluster: Cluster) -> bool:
    """Whether there was a sound template, and the cluster's data is a copy of it now."""
    try:
        with _locked(template.parent, fcntl.LOCK_SH):
            # What a full disk or a power cut has left is shorter.
            if int(_size_file(template).read_text()) != tree_bytes(template):
                return False
            cluster.make_parent()
            copy_tree(template, cluster.data)
            # The least used goes first.
            os.utime(template)
    except (OSError, ValueError):
        # Not there, not sound, or on a disk without locks: then the cluster is made from nothing.
        shutil.rmtree(cluster.data, ignore_errors=True)
        return False
    cluster.install_extensions()
    return True


def _is_second(template: Path) -> bool:
    mark = template.with_suffix(".once")
    with suppress(OSError):
        if mark.exists():
            return True
        mark.touch()
    return False


def _leave(cluster: Cluster, template: Path) -> None:
    """Copies a cluster on which no server runs, without what is its own: the extensions' folder holds a secret key."""
    with _locked(template.parent, fcntl.LOCK_EX):
        partial = template.with_name("partial")
        # A killed command's.
        shutil.rmtree(partial, ignore_errors=True)
        try:
            copy_tree(cluster.data, partial, leave=OF_A_SERVER | {OWN_FOLDER})
            # Most of the write-ahead log is room for more.
            dig_holes(partial / "pg_wal")
            sync_tree(partial)
            _discard(template)
            partial.rename(template)
        finally:
            shutil.rmtree(partial, ignore_errors=True)
        _size_file(template).write_text(str(tree_bytes(template)))
        found = [path for path in template.parent.iterdir() if path.is_dir()]
        for path in sorted(found, key=lambda path: path.stat().st_mtime_ns)[:-_MOST_TEMPLATES]:
            _discard(path)


def _discard(template: Path) -> None:
    _size_file(template).unlink(missing_ok=True)
    shutil.rmtree(template, ignore_errors=True)


def _size_file(template: Path) -> Path:
    """Written last: it makes a folder a template."""
    return template.with_suffix(".size")


@contextmanager
def _locked(store: Path, how: int) -> Iterator[None]:
    with (store / "lock").open("a") as lock:
        fcntl.flock(lock, how)
        yield
