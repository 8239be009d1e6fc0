"""Public objects below ASGI: what pages of a site ask most, `GET /object/public/{bucket}/{key}` without conditions.

Each request asks the database for the object's row, as `endpoints/download.py` does: what a cache remembered could have
been removed, or hidden, since. Requests with conditions, ranges or parameters are left to that module.
"""

from __future__ import annotations

import os
import re
from typing import Any

import psycopg
from starlette.responses import Response

from localbase.core.web.http import FastResponse, HeaderBlock, InvalidHeader, lines_of
from localbase.postgres.pool import PendingQuery, PoolExhausted
from localbase.postgres.service_pool import ServicePool
from localbase.storage import errors
from localbase.storage.backend.disk import DiskFiles
from localbase.storage.endpoints.download import shown_headers
from localbase.storage.names import checked_bucket, checked_key
from localbase.storage.rows import IN_PUBLIC_DOCUMENT, public_object_of

# Names that are in a path as they are.
_PLACE = re.compile(rb"([A-Za-z0-9_!.*'()&$@=;:+,-]+)/([A-Za-z0-9_/!.*'()&$@=;:+,-]+) HTTP/1\.1")
_CONDITIONS = frozenset(
    ("range", "if-range", "if-match", "if-none-match", "if-modified-since", "if-unmodified-since")
)


class PublicObjects:
    """Public objects of `files`, by their rows in `db`."""

    def __init__(self, db: ServicePool, files: DiskFiles) -> None:
        self._db = db
        self._files = files

    def submit(self, place: bytes, block: HeaderBlock, response: FastResponse) -> PublicObject | None:
        """Begins the work on a request by the rest of its line; None if it is not eligible."""
        match = _PLACE.fullmatch(place)
        if match is None or not _CONDITIONS.isdisjoint(block.headers):
            return None
        try:
            bucket, key = checked_bucket(match[1].decode()), checked_key(match[2].decode())
        except errors.StorageError:
            return None
        return PublicObject(self._db, self._files, bucket, key, response)


class PublicObject:
    """One request, until its response. The pool calls `_found` with the row."""

    __slots__ = ("_db", "_files", "_missing", "_params", "_query", "_response")

    def __init__(
        self, db: ServicePool, files: DiskFiles, bucket: str, key: str, response: FastResponse
    ) -> None:
        self._db = db
        self._files = files
        self._params = [key, bucket]
        self._response = response
        # The version that was found without its bytes.
        self._missing: str | None = None
        self._query: PendingQuery = self._find()

    def cancel(self) -> None:
        """The client has gone."""
        self._query.cancel()

    def _find(self) -> PendingQuery:
        return self._db.submit_document(IN_PUBLIC_DOCUMENT, self._params, self._found)

    def _found(self, row: Any, error: Exception | None) -> None:
        try:
            if error is not None:
                raise error
            self._respond(row)
        except errors.StorageError as failure:
            self._reject(failure.response())
        except (psycopg.Error, PoolExhausted) as failure:
            self._reject(errors.to_storage_error(failure).response())
        except InvalidHeader:
            self._response.invalid_header(200)
        except Exception:  # noqa: BLE001 - the gateway logs it with its traceback and answers 500
            self._response.internal_error()

    def _respond(self, row: dict[str, Any] | None) -> None:
        stored = public_object_of(row)
        if stored is None:
            raise errors.bucket_not_found()
        if stored.version == self._missing:
            raise errors.object_not_found()
        try:
            file = self._files.open_file(stored.version)
        except FileNotFoundError:
            # It may have been replaced meanwhile (`reading.with_bytes`).
            self._missing = stored.version
            self._query = self._find()
            return
        try:
            size = os.fstat(file.fileno()).st_size
            lines = lines_of(shown_headers(stored, None).items(), size)
        except BaseException:
            file.close()
            raise
        self._response.with_file(lines, file, size)

    def _reject(self, response: Response) -> None:
        lines = b"".join([b"%b: %b\r\n" % pair for pair in response.raw_headers])
        self._response(response.status_code, lines, bytes(response.body))
