"""One resumable upload, as a client of TUS makes it."""

from __future__ import annotations

import base64
from typing import Any

import httpx

from tests.localbase.integration.storage.conftest import Api

BYTES = {"content-type": "application/offset+octet-stream"}
TUS = {"tus-resumable": "1.0.0"}


def metadata(bucket: str, name: str, **more: str) -> str:
    fields = {"bucketName": bucket, "objectName": name, **more}
    return ",".join(f"{key} {base64.b64encode(value.encode()).decode()}" for key, value in fields.items())


class Resumable:
    """One upload, as a client makes it."""

    def __init__(self, api: Api, name: str, bucket: str = "folders") -> None:
        self.api, self.name, self.bucket = api, name, bucket
        self.path = ""

    @property
    def version(self) -> str:
        """Of the object that it becomes."""
        return base64.urlsafe_b64decode(self.path.rpartition("/")[2] + "==").decode().rpartition("/")[2]

    def begin(
        self, length: int, content: bytes | None = None, headers: dict[str, str] | None = None, **more: str
    ) -> httpx.Response:
        all_headers = {
            **TUS,
            "upload-length": str(length),
            "upload-metadata": metadata(self.bucket, self.name, **more),
            **(BYTES if content is not None else {}),
            **(headers or {}),
        }
        response = self.api.send("POST", "/upload/resumable", headers=all_headers, content=content)
        if response.status_code == 201:
            self.path = response.headers["location"].partition("/storage/v1")[2]
        return response

    def send(
        self, offset: int, content: Any, api: Api | None = None, headers: dict[str, str] | None = None
    ) -> httpx.Response:
        all_headers = {**TUS, **BYTES, "upload-offset": str(offset), **(headers or {})}
        return (api or self.api).send("PATCH", self.path, headers=all_headers, content=content)

    def look(self) -> httpx.Response:
        return self.api.send("HEAD", self.path, headers=TUS)

    def offset(self) -> int:
        return int(self.look().headers["upload-offset"])
