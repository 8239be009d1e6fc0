"""The version of the platform's schemas that a database has.

It lies in a file beside the data of a cluster, and in `_localbase.platform` of a Postgres that the owner runs.
"""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING

from localbase.core.errors import UserError
from localbase.postgres import migrate
from localbase.postgres.cluster import OWN_FOLDER, Cluster

if TYPE_CHECKING:
    import psycopg

_FILE = "platform.version"


def is_of_this_version(cluster: Cluster) -> bool:
    """Tell whether the platform's schemas there are those of this version's files.

    Raises `UserError` for those of a newer version.
    """
    digest, version = _read(cluster)
    if digest == _digest():
        return True
    if version and _numbers(version) > _numbers(this_version()):
        raise UserError(
            f"This data was made by localbase {version}, which is newer than this one ({this_version()}).",
            "Use that version or a later one, or make the data anew: `supabase db reset`.",
        )
    return False


def note_version(cluster: Cluster) -> None:
    """Notes that the cluster has this version's schemas."""
    if _read(cluster)[0] != _digest():
        cluster.write_own(_FILE, f"{_digest()} {this_version()}\n".encode())


def require_same_version(connection: psycopg.Connection) -> None:
    """Raises `UserError` where another version has made the platform in the owner's database; notes this one's."""
    connection.execute("create schema if not exists _localbase")
    connection.execute("create table if not exists _localbase.platform (name text primary key)")
    query = "select name from _localbase.platform where name like 'version %'"
    row = connection.execute(query).fetchone()
    if row is None:
        note = f"version {this_version()} {_digest()}"
        connection.execute("insert into _localbase.platform values (%s)", [note])
    elif row[0].split()[2] != _digest():
        raise UserError(
            f"localbase {row[0].split()[1]} made the platform of this database, and this is {this_version()}.",
            "Use that version; or name a new database in db.external_url, start on it, and bring the data there "
            "with `supabase db dump --data-only` of the old one.",
        )


def this_version() -> str:
    """The version of the installed distribution."""
    # To import it takes as long as a server's start.
    import importlib.metadata

    return importlib.metadata.version("localbase")


def _read(cluster: Cluster) -> tuple[str, str]:
    """The digest and the version; empty for a cluster of a time before there was the file."""
    try:
        digest, version = (cluster.data / OWN_FOLDER / _FILE).read_text(encoding="utf-8").split()
    except (FileNotFoundError, ValueError):
        return "", ""
    return digest, version


def _digest() -> str:
    digest = hashlib.sha256()
    for path in migrate.platform_paths():
        content = path.read_bytes()
        digest.update(f"{path.name} {len(content)}\n".encode() + content)
    return digest.hexdigest()


def _numbers(version: str) -> list[int]:
    return [int(part) for part in version.split(".") if part.isdecimal()]
