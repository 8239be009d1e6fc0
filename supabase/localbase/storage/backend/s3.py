"""The bytes of objects on a service that speaks S3, by `[storage.bytes]`.

A version is written to this disk first, where it is counted and its sums are made, then sent, and leaves the disk. Its
MD5 goes along as metadata: the tag that the service gives an object in parts is another.
"""

from __future__ import annotations

import asyncio
import contextlib
import hashlib
import time
import uuid
from collections.abc import AsyncGenerator, AsyncIterator, Mapping
from datetime import datetime
from pathlib import Path
from xml.etree.ElementTree import Element

import httpx

from localbase.storage.aws.documents import Value, write_document
from localbase.storage.backend.disk import CHUNK, Check, DiskFiles, Note, StoredFile
from localbase.storage.backend.s3_bucket import S3Bucket
from localbase.storage.errors import BytesUnavailable

# One PUT up to here; above it parts, of at most as many as S3 allows.
_LARGEST_PUT = 64 << 20
_PART_BYTES, _MOST_PARTS = 16 << 20, 10_000
# S3 copies no more in one command.
_LARGEST_COPY = 5 << 30
_MD5 = "x-amz-meta-md5"
# After a removal that failed the next ones are left to the sweep at once: there may be a thousand.
_REMOVAL_PAUSE_SECONDS = 10.0


class S3Files:
    """`Files` in a bucket. `staging` is this disk, where they are before."""

    def __init__(self, bucket: S3Bucket, staging: DiskFiles) -> None:
        self._bucket = bucket
        self._staging = staging
        self._removals_from = 0.0
        # Uploads in parts that a crash has left, by version; the sweep finds them.
        self._unfinished: dict[str, list[str]] = {}

    async def write(self, chunks: AsyncIterator[bytes], limit: int) -> StoredFile:
        """See `Files`."""
        stored = await self._staging.write(chunks, limit)
        try:
            await self._upload(stored)
        finally:
            await self._staging.remove(stored.version)
        return stored

    async def copy(self, version: str) -> str:
        """See `Files`."""
        size = await self.size(_name(version))
        if size is None:
            raise FileNotFoundError(version)
        if size > _LARGEST_COPY:
            return (await self.write(self.read(version), size)).version
        target = str(uuid.uuid4())
        headers = {"x-amz-copy-source": self._bucket.source(_name(version))}
        response = await self._bucket.send("PUT", target, headers=headers, missing=True)
        if response.status_code == 404:
            raise FileNotFoundError(version)
        return target

    async def read(
        self, version: str, start: int = 0, length: int | None = None
    ) -> AsyncGenerator[bytes, None]:
        """See `Files`. A connection that breaks is made again, from where it was."""
        at, end = start, None if length is None else start + length
        attempt = 0
        while end is None or at < end:
            byte_range = f"bytes={at}-{'' if end is None else end - 1}"
            try:
                async with self._bucket.stream(
                    _name(version), {"range": byte_range} if at or end is not None else {}
                ) as response:
                    if response.status_code == 404:
                        raise FileNotFoundError(version)
                    if response.status_code == 416:
                        return
                    await self._bucket.raise_for_status(response)
                    async for chunk in response.aiter_raw(CHUNK):
                        at += len(chunk)
                        attempt = 0
                        yield chunk
            except httpx.TransportError as error:
                await self._bucket.repeat(attempt, error)
                attempt += 1
            else:
                return

    async def local(self, version: str) -> None:
        """See `Files`."""

    async def size(self, version: str) -> int | None:
        """See `Files`."""
        try:
            response = await self._bucket.send("HEAD", _name(version), missing=True)
        except ValueError:
            # Rows of a dump may name versions of another service.
            return None
        return None if response.status_code == 404 else int(response.headers["content-length"])

    async def append(
        self, version: str, offset: int, chunks: AsyncIterator[bytes], limit: int, note: Note, check: Check
    ) -> int:
        """See `Files`. Parts lie on this disk until `complete`."""
        return await self._staging.append(version, offset, chunks, limit, note, check)

    async def complete(self, version: str, size: int) -> StoredFile:
        """See `Files`."""
        try:
            stored = await self._staging.complete(version, size)
            await self._upload(stored)
        except FileNotFoundError:
            # It has been sent before a crash, or by another request meanwhile.
            response = await self._bucket.send("HEAD", _name(version), missing=True)
            if response.status_code == 404 or int(response.headers["content-length"]) != size:
                raise
            return StoredFile(_name(version), size, f'"{response.headers[_MD5]}"')
        await self._staging.remove(version)
        return stored

    async def remove(self, version: str | None) -> None:
        """See `Files`."""
        await self._staging.remove(version)
        try:
            name = _name(version or "")
        except ValueError:
            return
        if time.monotonic() < self._removals_from:
            return
        try:
            for upload in self._unfinished.pop(name, []):
                await self._abort(name, upload)
            await self._bucket.send("DELETE", name, repeats=False, missing=True)
        except BytesUnavailable:
            self._removals_from = time.monotonic() + _REMOVAL_PAUSE_SECONDS

    async def older_than(self, seconds: float) -> AsyncIterator[str]:
        """See `Files`. The service's clock is this one's but for minutes: it would refuse signatures else."""
        async for version in self._staging.older_than(seconds):
            yield version
        last = time.time() - seconds
        async for entry in self._listed({"list-type": "2"}, "Contents"):
            if (name := self._version_in(entry)) and _time(entry, "LastModified") < last:
                yield name
        self._unfinished = {}
        async for entry in self._listed({"uploads": ""}, "Upload"):
            if (name := self._version_in(entry)) and _time(entry, "Initiated") < last:
                self._unfinished.setdefault(name, []).append(_text(entry, "UploadId"))
                yield name

    async def close(self) -> None:
        """See `Files`."""
        await self._bucket.close()

    async def _upload(self, stored: StoredFile) -> None:
        """Sends a version that lies on this disk. Raises `FileNotFoundError` where it does not."""
        path, md5 = self._staging.path(stored.version), stored.etag.strip('"')
        if stored.size <= _LARGEST_PUT:
            await self._put(stored.version, path, 0, stored.size, headers={_MD5: md5})
            return
        begun = await self._bucket.send(
            "POST", stored.version, {"uploads": ""}, headers={_MD5: md5}, repeats=False
        )
        upload = _text(await self._bucket.document(begun), "UploadId")
        try:
            await self._send_parts(stored, path, upload)
        except BaseException:
            with contextlib.suppress(BytesUnavailable):
                # Where this fails as well the sweep finds it.
                await self._abort(stored.version, upload)
            raise

    async def _send_parts(self, stored: StoredFile, path: Path, upload: str) -> None:
        size = max(_PART_BYTES, -(-stored.size // _MOST_PARTS))
        parts: list[Mapping[str, Value]] = []
        for number, start in enumerate(range(0, stored.size, size), 1):
            length = min(size, stored.size - start)
            query = {"partNumber": str(number), "uploadId": upload}
            response = await self._put(stored.version, path, start, length, query)
            parts.append({"PartNumber": number, "ETag": response.headers["etag"]})
        await self._bucket.send(
            "POST",
            stored.version,
            {"uploadId": upload},
            content=write_document("CompleteMultipartUpload", {"Part": parts}),
            repeats=False,
        )

    async def _put(
        self,
        version: str,
        path: Path,
        start: int,
        length: int,
        query: dict[str, str] | None = None,
        headers: dict[str, str] | None = None,
    ) -> httpx.Response:
        digest = await asyncio.to_thread(_sha256, path, start, length)
        return await self._bucket.send(
            *("PUT", version, query),
            headers={"content-length": str(length), **(headers or {})},
            body=lambda: _span(path, start, length),
            digest=digest,
        )

    async def _abort(self, version: str, upload: str) -> None:
        await self._bucket.send("DELETE", version, {"uploadId": upload}, repeats=False, missing=True)

    async def _listed(self, query: dict[str, str], entries: str) -> AsyncIterator[Element]:
        """The entries of a list, page by page: those directly below the prefix."""
        place: dict[str, str] = {}
        while True:
            page_query = {**query, "prefix": self._bucket.prefix, "delimiter": "/", **place}
            root = await self._bucket.document(await self._bucket.send("GET", None, page_query))
            for entry in root.findall(entries):
                yield entry
            if root.findtext("IsTruncated") != "true":
                return
            if "uploads" in query:
                place = {
                    "key-marker": _text(root, "NextKeyMarker"),
                    "upload-id-marker": _text(root, "NextUploadIdMarker"),
                }
            else:
                place = {"continuation-token": _text(root, "NextContinuationToken")}

    def _version_in(self, entry: Element) -> str | None:
        """The version that a key names; None for another's."""
        name = _text(entry, "Key").removeprefix(self._bucket.prefix)
        try:
            return name if _name(name) == name else None
        except ValueError:
            return None


def _name(version: str) -> str:
    """A version's name in the bucket. Raises `ValueError` if the id is not one of ours."""
    return str(uuid.UUID(version))


def _text(element: Element, name: str) -> str:
    return element.findtext(name) or ""


def _time(element: Element, name: str) -> float:
    return datetime.fromisoformat(_text(element, name)).timestamp()


def _sha256(path: Path, start: int, length: int) -> str:
    digest = hashlib.sha256()
    with path.open("rb") as file:
        file.seek(start)
        while length > 0 and (chunk := file.read(min(CHUNK, length))):
            digest.update(chunk)
            length -= len(chunk)
    return digest.hexdigest()


async def _span(path: Path, start: int, length: int) -> AsyncIterator[bytes]:
    file = await asyncio.to_thread(path.open, "rb")
    try:
        await asyncio.to_thread(file.seek, start)
        while length > 0 and (chunk := await asyncio.to_thread(file.read, min(CHUNK, length))):
            yield chunk
            length -= len(chunk)
    finally:
        file.close()
