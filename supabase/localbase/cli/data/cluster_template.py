"""New clusters with the platform's schemas: copied from a template, where one of their kind is there.

`initdb` and the platform's files take most of the time in which a small project gets its database, and what they make
is the same for every project. The first new cluster of a kind leaves a copy of itself in the user's cache folder
(`$XDG_CACHE_HOME/localbase`, or `~/.cache/localbase`). `python -m localbase.cli.data.cluster_template PARTIAL TEMPLATE`
has the disk hold that copy while its command goes on, and makes it a template. One is named by a digest of all that it
is made of: the release of the embedded Postgres, the modules that run it, the platform's files, the system's locales,
which `initdb` lists as collations. So one that is found is right, and one of other programs is not found. Without a
folder of the user's own, or with a Postgres of the system's, each cluster is made from nothing.
"""

from __future__ import annotations

import fcntl
import hashlib
import os
import platform
import shutil
import stat
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path

from localbase.cli.data import copies
from localbase.cli.data.copies import copy_database, copy_tree, dig_holes, sync_tree, tree_digest
from localbase.cli.data.temporary_server import server_apart
from localbase.postgres import cluster as cluster_module
from localbase.postgres.allowlist import ALLOWLIST
from localbase.postgres.cluster import EXTENSIONS, OWN_FOLDER, Cluster

# Of other releases, or of localbase in its development. Each takes 37 MB.
_MOST_TEMPLATES = 3
_DIGEST_CHARACTERS = 32
_LOCALE_SECONDS = 10


def make_cluster(cluster: Cluster, environ: Mapping[str, str] = os.environ) -> None:
    """Makes the cluster's data folder, which must not be there; a copied one has the platform's schemas already.

    Raises `UserError` where `initdb` fails.
    """
    store = _store(environ) if cluster.binaries.release else None
    if store is None:
        cluster.initialise()
        return
    template = store / _digest(cluster, environ)
    if _copied(template, cluster):
        return
    from localbase.postgres import migrate

    cluster.initialise()
    with server_apart(cluster) as connection:
        migrate.bootstrap_platform(connection)
    # Where there is no room for it, the next one tries again.
    with suppress(OSError):
        _leave(cluster, template)


def _store(environ: Mapping[str, str]) -> Path | None:
    """The folder of the templates, which is the user's alone; None where there can be none.

    Root with another user's HOME, as `sudo` may leave it, makes no folders there: that user could not write to them.
    """
    cache = environ.get("XDG_CACHE_HOME", "")
    home = environ.get("HOME", "")
    base = Path(cache) if cache.startswith("/") else Path(home) / ".cache"
    if not base.is_absolute():
        return None
    store = base / "localbase" / "clusters"
    try:
        folders = [path.stat() for path in (Path(home), base) if path.is_absolute() and path.exists()]
        if {status.st_uid for status in folders} - {os.geteuid()}:
            return None
        # There anyone could put another folder in the place of ours.
        if any(status.st_mode & stat.S_IWOTH for status in folders):
            return None
        store.mkdir(parents=True, exist_ok=True)
        for path in (store.parent, store):
            status = path.lstat()
            if not stat.S_ISDIR(status.st_mode) or status.st_uid != os.geteuid():
                return None
        if store.parent.stat().st_mode & stat.S_IWOTH:
            return None
        store.chmod(0o700)
    except OSError:
        return None
    return store


def _digest(cluster: Cluster, environ: Mapping[str, str]) -> str:
    # Here, as above: a database that is there is started before this is imported.
    from localbase.postgres import migrate

    account = cluster.account
    digest = hashlib.sha256(f"{cluster.binaries.release} {account}\n".encode())
    digest.update(_locales(environ))
    modules = [Path(str(module.__file__)) for module in (cluster_module, migrate, copies)]
    for path in [*modules, *migrate.platform_paths(), ALLOWLIST, *sorted(EXTENSIONS.iterdir())]:
        content = path.read_bytes()
        digest.update(f"{path.name} {len(content)}\n".encode() + content)
    return digest.hexdigest()[:_DIGEST_CHARACTERS]


def _locales(environ: Mapping[str, str]) -> bytes:
    """The names of the system's locales, and the release of the C library that compares texts by them."""
    library = " ".join(platform.libc_ver())
    command = ["locale", "-a"]
    # In an order that no setting changes.
    environ = {**environ, "LC_ALL": "C"}
    try:
        names = subprocess.run(
            command, env=environ, capture_output=True, check=True, timeout=_LOCALE_SECONDS
        ).stdout
    except (OSError, subprocess.SubprocessError):
        # `initdb` knows none then either.
        names = b""
    return library.encode() + b"\n" + names


def _copied(template: Path, cluster: Cluster) -> bool:
    """Tell whether there was a sound template, and the cluster's data is a copy of it now."""
    try:
        with _locked(template.parent, fcntl.LOCK_SH):
            # A full disk or a power cut leaves less, and who tidies the cache or changes its rights something else.
            if not _is_sound(template):
                return False
            cluster.make_parent()
            copy_tree(template, cluster.data)
            # The least used goes first.
            os.utime(template)
    except (OSError, ValueError):
        # Not there, not sound, locked, or on a disk without locks: then the cluster is made from nothing.
        shutil.rmtree(cluster.data, ignore_errors=True)
        return False
    cluster.install_extensions()
    return True


def _is_sound(template: Path) -> bool:
    file = _tree_file(template)
    return file.exists() and file.read_text() == tree_digest(template)


def _leave(cluster: Cluster, template: Path) -> None:
    """Copies a cluster on which no server runs, without what is its own: the extensions' folder holds a secret key."""
    with _locked(template.parent, fcntl.LOCK_EX) as lock:
        if _is_sound(template):
            # Another command has left it meanwhile.
            return
        partial = template.with_name("partial")
        # A killed command's.
        shutil.rmtree(partial, ignore_errors=True)
        copy_database(cluster.data, partial, leave=[OWN_FOLDER])
        # Most of the write-ahead log is room for more.
        dig_holes(partial / "pg_wal")
        # A slow disk takes seconds. It holds the lock meanwhile.
        subprocess.Popen(
            [sys.executable, "-m", "localbase.cli.data.cluster_template", str(partial), str(template)],
            pass_fds=[lock],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )


def _keep(partial: Path, template: Path) -> None:
    """Makes a copy a template, as soon as the disk holds it."""
    try:
        sync_tree(partial)
        _discard(template)
        partial.rename(template)
    finally:
        shutil.rmtree(partial, ignore_errors=True)
    _tree_file(template).write_text(tree_digest(template))
    templates = [path for path in template.parent.iterdir() if path.is_dir()]
    for path in sorted(templates, key=lambda path: path.stat().st_mtime_ns)[:-_MOST_TEMPLATES]:
        _discard(path)


def _discard(template: Path) -> None:
    _tree_file(template).unlink(missing_ok=True)
    shutil.rmtree(template, ignore_errors=True)


def _tree_file(template: Path) -> Path:
    """Written last: it makes a folder a template. It holds the digest of what lies in that."""
    return template.with_suffix(".tree")


@contextmanager
def _locked(store: Path, how: int) -> Iterator[int]:
    """Yields the lock's descriptor.

    Raises `OSError` where another command has it: that one may have been stopped, so none waits for it.
    """
    with (store / "lock").open("a") as lock:
        fcntl.flock(lock, how | fcntl.LOCK_NB)
        yield lock.fileno()


if __name__ == "__main__":
    _keep(Path(sys.argv[1]), Path(sys.argv[2]))
