"""Storage's part of a backup: the bytes of every object that the rows name, not fetched again after a kill."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from itertools import islice
from pathlib import Path
from typing import Any
from urllib.parse import quote

from deploy.backup.manifest import (
    HEADER_CHARSET,
    OBJECTS,
    StoredFile,
    StoredObject,
    lies_inside,
    object_line,
    read_objects,
)
from deploy.backup.rows import LISTING
from deploy.errors import CommandError
from deploy.http import Api

_AT_ONCE = 8
_FETCHED = "fetched.jsonl"
_PAGE = 40
_PIECE = 1 << 18
LocalObjects = dict[tuple[str, str, str], tuple[StoredObject, Path]]


class Download:
    """`count` and `size` are of all objects of the backup, `fetched` of those that this run has fetched."""

    def __init__(self, project: Api, folder: Path, say: Callable[[str], None]) -> None:
        self._project = project
        self._folder = folder
        self._say = say
        self.count = 0
        self.size = 0
        self.fetched = 0
        self.missing: list[str] = []

    def run(self, previous: Path | None = None) -> None:
        """Fetches what the listing names and what neither an interrupted run nor the backup `previous` has."""
        local_objects = self._local_objects(previous)
        total = sum(1 for _ in _lines(self._folder / LISTING))
        with (
            ThreadPoolExecutor(_AT_ONCE) as pool,
            (self._folder / _FETCHED).open("a", encoding="utf-8") as log,
            (self._folder / OBJECTS).open("w", encoding="utf-8") as index,
        ):
            lines = _lines(self._folder / LISTING)
            while page := list(islice(lines, _PAGE)):
                for row, stored in zip(
                    page, pool.map(lambda row: self._save(row, local_objects), page), strict=True
                ):
                    if stored is None:
                        self.missing.append(f"{row['bucket']}/{row['name']}")
                        continue
                    self.count += 1
                    self.size += stored.file.bytes
                    index.write(object_line(stored))
                    log.write(object_line(stored))
                log.flush()
                done = self.count + len(self.missing)
                self._say(f"{done} of {total} objects, {self.size / 1e6:.1f} MB")
        self._remove_others()

    def _local_objects(self, previous: Path | None) -> LocalObjects:
        local_objects: LocalObjects = {}
        sources = [(self._folder, self._folder / _FETCHED)]
        if previous is not None:
            sources.append((previous, previous / OBJECTS))
        for folder, index in reversed(sources):
            for stored in read_objects(index) if index.is_file() else ():
                if lies_inside(folder, stored.file):
                    local_objects[stored.identity] = (stored, folder / stored.file.path)
        return local_objects

    def _save(self, row: dict[str, Any], local_objects: LocalObjects) -> StoredObject | None:
        """None where the object is gone."""
        identity = (row["id"], row["version"], row["updated_at"])
        path = self._folder / "objects" / row["id"][:2] / row["id"]
        if identity in local_objects:
            stored, held = local_objects[identity]
            if held.is_file() and held.stat().st_size == stored.file.bytes:
                if held != path:
                    _link(held, path)
                # moved to another name, or given another owner
                return replace(stored, **row, file=replace(stored.file, path=self._relative(path)))
        return self._fetch(row, path)

    def _fetch(self, row: dict[str, Any], path: Path) -> StoredObject | None:
        path.parent.mkdir(parents=True, exist_ok=True)
        partial = path.with_name(f"{path.name}.partial")
        sha256, md5, size = hashlib.sha256(), hashlib.md5(usedforsecurity=False), 0
        address = f"/storage/v1/object/authenticated/{row['bucket']}/{quote(row['name'])}"
        with self._project.stream("GET", address) as response, partial.open("wb") as out:
            if response.status_code in (400, 404):
                response.read()
                if not _says_not_found(response.status_code, response.text):
                    raise CommandError(f"Supabase refused GET {address}: {response.text[:300]}")
                partial.unlink()
                return None
            if response.status_code != 200:
                raise CommandError(f"Supabase refused GET {address}: {response.status_code}")
            for piece in response.iter_raw(_PIECE):
                sha256.update(piece)
                md5.update(piece)
                size += len(piece)
                out.write(piece)
            headers = {name.lower(): value for name, value in response.headers.raw}
        partial.replace(path)
        self.fetched += 1
        return StoredObject(
            **row,
            file=StoredFile(self._relative(path), size, sha256.hexdigest()),
            md5=md5.hexdigest(),
            content_type=headers.get(b"content-type", b"application/octet-stream").decode(HEADER_CHARSET),
            cache_control=headers.get(b"cache-control", b"no-cache").decode(HEADER_CHARSET),
        )

    def _relative(self, path: Path) -> str:
        return path.relative_to(self._folder).as_posix()

    def _remove_others(self) -> None:
        """Of an interrupted run: what no row names any more, and the working lists."""
        named = {stored.file.path for stored in read_objects(self._folder / OBJECTS)}
        for path in (self._folder / "objects").rglob("*"):
            if path.is_file() and self._relative(path) not in named:
                path.unlink()
        (self._folder / _FETCHED).unlink()
        (self._folder / LISTING).unlink()


def _link(source: Path, target: Path) -> None:
    """The same file under both names where the disk is the same: a backup's files do not change."""
    target.parent.mkdir(parents=True, exist_ok=True)
    target.unlink(missing_ok=True)
    try:
        os.link(source, target)
    except OSError:
        shutil.copyfile(source, target)


def _lines(path: Path) -> Iterator[dict[str, Any]]:
    with path.open(encoding="utf-8") as lines:
        for line in lines:
            yield json.loads(line)


def _says_not_found(status: int, text: str) -> bool:
    """Storage answers a missing object with 400, and with 404 inside the body."""
    return status == 404 or "not_found" in text or '"404"' in text
