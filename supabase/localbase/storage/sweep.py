"""Removes bytes that nothing names, and reports objects whose bytes are gone: what a crash in mid-upload leaves.

Only versions count to which nothing was written for an hour: younger ones may be uploads that have no row yet.
"""

from __future__ import annotations

import itertools
import logging
from collections.abc import Callable, Iterable
from dataclasses import dataclass

import psycopg

from localbase.core.cancellation import pause
from localbase.postgres.pool import PoolExhausted
from localbase.postgres.service_pool import ServicePool
from localbase.storage.backend.disk import Files
from localbase.storage.errors import BytesUnavailable
from localbase.storage.s3 import uploads as multipart_uploads
from localbase.storage.tus import uploads as resumable_uploads

_log = logging.getLogger("localbase.storage")
_HOUR, _DAY = 3600.0, 86_400.0
_AT_ONCE = 1000
# How many lost objects are named in one line of the log.
_NAMED = 10
_NAMED_VERSIONS = """
select version from storage.objects where version = any(%(versions)s)
union select version from storage.s3_multipart_uploads where version = any(%(versions)s)
union select version from storage.s3_multipart_uploads_parts where version = any(%(versions)s)
union select version::text from _localbase.storage_resumable_uploads where version::text = any(%(versions)s)
"""


@dataclass(frozen=True, slots=True)
class Swept:
    """The number of versions that went, and the objects ("bucket/name") have no bytes."""

    removed: int
    lost: list[str]


async def sweep_for_ever(
    db: ServicePool,
    files: Files,
    *,
    upload_expiry: float = _DAY,
    may: Callable[[], bool] = lambda: True,
) -> None:
    """Sweeps now and every hour, where it `may`. A database that is away is met again at the next turn."""
    while True:
        try:
            if not may():
                await pause(_HOUR)
                continue
            await multipart_uploads.remove_expired(db, files, upload_expiry)
            await resumable_uploads.remove_expired(db, files)
            await sweep(db, files)
        except (psycopg.Error, PoolExhausted, OSError, BytesUnavailable) as error:
            _log.error("cannot sweep the objects' bytes: %s", str(error).split("\n")[0])
        await pause(_HOUR)


async def sweep(db: ServicePool, files: Files, *, older_than: float = _HOUR) -> Swept:
    """One turn: removes versions that no row names and nothing wrote to for `older_than` seconds."""
    removed = 0
    for versions in _lots([version async for version in files.older_than(older_than)]):
        async with db.begin() as cursor:
            await cursor.execute(_NAMED_VERSIONS, {"versions": versions})
            named = {row["version"] for row in await cursor.fetchall()}
        for version in versions:
            if version not in named:
                await files.remove(version)
                removed += 1
    lost = await _without_bytes(db, files)
    if removed:
        _log.info("removed %d files that no object names", removed)
    if lost:
        names = ", ".join(lost[:_NAMED]) + (" …" if len(lost) > _NAMED else "")
        _log.warning("%d objects have no bytes any more, upload them again: %s", len(lost), names)
    return Swept(removed, lost)


async def _without_bytes(db: ServicePool, files: Files) -> list[str]:
    # On a service elsewhere each question for one version would be a request.
    present = {version async for version in files.older_than(0)}
    lost, after = [], "00000000-0000-0000-0000-000000000000"
    while True:
        async with db.begin() as cursor:
            await cursor.execute(
                "select id, bucket_id, name, version from storage.objects where id > %s order by id limit %s",
                [after, _AT_ONCE],
            )
            rows = await cursor.fetchall()
        for row in rows:
            version = row["version"] or ""
            if version not in present and await files.size(version) is None:
                lost.append(f"{row['bucket_id']}/{row['name']}")
        if len(rows) < _AT_ONCE:
            return lost
        after = rows[-1]["id"]


def _lots(versions: Iterable[str]) -> Iterable[list[str]]:
    # A part and the whole of it may both lie there for a moment.
    rest = iter(sorted(set(versions)))
    while lot := list(itertools.islice(rest, _AT_ONCE)):
        yield lot
