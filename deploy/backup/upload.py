"""Storage's part of a restore: buckets with their settings, then the objects that are not there with the same bytes."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from itertools import islice
from pathlib import Path
from typing import Any, LiteralString
from urllib.parse import quote

from psycopg.types.json import Jsonb

from deploy.backup.manifest import HEADER_CHARSET, OBJECTS, Manifest, StoredBucket, StoredObject, read_objects
from deploy.backup.tables import Database
from deploy.http import Api

_AT_ONCE = 8
_PAGE = 40
_REMOVED_AT_ONCE = 500
# of an object that was uploaded in parts it is something else
_MD5 = re.compile(r'"?([0-9a-f]{32})"?')
_PRESENT: LiteralString = """
select bucket_id, name, coalesce((metadata ->> 'size')::bigint, -1), coalesce(metadata ->> 'eTag', ''),
  coalesce(metadata ->> 'mimetype', '')
from storage.objects
"""
_OWNERS: LiteralString = """
update storage.objects set owner = %(owner)s, owner_id = %(owner_id)s, created_at = %(created_at)s,
  user_metadata = %(user_metadata)s
where bucket_id = %(bucket)s and name = %(name)s
"""
# (bucket, name) → size, MD5 or '', type
Present = dict[tuple[str, str], tuple[int, str, str]]


class Upload:
    """`sent` counts the objects of this run."""

    def __init__(self, project: Api, folder: Path, manifest: Manifest, say: Callable[[str], None]) -> None:
        self._project = project
        self._folder = folder
        self._manifest = manifest
        self._say = say
        self.sent = 0

    def stored(self) -> Iterator[StoredObject]:
        return read_objects(self._folder / OBJECTS)

    def others(self, present: Present) -> list[tuple[str, str]]:
        """Objects of the project that the backup lacks."""
        return sorted(present.keys() - {(stored.bucket, stored.name) for stored in self.stored()})

    def run(self, present: Present) -> None:
        for bucket in self._manifest.buckets:
            self._make_bucket(bucket)
        objects, done, size = self.stored(), 0, 0
        with ThreadPoolExecutor(_AT_ONCE) as pool:
            while page := list(islice(objects, _PAGE)):
                to_send = [stored for stored in page if not is_present(stored, present)]
                list(pool.map(self._send, to_send))
                self.sent += len(to_send)
                done += len(page)
                size += sum(stored.file.bytes for stored in page)
                self._say(f"{done} of {self._manifest.object_count} objects, {size / 1e6:.1f} MB")

    def remove(self, objects: list[tuple[str, str]]) -> None:
        by_bucket: dict[str, list[str]] = {}
        for bucket, name in objects:
            by_bucket.setdefault(bucket, []).append(name)
        for bucket, names in by_bucket.items():
            for first in range(0, len(names), _REMOVED_AT_ONCE):
                prefixes = {"prefixes": names[first : first + _REMOVED_AT_ONCE]}
                self._project.call("DELETE", f"/storage/v1/object/{bucket}", json=prefixes)

    def differences(self, present: Present) -> list[str]:
        """Objects of the backup that the project does not have with the same bytes."""
        return [
            f"{stored.bucket}/{stored.name}" for stored in self.stored() if not is_present(stored, present)
        ]

    def set_owners(self, database: Database) -> None:
        """An upload makes the service the owner, and now the date.

        Metadata of a shopper's comes here too: a form takes more of it than an upload's header.
        """
        with database.cursor() as cursor:
            objects = self.stored()
            while page := list(islice(objects, _PAGE)):
                cursor.executemany(
                    _OWNERS,
                    [
                        {
                            "owner": stored.owner,
                            "owner_id": stored.owner_id,
                            "created_at": stored.created_at,
                            "user_metadata": None
                            if stored.user_metadata is None
                            else Jsonb(stored.user_metadata),
                            "bucket": stored.bucket,
                            "name": stored.name,
                        }
                        for stored in page
                    ],
                )

    def _make_bucket(self, bucket: StoredBucket) -> None:
        settings: dict[str, Any] = {
            "public": bucket.public,
            "file_size_limit": bucket.file_size_limit,
            "allowed_mime_types": list(bucket.allowed_mime_types) if bucket.allowed_mime_types else None,
        }
        stored = {entry["id"] for entry in self._project.call("GET", "/storage/v1/bucket")}
        if bucket.name in stored:
            self._project.call("PUT", f"/storage/v1/bucket/{bucket.name}", json=settings)
        else:
            self._project.call(
                "POST", "/storage/v1/bucket", json={"id": bucket.name, "name": bucket.name, **settings}
            )

    def _send(self, stored: StoredObject) -> None:
        headers = {
            "content-type": stored.content_type.encode(HEADER_CHARSET),
            "cache-control": stored.cache_control.encode(HEADER_CHARSET),
            "content-length": str(stored.file.bytes),
            "x-upsert": "true",
        }
        with (self._folder / stored.file.path).open("rb") as content:
            self._project.call(
                "POST",
                f"/storage/v1/object/{stored.bucket}/{quote(stored.name)}",
                content=content,
                headers=headers,
            )


def read_present(database: Database) -> Present:
    present: Present = {}
    for bucket, name, size, etag, kind in database.execute(_PRESENT):
        md5 = _MD5.fullmatch(etag)
        # a header ends without blanks, Storage's rows may not
        present[bucket, name] = (size, md5[1] if md5 else "", kind.strip(" \t"))
    return present


def is_present(stored: StoredObject, present: Present) -> bool:
    """With the same bytes, as far as Storage says: what it says nothing of is sent again."""
    return present.get((stored.bucket, stored.name)) == (stored.file.bytes, stored.md5, stored.content_type)
