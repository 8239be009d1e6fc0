"""Uploaded files, https://replicate.com/docs/reference/http#files.create, and what inputs point at."""

from __future__ import annotations

import base64
import binascii
import datetime
import hashlib
import secrets
from pathlib import Path
from urllib.parse import unquote_to_bytes

from emulators.core.store import Document, Store
from emulators.replicate.errors import ProblemError

LARGEST = 100 * 1024 * 1024


def timestamp(offset: datetime.timedelta = datetime.timedelta()) -> str:
    moment = datetime.datetime.now(datetime.UTC) + offset
    return moment.strftime("%Y-%m-%dT%H:%M:%S.%f")[:-3] + "Z"


class Files:
    """Contents lie in `folder` under the file's id."""

    def __init__(self, store: Store, folder: Path, base_url: str) -> None:
        self._store = store
        self._folder = folder
        self._base_url = base_url
        folder.mkdir(parents=True, exist_ok=True)

    def create(self, name: str, content_type: str, content: bytes) -> Document:
        if len(content) > LARGEST:
            raise ProblemError(413, "Payload too large", "Files are limited to 100MiB.")
        id = base64.b32encode(secrets.token_bytes(16)).decode().rstrip("=").lower()
        (self._folder / id).write_bytes(content)
        md5 = hashlib.md5(content, usedforsecurity=False).hexdigest()
        return self._store.put(
            "replicate.file",
            {
                "id": id,
                "name": name,
                "content_type": content_type,
                "size": len(content),
                "etag": md5,
                "checksums": {"sha256": hashlib.sha256(content).hexdigest(), "md5": md5},
                "metadata": {},
                "created_at": timestamp(),
                "expires_at": timestamp(datetime.timedelta(days=1)),
                "urls": {"get": f"{self._base_url}/v1/files/{id}"},
            },
        )

    def get(self, id: str) -> Document:
        return self._store.require("replicate.file", id, ProblemError.missing)

    def content(self, id: str) -> bytes:
        self.get(id)
        return (self._folder / id).read_bytes()

    def delete(self, id: str) -> None:
        self.get(id)
        (self._folder / id).unlink(missing_ok=True)
        self._store.delete("replicate.file", id)

    async def fetch(self, uri: str) -> bytes:
        """The content behind a data URI, one of our files, or any other address."""
        if uri.startswith("data:"):
            return _data_uri(uri)
        prefix = f"{self._base_url}/v1/files/"
        if uri.startswith(prefix):
            return self.content(uri[len(prefix) :].partition("/")[0])
        import httpx  # only pictures that lie elsewhere need it

        try:
            async with httpx.AsyncClient(timeout=20, follow_redirects=True) as client:
                response = await client.get(uri)
                response.raise_for_status()
                return response.content
        except httpx.HTTPError as error:
            raise ValueError(str(error)) from error


def _data_uri(uri: str) -> bytes:
    head, _, data = uri.partition(",")
    try:
        return base64.b64decode(data) if head.endswith(";base64") else unquote_to_bytes(data)
    except binascii.Error as error:
        raise ValueError("The data URI is not valid base64.") from error
